//! The state machine of smart waiting.

use std::collections::HashMap;
use std::time::Duration;

use super::model::{
    DocumentChange, Event, LoadingSign, Moment, Next, Overdue, PendingRequest, Reason, Schedule,
    SettleRules,
};
use super::requests::{HABIT, RequestEnd, Requests};
use super::visit_memory::VisitMemory;

/// How long to wait for a visible loading state when everything else is quiet.
const LOADING_LIMIT: Duration = Duration::from_secs(5);
/// The same if nothing is scheduled that could end the loading state, or it is beside the content.
const BRIEF_LOADING_LIMIT: Duration = Duration::from_millis(800);
/// An interface that was used so long ago no longer counts as one that may end a loading state.
const USED_LATELY: Duration = Duration::from_secs(1);
/// How often the page is asked again while it shows a loading state.
const ASK_AGAIN: Duration = Duration::from_millis(250);
/// Append-only changes count as background only after this long; before that the page may still be
/// rendering.
const GROWTH: Duration = Duration::from_millis(1200);
/// A change that an action started counts as an animation until it has lasted this long.
const ANIMATION: Duration = Duration::from_millis(700);
/// How long to wait for transitions and animations after an action.
const MOTION_LIMIT: Duration = Duration::from_millis(1500);
/// After a navigation, transitions are waited for so long after the last change, if nothing else is
/// scheduled: their end may start a script.
const FIRST_MOTION_LIMIT: Duration = Duration::from_millis(1000);
/// How long a page needs to say what is scheduled: two frames.
const ASKING: Duration = Duration::from_millis(40);
/// A page that knows what is scheduled may be busy so often after a navigation. Then it, or the
/// machine, is slow.
const STALLS: u32 = 10;
/// How many places of a document are tracked.
const MOST_CHANGES: usize = 512;

/// The activity of a tab, tracked whether or not a wait is under way.
#[derive(Debug, Default)]
pub struct Activity {
    requests: Requests,
    changes: HashMap<u64, ChangedRegion>,
    /// The last change of places that are no longer tracked, or the end of the last stall.
    changed_at: Moment,
    leaving: bool,
    /// When the current document arrived.
    arrived: Moment,
    parsed: bool,
    loaded: bool,
    /// When a wait last ended because the page was ready.
    rested: Moment,
    /// A wait ended with the proof that the page is at rest, and nothing contradicted it since.
    at_rest: bool,
    /// An action or a script of the caller may have changed the document: what it proves about
    /// itself no longer counts.
    doubted: bool,
    pub(super) wait: Option<Wait>,
}

#[derive(Debug)]
struct ChangedRegion {
    label: String,
    last: Moment,
    /// Only a value changes there.
    value: bool,
    /// It is background activity.
    usual: bool,
}

/// The answer of a page.
#[derive(Debug)]
struct Pulse {
    at: Moment,
    /// The visible loading state.
    loading: Option<LoadingSign>,
    schedule: Option<Schedule>,
}

/// When a page is quiet, and when to ask it.
struct Quiet {
    at: Moment,
    /// How long before that it is asked.
    lead: Duration,
    /// It is asked again after this long.
    pause: Duration,
}

/// A wait in progress.
#[derive(Debug)]
pub(super) struct Wait {
    pub(super) rules: SettleRules,
    since: Moment,
    pub(super) begun: Moment,
    /// The last answer of the page.
    pulse: Option<Pulse>,
    /// Whether an event came since then.
    new_event: bool,
    /// Since when the page has shown a loading state.
    sign_since: Option<Moment>,
    /// Only a loading state delays readiness.
    is_loading: bool,
    /// How often the main thread was busy since the last change that is not background. A thread
    /// that keeps being busy without any effect is slow, or the machine is.
    stalls: u32,
    /// When the current transitions end.
    moving: Moment,
    /// Whether the reaction that the rules wait for has come.
    reacted: bool,
    /// Whether the page claims that it is at rest, and no event contradicted that.
    claimed: bool,
    /// Whether the claim is confirmed.
    proven: bool,
}

/// Whether an event shows that a page which proved that it is at rest is not.
fn contradicts_rest(event: &Event) -> bool {
    match event {
        // A favicon, or a picture that came into view.
        Event::Requested(request) => request.kind.is_awaited(),
        Event::Changed(_) | Event::Leaving(_) | Event::Arrived { .. } | Event::Reacted => true,
        Event::Unwatched(_) => true,
        Event::Ended(_) | Event::Failed(_) | Event::Parsed | Event::Loaded => false,
        Event::Body { .. } => false,
        Event::Watched => false,
        Event::RestClaimed | Event::AtRest => false,
        Event::Stalled(_) | Event::Pulse { .. } => false,
    }
}

