//! Tests with real browsers: the contract of an engine, what only one of them can do, connecting to
//! browsers that we did not start, and how browsers begin and end. One program, because linking
//! takes long. Tests in Firefox have names with `::firefox`. Linux only, because they read `/proc`.
#![cfg(target_os = "linux")]
#![allow(missing_docs, unreachable_pub)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

#[macro_use]
mod support;
mod beyond_contract;
mod connect;
mod contract;
mod lifetime;
