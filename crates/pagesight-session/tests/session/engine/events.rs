//! The events of a tab, as they are written to an exchange file.

use std::path::PathBuf;

use std::time::Duration;

use pagesight_browser::{
    ConsoleLevel, ConsoleMessage, Download, DownloadLimit, DownloadState, RequestKind,
    ResponseHead, ScriptFrame, TabEvent,
};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(remote = "TabEvent", rename_all = "snake_case")]
pub enum TabEventFormat {
    NavigationStarted,
    Committed {
        url: String,
        restored: bool,
    },
    SameDocument {
        url: String,
    },
    DomReady,
    Loaded,
    Answered {
        status: u16,
        url: String,
        #[serde(default)]
        refreshes: bool,
    },
    NavigationFailed {
        reason: String,
        aborted: bool,
    },
    ErrorPage,
    RequestStarted {
        id: String,
        #[serde(with = "RequestKindFormat")]
        kind: RequestKind,
        method: String,
        url: String,
        framed: bool,
        #[serde(default)]
        streams: bool,
        // Tests of the session do not need stacks and headers.
        #[serde(skip)]
        initiator: Vec<ScriptFrame>,
    },
    RequestHeaders {
        id: String,
        #[serde(skip)]
        headers: Vec<(String, String)>,
    },
    Redirected {
        id: String,
        status: u16,
        url: String,
    },
    Responded {
        id: String,
        #[serde(skip)]
        head: Box<ResponseHead>,
    },
    RequestFinished {
        id: String,
        status: Option<u16>,
        #[serde(default)]
        size: Option<u64>,
        #[serde(default)]
        duration: Option<Duration>,
    },
    RequestsUnwatched {
        per_second: Option<u32>,
    },
    RequestsWatched,
    RequestFailed {
        id: String,
        reason: String,
        cancelled: bool,
    },
    #[serde(alias = "console_error")]
    Console(#[serde(with = "ConsoleMessageFormat")] ConsoleMessage),
    DialogOpened {
        kind: String,
        message: String,
    },
    DialogClosed,
    Download(#[serde(with = "DownloadFormat")] Download),
    WindowOpened,
    Crashed,
    Closed,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ConsoleMessage")]
struct ConsoleMessageFormat {
    #[serde(default, with = "ConsoleLevelFormat")]
    level: ConsoleLevel,
    text: String,
    #[serde(skip)]
    stack: Vec<ScriptFrame>,
    #[serde(default)]
    about_request: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ConsoleLevel", rename_all = "snake_case")]
enum ConsoleLevelFormat {
    Debug,
    Log,
    Info,
    Warning,
    Error,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RequestKind", rename_all = "snake_case")]
enum RequestKindFormat {
    Document,
    Script,
    Style,
    Fetch,
    Image,
    Font,
    Other,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Download")]
struct DownloadFormat {
    id: String,
    name: String,
    #[serde(with = "DownloadStateFormat")]
    state: DownloadState,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DownloadState", rename_all = "snake_case")]
enum DownloadStateFormat {
    Running { received: u64, total: Option<u64> },
    Done { size: Option<u64>, path: Option<PathBuf> },
    Stopped,
    TooLarge(#[serde(with = "DownloadLimitFormat")] DownloadLimit),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DownloadLimit", rename_all = "snake_case")]
enum DownloadLimitFormat {
    File,
    Total,
}