impl Activity {
    /// Starts a wait. Quiet counts from `now`; requests that began after `since` belong to the
    /// wait.
    pub fn begin(&mut self, rules: SettleRules, since: Moment, now: Moment) {
        // A document that arrived after the action is not the one that it was done to.
        if rules.own && self.arrived <= since {
            self.doubt_rest();
        }
        let proven = self.at_rest && rules.provable;
        self.wait = Some(Wait {
            rules,
            since,
            begun: now,
            pulse: None,
            new_event: false,
            sign_since: None,
            is_loading: false,
            stalls: 0,
            moving: now,
            reacted: false,
            claimed: proven,
            proven,
        });
    }

    /// Takes no proof of the current document that it is at rest: something is done to it.
    pub fn doubt_rest(&mut self) {
        (self.at_rest, self.doubted) = (false, true);
    }

    /// Forgets which requests were repeated: a step that repeats them on purpose begins, and they
    /// are no background.
    pub fn forget_habits(&mut self) {
        self.requests.forget_habits();
    }

    /// Ends a wait.
    pub fn end(&mut self) {
        self.wait = None;
    }

    /// Uses what is known from earlier visits, and adds to it.
    pub fn share(&mut self, memory: VisitMemory) {
        self.requests.memory = memory;
    }

    /// Forgets everything, except what is known from earlier visits.
    pub fn reset(&mut self) {
        let memory = std::mem::take(&mut self.requests.memory);
        *self = Activity::default();
        self.share(memory);
    }

    /// Whether the page claims that it is at rest, and that is not confirmed yet.
    pub fn claims_rest(&self) -> bool {
        self.wait.as_ref().is_some_and(|wait| wait.claimed && !wait.proven)
    }

    /// Whether only a loading state delays the end of the wait.
    pub fn is_loading(&self) -> bool {
        self.wait.as_ref().is_some_and(|wait| wait.is_loading)
    }

    /// Returns a host that keeps the wait waiting and is worth a look-up of its name, and when that
    /// is due. The caller reports the result to the memory that it shares.
    pub fn questionable_host(&self) -> Option<(Moment, String)> {
        let wait = self.wait.as_ref()?;
        let since = if wait.rules.own { wait.since } else { Moment::ZERO };
        self.requests.questionable_host(since)
    }

    /// Returns the pending requests, the oldest first.
    pub fn pending(&self) -> impl Iterator<Item = &PendingRequest> {
        self.requests.pending()
    }

    /// Records an event.
    pub fn note(&mut self, event: Event, now: Moment) {
        self.at_rest &= !contradicts_rest(&event);
        if let (Some(wait), true) = (&mut self.wait, !matches!(event, Event::Pulse { .. })) {
            wait.new_event = true;
            wait.claimed &= !contradicts_rest(&event);
            wait.proven &= wait.claimed;
        }
        match event {
            Event::Requested(request) => self.requests.begun(request, now),
            Event::Body { id, read } => self.requests.body(&id, read, now),
            Event::Ended(id) => self.requests.ended(&id, RequestEnd::Answered, now),
            Event::Failed(id) => self.requests.ended(&id, RequestEnd::Failed, now),
            Event::Unwatched(reason) => self.requests.unwatched(Some(reason), now),
            Event::Watched => self.requests.unwatched(None, now),
            Event::Leaving(leaving) => {
                self.leaving = leaving;
                self.requests.active(now);
            }
            Event::Arrived { parsed } => {
                self.leaving = false;
                (self.parsed, self.loaded) = (parsed, parsed);
                (self.arrived, self.doubted) = (now, false);
                self.changes.clear();
                self.changed_at = now;
                self.requests.forget_habits();
                if let Some(wait) = &mut self.wait {
                    wait.pulse = None;
                    (wait.sign_since, wait.is_loading) = (None, false);
                }
            }
            Event::Parsed => {
                self.parsed = true;
                self.changed_at = self.changed_at.max(now);
            }
            Event::Loaded => {
                (self.parsed, self.loaded) = (true, true);
                self.changed_at = self.changed_at.max(now);
                // Pages start their work at `load`, so the long quiet period begins there.
                self.requests.active(now);
            }
            Event::Changed(changes) => {
                changes.into_iter().for_each(|change| self.changed(change, now))
            }
            Event::Reacted => {
                self.changed_at = self.changed_at.max(now);
                if let Some(wait) = &mut self.wait {
                    wait.reacted = true;
                }
            }
            Event::RestClaimed => {
                if let Some(wait) = &mut self.wait {
                    wait.claimed = wait.rules.provable && !self.doubted;
                }
            }
            Event::AtRest => {
                if let Some(wait) = &mut self.wait {
                    wait.proven = wait.claimed;
                    self.at_rest = wait.proven;
                }
            }
            Event::Stalled(ago) => {
                if let Some(wait) = &mut self.wait {
                    wait.stalls += 1;
                    let most = if wait.rules.own { HABIT } else { STALLS };
                    if (wait.rules.own || wait.rules.hooks) && wait.stalls > most {
                        return;
                    }
                }
                self.changed_at = self.changed_at.max(now.saturating_sub(ago));
            }
            Event::Pulse { loading, moving, schedule } => {
                if let Some(wait) = &mut self.wait {
                    wait.moving = now + moving;
                    if wait.rules.own {
                        wait.moving = wait.moving.min(wait.begun + MOTION_LIMIT);
                    }
                    wait.sign_since = loading.as_ref().map(|_| wait.sign_since.unwrap_or(now));
                    wait.pulse = Some(Pulse { at: now, loading, schedule });
                    wait.new_event = false;
                }
            }
        }
    }

