//! The data of smart waiting: what happens in a tab, how long to wait, and why a wait ended.

use std::time::Duration;

/// A point in time: how long after some fixed start.
pub type Moment = Duration;

/// How long things have to be quiet, and how long that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettleRules {
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

impl SettleRules {
    /// After a navigation.
    pub const NAVIGATION: SettleRules = SettleRules {
        network: Duration::from_millis(500),
        document: Duration::from_millis(300),
        limit: Duration::from_secs(10),
        follow: Duration::from_secs(10),
        own: false,
    };
    /// After an action.
    pub const ACTION: SettleRules = SettleRules {
        network: Duration::from_millis(150),
        document: Duration::from_millis(100),
        limit: Duration::from_secs(3),
        follow: Duration::from_secs(5),
        own: true,
    };

    /// The same with another longest wait.
    pub fn within(self, limit: Duration) -> SettleRules {
        SettleRules { limit, follow: limit, ..self }
    }
}

/// One place of the document that changed: all changes of the same shape there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentChange {
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
    Requested(PendingRequest),
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
    Changed(Vec<DocumentChange>),
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

/// What a request is for, as far as waiting cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestClass {
    /// A document, of the top frame or of another.
    Document,
    /// A script.
    Script,
    /// A style sheet.
    Style,
    /// `fetch` or `XMLHttpRequest`.
    Fetch,
    /// Nobody waits for it: pictures, fonts, sockets, event streams, beacons, media.
    Unawaited,
}

/// A request that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingRequest {
    /// The engine's id.
    pub id: String,
    /// What for.
    pub kind: RequestClass,
    /// HTTP method.
    pub method: String,
    /// The address.
    pub url: String,
    /// Whether a frame inside the page asked for it.
    pub framed: bool,
    /// `GET /api/orders`.
    pub label: String,
    /// When it began.
    pub since: Moment,
}
