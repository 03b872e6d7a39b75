//! Requests under way, and which of them recur. Pure: times come with the events.

use std::collections::HashMap;
use std::time::Duration;

use super::habits::{exact, loose};
use super::model::{Moment, PendingRequest, RequestClass};

/// How long a request that was never seen before is waited for.
pub(super) const PENDING_LIMIT: Duration = Duration::from_secs(5);
/// The third of the same shape is a habit.
pub(super) const HABIT: u32 = 3;
/// Starts closer together than this are one and the same occasion: a page may ask for the same
/// thing three times at once.
const OCCASION: Duration = Duration::from_millis(100);
/// What comes again only after so long is no habit: there is room for quiet in between.
const FORGOTTEN: Duration = Duration::from_secs(3);
/// Requests that differ in numbers: a chain of a few is work, more than that is a habit.
const LOOSE_HABIT: u32 = 7;
/// How many shapes are remembered.
const MOST_SHAPES: usize = 1000;

/// The requests of a tab.
#[derive(Debug, Default)]
pub(super) struct Requests {
    pending: HashMap<String, Held>,
    shapes: HashMap<String, Habit>,
    /// When the last one that counted began or ended.
    last: Moment,
}

#[derive(Debug)]
struct Held {
    request: PendingRequest,
    exact: String,
    loose: String,
    usual: bool,
}

#[derive(Clone, Copy, Debug)]
struct Habit {
    count: u32,
    last: Moment,
}

impl Requests {
    pub(super) fn begun(&mut self, request: PendingRequest, now: Moment) {
        let (exact, loose) =
            (exact(&request.method, &request.url), loose(&request.method, &request.url));
        let mut usual = false;
        if request.kind != RequestClass::Unawaited {
            let enough = if request.framed { HABIT } else { LOOSE_HABIT };
            // Many at a time that are alike (parts of a table) are work, one after the other they
            // are a habit.
            let crowd = self.pending.values().any(|held| held.loose == loose);
            let same = self.again(format!("= {exact}"), now);
            let alike = if crowd { 0 } else { self.again(format!("~ {loose}"), now) };
            usual = same >= HABIT || alike >= enough;
            if usual {
                // So were those before it.
                for held in self.pending.values_mut() {
                    held.usual |= (same >= HABIT && held.exact == exact)
                        || (alike >= enough && held.loose == loose);
                }
            } else {
                self.last = self.last.max(now);
            }
        }
        let request = PendingRequest { since: now, ..request };
        self.pending.insert(request.id.clone(), Held { request, exact, loose, usual });
    }

    /// The how-manieth of its shape it is.
    fn again(&mut self, shape: String, now: Moment) -> u32 {
        if self.shapes.len() >= MOST_SHAPES && !self.shapes.contains_key(&shape) {
            self.shapes.clear();
        }
        let habit = self.shapes.entry(shape).or_insert(Habit { count: 0, last: now });
        let gap = now.saturating_sub(habit.last);
        habit.count = match habit.count {
            0 => 1,
            _ if gap > FORGOTTEN => 1,
            count if gap < OCCASION => return count,
            count => count + 1,
        };
        habit.last = now;
        habit.count
    }

    pub(super) fn ended(&mut self, id: &str, now: Moment) {
        if let Some(held) = self.pending.remove(id)
            && held.request.kind != RequestClass::Unawaited
            && !held.usual
            // What was given up on holds nothing up a second time.
            && now.saturating_sub(held.request.since) < PENDING_LIMIT
        {
            self.last = self.last.max(now);
        }
    }

    /// Something else that counts as traffic.
    pub(super) fn stirred(&mut self, now: Moment) {
        self.last = self.last.max(now);
    }

    pub(super) fn forget_habits(&mut self) {
        self.shapes.clear();
    }

    pub(super) fn pending(&self) -> impl Iterator<Item = &PendingRequest> {
        let mut all: Vec<&PendingRequest> =
            self.pending.values().map(|held| &held.request).collect();
        all.sort_by(|a, b| (a.since, &a.id).cmp(&(b.since, &b.id)));
        all.into_iter()
    }

    /// Those that something on the page may be waiting for, begun since then.
    fn awaited(&self, since: Moment) -> impl Iterator<Item = &PendingRequest> {
        let awaited = move |held: &&Held| {
            held.request.kind != RequestClass::Unawaited
                && !held.usual
                && held.request.since >= since
        };
        self.pending.values().filter(awaited).map(|held| &held.request)
    }

    /// Those of them that are not given up on.
    pub(super) fn counted(
        &self,
        since: Moment,
        now: Moment,
    ) -> impl Iterator<Item = &PendingRequest> {
        self.awaited(since).filter(move |request| now.saturating_sub(request.since) < PENDING_LIMIT)
    }

    /// When the last one since then began or ended.
    pub(super) fn last_stir(&self, since: Moment) -> Moment {
        self.last.max(since)
    }

    /// Those that are given up on, for people.
    pub(super) fn overdue(&self, since: Moment, now: Moment) -> Option<String> {
        let overdue =
            |request: &&PendingRequest| now.saturating_sub(request.since) >= PENDING_LIMIT;
        names(self.awaited(since).filter(overdue)).map(|(_, names)| names)
    }

    /// All that are awaited: how many, and their names.
    pub(super) fn named(&self, since: Moment) -> Option<(usize, String)> {
        names(self.awaited(since))
    }
}

/// The first two, the oldest first.
fn names<'a>(requests: impl Iterator<Item = &'a PendingRequest>) -> Option<(usize, String)> {
    let mut all: Vec<&PendingRequest> = requests.collect();
    all.sort_by(|a, b| (a.since, &a.label).cmp(&(b.since, &b.label)));
    let mut named: Vec<&str> = all.iter().take(2).map(|request| request.label.as_str()).collect();
    if all.len() > 2 {
        named.push("…");
    }
    (!all.is_empty()).then(|| (all.len(), named.join(", ")))
}
