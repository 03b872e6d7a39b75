//! The entries of a log, as plain data.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

/// The level of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// `console.debug`.
    Debug,
    /// `console.log`.
    Log,
    /// `console.info`.
    Info,
    /// A warning.
    Warning,
    /// An error or an uncaught exception.
    Error,
}

impl LogLevel {
    /// Returns the word that lines use.
    pub fn as_str(self) -> &'static str {
        match self {
            LogLevel::Debug => "debug",
            LogLevel::Log => "log",
            LogLevel::Info => "info",
            LogLevel::Warning => "warning",
            LogLevel::Error => "error",
        }
    }

    /// Returns the rank among levels; `log` and `info` are equal.
    pub fn rank(self) -> u8 {
        match self {
            LogLevel::Debug => 0,
            LogLevel::Log | LogLevel::Info => 1,
            LogLevel::Warning => 2,
            LogLevel::Error => 3,
        }
    }
}

/// The number of an entry. Console entries and requests are numbered separately; a number is never
/// used again in a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LogId {
    /// A console entry: `e12`.
    Console(u64),
    /// A request: `r7`.
    Request(u64),
}

impl LogId {
    /// Parses `r7`, `[r7]`, `e12` or `[e12]`.
    pub fn parse(given: &str) -> Option<LogId> {
        let given = given.trim();
        let inner = given.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let inner = inner.unwrap_or(given);
        let number = |text: &str| text.parse().ok().filter(|_| !text.starts_with('+'));
        match inner.strip_prefix('e') {
            Some(rest) => number(rest).map(LogId::Console),
            None => number(inner.strip_prefix('r')?).map(LogId::Request),
        }
    }
}

impl fmt::Display for LogId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogId::Console(number) => write!(f, "e{number}"),
            LogId::Request(number) => write!(f, "r{number}"),
        }
    }
}

impl Serialize for LogId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A place in a script or a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct CodePosition {
    /// The address, as it may be shown.
    #[serde(serialize_with = "as_text")]
    pub url: Arc<str>,
    /// The line; the first is 1.
    pub line: u32,
    /// The column; the first is 1.
    pub column: u32,
    /// The function, if it has a name.
    #[serde(serialize_with = "as_text", skip_serializing_if = "is_empty")]
    pub function: Arc<str>,
}

fn as_text<S: serde::Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

fn is_empty(text: &Arc<str>) -> bool {
    text.is_empty()
}

/// A message of the console.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsoleEntry {
    /// Its level.
    pub level: LogLevel,
    /// Its text.
    pub text: String,
    /// The calls that led to it, the innermost first.
    pub stack: Vec<CodePosition>,
}

/// How a request ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestOutcome {
    /// It has not ended.
    #[default]
    Pending,
    /// It has not ended: the page has not read the body of its response.
    BodyNotRead,
    /// The response was received.
    Finished,
    /// There was no response, in the engine's words.
    Failed(String),
    /// The page or the browser cancelled it.
    Cancelled,
}

/// A redirect that a request followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RequestRedirect {
    /// The status that redirected.
    pub status: u16,
    /// The address that it led to, as it may be shown.
    pub to: String,
}

/// The phases of a request, in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RequestTiming {
    /// Until the host name was resolved and the connection was there; none for an open connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connect: Option<f64>,
    /// From the request to the first byte of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait: Option<f64>,
    /// From there to the end of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receive: Option<f64>,
}

/// A request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestEntry {
    /// The engine's id, to ask for the bodies.
    pub engine_id: String,
    /// HTTP method.
    pub method: String,
    /// The address, as it may be shown.
    pub url: String,
    /// The type of the resource: `fetch`, `script`; empty for other types.
    pub kind: &'static str,
    /// The HTTP status.
    pub status: Option<u16>,
    /// How it ended.
    pub outcome: RequestOutcome,
    /// The length of the response in bytes.
    pub size: Option<u64>,
    /// From its start to its end.
    pub duration: Option<Duration>,
    /// The calls that led to it, the innermost first.
    pub initiator: Vec<CodePosition>,
    /// The redirects that it followed.
    pub redirects: Vec<RequestRedirect>,
    /// The headers of the request, without secrets.
    pub sent: Vec<(String, String)>,
    /// The headers of the response, without secrets.
    pub received: Vec<(String, String)>,
    /// The media type of the response.
    pub media_type: String,
    /// Its phases.
    pub timing: RequestTiming,
}

impl RequestEntry {
    /// Whether it failed: an error status, or no response.
    pub fn failed(&self) -> bool {
        matches!(self.outcome, RequestOutcome::Failed(_)) || self.status.is_some_and(|s| s >= 400)
    }
}

/// The message or the request of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum LogRecord {
    /// A message of the console.
    Console(ConsoleEntry),
    /// A request.
    Request(Box<RequestEntry>),
}

/// An entry of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// Its number.
    pub id: LogId,
    /// When it came, on the clock of the caller.
    pub at: Duration,
    /// How many equal ones came directly after each other.
    pub count: u64,
    /// The number of its first event among all events of the log.
    pub(super) first: u64,
    /// The revision of the log when it last changed.
    pub(super) changed: u64,
    /// The message or the request.
    pub record: LogRecord,
}

impl LogEntry {
    /// Whether it is an error or a failed request.
    pub fn is_error(&self) -> bool {
        match &self.record {
            LogRecord::Console(entry) => entry.level == LogLevel::Error,
            LogRecord::Request(entry) => entry.failed(),
        }
    }

    /// Whether it is a request that has not ended.
    pub(super) fn is_pending(&self) -> bool {
        let LogRecord::Request(entry) = &self.record else { return false };
        matches!(entry.outcome, RequestOutcome::Pending | RequestOutcome::BodyNotRead)
    }

    /// Returns about how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        const FIXED: usize = 160;
        // Texts of calls may be shared, but they are kept as long as the entry is.
        let place = |stack: &[CodePosition]| -> usize {
            stack.iter().map(|call| call.url.len() + call.function.len() + 48).sum()
        };
        match &self.record {
            LogRecord::Console(entry) => FIXED + entry.text.len() + place(&entry.stack),
            LogRecord::Request(entry) => {
                let headers = |list: &[(String, String)]| -> usize {
                    list.iter().map(|(name, value)| name.len() + value.len() + 64).sum()
                };
                let redirects: usize = entry.redirects.iter().map(|one| one.to.len() + 40).sum();
                FIXED * 3
                    + entry.engine_id.len() * 2
                    + entry.method.len()
                    + entry.url.len()
                    + entry.media_type.len()
                    + place(&entry.initiator)
                    + headers(&entry.sent)
                    + headers(&entry.received)
                    + redirects
            }
        }
    }
}
