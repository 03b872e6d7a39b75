//! `cargo lab grid`: checks a site with workers on a Selenium Grid and a queue in PostgreSQL, while
//! a worker, a node and the database are killed in turn. Fails if a page is lost, has two results,
//! or a session is left on the Grid. Then measures what Grid and queue add to the same pages.

mod selenium;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use serde_json::Value;

use crate::options::ProgramArgs;
use crate::queue::server::{self, PASSWORD, TestServer};
use crate::sitecheck;
use selenium::Grid;

/// Settings of the database: commits are durable.
const SETTINGS: &str = "fsync=on";
/// How long the whole disturbed run may take.
const LIMIT: Duration = Duration::from_secs(1_500);
/// How long a lease of the workers lasts, in seconds.
const LEASE: &str = "10";

/// Options of `cargo lab grid`.
#[derive(Args)]
pub struct GridArgs {
    #[command(flatten)]
    program: ProgramArgs,
    /// How many pages are checked while parts are killed
    #[arg(long, default_value_t = 500)]
    pages: usize,
    /// How many of them are checked in Firefox
    #[arg(long, default_value_t = 40)]
    firefox: usize,
    /// How many workers there are, each with two pages at a time
    #[arg(long, default_value_t = 3)]
    workers: usize,
    /// How many pages are checked to measure the overhead
    #[arg(long, default_value_t = 100)]
    measured: usize,
}

/// The program and where it works.
struct GridBench {
    program: PathBuf,
    folder: tempfile::TempDir,
    store: String,
}

