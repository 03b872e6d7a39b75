//! Waiting until a page is worth looking at: after a navigation the `load` event and a short quiet, after an action a shorter one.
//! Event-driven: it listens to the tab's facts and to the page's mutations, never polls, and always ends.

use std::time::{Duration, Instant};

use pagesight_browser::BrowserError;

use crate::error::Result;
use crate::eyes::Shared;
use crate::facts::{Failure, TabFacts};
use crate::tabs::TabRecord;

/// How long the DOM has to be quiet after a navigation.
const NAVIGATION_QUIET: Duration = Duration::from_millis(150);
/// How long at most that quiet is waited for once the page is loaded.
const NAVIGATION_QUIET_LIMIT: Duration = Duration::from_secs(2);
/// How long the DOM has to be quiet after an action.
const ACTION_QUIET: Duration = Duration::from_millis(100);
/// How long at most that quiet is waited for.
const ACTION_LIMIT: Duration = Duration::from_secs(3);
/// How long a navigation that an action began is followed.
const FOLLOW_LIMIT: Duration = Duration::from_secs(10);
/// More than a script's own limit, for the way there and back.
const SLACK: Duration = Duration::from_millis(1500);

/// Where a tab stood before something was done to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    begun: u64,
    pub(crate) committed: u64,
    pub(crate) same_document: u64,
    console_errors: u64,
    failed_requests: u64,
    pub(crate) newest_tab: u32,
    at: Instant,
}

impl Mark {
    pub(crate) fn now(record: &TabRecord, shared: &Shared) -> Mark {
        let newest_tab = shared.tabs().newest();
        let facts = record.facts.now();
        Mark {
            begun: facts.begun,
            committed: facts.committed,
            same_document: facts.same_document,
            console_errors: facts.console_errors.total,
            failed_requests: facts.failed_requests.total,
            newest_tab,
            at: Instant::now(),
        }
    }

    /// How long ago it was.
    pub(crate) fn elapsed(&self) -> Duration {
        self.at.elapsed()
    }

    /// New console errors and failed requests, in one line.
    pub(crate) fn trouble(&self, record: &TabRecord) -> Option<String> {
        let facts = record.facts.now();
        let mut parts = Vec::new();
        for (sort, trouble, known) in [
            ("console error", &facts.console_errors, self.console_errors),
            ("failed request", &facts.failed_requests, self.failed_requests),
        ] {
            let count = trouble.total.saturating_sub(known);
            if count > 0 {
                let plural = if count == 1 { "" } else { "s" };
                let first: Vec<String> = trouble
                    .since(known)
                    .take(2)
                    .map(|text| pagesight_core::render::escape::safe(text, 120))
                    .collect();
                parts.push(format!("{count} {sort}{plural}: {}", first.join("; ")));
            }
        }
        (!parts.is_empty()).then(|| parts.join(" · "))
    }
}

/// Why a wait ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Loaded and quiet.
    Ready,
    /// The time was up; what was still going on.
    TimedOut(String),
    /// Loaded, but the DOM went on changing.
    StillChanging,
    /// A JavaScript dialog opened: its kind and text.
    Dialog(String, String),
    /// The navigation was given up: a download, an answer without content, stopped by the page.
    NoDocument(String),
    /// The navigation failed.
    Failed(String),
}

impl Stopped {
    fn of(failure: Failure) -> Stopped {
        if failure.aborted { Stopped::NoDocument(failure.reason) } else { Stopped::Failed(failure.reason) }
    }
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stopped::Ready => write!(f, "ready"),
            Stopped::TimedOut(what) => write!(f, "timed out: {what}"),
            Stopped::StillChanging => write!(f, "still changing: the page did not come to rest"),
            Stopped::Dialog(kind, message) => {
                let message = pagesight_core::render::escape::value(message, 200);
                write!(f, "dialog open ({kind}): {message}; answer it with browser_interact")
            }
            Stopped::NoDocument(why) => write!(f, "no new page: {why}"),
            Stopped::Failed(why) => write!(f, "failed: {why}"),
        }
    }
}

