//! `pagesight check work`: leases pages of the queue, checks them, and delivers the results. Leases
//! are extended while pages are checked. A database that is gone for a while stops nothing: results
//! are kept and delivered when it is back. A signal gives the pages back.

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use pagesight_browser::lock;
use pagesight_core::compare::Severity;
use pagesight_core::fingerprint::Size;
use pagesight_session::baseline::{Branches, MOST_PICTURE_BYTES};
use pagesight_session::postgres::queue::{
    Delivered, Delivery, LeasedPage, MOST_LEASES, Queue, RunSummary,
};
use serde_json::json;
use tokio::task::{AbortHandle, JoinSet};
use tokio_util::task::AbortOnDropHandle;

use super::ticket::{Jobs, PageTicket, RunTicket};
use crate::cli::options::Output;
use crate::cli::queue_arguments::WorkArguments;
use crate::cli::store_arguments::{StoreArguments, StoreChoice};
use crate::cli::{log, print, signals, state_file};
use crate::clock::timestamp;
use crate::commands::check::files::{BaselineFiles, PageDatabase};
use crate::commands::check::record::PageRecord;
use crate::commands::check::run::{PageChecker, RunOptions};
use crate::project::branch;
use crate::report::result::{CheckResult, Outcome, Verdict};
use crate::report::text;

/// How long a worker waits for a database that is gone, and for a Grid that is full: pages are not
/// to blame for them.
const PATIENCE: Duration = Duration::from_secs(300);
/// How long an idle worker waits before it looks for pages again.
const IDLE: Duration = Duration::from_secs(1);

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
    let environment = |name: &str| std::env::var(name).ok();
    let name = format!("{}:{}", branch::host(&environment), std::process::id());
    let lease = Duration::from_secs(arguments.lease);
    let queue = Arc::new(Queue::open(&choice.address, &name, lease, PATIENCE).await?);
    let mut total = Tally::default();
    while let Some(run) = queue.open_runs().await?.into_iter().next() {
        let worker = RunWorker::new(&queue, &run, &arguments, &grid, &choice).await;
        let worker = Arc::new(worker.with_context(|| format!("run {}", run.id))?);
        let ended = tokio::select! {
            done = worker.work(output) => done.map(|()| false),
            () = signals::ended_by_signal() => Ok(true),
        };
        worker.end().await;
        total.add(&worker.tally());
        if ended? {
            print::note("ended by a signal; the pages that were begun are given back");
            break;
        }
    }
    print::either(output, &total.as_text(), &total.as_json());
    Ok(ExitCode::SUCCESS)
}

/// How many pages a worker has checked.
#[derive(Clone, Debug, Default)]
struct Tally {
    accepted: u64,
    superseded: u64,
    failing: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.accepted += other.accepted;
        self.superseded += other.superseded;
        self.failing += other.failing;
    }

    fn as_text(&self) -> String {
        let mut out = format!("checked {} pages, {} of them fail", self.accepted, self.failing);
        if self.superseded > 0 {
            out.push_str(&format!("; {} results of other workers came first", self.superseded));
        }
        out
    }

    fn as_json(&self) -> serde_json::Value {
        json!({
            "accepted": self.accepted,
            "superseded": self.superseded,
            "failing": self.failing,
        })
    }
}

/// A worker on one run.
struct RunWorker {
    queue: Arc<Queue>,
    run: RunSummary,
    checker: PageChecker,
    files: BaselineFiles,
    jobs: Jobs,
    fail_on: Severity,
    most: usize,
    accepted_by: String,
    /// The pages that this worker has, and their tasks.
    held: Mutex<HashMap<i64, (LeasedPage, AbortHandle)>>,
    tally: Mutex<Tally>,
    /// The first error that ends the worker.
    trouble: Mutex<Option<anyhow::Error>>,
}