/// Kills, checks, measures and prints the table.
pub async fn run(args: GridArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let bin = server::find().context("PostgreSQL is not installed; apt-get install postgresql")?;
    let site = sitecheck::serve(sitecheck::BrokenPages::default()).await?;
    let mut database = TestServer::start(&bin, SETTINGS);
    let mut grid = Grid::start().await?;
    let bench = GridBench {
        program: std::path::absolute(program)?,
        folder: tempfile::tempdir()?,
        store: database.address("grid"),
    };
    println!("| step | result |\n|---|---|");
    bench.write_pages(&site, args.pages, args.firefox)?;
    let began = Instant::now();
    bench.run(&["check", "enqueue"])?;
    let mut workers: Vec<Child> = Vec::new();
    for _ in 0..args.workers {
        workers.push(bench.worker(&grid, 2, "check-work.log")?);
    }
    let reached = async |share: usize, database: &TestServer| -> anyhow::Result<()> {
        while done(database) * 100 < args.pages * share {
            ensure!(began.elapsed() < LIMIT, "only {} pages are done", done(database));
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        Ok(())
    };
    reached(15, &database).await?;
    workers[0].kill()?;
    workers[0].wait()?;
    println!(
        "| worker killed (SIGKILL) | after {} pages; a new one was started |",
        done(&database)
    );
    workers.push(bench.worker(&grid, 2, "check-work.log")?);
    reached(40, &database).await?;
    grid.kill_node(0)?;
    println!(
        "| node killed (SIGKILL) | after {} pages; started again 10 s later |",
        done(&database)
    );
    tokio::time::sleep(Duration::from_secs(10)).await;
    grid.start_node(0)?;
    reached(65, &database).await?;
    let at = done(&database);
    database.crash(Duration::from_secs(8), SETTINGS);
    println!("| database killed (SIGQUIT) | after {at} pages; started again 8 s later |");
    reached(100, &database).await?;
    let took = began.elapsed();
    for worker in &mut workers[1..] {
        let ended = worker.wait()?;
        ensure!(ended.success(), "a worker ended with {ended}");
    }
    let rows = database.psql(
        "SELECT concat_ws(' ', count(*), count(DISTINCT number), count(*) FILTER (WHERE fails), count(*) FILTER (WHERE fence > 1), count(DISTINCT worker)) FROM grid.result",
    );
    let verdicts = database.psql("SELECT string_agg(v, ', ') FROM (SELECT count(*) || ' ' || verdict AS v FROM grid.result GROUP BY verdict) AS x");
    let baselines =
        database.psql("SELECT concat_ws(' ', count(*), count(DISTINCT key)) FROM grid.baseline");
    println!("| results | {verdicts} in {:.0} s |", took.as_secs_f64());
    println!("| rows, pages, failing, leased more than once, workers | {rows} |");
    println!("| baselines, of different pages | {baselines} |");
    let status = bench.run(&["check", "status", "--output", "json"])?;
    println!("| `check status` | {} |", serde_json::from_str::<Value>(&status)?["state"]);
    let waited = Instant::now();
    while grid.sessions().await? > 0 {
        ensure!(
            waited.elapsed() < Duration::from_secs(150),
            "{} sessions are left",
            grid.sessions().await?
        );
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    println!(
        "| sessions left on the Grid | 0, {:.0} s after the last worker ended |",
        waited.elapsed().as_secs_f64()
    );
    let expected = format!("{0} {0} ", args.pages);
    ensure!(rows.starts_with(&format!("{expected}0 ")), "results: {rows}");
    ensure!(baselines == format!("{0} {0}", args.pages), "baselines: {baselines}");
    bench.measure(&grid, &site, args.measured).await
}

/// Returns how many pages have a result.
fn done(database: &TestServer) -> usize {
    let count = database.psql("SELECT count(*) FROM grid.result");
    count.parse().unwrap_or_default()
}

impl GridBench {
    fn write_pages(&self, site: &str, pages: usize, firefox: usize) -> anyhow::Result<()> {
        let mut text = format!("base_url = {site:?}\n");
        for number in 0..pages {
            text.push_str(&format!("[[page]]\nroute = \"/p/{number}\"\n"));
            if number * firefox / pages != (number + 1) * firefox / pages {
                text.push_str("browsers = [\"firefox\"]\n");
            }
        }
        Ok(std::fs::write(self.folder.path().join("pages.toml"), text)?)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(self.folder.path()).env_remove("CI");
        command.env("PGPASSWORD", PASSWORD).stdin(Stdio::null());
        command
    }

    /// Runs a command of the queue to its end and returns what it prints.
    fn run(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let mut command = self.command(arguments);
        let output = command.args(["--store", &self.store]).output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{arguments:?} ended with {}: {said}", output.status);
        Ok(String::from_utf8(output.stdout)?)
    }

    fn worker(&self, grid: &Grid, jobs: usize, log: &str) -> anyhow::Result<Child> {
        let log = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.path().join(log))?;
        let jobs = jobs.to_string();
        let arguments = ["check", "work", "--connect", &grid.address, "--jobs", &jobs];
        let mut command = self.command(&arguments);
        command.args(["--lease", LEASE, "--store", &self.store]);
        Ok(command.stdout(log.try_clone()?).stderr(log).spawn()?)
    }

    /// Measures unchanged pages in four ways.
    async fn measure(&self, grid: &Grid, site: &str, pages: usize) -> anyhow::Result<()> {
        self.write_pages(site, pages, 0)?;
        let folder: &Path = self.folder.path();
        let mut times = BTreeMap::new();
        for round in 0..2 {
            for (name, more) in [
                ("1 this machine", vec![]),
                ("2 Grid", vec!["--connect", &grid.address]),
                ("3 Grid and database", vec!["--connect", &grid.address, "--store", &self.store]),
            ] {
                let begun = Instant::now();
                let mut command = self.command(&["check", "--jobs", "4", "--output", "json"]);
                let output = command.args(&more).output()?;
                let reported: Value = serde_json::from_slice(&output.stdout)
                    .with_context(|| format!("{folder:?}: {output:?}"))?;
                ensure!(reported["exit_code"] == 0, "{name}: {}", reported["summary"]);
                if round > 0 {
                    ensure!(reported["counts"]["unchanged"] == pages, "{}", reported["summary"]);
                    times.insert(name, begun.elapsed());
                }
            }
        }
        let begun = Instant::now();
        self.run(&["check", "enqueue"])?;
        let ended = self.worker(grid, 4, "measured.log")?.wait()?;
        ensure!(ended.success(), "the worker ended with {ended}");
        times.insert("4 Grid, database and queue", begun.elapsed());
        let plain = times["1 this machine"].as_secs_f64();
        println!(
            "\n| {pages} unchanged pages, 4 at a time | seconds | ms per page | |\n|---|---|---|---|"
        );
        for (name, took) in &times {
            let seconds = took.as_secs_f64();
            println!(
                "| {} | {seconds:.1} | {:.0} | {:+.0} % |",
                &name[2..],
                seconds * 1_000.0 / pages as f64,
                (seconds / plain - 1.0) * 100.0
            );
        }
        Ok(())
    }
}
