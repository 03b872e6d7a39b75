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
use crate::engine::launch::{OwnBrowser, private_folder};
use crate::options::NameFilter;
use crate::sync::lock;
use crate::wire::connection::Connection;

/// The downloads under way.
#[derive(Default)]
pub(super) struct DownloadTracker {
    /// Where the browser's own context saves them.
    default: DownloadPlace,
    /// Where the contexts that we created save them.
    contexts: Mutex<HashMap<String, DownloadPlace>>,
    running: Mutex<HashMap<String, RunningDownload>>,
}

/// Where the pages of a context save files.
#[derive(Clone, Default)]
struct DownloadPlace {
    /// The folder, if we started the browser.
    folder: Option<PathBuf>,
    names: NameFilter,
    budget: Arc<DownloadBudget>,
}

struct RunningDownload {
    name: String,
    /// The tabs that report it: the one it began in, and the one that opened that tab.
    tabs: Vec<Arc<ChromiumTabState>>,
    place: DownloadPlace,
    /// Why it was cancelled.
    exceeds: Option<DownloadLimit>,
}

impl DownloadTracker {
    /// Tracks the downloads of a browser, which we started if `own` is given.
    pub(super) fn new(own: Option<&OwnBrowser>) -> DownloadTracker {
        let default = DownloadPlace {
            folder: own.map(|own| own.downloads.clone()),
            names: own.map(|own| own.download_names.clone()).unwrap_or_default(),
            ..DownloadPlace::default()
        };
        DownloadTracker { default, ..DownloadTracker::default() }
    }

    /// Makes the folder of a context, and returns it.
    pub(super) fn add_context(&self, context: &str) -> PathBuf {
        let folder = self.default.folder.clone().unwrap_or_default().join(context);
        if let Err(error) = private_folder(&folder) {
            tracing::warn!(%error, "while creating the folder of a context's downloads");
        }
        let names = self.default.names.clone();
        let place =
            DownloadPlace { folder: Some(folder.clone()), names, ..DownloadPlace::default() };
        lock(&self.contexts).insert(context.to_owned(), place);
        folder
    }

    /// Removes the folder of a context with its files.
    pub(super) fn remove_context(&self, context: &str) {
        let place = lock(&self.contexts).remove(context);
        if let Some(folder) = place.and_then(|place| place.folder) {
            let _ = std::fs::remove_dir_all(folder);
        }
    }

    /// Returns where the context of a tab saves files.
    fn place_of(&self, tab: Option<&Arc<ChromiumTabState>>) -> DownloadPlace {
        let context = tab.and_then(|tab| tab.context.as_ref());
        let place = context.and_then(|context| lock(&self.contexts).get(context).cloned());
        place.unwrap_or_else(|| self.default.clone())
    }

    /// Reports to these tabs that a download began.
    pub(super) fn begun(&self, begun: DownloadWillBegin, tabs: Vec<Arc<ChromiumTabState>>) {
        let state = DownloadState::Running { received: 0, total: None };
        let place = self.place_of(tabs.first());
        let running =
            RunningDownload { name: begun.suggested_filename, tabs, place, exceeds: None };
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
                if running.place.folder.is_some() && running.exceeds.is_none() {
                    running.exceeds = running.place.budget.running(guid, received.max(total));
                    if running.exceeds.is_some() {
                        let params = json!({"guid": guid});
                        drop(connection.begin(None, "Browser.cancelDownload", params));
                    }
                }
            }
            return;
        }
        let Some(running) = lock(&self.running).remove(guid) else { return };
        let state = running.ended(guid, progress.state == "completed", received);
        running.report(guid, state);
    }
}

impl RunningDownload {
    /// Returns how it ended, and names or removes its file.
    fn ended(&self, guid: &str, completed: bool, size: u64) -> DownloadState {
        let DownloadPlace { folder, names, budget } = &self.place;
        let Some(folder) = folder else {
            return match completed {
                true => DownloadState::Done { size: Some(size), path: None },
                false => DownloadState::Stopped,
            };
        };
        let saved = folder.join(guid);
        if !completed {
            budget.stopped(guid);
            return self.exceeds.map_or(DownloadState::Stopped, DownloadState::TooLarge);
        }
        // A short download ends before it reports its progress.
        match budget.saved(guid, size) {
            Some(limit) => {
                let _ = std::fs::remove_file(saved);
                DownloadState::TooLarge(limit)
            }
            None => {
                let path = Some(settle(&saved, &names.apply(&self.name)));
                DownloadState::Done { size: Some(size), path }
            }
        }
    }

    fn report(&self, guid: &str, state: DownloadState) {
        let download = Download { id: guid.to_owned(), name: self.name.clone(), state };
        for tab in &self.tabs {
            tab.report(TabEvent::Download(download.clone()));
        }
    }
}
