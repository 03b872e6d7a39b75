//! Waits until a page is ready, after a navigation or an action, and reports the outcome: quiet,
//! navigated, a dialog, a closed tab. `quiescence` decides when a page is quiet.

use std::time::Duration;

use pagesight_browser::BrowserError;
use pagesight_core::settle::{Next, Reason, SettleRules};
use pagesight_core::text::escape::{safe, sentence, value};
use tokio::time::Instant;

use crate::error::Result;
use crate::features::Feature;
use crate::look::capture::{Wish, capture};
use crate::shared::Shared;
use crate::tab::capture_cache::CaptureExtent;
use crate::tab::problems::ProblemCounts;
use crate::tab::record::TabRecord;
use crate::tab::state::{Failure, TabFacts, moment};
use crate::wait::quiescence::{Ahead, Cut, Reaction, Work, next_frame, rest, take};
use pagesight_core::hint::Hint;

/// How long a navigation that an action began is followed.
const FOLLOW_LIMIT: Duration = Duration::from_secs(10);

/// The state of a tab before an action or a navigation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    begun: u64,
    pub(crate) committed: u64,
    pub(crate) same_document: u64,
    pub(crate) windows: u64,
    problems: ProblemCounts,
    pub(crate) newest_tab: u32,
    at: Instant,
    /// Whether to wait until the page is quiet, rather than for a fixed event.
    smart: bool,
    /// Whether a page can prove that it is at rest.
    provable: bool,
    /// Whether shadow roots and frames are entered.
    pierce: bool,
    /// What is captured while the page settles.
    ahead: CaptureExtent,
}

impl Mark {
    pub(crate) fn now(record: &TabRecord, shared: &Shared) -> Mark {
        let (newest_tab, alone) = {
            let mut tabs = shared.tabs();
            tabs.pop_ups.begin(record.tab.id());
            (tabs.newest(), !tabs.has_pop_ups())
        };
        let facts = record.facts.now();
        Mark {
            begun: facts.begun,
            committed: facts.committed,
            same_document: facts.same_document,
            windows: facts.windows,
            problems: facts.problems.counts(),
            newest_tab,
            at: Instant::now(),
            smart: shared.has(Feature::SmartWaiting),
            // A window can change the page of the window that opened it.
            provable: !shared.is_users && alone,
            pierce: shared.pierce,
            ahead: shared.ahead,
        }
    }

    /// Returns when the mark was made.
    pub(crate) fn at(&self) -> Instant {
        self.at
    }

    /// Returns how long ago the mark was made.
    pub(crate) fn elapsed(&self) -> Duration {
        self.at.elapsed()
    }

    /// Returns new console errors, failed requests and denied permissions, in one line.
    pub(crate) fn trouble(&self, record: &TabRecord) -> Option<String> {
        let facts = record.facts.now();
        facts.problems.line(self.problems, &facts.url)
    }
}

/// Why a wait ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The page is quiet, or the wait was given up.
    Settled(Reason),
    /// The page is loaded; nothing else was waited for.
    Loaded,
    /// A JavaScript dialog opened: its kind and text.
    Dialog(String, String),
    /// The navigation ended without a document: a download, an empty response, or stopped by the
    /// page.
    NoDocument(String),
    /// The navigation failed.
    Failed(String),
}

impl Stopped {
    /// Returns what the caller can do next.
    pub fn hint(&self) -> Option<Hint> {
        matches!(self, Stopped::Dialog(..)).then_some(Hint::AnswerDialog)
    }

    /// Whether the page is ready.
    pub fn is_ready(&self) -> bool {
        matches!(self, Stopped::Settled(Reason::Ready) | Stopped::Loaded)
    }

    /// Whether the time was up.
    pub(crate) fn is_late(&self) -> bool {
        matches!(self, Stopped::Settled(Reason::TimedOut(_)))
    }

    fn of(failure: Failure) -> Stopped {
        if failure.aborted {
            Stopped::NoDocument(failure.reason)
        } else {
            Stopped::Failed(failure.reason)
        }
    }
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stopped::Settled(Reason::StillChanging(what)) => {
                write!(f, "still changing: {}", safe(what, 100))
            }
            Stopped::Settled(Reason::StillLoading(what)) => {
                write!(f, "still loading: {}", safe(what, 100))
            }
            Stopped::Settled(reason) => f.write_str(&sentence(&reason.to_string())),
            Stopped::Loaded => write!(f, "loaded"),
            Stopped::Dialog(kind, message) => {
                let message = value(message, 200);
                write!(f, "dialog open ({kind}): {message}")
            }
            Stopped::NoDocument(why) => write!(f, "no new page: {}", sentence(why)),
            Stopped::Failed(why) => write!(f, "failed: {}", sentence(why)),
        }
    }
}

