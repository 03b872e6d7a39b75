//! Tracks pending requests, and which of them recur. Times come with the events.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use super::habits::{exact, is_poll, loose, named_host};
use super::model::{Moment, PendingRequest, RequestClass};
use super::visit_memory::{HostName, VisitMemory};

/// How long to wait for a request that does not recur.
const PENDING_LIMIT: Duration = Duration::from_secs(5);
/// How long to wait for a poll, and for a host whose name does not resolve.
const BRIEF_LIMIT: Duration = Duration::from_secs(1);
/// How long the first byte of a body may come after its headers, and how long if it never did on
/// earlier visits.
const UNREAD_LIMIT: Duration = Duration::from_secs(1);
const KNOWN_UNREAD_LIMIT: Duration = Duration::from_millis(300);
/// When the name of the host is looked up. Most requests end earlier.
const LOOK_UP_AFTER: Duration = Duration::from_millis(300);
/// After this many repetitions a request or a change counts as background.
pub(super) const HABIT: u32 = 3;
/// Starts closer together than this count as one: a page may request the same thing three times at
/// once.
const OCCASION: Duration = Duration::from_millis(100);
/// A repetition after a longer gap does not count, because the page can become quiet in between.
const FORGOTTEN: Duration = Duration::from_secs(3);
/// The number of repetitions for requests that differ only in numbers. It is higher, because a
/// short chain of such requests is real work.
const LOOSE_HABIT: u32 = 7;
/// How many shapes are remembered.
const MOST_SHAPES: usize = 1000;
/// How many pending requests are followed; a page that has more is not waited for exactly.
const MOST_PENDING: usize = 2000;
/// How many characters of an address are kept. A `data:` address may have millions.
const LONGEST_ADDRESS: usize = 2000;

/// The requests of a tab.
#[derive(Debug, Default)]
pub(super) struct Requests {
    pending: HashMap<String, Held>,
    shapes: HashMap<u64, Habit>,
    /// When the last request that counts began or ended.
    last: Moment,
    /// When the last picture or font ended.
    last_part: Moment,
    /// Knowledge from earlier visits.
    pub(super) memory: VisitMemory,
    /// Why requests are not reported, if they are not.
    unwatched: Option<String>,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestEnd {
    Answered,
    /// Without one: it failed, or the page gave up on it.
    Failed,
}

#[derive(Debug)]
struct Held {
    request: PendingRequest,
    exact: u64,
    loose: u64,
    usual: bool,
    /// It is recognised as a poll.
    poll: bool,
    body: ResponseBody,
    /// The host, if its name may not resolve.
    host: Option<String>,
}

/// The knowledge about the body of a response that has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResponseBody {
    /// There are no headers yet, or the engine does not report bodies.
    Unknown,
    /// Nobody has read it since then.
    Unread(Moment),
    /// Somebody reads it.
    Coming,
    /// Nobody reads it, and the wait for that was given up.
    GivenUp,
}

#[derive(Clone, Copy, Debug)]
struct Habit {
    count: u32,
    last: Moment,
}

impl Requests {
    pub(super) fn begun(&mut self, request: PendingRequest, now: Moment) {
        let request = PendingRequest { url: beginning(request.url), ..request };
        let (exact, loose) = (
            hash(('=', exact(&request.method, &request.url))),
            hash(('~', loose(&request.method, &request.url))),
        );
        let mut usual = false;
        if request.kind.is_awaited() {
            let enough = if request.framed { HABIT } else { LOOSE_HABIT };
            // Many similar requests at once (parts of a table) are real work. Similar requests one
            // after the other are background.
            let crowd = self.pending.values().any(|held| held.loose == loose);
            let same = self.again(exact, now);
            let alike = if crowd { 0 } else { self.again(loose, now) };
            usual = same >= HABIT || alike >= enough;
            if usual {
                // The pending requests of the same shape are background too.
                for held in self.pending.values_mut() {
                    held.usual |= (same >= HABIT && held.exact == exact)
                        || (alike >= enough && held.loose == loose);
                }
            } else {
                self.last = self.last.max(now);
            }
        }
        if self.pending.len() >= MOST_PENDING {
            return;
        }
        let poll = request.kind == RequestClass::Fetch
            && (request.streams
                // What a form sends is not a poll, whatever its address.
                || (request.method == "GET"
                    && (is_poll(&request.url) || self.memory.stays_pending(exact))));
        let host = named_host(&request.url).map(str::to_owned);
        let request = PendingRequest { since: now, ..request };
        let body = ResponseBody::Unknown;
        let held = Held { request, exact, loose, usual, poll, body, host };
        self.pending.insert(held.request.id.clone(), held);
    }