    fn changed(&mut self, change: DocumentChange, now: Moment) {
        if self.changes.len() >= MOST_CHANGES && !self.changes.contains_key(&change.shape) {
            let kept = std::mem::take(&mut self.changes);
            let last = kept.values().filter(|region| !region.usual).map(|region| region.last).max();
            self.changed_at = self.changed_at.max(last.unwrap_or_default());
        }
        let going_on = change.first.saturating_sub(change.last);
        // An accordion that opens changes with every frame; after three frames it is not open yet.
        let own = self.wait.as_ref().is_some_and(|wait| {
            wait.rules.own && now.saturating_sub(change.first) >= wait.since && going_on < ANIMATION
        });
        let in_action = self.wait.as_ref().is_some_and(|wait| wait.rules.own);
        let steady = change.steady && (!change.grows || in_action);
        let repeats = change.count >= HABIT && (!change.grows || going_on >= GROWTH);
        let usual = steady || (repeats && !own);
        if let (Some(wait), false) = (&mut self.wait, usual)
            && !(wait.rules.hooks && change.value)
        {
            wait.stalls = 0;
        }
        let last = now.saturating_sub(change.last);
        let DocumentChange { shape, label, value, .. } = change;
        self.changes.insert(shape, ChangedRegion { label, last, value, usual });
    }

    /// Returns the last change that is not background: when, and where.
    fn last_change(&self) -> (Moment, Option<&str>) {
        let regions = self.changes.values().filter(|region| !region.usual);
        let last = regions.max_by_key(|region| region.last);
        match last {
            Some(region) if region.last >= self.changed_at => {
                (region.last, Some(region.label.as_str()))
            }
            _ => (self.changed_at, None),
        }
    }

    /// Returns the last change that is not background and not only of a value.
    fn last_structural_change(&self) -> Moment {
        let regions = self.changes.values().filter(|region| !region.usual && !region.value);
        regions.map(|region| region.last).max().unwrap_or_default().max(self.changed_at)
    }

    /// Whether the page did anything since then that an action may have caused: a request, or a
    /// change that is not background.
    pub fn was_active(&self, since: Moment) -> bool {
        let known = self.requests.last_active(since) > since || self.last_change().0 > since;
        self.leaving || known || self.requests.is_unwatched()
    }

    /// Returns what to do now.
    pub fn poll(&mut self, now: Moment) -> Next {
        let next = self.next(now);
        if next == Next::Done(Reason::Ready) {
            self.rested = now;
        }
        next
    }

    fn next(&mut self, now: Moment) -> Next {
        let Some(wait) = &self.wait else { return Next::Done(Reason::Ready) };
        let rules = wait.rules;
        let SettleRules { limit, follow, own, .. } = rules;
        let since = if own { wait.since } else { Moment::ZERO };
        self.requests.give_up_unread(now);
        let first_expiry = self.requests.first_expiry(since, now);
        let busy = first_expiry.is_some();
        let end = wait.begun + if busy { limit.max(follow) } else { limit };
        if now >= end {
            return Next::Done(self.too_late(wait, since, now));
        }
        if self.leaving || !self.parsed || busy {
            return Next::Wait(first_expiry.unwrap_or(end).min(end));
        }
        if wait.proven {
            return self.at_rest(since, now);
        }
        let Quiet { at: rest, lead, pause } = self.quiet(wait, since, now);
        let next = match &wait.pulse {
            Some(Pulse { at, schedule: Some(Schedule { due: Some(due), .. }), .. })
                if *at >= rest =>
            {
                ask_from(*at + *due, now)
            }
            Some(Pulse { at, loading: None, .. }) if *at >= rest => self.at_rest(since, now),
            Some(Pulse { at, .. }) if *at >= rest => self.while_loading(now),
            pulse => {
                let again = pulse.as_ref().map_or(Moment::ZERO, |pulse| pulse.at + pause);
                ask_from(rest.saturating_sub(lead).max(again), now)
            }
        };
        match next {
            Next::Wait(until) => Next::Wait(until.min(end)),
            next => next,
        }
    }

