//! What a session knows about a tab from its events: where it is, whether it loads, what went wrong, which dialog is open.
//! Events come in, waiters are woken; nothing here asks the browser.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use pagesight_browser::backend::{RequestKind, TabEvent};
use tokio::sync::watch;

use crate::downloads::Downloads;

/// How many console errors and failed requests are kept.
const TROUBLE_KEPT: usize = 50;
/// How many characters of each.
const TROUBLE_LENGTH: usize = 200;

/// The facts about one tab, shared between the task that reads its events and the calls that wait for them.
pub(crate) struct Facts {
    state: Mutex<TabFacts>,
    changed: watch::Sender<u64>,
}

/// Why a navigation ended without a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// In the engine's words.
    pub(crate) reason: String,
    /// It was given up rather than failed.
    pub(crate) aborted: bool,
}

/// A request that has not ended.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    /// What it is for.
    pub kind: RequestKind,
    /// `GET /api/orders`.
    pub label: String,
    /// When it began.
    pub since: Instant,
}

/// The facts themselves.
#[derive(Default)]
pub(crate) struct TabFacts {
    /// The address of the top document.
    pub url: String,
    /// The HTTP status of the top document.
    pub status: Option<u16>,
    /// How many navigations of the top frame began.
    pub begun: u64,
    /// How many documents were committed.
    pub committed: u64,
    /// How often the address changed without a new document.
    pub same_document: u64,
    /// Whether the present document fired `load`.
    pub loaded: bool,
    /// Whether a navigation is under way that is not committed.
    pub navigating: bool,
    /// The status of an answer whose document is not shown yet.
    answered: Option<u16>,
    /// Why the last navigation ended without a document.
    pub failed: Option<Failure>,
    /// The page did not answer in time, so its script may have to be ended before anything else can be done.
    pub(crate) hung: bool,
    /// The open JavaScript dialog: kind and text.
    pub dialog: Option<(String, String)>,
    /// The tab's process died.
    pub crashed: bool,
    /// The tab is gone.
    pub closed: bool,
    /// Downloads, the newest last.
    pub downloads: Downloads,
    /// Requests under way.
    pub pending: HashMap<String, Pending>,
    /// Console errors, the newest last.
    pub console_errors: Trouble,
    /// Failed requests, the newest last: `GET /api/orders 500`.
    pub failed_requests: Trouble,
}

/// Messages of one sort: the last few, and how many there were in all.
#[derive(Default)]
pub(crate) struct Trouble {
    /// How many there were.
    pub total: u64,
    recent: VecDeque<String>,
}

impl Trouble {
    fn add(&mut self, text: &str) {
        let text: String = text.lines().next().unwrap_or_default().chars().take(TROUBLE_LENGTH).collect();
        self.total += 1;
        self.recent.push_back(text);
        if self.recent.len() > TROUBLE_KEPT {
            self.recent.pop_front();
        }
    }

    /// Those that came after the first `known`, as far as they are kept.
    pub(crate) fn since(&self, known: u64) -> impl ExactSizeIterator<Item = &str> {
        let new = usize::try_from(self.total.saturating_sub(known)).unwrap_or(usize::MAX);
        let skip = self.recent.len().saturating_sub(new);
        self.recent.iter().skip(skip).map(String::as_str)
    }
}

impl Default for Facts {
    fn default() -> Self {
        Facts { state: Mutex::default(), changed: watch::Sender::new(0) }
    }
}

impl Facts {
    /// The facts as they are now. Never held across an await.
    pub(crate) fn now(&self) -> MutexGuard<'_, TabFacts> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of an event and wakes whoever waits.
    pub(crate) fn record(&self, event: TabEvent) {
        self.now().record(event);
        self.changed.send_modify(|version| *version += 1);
    }

    /// Waits until `condition` gives an answer, or until the deadline.
    pub(crate) async fn wait<T>(
        &self,
        deadline: Instant,
        mut condition: impl FnMut(&TabFacts) -> Option<T>,
    ) -> Option<T> {
        let mut changes = self.changed.subscribe();
        loop {
            if let Some(answer) = condition(&self.now()) {
                return Some(answer);
            }
            match tokio::time::timeout_at(deadline.into(), changes.changed()).await {
                Ok(Ok(())) => {}
                _ => return condition(&self.now()),
            }
        }
    }
}