fn cut(facts: &TabFacts) -> Option<Cut> {
    if facts.closed {
        Some(Cut::Broken(BrowserError::TabClosed))
    } else if facts.crashed {
        Some(Cut::Broken(BrowserError::TabCrashed))
    } else {
        facts.dialog.clone().map(|(kind, message)| Cut::Dialog(kind, message))
    }
}

/// Waits until the document that comes after `mark` is quiet; without smart waiting until its
/// `load` event. Redirects by the page itself are followed.
pub(crate) async fn after_navigation(
    record: &TabRecord,
    mark: &Mark,
    deadline: Instant,
) -> Result<Stopped> {
    let smart = mark.smart;
    let arrived = record
        .facts
        .wait(deadline, |facts| match (cut(facts), &facts.failed) {
            (Some(cut), _) => Some(Err(cut)),
            (None, Some(failure)) if !facts.navigating => Some(Err(Cut::Failed(failure.clone()))),
            _ => {
                let there = facts.committed > mark.committed
                    && (smart || (facts.loaded && !facts.navigating));
                there.then_some(Ok(()))
            }
        })
        .await;
    match arrived {
        Some(Ok(())) if smart => at_rest(record, mark, deadline).await,
        Some(Ok(())) => Ok(Stopped::Loaded),
        Some(Err(cut)) => stopped(cut),
        None => {
            let mut facts = record.facts.now();
            // The state machine knows what is still pending.
            facts.activity.begin(
                SettleRules::NAVIGATION.within(Duration::ZERO),
                moment(mark.at),
                moment(mark.at),
            );
            let late = facts.activity.poll(moment(Instant::now()));
            facts.activity.end();
            Ok(Stopped::Settled(match late {
                Next::Done(reason @ Reason::TimedOut(_)) => reason,
                _ => Reason::TimedOut("the page did not finish loading".to_owned()),
            }))
        }
    }
}

/// Waits until the current document is quiet, with the rules for a navigation.
pub(crate) async fn at_rest(record: &TabRecord, mark: &Mark, deadline: Instant) -> Result<Stopped> {
    if !mark.smart {
        return Ok(Stopped::Loaded);
    }
    let rules = SettleRules { provable: mark.provable, ..SettleRules::NAVIGATION };
    let rules = rules.within(deadline.saturating_duration_since(mark.at));
    let ends = |facts: &TabFacts| match (cut(facts), &facts.failed) {
        (None, Some(failure)) if facts.begun > mark.begun && !facts.navigating => {
            Some(Cut::Failed(failure.clone()))
        }
        (cut, _) => cut,
    };
    let wish = Wish { pierce: mark.pierce, extent: mark.ahead, ahead: true, ..Wish::default() };
    let preview = || -> Work<'_> { Box::pin(preview(record, wish)) };
    match rest(record, rules, (mark.at, mark.at), Some(&preview), None, ends).await {
        Ok(reason) => Ok(Stopped::Settled(reason)),
        Err(cut) => stopped(cut),
    }
}

/// Captures a new page while it settles, so that the look after that needs only a patch. If this
/// fails, that look captures the whole page.
async fn preview(record: &TabRecord, wish: Wish<'static>) {
    if let Err(error) = capture(record, wish).await {
        tracing::debug!(%error, "the page could not be captured while it settled");
    }
}

/// Waits until the current page is quiet. Does not wait at all if it has been quiet for a while, or
/// is proven to be at rest.
pub(crate) async fn calm(record: &TabRecord, mark: &Mark) -> Result<Stopped> {
    if !mark.smart {
        return Ok(Stopped::Loaded);
    }
    // Unlike after an action, every request counts, and earlier quiet counts too.
    let rules = SettleRules { own: false, provable: mark.provable, ..SettleRules::ACTION };
    let before = mark.at.checked_sub(rules.network).unwrap_or(mark.at);
    match rest(record, rules, (before, before), None, None, cut).await {
        Ok(reason) => Ok(Stopped::Settled(reason)),
        Err(cut) => stopped(cut),
    }
}

