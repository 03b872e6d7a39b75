//! Smart waiting as a pure state machine: events come in with their times, and [`Activity::poll`]
//! says whether to wait, to ask the page, or why to stop. The session provides the clock and the
//! page.
//!
//! A page is ready when its network and its document have been quiet for as long as the
//! [`SettleRules`] say and the page itself has confirmed it: from outside, a busy main thread looks
//! like a quiet one. A request that stays pending, or a visible loading state, delays readiness for
//! a limited time and is then reported. Only [`Reason::Ready`] means ready.
//!
//! A request to a host whose name does not resolve, and one that is recognised as a poll by its
//! address, its accept header or an earlier visit, is waited for only briefly.
//!
//! After three repetitions an activity counts as background and does not delay readiness, unless an
//! action just started it. Requests repeat if their method and URL are equal, apart from cache
//! busters. Changes of the document repeat if their place and kind are equal. Changes that only
//! append count as background only after 1.2 s, because a page may build a list in pieces.

mod activity;
mod habits;
mod model;
mod requests;
#[cfg(test)]
mod rest_tests;
#[cfg(test)]
mod schedule_tests;
#[cfg(test)]
mod tests;
mod visit_memory;

pub use activity::Activity;
pub use model::{
    DocumentChange, Event, LoadingSign, Moment, Next, Overdue, PendingRequest, Reason,
    RequestClass, Schedule, SettleRules,
};
pub use visit_memory::{HostName, VisitMemory};
