//! `cargo lab icons`: looks at icons of ten sets, drawn in the ways people use them, and judges the
//! hints. With `--write` it makes the table that the hints come from.

mod check;
mod hashes;
mod judge;
mod table;

use std::path::Path;

use clap::Args;
use tokio::process::Command;

use crate::install;
use crate::options::{
    BrowserArgs, DetailsArgs, OnlyArgs, ProgramArgs, SeedArgs, repository, run_file,
};
use crate::report::table;
use table::IconSources;

/// The committed table.
const TABLE: &str = "crates/pagesight-core/src/icons/table.bin";

/// The share of hints that must be right.
const LEAST_RIGHT: f64 = 0.95;

/// Options of `cargo lab icons`.
#[derive(Args)]
pub struct IconsArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    browser: BrowserArgs,
    #[command(flatten)]
    only: OnlyArgs,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    details: DetailsArgs,
    /// Make the table from the pinned packages and write it; nothing is judged
    #[arg(long)]
    write: bool,
    /// How many icons of each set are drawn
    #[arg(long, default_value_t = 100)]
    count: usize,
}

/// Makes the table, or judges hints.
pub async fn run(args: IconsArgs) -> anyhow::Result<()> {
    let folder = install::pinned::install("icons").await?;
    let sources = sources(&folder).await?;
    let svgs: Vec<&str> = sources.drawings.iter().map(|drawing| drawing.svg.as_str()).collect();
    let hashes = hashes::of(&folder, &svgs).await?;
    if args.write {
        return write(&sources, &hashes);
    }
    check::run(&args, &folder, &sources, &hashes).await
}

/// Reads what the sets hold.
async fn sources(folder: &Path) -> anyhow::Result<IconSources> {
    let file = run_file("icon-sources.json")?;
    let mut node = Command::new("node");
    install::run(node.arg("table.mjs").arg(&file).current_dir(folder)).await?;
    Ok(serde_json::from_slice(&std::fs::read(file)?)?)
}

fn write(sources: &IconSources, hashes: &[Option<String>]) -> anyhow::Result<()> {
    let bytes = table::encode(sources, hashes)?;
    table("source | drawings");
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for drawing in &sources.drawings {
        match counts.last_mut().filter(|(source, _)| *source == drawing.source) {
            Some((_, count)) => *count += 1,
            None => counts.push((&drawing.source, 1)),
        }
    }
    counts.iter().for_each(|(source, count)| println!("| {source} | {count} |"));
    println!("\n{TABLE}: {} bytes", bytes.len());
    Ok(std::fs::write(repository().join(TABLE), bytes)?)
}
