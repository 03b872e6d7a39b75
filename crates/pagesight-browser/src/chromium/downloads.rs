//! Downloads in Chromium. A browser that we started saves them in a folder that we chose; in the
//! user's own browser they are only reported.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::protocol::{DownloadProgress, DownloadWillBegin};
use super::state::ChromiumTabState;
use crate::api::events::{Download, DownloadLimit, DownloadState, TabEvent};
use crate::downloads::{DownloadBudget, settle};
use crate::sync::lock;
use crate::wire::connection::Connection;

/// The downloads under way.
#[derive(Default)]
pub(super) struct DownloadTracker {
    /// The folder that they are saved in, if we started the browser.
    folder: Option<PathBuf>,
    running: Mutex<HashMap<String, RunningDownload>>,
    budget: DownloadBudget,
}

struct RunningDownload {
    name: String,
    /// The tabs that report it: the one it began in, and the one that opened that tab.
    tabs: Vec<Arc<ChromiumTabState>>,
    /// Why it was cancelled.
    exceeds: Option<DownloadLimit>,
}

impl DownloadTracker {
    pub(super) fn new(folder: Option<PathBuf>) -> DownloadTracker {
        DownloadTracker { folder, ..DownloadTracker::default() }
    }

    /// Reports to these tabs that a download began.
    pub(super) fn begun(&self, begun: DownloadWillBegin, tabs: Vec<Arc<ChromiumTabState>>) {
        let state = DownloadState::Running { received: 0, total: None };
        let running = RunningDownload { name: begun.suggested_filename, tabs, exceeds: None };
        running.report(&begun.guid, state);
        lock(&self.running).insert(begun.guid, running);
    }

    /// Reports the progress of a download.
    pub(super) fn progress(&self, connection: &Connection, progress: &DownloadProgress) {
        let (received, total) = (progress.received_bytes as u64, progress.total_bytes as u64);
        let guid = &progress.guid;
        if progress.state == "inProgress" {
            if let Some(running) = lock(&self.running).get_mut(guid) {
                let known = Some(total).filter(|total| *total > 0);
                running.report(guid, DownloadState::Running { received, total: known });
                if self.folder.is_some() && running.exceeds.is_none() {
                    running.exceeds = self.budget.running(guid, received.max(total));
                    if running.exceeds.is_some() {
                        let params = json!({"guid": guid});
                        drop(connection.begin(None, "Browser.cancelDownload", params));
                    }
                }
            }
            return;
        }
        let Some(running) = lock(&self.running).remove(guid) else { return };
        let state = self.ended(guid, &running, progress.state == "completed", received);
        running.report(guid, state);
    }

    /// Returns how a download ended, and names or removes its file.
    fn ended(
        &self,
        guid: &str,
        running: &RunningDownload,
        completed: bool,
        size: u64,
    ) -> DownloadState {
        let Some(folder) = &self.folder else {
            return match completed {
                true => DownloadState::Done { size: Some(size), path: None },
                false => DownloadState::Stopped,
            };
        };
        let saved = folder.join(guid);
        if !completed {
            self.budget.stopped(guid);
            return running.exceeds.map_or(DownloadState::Stopped, DownloadState::TooLarge);
        }
        // A short download ends before it reports its progress.
        match self.budget.saved(guid, size) {
            Some(limit) => {
                let _ = std::fs::remove_file(saved);
                DownloadState::TooLarge(limit)
            }
            None => {
                let path = Some(settle(&saved, &running.name));
                DownloadState::Done { size: Some(size), path }
            }
        }
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
