//! `cargo lab scale`: many pages, many jobs and many agents: checks of a large site, of a sitemap
//! and of a Storybook, the queue in PostgreSQL, workers on a Selenium Grid, and workspaces of
//! `serve`.

mod check;
mod grid;
mod queue;
mod selenium;
mod site;
pub mod storybook;
mod workspaces;

use clap::Args;

use crate::options::{BrowserArgs, OnlyArgs, ProgramArgs, SeedArgs};
use crate::report::Report;
use check::Checker;

const PARTS: [&str; 6] = ["grid", "queue", "site", "sitemap", "storybook", "workspaces"];

/// Options of `cargo lab scale`.
#[derive(Args)]
#[command(after_help = "Parts for --only: grid, queue, site, sitemap, storybook, workspaces")]
pub struct ScaleArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    browser: BrowserArgs,
    #[command(flatten)]
    only: OnlyArgs,
    #[command(flatten)]
    seed: SeedArgs,
    /// How many pages, jobs or workspaces each part has
    /// [default: grid 500, queue 1000000, site 200, sitemap 2000, workspaces 100]
    #[arg(long)]
    pages: Option<usize>,
    /// How many tabs a check uses at a time
    #[arg(long, default_value_t = 4)]
    jobs: usize,
    /// How often a check is timed
    #[arg(long, default_value_t = 2)]
    rounds: usize,
}

/// Runs the chosen parts.
pub async fn run(args: ScaleArgs) -> anyhow::Result<()> {
    let mut report = Report::default();
    for part in PARTS.into_iter().filter(|part| args.only.includes(part)) {
        println!("## {part}\n");
        report.add(part, run_part(&args, part).await.map(|()| Vec::new()));
        println!();
    }
    report.end()
}

async fn run_part(args: &ScaleArgs, part: &str) -> anyhow::Result<()> {
    let pages = |default: usize| args.pages.unwrap_or(default);
    if part == "queue" {
        return queue::run(pages(1_000_000), args.seed.seed).await;
    }
    let checker = Checker { program: std::path::absolute(args.program.path()?)?, jobs: args.jobs };
    match part {
        "grid" => grid::run(&checker, pages(500)).await,
        "site" => site::run(&checker, pages(200), args.rounds, args.seed.seed).await,
        "sitemap" => site::run_sitemap(&checker, pages(2_000), args.seed.seed).await,
        "storybook" => storybook::run(&checker).await,
        _ => {
            let browser = args.browser.name();
            let default = if browser == "firefox" { 20 } else { 100 };
            workspaces::run(&checker.program, browser, pages(default)).await
        }
    }
}
