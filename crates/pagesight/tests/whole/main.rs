//! Whole-path tests: the real program, a real browser and a real MCP client. One program of tests,
//! because each by itself would be linked and wait for the others to end.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs, unreachable_pub, reason = "tests")]

mod act;
mod actions;
mod baselines;
mod check;
mod check_ends;
mod diff;
mod firefox;
mod frames;
mod hostile;
mod init;
mod lifetime;
mod look;
mod outcomes;
mod regressions;
mod siege;
mod snapshot;
mod stored;
mod support;
mod traps;
mod wait;
mod watch;
