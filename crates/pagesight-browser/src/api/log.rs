//! Entries that a tab writes to its log: messages of the console, and the parts of requests that
//! only the log needs.

use serde::{Deserialize, Serialize};

/// A message of the console.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConsoleMessage {
    /// How serious it is.
    pub level: ConsoleLevel,
    /// Its text, with short forms of objects.
    pub text: String,
    /// The calls that led to it, the innermost first.
    pub stack: Vec<ScriptFrame>,
    /// The browser wrote it about a request, which is reported as well.
    pub about_request: bool,
}

/// The level of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsoleLevel {
    /// `console.debug`.
    Debug,
    /// `console.log`.
    Log,
    /// `console.info`.
    Info,
    /// A warning.
    Warning,
    /// An error, or an uncaught exception.
    #[default]
    Error,
}

/// A call in a script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptFrame {
    /// The address of the script or document.
    pub url: String,
    /// The line; the first is 1.
    pub line: u32,
    /// The column; the first is 1.
    pub column: u32,
    /// The function; empty if it has no name.
    pub function: String,
}

/// The head of a response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResponseHead {
    /// The status of the response, such as 404.
    pub status: u16,
    /// The media type, such as `text/html`.
    pub media_type: String,
    /// Names and values, in the order of the engine.
    pub headers: Vec<(String, String)>,
    /// Milliseconds until the connection was there; none for an open connection.
    pub connect: Option<f64>,
    /// Milliseconds from the request to the first byte of the response.
    pub wait: Option<f64>,
}

/// Which body of an exchange is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodySide {
    /// The body of the request.
    Request,
    /// The body of the response.
    Response,
}

/// The body of a request or of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyData {
    /// There is none, or the browser does not have it any more.
    Missing,
    /// A body that is valid UTF-8.
    Text(String),
    /// Not a text; its length in bytes.
    Binary(u64),
}

impl BodyData {
    /// Makes a body of bytes.
    pub(crate) fn of_bytes(bytes: Vec<u8>) -> BodyData {
        let length = bytes.len() as u64;
        match String::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => BodyData::Text(text),
            _ => BodyData::Binary(length),
        }
    }
}
