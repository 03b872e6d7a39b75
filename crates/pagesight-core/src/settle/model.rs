//! Smart waiting as a pure state machine: what happens in a tab comes in with its time, and
//! [`Activity::poll`] says whether to wait, to ask the page, or why to stop. No clock, no page: the
//! session brings both.
//!
//! A page is ready when its network and its document have been quiet for as long as the [`Rules`]
//! say and the page itself has confirmed it, because a busy main thread looks just like a quiet one
//! from outside. What recurs (the third of the same shape) is the page's way of living and holds
//! nothing up, unless an action set it in motion just now; what stays pending or goes on loading
//! holds it up for a while and is then named. Only [`Reason::Ready`] means ready.

mod habits;
mod requests;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::time::Duration;

use requests::Requests;
pub use requests::{Request, RequestKind};

/// A point in time: how long after some fixed start.
pub type Moment = Duration;

/// How long a request that was never seen before is waited for.
const PENDING_LIMIT: Duration = Duration::from_secs(5);
/// How long a visible loading state is waited for, once everything else is at rest.
const LOADING_LIMIT: Duration = Duration::from_secs(5);
/// While something says that it is loading, the page is asked again at most this often.
const ASK_AGAIN: Duration = Duration::from_millis(250);
/// What only grows is told from a page that is still being built by going on for so long.
const GROWTH: Duration = Duration::from_millis(1200);
/// The third of the same shape is a habit.
const HABIT: u32 = 3;
/// What an action set in motion is an animation that will end, until it has gone on for so long.
const ANIMATION: Duration = Duration::from_millis(700);
/// How long transitions and animations that end are waited for after an action.
const MOTION_LIMIT: Duration = Duration::from_millis(1500);
/// How many changes of a document are kept apart.
const MOST_CHANGES: usize = 512;

/// How long things have to be quiet, and how long that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Without a request.
    pub network: Duration,
    /// Without a change of the document.
    pub document: Duration,
    /// The longest wait.
    pub limit: Duration,
    /// The longest wait while a request is pending that began during it.
    pub follow: Duration,
    /// Only requests that began during the wait count.
    pub own: bool,
}

impl Rules {
    /// After a navigation.
    pub const NAVIGATION: Rules = Rules {
        network: Duration::from_millis(500),
        document: Duration::from_millis(300),
        limit: Duration::from_secs(10),
        follow: Duration::from_secs(10),
        own: false,
    };
    /// After an action.
    pub const ACTION: Rules = Rules {
        network: Duration::from_millis(150),
        document: Duration::from_millis(100),
        limit: Duration::from_secs(3),
        follow: Duration::from_secs(5),
        own: true,
    };

    /// The same with another longest wait.
    pub fn within(self, limit: Duration) -> Rules {
        Rules { limit, follow: limit, ..self }
    }
}

/// One place of the document that changed: all changes of the same shape there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The same for changes of the same kind at the same place.
    pub shape: u64,
    /// The place, for people: `ul#log`.
    pub label: String,
    /// Whether something came and nothing went.
    pub grows: bool,
    /// How often it happened in close succession.
    pub count: u32,
    /// How long ago the first and the last of them was.
    pub first: Duration,
    /// See `first`.
    pub last: Duration,
}

/// What happened in a tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A request began.
    Requested(Request),
    /// A request ended, however.
    Ended(String),
    /// The top frame is about to show another document, or no longer.
    Leaving(bool),
    /// The top frame shows another document; `parsed`: it was complete already.
    Arrived {
        /// It came out of a cache, as it was left.
        parsed: bool,
    },
    /// The document is complete.
    Parsed,
    /// The document changed.
    Changed(Vec<Change>),
    /// The main thread was busy until so long ago.
    Stalled(Duration),
    /// The page answered: everything up to now has been told.
    Pulse {
        /// What says that it is still loading, if something does.
        loading: Option<String>,
        /// How long the transitions that it is in will take.
        moving: Duration,
    },
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Wait for an event, until this moment at the longest.
    Wait(Moment),
    /// Ask the page for its pulse; it may have been busy.
    Ask,
    /// The wait is over.
    Done(Reason),
}

/// Why a wait ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// At rest.
    Ready,
    /// At rest but for these requests.
    StillPending(String),
    /// The document goes on changing here.
    StillChanging(String),
    /// This says that it is still loading.
    StillLoading(String),
    /// The time was up; what was going on.
    TimedOut(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Ready => write!(f, "ready"),
            Reason::StillPending(what) => write!(f, "still pending: {what}"),
            Reason::StillChanging(what) => write!(f, "still changing: {what}"),
            Reason::StillLoading(what) => write!(f, "still loading: {what}"),
            Reason::TimedOut(what) => write!(f, "timed out: {what}"),
        }
    }
}

/// What goes on in a tab, whether somebody waits or not.
#[derive(Debug, Default)]
pub struct Activity {
    requests: Requests,
    changes: HashMap<u64, Place>,
    /// The last change of what is no longer kept, and the end of the last stall.
    stirred: Moment,
    leaving: bool,
    /// The document that is shown is complete.
    parsed: bool,
    wait: Option<Wait>,
}

#[derive(Debug)]
struct Place {
    label: String,
    last: Moment,
    /// It changes like that all the time.
    usual: bool,
}

/// A wait under way.
#[derive(Debug)]
struct Wait {
    rules: Rules,
    since: Moment,
    begun: Moment,
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
    pub fn begin(&mut self, rules: Rules, since: Moment, now: Moment) {
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
    pub fn pending(&self) -> impl Iterator<Item = &Request> {
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

    fn changed(&mut self, change: Change, now: Moment) {
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
        self.changes.insert(change.shape, Place { label: change.label, last, usual });
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
        let Rules { network, document, limit, follow, own } = wait.rules;
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
