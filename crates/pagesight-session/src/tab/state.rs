//! The state of a tab as its events report it: URL, loading, errors, open dialog. Events come in
//! and waiters are woken; nothing here calls the browser.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pagesight_browser::{RequestKind, TabEvent};
use pagesight_core::settle::{self, Activity, Event, Moment, PendingRequest};
use pagesight_core::text::address::{display, host_of, without_values, without_values_in};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::tab::downloads::Downloads;
use crate::tab::problems::Problems;

/// The state of one tab, shared between the task that reads its events and the calls that wait for
/// them.
pub(crate) struct Facts {
    state: Mutex<TabFacts>,
    changed: watch::Sender<u64>,
}

/// Why a navigation ended without a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// In the engine's words.
    pub(crate) reason: String,
    /// It was cancelled and did not fail.
    pub(crate) aborted: bool,
}

/// How far the start of the clock lies before the first call, so that no time is earlier than the
/// start.
const BEFORE: Duration = Duration::from_secs(3600);

/// The dialog that asks whether to leave a page.
pub(crate) const LEAVE: &str = "beforeunload";

/// Converts a time to the clock of the settle state machine.
pub(crate) fn moment(at: Instant) -> Moment {
    static START: LazyLock<Instant> = LazyLock::new(|| {
        let now = Instant::now();
        now.checked_sub(BEFORE).unwrap_or(now)
    });
    at.saturating_duration_since(*START)
}

/// A pending request, as it is reported.
struct Label {
    /// Its name: `GET /api/orders`.
    text: String,
    host: Option<String>,
    document: bool,
    framed: bool,
}

/// The state itself.
#[derive(Default)]
pub(crate) struct TabFacts {
    /// The URL of the top document, as it may be shown.
    pub url: String,
    /// The HTTP status of the top document.
    pub status: Option<u16>,
    /// Whether its response lets the browser load the page again, or a different one, later.
    pub refreshes: bool,
    /// How many navigations of the top frame began.
    pub begun: u64,
    /// How many documents were committed.
    pub committed: u64,
    /// How often the URL changed without a new document.
    pub same_document: u64,
    /// Whether the current document fired `load`.
    pub loaded: bool,
    /// Whether a navigation is in progress that is not committed yet.
    pub navigating: bool,
    /// The status of a response whose document is not shown yet, and whether it refreshes.
    answered: Option<(u16, bool)>,
    /// Why the last navigation ended without a document.
    pub failed: Option<Failure>,
    /// The open JavaScript dialog: kind and text.
    pub dialog: Option<(String, String)>,
    /// How many dialogs opened since the last action that was not the answer to one.
    pub dialogs: u32,
    /// The caller wanted to navigate while the open dialog prevented it.
    pub asked_to_leave: bool,
    /// The tab's process crashed.
    pub crashed: bool,
    /// The tab is closed.
    pub closed: bool,
    /// The activity in the tab, for waits.
    pub activity: Activity,
    /// How many windows it opened.
    pub windows: u64,
    /// How many documents of frames were loaded.
    pub frames_loaded: u64,
    /// Downloads, the newest last.
    pub downloads: Downloads,
    /// Pending requests, by id.
    labels: HashMap<String, Label>,
    /// Console errors, failed requests and denied permissions.
    pub(crate) problems: Problems,
}

impl Default for Facts {
    fn default() -> Self {
        Facts { state: Mutex::default(), changed: watch::Sender::new(0) }
    }
}

impl Facts {
    /// Returns the current state. Never held across an await.
    pub(crate) fn now(&self) -> MutexGuard<'_, TabFacts> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records an event and wakes all waiters.
    pub(crate) fn record(&self, event: TabEvent) {
        self.now().record(event);
        self.changed.send_modify(|version| *version += 1);
    }

    /// Returns a receiver of the number of events so far.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Waits for an event after the first `seen` events.
    pub(crate) async fn wait_past(&self, seen: u64, deadline: Instant) {
        let mut changes = self.changed.subscribe();
        let _ =
            tokio::time::timeout_at(deadline, changes.wait_for(|version| *version > seen)).await;
    }

    /// Waits until `condition` returns a value, or until the deadline.
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
            match tokio::time::timeout_at(deadline, changes.changed()).await {
                Ok(Ok(())) => {}
                _ => return condition(&self.now()),
            }
        }
    }
}

impl TabFacts {
    /// Whether a navigation of the top frame waits for its server.
    pub(crate) fn awaits_server(&self) -> bool {
        self.navigating && self.labels.values().any(|label| label.document && !label.framed)
    }

    /// Whether the server has answered a navigation of the top frame, and its document is not shown
    /// yet.
    pub(crate) fn awaits_commit(&self) -> bool {
        self.navigating && self.answered.is_some()
    }

