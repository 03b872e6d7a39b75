//! Watches a page: waits until something happens that may change it. It costs nothing meanwhile: it
//! uses the tab's events and one pending call to the page script. A fingerprint shows what changed.

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

/// How long one question waits for news in the page, and how much later its answer may come.
const QUESTION: Duration = Duration::from_secs(60);
const ANSWER: Duration = Duration::from_secs(5);
/// How long another document may take to come to rest.
const ARRIVAL_LIMIT: Duration = Duration::from_secs(10);

/// What happened on a page that is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stir {
    /// The document changed, or something was loaded that may change it.
    Changed,
    /// Another document is there: a reload, or another address.
    Replaced,
    /// Another document was asked for and did not come; why, in the browser's words.
    Unreachable(String),
}

/// Where a tab stood when it was last heard of.
pub struct Watcher {
    tab: Arc<TabRecord>,
    begun: u64,
    committed: u64,
    /// How many events were taken note of.
    heard: u64,
}

impl Session {
    /// Watches a tab from now on.
    pub fn watch(&self, tab: &Arc<TabRecord>) -> Watcher {
        let heard = *tab.facts.subscribe().borrow();
        let facts = tab.facts.now();
        Watcher { tab: tab.clone(), begun: facts.begun, committed: facts.committed, heard }
    }

    /// Waits until a document that has just come is at rest.
    pub async fn arrived(&self, tab: &Arc<TabRecord>) -> Result<Stopped> {
        let _turn = tab.turn().await?;
        let mark = Mark::now(tab, &self.shared);
        at_rest(tab, &mark, Instant::now() + ARRIVAL_LIMIT).await
    }

    /// Whether another document came, or is on its way, since the watcher last reported: what was
    /// found meanwhile may be of either.
    pub fn has_left(&self, watcher: &Watcher) -> bool {
        let facts = watcher.tab.facts.now();
        facts.navigating || facts.begun > watcher.begun || facts.committed > watcher.committed
    }

    /// Waits until something happens that was not reported yet, also before this call. A tab that
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
                    // It hangs, or another document is on its way: an event tells.
                    Err(_) => tab.facts.wait_past(heard, Instant::now() + EXPLAINED).await,
                },
            }
        }
    }
}

impl Watcher {
    /// What became of the document since it was last asked.
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
