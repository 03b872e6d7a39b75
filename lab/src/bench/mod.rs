//! `cargo lab bench`: time, tokens and memory of each operation on generated pages, beside the bare
//! walk of the same page in the same run.

mod action_replies;
mod batch;
mod calls;
mod captures;
mod fingerprints;
pub mod generated_pages;
mod large_pages;
mod log;
mod memory;
mod second_look;
mod timing;

use clap::Args;

use crate::options::{OnlyArgs, ProgramArgs};
use crate::product::Engine;

/// How often each thing is measured; the median counts.
const ROUNDS: usize = 10;

/// The tables: the name that `--only` takes, and the title.
const TABLES: [(&str, &str); 16] = [
    ("start-up", "Start-up to `tools/list`"),
    ("calls", "Calls of an agent (ms, median of 10 / best)"),
    ("navigate-chromium", "Navigations in Chromium, with smart waiting (ms, median of 10 / best)"),
    ("navigate-firefox", "Navigations in Firefox, with smart waiting (ms, median of 10 / best)"),
    ("second-look", "A second look after one change (median of 15 / best)"),
    ("action-replies", "How soon an action is answered (median of 15 / best)"),
    ("captures-chromium", "One capture beside the bare walk of the same moment, in Chromium"),
    ("captures-firefox", "One capture beside the bare walk of the same moment, in Firefox"),
    ("fingerprints", "Fingerprints (median of 15 / best)"),
    (
        "heartbeat",
        "Largest gap of the page's heartbeat during a look (ms, median of 40 / 95th percentile / worst)",
    ),
    ("huge", "A page of 1,000,000 elements"),
    ("memory", "The server's memory over many looks (5,000 elements)"),
    ("growing-pages", "The server's memory over nine pages, with one very long answer"),
    ("six-fields", "A batch that fills six fields"),
    ("log", "A page with 10,000 log lines and 2,000 requests"),
    ("snapshots", "Two snapshots of an unchanged page (ms, median of 10 / best)"),
];

/// Options of `cargo lab bench`.
#[derive(Args)]
#[command(
    after_help = "Tables for --only: start-up, calls, navigate-chromium, navigate-firefox, second-look, action-replies, \
    captures-chromium, captures-firefox, fingerprints, heartbeat, huge, memory, growing-pages, six-fields, log, snapshots"
)]
pub struct BenchArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    only: OnlyArgs,
}

/// Measures and prints the tables.
pub async fn run(args: BenchArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let site = generated_pages::serve().await?;
    let chosen: Vec<_> = TABLES.iter().filter(|(name, _)| args.only.includes(name)).collect();
    anyhow::ensure!(!chosen.is_empty(), "no table has such a name; --help lists them");
    for (name, title) in chosen {
        println!("\n## {title}\n");
        match *name {
            "start-up" => calls::start_up(&program).await?,
            "calls" => calls::calls(&program, &site).await?,
            "navigate-chromium" => calls::navigate(&program, &site, "chromium").await?,
            "navigate-firefox" => calls::navigate(&program, &site, "firefox").await?,
            "second-look" => second_look::run(&program, &site).await?,
            "action-replies" => action_replies::run(&program, &site).await?,
            "captures-chromium" => captures::run(Engine::Chromium, &site).await?,
            "captures-firefox" => captures::run(Engine::Firefox, &site).await?,
            "fingerprints" => fingerprints::run(&program, &site).await?,
            "heartbeat" => large_pages::heartbeat(&program, &site).await?,
            "huge" => large_pages::huge(&program, &site).await?,
            "memory" => memory::many_looks(&program, &site).await?,
            "growing-pages" => memory::growing_pages(&program, &site).await?,
            "six-fields" => batch::six_fields(&program).await?,
            "log" => log::run(&program).await?,
            _ => batch::snapshots(&program, &site).await?,
        }
    }
    Ok(())
}
