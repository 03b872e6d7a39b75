//! Watches a page: waits until something happens that may change it. This costs nothing while
//! nothing happens: it uses the tab's events and one pending call to the page script. A fingerprint
//! shows what changed.

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::BrowserError;
use tokio::time::Instant;

use crate::error::Result;
use crate::session::Session;
use crate::tab::record::TabRecord;
use crate::tab::state::TabState;
use crate::wait::news::{EXPLAINED, PendingNews};
use crate::wait::quiescence::record_news;
use crate::wait::settle::{Checkpoint, WaitOutcome, after_arrival};

/// How long one call waits for news in the page, and how much later its answer may come.
const NEWS_PATIENCE: Duration = Duration::from_secs(60);
const ANSWER: Duration = Duration::from_secs(5);
/// How long a new document may take to become quiet.
const ARRIVAL_LIMIT: Duration = Duration::from_secs(10);

/// An event on a watched page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageEvent {
    /// The document changed, or something was loaded that may change it.
    Changed,
    /// There is a different document, after a reload or a navigation.
    Replaced,
    /// A navigation failed; the reason, in the browser's words.
    Unreachable(String),
}

/// The state of a tab when its last event was reported.
pub struct Watcher {
    tab: Arc<TabRecord>,
    begun: u64,
    committed: u64,
    /// How many events were recorded.
    heard: u64,
}

impl Session {
    /// Starts to watch a tab.
    pub fn watch(&self, tab: &Arc<TabRecord>) -> Watcher {
        let heard = *tab.state.subscribe().borrow();
        let state = tab.state.now();
        Watcher { tab: tab.clone(), begun: state.begun, committed: state.committed, heard }
    }

    /// Waits until a new document is quiet.
    pub async fn arrived(&self, tab: &Arc<TabRecord>) -> Result<WaitOutcome> {
        let _turn = tab.turn().await?;
        let checkpoint = Checkpoint::now(tab, &self.shared);
        after_arrival(tab, &checkpoint, Instant::now() + ARRIVAL_LIMIT).await
    }

    /// Whether the document changed, or is about to, since the watcher last reported. Results from
    /// that time may belong to either document.
    pub fn has_left(&self, watcher: &Watcher) -> bool {
        let state = watcher.tab.state.now();
        state.navigating || state.begun > watcher.begun || state.committed > watcher.committed
    }

    /// Waits until something happens that was not reported yet, even before this call. A tab that
    /// cannot answer (a dialog, a crash) is an error.
    pub async fn next_page_event(&self, watcher: &mut Watcher) -> Result<PageEvent> {
        let tab = watcher.tab.clone();
        let mut events = tab.state.subscribe();
        let mut news = PendingNews::unpark(&tab);
        loop {
            self.check_tab(&tab)?;
            let heard = *events.borrow_and_update();
            if !tab.state.now().navigating {
                if let Some(event) = watcher.page_event(&tab.state.now()) {
                    watcher.heard = heard;
                    return Ok(event);
                }
                if heard > watcher.heard {
                    watcher.heard = heard;
                    return Ok(PageEvent::Changed);
                }
            }
            if !news.is_open() {
                news.ask(NEWS_PATIENCE, false, NEWS_PATIENCE + ANSWER);
            }
            tokio::select! {
                _ = events.changed() => {}
                answer = news.answer() => match answer {
                    Ok(answer) => {
                        if record_news(&tab, answer, false) {
                            return Ok(PageEvent::Changed);
                        }
                    }
                    Err(error @ (BrowserError::Disconnected | BrowserError::TabClosed | BrowserError::TabCrashed)) => {
                        return Err(error.into());
                    }
                    // The page hangs, or a different document is loading: an event will say which.
                    Err(_) => tab.state.wait_past(heard, Instant::now() + EXPLAINED).await,
                },
            }
        }
    }
}

impl Watcher {
    /// Returns what happened to the document since the last call.
    fn page_event(&mut self, state: &TabState) -> Option<PageEvent> {
        let (begun, committed) = (state.begun > self.begun, state.committed > self.committed);
        if !begun && !committed {
            return None;
        }
        (self.begun, self.committed) = (state.begun, state.committed);
        match &state.failed {
            Some(failure) if !failure.aborted => {
                Some(PageEvent::Unreachable(failure.reason.clone()))
            }
            _ => committed.then_some(PageEvent::Replaced),
        }
    }
}
