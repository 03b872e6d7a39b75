//! Helpers that the whole-path tests share: a server for the fixtures, and a real MCP client that
//! talks to the real program.

mod client;
#[macro_use]
mod engine;
mod processes;
mod reply;
mod serving;
pub mod shop;
mod site;

use std::path::PathBuf;
use std::time::{Duration, Instant};

pub use client::Client;
pub use engine::{engine, in_firefox, is_firefox, no_firefox};
pub use processes::{
    alive, browser_of, descendants, environment, kill, page_processes, processes, profile_of,
};
pub use reply::{Reply, has, lacks};
pub use serving::{SERVE_LIMIT, Serving, command, stateless};
pub use site::Site;

/// Returns the path of the program under test.
pub fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_pagesight"))
}

/// Returns the program as a person starts it: without the variables of a CI system, which change
/// what a check does.
pub fn outside_ci() -> std::process::Command {
    let mut command = std::process::Command::new(program());
    for name in [
        "CI",
        "CI_PIPELINE_ID",
        "GITHUB_ACTIONS",
        "GITHUB_HEAD_REF",
        "GITHUB_REF_NAME",
        "GITHUB_RUN_ID",
        "GITHUB_STEP_SUMMARY",
    ] {
        command.env_remove(name);
    }
    command
}

/// Returns what a command wrote to standard error, without the note that root gets.
pub fn notes(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr).into_owned();
    let seen = |line: &&str| !line.starts_with("Chromium runs without its sandbox");
    text.split_inclusive('\n').filter(seen).collect()
}

/// Asks until there is an answer, for a minute at most.
pub async fn until<T>(what: &str, ask: impl AsyncFn() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(Instant::now() < end, "never: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
