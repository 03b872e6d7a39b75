//! Limits the downloads of a Firefox that we started. WebDriver BiDi reports no progress and cannot
//! cancel a download, so the files are watched while one runs.

use std::sync::Arc;
use std::time::Duration;

use super::tabs::FirefoxTabs;
use crate::api::events::DownloadLimit;

/// How often the files are looked at.
const INTERVAL: Duration = Duration::from_millis(250);

/// Watches the files until none of them is written any more.
pub(super) fn begun(tabs: &Arc<FirefoxTabs>) {
    if !tabs.download_watch.begun() {
        return;
    }
    tabs.emptied.clear();
    let tabs = Arc::downgrade(tabs);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(INTERVAL).await;
            let Some(tabs) = tabs.upgrade() else { return };
            let Some(own) = &tabs.own else { return };
            let (largest, most) = (DownloadLimit::File.bytes(), DownloadLimit::Total.bytes());
            let now = tabs.emptied.empty_too_large(&own.downloads, largest, most);
            if !tabs.download_watch.looked(now) {
                return;
            }
        }
    });
}
