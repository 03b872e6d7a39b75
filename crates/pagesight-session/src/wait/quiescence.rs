//! Waits until a page is quiet. The state machine in core decides when; this file feeds it the
//! tab's events, the page's news and the time. It never polls, and it always ends. While it waits,
//! work that is needed afterwards can be done ahead.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use pagesight_browser::BrowserError;
use pagesight_core::settle::{
    DocumentChange, Event, LoadingSign, Next, Reason, Schedule, SettleRules,
};
use tokio::time::Instant;

use crate::page_script::{News, PageChange, PageSchedule};

use crate::tab::record::TabRecord;
use crate::tab::state::{Failure, TabState, moment};
use crate::wait::news::{EXPLAINED, PendingNews};

/// After a failed call, the page is asked again after this long.
const ASK_AGAIN: Duration = Duration::from_millis(50);
/// How long the engine may take to confirm that a page is at rest. The wait goes on meanwhile.
const CONFIRM_LIMIT: Duration = Duration::from_secs(2);
/// A page whose answer takes longer than this was busy.
const PROMPT: Duration = Duration::from_millis(150);
/// How long work that was done ahead may delay the end of the wait.
const AHEAD_LIMIT: Duration = Duration::from_secs(1);
/// The same after a navigation, where a look follows and would capture the page again.
const CAPTURE_LIMIT: Duration = Duration::from_secs(5);

/// When work is done ahead.
struct AheadRules {
    /// Nothing changed for this long.
    quiet_for: Duration,
    /// The wait may end within this time.
    nearly: Duration,
    /// A page that is not quiet after this time may never be.
    late: Duration,
    /// How often in one wait.
    most: u32,
}

/// After an action: the page was captured before, so that another capture costs little.
const AHEAD_OF_ACTION: AheadRules = AheadRules {
    quiet_for: Duration::from_millis(30),
    nearly: Duration::from_millis(120),
    late: Duration::from_millis(700),
    most: 3,
};
/// After a navigation: the first capture takes long, and a page that is still busy needs its main
/// thread.
const AHEAD_OF_NAVIGATION: AheadRules = AheadRules {
    quiet_for: Duration::from_millis(120),
    nearly: Duration::from_millis(300),
    late: Duration::from_millis(1500),
    most: 2,
};

/// The reason why a wait is cut short.
pub(crate) enum Interrupt {
    /// A JavaScript dialog opened: its kind and text.
    Dialog(String, String),
    /// The tab cannot be used.
    Broken(BrowserError),
    Failed(Failure),
    /// A different document is loading or was loaded.
    Left,
}

fn milliseconds(of: f64) -> Duration {
    Duration::from_secs_f64(of.clamp(0.0, 1e9) / 1000.0)
}

impl From<PageChange> for DocumentChange {
    fn from(change: PageChange) -> DocumentChange {
        let PageChange { shape, label, grows, value, steady, count, first, last } = change;
        DocumentChange {
            shape,
            label,
            grows,
            value,
            steady,
            count,
            first: milliseconds(first),
            last: milliseconds(last),
        }
    }
}

impl From<PageSchedule> for Schedule {
    fn from(PageSchedule { due, restless, later, used, .. }: PageSchedule) -> Schedule {
        Schedule { due: due.map(milliseconds), restless, later, used: used.map(milliseconds) }
    }
}

/// Records what the page reported, and returns whether the page changed. The answer to
/// `activityNow` (`pulse`) is complete up to now.
pub(crate) fn record_news(record: &TabRecord, news: News, pulse: bool) -> bool {
    let now = moment(Instant::now());
    let mut state = record.state.now();
    news.denied.iter().for_each(|name| state.problems.denied(name));
    let activity = &mut state.activity;
    let changed = !news.changes.is_empty();
    if changed {
        let changes: Vec<_> = news.changes.into_iter().map(DocumentChange::from).collect();
        tracing::trace!(?changes, "the page changed");
        activity.note(Event::Changed(changes), now);
    }
    if let Some(ago) = news.stalled {
        tracing::trace!(ago, "the page was busy");
        activity.note(Event::Stalled(milliseconds(ago)), now);
    }
    if news.at_rest && !state.refreshes {
        state.activity.note(Event::RestClaimed, now);
    }
    if pulse {
        let moving = milliseconds(news.moving);
        let schedule = news.schedule.map(Schedule::from);
        tracing::trace!(?schedule, loading = news.loading.as_deref(), "the page answered");
        let aside = news.aside;
        let loading = news.loading.map(|label| LoadingSign { label, aside });
        state.activity.note(Event::Pulse { loading, moving, schedule }, now);
    }
    changed
}

