//! `cargo lab`: benchmarks, comparisons with independent oracles, and tests in apps of other
//! projects. They are slow or install something, so `./test` neither compiles nor runs them.

mod attach;
mod attached;
mod bench;
mod clients;
mod conformance;
mod devtools;
mod diffbench;
mod dist;
mod drivers;
mod find;
mod grid;
mod hostile;
mod icons;
mod install;
mod log;
mod machine;
mod mcp;
mod menus;
mod miniwob;
mod monkey;
mod mutate;
mod nameless;
mod options;
mod outline;
mod pages;
mod peers;
mod product;
mod queue;
mod random;
mod reduce;
mod serve;
mod sight;
mod sitecheck;
mod sources;
mod state;
mod tasks;
mod twins;
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
    /// Connect to a person's browser: consent, thirty tabs left alone, work in the background
    Attach(attach::AttachArgs),
    /// Measure time, tokens and memory of each operation on generated pages
    Bench(bench::BenchArgs),
    /// Drive the server with the official Python and TypeScript MCP clients
    Clients(clients::ClientsArgs),
    /// Run the conformance suite of MCP, and the official clients over HTTP
    Conformance(conformance::ConformanceArgs),
    /// Compare the diff that an action returns with the page's own list of changes
    Diffbench(diffbench::DiffbenchArgs),
    /// Install every package into an empty prefix, look at a page with it, and remove it
    Dist(dist::PackageTrialArgs),
    /// Drive browsers that geckodriver and chromedriver start
    Drivers(drivers::DriversArgs),
    /// Ask thousands of questions with known answers and judge the answers of `query`
    Find(find::FindArgs),
    /// Check a site on a Selenium Grid with a queue in PostgreSQL, while parts are killed
    Grid(grid::GridArgs),
    /// Visit hostile pages with every tool, and check that each call answers in time
    Hostile(hostile::HostileArgs),
    /// Look at icons of ten sets, drawn in the ways people use them, and judge the hints
    Icons(icons::IconsArgs),
    /// Look at a page with 10,000 log lines and 2,000 requests, and find the two that matter
    Log(log::LogArgs),
    /// Choose items in the menus of UI libraries, and check which one the library took
    Menus(menus::MenusArgs),
    /// Solve the tasks of MiniWoB++ with fixed programs that use the MCP tools
    Miniwob(miniwob::MiniwobArgs),
    /// Do random actions in web apps and judge from inside the page which element each reached
    Monkey(monkey::MonkeyArgs),
    /// Change pages in 50 ways and check that a comparison of fingerprints names each change
    Mutate(mutate::MutateArgs),
    /// Count the lines of usable elements without a name and a hint, and draw sampled hints
    Nameless(nameless::NamelessArgs),
    /// Compare time, tokens and memory with other tools on generated pages
    Peers(peers::PeersArgs),
    /// Put a million jobs through the queue of a check, with workers that give up
    Queue(queue::QueueArgs),
    /// Measure how many tokens the pipeline saves on real pages, and check that nothing is lost
    Reduce(reduce::ReduceArgs),
    /// Run many clients of `pagesight serve` at once, and kill the browser and the process
    Serve(serve::ServeArgs),
    /// Check that everything a person can use is listed, with the right role and name
    Sight(sight::SightArgs),
    /// Run `pagesight check` on a site of 200 pages: saved, unchanged, broken, killed
    Sitecheck(sitecheck::SitecheckArgs),
    /// Check pages that a sitemap of 2,000 pages and a real Storybook list
    Sources(sources::SourcesArgs),
    /// Log in to Django's admin site, save the state, and load it in fresh browsers
    State(state::StateArgs),
    /// Compare the tokens of tasks solved with diffs and by looking again after every action
    Tasks(tasks::TasksArgs),
    /// Compare the outlines and fingerprints of the same pages in Chromium and Firefox
    Twins(twins::TwinsArgs),
    /// Measure how long a navigation waits after a page is ready, and that it never returns early
    Waitbench(waitbench::WaitbenchArgs),
}

impl LabCommand {
    /// Returns the seed of the commands that use random numbers.
    fn seed(&self) -> Option<u64> {
        match self {
            LabCommand::Diffbench(args) => Some(args.seed()),
            LabCommand::Find(args) => Some(args.seed()),
            LabCommand::Icons(args) => Some(args.seed()),
            LabCommand::Menus(args) => Some(args.seed()),
            LabCommand::Monkey(args) => Some(args.seed()),
            LabCommand::Mutate(args) => Some(args.seed()),
            LabCommand::Queue(args) => Some(args.seed()),
            LabCommand::Serve(args) => Some(args.seed()),
            LabCommand::Nameless(args) => Some(args.seed()),
            LabCommand::Sitecheck(args) => Some(args.seed()),
            LabCommand::Sources(args) => Some(args.seed()),
            LabCommand::Tasks(args) => Some(args.seed()),
            LabCommand::Waitbench(args) => Some(args.seed()),
            _ => None,
        }
    }

    async fn run(self) -> anyhow::Result<()> {
        match self {
            LabCommand::Attach(args) => attach::run(args).await,
            LabCommand::Bench(args) => bench::run(args).await,
            LabCommand::Clients(args) => clients::run(args).await,
            LabCommand::Conformance(args) => conformance::run(args).await,
            LabCommand::Diffbench(args) => diffbench::run(args).await,
            LabCommand::Dist(args) => dist::run(args).await,
            LabCommand::Drivers(args) => drivers::run(args).await,
            LabCommand::Find(args) => find::run(args).await,
            LabCommand::Grid(args) => grid::run(args).await,
            LabCommand::Hostile(args) => hostile::run(args).await,
            LabCommand::Icons(args) => icons::run(args).await,
            LabCommand::Log(args) => log::run(args).await,
            LabCommand::Menus(args) => menus::run(args).await,
            LabCommand::Miniwob(args) => miniwob::run(args).await,
            LabCommand::Monkey(args) => monkey::run(args).await,
            LabCommand::Mutate(args) => mutate::run(args).await,
            LabCommand::Nameless(args) => nameless::run(args).await,
            LabCommand::Peers(args) => peers::run(args).await,
            LabCommand::Queue(args) => queue::run(args).await,
            LabCommand::Reduce(args) => reduce::run(args).await,
            LabCommand::Serve(args) => serve::run(args).await,
            LabCommand::Sight(args) => sight::run(args).await,
            LabCommand::Sitecheck(args) => sitecheck::run(args).await,
            LabCommand::Sources(args) => sources::run(args).await,
            LabCommand::State(args) => state::run(args).await,
            LabCommand::Tasks(args) => tasks::run(args).await,
            LabCommand::Twins(args) => twins::run(args).await,
            LabCommand::Waitbench(args) => waitbench::run(args).await,
        }
    }
}

fn main() -> anyhow::Result<()> {
    let command = Cli::parse().command;
    if std::env::var_os(twins::RESTARTED).is_none() {
        println!("{}\n", machine::describe_run(command.seed()));
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(command.run())
}
