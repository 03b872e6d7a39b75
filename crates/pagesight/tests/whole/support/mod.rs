//! Helpers that the whole-path tests share: a server for the fixtures, and a real MCP client that
//! talks to the real program.

mod client;
mod processes;
mod reply;
mod serving;
pub mod shop;
mod site;

use std::path::PathBuf;

use pagesight_browser::{Engine, discover};

pub use client::Client;
pub use processes::{alive, browser_of, descendants, kill, page_processes, processes, profile_of};
pub use reply::Reply;
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

/// Reports whether Firefox is missing. Then the test cannot run, which is reported to `./test`.
pub fn no_firefox() -> bool {
    let reported = std::env::var("PAGESIGHT_TEST_NO_FIREFOX").ok();
    let missing =
        reported.or_else(|| discover::find(Engine::Firefox).err().map(|error| error.to_string()));
    if let (Some(error), Ok(file)) = (&missing, std::env::var("PAGESIGHT_TEST_SKIPS")) {
        let mut skips = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        std::io::Write::write_all(
            &mut skips,
            format!("whole path with Firefox: {error}\n").as_bytes(),
        )
        .unwrap();
    }
    missing.is_some()
}

/// Returns the browser of this test run: `PAGESIGHT_TEST_ENGINE=firefox` runs all tests in Firefox.
pub fn engine() -> Engine {
    match std::env::var("PAGESIGHT_TEST_ENGINE").as_deref() {
        Ok("firefox") => Engine::Firefox,
        Err(_) | Ok("chromium") => Engine::Chromium,
        Ok(other) => panic!("there is no browser called {other}"),
    }
}

/// Reports whether this run uses Firefox, for the few differences.
pub fn is_firefox() -> bool {
    engine() == Engine::Firefox
}
