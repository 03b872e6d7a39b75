//! Whole-path tests: the real program, a real browser and a real MCP client. They are one test
//! binary, because separate ones would be linked and run one after the other.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs, unreachable_pub, reason = "tests")]

#[macro_use]
mod support;

mod act;
mod action;
mod actions;
mod baselines;
mod check;
mod check_ends;
mod check_runs;
mod check_sources;
mod check_visual;
mod connections;
mod covers;
mod dialogs;
mod diff;
mod emulation;
mod evaluate_reading;
mod few_calls;
mod frames;
mod init;
mod install;
mod lifetime;
mod log;
mod long;
mod look;
mod menus;
mod outcomes;
mod output_files;
mod pictures;
mod planted;
mod queries;
mod regressions;
mod rows;
mod rows_pages;
mod same_answers;
mod secrets;
mod serve;
mod serve_life;
mod serve_ownership;
mod shell;
mod shell_sessions;
mod snapshot;
mod state;
mod stored;
mod traps;
mod true_words;
mod unusual;
mod wait;
mod watch;
mod wrong_commands;
