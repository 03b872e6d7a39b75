//! WebDriver BiDi: the shapes of its messages, the state of a tab that is driven over it, its
//! events, input actions, and calls into the page. Code that only Firefox needs is in `firefox/`.

pub(crate) mod actions;
pub(crate) mod events;
mod flood;
mod known_requests;
pub(crate) mod log;
pub(crate) mod protocol;
pub(crate) mod remote_value;
pub(crate) mod script;
pub(crate) mod state;