/// Waits for the first reaction of the page, and returns whether it came.
pub(crate) type Reaction<'a> = Pin<Box<dyn Future<Output = bool> + Send + 'a>>;

/// Work that is done while the page settles.
pub(crate) type Work<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Work that is done as soon as the page seems quiet, before that is certain. It is done again if
/// the page changes after all.
pub(crate) type Ahead<'a> = Option<&'a (dyn Fn() -> Work<'a> + Send + Sync)>;

/// The state of the work that is done ahead.
struct Preparation<'a> {
    ahead: Ahead<'a>,
    rules: AheadRules,
    running: Option<Work<'a>>,
    /// When the wait began.
    begun: Instant,
    /// When the last change of the page was reported.
    changed_at: Instant,
    /// The latest end of the wait so far, and since when it has been expected. A change that does
    /// not delay the end is background, such as a clock.
    expected_end: Instant,
    expected_since: Instant,
    /// The work was started since then.
    done: bool,
    left: u32,
}

impl<'a> Preparation<'a> {
    fn new(ahead: Ahead<'a>, rules: AheadRules, begun: Instant) -> Preparation<'a> {
        let left = rules.most;
        Preparation {
            ahead,
            rules,
            running: None,
            begun,
            changed_at: begun,
            expected_end: begun,
            expected_since: begun,
            done: false,
            left,
        }
    }

    fn changed(&mut self) {
        (self.changed_at, self.done) = (Instant::now(), false);
    }

    /// Starts the work if it is time, for a page that may be quiet at `until`. Otherwise returns
    /// when to try again, if that is sooner.
    fn begin(&mut self, now: Instant, until: Instant) -> Option<Instant> {
        if until > self.expected_end {
            (self.expected_end, self.expected_since) = (until, now);
        }
        let ahead = self.due()?;
        let AheadRules { quiet_for, nearly, late, most } = self.rules;
        if now >= self.begun + late && self.left == most {
            self.start(ahead);
            return None;
        }
        let quiet_at = self.changed_at.min(self.expected_since) + quiet_for;
        if now < quiet_at || until > now + nearly {
            return Some(quiet_at.max(until - nearly)).filter(|at| *at > now);
        }
        self.start(ahead);
        None
    }

    /// Starts the work now, because nothing in the page changes any more, or only a sign that it is
    /// loading delays the end.
    fn begin_at_rest(&mut self) {
        if let Some(ahead) = self.due() {
            self.start(ahead);
        }
    }

    /// Returns the work if it may be started.
    fn due(&self) -> Ahead<'a> {
        self.ahead.filter(|_| self.running.is_none() && !self.done && self.left > 0)
    }

    fn start(&mut self, ahead: &'a (dyn Fn() -> Work<'a> + Send + Sync)) {
        (self.running, self.done, self.left) = (Some(ahead()), true, self.left - 1);
    }

    async fn finished(&mut self) {
        match &mut self.running {
            Some(work) => work.await,
            None => std::future::pending().await,
        }
        self.running = None;
    }
}

