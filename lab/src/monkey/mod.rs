//! `cargo lab monkey`: does random actions in web apps through the MCP server and judges each from
//! inside the page. Every reply must come in time, input must reach the element that the reply
//! names, the server must not panic or grow, and no process may remain.

mod judge;
mod play;
mod tally;

use std::time::Duration;

use clap::Args;

use crate::install::apps;
use crate::mcp::McpClient;
use crate::options::{OnlyArgs, ProgramArgs, SeedArgs, run_file};
use crate::processes::left_running;
use crate::random::Random;
use crate::report::table;
use play::Monkey;
use tally::AppTally;

/// How many apps must have run.
const LEAST_APPS: usize = 4;
/// The number of actions after which memory is first measured.
const WARM: usize = 100;
/// How many MiB the server may grow from there to the end.
const GROWTH: f64 = 20.0;
/// The share of actions that the judge must be able to judge.
const JUDGED: f64 = 0.8;

/// The apps that are used, and the path at which each is entered.
const STARTS: &[(&str, &str)] = &[
    ("Swagger UI", "/swagger.html"),
    ("Node-RED", "/"),
    ("NiceGUI", "/"),
    ("Shoelace", "/gallery.html"),
    ("Django", "/admin/"),
    ("Gradio", "/"),
    ("Datasette", "/people/people"),
    ("JupyterLab", "/lab?reset"),
    ("Streamlit", "/"),
];

/// Options of `cargo lab monkey`.
#[derive(Args)]
pub struct MonkeyArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    only: OnlyArgs,
    #[command(flatten)]
    seed: SeedArgs,
    /// How many actions, over all apps
    #[arg(long, default_value_t = 1_000)]
    actions: usize,
}

/// Does the actions, prints the table, and fails on any violation.
pub async fn run(args: MonkeyArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let log = run_file("monkey.log")?;
    let client = McpClient::start_with_log(
        &program,
        &["--allow-evaluate"],
        std::fs::File::create(&log)?,
        &[],
    )
    .await?;
    let mut monkey = Monkey {
        client,
        random: Random::new(args.seed.seed),
        actions: 0,
        memory_at: None,
        journal: std::fs::File::create(run_file("monkey-journal.txt")?)?,
        violations: Vec::new(),
        mark: WARM.min(args.actions / 2),
    };
    let chosen: Vec<_> = STARTS.iter().filter(|(app, _)| args.only.includes(app)).collect();
    anyhow::ensure!(!chosen.is_empty(), "there is no app of that name; leave --only out for all");
    let mut tallies = Vec::new();
    for (at, (name, path)) in chosen.iter().enumerate() {
        // What is left is shared by the apps that are left.
        let share = (args.actions - monkey.actions.min(args.actions)).div_ceil(chosen.len() - at);
        let app = apps::find(name)?;
        let Some(mut running) = app.start_or_skip().await else { continue };
        let mut tally = AppTally { app: app.name.to_owned(), ..AppTally::default() };
        tally.memory.0 = monkey.client.memory();
        let played = monkey.play(&mut tally, &format!("{}{path}", running.address), share).await;
        tally.memory.1 = monkey.client.memory();
        running.end().await;
        eprintln!("{}", tally.row());
        eprintln!("  judged: {:?}, back to the start: {}", tally.judged, tally.returns);
        if let Err(error) = played {
            monkey.violations.push(format!("{name}: {error:#}"));
        }
        tallies.push(tally);
    }
    let violations = end(monkey, &tallies, &log).await?;
    print(&tallies);
    anyhow::ensure!(
        args.only.is_set() || tallies.len() >= LEAST_APPS,
        "only {} apps ran; {LEAST_APPS} are needed, and those left out are named above",
        tallies.len()
    );
    violations.iter().for_each(|violation| println!("violation: {violation}"));
    anyhow::ensure!(violations.is_empty(), "{} violations", violations.len());
    Ok(())
}

/// Ends the server and returns all violations.
async fn end(
    monkey: Monkey,
    tallies: &[AppTally],
    log: &std::path::Path,
) -> anyhow::Result<Vec<String>> {
    let Monkey { client, memory_at, mut violations, actions, .. } = monkey;
    let memory = client.memory();
    if let Some((at, before)) = memory_at {
        println!(
            "The server's memory: {before:.1} MiB after {at} actions, {memory:.1} MiB after {actions}."
        );
        if memory - before > GROWTH {
            violations
                .push(format!("the server grew by {:.1} MiB from action {at} on", memory - before));
        }
    }
    let (judged, all) =
        tallies.iter().map(AppTally::share).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    if (judged as f64) < all as f64 * JUDGED {
        violations.push(format!("only {judged} of {all} actions could be judged"));
    }
    let mut family = client.family();
    family.push(client.pid);
    if family.len() < 2 {
        violations.push("the browser was gone before the end".to_owned());
    }
    client.close().await?;
    let left = left_running(&family, Duration::from_secs(10)).await;
    println!("{} processes had been started, {} are left.", family.len(), left.len());
    if !left.is_empty() {
        violations.push(format!("processes are left: {left:?}"));
    }
    let said = std::fs::read_to_string(log)?;
    if let Some(line) = said.lines().find(|line| line.contains("panicked")) {
        violations.push(format!("the server panicked: {line}"));
    }
    Ok(violations)
}

fn print(tallies: &[AppTally]) {
    println!();
    table(
        "app | actions | verdicts | refused | judged / actions (why not) | slowest reply, s | server, MiB",
    );
    tallies.iter().for_each(|tally| println!("{}", tally.row()));
    let actions: usize = tallies.iter().map(|tally| tally.actions).sum();
    let (judged, all) =
        tallies.iter().map(AppTally::share).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    println!("| **all** | {actions} | | | {judged} / {all} | | |");
}
