//! Waits for the downloads of a tab, so that the answer of the call that began them can report
//! them.

use std::time::Duration;
use tokio::time::Instant;

use crate::session::Session;
use crate::tab::record::TabRecord;

/// How long to wait for a download that an action started.
const WAIT: Duration = Duration::from_secs(5);
/// How long it may take until a navigation without a document turns out to be a download.
const APPEARS: Duration = Duration::from_millis(300);

impl Session {
    /// Returns the downloads of a tab that were not reported yet. Waits up to 5 s for a download
    /// that just started.
    pub async fn downloads(&self, tab: &TabRecord) -> Vec<String> {
        tab.state
            .wait(Instant::now() + WAIT, |state| (!state.downloads.awaited()).then_some(()))
            .await;
        tab.state.now().downloads.report()
    }

    /// Returns the downloads after a navigation that ended without a document. Waits first for a
    /// download that has yet to start.
    pub async fn expected_downloads(&self, tab: &TabRecord) -> Vec<String> {
        let soon = Instant::now() + APPEARS;
        tab.state.wait(soon, |state| state.downloads.has_news().then_some(())).await;
        self.downloads(tab).await
    }
}
