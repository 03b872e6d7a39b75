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
use crate::tab::state::TabFacts;
use crate::wait::news::{EXPLAINED, Question};
use crate::wait::quiescence::take;
use crate::wait::settle::{Mark, Stopped, at_rest};

/// How long one call waits for news in the page, and how much later its answer may come.
const QUESTION: Duration = Duration::from_secs(60);
const ANSWER: Duration = Duration::from_secs(5);
/// How long a new document may take to become quiet.
const ARRIVAL_LIMIT: Duration = Duration::from_secs(10);

/// What happened on a watched page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stir {
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
        let heard = *tab.facts.subscribe().borrow();
        let facts = tab.facts.now();
        Watcher { tab: tab.clone(), begun: facts.begun, committed: facts.committed, heard }
    }

    /// Waits until a new document is quiet.
    pub async fn arrived(&self, tab: &Arc<TabRecord>) -> Result<Stopped> {
        let _turn = tab.turn().await?;
        let mark = Mark::now(tab, &self.shared);
        at_rest(tab, &mark, Instant::now() + ARRIVAL_LIMIT).await
    }

    /// Whether the document changed, or is about to, since the watcher last reported. Results from
    /// that time may belong to either document.
    pub fn has_left(&self, watcher: &Watcher) -> bool {
        let facts = watcher.tab.facts.now();
        facts.navigating || facts.begun > watcher.begun || facts.committed > watcher.committed
    }

    /// Waits until something happens that was not reported yet, even before this call. A tab that
    /// cannot answer (a dialog, a crash) is an error.
    pub async fn stirred(&self, watcher: &mut Watcher) -> Result<Stir> {
        let tab = watcher.tab.clone();
        let mut events = tab.facts.subscribe();
        let mut question = Question::left(&tab);
        loop {
            self.check_tab(&tab)?;
            let heard = *events.borrow_and_update();
            if !tab.facts.now().navigating {
                if let Some(stir) = watcher.stir(&tab.facts.now()) {
                    watcher.heard = heard;
                    return Ok(stir);
                }
                if heard > watcher.heard {
                    watcher.heard = heard;
                    return Ok(Stir::Changed);
                }
            }
            if !question.is_open() {
                question.ask(QUESTION, false, QUESTION + ANSWER);
            }
            tokio::select! {
                _ = events.changed() => {}
                answer = question.answer() => match answer {
                    Ok(answer) => {
                        if take(&tab, answer, false) {
                            return Ok(Stir::Changed);
                        }
                    }
                    Err(error @ (BrowserError::Disconnected | BrowserError::TabClosed | BrowserError::TabCrashed)) => {
                        return Err(error.into());
                    }
                    // The page hangs, or a different document is loading: an event will say which.
                    Err(_) => tab.facts.wait_past(heard, Instant::now() + EXPLAINED).await,
                },
            }
        }
    }
}

impl Watcher {
    /// Returns what happened to the document since the last call.
    fn stir(&mut self, facts: &TabFacts) -> Option<Stir> {
        let (begun, committed) = (facts.begun > self.begun, facts.committed > self.committed);
        if !begun && !committed {
            return None;
        }
        (self.begun, self.committed) = (facts.begun, facts.committed);
        match &facts.failed {
            Some(failure) if !failure.aborted => Some(Stir::Unreachable(failure.reason.clone())),
            _ => committed.then_some(Stir::Replaced),
        }
    }
}
