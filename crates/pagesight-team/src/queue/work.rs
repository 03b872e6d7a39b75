//! A worker: leases pages of a run, checks them, and delivers the results. Leases are extended
//! while pages are checked. A database that is gone for a while stops nothing: results are kept and
//! delivered when it is back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use pagesight_browser::lock;
use pagesight_check::baseline::{BaselineError, PageBaselines};
use pagesight_check::plan::Plan;
use pagesight_check::result::record::PageRecord;
use pagesight_check::result::{Outcome, Verdict};
use pagesight_check::run::{PageChecker, RunOptions, RunParts};
use pagesight_check::visit::{BrowserVisitor, CheckBrowsers};
use pagesight_core::compare::Severity;
use pagesight_core::fingerprint::Size;
use tokio::task::{AbortHandle, JoinSet};
use tokio_util::task::AbortOnDropHandle;

use super::leases::{Delivered, Delivery, LeasedPage, MOST_LEASES, Queue};
use super::runs::RunSummary;
use super::ticket::{Jobs, PageTicket, RunTicket};
use crate::store::{MOST_PICTURE_BYTES, PostgresBaselines};

/// How long an idle worker waits before it looks for pages again.
const IDLE: Duration = Duration::from_secs(1);

/// How many pages a worker has checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkTally {
    /// Results that were accepted.
    pub accepted: u64,
    /// Results that came after those of other workers.
    pub superseded: u64,
    /// Accepted results that fail the check.
    pub failing: u64,
}

/// How a worker checks pages.
pub struct WorkOptions {
    /// How many pages at a time.
    pub jobs: usize,
    /// Lends browsers to pages.
    pub browsers: Box<dyn CheckBrowsers>,
    /// How long a page waits for a browser of a full Grid.
    pub patience: Duration,
    /// The user who accepts baselines.
    pub accepted_by: String,
}

/// Called with each result that was accepted.
type ShowOutcome = Box<dyn Fn(Outcome) + Send + Sync>;

/// A worker on one run.
pub struct RunWorker {
    queue: Arc<Queue>,
    run: RunSummary,
    checker: PageChecker,
    baselines: PageBaselines,
    jobs: Jobs,
    fail_on: Severity,
    most: usize,
    accepted_by: String,
    show: ShowOutcome,
    /// The pages that this worker has, and their tasks.
    held: Mutex<HashMap<i64, (LeasedPage, AbortHandle)>>,
    tally: Mutex<WorkTally>,
    /// The first error that ends the worker.
    trouble: Mutex<Option<BaselineError>>,
}

impl RunWorker {
    /// Creates a worker on a run. `plan` was made from the run's ticket.
    pub fn new(
        queue: &Arc<Queue>,
        run: &RunSummary,
        (ticket, plan): (&RunTicket, Plan),
        store: PostgresBaselines,
        options: WorkOptions,
        show: ShowOutcome,
    ) -> Arc<RunWorker> {
        let baselines = PageBaselines::saved_later(Arc::new(store));
        let (jobs, fail_on, plan) = (Jobs::of(&plan), plan.fail_on, Arc::new(plan));
        let visitor = BrowserVisitor::new(plan.clone(), options.browsers, options.patience);
        let parts = RunParts {
            plan,
            baselines: baselines.clone(),
            visitor: Arc::new(visitor),
            stored: None,
            options: RunOptions {
                jobs: options.jobs,
                update: ticket.update,
                may_save: ticket.may_save,
                pictures: true,
            },
        };
        Arc::new(RunWorker {
            queue: queue.clone(),
            run: run.clone(),
            checker: PageChecker::new(parts),
            baselines,
            jobs,
            fail_on,
            most: options.jobs,
            accepted_by: options.accepted_by,
            show,
            held: Mutex::default(),
            tally: Mutex::default(),
            trouble: Mutex::default(),
        })
    }

    fn held(&self) -> MutexGuard<'_, HashMap<i64, (LeasedPage, AbortHandle)>> {
        lock(&self.held)
    }

    /// Returns how many pages it has checked.
    pub fn tally(&self) -> WorkTally {
        *lock(&self.tally)
    }

    /// Checks pages of the run until none are left, also with other workers.
    pub async fn work(self: &Arc<Self>) -> Result<(), BaselineError> {
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
                let task = pages.spawn(async move { worker.check(leased).await });
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
    async fn check(self: Arc<Self>, page: LeasedPage) {
        let ticket: Result<PageTicket, _> = serde_json::from_str(&page.page);
        let job = ticket.as_ref().ok().and_then(|ticket| self.jobs.find(ticket));
        let (mut outcome, number) = match (&job, &ticket) {
            (Some(job), Ok(ticket)) => (self.checker.check(job).await, ticket.job),
            _ => (unknown(&page), 0),
        };
        let key = job.as_ref().map(|job| job.key());
        let baseline = key.and_then(|key| Some((self.baselines.take(&key)?, key)));
        let mut delivery = delivery(&mut outcome, number, job.as_ref().map_or(1, |job| job.line));
        delivery.fails = outcome.is_bad(self.fail_on);
        delivery.baseline = baseline.map(|(stored, key)| (key, stored, self.run.branch.clone()));
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
                (self.show)(outcome);
            }
            Ok(Delivered::Superseded) => {
                lock(&self.tally).superseded += 1;
            }
            Err(error) => {
                let mut trouble = lock(&self.trouble);
                trouble.get_or_insert(error);
            }
        }
    }

    /// Ends the pages that are checked, gives them back, and ends the browsers.
    pub async fn end(&self) {
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
    let (name, browser, viewport, emulation, scope) = match ticket {
        Some(PageTicket { name, browser, width, height, emulation, scope, .. }) => {
            (name, browser, Size { width, height }, emulation, scope)
        }
        None => Default::default(),
    };
    let verdict = Verdict::Failed { error: why };
    Outcome { emulation, ..Outcome::new(&name, browser.id(), viewport, &scope, verdict) }
}
