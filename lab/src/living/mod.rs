//! `cargo lab living`: pagesight beside other tools in apps whose values change all the time:
//! dashboards of web components with hundreds of nested shadow roots, a notebook, editors. Each
//! round visits an app with all tools in turn, so that a busy moment of the machine meets all of
//! them.

mod apps;
mod cpu;
mod floor;
mod results;
mod verdict;
mod visit;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Args;

use self::apps::{LIVING_APPS, LivingApp};
use self::cpu::Spinners;
use self::floor::FloorBrowser;
use self::results::{LivingResults, Load};
use self::visit::{Completion, Step};
use crate::options::{DetailsArgs, OnlyArgs, ProgramArgs};
use crate::peers::install::PeerFiles;
use crate::peers::running::RunningPeer;
use crate::peers::tools::Peer;
use crate::peers::{processes, stop_on_signals};
use crate::product::Engine;
use crate::report::ms;

/// The compared tools; all of them drive Chromium.
const TOOLS: [Peer; 3] =
    [Peer::Pagesight(Engine::Chromium), Peer::Playwright, Peer::ChromeDevtools];

/// A tool does not visit an app again after so many visits that were cut short.
const FAILURES: usize = 2;

/// How many apps must run for a whole run to count.
const REQUIRED_APPS: usize = 8;

/// Options of `cargo lab living`.
#[derive(Args)]
#[command(
    after_help = "--only takes parts of the names of apps, of tools, or of both.\nApps: Shoelace, Material Web, UI5, Vaadin, settings, JupyterLab, Node-RED, NiceGUI, Storybook"
)]
pub struct LivingArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    only: OnlyArgs,
    /// How often each tool visits each app
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Repeat the rounds with one spinning process per core, and compare
    #[arg(long)]
    busy: bool,
    #[command(flatten)]
    details: DetailsArgs,
}

/// Visits the apps with all tools and prints the tables; fails if a claim is missed.
pub async fn run(args: LivingArgs) -> anyhow::Result<()> {
    let apps = chosen(LIVING_APPS.iter().collect(), &args.only, |app| app.name);
    let tools = chosen(TOOLS.to_vec(), &args.only, |peer| peer.name());
    anyhow::ensure!(
        !args.only.is_set() || apps.len() < LIVING_APPS.len() || tools.len() < TOOLS.len(),
        "no app and no tool has such a name"
    );
    let files = PeerFiles::install(std::path::absolute(args.program.path()?)?).await?;
    let mark = format!("{}.", std::process::id());
    let is_stopped = stop_on_signals()?;
    let mut run = Run {
        rounds: args.rounds.into(),
        loads: if args.busy { vec![Load::Quiet, Load::Busy] } else { vec![Load::Quiet] },
        is_stopped: &is_stopped,
        results: LivingResults::default(),
        details: String::new(),
    };
    let visited = run.visit_all(&apps, &tools, &files, &mark).await;
    processes::end(&mark).await;
    let visited = visited?;
    for load in &run.loads {
        run.results.print(&visited, &tools, *load);
    }
    args.details.write(&run.details)?;
    println!("\n## Verdicts\n");
    let verdicts = verdict::judge(&run.results, &visited, &tools, &run.loads);
    verdicts.iter().for_each(|verdict| println!("- {}", verdict.text));
    let missed = verdicts.iter().filter(|verdict| !verdict.is_met).count();
    anyhow::ensure!(!is_stopped.load(Ordering::Relaxed), "stopped before all rounds were done");
    let required = apps.len().min(REQUIRED_APPS);
    anyhow::ensure!(visited.len() >= required, "only {} apps ran of {required}", visited.len());
    anyhow::ensure!(missed == 0, "{missed} of {} verdicts are missed", verdicts.len());
    Ok(())
}

/// Returns the items that `--only` names, or all if it names none of them.
fn chosen<T: Copy>(all: Vec<T>, only: &OnlyArgs, name: fn(&T) -> &'static str) -> Vec<T> {
    let named: Vec<T> = all.iter().copied().filter(|item| only.includes(name(item))).collect();
    if named.is_empty() { all } else { named }
}

