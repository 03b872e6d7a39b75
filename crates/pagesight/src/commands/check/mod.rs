//! `pagesight check`: compares every page of `pages.toml` with its baseline. The library
//! `pagesight-check` does the work; this folder reads arguments and prints. `prepare` reads the
//! plan, `progress` draws a bar, `outputs` prints and writes results, `accept` and `merge` are
//! commands for stored runs, and `queue` those that share pages with workers on other machines.

mod accept;
mod merge;
mod outputs;
mod page_store;
mod prepare;
mod progress;
#[cfg(feature = "team")]
mod queue;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;
use pagesight_check::baseline::{PageBaselines, unused};
use pagesight_check::clock::timestamp;
use pagesight_check::plan::Plan;
use pagesight_check::report::comment::AcceptWay;
use pagesight_check::report::{github, text};
use pagesight_check::result::CheckResult;
use pagesight_check::result::folder::{RunHeader, RunIdentity, RunWriter};
use pagesight_check::result::record::{PageFiles, PageRecord, RECORD_VERSION};
use pagesight_check::run::{RunEnd, RunOptions, RunParts, run as run_check};
use pagesight_check::settings::current_folder;
use pagesight_check::stability::{self, stability as load_pages};
use pagesight_check::visit::BrowserVisitor;
use pagesight_session::LaunchOptions;
use serde_json::json;

use crate::cli::arguments::{CheckArguments, CheckCommand};
use crate::cli::check_arguments::RUN_FOLDER;
use crate::cli::options::Output;
use crate::cli::{exit, print, signals, stop_commands};
use crate::team;
use page_store::database;
use prepare::{PagesPlace, is_ci, prepare};
use progress::ProgressLine;

/// Runs the command and returns the exit code.
pub(crate) async fn run(arguments: CheckArguments) -> anyhow::Result<ExitCode> {
    let output = arguments.output.output;
    let store = &arguments.store;
    match arguments.command {
        Some(CheckCommand::Accept(given)) => accept::run(&given, store, output).await,
        Some(CheckCommand::Merge(_)) if store.store.is_some() => {
            bail!("--store does not belong to check merge; leave it out, check accept takes it")
        }
        Some(CheckCommand::Merge(given)) => merge::run(&given, output),
        #[cfg(feature = "team")]
        Some(CheckCommand::Enqueue(given)) => queue::enqueue(given, store, output).await,
        #[cfg(feature = "team")]
        Some(CheckCommand::Work(given)) => queue::work(given, store, output).await,
        #[cfg(feature = "team")]
        Some(CheckCommand::Status(given)) => queue::status(given, store, output).await,
        #[cfg(feature = "team")]
        Some(CheckCommand::Stop(given)) => queue::stop(given, store, output).await,
        #[cfg(not(feature = "team"))]
        Some(_) => Err(team::missing("the queue (check enqueue, work, status and stop)")),
        None => check(&arguments).await,
    }
}

async fn check(arguments: &CheckArguments) -> anyhow::Result<ExitCode> {
    let output = arguments.output.output;
    if let Some(loads) = arguments.stability {
        return stability(arguments, usize::from(loads)).await;
    }
    let identity = RunIdentity::read(&|name| std::env::var(name).ok())?;
    let grid = arguments.grid.addresses()?;
    let database = database(&arguments.store).await?;
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
    let baselines = database.unwrap_or_else(|| PageBaselines::in_folder(&plan.folder()));
    let jobs = usize::from(arguments.jobs.max(1));
    let launch = arguments.plan.environment.launch(!grid.is_empty())?;
    let launch = LaunchOptions { headed: arguments.headed, ..launch };
    let browsers = team::browsers(&plan, &launch, &grid, jobs)?;
    let parts = RunParts {
        plan: plan.clone(),
        baselines: baselines.clone(),
        visitor: Arc::new(BrowserVisitor::new(plan.clone(), browsers, Duration::ZERO)),
        stored: stored.clone(),
        options: RunOptions {
            jobs,
            update: arguments.update,
            may_save: !is_ci(),
            pictures: arguments.reports.report.is_some(),
        },
    };
    let begun = Instant::now();
    let progress = Arc::new(ProgressLine::new(queue.len()));
    let ended = run_check(parts, queue.clone(), progress, signals::ended_by_signal()).await;
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
    for accepted in accepted {
        let Some(at) = accepted.save(&baselines, &plan, &mut checked.outcomes) else { continue };
        let outcome = &checked.outcomes[at];
        print::note(&text::undone(outcome));
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
    let lists_unused = arguments.plan.browser.is_empty() && !in_database;
    let unused = if lists_unused { unused_files(&plan) } else { Vec::new() };
    outputs::total(output, &checked, &unused, &way);
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
    if let Some(Err(error)) = stored {
        print::error(&error.to_string());
        return Ok(ExitCode::from(exit::FAILED));
    }
    Ok(ExitCode::from(checked.ending() as u8))
}

/// Loads the pages several times and prints which of them differ.
async fn stability(arguments: &CheckArguments, loads: usize) -> anyhow::Result<ExitCode> {
    if arguments.store.store.is_some() {
        bail!("--store has no use with --stability, which reads no baselines; leave it out");
    }
    let output = arguments.output.output;
    let grid = arguments.grid.addresses()?;
    let prepared = prepare(&arguments.plan, PagesPlace::Here(&grid)).await?;
    let queue = prepared.in_shard(arguments.shard);
    let (plan, jobs) = (Arc::new(prepared.plan), usize::from(arguments.jobs.max(1)));
    let launch = arguments.plan.environment.launch(!grid.is_empty())?;
    let launch = LaunchOptions { headed: arguments.headed, ..launch };
    let browsers = team::browsers(&plan, &launch, &grid, jobs)?;
    let visitor = Arc::new(BrowserVisitor::new(plan.clone(), browsers, Duration::ZERO));
    let all = queue.len();
    let stop = signals::ended_by_signal();
    let pages = load_pages(plan, visitor, queue, (loads, jobs), stop).await;
    let data = json!({ "loads": loads, "pages": pages });
    print::either(output, &stability::text(&pages), &data);
    let has_failed = pages.len() < all || pages.iter().any(|page| !page.error.is_empty());
    let has_changed = pages.iter().any(|page| page.differed > 0);
    Ok(match (has_failed, has_changed) {
        (true, _) => ExitCode::from(exit::FAILED),
        (false, true) => ExitCode::from(exit::CHANGED),
        (false, false) => ExitCode::SUCCESS,
    })
}

/// Lists the files of baselines that no page uses.
fn unused_files(plan: &Plan) -> Vec<String> {
    let unused = unused(&plan.folder(), plan.jobs.iter().map(|job| job.key()));
    unused.iter().map(|path| path.display().to_string()).collect()
}

/// Begins the folder of the run. If the default one cannot be written to, the check goes on without
/// it; any other problem is an error.
fn begin_run(folder: &Path) -> anyhow::Result<Option<Arc<RunWriter>>> {
    match RunWriter::begin(folder) {
        Ok(writer) => Ok(Some(Arc::new(writer))),
        Err(error) if folder == Path::new(RUN_FOLDER) => {
            print::note(&format!("{error}; the check goes on without it"));
            Ok(None)
        }
        Err(error) => Err(error.into()),
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
