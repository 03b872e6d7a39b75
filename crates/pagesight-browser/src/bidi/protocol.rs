//! The messages of WebDriver BiDi that we read, with the fields that we use. The commands that we
//! send are built where they are sent.

use serde::Deserialize;

use super::remote_value::RemoteValue;
use crate::engine::page_script::first_line;
use crate::error::{BrowserError, Result};

/// `session.new`.
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

/// `browsingContext.contextCreated`, `browsingContext.contextDestroyed`, `browsingContext.create`.
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

/// `browsingContext.navigate`.
#[derive(Deserialize)]
pub(crate) struct Navigated {
    pub(crate) navigation: Option<String>,
}

/// `browsingContext.userPromptOpened`.
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

/// `script.realmCreated`, `script.realmDestroyed`.
#[derive(Deserialize)]
pub(crate) struct RealmInfo {
    pub(crate) realm: String,
    pub(crate) context: Option<String>,
    pub(crate) sandbox: Option<String>,
}

/// `script.evaluate`.
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
}

#[derive(Deserialize)]
pub(crate) struct Response {
    pub(crate) url: String,
    pub(crate) status: u16,
    #[serde(default)]
    pub(crate) headers: Vec<Header>,
}

#[derive(Deserialize)]
pub(crate) struct Header {
    pub(crate) name: String,
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

/// `log.entryAdded`.
#[derive(Deserialize)]
pub(crate) struct LogEntry {
    pub(crate) level: String,
    pub(crate) text: Option<String>,
    pub(crate) source: LogSource,
}

#[derive(Deserialize)]
pub(crate) struct LogSource {
    pub(crate) context: Option<String>,
}
