//! Checks a site with workers on a Selenium Grid and a queue in PostgreSQL, while a worker, a node
//! and the database are killed in turn. Fails if a page is lost, has two results, or a session is
//! left on the Grid. Then measures what Grid and queue add to the same pages.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;
use tokio::process::{Child, Command};

use super::check::Checker;
use super::queue::server::{self, PASSWORD, TestServer};
use super::selenium::Grid;
use super::site::Site;
use crate::report::{ms, table};

/// Settings of the database: commits are durable.
const SETTINGS: &str = "fsync=on";
/// How long the whole disturbed run may take.
const LIMIT: Duration = Duration::from_secs(1_500);
/// How long the sessions of a killed worker may stay open.
const SESSIONS_LIMIT: Duration = Duration::from_secs(150);
/// How long a lease of the workers lasts, in seconds.
const LEASE: &str = "10";
/// How many workers there are, each with two pages at a time.
const WORKERS: usize = 3;
/// One in how many pages is checked in Firefox.
const FIREFOX: usize = 12;

/// The program, and where it works.
struct GridBench<'a> {
    checker: &'a Checker,
    grid: Grid,
    folder: &'a Path,
    store: String,
    /// The address of the site, which workers may visit.
    site: String,
}

/// Kills, checks, measures and prints the tables.
pub async fn run(checker: &Checker, pages: usize) -> anyhow::Result<()> {
    let bin = server::find().context("PostgreSQL is not installed; apt-get install postgresql")?;
    let site = Site::serve().await?;
    let mut database = TestServer::start(&bin, SETTINGS);
    let store = database.address("grid");
    let folder = site.listed(pages, |number| number % FIREFOX == 0)?;
    let (grid, address) = (Grid::start().await?, site.address.clone());
    let mut bench = GridBench { checker, grid, folder: folder.path(), store, site: address };
    bench.disturbed(&mut database, pages).await?;
    let folder = site.listed(pages / 5, |_| false)?;
    bench.folder = folder.path();
    bench.measure(pages / 5).await
}

/// Returns how many pages have a result.
fn done(database: &TestServer) -> usize {
    database.psql("SELECT count(*) FROM grid.result").parse().unwrap_or_default()
}

impl GridBench<'_> {
    async fn disturbed(&mut self, database: &mut TestServer, pages: usize) -> anyhow::Result<()> {
        table("step | result");
        let began = Instant::now();
        self.run(&["check", "enqueue"]).await?;
        let mut workers: Vec<Child> = Vec::new();
        for _ in 0..WORKERS {
            workers.push(self.worker("2", "check-work.log")?);
        }
        let reached = async |share: usize, database: &TestServer| -> anyhow::Result<usize> {
            while done(database) * 100 < pages * share {
                ensure!(began.elapsed() < LIMIT, "only {} pages are done", done(database));
                tokio::time::sleep(Duration::from_millis(300)).await;
            }
            Ok(done(database))
        };
        let at = reached(15, database).await?;
        workers.remove(0).kill().await?;
        println!("| worker killed (SIGKILL) | after {at} pages; a new one was started |");
        workers.push(self.worker("2", "check-work.log")?);
        let at = reached(40, database).await?;
        self.grid.kill_node(0)?;
        println!("| node killed (SIGKILL) | after {at} pages; started again 10 s later |");
        tokio::time::sleep(Duration::from_secs(10)).await;
        self.grid.start_node(0)?;
        let at = reached(65, database).await?;
        database.crash(Duration::from_secs(8), SETTINGS);
        println!("| database killed (SIGQUIT) | after {at} pages; started again 8 s later |");
        reached(100, database).await?;
        let took = began.elapsed().as_secs_f64();
        for mut worker in workers {
            let ended = worker.wait().await?;
            ensure!(ended.success(), "a worker ended with {ended}");
        }
        let rows = database.psql(
            "SELECT concat_ws(' ', count(*), count(DISTINCT number), count(*) FILTER (WHERE fails), count(*) FILTER (WHERE fence > 1), count(DISTINCT worker)) FROM grid.result",
        );
        let verdicts = database.psql("SELECT string_agg(v, ', ') FROM (SELECT count(*) || ' ' || verdict AS v FROM grid.result GROUP BY verdict) AS x");
        let baselines = database
            .psql("SELECT concat_ws(' ', count(*), count(DISTINCT key)) FROM grid.baseline");
        println!("| results | {verdicts} in {took:.0} s |");
        println!("| rows, pages, failing, leased more than once, workers | {rows} |");
        println!("| baselines, of different pages | {baselines} |");
        let status = self.run(&["check", "status", "--output", "json"]).await?;
        println!("| `check status` | {} |", serde_json::from_str::<Value>(&status)?["state"]);
        let waited = Instant::now();
        while self.grid.sessions().await? > 0 {
            ensure!(waited.elapsed() < SESSIONS_LIMIT, "sessions are left on the Grid");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        let after = waited.elapsed().as_secs();
        println!("| sessions left on the Grid | 0, {after} s after the last worker ended |");
        ensure!(rows.starts_with(&format!("{pages} {pages} 0 ")), "results: {rows}");
        ensure!(baselines == format!("{pages} {pages}"), "baselines: {baselines}");
        Ok(())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.checker.command(self.folder, arguments);
        command.args(["--store", &self.store]).env("PGPASSWORD", PASSWORD);
        command
    }

    /// Runs a command of the queue to its end and returns what it prints.
    async fn run(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let output = self.command(arguments).output().await?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{arguments:?} ended with {}: {said}", output.status);
        Ok(String::from_utf8(output.stdout)?)
    }

    fn worker(&self, jobs: &str, log: &str) -> anyhow::Result<Child> {
        let log = self.folder.join(log);
        let log = std::fs::OpenOptions::new().create(true).append(true).open(log)?;
        let arguments = ["check", "work", "--connect", &self.grid.address, "--jobs", jobs];
        let mut command = self.command(&arguments);
        command.args(["--base-url", &self.site]);
        Ok(command.args(["--lease", LEASE]).stdout(log.try_clone()?).stderr(log).spawn()?)
    }

    /// Measures unchanged pages in four ways.
    async fn measure(&self, pages: usize) -> anyhow::Result<()> {
        let grid = ["--connect", &self.grid.address];
        let store = ["--connect", &self.grid.address, "--store", &self.store];
        let ways: [(&str, &[&str]); 3] =
            [("this machine", &[]), ("Grid", &grid), ("Grid and database", &store)];
        let mut times = Vec::new();
        for (name, more) in ways {
            // The first check saves.
            self.checker.check(self.folder, more).await?.require("failed", 0)?;
            let unchanged = self.checker.check(self.folder, more).await?;
            unchanged.require("unchanged", pages)?;
            times.push((name, unchanged.took));
        }
        let begun = Instant::now();
        self.run(&["check", "enqueue"]).await?;
        let ended = self.worker("4", "measured.log")?.wait().await?;
        ensure!(ended.success(), "the worker ended with {ended}");
        times.push(("Grid, database and queue", begun.elapsed()));
        println!();
        table(&format!("{pages} unchanged pages, 4 at a time | seconds | ms per page | "));
        for (name, took) in &times {
            let (seconds, each) = (took.as_secs_f64(), ms(*took) / pages as f64);
            let more = (ms(*took) / ms(times[0].1) - 1.0) * 100.0;
            println!("| {name} | {seconds:.1} | {each:.0} | {more:+.0} % |");
        }
        Ok(())
    }
}
