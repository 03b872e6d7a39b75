//! The shapes of WebDriver BiDi that we read, and only the fields we use. Commands are written
//! where they are sent.

use serde::Deserialize;

use super::remote::RemoteValue;

/// `session.new`.
#[derive(Deserialize)]
pub(super) struct Session {
    pub(super) capabilities: Capabilities,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Capabilities {
    pub(super) browser_version: String,
    /// It shows no windows.
    #[serde(default, rename = "moz:headless")]
    pub(super) headless: bool,
}

/// `browsingContext.contextCreated`, `browsingContext.contextDestroyed`, `browsingContext.create`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContextInfo {
    pub(super) context: String,
    #[serde(default)]
    pub(super) url: String,
    pub(super) parent: Option<String>,
    pub(super) original_opener: Option<String>,
    /// The window that it is in.
    pub(super) client_window: Option<String>,
}

/// What `browsingContext` reports of a navigation. One that waits for a `beforeunload` dialog has
/// no address yet.
#[derive(Deserialize)]
pub(super) struct NavigationInfo {
    pub(super) context: String,
    pub(super) navigation: Option<String>,
    #[serde(default)]
    pub(super) url: String,
}

/// `browsingContext.downloadWillBegin`, which has no status, and `browsingContext.downloadEnd`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DownloadInfo {
    pub(super) context: String,
    pub(super) navigation: Option<String>,
    pub(super) download: Option<String>,
    #[serde(default)]
    pub(super) url: String,
    pub(super) suggested_filename: Option<String>,
    pub(super) status: Option<String>,
    pub(super) filepath: Option<String>,
}

/// `browsingContext.navigate`.
#[derive(Deserialize)]
pub(super) struct Navigated {
    pub(super) navigation: Option<String>,
}

/// `browsingContext.userPromptOpened`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PromptOpened {
    pub(super) context: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) message: String,
    /// What a prompt proposes.
    pub(super) default_value: Option<String>,
}

/// `browsingContext.captureScreenshot`.
#[derive(Deserialize)]
pub(super) struct Screenshot {
    pub(super) data: String,
}

/// `script.realmCreated`, `script.realmDestroyed`.
#[derive(Deserialize)]
pub(super) struct RealmInfo {
    pub(super) realm: String,
    pub(super) context: Option<String>,
    pub(super) sandbox: Option<String>,
}

/// `script.evaluate`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evaluated {
    pub(super) result: Option<RemoteValue>,
    pub(super) exception_details: Option<ExceptionDetails>,
}

#[derive(Deserialize)]
pub(super) struct ExceptionDetails {
    pub(super) text: String,
}

/// `network.beforeRequestSent`, `network.responseStarted`, `network.responseCompleted`,
/// `network.fetchError`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Exchange {
    pub(super) context: Option<String>,
    pub(super) navigation: Option<String>,
    pub(super) request: Request,
    pub(super) response: Option<Response>,
    #[serde(default)]
    pub(super) error_text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request {
    #[serde(rename = "request")]
    pub(super) id: String,
    pub(super) url: String,
    pub(super) method: String,
    pub(super) destination: Option<String>,
    pub(super) initiator_type: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Response {
    pub(super) url: String,
    pub(super) status: u16,
    #[serde(default)]
    pub(super) headers: Vec<Header>,
}

#[derive(Deserialize)]
pub(super) struct Header {
    pub(super) name: String,
}

impl Response {
    /// Whether the same request goes on elsewhere.
    pub(super) fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
            && self.headers.iter().any(|header| header.name.eq_ignore_ascii_case("location"))
    }
}

/// `log.entryAdded`.
#[derive(Deserialize)]
pub(super) struct LogEntry {
    pub(super) level: String,
    pub(super) text: Option<String>,
    pub(super) source: LogSource,
}

#[derive(Deserialize)]
pub(super) struct LogSource {
    pub(super) context: Option<String>,
}

/// Longest text of a page's script that is passed on.
const TEXT_LIMIT: usize = 500;

/// The first line of a text, bounded in length.
pub(super) fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim_end();
    match line.char_indices().nth(TEXT_LIMIT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
