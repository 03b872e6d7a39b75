//! `pagesight check work`: checks pages of the queue until no run has any. A signal gives the pages
//! back.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use pagesight_check::baseline::{Branches, environment};
use pagesight_check::clock::timestamp;
use pagesight_check::plan::PlanBounds;
use pagesight_check::report::text;
use pagesight_check::result::{CheckResult, Outcome};
use pagesight_session::BrowserState;
use pagesight_team::queue::{Queue, RunSummary, RunTicket, RunWorker, WorkOptions, WorkTally};
use serde_json::json;

use crate::cli::options::Output;
use crate::cli::queue_arguments::WorkArguments;
use crate::cli::store_arguments::StoreArguments;
use crate::cli::{log, print, signals, state_file};
use crate::team::{self, StoreChoice};

/// How long a worker waits for a database that is gone, and for a Grid that is full: pages are not
/// to blame for them.
const PATIENCE: Duration = Duration::from_secs(300);

/// Checks pages until no run has any.
pub(crate) async fn work(
    arguments: WorkArguments,
    store: &StoreArguments,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let choice = store.required("check work")?;
    if store.branch.is_some() || store.base_branch.is_some() {
        bail!("check work: the branch belongs to the run; give --branch to check enqueue");
    }
    let grid = arguments.grid.addresses()?;
    let variable = |name: &str| std::env::var(name).ok();
    let bounds = arguments.bounds.read(&variable)?;
    let state = arguments.bounds.state.as_deref();
    let state = state.map(|file| state_file::read(file, "--state")).transpose()?;
    let allowed = Allowed { bounds, state };
    let name = format!("{}:{}", environment::host(&variable), std::process::id());
    let lease = Duration::from_secs(arguments.lease);
    let queue = Arc::new(Queue::open(&choice.address, &name, lease, PATIENCE).await?);
    let mut total = WorkTally::default();
    while let Some(run) = queue.open_runs().await?.into_iter().next() {
        let worker = worker(&queue, &run, &arguments, &allowed, &grid, &choice, output).await;
        let worker = worker.with_context(|| format!("run {}", run.id))?;
        let ended = tokio::select! {
            done = worker.work() => done.map(|()| false),
            () = signals::ended_by_signal() => Ok(true),
        };
        worker.end().await;
        let WorkTally { accepted, superseded, failing } = worker.tally();
        total.accepted += accepted;
        total.superseded += superseded;
        total.failing += failing;
        if ended? {
            print::note("ended by a signal; the pages that were begun are given back");
            break;
        }
    }
    let WorkTally { accepted, superseded, failing } = total;
    let mut text = format!("checked {accepted} pages, {failing} of them fail");
    if superseded > 0 {
        text.push_str(&format!("; {superseded} results of other workers came first"));
    }
    let value = json!({ "accepted": accepted, "superseded": superseded, "failing": failing });
    print::either(output, &text, &value);
    Ok(ExitCode::SUCCESS)
}

/// The limits of what the pages of every run may use.
struct Allowed {
    bounds: PlanBounds,
    /// The cookies and localStorage that browsers start with.
    state: Option<Arc<BrowserState>>,
}

/// Creates the worker on one run, with the values of this machine.
async fn worker(
    queue: &Arc<Queue>,
    run: &RunSummary,
    arguments: &WorkArguments,
    allowed: &Allowed,
    grid: &[String],
    choice: &StoreChoice,
    output: Output,
) -> anyhow::Result<Arc<RunWorker>> {
    let ticket = RunTicket::read(&run.plan)?;
    let (base_url, bounds) = (arguments.bounds.base_url(), allowed.bounds.clone());
    let mut plan = ticket.plan(base_url, bounds, &|name| std::env::var(name).ok())?;
    log::hide(plan.secrets.values());
    plan.loaded.clone_from(&allowed.state);
    let branches = Branches::new(&run.branch, &run.base_branch)?;
    let of_run = StoreChoice { branches, ..choice.clone() };
    let store = tokio::task::spawn_blocking(move || of_run.open()).await??;
    let jobs = usize::from(arguments.jobs);
    let options = WorkOptions {
        jobs,
        browsers: team::browsers(
            &plan,
            &arguments.environment.launch(!grid.is_empty())?,
            grid,
            jobs,
        )?,
        patience: PATIENCE,
        accepted_by: choice.accepted_by.clone(),
    };
    let (subject, fail_on) = (run.subject.clone(), plan.fail_on);
    let show = move |outcome: Outcome| {
        if output == Output::Text {
            let (took, outcomes) = (outcome.took, vec![outcome]);
            let (subject, began) = (subject.clone(), timestamp());
            let one = CheckResult { subject, began, took, fail_on, outcomes };
            print::checked(&text::pages(&one, |_| true));
        }
    };
    let store = store.with_patience(PATIENCE);
    Ok(RunWorker::new(queue, run, (&ticket, plan), store, options, Box::new(show)))
}
