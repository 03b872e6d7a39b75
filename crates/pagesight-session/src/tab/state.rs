//! The state of a tab as its events report it: URL, loading, errors, open dialog. Events come in
//! and waiters are woken; nothing here calls the browser.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard};
use std::time::Duration;

use pagesight_browser::lock;
use pagesight_browser::{BodyProgress, BrowserError, ConsoleLevel, RequestKind, TabEvent};
use pagesight_core::settle::{self, Activity, Event, Moment, PendingRequest};
use pagesight_core::text::address::{display, host_of, parts, without_values};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::tab::downloads::Downloads;
use crate::tab::log::TabLog;
use crate::tab::problems::Problems;

/// The state of one tab, shared between the task that reads its events and the calls that wait for
/// them.
pub(crate) struct SharedTabState {
    state: Mutex<TabState>,
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

#[derive(Default)]
pub(crate) struct TabState {
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
    /// The messages of the console and the requests.
    pub(crate) log: TabLog,
}

impl Default for SharedTabState {
    fn default() -> Self {
        SharedTabState { state: Mutex::default(), changed: watch::Sender::new(0) }
    }
}

impl SharedTabState {
    /// Returns the current state. Never held across an await.
    pub(crate) fn now(&self) -> MutexGuard<'_, TabState> {
        lock(&self.state)
    }

    /// Records an event and wakes all waiters, unless it only concerns the log.
    pub(crate) fn record(&self, event: TabEvent) {
        let wakes = !matches!(
            event,
            TabEvent::Console(_)
                | TabEvent::RequestHeaders { .. }
                | TabEvent::Redirected { .. }
                | TabEvent::Responded { .. }
        );
        self.now().record(event);
        if wakes {
            self.wake();
        }
    }

