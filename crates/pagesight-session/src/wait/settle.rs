//! Waits until a page is ready, after a navigation or an action, and reports the outcome: quiet,
//! navigated, a dialog, a closed tab. `quiescence` decides when a page is quiet.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use pagesight_browser::BrowserError;
use pagesight_core::settle::{Next, Overdue, Reason, SettleRules};
use pagesight_core::text::address::without_anchor;
use pagesight_core::text::escape::{safe, sentence, value};
use tokio::time::Instant;

use crate::error::Result;
use crate::look::capture::{CaptureOptions, capture};
use crate::session::features::Feature;
use crate::session::shared::Shared;
use crate::tab::capture_cache::CaptureExtent;
use crate::tab::problems::ProblemCounts;
use crate::tab::record::TabRecord;
use crate::tab::state::{Failure, TabState, moment};
use crate::wait::quiescence::{
    Ahead, Interrupt, Reaction, Work, next_repaint, record_news, wait_until_idle,
};
use pagesight_core::hint::Hint;

/// How long a navigation that an action began is followed.
const FOLLOW_LIMIT: Duration = Duration::from_secs(10);

/// The state of a tab before an action or a navigation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkpoint {
    begun: u64,
    pub(crate) committed: u64,
    pub(crate) same_document: u64,
    /// Identifies the address of the page.
    place: u64,
    pub(crate) windows: u64,
    problems: ProblemCounts,
    pub(crate) newest_tab: u32,
    at: Instant,
    /// Whether to wait until the page is quiet, rather than for a fixed event.
    smart: bool,
    /// Whether a page can prove that it is at rest.
    provable: bool,
    /// Whether pages know what their scripts have scheduled.
    hooks: bool,
    /// How much later than the engine's events a page may hear of the end of a request.
    lag: Duration,
    /// Whether shadow roots and frames are entered.
    pierce: bool,
    /// The contents of captures while the page settles.
    ahead: CaptureExtent,
}

impl Checkpoint {
    pub(crate) fn now(record: &TabRecord, shared: &Shared) -> Checkpoint {
        let (newest_tab, alone) = {
            let mut tabs = shared.tabs();
            tabs.pop_ups.begin(record.tab.id());
            (tabs.newest(), !tabs.has_pop_ups())
        };
        let state = record.state.now();
        Checkpoint {
            begun: state.begun,
            committed: state.committed,
            same_document: state.same_document,
            place: place(&state.url),
            windows: state.windows,
            problems: state.problems.counts(),
            newest_tab,
            at: Instant::now(),
            smart: shared.has(Feature::SmartWaiting),
            // A window can change the page of the window that opened it.
            provable: !shared.is_users && alone,
            hooks: shared.hooks && alone,
            lag: shared.lag,
            pierce: shared.pierce,
            ahead: shared.ahead,
        }
    }

    /// Returns when the checkpoint was made.
    pub(crate) fn at(&self) -> Instant {
        self.at
    }

    /// Returns how long ago the checkpoint was made.
    pub(crate) fn elapsed(&self) -> Duration {
        self.at.elapsed()
    }

    /// Returns new console errors, failed requests and denied permissions, in one line.
    pub(crate) fn trouble(&self, record: &TabRecord) -> Option<String> {
        let state = record.state.now();
        state.problems.line(self.problems, &state.url)
    }
}

/// Why a wait ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitOutcome {
    /// The page is quiet, or the wait was given up.
    Settled(Reason),
    /// The page is loaded; nothing else was waited for.
    Loaded,
    /// A JavaScript dialog opened: its kind and text.
    Dialog(String, String),
    /// The navigation ended without a document: a download, an empty response, or stopped by the
    /// page.
    NoDocument(String),
    /// The navigation failed; the reason, in the browser's words.
    Failed(String),
}

impl WaitOutcome {
    /// Returns what the caller can do next.
    pub fn hint(&self) -> Option<Hint> {
        matches!(self, WaitOutcome::Dialog(..)).then_some(Hint::AnswerDialog)
    }

