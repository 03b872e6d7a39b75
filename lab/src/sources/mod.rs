//! `cargo lab sources`: `pagesight check` with pages from a sitemap of thousands of pages, and from
//! a real static Storybook. Fails if a name changes, if not exactly the changed pages are reported,
//! or if a hostile sitemap is not refused within its bounds.

#[path = "../../../crates/pagesight/tests/whole/support/shop_pages.rs"]
mod pages;
mod sitemap;
mod storybook;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use serde_json::Value;
use tokio::process::Command;

use crate::options::{OnlyArgs, ProgramArgs, SeedArgs};

/// The most memory of the program, in KiB: 200 MiB.
const MOST_MEMORY: u64 = 200 * 1024;

/// Options of `cargo lab sources`.
#[derive(Args)]
pub struct SourcesArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    only: OnlyArgs,
    /// How many pages the sitemap lists
    #[arg(long, default_value_t = 2_000)]
    pages: usize,
    /// How many of them change
    #[arg(long, default_value_t = 40)]
    changed: usize,
    /// How many tabs are used at a time
    #[arg(long, default_value_t = 4)]
    jobs: usize,
}

impl SourcesArgs {
    /// Returns the seed.
    pub fn seed(&self) -> u64 {
        self.seed.seed
    }
}

/// Runs the parts and prints the table.
pub async fn run(args: SourcesArgs) -> anyhow::Result<()> {
    let checker = Checker { program: args.program.path()?, jobs: args.jobs };
    println!("| part | result | seconds | most memory |\n|---|---|---|---|");
    if args.only.includes("storybook") {
        storybook::run(&checker).await?;
    }
    if args.only.includes("sitemap") {
        sitemap::run(&checker, args.pages, args.changed, args.seed()).await?;
    }
    Ok(())
}

/// The program that checks.
struct Checker {
    program: PathBuf,
    jobs: usize,
}

/// A finished check.
struct FinishedCheck {
    code: Option<i32>,
    /// What it printed as JSON; null if nothing.
    reported: Value,
    errors: String,
    took: Duration,
    /// The most memory of the program, without browsers, in KiB.
    memory: u64,
}

impl Checker {
    /// Checks the pages of a folder.
    async fn check(&self, folder: &Path) -> anyhow::Result<FinishedCheck> {
        let begun = Instant::now();
        let mut command = Command::new(&self.program);
        command.args(["check", "--output", "json", "--jobs", &self.jobs.to_string()]);
        command.current_dir(folder).env_remove("CI").kill_on_drop(true);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let status = format!("/proc/{}/status", child.id().context("it ended")?);
        let watch = tokio::spawn(async move {
            let mut most = 0;
            while let Ok(text) = std::fs::read_to_string(&status) {
                let Some(line) = text.lines().find_map(|line| line.strip_prefix("VmHWM:")) else {
                    break;
                };
                most = line.trim().trim_end_matches(" kB").parse().unwrap_or(most);
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
    fn names(&self, result: &str) -> BTreeSet<String> {
        let pages = self.reported["pages"].as_array().into_iter().flatten();
        let pages = pages.filter(|page| page["result"] == result);
        pages.filter_map(|page| page["name"].as_str().map(str::to_owned)).collect()
    }

    /// Prints a row of the table.
    fn row(&self, part: &str, result: &str) {
        let (seconds, memory) = (self.took.as_secs_f64(), self.memory / 1024);
        println!("| {part} | {result} | {seconds:.1} | {memory} MiB |");
    }
}