    fn record(&mut self, event: TabEvent) {
        let now = moment(Instant::now());
        match event {
            TabEvent::NavigationStarted => {
                self.begun += 1;
                self.navigating = true;
                self.failed = None;
                self.answered = None;
                self.activity.note(Event::Leaving(true), now);
            }
            TabEvent::ErrorPage => {
                self.committed += 1;
                self.navigating = false;
                self.loaded = true;
                self.status = None;
                self.activity.note(Event::Arrived { parsed: true }, now);
            }
            TabEvent::Committed { url, restored } => {
                self.failed = None;
                self.url = display(&url).into_owned();
                self.committed += 1;
                self.navigating = false;
                self.crashed = false;
                self.loaded = restored;
                // The status belongs to the document that came with the response.
                let answered = self.answered.take();
                self.status = answered.map(|(status, _)| status);
                self.refreshes = answered.is_some_and(|(_, refreshes)| refreshes);
                self.activity.note(Event::Arrived { parsed: restored }, now);
            }
            TabEvent::SameDocument { url } => {
                self.url = display(&url).into_owned();
                self.same_document += 1;
                self.navigating = false;
                self.activity.note(Event::Leaving(false), now);
            }
            TabEvent::DomReady => self.activity.note(Event::Parsed, now),
            TabEvent::Loaded => {
                self.loaded = true;
                self.activity.note(Event::Parsed, now);
            }
            TabEvent::Answered { status, refreshes, .. } => {
                self.answered = Some((status, refreshes))
            }
            TabEvent::NavigationFailed { reason, aborted } => {
                self.failed = Some(Failure { reason, aborted });
                self.navigating = false;
                self.answered = None;
                self.activity.note(Event::Leaving(false), now);
            }
            // Browsers request it on their own; that a site has none is not a fault of the page.
            TabEvent::RequestStarted { url, .. } if url.ends_with("/favicon.ico") => {}
            TabEvent::RequestStarted { id, kind, method, url, framed } => {
                let label = format!("{method} {}", short_url(&without_values(&url)));
                let document = kind == RequestKind::Document;
                let (text, host) = (label.clone(), host_of(&url).map(str::to_owned));
                self.labels.insert(id.clone(), Label { text, host, document, framed });
                let kind = awaited(kind);
                let request = PendingRequest { id, kind, method, url, framed, label, since: now };
                self.activity.note(Event::Requested(request), now);
            }
            TabEvent::RequestFinished { id, status } => {
                if let Some(Label { text, host, document, framed }) = self.labels.remove(&id) {
                    self.frames_loaded += u64::from(document && framed);
                    // The status of a document is reported with the page.
                    if let Some(status @ 400..) = status.filter(|_| !document) {
                        let text = format!("{text} {status}");
                        self.problems.failed_request(&text, host.as_deref());
                    }
                }
                self.activity.note(Event::Ended(id), now);
            }
            TabEvent::RequestFailed { id, reason, cancelled } => {
                // A navigation that failed is reported as such.
                let label = self.labels.remove(&id).filter(|label| !label.document || label.framed);
                if let (Some(label), false) = (label, cancelled) {
                    let text = format!("{} {reason}", label.text);
                    self.problems.failed_request(&text, label.host.as_deref());
                }
                self.activity.note(Event::Ended(id), now);
            }
            TabEvent::ConsoleError { text } => {
                self.problems.console_error(&without_values_in(&text));
            }
            TabEvent::DialogOpened { kind, message } => {
                self.dialog = Some((kind, message));
                self.dialogs += 1;
                self.asked_to_leave = false;
            }
            TabEvent::DialogClosed => {
                self.dialog = None;
                self.asked_to_leave = false;
            }
            TabEvent::Download(download) => self.downloads.record(download),
            TabEvent::Crashed => {
                // Nothing that the page was doing continues.
                self.crashed = true;
                self.dialog = None;
                self.navigating = false;
                self.labels.clear();
                self.activity = Activity::default();
            }
            TabEvent::WindowOpened => self.windows += 1,
            TabEvent::Closed => self.closed = true,
        }
    }
}

/// Returns the class of a request, as far as waiting is concerned.
fn awaited(kind: RequestKind) -> settle::RequestClass {
    match kind {
        RequestKind::Document => settle::RequestClass::Document,
        RequestKind::Script => settle::RequestClass::Script,
        RequestKind::Style => settle::RequestClass::Style,
        RequestKind::Fetch => settle::RequestClass::Fetch,
        RequestKind::Image | RequestKind::Font | RequestKind::Other => {
            settle::RequestClass::Unawaited
        }
    }
}

/// Returns path and query of a URL, shortened; a URL without a path stays as it is.
pub(crate) fn short_url(url: &str) -> String {
    let path = url
        .split_once("://")
        .and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]))
        .unwrap_or(url);
    path.chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_by_their_path() {
        assert_eq!(short_url("http://localhost:3000/api/orders?x=1"), "/api/orders?x=1");
        assert_eq!(short_url("about:blank"), "about:blank");
    }

    #[test]
    fn the_state_of_a_tab_has_no_secrets() {
        let mut facts = TabFacts::default();
        let url = || "https://ci:PASS@staging/cb?page=2&token=abc#access_token=abc".to_owned();
        facts.record(TabEvent::Committed { url: url(), restored: false });
        assert_eq!(facts.url, "https://staging/cb?page=2&token=…#access_token=…");
        facts.record(TabEvent::SameDocument { url: url() });
        assert_eq!(facts.url, "https://staging/cb?page=2&token=…#access_token=…");
        for (id, url) in [("1", "https://ci:PASS@staging?access_token=abc"), ("2", &url())] {
            facts.record(TabEvent::RequestStarted {
                id: id.to_owned(),
                kind: RequestKind::Fetch,
                method: "GET".to_owned(),
                url: url.to_owned(),
                framed: false,
            });
            facts.record(TabEvent::RequestFinished { id: id.to_owned(), status: Some(500) });
        }
        let text = format!("no https://ci:PASS@staging/x?a=1: {}", url());
        facts.record(TabEvent::ConsoleError { text });
        let told =
            [facts.problems.failed_requests.latest(9), facts.problems.console_errors.latest(9)];
        assert_eq!(
            told.concat(),
            [
                "GET https://staging?access_token=… 500",
                "GET /cb?page=…&token=… 500",
                "no https://staging/x?a=… https://staging/cb?page=…&token=…"
            ]
        );
    }
}
