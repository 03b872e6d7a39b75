//! `cargo lab sitecheck`: `pagesight check` on a whole site: saved, unchanged, some pages broken,
//! killed in the middle. Measures each run, and compares it with only loading the same pages. Fails
//! if a run has the wrong result or takes too long.

#[path = "../../crates/pagesight/tests/whole/support/shop_pages.rs"]
mod pages;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use axum::extract::State;
use axum::response::Html;
use axum::routing::get;
use clap::Args;
use serde_json::Value;
use tokio::process::Command;

use crate::options::{ProgramArgs, SeedArgs};
use crate::product::{Feature, Session, SessionOptions};
use crate::random::Random;

/// How much longer than loading the pages a check of unchanged pages may take.
const MOST_OVERHEAD: f64 = 0.10;

/// Options of `cargo lab sitecheck`.
#[derive(Args)]
pub struct SitecheckArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    seed: SeedArgs,
    /// How many pages the site has
    #[arg(long, default_value_t = 200)]
    pages: usize,
    /// How many of them are broken; the seed decides which, and how
    #[arg(long, default_value_t = 20)]
    broken: usize,
    /// How many tabs are used at a time
    #[arg(long, default_value_t = 4)]
    jobs: usize,
    /// How often each time is measured; the best one counts
    #[arg(long, default_value_t = 2)]
    rounds: usize,
}

impl SitecheckArgs {
    /// Returns the seed.
    pub fn seed(&self) -> u64 {
        self.seed.seed
    }
}

/// BrokenPages pages, by number, with what is broken.
pub type BrokenPages = Arc<Mutex<BTreeMap<usize, usize>>>;

/// Serves the site and returns its address.
pub async fn serve(broken: BrokenPages) -> anyhow::Result<String> {
    let page = |State(broken): State<BrokenPages>,
                axum::extract::Path(number): axum::extract::Path<usize>| async move {
        let fault = broken.lock().ok().and_then(|broken| broken.get(&number).copied());
        Html(pages::page(number, fault))
    };
    let app = axum::Router::new().route("/p/{number}", get(page)).with_state(broken);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(address)
}

/// The site, and the program that checks it.
struct SiteBench {
    program: PathBuf,
    address: String,
    pages: usize,
}

impl SiteBench {
    /// A folder with a `pages.toml` for all pages.
    fn folder(&self) -> anyhow::Result<tempfile::TempDir> {
        let folder = tempfile::tempdir()?;
        let mut text = format!("base_url = {:?}\n", self.address);
        for number in 0..self.pages {
            text.push_str(&format!("[[page]]\nroute = \"/p/{number}\"\n"));
        }
        std::fs::write(folder.path().join("pages.toml"), text)?;
        Ok(folder)
    }

    fn command(&self, folder: &Path, jobs: usize) -> Command {
        let mut command = Command::new(&self.program);
        let jobs = jobs.to_string();
        command
            .args(["check", "--output", "json", "--jobs", &jobs])
            .current_dir(folder)
            .env_remove("CI");
        command.stdout(Stdio::piped()).kill_on_drop(true);
        command
    }

    /// Checks all pages. Returns the program's JSON and how long it took, start and end included.
    async fn check(&self, folder: &Path, jobs: usize) -> anyhow::Result<(Value, Duration)> {
        let begun = Instant::now();
        let output = self.command(folder, jobs).output().await?;
        let took = begun.elapsed();
        let reported = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{} printed no JSON: {output:?}", self.program.display()))?;
        Ok((reported, took))
    }

    /// Loads all pages, each in a tab of its own, and does nothing else.
    async fn load(&self, jobs: usize, smart: bool) -> anyhow::Result<Duration> {
        let begun = Instant::now();
        let session = Arc::new(Session::new(SessionOptions::default()));
        if !smart {
            session.turn_off(Feature::SmartWaiting);
        }
        // A browser ends with its last tab.
        session.open_tab(None).await?;
        let next = Arc::new(Mutex::new(0..self.pages));
        let mut workers = tokio::task::JoinSet::new();
        for _ in 0..jobs {
            let (session, next, address) = (session.clone(), next.clone(), self.address.clone());
            workers.spawn(async move {
                loop {
                    let number = next.lock().ok().and_then(|mut next| next.next());
                    let Some(number) = number else { return anyhow::Ok(()) };
                    let tab = session.open_tab(None).await?;
                    session.navigate(&tab, &format!("{address}/p/{number}").parse()?, None).await?;
                    session.close_tab(&tab).await?;
                }
            });
        }
        while let Some(done) = workers.join_next().await {
            done??;
        }
        session.close().await;
        Ok(begun.elapsed())
    }
}

fn names(reported: &Value, result: &str) -> BTreeSet<String> {
    let pages =
        reported["pages"].as_array().into_iter().flatten().filter(|page| page["result"] == result);
    pages.filter_map(|page| page["name"].as_str().map(str::to_owned)).collect()
}

fn saved(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder.join("pages.baselines")).into_iter().flatten().flatten();
    entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "json")).count()
}

