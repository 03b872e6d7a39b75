//! The events of a tab, as they are written to an exchange file.

use std::path::PathBuf;

use pagesight_browser::{Download, DownloadLimit, DownloadState, RequestKind, TabEvent};
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
    },
    RequestFinished {
        id: String,
        status: Option<u16>,
    },
    RequestFailed {
        id: String,
        reason: String,
        cancelled: bool,
    },
    ConsoleError {
        text: String,
    },
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