    /// Counts a request of this shape. Returns how often the shape was repeated.
    fn again(&mut self, shape: u64, now: Moment) -> u32 {
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

    pub(super) fn ended(&mut self, id: &str, ending: RequestEnd, now: Moment) {
        let Some(held) = self.pending.remove(id) else { return };
        // A request that was given up on does not delay readiness again.
        let in_time = now.saturating_sub(held.request.since) < PENDING_LIMIT
            && held.body != ResponseBody::GivenUp;
        if held.request.kind.is_awaited() && !held.usual && in_time {
            self.last = self.last.max(now);
        }
        if held.request.kind == RequestClass::Part {
            self.last_part = self.last_part.max(now);
        }
        if ending == RequestEnd::Answered {
            if in_time {
                self.memory.ends(held.exact);
            }
            self.memory.is_read(held.exact);
            if let Some(host) = &held.host {
                self.memory.host(host, HostName::Resolves);
            }
        }
    }

    /// Records whether somebody reads a body.
    pub(super) fn body(&mut self, id: &str, read: bool, now: Moment) {
        let Some(held) = self.pending.get_mut(id) else { return };
        held.body = match held.body {
            _ if read => {
                self.memory.is_read(held.exact);
                ResponseBody::Coming
            }
            ResponseBody::Unknown | ResponseBody::Coming => ResponseBody::Unread(now),
            unread => unread,
        };
    }

    /// Gives up on bodies that nobody reads.
    pub(super) fn give_up_unread(&mut self, now: Moment) {
        for held in self.pending.values_mut() {
            let ResponseBody::Unread(since) = held.body else { continue };
            if since + unread_limit(&self.memory, held.exact) <= now {
                held.body = ResponseBody::GivenUp;
                self.memory.is_unread(held.exact);
            }
        }
    }

    /// Records that requests are not reported any more, for a reason, or that they are again.
    pub(super) fn unwatched(&mut self, reason: Option<String>, now: Moment) {
        if reason.is_some() {
            // Their ends are not reported either.
            self.pending.clear();
        }
        self.unwatched = reason;
        self.active(now);
    }

    /// Whether requests may be pending that are not known.
    pub(super) fn is_unwatched(&self) -> bool {
        self.unwatched.is_some()
    }

    /// Records other network activity.
    pub(super) fn active(&mut self, now: Moment) {
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

    /// Returns the pending requests that began at or after `since` and that the page may be waiting
    /// for.
    fn awaited(&self, since: Moment) -> impl Iterator<Item = &Held> {
        let awaited = move |held: &&Held| {
            held.request.kind.is_awaited()
                && !held.usual
                && held.body != ResponseBody::GivenUp
                && held.request.since >= since
        };
        self.pending.values().filter(awaited)
    }

    /// Returns when a request is given up on.
    fn expiry(&self, held: &Held) -> Moment {
        let unresolved = || {
            let name = held.host.as_ref().and_then(|host| self.memory.host_name(host));
            matches!(name, Some(HostName::LookedUp | HostName::Unknown))
        };
        let brief = held.poll || unresolved();
        let expiry = held.request.since + if brief { BRIEF_LIMIT } else { PENDING_LIMIT };
        match held.body {
            ResponseBody::Unread(at) => expiry.min(at + unread_limit(&self.memory, held.exact)),
            _ => expiry,
        }
    }

    /// Returns when the first of the awaited requests that are not given up on yet will be; none if
    /// there are none.
    pub(super) fn first_expiry(&self, since: Moment, now: Moment) -> Option<Moment> {
        self.awaited(since).map(|held| self.expiry(held)).filter(|expiry| *expiry > now).min()
    }

    /// Returns the host of an awaited request whose name was never looked up, and when that is due;
    /// the earliest.
    pub(super) fn questionable_host(&self, since: Moment) -> Option<(Moment, String)> {
        let unasked = self.awaited(since).filter_map(|held| {
            let host = held.host.as_ref().filter(|host| self.memory.host_name(host).is_none())?;
            Some((held.request.since + LOOK_UP_AFTER, host.clone()))
        });
        unasked.min()
    }

    /// Returns when the last request began or ended, or `since` if that is later.
    pub(super) fn last_active(&self, since: Moment) -> Moment {
        self.last.max(since)
    }

    /// Whether a picture or a font is being loaded, and not for long.
    pub(super) fn loads_parts(&self, now: Moment) -> bool {
        self.pending.values().any(|held| {
            held.request.kind == RequestClass::Part
                && now.saturating_sub(held.request.since) < PENDING_LIMIT
        })
    }

    /// Returns when the last picture or font ended.
    pub(super) fn last_part(&self) -> Moment {
        self.last_part
    }

    /// Whether a request was repeated since then: a page may ask until something is done.
    pub(super) fn recurs(&self, since: Moment) -> bool {
        self.shapes.values().any(|habit| habit.count > 1 && habit.last + FORGOTTEN > since)
    }

    /// Returns the names of the requests that are given up on, and why others are not known.
    pub(super) fn overdue(&self, since: Moment, now: Moment) -> Option<String> {
        let overdue: Vec<&Held> =
            self.awaited(since).filter(|held| self.expiry(held) <= now).collect();
        for held in &overdue {
            let age = now.saturating_sub(held.request.since);
            if held.request.kind == RequestClass::Fetch && age >= PENDING_LIMIT {
                self.memory.stays(held.exact);
            }
        }
        let names = names(overdue.into_iter().map(|held| &held.request)).map(|(_, names)| names);
        let all: Vec<String> = names.into_iter().chain(self.unwatched.clone()).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// Returns the number of awaited requests, and their names.
    pub(super) fn named(&self, since: Moment) -> Option<(usize, String)> {
        names(self.awaited(since).map(|held| &held.request))
    }
}

/// Returns how long the body of a request of this shape counts after its headers, unread.
fn unread_limit(memory: &VisitMemory, shape: u64) -> Duration {
    if memory.stays_unread(shape) { KNOWN_UNREAD_LIMIT } else { UNREAD_LIMIT }
}

/// Cuts an address that is too long. What was cut counts by its hash.
fn beginning(mut url: String) -> String {
    if url.len() > LONGEST_ADDRESS {
        let rest = hash(url.as_str());
        let cut = (0..=LONGEST_ADDRESS).rev().find(|at| url.is_char_boundary(*at));
        url.truncate(cut.unwrap_or_default());
        url.push_str(&format!("…{rest:x}"));
        url.shrink_to_fit();
    }
    url
}

pub(super) fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the number of requests and the names of the two oldest.
fn names<'a>(requests: impl Iterator<Item = &'a PendingRequest>) -> Option<(usize, String)> {
    let mut all: Vec<&PendingRequest> = requests.collect();
    all.sort_by(|a, b| (a.since, &a.label).cmp(&(b.since, &b.label)));
    let mut named: Vec<&str> = all.iter().take(2).map(|request| request.label.as_str()).collect();
    if all.len() > 2 {
        named.push("…");
    }
    (!all.is_empty()).then(|| (all.len(), named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: usize, url: String) -> PendingRequest {
        PendingRequest {
            id: id.to_string(),
            kind: RequestClass::Fetch,
            method: "GET".to_owned(),
            url,
            label: "GET /".to_owned(),
            framed: false,
            streams: false,
            since: Moment::ZERO,
        }
    }

    #[test]
    fn what_is_kept_of_requests_is_bounded() {
        let mut requests = Requests::default();
        let long = "x".repeat(1_000_000);
        for id in 0..3_000 {
            let padding = if id < 5 { long.as_str() } else { "" };
            let url = format!("https://a/?{padding}{id}");
            requests.begun(request(id, url), Duration::from_millis(id as u64));
        }
        let kept: usize = requests.pending().map(|request| request.url.len()).sum();
        assert!(kept < 100_000, "{kept}");
        assert_eq!(requests.pending().count(), MOST_PENDING);
        // Two long addresses that differ only at the end are two requests.
        let mut shapes: Vec<u64> = requests.pending.values().map(|held| held.exact).collect();
        shapes.sort_unstable();
        shapes.dedup();
        assert_eq!(shapes.len(), MOST_PENDING);
        // One that was not followed may end.
        requests.ended("2999", RequestEnd::Answered, Duration::from_secs(3));
    }
}