/// Waits as the rules say, from `begun` on. Requests after `since` belong to the wait. `reaction`
/// is what the rules may wait for. Ends early if `ends` returns a reason.
pub(crate) async fn wait_until_idle(
    record: &TabRecord,
    rules: SettleRules,
    (since, begun): (Instant, Instant),
    ahead: Ahead<'_>,
    mut reaction: Option<Reaction<'_>>,
    ends: impl Fn(&TabState) -> Option<Interrupt>,
) -> std::result::Result<Reason, Interrupt> {
    let ahead_rules = if rules.own { AHEAD_OF_ACTION } else { AHEAD_OF_NAVIGATION };
    let mut preparation = Preparation::new(ahead, ahead_rules, begun);
    let mut confirmation = Confirmation::default();
    let deadline = begun + rules.limit.max(rules.follow);
    let mut changes = record.state.subscribe();
    record.state.now().activity.begin(rules, moment(since), moment(begun));
    let mut news = PendingNews::new(record);
    let mut ask_at = begun;
    let mut fresh = rules.own;
    let ended = loop {
        let now = Instant::now();
        let next = {
            let mut state = record.state.now();
            if let Some(interrupt) = ends(&state) {
                break Err(interrupt);
            }
            if state.activity.claims_rest() {
                confirmation.begin(record);
            }
            state.activity.poll(moment(now))
        };
        let look_up_at = look_up(record, now);
        let left = deadline.saturating_duration_since(now).max(Duration::from_millis(1));
        if !news.is_open() && now >= ask_at {
            news.ask(left, fresh, left + left);
            fresh = false;
        }
        match next {
            Next::Done(reason) => break Ok(reason),
            Next::Ask => {
                let asked = (left, rules.hooks);
                match pulse(record, asked, &mut news, &mut preparation).await {
                    Ok(answer) => {
                        note_delay(record, now.elapsed(), &answer);
                        if record_news(record, answer, true) {
                            preparation.changed();
                        }
                    }
                    Err(BrowserError::TimedOut { .. }) => {}
                    // The event that explains the error is on its way.
                    Err(_) => {
                        let soon = deadline.min(Instant::now() + EXPLAINED);
                        let seen = *changes.borrow_and_update();
                        let _ = record.state.wait_past(seen, soon).await;
                    }
                }
            }
            Next::Wait(until) => {
                if confirmation.running.is_some() || record.state.now().activity.is_loading() {
                    preparation.begin_at_rest();
                }
                let mut wake = now + until.saturating_sub(moment(now));
                if let Some(sooner) = preparation.begin(now, wake) {
                    wake = wake.min(sooner);
                }
                if !news.is_open() {
                    wake = wake.min(ask_at);
                }
                wake = look_up_at.map_or(wake, |at| wake.min(at));
                tokio::select! {
                    _ = changes.changed() => {}
                    () = tokio::time::sleep_until(wake) => {}
                    () = preparation.finished() => {}
                    confirmed = confirmation.answer() => if confirmed {
                        record.state.now().activity.note(Event::AtRest, moment(Instant::now()));
                    },
                    came = first(&mut reaction) => {
                        if came {
                            let now = moment(Instant::now());
                            record.state.now().activity.note(Event::Reacted, now);
                            preparation.changed();
                        }
                    }
                    answer = news.answer() => match answer {
                        Ok(answer) => {
                            if record_news(record, answer, false) {
                                preparation.changed();
                            }
                        }
                        Err(_) => ask_at = Instant::now() + ASK_AGAIN,
                    },
                }
            }
        }
    };
    record.state.now().activity.end();
    if ended.is_ok() && preparation.running.is_some() {
        // Work that is cut off now would only be started again: a look follows a navigation.
        let patience = if rules.own { AHEAD_LIMIT } else { CAPTURE_LIMIT };
        let _ = tokio::time::timeout(patience, preparation.finished()).await;
    }
    ended
}

/// Notes a busy page, which answers before the work that kept it busy has shown its effects.
fn note_delay(record: &TabRecord, delay: Duration, answer: &News) {
    let frames = answer.schedule.map_or(0.0, |schedule| schedule.took);
    if delay > PROMPT + milliseconds(frames) {
        let busy = Event::Stalled(Duration::ZERO);
        record.state.now().activity.note(busy, moment(Instant::now()));
    }
}

/// Looks up the name of a host that keeps the wait waiting, if that is due. Otherwise returns when
/// it will be.
fn look_up(record: &TabRecord, now: Instant) -> Option<Instant> {
    if !record.names.can_look_up() {
        return None;
    }
    let (due, host) = record.state.now().activity.questionable_host()?;
    let at = now + due.saturating_sub(moment(now));
    if at > now {
        return Some(at);
    }
    record.names.look_up(host, record.state.clone());
    // There may be another one.
    Some(now)
}

/// The check of a page's claim that it is at rest, by the engine. Made once per wait.
#[derive(Default)]
struct Confirmation<'a> {
    asked: bool,
    running: Option<Pin<Box<dyn Future<Output = bool> + Send + 'a>>>,
}

impl<'a> Confirmation<'a> {
    fn begin(&mut self, record: &'a TabRecord) {
        if !self.asked {
            self.asked = true;
            let answer = record.tab.lacks_closed_roots(CONFIRM_LIMIT);
            self.running = Some(Box::pin(async { answer.await.unwrap_or(false) }));
        }
    }

    /// Waits for the answer; for ever if there is no question.
    async fn answer(&mut self) -> bool {
        let answer = match &mut self.running {
            Some(running) => running.await,
            None => std::future::pending().await,
        };
        self.running = None;
        answer
    }
}

/// Waits for the reaction; for ever if none is expected or it was waited for already.
async fn first(reaction: &mut Option<Reaction<'_>>) -> bool {
    let came = match reaction {
        Some(reaction) => reaction.await,
        None => std::future::pending().await,
    };
    *reaction = None;
    came
}

