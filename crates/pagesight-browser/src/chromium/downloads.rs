//! Downloads of a Chromium: in a browser of ours they go to a folder of ours, in the user's they
//! are only told.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::json;

use super::state::TabState;
use crate::api::events::{Download, DownloadState, TabEvent};
use crate::downloads::{LARGEST, settle};
use crate::wire::connection::Connection;

/// The beginning of a download.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Begun {
    pub(super) frame_id: String,
    guid: String,
    #[serde(default)]
    suggested_filename: String,
}

/// How far a download is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Progress {
    guid: String,
    #[serde(default)]
    total_bytes: f64,
    #[serde(default)]
    received_bytes: f64,
    state: String,
}

/// The downloads under way.
pub(super) struct Downloads {
    /// Where they go in a browser of ours.
    folder: Option<PathBuf>,
    running: Mutex<HashMap<String, Running>>,
}

struct Running {
    name: String,
    /// The tabs that are told of it: the one it began in, and the one that opened that.
    tabs: Vec<Arc<TabState>>,
}

impl Downloads {
    pub(super) fn new(folder: Option<PathBuf>) -> Downloads {
        Downloads { folder, running: Mutex::default() }
    }

    /// A download began; it is told to these tabs.
    pub(super) fn begun(&self, begun: Begun, tabs: Vec<Arc<TabState>>) {
        let state = DownloadState::Running { received: 0, total: None };
        let running = Running { name: begun.suggested_filename, tabs };
        running.report(&begun.guid, state);
        self.lock().insert(begun.guid, running);
    }

    pub(super) fn progress(&self, connection: &Connection, progress: &Progress) {
        let (received, total) = (progress.received_bytes as u64, progress.total_bytes as u64);
        let guid = &progress.guid;
        if progress.state == "inProgress" {
            if let Some(running) = self.lock().get(guid) {
                let total = Some(total).filter(|total| *total > 0);
                running.report(guid, DownloadState::Running { received, total });
            }
            if self.folder.is_some() && received.max(total) > LARGEST {
                drop(connection.begin(None, "Browser.cancelDownload", json!({"guid": guid})));
            }
            return;
        }
        let Some(running) = self.lock().remove(guid) else { return };
        let state = match (progress.state.as_str(), &self.folder) {
            ("completed", folder) => {
                let path = folder.as_ref().map(|folder| settle(&folder.join(guid), &running.name));
                DownloadState::Done { size: Some(received), path }
            }
            _ => DownloadState::Stopped,
        };
        running.report(guid, state);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Running {
    fn report(&self, guid: &str, state: DownloadState) {
        let download = Download { id: guid.to_owned(), name: self.name.clone(), state };
        for tab in &self.tabs {
            tab.report(TabEvent::Download(download.clone()));
        }
    }
}
