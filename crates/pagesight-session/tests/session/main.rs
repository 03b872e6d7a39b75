//! The session's own logic, without a browser: each case runs over a recorded exchange with a real
//! one, in a paused clock.
//!
//! A case is one function. It is run twice in its life: once with the recorder around a real
//! Chromium, which writes `tests/exchanges/NAME.json`, and from then on with the player, which
//! answers from that file. What a case asserts holds in both. To record (again):
//!
//! ```text
//! PAGESIGHT_RECORD=1 cargo test -p pagesight-session --test session NAME
//! ```
//!
//! Record a case again when it asks the browser for something new; the failure names what was not
//! recorded. Recorded files are never edited by hand.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

mod act;
mod case;
mod dialogs;
mod engine;
mod fields;
mod fingerprints;
mod frames;
mod lists;
mod look;
mod navigate;
mod scroll;
mod site;
mod tabs;
mod upload;
mod wait;
