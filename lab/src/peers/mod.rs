//! `cargo lab peers`: pagesight beside other tools that show web pages to agents, on the same
//! generated pages, in one run. Each round visits all tools in turn, so that a busy moment of the
//! machine meets all of them.

pub mod install;
pub mod processes;
pub mod results;
pub mod running;
mod start;
pub mod tools;
pub mod verdict;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use self::install::PeerFiles;
use self::results::{Line, Measure, Results};
use self::running::{RunningPeer, TimedAnswer};
use self::tools::{PEERS, Peer};
use crate::bench::generated_pages;
use crate::options::{DetailsArgs, OnlyArgs, ProgramArgs};
use crate::product::count_tokens;

/// A tool is not asked again after so many failures on pages of one size.
const FAILURES: usize = 2;

/// Options of `cargo lab peers`.
#[derive(Args)]
pub struct PeersArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    only: OnlyArgs,
    /// How often each tool visits each page
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// How often each tool is started; 0 leaves the table of starts out
    #[arg(long, default_value_t = 7)]
    starts: u16,
    /// How many elements the pages have
    #[arg(long, value_delimiter = ',', default_values_t = [50, 500, 1_500, 5_000, 20_000])]
    sizes: Vec<usize>,
    #[command(flatten)]
    details: DetailsArgs,
}

/// Measures all tools and prints the tables; fails if a claim is missed.
pub async fn run(args: PeersArgs) -> anyhow::Result<()> {
    let peers: Vec<Peer> =
        PEERS.into_iter().filter(|peer| args.only.includes(peer.name())).collect();
    anyhow::ensure!(!peers.is_empty(), "no tool has such a name");
    let files = PeerFiles::install_all(args.program.path()?).await?;
    let site = generated_pages::serve().await?;
    let mark = format!("{}.", std::process::id());
    let is_stopped = stop_on_signals()?;
    let measured = measure(&args, peers, &files, &site, &mark, &is_stopped).await;
    // Some tools leave processes running, whatever happened.
    processes::end(&mark).await;
    measured
}

/// Returns a flag that is set when the run is interrupted or terminated. The run then ends after
/// the current visit and prints what it has.
pub fn stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    let (mut terminated, mut interrupted) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let is_stopped = Arc::new(AtomicBool::new(false));
    let flag = is_stopped.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
        flag.store(true, Ordering::Relaxed);
    });
    Ok(is_stopped)
}

async fn measure(
    args: &PeersArgs,
    mut peers: Vec<Peer>,
    files: &PeerFiles,
    site: &str,
    mark: &str,
    is_stopped: &AtomicBool,
) -> anyhow::Result<()> {
    if args.starts > 0 {
        peers = start::measure(&peers, files, site, args.starts.into(), mark, is_stopped).await;
    }
    let mut running = Vec::new();
    for peer in std::mem::take(&mut peers) {
        match ready(peer, files, site, format!("{mark}{}.", running.len())).await {
            Ok(one) => {
                peers.push(peer);
                running.push(one);
            }
            Err(error) => println!("\n{}: not run: {error:#}", peer.name()),
        }
    }
    let mut results = Results::default();
    let mut details = String::new();
    for round in 0..usize::from(args.rounds) {
        let begun = Instant::now();
        for size in &args.sizes {
            for turn in 0..peers.len() {
                if is_stopped.load(Ordering::Relaxed) {
                    break;
                }
                let index = (round + turn) % peers.len();
                let notes =
                    visit_both(peers[index], &running[index], site, *size, &mut results).await;
                for note in notes {
                    details.push_str(&format!("round {} {note}\n", round + 1));
                }
            }
        }
        eprintln!("pages, round {} of {}: {:?}", round + 1, args.rounds, begun.elapsed());
    }
    for one in running {
        one.close().await;
    }
    for measure in [Measure::Still, Measure::Scripted, Measure::Click] {
        results.print(&peers, &args.sizes, measure, false);
    }
    for measure in [Measure::Still, Measure::Click] {
        results.print(&peers, &args.sizes, measure, true);
    }
    args.details.write(&details)?;
    println!("\n## Verdicts\n");
    let verdicts = verdict::judge(&results, &peers, &args.sizes);
    anyhow::ensure!(!verdicts.is_empty(), "nothing to compare pagesight with was run");
    for verdict in &verdicts {
        println!("- {}", verdict.text);
    }
    let missed = verdicts.iter().filter(|verdict| !verdict.is_met).count();
    anyhow::ensure!(!is_stopped.load(Ordering::Relaxed), "stopped before all rounds were done");
    anyhow::ensure!(missed == 0, "{missed} of {} verdicts are missed", verdicts.len());
    Ok(())
}

/// Starts a tool and its browser, which starts with the first visit. Both are measured in the table
/// of starts.
async fn ready(
    peer: Peer,
    files: &PeerFiles,
    site: &str,
    mark: String,
) -> anyhow::Result<RunningPeer> {
    let running = RunningPeer::start(peer, files, mark).await?;
    running.visit(&format!("{site}/static/50")).await?;
    Ok(running)
}

/// Visits the page without a script, the one with a script, and clicks its button. Returns one line
/// for each measure.
async fn visit_both(
    peer: Peer,
    running: &RunningPeer,
    site: &str,
    size: usize,
    results: &mut Results,
) -> Vec<String> {
    let line = Line { peer, is_full: false };
    let mut notes = Vec::new();
    for (measure, path) in [(Measure::Still, "static/"), (Measure::Scripted, "")] {
        if results.cell(line, measure, size).failures.len() >= FAILURES {
            continue;
        }
        match running.visit(&format!("{site}/{path}{size}")).await {
            Ok(visit) => {
                notes.push(add(results, line, measure, size, Ok(visit.shown)));
                if let Some(full) = visit.full {
                    let line = Line { peer, is_full: true };
                    notes.push(add(results, line, measure, size, Ok(full)));
                }
                let clicks = results.cell(line, Measure::Click, size);
                if measure == Measure::Scripted && clicks.failures.len() < FAILURES {
                    let clicked = running.click(&visit.button).await;
                    notes.push(add(results, line, Measure::Click, size, clicked));
                }
            }
            Err(error) => notes.push(add(results, line, measure, size, Err(error))),
        }
    }
    notes
}

/// Adds a result to its cell. Returns it as a line of text.
fn add(
    results: &mut Results,
    line: Line,
    measure: Measure,
    size: usize,
    answer: anyhow::Result<TimedAnswer>,
) -> String {
    let cell = results.cell(line, measure, size);
    let outcome = match answer {
        Ok(answer) => {
            if cell.times.is_empty() {
                cell.tokens = count_tokens(&answer.text);
            }
            cell.times.push(answer.took);
            format!("{:.1} ms", answer.took.as_secs_f64() * 1000.0)
        }
        Err(error) => {
            cell.failures.push(format!("{error:#}"));
            format!("failed: {error:#}")
        }
    };
    format!("{size} {measure:?} {line:?}: {outcome}")
}