/// Waits until the document that comes after `mark` is loaded and quiet. A page that sends its visitor on at once is followed.
pub(crate) async fn after_navigation(record: &TabRecord, mark: &Mark, deadline: Instant) -> Result<Stopped> {
    let mut committed = mark.committed;
    loop {
        if let Some(stopped) = until_loaded(record, committed, deadline).await? {
            return Ok(stopped);
        }
        committed = record.facts.now().committed;
        let left = deadline.saturating_duration_since(Instant::now());
        match at_rest(record, left).await {
            Err(BrowserError::Navigated) if Instant::now() < deadline => {}
            Err(BrowserError::Navigated) => return Ok(Stopped::TimedOut(still_pending(&record.facts.now()))),
            answer => return answer.map_err(Into::into),
        }
        // The document went away; what comes next is on its way, or committed already.
        let soon = (Instant::now() + Duration::from_millis(100)).min(deadline);
        record
            .facts
            .wait(soon, |facts| (facts.navigating || facts.committed > committed).then_some(()))
            .await;
        committed = committed.min(record.facts.now().committed.saturating_sub(1));
    }
}

/// Whether the document that is shown comes to rest, as it should after a navigation.
pub(crate) async fn at_rest(
    record: &TabRecord,
    left: Duration,
) -> std::result::Result<Stopped, BrowserError> {
    match quiet(record, NAVIGATION_QUIET, left.min(NAVIGATION_QUIET_LIMIT)).await {
        Ok(true) => Ok(Stopped::Ready),
        Ok(false) => Ok(Stopped::StillChanging),
        Err(BrowserError::DialogOpen { kind, message }) => Ok(Stopped::Dialog(kind, message)),
        Err(error) => Err(error),
    }
}

/// Waits until a document later than the `committed`th is loaded; answers early if that will not happen.
async fn until_loaded(record: &TabRecord, committed: u64, deadline: Instant) -> Result<Option<Stopped>> {
    enum Seen {
        Loaded,
        Dialog(String, String),
        Failed(Failure),
        Broken(BrowserError),
    }
    let seen = record
        .facts
        .wait(deadline, |facts| {
            if facts.closed {
                Some(Seen::Broken(BrowserError::TabClosed))
            } else if facts.crashed {
                Some(Seen::Broken(BrowserError::TabCrashed))
            } else if let Some((kind, message)) = facts.dialog.clone() {
                Some(Seen::Dialog(kind, message))
            } else if let (Some(failure), false) = (&facts.failed, facts.navigating) {
                Some(Seen::Failed(failure.clone()))
            } else {
                (facts.committed > committed && facts.loaded && !facts.navigating).then_some(Seen::Loaded)
            }
        })
        .await;
    match seen {
        Some(Seen::Loaded) => Ok(None),
        Some(Seen::Dialog(kind, message)) => Ok(Some(Stopped::Dialog(kind, message))),
        Some(Seen::Failed(failure)) => Ok(Some(Stopped::of(failure))),
        Some(Seen::Broken(error)) => Err(error.into()),
        None => Ok(Some(Stopped::TimedOut(still_pending(&record.facts.now())))),
    }
}

/// What came of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The same document, quiet or given up on.
    Stayed,
    /// Another document, or another address of the same one.
    Navigated(Stopped),
    /// A JavaScript dialog opened.
    Dialog,
    /// The tab closed itself.
    Closed,
}

