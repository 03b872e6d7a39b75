//! Waiting: after a navigation or an action until the page is ready (`settle`, `quiescence`), for
//! downloads, and on a watched page until something changes (`watch`). `news` holds the pending
//! call to the page script.

mod downloads;
pub(crate) mod host_names;
pub(crate) mod news;
pub(crate) mod quiescence;
pub(crate) mod settle;
pub(crate) mod watch;
