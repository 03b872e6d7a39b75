//! Smart waiting as a pure state machine: what happens in a tab comes in with its time, and
//! [`Activity::poll`] says whether to wait, to ask the page, or why to stop. No clock, no page: the
//! session brings both.
//!
//! A page is ready when its network and its document have been quiet for as long as the
//! [`SettleRules`] say and the page itself has confirmed it, because a busy main thread looks just
//! like a quiet one from outside. What recurs (the third of the same shape) is the page's way of
//! living and holds nothing up, unless an action set it in motion just now; what stays pending or
//! goes on loading holds it up for a while and is then named. Only [`Reason::Ready`] means ready.

mod activity;
mod habits;
mod model;
mod requests;
#[cfg(test)]
mod tests;

pub use activity::Activity;
pub use model::{
    DocumentChange, Event, Moment, Next, PendingRequest, Reason, RequestClass, SettleRules,
};
