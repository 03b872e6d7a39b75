//! `cargo lab sight`: checks what pagesight shows of pages, by one of four judges. All judges see
//! the same pages and apps.

mod frames;
mod judging;
mod nameless;
mod oracle;
mod pipeline;
pub mod twins;
mod verdict;

use clap::{Args, ValueEnum};

use crate::options::{DetailsArgs, PagesArgs, SeedArgs};

/// A judge of pages.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum JudgeName {
    /// Everything that a person can use is listed once, with the browser's role and name
    Oracle,
    /// Few lines of usable elements have neither a name nor a hint; sampled hints are drawn
    Nameless,
    /// The pipeline saves tokens and loses no usable element and no visible word
    Pipeline,
    /// Chromium and Firefox give the same outlines and hashes
    Twins,
}

/// Options of `cargo lab sight`.
#[derive(Args)]
pub struct SightArgs {
    #[command(flatten)]
    pages: PagesArgs,
    #[command(flatten)]
    details: DetailsArgs,
    #[command(flatten)]
    seed: SeedArgs,
    /// The judge of the pages
    #[arg(long, value_enum, default_value_t = JudgeName::Oracle)]
    judge: JudgeName,
    /// How many hints `--judge nameless` draws on sheets; 0 for none
    #[arg(long, value_name = "N", default_value_t = 200)]
    sample: usize,
}

/// Visits the pages and apps with the chosen judge.
pub async fn run(args: SightArgs) -> anyhow::Result<()> {
    let SightArgs { pages, details, seed, judge, sample } = &args;
    match judge {
        JudgeName::Oracle => oracle::run(pages, details).await,
        JudgeName::Nameless => nameless::run(pages, details, *sample, seed.seed).await,
        JudgeName::Pipeline => pipeline::run(pages).await,
        JudgeName::Twins => twins::run(pages, details).await,
    }
}