impl RunWorker {
    async fn new(
        queue: &Arc<Queue>,
        run: &RunSummary,
        arguments: &WorkArguments,
        grid: &[String],
        choice: &StoreChoice,
    ) -> anyhow::Result<RunWorker> {
        let ticket = RunTicket::read(&run.plan).map_err(anyhow::Error::msg)?;
        let environment = |name: &str| std::env::var(name).ok();
        let mut plan = ticket.plan(&environment).map_err(anyhow::Error::msg)?;
        log::hide(plan.secrets.values());
        plan.loaded = match (&arguments.state, &plan.state) {
            (Some(file), _) => Some(state_file::read(file, "--state")?),
            (None, Some(file)) => Some(state_file::read(file, "state")?),
            (None, None) => None,
        };
        let branches = Branches::new(&run.branch, &run.base_branch)?;
        let accepted_by = choice.accepted_by.clone();
        let pages = StoreChoice { branches, ..choice.clone() }.pages().await?;
        let database = PageDatabase::later(pages.with_patience(PATIENCE));
        let files = BaselineFiles::in_database(database);
        let most = usize::from(arguments.jobs);
        let options = RunOptions {
            jobs: most,
            update: ticket.update,
            may_save: ticket.may_save,
            pictures: true,
            headed: false,
            grid: grid.to_vec(),
            grid_patience: PATIENCE,
        };
        let (jobs, fail_on) = (Jobs::of(&plan), plan.fail_on);
        Ok(RunWorker {
            queue: queue.clone(),
            run: run.clone(),
            checker: PageChecker::new(Arc::new(plan), files.clone(), options),
            files,
            jobs,
            fail_on,
            most,
            accepted_by,
            held: Mutex::default(),
            tally: Mutex::default(),
            trouble: Mutex::default(),
        })
    }

    fn held(&self) -> MutexGuard<'_, HashMap<i64, (LeasedPage, AbortHandle)>> {
        lock(&self.held)
    }

    fn tally(&self) -> Tally {
        lock(&self.tally).clone()
    }

    /// Checks pages of the run until none are left, also with other workers.
    async fn work(self: &Arc<Self>, output: Output) -> anyhow::Result<()> {
        let mut pages = JoinSet::new();
        let extending = self.clone();
        let _extending =
            AbortOnDropHandle::new(tokio::spawn(async move { extending.extend().await }));
        let mut swept = Instant::now();
        loop {
            if let Some(trouble) = lock(&self.trouble).take() {
                return Err(trouble);
            }
            if swept.elapsed() > self.queue.lease() / 2 || pages.is_empty() {
                swept = Instant::now();
                self.queue.end_expired(self.run.id, &given_up(&self.run)).await?;
            }
            let free = self.most.saturating_sub(pages.len()) as i64;
            let leased = self.queue.lease_pages(self.run.id, free).await?;
            let none = leased.is_empty();
            for page in leased {
                let (worker, leased) = (self.clone(), page.clone());
                let task = pages.spawn(async move { worker.check(leased, output).await });
                self.held().insert(page.number, (page, task));
            }
            if none && pages.is_empty() {
                let open = self.queue.open_runs().await?;
                if !open.iter().any(|run| run.id == self.run.id) {
                    return Ok(());
                }
            }
            // A page that is done makes room for the next one.
            let full = pages.len() >= self.most;
            tokio::select! {
                _ = pages.join_next(), if !pages.is_empty() => {}
                () = tokio::time::sleep(IDLE), if !full => {}
            }
        }
    }

    /// Extends the leases of the pages that are checked. Pages that were lost are no longer
    /// checked.
    async fn extend(&self) {
        let pause = self.queue.lease() / 3;
        loop {
            tokio::time::sleep(pause).await;
            let held: Vec<LeasedPage> =
                self.held().values().map(|(page, _)| page.clone()).collect();
            if held.is_empty() {
                continue;
            }
            match self.queue.extend(&held, pause).await {
                Ok(lost) => {
                    for page in lost {
                        // The page may have been delivered meanwhile; then its task is over.
                        if let Some((_, task)) = self.held().remove(&page.number) {
                            task.abort();
                        }
                    }
                }
                // The leases may still be valid when the database is back.
                Err(error) => tracing::warn!("the leases were not extended: {error}"),
            }
        }
    }

    /// Checks a page and delivers its result.
    async fn check(self: Arc<Self>, page: LeasedPage, output: Output) {
        let ticket: Result<PageTicket, _> = serde_json::from_str(&page.page);
        let job = ticket.as_ref().ok().and_then(|ticket| self.jobs.find(ticket));
        let (mut outcome, number) = match (&job, &ticket) {
            (Some(job), Ok(ticket)) => (self.checker.check(job).await, ticket.job),
            _ => (unknown(&page), 0),
        };
        let baseline = job.as_ref().and_then(|job| self.files.database()?.take(job));
        let mut delivery = delivery(&mut outcome, number, job.as_ref().map_or(1, |job| job.line));
        delivery.fails = outcome.is_bad(self.fail_on);
        delivery.baseline = baseline.map(|(key, stored)| (key, stored, self.run.branch.clone()));
        let failing = delivery.fails;
        let delivered = self.queue.deliver(&page, delivery, &self.accepted_by).await;
        self.held().remove(&page.number);
        match delivered {
            Ok(Delivered::Accepted) => {
                {
                    let mut tally = lock(&self.tally);
                    tally.accepted += 1;
                    tally.failing += u64::from(failing);
                }
                if output == Output::Text {
                    self.show(outcome);
                }
            }
            Ok(Delivered::Superseded) => {
                lock(&self.tally).superseded += 1;
            }
            Err(error) => {
                let mut trouble = lock(&self.trouble);
                trouble.get_or_insert(error.into());
            }
        }
    }

    fn show(&self, outcome: Outcome) {
        let one = CheckResult {
            subject: self.run.subject.clone(),
            began: timestamp(),
            took: outcome.took,
            fail_on: self.fail_on,
            outcomes: vec![outcome],
        };
        print::checked(&text::pages(&one, |_| true));
    }

    /// Ends the pages that are checked, gives them back, and ends the browsers.
    async fn end(&self) {
        let held: Vec<LeasedPage> = self
            .held()
            .drain()
            .map(|(_, (page, task))| {
                task.abort();
                page
            })
            .collect();
        self.checker.close().await;
        if !held.is_empty() {
            let giving = self.queue.give_back(&held);
            // Their leases end in any case.
            let _ = tokio::time::timeout(Duration::from_secs(5), giving).await;
        }
    }
}

