//! The data of smart waiting: what happens in a tab, how long to wait, and why a wait ended.

use std::time::Duration;

/// A point in time, as the time since a fixed start.
pub type Moment = Duration;

/// How long network and document must be quiet, and how long to wait for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettleRules {
    /// The time without a request.
    pub network: Duration,
    /// The time without a change of the document.
    pub document: Duration,
    /// The longest wait.
    pub limit: Duration,
    /// The longest wait while a request is pending that began during the wait.
    pub follow: Duration,
    /// Only requests that began during the wait count.
    pub own: bool,
    /// Whether a page that proves that it is at rest ends the wait.
    pub provable: bool,
    /// Whether the page knows what its scripts have scheduled.
    pub hooks: bool,
    /// How long a page with nothing scheduled must be quiet.
    pub grace: Duration,
    /// How much later than the engine's events the page may hear of the end of a request.
    pub lag: Duration,
    /// How long to wait for the first reaction of the page; zero if none is expected.
    pub reaction: Duration,
}

impl SettleRules {
    /// The rules after a navigation.
    pub const NAVIGATION: SettleRules = SettleRules {
        network: Duration::from_millis(500),
        document: Duration::from_millis(300),
        limit: Duration::from_secs(10),
        follow: Duration::from_secs(10),
        own: false,
        provable: true,
        hooks: false,
        grace: Duration::from_millis(60),
        lag: Duration::ZERO,
        reaction: Duration::ZERO,
    };
    /// The rules after an action.
    pub const ACTION: SettleRules = SettleRules {
        network: Duration::from_millis(150),
        document: Duration::from_millis(100),
        limit: Duration::from_secs(3),
        follow: Duration::from_secs(5),
        own: true,
        provable: false,
        hooks: false,
        grace: Duration::from_millis(30),
        lag: Duration::ZERO,
        reaction: Duration::ZERO,
    };
    /// The rules after text was typed into a field that may have suggestions.
    pub const SUGGESTIONS: SettleRules =
        SettleRules { reaction: Duration::from_millis(600), ..SettleRules::ACTION };
    /// The rules after a step of a list that a script scrolls: as soon as nothing is scheduled and
    /// nothing loads, the rows are there.
    pub const SCROLL: SettleRules = SettleRules { grace: Duration::ZERO, ..SettleRules::ACTION };

    /// Returns the same rules with a different longest wait.
    pub fn within(self, limit: Duration) -> SettleRules {
        SettleRules { limit, follow: limit, ..self }
    }
}

/// The changes of one shape at one place of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentChange {
    /// A hash of the place and the kind of change.
    pub shape: u64,
    /// The place in words: `ul#log`.
    pub label: String,
    /// Whether the change only appends.
    pub grows: bool,
    /// Whether only a value changed: a text, or an attribute that shows or hides nothing.
    pub value: bool,
    /// Whether the place changes on its own, as it did before.
    pub steady: bool,
    /// How often it happened in close succession.
    pub count: u32,
    /// How long ago the first of them happened.
    pub first: Duration,
    /// How long ago the last of them happened.
    pub last: Duration,
}

/// An event of a tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A request began.
    Requested(PendingRequest),
    /// The headers of a response came, or all of its body, and nobody has read it; or somebody
    /// reads it.
    Body {
        /// The engine's id of the request.
        id: String,
        /// Whether somebody reads it.
        read: bool,
    },
    /// A request ended with an answer.
    Ended(String),
    /// A request failed or was cancelled.
    Failed(String),
    /// Requests are not reported any more, for this reason.
    Unwatched(String),
    /// Requests are reported again, and none is pending that is not known.
    Watched,
    /// The top frame starts (true) or stops (false) loading a different document.
    Leaving(bool),
    /// The top frame shows a different document.
    Arrived {
        /// It is complete, because it comes from the back/forward cache.
        parsed: bool,
    },
    /// The document is complete.
    Parsed,
    /// Everything that the document names is loaded.
    Loaded,
    /// The document changed.
    Changed(Vec<DocumentChange>),
    /// The page reacted to the action in a way that can be seen.
    Reacted,
    /// The main thread was busy until this long ago.
    Stalled(Duration),
    /// The page claims that nothing in it can change any more, apart from what is pending.
    RestClaimed,
    /// The engine confirmed the last claim: there is nothing that the page script cannot see.
    AtRest,
    /// The page answered: everything up to now has been reported.
    Pulse {
        /// The visible loading state, if there is one.
        loading: Option<LoadingSign>,
        /// How long the current transitions will take.
        moving: Duration,
        /// The things that its scripts have scheduled, if that is known.
        schedule: Option<Schedule>,
    },
}

/// A visible sign that a page is loading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadingSign {
    /// The loading thing, in words.
    pub label: String,
    /// Whether it is a small sign beside the content, which may show something else.
    pub aside: bool,
}

/// The things that the scripts of a page have scheduled. Everything that was due has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// In how long the next thing is due; none if nothing is within a second.
    pub due: Option<Duration>,
    /// Something runs again and again at short intervals.
    pub restless: bool,
    /// Something is due later, within some seconds.
    pub later: bool,
    /// How long ago an interface was used that does not say when it calls scripts.
    pub used: Option<Duration>,
}

/// The next step of a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Wait for an event, at most until this moment.
    Wait(Moment),
    /// Ask the page for its pulse; it may have been busy.
    Ask,
    /// The wait is over.
    Done(Reason),
}

/// Why a wait ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The page is ready.
    Ready,
    /// The page is quiet except for these requests.
    StillPending(String),
    /// The document still changes at this place.
    StillChanging(String),
    /// The page shows this loading state.
    StillLoading(String),
    /// The time was up; this was still going on.
    TimedOut(Overdue),
}

/// The thing that was still going on when the time of a wait was up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overdue {
    /// So many requests are pending; some of them by name.
    Requests(usize, String),
    /// The page did not finish loading.
    Loading,
    /// Timers of the page are due.
    Timers,
    /// The page is busy and does not answer.
    Busy,
}

impl std::fmt::Display for Overdue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Overdue::Requests(1, name) => write!(f, "1 request pending: {name}"),
            Overdue::Requests(count, names) => write!(f, "{count} requests pending: {names}"),
            Overdue::Loading => write!(f, "the page did not finish loading"),
            Overdue::Timers => write!(f, "timers of the page are due"),
            Overdue::Busy => write!(f, "the page is busy and does not answer"),
        }
    }
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

/// The kind of a request, as far as waiting is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestClass {
    /// A document, in the top frame or in a frame inside it.
    Document,
    /// A script.
    Script,
    /// A style sheet.
    Style,
    /// `fetch` or `XMLHttpRequest`.
    Fetch,
    /// A picture or a font. Not waited for, but its end may call a script.
    Part,
    /// Not waited for: sockets, event streams, beacons, media.
    Unawaited,
}

impl RequestClass {
    /// Whether a page is not ready before it ends.
    pub fn is_awaited(self) -> bool {
        !matches!(self, RequestClass::Part | RequestClass::Unawaited)
    }
}

/// A request that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingRequest {
    /// The engine's id.
    pub id: String,
    /// The kind.
    pub kind: RequestClass,
    /// HTTP method.
    pub method: String,
    /// The URL.
    pub url: String,
    /// Whether a frame inside the page sent it.
    pub framed: bool,
    /// Whether its accept header asks for a stream, which does not end.
    pub streams: bool,
    /// `GET /api/orders`.
    pub label: String,
    /// When it began.
    pub since: Moment,
}
