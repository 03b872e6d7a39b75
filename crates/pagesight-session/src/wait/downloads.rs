//! Waits for the downloads of a tab, so that the answer of the call that began them can report
//! them.

use std::time::{Duration, Instant};

use crate::session::Session;
use crate::tab::record::TabRecord;

/// How long a download that an action began is waited for.
const WAIT: Duration = Duration::from_secs(5);
/// How long it may take until a navigation that came to nothing turns out to be a download.
const APPEARS: Duration = Duration::from_millis(300);

impl Session {
    /// What is to be told of a tab's downloads; one that began just now is waited for, 5 s at most.
    /// `expected`: a navigation came to nothing, which may be because of one.
    pub async fn tell_downloads(&self, tab: &TabRecord, expected: bool) -> Vec<String> {
        if expected {
            let soon = Instant::now() + APPEARS;
            tab.facts.wait(soon, |facts| facts.downloads.has_news().then_some(())).await;
        }
        tab.facts
            .wait(Instant::now() + WAIT, |facts| (!facts.downloads.awaited()).then_some(()))
            .await;
        tab.facts.now().downloads.tell()
    }
}
