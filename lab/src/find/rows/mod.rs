//! `cargo lab find --rows`: whether `read_rows` reads what is in tables, lists and cards. The gold
//! is what generated pages are made of, what component libraries were given, or what a plain script
//! reads of saved pages; none of it shares code with the page script. SQLite answers the same
//! questions about the gold.

mod compared;
mod django;
mod generate;
mod gold;
mod libraries;
mod long;
mod questions;
mod saved;
mod speed;

use std::path::Path;

use crate::mcp::McpClient;
use crate::options::{DetailsArgs, OnlyArgs};
use crate::report::Report;

/// The share of the cells that must be equal, in percent.
const EQUAL: f64 = 99.0;
/// How many times as long as a full look reading 5,000 rows may take.
const TIMES_LONGER: f64 = 1.5;
/// How many tables are read of saved pages and component libraries, at least.
const LEAST_REAL: usize = 60;
/// How many questions are asked.
const QUESTIONS: usize = 200;

const BROWSERS: [&str; 2] = ["chromium", "firefox"];

/// The parts of a run, as `--only` names them.
const PARTS: [&str; 7] =
    ["generated", "saved", "libraries", "django", "long", "questions", "speed"];

/// The program, the pages and the engines of a run.
pub struct RowsRun<'a> {
    pub program: &'a Path,
    pub seed: u64,
    pub only: &'a OnlyArgs,
    pub details: &'a DetailsArgs,
    /// The folders of saved pages.
    pub folders: &'a [String],
}

impl RowsRun<'_> {
    /// Whether an item of a part is run, such as `generated: firefox: cards`.
    fn includes(&self, item: &str) -> bool {
        self.only.includes(item)
    }

    /// Whether anything of a part is run.
    fn has_part(&self, part: &str) -> bool {
        !self.only.is_set() || self.only.names(part)
    }

    async fn client(&self, browser: &str) -> anyhow::Result<McpClient> {
        McpClient::start(self.program, &["--allow-evaluate", "--browser", browser]).await
    }
}

/// Runs the chosen parts; fails if one of them misses something.
pub async fn run(run: RowsRun<'_>) -> anyhow::Result<()> {
    let mut report = Report::default();
    for part in PARTS.into_iter().filter(|part| run.has_part(part)) {
        println!("## {part}\n");
        let misses = match part {
            "generated" => compared::generated(&run).await,
            "saved" => saved::run(&run).await,
            "libraries" => libraries::run(&run).await,
            "django" => django::run(&run).await,
            "long" => long::run(&run).await,
            "questions" => questions::run(&run).await,
            _ => speed::run(&run).await,
        };
        report.add(part, misses);
        println!();
    }
    run.details.write(&report.misses.join("\n"))?;
    report.end()
}
