//! A pending `nextChange` call to the page script, which answers when something changed. Only one
//! is in flight per tab. When a waiter is dropped, the call is parked on the tab: its answer may be
//! under way, and the page reports everything only once.

use std::time::Duration;

use pagesight_browser::BrowserError;
use pagesight_browser::lock;

use crate::page_script::{News, NewsCall, next_change};
use crate::tab::record::TabRecord;

/// How long the event that explains a missing answer may take to arrive.
pub(crate) const EXPLAINED: Duration = Duration::from_millis(500);

/// A waiter's `nextChange` call.
pub(crate) struct PendingNews<'t> {
    tab: &'t TabRecord,
    asked: Option<NewsCall>,
    /// The call may have reached the page. If so, the page has answered the call before it.
    sent: bool,
    /// The call before, which is still pending until this one is sent.
    before: Option<NewsCall>,
}

impl<'t> PendingNews<'t> {
    /// Makes a new call. Nobody waits any more for the answer to the parked one.
    pub(crate) fn new(tab: &'t TabRecord) -> PendingNews<'t> {
        PendingNews { tab, asked: None, sent: false, before: parked(tab) }
    }

    /// Takes over the parked call, if there is one.
    pub(crate) fn unpark(tab: &'t TabRecord) -> PendingNews<'t> {
        PendingNews { tab, asked: parked(tab), sent: true, before: None }
    }

    /// Whether the call is pending, as far as is known.
    pub(crate) fn is_open(&self) -> bool {
        self.asked.is_some()
    }

    /// Prepares the call; it is sent when the answer is awaited. The page answers within
    /// `patience`, and the engine within `limit`.
    pub(crate) fn ask(&mut self, patience: Duration, fresh: bool, limit: Duration) {
        let document = self.tab.state.now().committed;
        self.asked = Some(next_change(&self.tab.tab, patience.as_millis(), fresh, document, limit));
    }

    /// Waits for the answer; for ever if no call was made.
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

impl Drop for PendingNews<'_> {
    fn drop(&mut self) {
        let open = if self.sent { self.asked.take() } else { self.before.take() };
        if let Some(open) = open {
            *lock(&self.tab.parked_news) = Some(open);
        }
    }
}

fn parked(tab: &TabRecord) -> Option<NewsCall> {
    lock(&tab.parked_news).take()
}
