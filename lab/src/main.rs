//! `cargo lab`: benchmarks, comparisons with independent oracles, and tests in apps of other
//! projects. They are slow or install something, so `./test` neither compiles nor runs them.

mod attached;
mod bench;
mod compat;
mod devtools;
mod diffbench;
mod find;
mod hostile;
mod icons;
mod install;
mod living;
mod machine;
mod mcp;
mod miniwob;
mod monkey;
mod mutate;
mod options;
mod outline;
mod page_files;
mod pages;
mod peers;
mod processes;
mod product;
mod random;
mod report;
mod scale;
mod serve_process;
mod sight;
mod tasks;
mod waitbench;

use clap::{Parser, Subcommand};

/// Benchmarks and long tests of pagesight; lab/README.md says what each command proves.
#[derive(Parser)]
#[command(name = "lab", bin_name = "cargo lab")]
struct Cli {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Subcommand)]
enum LabCommand {
    /// Measure time, tokens and memory of each operation on generated pages
    Bench(bench::BenchArgs),
    /// Work with other people's browsers, drivers, clients, packages and UI libraries
    Compat(compat::CompatArgs),
    /// Compare the diff that an action returns with the page's own list of changes
    Diffbench(diffbench::DiffbenchArgs),
    /// Ask thousands of questions with known answers and judge the answers of `query`
    Find(find::FindArgs),
    /// Visit hostile pages with every tool, and check that each call answers in time
    Hostile(hostile::HostileArgs),
    /// Look at icons of ten sets, drawn in the ways people use them, and judge the hints
    Icons(icons::IconsArgs),
    /// Compare time and tokens with other tools in apps whose values change all the time
    Living(living::LivingArgs),
    /// Solve the tasks of MiniWoB++ with fixed programs that use the MCP tools
    Miniwob(miniwob::MiniwobArgs),
    /// Do random actions in web apps and judge from inside the page which element each reached
    Monkey(monkey::MonkeyArgs),
    /// Change pages in 50 ways and check that a comparison of fingerprints names each change
    Mutate(mutate::MutateArgs),
    /// Compare time, tokens and memory with other tools on generated pages
    Peers(peers::PeersArgs),
    /// Check many pages, put many jobs through the queue, open many workspaces
    Scale(scale::ScaleArgs),
    /// Check what is shown of pages: everything usable, hints, tokens, both browsers alike
    Sight(sight::SightArgs),
    /// Compare the tokens of tasks solved with diffs and by looking again after every action
    Tasks(tasks::TasksArgs),
    /// Measure how long a navigation waits after a page is ready, and that it never returns early
    Waitbench(waitbench::WaitbenchArgs),
}

impl LabCommand {
    async fn run(self) -> anyhow::Result<()> {
        match self {
            LabCommand::Bench(args) => bench::run(args).await,
            LabCommand::Compat(args) => compat::run(args).await,
            LabCommand::Diffbench(args) => diffbench::run(args).await,
            LabCommand::Find(args) => find::run(args).await,
            LabCommand::Hostile(args) => hostile::run(args).await,
            LabCommand::Icons(args) => icons::run(args).await,
            LabCommand::Living(args) => living::run(args).await,
            LabCommand::Miniwob(args) => miniwob::run(args).await,
            LabCommand::Monkey(args) => monkey::run(args).await,
            LabCommand::Mutate(args) => mutate::run(args).await,
            LabCommand::Peers(args) => peers::run(args).await,
            LabCommand::Scale(args) => scale::run(args).await,
            LabCommand::Sight(args) => sight::run(args).await,
            LabCommand::Tasks(args) => tasks::run(args).await,
            LabCommand::Waitbench(args) => waitbench::run(args).await,
        }
    }
}

fn main() -> anyhow::Result<()> {
    let command = Cli::parse().command;
    if std::env::var_os(sight::twins::RESTARTED).is_none() {
        println!("{}\n", machine::describe_run());
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(command.run())
}
