//! What a tab reports while it loads, runs and closes, as plain data without any protocol.

/// What happens in a tab. The session keeps the few facts it needs of it.
#[derive(Clone, Debug, PartialEq)]
pub enum TabEvent {
    /// The top frame asked for or began a navigation (not yet committed).
    NavigationStarted,
    /// The top frame shows another document now.
    Committed {
        /// The address of the new document.
        url: String,
        /// The document came back out of the back/forward cache, with its script world alive.
        restored: bool,
    },
    /// The address changed without a new document (`pushState`, a fragment).
    SameDocument {
        /// The new address.
        url: String,
    },
    /// The top document's DOM is complete.
    DomReady,
    /// The top document's `load` event fired.
    Loaded,
    /// The top document's answer arrived.
    Answered {
        /// The HTTP status.
        status: u16,
        /// The address that answered, after redirects.
        url: String,
    },
    /// The navigation of the top frame ended without a document.
    NavigationFailed {
        /// The engine's reason, such as `net::ERR_CONNECTION_REFUSED`.
        reason: String,
        /// It was given up rather than failed: a download, an answer without content, stopped by
        /// the page.
        aborted: bool,
    },
    /// The top frame shows the engine's own page about a failed load.
    ErrorPage,
    /// A request began.
    RequestStarted {
        /// The engine's id of the request.
        id: String,
        /// What the request is for.
        kind: RequestKind,
        /// HTTP method.
        method: String,
        /// The address asked for.
        url: String,
        /// Whether a frame inside the page asked for it, rather than the top document.
        framed: bool,
    },
    /// A request ended, with its status if there was an answer.
    RequestFinished {
        /// The engine's id of the request.
        id: String,
        /// The HTTP status, if one came.
        status: Option<u16>,
    },
    /// A request failed before an answer came or was cancelled.
    RequestFailed {
        /// The engine's id of the request.
        id: String,
        /// The engine's reason.
        reason: String,
        /// Whether it was cancelled rather than failed.
        cancelled: bool,
    },
    /// `console.error`, or an exception nobody caught.
    ConsoleError {
        /// What was said.
        text: String,
    },
    /// A JavaScript dialog opened; the page is stopped until it is answered.
    DialogOpened {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        kind: String,
        /// Its text.
        message: String,
    },
    /// The dialog is gone.
    DialogClosed,
    /// A download began, went on or ended.
    Download(Download),
    /// The page opened another window or tab, which will be reported by the browser.
    WindowOpened,
    /// The tab's process died.
    Crashed,
    /// The tab is gone.
    Closed,
}

/// A download and how far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// The engine's id of it.
    pub id: String,
    /// The name that the server or the page gave it.
    pub name: String,
    /// How far it is.
    pub state: DownloadState,
}

/// How far a download is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DownloadState {
    /// Under way.
    Running {
        /// Bytes that have come.
        received: u64,
        /// How many there will be, if that is known.
        total: Option<u64>,
    },
    /// All of it came.
    Done {
        /// How many bytes it has, if that is known.
        size: Option<u64>,
        /// Where it lies; none in a browser of the user's, which keeps it where it likes.
        path: Option<std::path::PathBuf>,
    },
    /// It was cancelled or failed.
    Stopped,
}

/// What a request is for, as far as waiting cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// A document, of the top frame or of another.
    Document,
    /// A script.
    Script,
    /// A style sheet.
    Style,
    /// `fetch` or `XMLHttpRequest`.
    Fetch,
    /// An image.
    Image,
    /// A font.
    Font,
    /// Anything that does not end by itself or that nobody waits for: sockets, event streams,
    /// beacons, media.
    Other,
}