    /// Whether the page is ready.
    pub fn is_ready(&self) -> bool {
        matches!(self, WaitOutcome::Settled(Reason::Ready) | WaitOutcome::Loaded)
    }

    /// Whether the time was up.
    pub(crate) fn is_late(&self) -> bool {
        matches!(self, WaitOutcome::Settled(Reason::TimedOut(_)))
    }

    fn of(failure: Failure) -> WaitOutcome {
        if failure.aborted {
            WaitOutcome::NoDocument(failure.reason)
        } else {
            WaitOutcome::Failed(failure.reason)
        }
    }
}

impl std::fmt::Display for WaitOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WaitOutcome::Settled(Reason::StillChanging(what)) => {
                write!(f, "still changing: {}", safe(what, 100))
            }
            WaitOutcome::Settled(Reason::StillLoading(what)) => {
                write!(f, "still loading: {}", safe(what, 100))
            }
            WaitOutcome::Settled(reason) => f.write_str(&sentence(&reason.to_string())),
            WaitOutcome::Loaded => write!(f, "loaded"),
            WaitOutcome::Dialog(kind, message) => {
                let message = value(message, 200);
                write!(f, "dialog open ({kind}): {message}")
            }
            WaitOutcome::NoDocument(why) => write!(f, "no new page: {}", sentence(why)),
            WaitOutcome::Failed(why) => write!(f, "failed: {}", sentence(why)),
        }
    }
}

fn interrupt(state: &TabState) -> Option<Interrupt> {
    state.blocked().map(|error| match error {
        BrowserError::DialogOpen { kind, message } => Interrupt::Dialog(kind, message),
        error => Interrupt::Broken(error),
    })
}

/// Waits until the document that comes after `checkpoint` is quiet; without smart waiting until its
/// `load` event. Redirects by the page itself are followed.
pub(crate) async fn after_navigation(
    record: &TabRecord,
    checkpoint: &Checkpoint,
    deadline: Instant,
) -> Result<WaitOutcome> {
    let smart = checkpoint.smart;
    let arrived = record
        .state
        .wait(deadline, |state| match (interrupt(state), &state.failed) {
            (Some(interrupt), _) => Some(Err(interrupt)),
            (None, Some(failure)) if !state.navigating => {
                Some(Err(Interrupt::Failed(failure.clone())))
            }
            _ => {
                let there = state.committed > checkpoint.committed
                    && (smart || (state.loaded && !state.navigating));
                there.then_some(Ok(()))
            }
        })
        .await;
    match arrived {
        Some(Ok(())) if smart => after_arrival(record, checkpoint, deadline).await,
        Some(Ok(())) => Ok(WaitOutcome::Loaded),
        Some(Err(interrupt)) => outcome(interrupt),
        None => {
            let mut state = record.state.now();
            // The state machine knows what is still pending.
            state.activity.begin(
                SettleRules::NAVIGATION.within(Duration::ZERO),
                moment(checkpoint.at),
                moment(checkpoint.at),
            );
            let late = state.activity.poll(moment(Instant::now()));
            state.activity.end();
            Ok(WaitOutcome::Settled(match late {
                Next::Done(reason @ Reason::TimedOut(_)) => reason,
                _ => Reason::TimedOut(Overdue::Loading),
            }))
        }
    }
}

/// Waits until the current document is quiet, with the rules for a navigation.
pub(crate) async fn after_arrival(
    record: &TabRecord,
    checkpoint: &Checkpoint,
    deadline: Instant,
) -> Result<WaitOutcome> {
    if !checkpoint.smart {
        return Ok(WaitOutcome::Loaded);
    }
    let Checkpoint { provable, hooks, lag, .. } = *checkpoint;
    let rules = SettleRules { provable, hooks, lag, ..SettleRules::NAVIGATION };
    let rules = rules.within(deadline.saturating_duration_since(checkpoint.at));
    let ends = |state: &TabState| match (interrupt(state), &state.failed) {
        (None, Some(failure)) if state.begun > checkpoint.begun && !state.navigating => {
            Some(Interrupt::Failed(failure.clone()))
        }
        (interrupt, _) => interrupt,
    };
    let options = CaptureOptions {
        pierce: checkpoint.pierce,
        extent: checkpoint.ahead,
        ahead: true,
        ..CaptureOptions::default()
    };
    let preview = || -> Work<'_> { Box::pin(preview(record, options)) };
    match wait_until_idle(record, rules, (checkpoint.at, checkpoint.at), Some(&preview), None, ends)
        .await
    {
        Ok(reason) => Ok(WaitOutcome::Settled(reason)),
        Err(interrupt) => outcome(interrupt),
    }
}