/// A run, and what it measured.
struct Run<'a> {
    rounds: usize,
    loads: Vec<Load>,
    is_stopped: &'a AtomicBool,
    results: LivingResults,
    details: String,
}

impl Run<'_> {
    /// Starts the tools, and each app in turn; returns the apps that could be started.
    async fn visit_all<'b>(
        &mut self,
        apps: &[&'b LivingApp],
        tools: &[Peer],
        files: &PeerFiles,
        mark: &str,
    ) -> anyhow::Result<Vec<&'b LivingApp>> {
        let floor = FloorBrowser::start().await?;
        let mut running = Vec::new();
        for (index, peer) in tools.iter().enumerate() {
            // The heartbeat is a function that the lab runs in the page.
            let more: &[&str] = if peer.is_own() { &["--allow-evaluate"] } else { &[] };
            let mark = format!("{mark}{index}.");
            let one = RunningPeer::start_with(*peer, files, mark, more).await?;
            // The browser starts with the first visit.
            one.run(&peer.leave()[..1]).await?;
            running.push(one);
        }
        let mut visited = Vec::new();
        for app in apps {
            if self.is_stopped.load(Ordering::Relaxed) {
                break;
            }
            match app.start().await {
                Ok(started) => {
                    self.visit_app(app, &started.url, &running, &floor).await;
                    started.end().await;
                    visited.push(*app);
                }
                Err(error) => println!("skipped: {}: {error:#}", app.name),
            }
        }
        for one in running {
            one.close().await;
        }
        floor.close().await;
        Ok(visited)
    }

    async fn visit_app(
        &mut self,
        app: &LivingApp,
        url: &str,
        running: &[RunningPeer],
        floor: &FloorBrowser,
    ) {
        for load in self.loads.clone() {
            let _spinners = match load {
                Load::Quiet => None,
                Load::Busy => Spinners::start().ok(),
            };
            let mut cut = vec![0; running.len()];
            for round in 0..self.rounds {
                let begun = Instant::now();
                if app.has_floor && load == Load::Quiet {
                    match floor.measure(url).await {
                        Ok(floors) => self.results.add_floors(app.name, floors),
                        Err(error) => println!("no floor of {}: {error:#}", app.name),
                    }
                }
                for turn in 0..running.len() {
                    if self.is_stopped.load(Ordering::Relaxed) {
                        return;
                    }
                    let index = (round + turn) % running.len();
                    if cut[index] < FAILURES {
                        let one = &running[index];
                        let completion = self.visit_once(app, url, one, load, round).await;
                        cut[index] += usize::from(completion == Completion::Cut);
                    }
                }
                let (name, rounds) = (app.name, self.rounds);
                eprintln!(
                    "{name}, {load:?}, round {} of {rounds}: {:?}",
                    round + 1,
                    begun.elapsed()
                );
            }
        }
    }

    /// Visits an app with one tool, and adds what was measured.
    async fn visit_once(
        &mut self,
        app: &LivingApp,
        url: &str,
        running: &RunningPeer,
        load: Load,
        round: usize,
    ) -> Completion {
        let (steps, completion) = visit::visit(running, app, url).await;
        for Step { measure, outcome } in steps {
            let cell = self.results.cell((app.name, load, running.peer, measure));
            let text = match outcome {
                Ok(taken) => {
                    cell.times.push(taken.time);
                    cell.tokens = taken.tokens;
                    let complaint = taken.complaint.as_deref().unwrap_or_default();
                    let text =
                        format!("{:.1} ms, {} tokens {complaint}", ms(taken.time), taken.tokens);
                    cell.failures.extend(taken.complaint);
                    text
                }
                Err(error) => {
                    cell.failures.push(format!("{error:#}"));
                    format!("failed: {error:#}")
                }
            };
            let (name, tool) = (app.name, running.peer.name());
            let round = round + 1;
            self.details.push_str(&format!("{name} {load:?} {round} {tool} {measure:?}: {text}\n"));
        }
        completion
    }
}
