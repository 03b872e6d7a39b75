//! A pending `news` call to the page script, which answers when something changed. Only one is in
//! flight per tab. When a waiter is dropped, the call is parked on the tab: its answer may be under
//! way, and the page reports everything only once.

use std::sync::PoisonError;
use std::time::Duration;

use pagesight_browser::BrowserError;

use crate::page_script::{News, PendingNews, news};
use crate::tab::record::TabRecord;

/// How long the event that explains why a page does not answer may take to come.
pub(crate) const EXPLAINED: Duration = Duration::from_millis(500);

/// The question of somebody who listens to a tab.
pub(crate) struct Question<'t> {
    tab: &'t TabRecord,
    asked: Option<PendingNews>,
    /// The page may have heard it; then it has answered the one before.
    sent: bool,
    /// The one before, which is still open as long as no other was sent.
    before: Option<PendingNews>,
}

impl<'t> Question<'t> {
    /// A new one; nobody waits any more for the answer to what was left.
    pub(crate) fn new(tab: &'t TabRecord) -> Question<'t> {
        Question { tab, asked: None, sent: false, before: take(tab) }
    }

    /// The one that was left, if there is one.
    pub(crate) fn left(tab: &'t TabRecord) -> Question<'t> {
        Question { tab, asked: take(tab), sent: true, before: None }
    }

    /// Whether the page has still to answer, for all that is known.
    pub(crate) fn is_open(&self) -> bool {
        self.asked.is_some()
    }

    /// Asks, as soon as the answer is waited for. The page answers within `patience`, and the
    /// engine within `limit`.
    pub(crate) fn ask(&mut self, patience: Duration, fresh: bool, limit: Duration) {
        self.asked = Some(news(&self.tab.tab, patience.as_millis(), fresh, limit));
    }

    /// The answer; without a question there is none.
    pub(crate) async fn answer(&mut self) -> Result<News, BrowserError> {
        let answer = match &mut self.asked {
            Some(asked) => {
                self.sent = true;
                asked.await
            }
            None => std::future::pending().await,
        };
        self.asked = None;
        answer
    }
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        let open = if self.sent { self.asked.take() } else { self.before.take() };
        if let Some(open) = open {
            *self.tab.question.lock().unwrap_or_else(PoisonError::into_inner) = Some(open);
        }
    }
}

fn take(tab: &TabRecord) -> Option<PendingNews> {
    tab.question.lock().unwrap_or_else(PoisonError::into_inner).take()
}