impl TabFacts {
    fn record(&mut self, event: TabEvent) {
        match event {
            TabEvent::NavigationStarted => {
                self.begun += 1;
                self.navigating = true;
                self.failed = None;
                self.answered = None;
            }
            TabEvent::ErrorPage => {
                self.committed += 1;
                self.navigating = false;
                self.loaded = true;
                self.status = None;
            }
            TabEvent::Committed { url, restored } => {
                self.failed = None;
                self.hung = false;
                self.url = url;
                self.committed += 1;
                self.navigating = false;
                self.crashed = false;
                self.loaded = restored;
                // The answer belongs to the document that it brought.
                self.status = self.answered.take();
            }
            TabEvent::SameDocument { url } => {
                self.url = url;
                self.same_document += 1;
                self.navigating = false;
            }
            TabEvent::DomReady => {}
            TabEvent::Loaded => self.loaded = true,
            TabEvent::Answered { status, .. } => self.answered = Some(status),
            TabEvent::NavigationFailed { reason, aborted } => {
                self.failed = Some(Failure { reason, aborted });
                self.navigating = false;
                self.answered = None;
            }
            // Browsers ask for it by themselves; that a site has none is no fault of the page.
            TabEvent::RequestStarted { url, .. } if url.ends_with("/favicon.ico") => {}
            TabEvent::RequestStarted { id, kind, method, url } => {
                let label = format!("{method} {}", short_url(&url));
                self.pending.insert(id, Pending { kind, label, since: Instant::now() });
            }
            TabEvent::RequestFinished { id, status } => {
                if let Some(request) = self.pending.remove(&id)
                    && let Some(status) = status.filter(|status| *status >= 400)
                    && request.kind != RequestKind::Document
                {
                    self.failed_requests.add(&format!("{} {status}", request.label));
                }
            }
            TabEvent::RequestFailed { id, reason, cancelled } => {
                if let Some(request) = self.pending.remove(&id)
                    && !cancelled
                {
                    self.failed_requests.add(&format!("{} {reason}", request.label));
                }
            }
            TabEvent::ConsoleError { text } => self.console_errors.add(&text),
            TabEvent::DialogOpened { kind, message } => self.dialog = Some((kind, message)),
            TabEvent::DialogClosed => self.dialog = None,
            TabEvent::Download(download) => self.downloads.record(download),
            TabEvent::Crashed => {
                // Nothing of what the page was doing goes on.
                self.crashed = true;
                self.dialog = None;
                self.navigating = false;
                self.pending.clear();
            }
            TabEvent::Closed => self.closed = true,
        }
    }

    /// Requests that something on the page may be waiting for.
    pub(crate) fn awaited(&self) -> impl Iterator<Item = &Pending> {
        self.pending.values().filter(|request| {
            matches!(
                request.kind,
                RequestKind::Document | RequestKind::Script | RequestKind::Style | RequestKind::Fetch
            )
        })
    }
}

/// Path and query of an address, bounded; what has no path stays whole.
pub(crate) fn short_url(url: &str) -> String {
    let path =
        url.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..])).unwrap_or(url);
    path.chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_is_bounded_and_counted() {
        let mut trouble = Trouble::default();
        for n in 0..70 {
            trouble.add(&format!("error {n}\nstack"));
        }
        assert_eq!(trouble.total, 70);
        assert_eq!(trouble.since(68).collect::<Vec<_>>(), ["error 68", "error 69"]);
        assert_eq!(trouble.since(0).len(), TROUBLE_KEPT);
    }

    #[test]
    fn addresses_are_told_by_their_path() {
        assert_eq!(short_url("http://localhost:3000/api/orders?x=1"), "/api/orders?x=1");
        assert_eq!(short_url("about:blank"), "about:blank");
    }
}
