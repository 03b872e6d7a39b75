//! Part of `cargo lab peers`: each tool alone, from its start to its first page, and its memory.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::install::PeerFiles;
use super::processes::{self, Memory};
use super::results::{Grouped, format_times};
use super::running::RunningPeer;
use super::tools::Peer;
use crate::product::count_tokens;
use crate::report::median;

/// In how many rounds the memory is measured, and on a page of how many elements.
const MEMORY_ROUNDS: usize = 3;
const MEMORY_SIZE: usize = 5_000;

/// The measurements of the start of a tool.
#[derive(Default)]
struct StartRow {
    started: Vec<Duration>,
    first_page: Vec<Duration>,
    memory: Vec<Memory>,
    tools: Option<usize>,
    /// The processes that it left running, at most.
    left: usize,
    failure: Option<String>,
}

/// Starts each tool several times and prints the table. Returns the tools that work.
pub async fn measure(
    peers: &[Peer],
    files: &PeerFiles,
    site: &str,
    rounds: usize,
    mark: &str,
    is_stopped: &AtomicBool,
) -> Vec<Peer> {
    let mut rows: Vec<StartRow> = peers.iter().map(|_| StartRow::default()).collect();
    for round in 0..rounds {
        for turn in 0..peers.len() {
            let index = (round + turn) % peers.len();
            let (peer, row) = (peers[index], &mut rows[index]);
            if row.failure.is_some() || is_stopped.load(Ordering::Relaxed) {
                continue;
            }
            let mark = format!("{mark}start-{round}-{index}.");
            if let Err(error) = once(peer, files, site, round < MEMORY_ROUNDS, &mark, row).await {
                row.failure = Some(format!("{error:#}"));
                processes::end(&mark).await;
            }
        }
        eprintln!("start, round {} of {rounds}", round + 1);
    }
    print(peers, files, &mut rows);
    let works = |(peer, row): (&Peer, &StartRow)| row.failure.is_none().then_some(*peer);
    peers.iter().zip(&rows).filter_map(works).collect()
}

/// Starts a tool, visits a small page with it, and ends it.
async fn once(
    peer: Peer,
    files: &PeerFiles,
    site: &str,
    with_memory: bool,
    mark: &str,
    row: &mut StartRow,
) -> anyhow::Result<()> {
    let running = RunningPeer::start(peer, files, mark.to_owned()).await?;
    running.visit(&format!("{site}/static/50")).await?;
    row.first_page.push(running.age());
    row.started.push(running.started);
    row.tools.get_or_insert_with(|| count_tokens(&running.tools));
    if with_memory {
        let visit = running.visit(&format!("{site}/{MEMORY_SIZE}")).await?;
        running.click(&visit.button).await?;
        row.memory.push(processes::memory(mark));
    }
    row.left = row.left.max(running.close().await);
    Ok(())
}

fn print(peers: &[Peer], files: &PeerFiles, rows: &mut [StartRow]) {
    println!("\n## Start, memory and tool list (each tool alone; ms are median / best)\n");
    println!(
        "Memory is in MiB after a page of {} elements and a click, with shared parts divided among \
         the processes that share them (median of {MEMORY_ROUNDS}). The server is everything but \
         the browser.\n",
        Grouped(MEMORY_SIZE)
    );
    println!(
        "| tool | version | to the tool list, ms | to the first page, ms | server | browser | tool \
         list, tokens | processes left running |\n|---|---|---|---|---|---|---|---|"
    );
    for (peer, row) in peers.iter().zip(rows) {
        let version = match peer.version(files) {
            Ok(version) => version.unwrap_or_else(|| "this revision".to_owned()),
            Err(error) => format!("{error:#}"),
        };
        if let Some(failure) = &row.failure {
            println!("| {} | {version} | not run: {failure} | | | | | |", peer.name());
            continue;
        }
        let memory = |part: fn(&Memory) -> f64| match row.memory.as_slice() {
            [] => "–".to_owned(),
            all => format!("{:.0}", median(&all.iter().map(part).collect::<Vec<f64>>())),
        };
        let tools = row.tools.filter(|_| *peer != Peer::Stagehand);
        println!(
            "| {} | {version} | {} | {} | {} | {} | {} | {} |",
            peer.name(),
            format_times(&row.started),
            format_times(&row.first_page),
            memory(|memory| memory.server),
            memory(|memory| memory.browser),
            tools.map_or("–".to_owned(), |tokens| Grouped(tokens).to_string()),
            row.left
        );
    }
}
