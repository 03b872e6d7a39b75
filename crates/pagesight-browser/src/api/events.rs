//! The events that a tab reports, as plain data that does not depend on a protocol.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::log::{ConsoleMessage, ResponseHead, ScriptFrame};

/// An event of a tab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TabEvent {
    /// The top frame requested or began a navigation, which is not committed yet.
    NavigationStarted,
    /// The top frame shows a different document now.
    Committed {
        /// The address of the new document.
        url: String,
        /// The document came out of the back/forward cache, with its script world alive.
        restored: bool,
    },
    /// The address changed without a new document (`pushState`, a fragment).
    SameDocument {
        /// The address that the tab shows now.
        url: String,
    },
    /// The top document's DOM is complete.
    DomReady,
    /// The top document's `load` event fired.
    Loaded,
    /// The response for the top document arrived.
    Answered {
        /// The status of the response, such as 404.
        status: u16,
        /// The address that responded, after redirects.
        url: String,
        /// Whether its headers let the browser load the page again, or a different one, later.
        #[serde(default)]
        refreshes: bool,
    },
    /// The navigation of the top frame ended without a document.
    NavigationFailed {
        /// The engine's reason, such as `net::ERR_CONNECTION_REFUSED`.
        reason: String,
        /// Whether it was cancelled rather than failed: a download, a response without content, a
        /// stop by the page.
        aborted: bool,
    },
    /// The top frame shows the engine's error page for a failed load.
    ErrorPage,
    /// A request began.
    RequestStarted {
        /// The engine's id of the request.
        id: String,
        /// The type of the resource.
        kind: RequestKind,
        /// The HTTP method, such as `POST`.
        method: String,
        /// The address of the request.
        url: String,
        /// Whether a frame inside the page sent it, rather than the top document.
        framed: bool,
        /// Whether its accept header asks for a stream, which does not end.
        #[serde(default)]
        streams: bool,
        /// The calls that sent it, the innermost first.
        #[serde(default)]
        initiator: Vec<ScriptFrame>,
    },
    /// The headers of a request are known, or known better.
    RequestHeaders {
        /// The engine's id of the request.
        id: String,
        /// Names and values of the headers, in the order of the engine.
        #[serde(default)]
        headers: Vec<(String, String)>,
    },
    /// A request continues at a different address.
    Redirected {
        /// The engine's id of the request.
        id: String,
        /// The HTTP status that redirected.
        status: u16,
        /// The address that the tab shows now.
        url: String,
    },
    /// The head of a response arrived.
    Responded {
        /// The engine's id of the request.
        id: String,
        /// Status and headers of the response.
        #[serde(default)]
        head: Box<ResponseHead>,
    },
    /// How far the body of a response has come, if that is news. Only Chromium reports it, and only
    /// for `fetch` and `XMLHttpRequest`.
    BodyProgressed {
        /// The engine's id of the request.
        id: String,
        /// How much of it arrived.
        progress: BodyProgress,
    },
    /// A request ended.
    RequestFinished {
        /// The engine's id of the request.
        id: String,
        /// The HTTP status, if there was a response.
        status: Option<u16>,
        /// The length of the response in bytes, as it was sent.
        size: Option<u64>,
        /// From its start to its end.
        duration: Option<Duration>,
    },
    /// A request failed before a response came, or was cancelled.
    RequestFailed {
        /// The engine's id of the request.
        id: String,
        /// The engine's own name of the error.
        reason: String,
        /// Whether it was cancelled rather than failed.
        cancelled: bool,
    },
    /// The requests of the tab are not reported any more, also those that are pending: there are
    /// too many of them.
    RequestsUnwatched {
        /// How many began per second; `None` if a different tab is the reason.
        per_second: Option<u32>,
    },
    /// The requests of the tab are reported again, and none is pending that is not known.
    RequestsWatched,
    /// A message of the console, or an uncaught exception.
    Console(ConsoleMessage),
    /// A JavaScript dialog opened; the page is blocked until it is answered.
    DialogOpened {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        kind: String,
        /// The text that the page shows in it.
        message: String,
    },
    /// The dialog closed.
    DialogClosed,
    /// A download began, progressed or ended.
    Download(Download),
    /// The page opened a new window or tab, which the browser reports separately.
    WindowOpened,
    /// The tab's process crashed.
    Crashed,
    /// The tab closed.
    Closed,
}

/// A download and its progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Download {
    /// The engine's id of the download.
    pub id: String,
    /// The file name from the server or the page.
    pub name: String,
    /// How far it has come.
    pub state: DownloadState,
}

/// The progress of a download.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DownloadState {
    /// It is running.
    Running {
        /// Bytes received so far.
        received: u64,
        /// The total number of bytes, if known.
        total: Option<u64>,
    },
    /// It is complete.
    Done {
        /// Its size in bytes, if known.
        size: Option<u64>,
        /// Its path; `None` in the user's own browser, which saves it in its own folder.
        path: Option<std::path::PathBuf>,
    },
    /// It was cancelled or failed.
    Stopped,
    /// It was cancelled, and its file removed, because it exceeds a limit.
    TooLarge(DownloadLimit),
}

/// A limit for downloads in a browser that we started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DownloadLimit {
    /// The size of one file.
    File,
    /// Of all files together.
    Total,
}

impl DownloadLimit {
    /// Returns the limit in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            DownloadLimit::File => 100 << 20,
            DownloadLimit::Total => 500 << 20,
        }
    }
}

/// The media types of answers that do not end.
const STREAMS: [&str; 5] = [
    "text/event-stream",
    "application/x-ndjson",
    "application/stream+json",
    "application/json-seq",
    "multipart/x-mixed-replace",
];

/// Returns whether the value of an accept header asks for a stream.
pub(crate) fn asks_for_stream(accept: &str) -> bool {
    let accept = accept.to_ascii_lowercase();
    STREAMS.iter().any(|stream| accept.contains(stream))
}

/// How far the body of a response has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyProgress {
    /// The headers arrived, and nothing of the body yet.
    Nothing,
    /// A part of it arrived.
    Part,
    /// All of it arrived. If the request does not end, nobody reads it.
    Whole,
}

/// The type of a requested resource, as far as waiting needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// A document, of any frame.
    Document,
    /// A script of the page.
    Script,
    /// A style sheet of the page.
    Style,
    /// `fetch` or `XMLHttpRequest`.
    Fetch,
    /// An image.
    Image,
    /// A font.
    Font,
    /// All other resources: requests that never end or that nothing waits for, such as sockets,
    /// event streams, beacons and media.
    Other,
}