/// Captures a new page while it settles, so that the look after that needs only a patch. If this
/// fails, that look captures the whole page.
async fn preview(record: &TabRecord, options: CaptureOptions<'static>) {
    if let Err(error) = capture(record, options).await {
        tracing::debug!(%error, "the page could not be captured while it settled");
    }
}

/// Waits until the current page is quiet. Does not wait at all if it has been quiet for a while, or
/// is proven to be at rest.
pub(crate) async fn wait_until_quiet(
    record: &TabRecord,
    checkpoint: &Checkpoint,
) -> Result<WaitOutcome> {
    if !checkpoint.smart {
        return Ok(WaitOutcome::Loaded);
    }
    // Unlike after an action, every request counts, and earlier quiet counts too.
    let Checkpoint { provable, hooks, lag, .. } = *checkpoint;
    let rules = SettleRules { own: false, provable, hooks, lag, ..SettleRules::ACTION };
    let before = checkpoint.at.checked_sub(rules.network).unwrap_or(checkpoint.at);
    match wait_until_idle(record, rules, (before, before), None, None, interrupt).await {
        Ok(reason) => Ok(WaitOutcome::Settled(reason)),
        Err(interrupt) => outcome(interrupt),
    }
}

fn outcome(interrupt: Interrupt) -> Result<WaitOutcome> {
    match interrupt {
        Interrupt::Dialog(kind, message) => Ok(WaitOutcome::Dialog(kind, message)),
        Interrupt::Failed(failure) => Ok(WaitOutcome::of(failure)),
        Interrupt::Broken(error) => Err(error.into()),
        Interrupt::Left => Err(BrowserError::Navigated.into()),
    }
}

/// A field that may have suggestions for the text that was typed into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SuggestingField {
    /// Its frame; none for the top one.
    pub(crate) frame: Option<String>,
}

/// The outcome of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SettleOutcome {
    /// The document is the same, quiet or not.
    Stayed(Reason),
    /// There is a different document, or a different URL of the same document.
    Navigated(WaitOutcome),
    /// A JavaScript dialog opened.
    Dialog,
    /// The tab closed itself.
    Closed,
}

impl SettleOutcome {
    /// Whether the same document is shown.
    pub(crate) fn stayed(&self) -> bool {
        matches!(self, SettleOutcome::Stayed(_))
    }
}

/// Returns the outcome if the page does not react to what was done in a field since `checkpoint`.
/// Otherwise its effects must be waited for.
pub(crate) async fn unmoved(record: &TabRecord, checkpoint: &Checkpoint) -> Option<SettleOutcome> {
    if !checkpoint.smart {
        return None;
    }
    let answer = record.script(None, SettleRules::ACTION.limit).activity_now(false).await.ok()?;
    let (loading, moving) = (answer.loading.is_some(), answer.moving > 0.0);
    record_news(record, answer, false);
    let state = record.state.now();
    let elsewhere =
        state.same_document > checkpoint.same_document || state.windows > checkpoint.windows;
    let changed = state.activity.was_active(moment(checkpoint.at));
    let moved = loading || moving || elsewhere || changed || leaves(&state, checkpoint);
    (!moved && interrupt(&state).is_none()).then_some(SettleOutcome::Stayed(Reason::Ready))
}

