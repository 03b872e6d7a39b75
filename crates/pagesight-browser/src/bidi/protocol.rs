//! The messages of WebDriver BiDi that we read, with the fields that we use. The commands that we
//! send are built where they are sent.

use serde::Deserialize;

use super::remote_value::RemoteValue;
use crate::api::events::asks_for_stream;
use crate::engine::page_script::first_line;
use crate::error::{BrowserError, Result};

#[derive(Deserialize)]
pub(crate) struct Session {
    pub(crate) capabilities: Capabilities,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Capabilities {
    pub(crate) browser_version: String,
    /// Whether it shows no windows.
    #[serde(default, rename = "moz:headless")]
    pub(crate) headless: bool,
}

#[derive(Deserialize)]
pub(crate) struct Subscribed {
    /// Older browsers do not name it.
    pub(crate) subscription: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContextInfo {
    pub(crate) context: String,
    #[serde(default)]
    pub(crate) url: String,
    pub(crate) parent: Option<String>,
    pub(crate) original_opener: Option<String>,
    /// The window that it is in.
    pub(crate) client_window: Option<String>,
    /// The context, in the sense of this crate, that it is in.
    pub(crate) user_context: Option<String>,
}

/// The reply to `browser.createUserContext`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatedContext {
    pub(crate) user_context: String,
}

/// A navigation event of `browsingContext`. A navigation that waits for a `beforeunload` dialog has
/// no address yet.
#[derive(Deserialize)]
pub(crate) struct NavigationInfo {
    pub(crate) context: String,
    pub(crate) navigation: Option<String>,
    #[serde(default)]
    pub(crate) url: String,
}

/// `browsingContext.downloadWillBegin`, which has no status, and `browsingContext.downloadEnd`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DownloadInfo {
    pub(crate) context: String,
    pub(crate) navigation: Option<String>,
    pub(crate) download: Option<String>,
    #[serde(default)]
    pub(crate) url: String,
    pub(crate) suggested_filename: Option<String>,
    pub(crate) status: Option<String>,
    pub(crate) filepath: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Navigated {
    pub(crate) navigation: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromptOpened {
    pub(crate) context: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) message: String,
    /// The text that a prompt proposes.
    pub(crate) default_value: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct RealmInfo {
    pub(crate) realm: String,
    pub(crate) context: Option<String>,
    pub(crate) sandbox: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluated {
    pub(crate) result: Option<RemoteValue>,
    pub(crate) exception_details: Option<ExceptionDetails>,
}

impl Evaluated {
    /// Returns the value, or the exception as an error.
    pub(crate) fn value(self) -> Result<Option<RemoteValue>> {
        match self.exception_details {
            Some(thrown) => Err(BrowserError::Script(first_line(&thrown.text))),
            None => Ok(self.result),
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct ExceptionDetails {
    pub(crate) text: String,
}

/// `network.beforeRequestSent`, `network.responseStarted`, `network.responseCompleted`,
/// `network.fetchError`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Exchange {
    pub(crate) context: Option<String>,
    pub(crate) navigation: Option<String>,
    pub(crate) request: Request,
    pub(crate) response: Option<Response>,
    #[serde(default)]
    pub(crate) error_text: String,
    #[serde(default)]
    pub(crate) timestamp: f64,
    /// The request waits for our answer.
    #[serde(default)]
    pub(crate) is_blocked: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request {
    #[serde(rename = "request")]
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) method: String,
    pub(crate) destination: Option<String>,
    pub(crate) initiator_type: Option<String>,
    #[serde(default)]
    pub(crate) headers: Vec<Header>,
    pub(crate) timings: Option<RequestTimings>,
}

/// Times of a request in milliseconds; 0 if it did not happen.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestTimings {
    #[serde(default)]
    dns_start: f64,
    #[serde(default)]
    connect_start: f64,
    #[serde(default)]
    connect_end: f64,
    #[serde(default)]
    request_start: f64,
    #[serde(default)]
    response_start: f64,
}

impl RequestTimings {
    /// Returns how long connecting took.
    pub(crate) fn connect(&self) -> Option<f64> {
        let start = if self.dns_start > 0.0 { self.dns_start } else { self.connect_start };
        let time = self.connect_end - start;
        (self.connect_start > 0.0 && time > 0.0).then_some(time)
    }

    /// Returns how long the first byte took.
    pub(crate) fn wait(&self) -> Option<f64> {
        let time = self.response_start - self.request_start;
        (self.response_start > 0.0 && time >= 0.0).then_some(time)
    }
}

impl Request {
    /// Returns whether its accept header asks for a stream.
    pub(crate) fn streams(&self) -> bool {
        self.headers.iter().any(|header| {
            let value = header.value.as_ref().map(|value| value.value.as_str());
            header.name.eq_ignore_ascii_case("accept") && value.is_some_and(asks_for_stream)
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Response {
    pub(crate) url: String,
    pub(crate) status: u16,
    #[serde(default)]
    pub(crate) headers: Vec<Header>,
    #[serde(default)]
    pub(crate) mime_type: String,
    pub(crate) bytes_received: Option<u64>,
}

#[derive(Deserialize)]
pub(crate) struct Header {
    pub(crate) name: String,
    value: Option<BytesValue>,
}

/// Bytes: a text, or in base64.
#[derive(Deserialize)]
pub(crate) struct BytesValue {
    #[serde(rename = "type", default)]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) value: String,
}

#[derive(Deserialize)]
pub(crate) struct NetworkData {
    pub(crate) bytes: BytesValue,
}

/// How many headers, and how many characters of each, are kept.
const MOST_HEADERS: usize = 60;
const LONGEST_HEADER: usize = 1_000;

/// Returns headers as a list, within bounds.
pub(crate) fn header_list(headers: Vec<Header>) -> Vec<(String, String)> {
    let cut = |text: String| match text.char_indices().nth(LONGEST_HEADER) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    };
    let value = |value: Option<BytesValue>| value.map(|value| value.value).unwrap_or_default();
    let all = headers.into_iter().take(MOST_HEADERS);
    all.map(|header| (cut(header.name), cut(value(header.value)))).collect()
}

impl Response {
    /// Returns whether the browser will load the page again, or a different one, later.
    pub(crate) fn refreshes(&self) -> bool {
        self.headers.iter().any(|header| header.name.eq_ignore_ascii_case("refresh"))
    }

    /// Returns whether the same request continues at a different address.
    pub(crate) fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
            && self.headers.iter().any(|header| header.name.eq_ignore_ascii_case("location"))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogAdded {
    pub(crate) level: String,
    pub(crate) text: Option<String>,
    pub(crate) source: LogSource,
    /// The console's method, if it was a call.
    pub(crate) method: Option<String>,
    #[serde(default)]
    pub(crate) args: Vec<RemoteValue>,
    pub(crate) stack_trace: Option<StackTrace>,
}

/// The calls that led to something.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackTrace {
    #[serde(default)]
    pub(crate) call_frames: Vec<CallFrame>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallFrame {
    #[serde(default)]
    pub(crate) function_name: String,
    #[serde(default)]
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) line_number: i64,
    #[serde(default)]
    pub(crate) column_number: i64,
}

#[derive(Deserialize)]
pub(crate) struct LogSource {
    pub(crate) context: Option<String>,
}

/// A server or a proxy asks for a name and a password.
#[derive(Deserialize)]
pub(crate) struct AuthRequired {
    pub(crate) request: AuthRequest,
    pub(crate) response: AuthResponse,
}

#[derive(Deserialize)]
pub(crate) struct AuthRequest {
    #[serde(rename = "request")]
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) url: String,
}

#[derive(Deserialize)]
pub(crate) struct AuthResponse {
    #[serde(default)]
    pub(crate) status: u16,
}
