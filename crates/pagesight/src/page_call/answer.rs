//! The answer of a command on a page: text for people, data for programs.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pagesight_core::compare::Severity;
use pagesight_core::refs::RefError;
use pagesight_session::{HiddenValues, SessionError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::readable::readable;
use crate::tools::answer::{Answer, Content};
use crate::tools::error::ToolError;

/// How a command ended; the exit code says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CallEnding {
    #[default]
    Done,
    /// An action failed, or a reference is stale.
    Failed,
    /// Nothing could be done: wrong usage, no browser, an address that could not be loaded.
    Impossible,
}

/// The answer of a command on a page.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct ShellAnswer {
    /// The answer for people.
    pub(crate) text: String,
    /// The answer for programs.
    pub(crate) data: Value,
    /// The bytes of a file that the client writes, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    pub(crate) ending: CallEnding,
    /// The highest severity of a change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) severity: Option<Severity>,
}

impl ShellAnswer {
    pub(crate) fn new(text: impl Into<String>, data: Value) -> ShellAnswer {
        ShellAnswer { text: text.into(), data, ..ShellAnswer::default() }
    }

    /// Makes an answer of data, which people read as lines.
    pub(crate) fn of_data(data: Value) -> ShellAnswer {
        ShellAnswer::new(readable(&data), data)
    }

    pub(crate) fn of_picture(summary: String, bytes: &[u8]) -> ShellAnswer {
        let data = json!({ "bytes": bytes.len(), "summary": summary });
        ShellAnswer::new(summary, data).with_file(bytes)
    }

    /// Adds the bytes of a file.
    pub(crate) fn with_file(self, bytes: &[u8]) -> ShellAnswer {
        ShellAnswer { file: Some(STANDARD.encode(bytes)), ..self }
    }

    /// Returns the bytes of a file, if the answer has one.
    pub(crate) fn file(&self) -> Option<Vec<u8>> {
        STANDARD.decode(self.file.as_ref()?).ok()
    }

    /// Returns the answer of a tool for people and for programs.
    pub(crate) fn of(answer: Answer) -> ShellAnswer {
        let ending = if answer.failed { CallEnding::Failed } else { CallEnding::Done };
        let shown = match (answer.content, answer.page) {
            (Content::Json(value), _) => ShellAnswer::of_data(value),
            (content, Some(page)) => {
                let text = content.into_text();
                let mut data = json!(page);
                data["text"] = text.as_str().into();
                ShellAnswer::new(text, data)
            }
            (content, None) => {
                let text = content.into_text();
                let data = json!({ "text": text });
                ShellAnswer::new(text, data)
            }
        };
        ShellAnswer { ending, ..shown }.with_notice(answer.beside)
    }

    /// Adds what the reader must know first: before the text, as a member of the data.
    pub(crate) fn with_notice(mut self, notice: Option<String>) -> ShellAnswer {
        if let Some(notice) = notice {
            self.text.insert_str(0, &format!("{notice}\n"));
            if let Value::Object(members) = &mut self.data {
                members.insert("notice".to_owned(), notice.into());
            }
        }
        self
    }

    /// Hides values.
    pub(crate) fn without(mut self, hidden: &HiddenValues) -> ShellAnswer {
        self.text = hidden.hide(self.text);
        hidden.hide_in_strings(&mut self.data);
        self
    }
}

/// Why a command has no answer.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CallFailure {
    /// One sentence.
    pub(crate) sentence: String,
    pub(crate) ending: CallEnding,
}

impl CallFailure {
    pub(crate) fn new(error: &ToolError, sentence: String, notice: Option<String>) -> CallFailure {
        let sentence = match notice {
            Some(notice) => format!("{sentence} ({notice})"),
            None => sentence,
        };
        CallFailure { sentence, ending: ending_of(error) }
    }
}

/// Returns how a command with this error ended. A reference that can be used no more is a result;
/// anything else means that nothing could be done.
pub(crate) fn ending_of(error: &ToolError) -> CallEnding {
    match error {
        ToolError::Session(SessionError::Reference(RefError::Malformed { .. })) => {
            CallEnding::Impossible
        }
        ToolError::Session(SessionError::Reference(_) | SessionError::Action(_)) => {
            CallEnding::Failed
        }
        ToolError::WithNotice { error, .. } => ending_of(error),
        _ => CallEnding::Impossible,
    }
}
