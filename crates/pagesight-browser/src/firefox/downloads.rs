//! Limits the downloads of a Firefox that we started. WebDriver BiDi reports no progress and cannot
//! cancel a download, so the files are watched while one runs.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::tabs::FirefoxTabs;
use crate::api::events::DownloadLimit;

/// How often the files are looked at.
const INTERVAL: Duration = Duration::from_millis(250);
/// A download whose end is not reported is not watched for longer than this.
const LONGEST: Duration = Duration::from_secs(3600);

/// Watches the files until no download runs any more.
pub(super) fn begun(tabs: &Arc<FirefoxTabs>) {
    if tabs.downloads_running.fetch_add(1, Ordering::SeqCst) > 0 {
        return;
    }
    tabs.emptied.clear();
    let tabs = Arc::downgrade(tabs);
    tokio::spawn(async move {
        for _ in 0..LONGEST.as_millis() / INTERVAL.as_millis() {
            tokio::time::sleep(INTERVAL).await;
            let Some(tabs) = tabs.upgrade() else { return };
            let Some(own) = &tabs.own else { return };
            let (largest, most) = (DownloadLimit::File.bytes(), DownloadLimit::Total.bytes());
            tabs.emptied.empty_too_large(&own.downloads, largest, most);
            if tabs.downloads_running.load(Ordering::SeqCst) == 0 {
                return;
            }
        }
    });
}

/// Notes that a download ended.
pub(super) fn ended(tabs: &FirefoxTabs) {
    let less = |running: u32| Some(running.saturating_sub(1));
    let _ = tabs.downloads_running.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
}
