//! Downloads in Chromium. A browser that we started saves them in a folder that we chose; in the
//! user's own browser they are only reported.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::protocol::{DownloadProgress, DownloadWillBegin};
use super::state::ChromiumTabState;
use crate::api::events::{Download, DownloadState, TabEvent};
use crate::downloads::{LARGEST, settle};
use crate::sync::lock;
use crate::wire::connection::Connection;

/// The downloads under way.
#[derive(Default)]
pub(super) struct DownloadTracker {
    /// The folder that they are saved in, if we started the browser.
    folder: Option<PathBuf>,
    running: Mutex<HashMap<String, RunningDownload>>,
}

struct RunningDownload {
    name: String,
    /// The tabs that report it: the one it began in, and the one that opened that tab.
    tabs: Vec<Arc<ChromiumTabState>>,
}

impl DownloadTracker {
    pub(super) fn new(folder: Option<PathBuf>) -> DownloadTracker {
        DownloadTracker { folder, running: Mutex::default() }
    }

    /// Reports to these tabs that a download began.
    pub(super) fn begun(&self, begun: DownloadWillBegin, tabs: Vec<Arc<ChromiumTabState>>) {
        let state = DownloadState::Running { received: 0, total: None };
        let running = RunningDownload { name: begun.suggested_filename, tabs };
        running.report(&begun.guid, state);
        lock(&self.running).insert(begun.guid, running);
    }

    /// Reports the progress of a download.
    pub(super) fn progress(&self, connection: &Connection, progress: &DownloadProgress) {
        let (received, total) = (progress.received_bytes as u64, progress.total_bytes as u64);
        let guid = &progress.guid;
        if progress.state == "inProgress" {
            if let Some(running) = lock(&self.running).get(guid) {
                let total = Some(total).filter(|total| *total > 0);
                running.report(guid, DownloadState::Running { received, total });
            }
            if self.folder.is_some() && received.max(total) > LARGEST {
                drop(connection.begin(None, "Browser.cancelDownload", json!({"guid": guid})));
            }
            return;
        }
        let Some(running) = lock(&self.running).remove(guid) else { return };
        let state = match (progress.state.as_str(), &self.folder) {
            ("completed", folder) => {
                let path = folder.as_ref().map(|folder| settle(&folder.join(guid), &running.name));
                DownloadState::Done { size: Some(received), path }
            }
            _ => DownloadState::Stopped,
        };
        running.report(guid, state);
    }
}

impl RunningDownload {
    fn report(&self, guid: &str, state: DownloadState) {
        let download = Download { id: guid.to_owned(), name: self.name.clone(), state };
        for tab in &self.tabs {
            tab.report(TabEvent::Download(download.clone()));
        }
    }
}
