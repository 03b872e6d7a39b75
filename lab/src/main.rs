//! `cargo lab`: benchmarks, independent oracles and tests in other people's apps. They are slow or
//! install something, so `./test` does not run or compile them.

mod bench;
mod clients;
mod devtools;
mod diffbench;
mod drivers;
mod install;
mod mcp;
mod miniwob;
mod monkey;
mod mutate;
mod outline;
mod pages;
mod product;
mod random;
mod reduce;
mod sight;
mod sitecheck;
mod tasks;
mod twins;
mod waitbench;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo lab", about = "Benchmarks and long tests of the pagesight project")]
struct Cli {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Subcommand)]
enum LabCommand {
    /// Measure navigate, look, second look, expand and click on generated pages; prints the tables
    /// of docs/benchmarks.md
    Bench(bench::BenchArgs),
    /// Drive the server with the official Python and TypeScript MCP clients (installs them into
    /// target/clients)
    Clients,
    /// Change pages in known ways and hold what an action says it changed against the pages' own
    /// lists; prints the tables of docs/benchmarks.md
    Diffbench(diffbench::DiffbenchArgs),
    /// Drive browsers that geckodriver and chromedriver start (builds geckodriver into
    /// target/drivers)
    Drivers(drivers::DriversArgs),
    /// Solve tasks of MiniWoB++ with what the MCP tools answer; prints the table of
    /// docs/benchmarks.md
    Miniwob(miniwob::MiniwobArgs),
    /// Do 1,000 random things in live web apps and judge each from inside the page; prints the
    /// table of docs/benchmarks.md
    Monkey(monkey::MonkeyArgs),
    /// Change pages in 50 ways at random places and see whether fingerprints tell; prints the
    /// tables of docs/benchmarks.md
    Mutate(mutate::MutateArgs),
    /// Measure what the pipeline saves on real pages, and check that nothing is lost; prints the
    /// tables of docs/benchmarks.md
    Reduce(reduce::ReduceArgs),
    /// Hold what pagesight lists against an independent oracle and the browser's accessibility
    /// tree; prints the tables of docs/benchmarks.md
    Sight(sight::SightArgs),
    /// Check a site of 200 pages: saved, unchanged, broken, killed; prints the table of
    /// docs/benchmarks.md
    Sitecheck(sitecheck::SitecheckArgs),
    /// Solve tasks by what actions say they changed, and again by looking after every action;
    /// prints the table of docs/benchmarks.md
    Tasks(tasks::TasksArgs),
    /// Hold what Firefox shows against what Chromium shows, line by line and hash by hash; prints
    /// the table of docs/benchmarks.md
    Twins(twins::TwinsArgs),
    /// Open pages with a known instant of readiness and measure how long a navigation waits beyond
    /// it; prints the tables of docs/benchmarks.md
    Waitbench(waitbench::WaitbenchArgs),
}

fn main() -> anyhow::Result<()> {
    let runtime =
        || tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    match Cli::parse().command {
        LabCommand::Bench(args) => runtime()?.block_on(bench::run(args)),
        LabCommand::Clients => runtime()?.block_on(clients::run()),
        LabCommand::Diffbench(args) => runtime()?.block_on(diffbench::run(args)),
        LabCommand::Drivers(args) => runtime()?.block_on(drivers::run(args)),
        LabCommand::Miniwob(args) => runtime()?.block_on(miniwob::run(args)),
        LabCommand::Monkey(args) => runtime()?.block_on(monkey::run(args)),
        LabCommand::Mutate(args) => runtime()?.block_on(mutate::run(args)),
        LabCommand::Reduce(args) => runtime()?.block_on(reduce::run(args)),
        LabCommand::Sight(args) => runtime()?.block_on(sight::run(args)),
        LabCommand::Sitecheck(args) => runtime()?.block_on(sitecheck::run(args)),
        LabCommand::Tasks(args) => runtime()?.block_on(tasks::run(args)),
        LabCommand::Twins(args) => runtime()?.block_on(twins::run(args)),
        LabCommand::Waitbench(args) => runtime()?.block_on(waitbench::run(args)),
    }
}

/// The folder of the project.
fn root() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(std::path::Path::new("."))
        .to_owned()
}

/// Builds the release program and answers with its path; `PAGESIGHT_PROGRAM` names one that is
/// built already.
fn release_program() -> anyhow::Result<std::path::PathBuf> {
    if let Some(program) = std::env::var_os("PAGESIGHT_PROGRAM") {
        return Ok(program.into());
    }
    let built = std::process::Command::new("cargo")
        .args(["build", "--release", "--locked", "-p", "pagesight"])
        .current_dir(root())
        .status()?;
    anyhow::ensure!(built.success(), "the release build failed");
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), std::path::PathBuf::from);
    Ok(target.join("release/pagesight"))
}
