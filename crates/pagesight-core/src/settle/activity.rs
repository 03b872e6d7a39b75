//! The state machine of smart waiting.

use std::collections::HashMap;
use std::time::Duration;

use super::model::{DocumentChange, Event, Moment, Next, PendingRequest, Reason, SettleRules};
use super::requests::{HABIT, PENDING_LIMIT, Requests};

/// How long a visible loading state is waited for, once everything else is at rest.
const LOADING_LIMIT: Duration = Duration::from_secs(5);
/// While something says that it is loading, the page is asked again at most this often.
const ASK_AGAIN: Duration = Duration::from_millis(250);
/// What only grows is told from a page that is still being built by going on for so long.
const GROWTH: Duration = Duration::from_millis(1200);
/// What an action set in motion is an animation that will end, until it has gone on for so long.
const ANIMATION: Duration = Duration::from_millis(700);
/// How long transitions and animations that end are waited for after an action.
const MOTION_LIMIT: Duration = Duration::from_millis(1500);
/// How many changes of a document are kept apart.
const MOST_CHANGES: usize = 512;

/// What goes on in a tab, whether somebody waits or not.
#[derive(Debug, Default)]
pub struct Activity {
    requests: Requests,
    changes: HashMap<u64, ChangedPlace>,
    /// The last change of what is no longer kept, and the end of the last stall.
    stirred: Moment,
    leaving: bool,
    /// The document that is shown is complete.
    parsed: bool,
    pub(super) wait: Option<Wait>,
}

#[derive(Debug)]
struct ChangedPlace {
    label: String,
    last: Moment,
    /// It changes like that all the time.
    usual: bool,
}

/// A wait under way.
#[derive(Debug)]
pub(super) struct Wait {
    pub(super) rules: SettleRules,
    since: Moment,
    pub(super) begun: Moment,
    /// When the page last answered, and what it said was loading.
    pulse: Option<(Moment, Option<String>)>,
    /// Whether anything was told since.
    news: bool,
    /// Since when only a loading state holds it up.
    loading: Option<Moment>,
    /// When the transitions under way will have ended.
    moving: Moment,
}

impl Activity {
    /// Begins a wait. Quiet is counted from `now`; requests that began after `since` are its own.
    pub fn begin(&mut self, rules: SettleRules, since: Moment, now: Moment) {
        self.wait = Some(Wait {
            rules,
            since,
            begun: now,
            pulse: None,
            news: false,
            loading: None,
            moving: now,
        });
    }

    /// Ends a wait.
    pub fn end(&mut self) {
        self.wait = None;
    }

    /// Requests that have not ended, the oldest first.
    pub fn pending(&self) -> impl Iterator<Item = &PendingRequest> {
        self.requests.pending()
    }

    /// Takes note of what happened.
    pub fn note(&mut self, event: Event, now: Moment) {
        if let (Some(wait), true) = (&mut self.wait, !matches!(event, Event::Pulse { .. })) {
            wait.news = true;
        }
        match event {
            Event::Requested(request) => self.requests.begun(request, now),
            Event::Ended(id) => self.requests.ended(&id, now),
            Event::Leaving(leaving) => {
                self.leaving = leaving;
                self.requests.stirred(now);
            }
            Event::Arrived { parsed } => {
                self.leaving = false;
                self.parsed = parsed;
                self.changes.clear();
                self.stirred = now;
                self.requests.forget_habits();
                if let Some(wait) = &mut self.wait {
                    wait.pulse = None;
                    wait.loading = None;
                }
            }
            Event::Parsed => {
                self.parsed = true;
                self.stirred = self.stirred.max(now);
            }
            Event::Changed(changes) => {
                changes.into_iter().for_each(|change| self.changed(change, now))
            }
            Event::Stalled(ago) => self.stirred = self.stirred.max(now.saturating_sub(ago)),
            Event::Pulse { loading, moving } => {
                if let Some(wait) = &mut self.wait {
                    if wait.rules.own {
                        wait.moving = (now + moving).min(wait.begun + MOTION_LIMIT);
                    }
                    wait.pulse = Some((now, loading));
                    wait.news = false;
                }
            }
        }
    }

