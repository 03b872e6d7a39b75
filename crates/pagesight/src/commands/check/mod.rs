//! `pagesight check`: compares every page of `pages.toml` with its baseline. `plan` reads the file,
//! `sources` lists further pages, `prepare` chooses the pages to check, `run` checks them
//! (`browser`, `visit`, `steps`, `story`), `files` and `form` store baselines, and `accept` writes
//! the baselines that `--update` accepts. `runs` keeps the result in a folder, which `accept_run`
//! and `merge` read. `grid` has browsers of a Selenium Grid, `queue` shares the pages with workers
//! on other machines. This file is the command: it takes the arguments, and returns the exit code.

mod accept;
mod accept_run;
mod browser;
mod browsers;
mod files;
mod form;
mod glob;
mod grid;
mod merge;
mod outputs;
mod picture;
pub(crate) mod plan;
mod prepare;
mod problems;
mod progress;
mod queue;
mod record;
mod run;
mod runs;
mod secrets;
mod since;
mod sources;
mod steps;
mod story;
mod visit;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;

use crate::cli::arguments::{CheckArguments, CheckCommand};
use crate::cli::check_arguments::RUN_FOLDER;
use crate::cli::options::Output;
use crate::cli::{exit, print, stop_commands};
use crate::clock::timestamp;
use crate::project::config::current_folder;
use crate::report::comment::AcceptWay;
use crate::report::github;
use crate::report::result::CheckResult;
use files::{BaselineFiles, PageDatabase};
use prepare::{PagesPlace, is_ci, prepare};
use record::{PageFiles, PageRecord, RECORD_VERSION};
use run::{RunEnd, RunOptions};
use runs::{RunHeader, RunIdentity, RunWriter};

/// Runs the command and returns the exit code.
pub(crate) async fn run(arguments: CheckArguments) -> anyhow::Result<ExitCode> {
    let output = arguments.output.output;
    let store = &arguments.store;
    match arguments.command {
        Some(CheckCommand::Accept(given)) => accept_run::run(&given, store, output).await,
        Some(CheckCommand::Merge(_)) if store.store.is_some() => {
            bail!("--store does not belong to check merge; leave it out, check accept takes it")
        }
        Some(CheckCommand::Merge(given)) => merge::run(&given, output),
        Some(CheckCommand::Enqueue(given)) => queue::enqueue(given, store, output).await,
        Some(CheckCommand::Work(given)) => queue::work(given, store, output).await,
        Some(CheckCommand::Status(given)) => queue::status(given, store, output).await,
        Some(CheckCommand::Stop(given)) => queue::stop(given, store, output).await,
        None => check(&arguments).await,
    }
}

async fn check(arguments: &CheckArguments) -> anyhow::Result<ExitCode> {
    let output = arguments.output.output;
    let identity =
        RunIdentity::read(&|name| std::env::var(name).ok()).map_err(anyhow::Error::msg)?;
    let grid = arguments.grid.addresses()?;
    let database = match arguments.store.choice()? {
        Some(choice) => Some(PageDatabase::new(choice.pages().await?)),
        None => None,
    };
    let in_database = database.is_some();
    let stored = begin_run(&arguments.run)?;
    let prepared = prepare(&arguments.plan, PagesPlace::Here(&grid)).await?;
    let queue = prepared.in_shard(arguments.shard);
    let mut header = RunHeader {
        version: RECORD_VERSION,
        file: from_here(&arguments.plan.file),
        began: timestamp(),
        took_ms: 0,
        fail_on: prepared.plan.fail_on,
        plan: prepared.digest,
        jobs: prepared.chosen.len(),
        checked: queue.len(),
        shard: arguments.shard.map(|shard| (shard.index, shard.of)),
        in_database,
        identity,
    };
    let plan = Arc::new(prepared.plan);
    let files = match database {
        Some(database) => BaselineFiles::in_database(database),
        None => BaselineFiles::of(&plan),
    };
    let options = RunOptions {
        jobs: usize::from(arguments.jobs.max(1)),
        update: arguments.update,
        may_save: !is_ci(),
        pictures: arguments.reports.report.is_some(),
        headed: arguments.headed,
        grid,
        grid_patience: Duration::ZERO,
    };
    let begun = Instant::now();
    let ended = run::run(plan.clone(), files.clone(), queue.clone(), options, stored.clone()).await;
    let RunEnd { outcomes, accepted, is_whole } = ended;
    let took = begun.elapsed();
    let mut checked = CheckResult {
        subject: arguments.plan.file.display().to_string(),
        began: header.began.clone(),
        took,
        fail_on: plan.fail_on,
        outcomes,
    };
    outputs::show(output, &checked);
    for at in accept::write(accepted, &files, &plan, &mut checked.outcomes) {
        let outcome = &checked.outcomes[at];
        print::note(&crate::report::text::undone(outcome));
        if let Some(stored) = &stored {
            let record = PageRecord::of(outcome, queue[at], plan.jobs[queue[at]].line);
            stored.add(&record, &PageFiles::default());
        }
    }
    header.took_ms = took.as_millis() as u64;
    let stored = stored.filter(|_| is_whole).map(|stored| stored.complete(&header));
    let way = match &stored {
        Some(Ok(())) => outputs::way_of(&arguments.run, in_database),
        _ if in_database => AcceptWay::command("pagesight check --update --store URL"),
        _ => AcceptWay::command("pagesight check --update"),
    };
    // With --browser, files of the other browsers are not unused.
    let orphans = if arguments.plan.browser.is_empty() { files.orphans(&plan) } else { Vec::new() };
    let orphans: Vec<String> = orphans.iter().map(|path| path.display().to_string()).collect();
    outputs::total(output, &checked, &orphans, &way);
    if checked.count("saved") > 0 && output == Output::Text {
        match in_database {
            true => print::note("the baselines are in the database of --store"),
            false => {
                let folder = plan.folder();
                print::note(&format!("the baselines are in {}; commit them", folder.display()));
            }
        }
    }
    outputs::files(&arguments.reports, &checked, &way)?;
    if stop_commands::on_github() {
        let lines = github::annotations(&checked, &checked.subject, |name| plan.line_of(name));
        print::github_commands(&lines, output);
    }
    outputs::step_summary(&checked)?;
    if let Some(Err(why)) = stored {
        print::error(&why);
        return Ok(ExitCode::from(exit::FAILED));
    }
    Ok(ExitCode::from(checked.ending() as u8))
}

/// Begins the folder of the run. If the default one cannot be written to, the check goes on without
/// it; any other problem is an error.
fn begin_run(folder: &Path) -> anyhow::Result<Option<Arc<RunWriter>>> {
    match RunWriter::begin(folder) {
        Ok(writer) => Ok(Some(Arc::new(writer))),
        Err(why) if folder == Path::new(RUN_FOLDER) => {
            print::note(&format!("{why}; the check goes on without it"));
            Ok(None)
        }
        Err(why) => Err(anyhow::Error::msg(why)),
    }
}

/// Returns a path from the current folder, with `/`; a path outside stays as it is.
fn from_here(file: &Path) -> String {
    let here = current_folder();
    let whole = std::fs::canonicalize(file).ok();
    let here = std::fs::canonicalize(&here).unwrap_or(here);
    let inside = whole.as_deref().and_then(|whole| whole.strip_prefix(&here).ok());
    let shown = inside.unwrap_or(file);
    let parts = shown.components().map(|part| part.as_os_str().to_string_lossy());
    match inside.is_some() {
        true => parts.collect::<Vec<_>>().join("/"),
        false => shown.display().to_string(),
    }
}