    /// Returns what to do while the page shows that it is loading and is quiet otherwise.
    fn while_loading(&mut self, now: Moment) -> Next {
        let changed = self.last_structural_change();
        let Some(wait) = &mut self.wait else { return Next::Ask };
        let Some(Pulse { at, loading: Some(sign), schedule }) = &wait.pulse else {
            return Next::Ask;
        };
        wait.is_loading = true;
        let active = self.requests.last_active(wait.begun).max(changed);
        let since = wait.sign_since.unwrap_or(*at).max(active);
        let idle = schedule
            .is_some_and(|it| !it.later && it.used.is_none_or(|ago| ago > USED_LATELY))
            && !self.requests.recurs(since);
        let limit = if idle || sign.aside { BRIEF_LOADING_LIMIT } else { LOADING_LIMIT };
        let (patience, again) = (since + limit, *at + ASK_AGAIN);
        if now >= patience {
            return Next::Done(Reason::StillLoading(sign.label.clone()));
        }
        match wait.new_event {
            true => ask_from(again.min(patience), now),
            false => Next::Wait(patience),
        }
    }

    /// Returns when the page is quiet, if nothing else happens.
    fn quiet(&self, wait: &Wait, since: Moment, now: Moment) -> Quiet {
        let SettleRules { network, document, reaction, grace, lag, .. } = wait.rules;
        let active = self.requests.last_active(since);
        let reacted = if wait.reacted { wait.begun } else { wait.begun + reaction };
        let changed = self.last_change().0;
        let least = if wait.rules.own { wait.moving.max(reacted) } else { reacted };
        let by_rule = |changed: Moment| {
            let network_at = active.max(wait.begun) + network;
            network_at.max(changed.max(wait.begun) + document).max(least)
        };
        let unknown = Quiet { at: by_rule(changed), lead: Duration::ZERO, pause: Duration::ZERO };
        let parts = self.requests.loads_parts(now);
        let by_schedule = |changed: Moment| {
            let heard = if active > since { active + lag } else { active };
            let active = heard.max(self.requests.last_part()).max(changed);
            let latest = if wait.rules.own { Moment::MAX } else { active + FIRST_MOTION_LIMIT };
            (active + grace).max(wait.begun).max(wait.moving.min(latest))
        };
        if !wait.rules.hooks || !self.loaded {
            return unknown;
        }
        let known = |at: Moment| Quiet { at, lead: ASKING, pause: ASKING };
        match &wait.pulse {
            None if parts => unknown,
            None => known(by_schedule(changed)),
            Some(Pulse { schedule: None, .. }) => unknown,
            Some(Pulse { at, schedule: Some(Schedule { restless, used, .. }), .. }) => {
                let unobserved = used.is_some_and(|ago| *at - ago > self.rested);
                // What is due is waited for in any case. Other values change in the background.
                let changed = match unobserved {
                    true => changed,
                    false => self.last_structural_change(),
                };
                // An action has few changes, and who waits for it waits for each question.
                let pause = if wait.rules.own { document } else { ASK_AGAIN };
                match *restless || unobserved || parts {
                    true => Quiet { at: by_rule(changed), pause, ..unknown },
                    false => known(by_schedule(changed)),
                }
            }
        }
    }

    /// Ends the wait: only requests that are given up on may be pending.
    fn at_rest(&self, since: Moment, now: Moment) -> Next {
        let overdue = self.requests.overdue(since, now);
        Next::Done(overdue.map_or(Reason::Ready, Reason::StillPending))
    }

    /// Returns why the page is still not ready.
    fn too_late(&self, wait: &Wait, since: Moment, now: Moment) -> Reason {
        match self.requests.named(since) {
            Some((_, names)) if wait.rules.own => return Reason::StillPending(names),
            Some((count, names)) => return Reason::TimedOut(Overdue::Requests(count, names)),
            None => {}
        }
        if self.leaving || !self.parsed {
            return Reason::TimedOut(Overdue::Loading);
        }
        if let Some(Pulse { loading: Some(loading), .. }) = &wait.pulse {
            return Reason::StillLoading(loading.label.clone());
        }
        let schedule = wait.pulse.as_ref().and_then(|pulse| pulse.schedule);
        let (changed, region) = self.last_change();
        match region {
            Some(region) if changed + wait.rules.document * 2 >= now => {
                Reason::StillChanging(region.to_owned())
            }
            _ if schedule.is_some_and(|it| it.due.is_some()) => Reason::TimedOut(Overdue::Timers),
            _ => Reason::TimedOut(Overdue::Busy),
        }
    }
}

/// Asks the page from a moment on, and waits until then.
fn ask_from(at: Moment, now: Moment) -> Next {
    if now >= at { Next::Ask } else { Next::Wait(at) }
}