/// Returns the delivery of an outcome, without a baseline.
fn delivery(outcome: &mut Outcome, number: usize, line: usize) -> Delivery {
    let mut pictures = [outcome.before.as_ref(), outcome.after.as_ref()]
        .map(|picture| picture.map(|picture| picture.png.clone()));
    for picture in &mut pictures {
        if picture.take_if(|png| png.len() > MOST_PICTURE_BYTES).is_some() {
            outcome.notes.push("a picture is too large for the database".to_owned());
        }
    }
    let [before, after] = pictures;
    let record = PageRecord::of(outcome, number, line);
    Delivery {
        verdict: outcome.verdict.word().to_owned(),
        fails: true,
        // A record has no maps with other keys than texts, so this cannot fail.
        result: serde_json::to_string(&record).unwrap_or_default(),
        before,
        after,
        baseline: None,
    }
}

/// Returns the outcome of a page that is not in the plan of this worker.
fn unknown(page: &LeasedPage) -> Outcome {
    let ticket: Option<PageTicket> = serde_json::from_str(&page.page).ok();
    let why = "this page of the queue is not in the plan of its run; enqueue it again";
    failed(ticket, why.to_owned())
}

/// Returns the result of pages that were leased too often.
fn given_up(run: &RunSummary) -> Delivery {
    let why = format!(
        "{MOST_LEASES} workers began this page and none reported its result; see their logs"
    );
    let mut outcome = failed(None, why);
    outcome.name = format!("run {}", run.id);
    delivery(&mut outcome, 0, 1)
}

fn failed(ticket: Option<PageTicket>, why: String) -> Outcome {
    let (name, browser, viewport, scope) = match ticket {
        Some(PageTicket { name, browser, width, height, scope, .. }) => {
            (name, browser, Size { width, height }, scope)
        }
        None => Default::default(),
    };
    Outcome::new(&name, browser.id(), viewport, &scope, Verdict::Failed { error: why })
}