fn stopped(cut: Cut) -> Result<Stopped> {
    match cut {
        Cut::Dialog(kind, message) => Ok(Stopped::Dialog(kind, message)),
        Cut::Failed(failure) => Ok(Stopped::of(failure)),
        Cut::Broken(error) => Err(error.into()),
        Cut::Left => Err(BrowserError::Navigated.into()),
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
    Navigated(Stopped),
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

/// Returns the outcome if the page does not react to what was done in a field since `mark`.
/// Otherwise its effects must be waited for.
pub(crate) async fn unmoved(record: &TabRecord, mark: &Mark) -> Option<SettleOutcome> {
    if !mark.smart {
        return None;
    }
    let answer = record.script(None, SettleRules::ACTION.limit).pulse().await.ok()?;
    let (loading, moving) = (answer.loading.is_some(), answer.moving > 0.0);
    take(record, answer, false);
    let facts = record.facts.now();
    let elsewhere = facts.same_document > mark.same_document || facts.windows > mark.windows;
    let stirred = facts.activity.has_stirred(moment(mark.at));
    let moved = loading || moving || elsewhere || stirred || leaves(&facts, mark);
    (!moved && cut(&facts).is_none()).then_some(SettleOutcome::Stayed(Reason::Ready))
}

/// Waits until the effects of an action have settled; without smart waiting only for the next
/// frame. Requests after `since` belong to the action. `ahead` runs meanwhile. After typing into a
/// field that may have suggestions, also waits for the first reaction of the page.
pub(crate) async fn after_action(
    record: &TabRecord,
    mark: &Mark,
    since: Instant,
    ahead: Ahead<'_>,
    suggesting: Option<SuggestingField>,
) -> Result<SettleOutcome> {
    let ends = |facts: &TabFacts| cut(facts).or_else(|| leaves(facts, mark).then_some(Cut::Left));
    let ended = if mark.smart {
        let times = (since, Instant::now());
        match &suggesting {
            None => rest(record, SettleRules::ACTION, times, ahead, None, ends).await,
            Some(SuggestingField { frame }) => {
                let rules = SettleRules::SUGGESTIONS;
                let script = record.script(frame.as_deref(), rules.limit);
                let reaction = script.reaction(rules.reaction.as_millis());
                let reaction: Reaction<'_> = Box::pin(async { reaction.await.unwrap_or(false) });
                rest(record, rules, times, ahead, Some(reaction), ends).await
            }
        }
    } else {
        next_frame(record, ends).await
    };
    match ended {
        Ok(reason) => Ok(stayed(&record.facts.now(), mark, reason)),
        Err(Cut::Dialog(..)) => Ok(SettleOutcome::Dialog),
        Err(Cut::Broken(BrowserError::TabClosed)) => match record.tab.stop().await {
            // If the browser ended, the action did not close the tab.
            Err(BrowserError::Disconnected) => Err(BrowserError::Disconnected.into()),
            _ => Ok(SettleOutcome::Closed),
        },
        Err(Cut::Broken(error)) => Err(error.into()),
        Err(Cut::Failed(_) | Cut::Left) => {
            Ok(match after_navigation(record, mark, mark.at + FOLLOW_LIMIT).await? {
                Stopped::Dialog(..) => SettleOutcome::Dialog,
                stopped => SettleOutcome::Navigated(stopped),
            })
        }
    }
}

/// Returns the outcome if the same document is still shown: nothing else, a different URL, or a
/// failed navigation.
fn stayed(facts: &TabFacts, mark: &Mark, reason: Reason) -> SettleOutcome {
    match &facts.failed {
        Some(failure) if facts.begun > mark.begun => {
            SettleOutcome::Navigated(Stopped::of(failure.clone()))
        }
        _ if facts.same_document > mark.same_document => {
            SettleOutcome::Navigated(Stopped::Settled(reason))
        }
        _ => SettleOutcome::Stayed(reason),
    }
}

/// Whether the tab is leaving, or has left, the document it showed.
fn leaves(facts: &TabFacts, mark: &Mark) -> bool {
    facts.committed > mark.committed || (facts.begun > mark.begun && facts.navigating)
}