    fn changed(&mut self, change: DocumentChange, now: Moment) {
        if self.changes.len() >= MOST_CHANGES && !self.changes.contains_key(&change.shape) {
            let kept = std::mem::take(&mut self.changes);
            let last = kept.values().filter(|place| !place.usual).map(|place| place.last).max();
            self.stirred = self.stirred.max(last.unwrap_or_default());
        }
        let going_on = change.first.saturating_sub(change.last);
        // Frame after frame an accordion slides open, and at the third frame it is not yet what it
        // is going to be.
        let own = self.wait.as_ref().is_some_and(|wait| {
            wait.rules.own && now.saturating_sub(change.first) >= wait.since && going_on < ANIMATION
        });
        let usual = change.count >= HABIT && (!change.grows || going_on >= GROWTH) && !own;
        let last = now.saturating_sub(change.last);
        self.changes.insert(change.shape, ChangedPlace { label: change.label, last, usual });
    }

    /// The last change that is no habit: when, and where.
    fn last_change(&self) -> (Moment, Option<&str>) {
        let places = self.changes.values().filter(|place| !place.usual);
        let last = places.max_by_key(|place| place.last);
        match last {
            Some(place) if place.last >= self.stirred => (place.last, Some(place.label.as_str())),
            _ => (self.stirred, None),
        }
    }

    /// What to do now.
    pub fn poll(&mut self, now: Moment) -> Next {
        let Some(wait) = &self.wait else { return Next::Done(Reason::Ready) };
        let SettleRules { network, document, limit, follow, own } = wait.rules;
        let since = if own { wait.since } else { Moment::ZERO };
        let mut counted = self.requests.counted(since, now);
        let first_expiry = counted.by_ref().map(|request| request.since + PENDING_LIMIT).min();
        let busy = first_expiry.is_some();
        let end = wait.begun + if busy { limit.max(follow) } else { limit };
        if now >= end {
            return Next::Done(self.too_late(wait, since, now));
        }
        let (changed, _) = self.last_change();
        if self.leaving || !self.parsed || busy {
            return Next::Wait(first_expiry.unwrap_or(end).min(end));
        }
        let network_at = self.requests.last_stir(since).max(wait.begun) + network;
        let rest = network_at.max(changed.max(wait.begun) + document).max(wait.moving);
        if now < rest {
            return Next::Wait(rest.min(end));
        }
        match &wait.pulse {
            Some((at, None)) if *at >= rest => {
                Next::Done(match self.requests.overdue(since, now) {
                    Some(named) => Reason::StillPending(named),
                    None => Reason::Ready,
                })
            }
            Some((at, Some(what))) if *at >= rest => {
                let since = wait.loading.unwrap_or(*at);
                let (patience, again) = (since + LOADING_LIMIT, *at + ASK_AGAIN);
                if now >= patience {
                    return Next::Done(Reason::StillLoading(what.clone()));
                }
                let ask = wait.news && now >= again;
                let until = if wait.news { again.min(patience) } else { patience };
                if let Some(wait) = &mut self.wait {
                    wait.loading = Some(since);
                }
                if ask { Next::Ask } else { Next::Wait(until.min(end)) }
            }
            _ => Next::Ask,
        }
    }

    /// Why it is still not at rest.
    fn too_late(&self, wait: &Wait, since: Moment, now: Moment) -> Reason {
        match self.requests.named(since) {
            Some((_, names)) if wait.rules.own => return Reason::StillPending(names),
            Some((1, name)) => return Reason::TimedOut(format!("1 request pending: {name}")),
            Some((count, names)) => {
                return Reason::TimedOut(format!("{count} requests pending: {names}"));
            }
            None => {}
        }
        if self.leaving || !self.parsed {
            return Reason::TimedOut("the page did not finish loading".to_owned());
        }
        if let Some((_, Some(loading))) = &wait.pulse {
            return Reason::StillLoading(loading.clone());
        }
        let (changed, place) = self.last_change();
        match place {
            Some(place) if changed + wait.rules.document * 2 >= now => {
                Reason::StillChanging(place.to_owned())
            }
            _ => Reason::TimedOut("the page is busy and does not answer".to_owned()),
        }
    }
}