/// Measures, checks and prints the table.
pub async fn run(args: SitecheckArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let broken = BrokenPages::default();
    let bench = SiteBench { program, address: serve(broken.clone()).await?, pages: args.pages };
    let folder = bench.folder()?;
    let at = folder.path();
    let all = args.pages;

    let (reported, first) = bench.check(at, args.jobs).await?;
    ensure!(
        names(&reported, "saved").len() == all,
        "the first run did not save all: {}",
        reported["summary"]
    );
    let mut times: BTreeMap<&str, Duration> = BTreeMap::new();
    let mut best = |what: &'static str, took: Duration| {
        let known = times.entry(what).or_insert(took);
        *known = took.min(*known);
    };
    for _ in 0..args.rounds {
        let (reported, took) = bench.check(at, args.jobs).await?;
        ensure!(
            names(&reported, "unchanged").len() == all,
            "not all are unchanged: {}",
            reported["summary"]
        );
        best("check", took);
        best("smart", bench.load(args.jobs, true).await?);
        best("load", bench.load(args.jobs, false).await?);
    }
    let (reported, one) = bench.check(at, 1).await?;
    ensure!(
        names(&reported, "unchanged").len() == all,
        "not all are unchanged with one job: {}",
        reported["summary"]
    );
    let one_load = bench.load(1, true).await?;

    let mut random = Random::new(args.seed());
    let mut faults = BTreeMap::new();
    while faults.len() < args.broken.min(all) {
        let (page, fault) =
            (random.next() as usize % all, random.next() as usize % pages::FAULTS.len());
        faults.entry(page).or_insert(fault);
    }
    let expected: BTreeSet<String> = faults.keys().map(|number| format!("p-{number}")).collect();
    if let Ok(mut broken) = broken.lock() {
        broken.clone_from(&faults);
    }
    let (reported, third) = bench.check(at, args.jobs).await?;
    let changed = names(&reported, "changed");
    let bad = |page: &&Value| page["fails"] == true;
    let failing = reported["pages"].as_array().into_iter().flatten().filter(bad).count();
    let missed: Vec<_> = expected.difference(&changed).collect();
    let invented: Vec<_> = changed.difference(&expected).collect();
    if let Ok(mut broken) = broken.lock() {
        broken.clear();
    }

    let (done, killed) = kill_and_go_on(&bench, args.jobs).await?;

    let seconds = |took: Duration| format!("{:.1}", took.as_secs_f64());
    let each = |took: Duration| format!("{:.0}", took.as_secs_f64() * 1000.0 / all as f64);
    let overhead =
        |took: Duration, beside: Duration| took.as_secs_f64() / beside.as_secs_f64() - 1.0;
    let over =
        |took: Duration, beside: Duration| format!("{:+.0} %", overhead(took, beside) * 100.0);
    println!(
        "| run | jobs | result | seconds | ms per page | compared with loading only |\n|---|---|---|---|---|---|"
    );
    let jobs = args.jobs;
    let (check, smart, load) = (times["check"], times["smart"], times["load"]);
    println!(
        "| first | {jobs} | {all} saved, with pictures | {} | {} | {} |",
        seconds(first),
        each(first),
        over(first, smart)
    );
    println!(
        "| second | {jobs} | {all} unchanged | {} | {} | {} |",
        seconds(check),
        each(check),
        over(check, smart)
    );
    println!(
        "| second | 1 | {all} unchanged | {} | {} | {} |",
        seconds(one),
        each(one),
        over(one, one_load)
    );
    println!(
        "| {} broken | {jobs} | {} reported, {failing} of them failing; missed {missed:?}, invented {invented:?} | {} | {} | {} |",
        expected.len(),
        changed.len(),
        seconds(third),
        each(third),
        over(third, smart)
    );
    println!(
        "| killed after {done}, started again | {jobs} | {done} unchanged, {} saved, then {all} unchanged | {} | | |",
        all - done,
        seconds(killed)
    );
    println!("| loading only, smart waiting | {jobs} | | {} | {} | |", seconds(smart), each(smart));
    println!(
        "| loading only, smart waiting | 1 | | {} | {} | |",
        seconds(one_load),
        each(one_load)
    );
    println!("| loading only, `load` event | {jobs} | | {} | {} | |", seconds(load), each(load));
    ensure!(missed.is_empty() && invented.is_empty(), "not exactly the broken pages were reported");
    ensure!(
        overhead(check, smart) < MOST_OVERHEAD,
        "a check of unchanged pages took {} compared with loading them; at most {:.0} % is allowed",
        over(check, smart),
        MOST_OVERHEAD * 100.0
    );
    Ok(())
}

/// Kills a first run when a third is saved, and begins again; answers with how many were saved by
/// then and how long the rest took.
async fn kill_and_go_on(bench: &SiteBench, jobs: usize) -> anyhow::Result<(usize, Duration)> {
    let folder = bench.folder()?;
    let at = folder.path();
    let mut child = bench.command(at, jobs).spawn()?;
    let late = Instant::now() + Duration::from_secs(120);
    while saved(at) < bench.pages / 3 {
        ensure!(Instant::now() < late, "nothing was saved in time");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // SIGKILL: nothing can be tidied up.
    child.kill().await?;
    let done = saved(at);
    let (reported, took) = bench.check(at, jobs).await?;
    let (unchanged, new) = (names(&reported, "unchanged").len(), names(&reported, "saved").len());
    ensure!(
        unchanged == done && new == bench.pages - done,
        "killed after {done}: {}",
        reported["summary"]
    );
    let (reported, _) = bench.check(at, jobs).await?;
    ensure!(
        names(&reported, "unchanged").len() == bench.pages,
        "afterwards: {}",
        reported["summary"]
    );
    Ok((done, took))
}
