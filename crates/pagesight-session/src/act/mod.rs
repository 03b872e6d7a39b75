//! Acting on a page: each action makes sure that it has the right element, uses real browser input,
//! waits until the page is quiet again, and answers with one line. A batch stops at the first
//! action that fails.
//!
//! Where a person needs several steps to set a native control, the page script performs all but the
//! last, and one real key press or click completes it. So the page gets one trusted event of each
//! kind.
//!
//! Results are read back from the page: the state of a box, the value of a field, the position of a
//! scroll container.

pub(crate) mod action;
mod actor;
mod approach;
mod batch;
mod checkbox;
pub(crate) mod clipboard;
pub(crate) mod condition;
mod control;
mod diff;
mod drag;
pub(crate) mod error;
mod fill;
pub(crate) mod given;
mod input;
mod keys;
mod look_up;
mod prefetch;
mod readings;
pub mod reference;
pub(crate) mod report;
pub(crate) mod rows;
mod scroll;
mod secret;
mod select;
mod target;
mod times;
mod touch;
mod upload;
mod wait_for;
pub(crate) mod written;