    /// Wakes all waiters, because something else changed that they depend on.
    pub(crate) fn wake(&self) {
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
        mut condition: impl FnMut(&TabState) -> Option<T>,
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

impl TabState {
    /// Whether a navigation of the top frame waits for its server.
    pub(crate) fn awaits_server(&self) -> bool {
        self.navigating && self.labels.values().any(|label| label.document && !label.framed)
    }

    /// Whether the server has answered a navigation of the top frame, and its document is not shown
    /// yet.
    pub(crate) fn awaits_commit(&self) -> bool {
        self.navigating && self.answered.is_some()
    }

    /// Returns why the tab cannot answer: it is closed, it crashed, or a dialog is open.
    pub(crate) fn blocked(&self) -> Option<BrowserError> {
        if self.closed {
            return Some(BrowserError::TabClosed);
        }
        if self.crashed {
            return Some(BrowserError::TabCrashed);
        }
        self.dialog.clone().map(|(kind, message)| BrowserError::DialogOpen { kind, message })
    }

    pub(crate) fn record(&mut self, event: TabEvent) {
        let now = moment(Instant::now());
        match event {
            TabEvent::NavigationStarted => {
                self.begun += 1;
                self.navigating = true;
                self.failed = None;
                self.answered = None;
                self.log.entries.leaves();
                self.activity.note(Event::Leaving(true), now);
            }
            TabEvent::ErrorPage => {
                self.committed += 1;
                self.navigating = false;
                self.loaded = true;
                self.status = None;
                self.log.entries.arrives();
                self.problems.arrives();
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
                self.log.entries.arrives();
                self.problems.arrives();
                self.activity.note(Event::Arrived { parsed: restored }, now);
            }
            TabEvent::SameDocument { url } => {
                self.url = display(&url).into_owned();
                self.same_document += 1;
                self.navigating = false;
                self.log.entries.stays();
                self.activity.note(Event::Leaving(false), now);
            }
            TabEvent::DomReady => self.activity.note(Event::Parsed, now),
            TabEvent::Loaded => {
                self.loaded = true;
                self.activity.note(Event::Loaded, now);
            }
            TabEvent::Answered { status, refreshes, .. } => {
                self.answered = Some((status, refreshes))
            }
            TabEvent::NavigationFailed { reason, aborted } => {
                self.failed = Some(Failure { reason, aborted });
                self.navigating = false;
                self.answered = None;
                self.log.entries.stays();
                self.activity.note(Event::Leaving(false), now);
            }
            // Browsers request it on their own; that a site has none is not a fault of the page.
            TabEvent::RequestStarted { url, .. } if url.ends_with("/favicon.ico") => {}
            TabEvent::RequestStarted { id, kind, method, url, framed, streams, initiator } => {
                self.log.started((&id, kind, framed), (&method, &url), initiator, now);
                let label = format!("{method} {}", short_url(&without_values(&url)));
                let document = kind == RequestKind::Document;
                let (text, host) = (label.clone(), host_of(&url).map(str::to_owned));
                self.labels.insert(id.clone(), Label { text, host, document, framed });
                let kind = awaited(kind);
                let since = now;
                let request =
                    PendingRequest { id, kind, method, url, framed, streams, label, since };
                self.activity.note(Event::Requested(request), now);
            }
            TabEvent::RequestHeaders { id, headers } => self.log.sent(&id, headers),
            TabEvent::Redirected { id, status, url } => self.log.redirected(&id, status, &url),
            TabEvent::Responded { id, head } => self.log.responded(&id, *head),
            TabEvent::BodyProgressed { id, progress } => {
                let read = progress == BodyProgress::Part;
                self.log.body(&id, read);
                self.activity.note(Event::Body { id, read }, now);
            }
            TabEvent::RequestFinished { id, status, size, duration } => {
                let entry = self.log.finished(&id, status, size, duration);
                if let Some(Label { text, host, document, framed }) = self.labels.remove(&id) {
                    self.frames_loaded += u64::from(document && framed);
                    // The status of the top document is reported with the page.
                    if let Some(status @ 400..) = status.filter(|_| !document || framed) {
                        let text = format!("{text} {status}");
                        self.problems.failed_request(&text, host.as_deref(), entry);
                    }
                }
                self.activity.note(Event::Ended(id), now);
            }
            TabEvent::RequestFailed { id, reason, cancelled } => {
                let entry = self.log.failed(&id, &reason, cancelled);
                // A navigation that failed is reported as such.
                let label = self.labels.remove(&id).filter(|label| !label.document || label.framed);
                if let (Some(label), false) = (label, cancelled) {
                    let text = format!("{} {reason}", label.text);
                    self.problems.failed_request(&text, label.host.as_deref(), entry);
                }
                self.activity.note(Event::Failed(id), now);
            }
            TabEvent::RequestsUnwatched { per_second } => {
                self.labels.clear();
                let reason = match per_second {
                    Some(rate) => format!("{rate} requests per second: no longer watched"),
                    None => "requests that were not watched".to_owned(),
                };
                self.activity.note(Event::Unwatched(reason), now);
            }
            TabEvent::RequestsWatched => self.activity.note(Event::Watched, now),
            TabEvent::Console(message) => {
                // The failed request is the problem, not the message about it.
                let counts = message.level == ConsoleLevel::Error && !message.about_request;
                let (entry, text) = self.log.console(message, now);
                if counts {
                    self.problems.console_error(&text, Some(entry));
                }
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
                self.activity.reset();
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
        RequestKind::Image | RequestKind::Font => settle::RequestClass::Part,
        RequestKind::Other => settle::RequestClass::Unawaited,
    }
}

/// Returns path and query of a URL, shortened; a URL without a path stays as it is.
pub(crate) fn short_url(url: &str) -> String {
    let path = parts(url).map(|(_, _, path)| path).filter(|path| path.starts_with('/'));
    path.unwrap_or(url).chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use pagesight_browser::ConsoleMessage;

    use super::*;

    fn started(id: &str, kind: RequestKind, url: &str, framed: bool) -> TabEvent {
        TabEvent::RequestStarted {
            id: id.to_owned(),
            kind,
            method: "GET".to_owned(),
            url: url.to_owned(),
            framed,
            streams: false,
            initiator: Vec::new(),
        }
    }

    fn finished(id: &str, status: u16) -> TabEvent {
        let status = Some(status);
        TabEvent::RequestFinished { id: id.to_owned(), status, size: None, duration: None }
    }

    #[test]
    fn addresses_are_shortened_to_their_path() {
        assert_eq!(short_url("http://localhost:3000/api/orders?x=1"), "/api/orders?x=1");
        assert_eq!(short_url("about:blank"), "about:blank");
    }

    #[test]
    fn the_state_of_a_tab_has_no_secrets() {
        let mut state = TabState::default();
        let url = || "https://ci:PASS@staging/cb?page=2&token=abc#access_token=abc".to_owned();
        state.record(TabEvent::Committed { url: url(), restored: false });
        assert_eq!(state.url, "https://staging/cb?page=2&token=…#access_token=…");
        state.record(TabEvent::SameDocument { url: url() });
        assert_eq!(state.url, "https://staging/cb?page=2&token=…#access_token=…");
        for (id, url) in [("1", "https://ci:PASS@staging?access_token=abc"), ("2", &url())] {
            state.record(started(id, RequestKind::Fetch, url, false));
            state.record(finished(id, 500));
        }
        let text = format!("no https://ci:PASS@staging/x?a=1: {}", url());
        state.record(TabEvent::Console(ConsoleMessage { text, ..ConsoleMessage::default() }));
        let texts =
            [state.problems.failed_requests.latest(9), state.problems.console_errors.latest(9)];
        assert_eq!(
            texts.concat(),
            [
                "GET https://staging?access_token=… 500",
                "GET /cb?page=…&token=… 500",
                "no https://staging/x?a=… https://staging/cb?page=…&token=…"
            ]
        );
    }

    #[test]
    fn requests_that_are_not_watched_are_not_waited_for() {
        let mut state = TabState::default();
        state.record(TabEvent::NavigationStarted);
        state.record(started("1", RequestKind::Document, "http://a/", false));
        assert!(state.awaits_server() && state.activity.pending().count() == 1);
        state.record(TabEvent::RequestsUnwatched { per_second: Some(300) });
        assert!(!state.awaits_server() && state.activity.pending().count() == 0);
        assert!(state.activity.was_active(moment(Instant::now())));
        state.record(TabEvent::RequestsWatched);
        assert!(state.navigating && state.activity.pending().count() == 0);
    }

    #[test]
    fn a_frame_that_is_missing_is_a_problem() {
        let mut state = TabState::default();
        for (id, framed) in [("1", false), ("2", true)] {
            state.record(started(id, RequestKind::Document, &format!("http://a/{id}"), framed));
            state.record(finished(id, 404));
        }
        let problems = state.problems.failed_requests.latest(9);
        assert_eq!(problems, ["GET /2 404"]);
    }
}
