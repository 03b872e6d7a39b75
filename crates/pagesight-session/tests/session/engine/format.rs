//! The exchange file: the session's calls to a browser, step by step, and the answers.
//!
//! A step begins with a call that changes something (a navigation, input, a new tab) and lasts
//! until the next such call. Within a step there are questions (calls that only ask, above all the
//! functions of the page script) with their answers, and the events that the browser reported.
//! Times are milliseconds since the step began; `order` puts answers and events in one order.

use std::time::Duration;

use pagesight_browser::{BrowserError, TabEvent};
use serde::{Deserialize, Serialize};

/// The version of the format. A file of a different version must be recorded again.
pub const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
pub struct Exchange {
    pub version: u32,
    /// The browser it was recorded in.
    pub browser: String,
    pub steps: Vec<Step>,
}

#[derive(Default, Serialize, Deserialize)]
pub struct Step {
    /// The call that began the step; none for the first step.
    pub call: Option<Call>,
    pub answer: Option<Answer>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
}

/// A call of an engine's method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The engine's id of the tab; empty for the browser itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tab: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
    /// The method, or `script walk`.
    pub method: String,
    pub arguments: String,
}

impl Call {
    pub fn new(tab: &str, frame: Option<&str>, method: &str, arguments: String) -> Call {
        let (tab, frame) = (tab.to_owned(), frame.map(str::to_owned));
        Call { tab, frame, method: method.to_owned(), arguments }
    }
}

#[derive(Serialize, Deserialize)]
pub struct Question {
    #[serde(flatten)]
    pub call: Call,
    /// None if the session stopped listening first.
    pub answer: Option<Answer>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The step in which the answer came.
    pub step: usize,
    pub at: u64,
    /// How long it took, in milliseconds.
    pub took: u64,
    pub order: usize,
    /// The error, or else the JSON of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
    /// The JSON as text, so that it stays the same to the byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub struct Event {
    pub at: u64,
    pub order: usize,
    #[serde(flatten)]
    pub what: Happened,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happened {
    /// A tab opened that the session did not open.
    Opened { tab: String, url: String, opener: Option<String> },
    /// Something happened in a tab.
    InTab { tab: String, event: TabEvent },
}

/// The errors that can be recorded.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    Disconnected,
    TabClosed,
    TabCrashed,
    LoadFailed { url: String, reason: String },
    LoginWanted { url: String },
    TimedOut { what: String, limit: u64 },
    Navigated,
    DialogOpen { kind: String, message: String },
    Script(String),
    Refused { method: String, message: String },
}

impl From<&BrowserError> for Failure {
    fn from(error: &BrowserError) -> Failure {
        match error.clone() {
            BrowserError::Disconnected => Failure::Disconnected,
            BrowserError::TabClosed => Failure::TabClosed,
            BrowserError::TabCrashed => Failure::TabCrashed,
            BrowserError::LoadFailed { url, reason } => Failure::LoadFailed { url, reason },
            BrowserError::LoginWanted { url } => Failure::LoginWanted { url },
            BrowserError::TimedOut { what, limit } => {
                Failure::TimedOut { what, limit: limit.as_millis() as u64 }
            }
            BrowserError::Navigated => Failure::Navigated,
            BrowserError::DialogOpen { kind, message } => Failure::DialogOpen { kind, message },
            BrowserError::Script(text) => Failure::Script(text),
            BrowserError::Refused { method, message } => Failure::Refused { method, message },
            other => panic!("this error cannot be recorded: {other:?}"),
        }
    }
}

impl From<Failure> for BrowserError {
    fn from(failure: Failure) -> BrowserError {
        match failure {
            Failure::Disconnected => BrowserError::Disconnected,
            Failure::TabClosed => BrowserError::TabClosed,
            Failure::TabCrashed => BrowserError::TabCrashed,
            Failure::LoadFailed { url, reason } => BrowserError::LoadFailed { url, reason },
            Failure::LoginWanted { url } => BrowserError::LoginWanted { url },
            Failure::TimedOut { what, limit } => {
                BrowserError::TimedOut { what, limit: Duration::from_millis(limit) }
            }
            Failure::Navigated => BrowserError::Navigated,
            Failure::DialogOpen { kind, message } => BrowserError::DialogOpen { kind, message },
            Failure::Script(text) => BrowserError::Script(text),
            Failure::Refused { method, message } => BrowserError::Refused { method, message },
        }
    }
}

impl Exchange {
    pub fn read(text: &str) -> Result<Exchange, String> {
        let exchange: Exchange = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if exchange.version == VERSION {
            Ok(exchange)
        } else {
            Err(format!("its version is {}, not {VERSION}", exchange.version))
        }
    }

    /// Replaces all answers to a function of the page script by its internal error.
    pub fn fail(&mut self, function: &str) {
        let questions = self.steps.iter_mut().flat_map(|step| &mut step.questions);
        for question in questions.filter(|question| question.call.method == function) {
            if let Some(answer) = &mut question.answer {
                let error = r#"{"error":"internal","message":"x is not a function\n    at f"}"#;
                answer.json = Some(error.to_owned());
            }
        }
    }

    /// Writes one line per call, question and event, so that a diff is readable.
    pub fn write(&self) -> String {
        let steps: Vec<String> = self
            .steps
            .iter()
            .map(|step| {
                format!(
                    "{{\"call\": {},\n   \"answer\": {},\n   \"questions\": {},\n   \"events\": {}}}",
                    line(&step.call),
                    line(&step.answer),
                    lines(&step.questions),
                    lines(&step.events),
                )
            })
            .collect();
        format!(
            "{{\"version\": {}, \"browser\": {}, \"steps\": [\n  {}\n]}}\n",
            self.version,
            line(&self.browser),
            steps.join(",\n  ")
        )
    }
}

/// Writes a value in one line.
pub fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("it has a JSON form")
}

fn lines(values: &[impl Serialize]) -> String {
    match values {
        [] => "[]".to_owned(),
        values => {
            let lines: Vec<String> = values.iter().map(line).collect();
            format!("[\n    {}]", lines.join(",\n    "))
        }
    }
}