/// Waits until what an action caused has come to rest.
pub(crate) async fn after_action(record: &TabRecord, mark: &Mark) -> Result<Outcome> {
    let deadline = mark.at + ACTION_LIMIT;
    loop {
        // What the events say comes first: nothing can be asked of a page that is stopped or on its way out.
        {
            let facts = record.facts.now();
            if facts.dialog.is_some() {
                return Ok(Outcome::Dialog);
            }
            if facts.closed {
                return Ok(Outcome::Closed);
            }
            if facts.crashed {
                return Err(BrowserError::TabCrashed.into());
            }
        }
        if leaves(&record.facts.now(), mark) {
            return Ok(match after_navigation(record, mark, mark.at + FOLLOW_LIMIT).await? {
                Stopped::Dialog(..) => Outcome::Dialog,
                stopped => Outcome::Navigated(stopped),
            });
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let at_rest = tokio::select! {
            answer = quiet(record, ACTION_QUIET, left) => Some(answer),
            _ = record.facts.wait(deadline, |facts| {
                (leaves(facts, mark) || facts.dialog.is_some() || facts.closed || facts.crashed).then_some(())
            }) => None,
        };
        match at_rest {
            None
            | Some(Err(
                BrowserError::Navigated | BrowserError::DialogOpen { .. } | BrowserError::TabClosed,
            )) => {
                // The event that explains it is on its way.
                let wake = Instant::now() + Duration::from_millis(500);
                record
                    .facts
                    .wait(wake.min(deadline), |facts| {
                        (leaves(facts, mark) || facts.dialog.is_some() || facts.closed).then_some(())
                    })
                    .await;
            }
            Some(Err(error)) => return Err(error.into()),
            Some(Ok(_)) => {
                let busy = record.facts.now().awaited().any(|request| request.since >= mark.at);
                let moved = leaves(&record.facts.now(), mark);
                if !moved && busy && Instant::now() < deadline {
                    record
                        .facts
                        .wait(deadline, |facts| {
                            let done = facts.awaited().all(|request| request.since < mark.at);
                            (done || leaves(facts, mark) || facts.dialog.is_some() || facts.closed)
                                .then_some(())
                        })
                        .await;
                    continue;
                }
                if !moved {
                    return Ok(stayed(&record.facts.now(), mark));
                }
            }
        }
        if Instant::now() >= deadline && !leaves(&record.facts.now(), mark) {
            return Ok(stayed(&record.facts.now(), mark));
        }
    }
}

/// What became of a document that is still shown: nothing, another address, or a navigation that came to nothing.
fn stayed(facts: &TabFacts, mark: &Mark) -> Outcome {
    match &facts.failed {
        Some(failure) if facts.begun > mark.begun => Outcome::Navigated(Stopped::of(failure.clone())),
        _ if facts.same_document > mark.same_document => Outcome::Navigated(Stopped::Ready),
        _ => Outcome::Stayed,
    }
}

/// Whether the tab is leaving, or has left, the document it showed.
fn leaves(facts: &TabFacts, mark: &Mark) -> bool {
    facts.committed > mark.committed || (facts.begun > mark.begun && facts.navigating)
}

/// Whether the DOM came to rest for this long within the limit.
async fn quiet(
    record: &TabRecord,
    rest: Duration,
    limit: Duration,
) -> std::result::Result<bool, BrowserError> {
    #[derive(serde::Deserialize)]
    struct Quiet {
        quiet: bool,
    }
    let arguments = format!("[{},{}]", rest.as_millis(), limit.as_millis());
    let answer = match record.script("quiet", &arguments, limit + SLACK).await {
        Err(BrowserError::TimedOut { .. }) => return Ok(false),
        answer => answer?,
    };
    Ok(serde_json::from_str::<Quiet>(&answer).is_ok_and(|answer| answer.quiet))
}

/// `1 request pending: GET /api/orders`.
fn still_pending(facts: &TabFacts) -> String {
    let mut labels: Vec<&str> = facts.pending.values().map(|request| request.label.as_str()).collect();
    labels.sort_unstable();
    match labels.as_slice() {
        [] => "the page did not finish loading".to_owned(),
        [one] => format!("1 request pending: {one}"),
        [first, ..] => format!("{} requests pending: {first}, …", labels.len()),
    }
}
