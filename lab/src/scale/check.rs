//! Runs `pagesight check` in a folder, and reads what it reports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value;
use tokio::process::Command;

use crate::processes;

/// The program that checks.
pub struct Checker {
    pub program: PathBuf,
    pub jobs: usize,
}

/// A finished check.
pub struct FinishedCheck {
    pub code: Option<i32>,
    /// The JSON that it printed; null if none.
    pub reported: Value,
    pub errors: String,
    pub took: Duration,
    /// The most memory of the program, without browsers, in MiB.
    pub memory: f64,
}

impl Checker {
    /// Returns a command of the program as a person starts it in a folder.
    pub fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(folder).env_remove("CI").stdin(Stdio::null());
        command.kill_on_drop(true);
        command
    }

    /// Checks the pages of a folder.
    pub async fn check(&self, folder: &Path, more: &[&str]) -> anyhow::Result<FinishedCheck> {
        let begun = Instant::now();
        let jobs = self.jobs.to_string();
        let mut command = self.command(folder, &["check", "--output", "json", "--jobs", &jobs]);
        command.args(more).env("PGPASSWORD", super::queue::server::PASSWORD);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let pid = child.id().context("it ended")?;
        let watch = tokio::spawn(async move {
            let mut most = 0.0;
            while processes::is_running(pid) {
                most = processes::peak(pid).max(most);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            most
        });
        let output = child.wait_with_output().await?;
        Ok(FinishedCheck {
            code: output.status.code(),
            reported: serde_json::from_slice(&output.stdout).unwrap_or_default(),
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
            took: begun.elapsed(),
            memory: watch.await?,
        })
    }
}

impl FinishedCheck {
    /// Returns the names of the pages with a result.
    pub fn names(&self, result: &str) -> BTreeSet<String> {
        let pages = self.reported["pages"].as_array().into_iter().flatten();
        let pages = pages.filter(|page| page["result"] == result);
        pages.filter_map(|page| page["name"].as_str().map(str::to_owned)).collect()
    }

    /// Fails unless this many pages have a result.
    pub fn require(&self, result: &str, count: usize) -> anyhow::Result<()> {
        let found = self.names(result).len();
        let summary = &self.reported["summary"];
        anyhow::ensure!(found == count, "{found} {result}, not {count}: {summary} {}", self.errors);
        Ok(())
    }

    /// Fails unless exactly these pages changed.
    pub fn require_changed(&self, expected: &BTreeSet<String>) -> anyhow::Result<()> {
        let found = self.names("changed");
        let missed: Vec<_> = expected.difference(&found).collect();
        let invented: Vec<_> = found.difference(expected).collect();
        anyhow::ensure!(found == *expected, "missed {missed:?}, invented {invented:?}");
        Ok(())
    }

    /// Prints a row of a table with time and memory.
    pub fn row(&self, part: &str, result: &str) {
        let seconds = self.took.as_secs_f64();
        println!("| {part} | {result} | {seconds:.1} | {:.0} MiB |", self.memory);
    }
}