/// Asks the page whether it is quiet. Handles pending news first, because the page reports
/// everything only once.
async fn pulse(
    record: &TabRecord,
    (limit, hooks): (Duration, bool),
    news: &mut PendingNews<'_>,
    preparation: &mut Preparation<'_>,
) -> std::result::Result<News, BrowserError> {
    let script = record.script(None, limit);
    let mut pulse = std::pin::pin!(script.activity_now(hooks));
    loop {
        tokio::select! {
            biased;
            // A failed `nextChange` call is repeated, or explained by an event, after the pulse.
            answer = news.answer(), if news.is_open() => {
                if answer.is_ok_and(|answer| record_news(record, answer, false)) {
                    preparation.changed();
                }
            }
            answer = &mut pulse => return answer,
        }
    }
}

/// Waits for the next repaint, unless the wait is cut short.
pub(crate) async fn next_repaint(
    record: &TabRecord,
    ends: impl Fn(&TabState) -> Option<Interrupt>,
) -> std::result::Result<Reason, Interrupt> {
    let deadline = Instant::now() + SettleRules::ACTION.limit;
    let script = record.script(None, SettleRules::ACTION.limit);
    let interrupt = tokio::select! {
        answer = script.next_animation_frame() => match answer {
            Ok(_) | Err(BrowserError::TimedOut { .. }) => ends(&record.state.now()),
            Err(_) => record.state.wait(deadline.min(Instant::now() + EXPLAINED), &ends).await,
        },
        interrupt = record.state.wait(deadline, &ends) => interrupt,
    };
    interrupt.map_or(Ok(Reason::Ready), Err)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    const RULES: AheadRules = AHEAD_OF_ACTION;

    /// Runs a test with a preparation whose work only counts how often it was started.
    fn with_preparation(test: impl FnOnce(&mut Preparation<'_>, Instant, &AtomicU32)) {
        let started = AtomicU32::new(0);
        let work = || -> Work<'_> {
            started.fetch_add(1, Ordering::Relaxed);
            Box::pin(std::future::ready(()))
        };
        let begun = Instant::now();
        test(&mut Preparation::new(Some(&work), RULES, begun), begun, &started);
    }

    #[tokio::test(start_paused = true)]
    async fn work_begins_when_the_page_is_nearly_quiet() {
        with_preparation(|preparation, begun, started| {
            let (quiet, nearly) = (RULES.quiet_for, RULES.nearly);
            // The page changed just now, so the next try is when it was quiet for a while.
            assert_eq!(preparation.begin(begun, begun + nearly), Some(begun + quiet));
            // The wait lasts longer, so the work is not needed yet.
            let (now, end) = (begun + quiet, begun + quiet + 2 * nearly);
            assert_eq!(preparation.begin(now, end), Some(end - nearly));
            assert_eq!(started.load(Ordering::Relaxed), 0);
            assert_eq!(preparation.begin(now, now + nearly), None);
            assert_eq!(started.load(Ordering::Relaxed), 1);
        });
    }

    #[tokio::test(start_paused = true)]
    async fn a_change_that_does_not_delay_the_end_does_not_delay_work() {
        with_preparation(|preparation, begun, started| {
            let end = begun + RULES.quiet_for + RULES.nearly;
            assert!(preparation.begin(begun, end).is_some());
            preparation.changed_at = begun + RULES.quiet_for;
            assert_eq!(preparation.begin(begun + RULES.quiet_for, end), None);
            assert_eq!(started.load(Ordering::Relaxed), 1);
        });
    }

    #[tokio::test(start_paused = true)]
    async fn work_is_repeated_only_after_a_change_and_not_without_end() {
        with_preparation(|preparation, begun, started| {
            let now = begun + RULES.quiet_for;
            for round in 1..=RULES.most + 2 {
                for _ in 0..2 {
                    preparation.begin(now, now);
                    preparation.running = None;
                }
                assert_eq!(started.load(Ordering::Relaxed), round.min(RULES.most));
                preparation.changed();
            }
        });
    }

    #[tokio::test(start_paused = true)]
    async fn work_begins_late_if_the_page_never_rests() {
        with_preparation(|preparation, begun, started| {
            for (at, expected) in [(RULES.late / 2, 0), (RULES.late, 1), (RULES.late * 2, 1)] {
                let now = begun + at;
                preparation.changed();
                preparation.changed_at = now;
                preparation.begin(now, now + RULES.nearly * 2);
                preparation.running = None;
                assert_eq!(started.load(Ordering::Relaxed), expected, "{at:?}");
            }
        });
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_claims_rest_is_captured_at_once() {
        with_preparation(|preparation, _, started| {
            preparation.begin_at_rest();
            preparation.begin_at_rest();
            assert_eq!(started.load(Ordering::Relaxed), 1, "it runs already");
        });
    }
}