/// Waits until the effects of an action have settled; without smart waiting only for the next
/// repaint. Requests after `since` belong to the action. `ahead` runs meanwhile. After typing into
/// a field that may have suggestions, also waits for the first reaction of the page.
pub(crate) async fn after_action(
    record: &TabRecord,
    checkpoint: &Checkpoint,
    since: Instant,
    ahead: Ahead<'_>,
    suggesting: Option<SuggestingField>,
) -> Result<SettleOutcome> {
    let rules = match &suggesting {
        None => SettleRules::ACTION,
        Some(_) => SettleRules::SUGGESTIONS,
    };
    after_input(record, checkpoint, since, rules, ahead, suggesting).await
}

/// Waits until the effects of scrolling by script have settled.
pub(crate) async fn after_scrolling(
    record: &TabRecord,
    checkpoint: &Checkpoint,
) -> Result<SettleOutcome> {
    after_input(record, checkpoint, checkpoint.at, SettleRules::SCROLL, None, None).await
}

async fn after_input(
    record: &TabRecord,
    checkpoint: &Checkpoint,
    since: Instant,
    rules: SettleRules,
    ahead: Ahead<'_>,
    suggesting: Option<SuggestingField>,
) -> Result<SettleOutcome> {
    let ends = |state: &TabState| {
        interrupt(state).or_else(|| leaves(state, checkpoint).then_some(Interrupt::Left))
    };
    let ended = if checkpoint.smart {
        let times = (since, Instant::now());
        let Checkpoint { hooks, lag, .. } = *checkpoint;
        let rules = SettleRules { hooks, lag, ..rules };
        match &suggesting {
            None => wait_until_idle(record, rules, times, ahead, None, ends).await,
            Some(SuggestingField { frame }) => {
                let script = record.script(frame.as_deref(), rules.limit);
                let reaction = script.first_reaction(rules.reaction.as_millis());
                let reaction: Reaction<'_> = Box::pin(async { reaction.await.unwrap_or(false) });
                wait_until_idle(record, rules, times, ahead, Some(reaction), ends).await
            }
        }
    } else {
        next_repaint(record, ends).await
    };
    match ended {
        Ok(reason) => Ok(stayed(&record.state.now(), checkpoint, reason)),
        Err(Interrupt::Dialog(..)) => Ok(SettleOutcome::Dialog),
        Err(Interrupt::Broken(BrowserError::TabClosed)) => match record.tab.stop().await {
            // If the browser ended, the action did not close the tab.
            Err(BrowserError::Disconnected) => Err(BrowserError::Disconnected.into()),
            _ => Ok(SettleOutcome::Closed),
        },
        Err(Interrupt::Broken(error)) => Err(error.into()),
        Err(Interrupt::Failed(_) | Interrupt::Left) => {
            Ok(match after_navigation(record, checkpoint, checkpoint.at + FOLLOW_LIMIT).await? {
                WaitOutcome::Dialog(..) => SettleOutcome::Dialog,
                outcome => SettleOutcome::Navigated(outcome),
            })
        }
    }
}

/// Returns the outcome if the same document is still shown: nothing else, a different URL, or a
/// failed navigation.
fn stayed(state: &TabState, checkpoint: &Checkpoint, reason: Reason) -> SettleOutcome {
    match &state.failed {
        Some(failure) if state.begun > checkpoint.begun => {
            SettleOutcome::Navigated(WaitOutcome::of(failure.clone()))
        }
        // A page that adds the same address to the history, or moves to an anchor, stays.
        _ if state.same_document > checkpoint.same_document
            && place(&state.url) != checkpoint.place =>
        {
            SettleOutcome::Navigated(WaitOutcome::Settled(reason))
        }
        _ => SettleOutcome::Stayed(reason),
    }
}

/// Identifies the address of a page, without an anchor in the page.
fn place(url: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    without_anchor(url).hash(&mut hasher);
    hasher.finish()
}

/// Whether the tab is leaving, or has left, the document it showed.
fn leaves(state: &TabState, checkpoint: &Checkpoint) -> bool {
    state.committed > checkpoint.committed || (state.begun > checkpoint.begun && state.navigating)
}
