//! Runs the jobs of a check: several tabs at a time, in one browser per engine. Pages that fail
//! or differ are retried. A browser that ended is restarted without failing a page. A signal ends
//! the run with the results so far.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pagesight_core::compare::{Comparison, Severity};
use pagesight_core::fingerprint::{Boxes, Fingerprint, Size};
use pagesight_core::text::address::display;
use tokio::task::JoinSet;

use super::accept::{self, AcceptedBaseline};
use super::browser::VisitError;
use super::browsers::{CheckBrowsers, PageEnd, SessionEnd};
use super::files::BaselineFiles;
use super::picture;
use super::plan::{Job, Plan};
use super::progress::Progress;
use super::visit::{TakenPicture, Visit, VisitRequest, visit};
use crate::cli::signals;
use crate::report::result::{Outcome, Picture, Verdict};

/// How often a page is started again because the browser ended, perhaps because of a different
/// page.
const MOST_RESTARTS: u32 = 3;

/// The options of a run.
#[derive(Clone, Debug)]
pub(crate) struct RunOptions {
    /// How many tabs are open at a time.
    pub(crate) jobs: usize,
    /// Changes are accepted.
    pub(crate) update: bool,
    /// A missing baseline may be saved.
    pub(crate) may_save: bool,
    /// Pictures are taken, for a report.
    pub(crate) pictures: bool,
    /// Show the browsers.
    pub(crate) headed: bool,
    /// The addresses of a Grid that has the browsers; this machine if there are none.
    pub(crate) grid: Vec<String>,
    /// How long a page waits for a browser of a full Grid, if longer than it may take itself.
    pub(crate) grid_patience: Duration,
}

/// A run in progress.
struct CheckRun {
    plan: Arc<Plan>,
    /// The indices of the jobs in the plan.
    queue: Vec<usize>,
    next: Mutex<usize>,
    files: BaselineFiles,
    options: RunOptions,
    browsers: CheckBrowsers,
    progress: Progress,
    done: Mutex<Vec<Option<Outcome>>>,
    accepted: Mutex<Vec<AcceptedBaseline>>,
}

/// Checks the queued jobs. Returns an outcome for each, and the baselines to write once the
/// outcomes were shown.
pub(crate) async fn run(
    plan: Arc<Plan>,
    files: BaselineFiles,
    queue: Vec<usize>,
    options: RunOptions,
) -> (Vec<Outcome>, Vec<AcceptedBaseline>) {
    let run = Arc::new(CheckRun {
        browsers: CheckBrowsers::new(&plan, options.headed, &options.grid, options.jobs),
        progress: Progress::new(queue.len()),
        next: Mutex::new(0),
        done: Mutex::new(queue.iter().map(|_| None).collect()),
        accepted: Mutex::default(),
        files,
        options,
        plan,
        queue,
    });
    let mut workers = JoinSet::new();
    for _ in 0..run.options.jobs.min(run.queue.len()) {
        let run = run.clone();
        workers.spawn(async move { run.work().await });
    }
    let whole = tokio::select! {
        () = async { while workers.join_next().await.is_some() {} } => true,
        () = signals::ended_by_signal() => false,
    };
    let unfinished = match whole {
        true => "the check of this page ended unexpectedly; run it again",
        false => "not checked: ended by a signal; run it again, saved baselines stay",
    };
    workers.shutdown().await;
    run.progress.end();
    run.browsers.close().await;
    let done = std::mem::take(&mut *run.done.lock().unwrap_or_else(PoisonError::into_inner));
    let outcome = |(at, outcome): (usize, Option<Outcome>)| {
        outcome.unwrap_or_else(|| {
            begun(&run.plan.jobs[run.queue[at]], Verdict::Failed(unfinished.to_owned()))
        })
    };
    let mut outcomes: Vec<Outcome> = done.into_iter().enumerate().map(outcome).collect();
    if !whole {
        outcomes.iter_mut().for_each(accept::refuse);
        return (outcomes, Vec::new());
    }
    let accepted =
        std::mem::take(&mut *run.accepted.lock().unwrap_or_else(PoisonError::into_inner));
    (outcomes, accepted)
}

/// Checks single pages, for the queue.
pub(crate) struct PageChecker(CheckRun);

impl PageChecker {
    /// Creates a checker. No browser is started before it is needed.
    pub(crate) fn new(plan: Arc<Plan>, files: BaselineFiles, options: RunOptions) -> PageChecker {
        PageChecker(CheckRun {
            browsers: CheckBrowsers::new(&plan, options.headed, &options.grid, options.jobs),
            progress: Progress::new(0),
            next: Mutex::new(0),
            done: Mutex::default(),
            accepted: Mutex::default(),
            files,
            options,
            plan,
            queue: Vec::new(),
        })
    }

    /// Checks a page. Its new baseline, if there is one, is written at once.
    pub(crate) async fn check(&self, job: &Job) -> Outcome {
        let begun = Instant::now();
        let mut outcome = self.0.check(job, None).await;
        outcome.took = begun.elapsed();
        self.0.hide_secrets(&mut outcome);
        outcome
    }

    /// Ends the browsers.
    pub(crate) async fn close(&self) {
        self.0.browsers.close().await;
    }
}

fn begun(job: &Job, verdict: Verdict) -> Outcome {
    Outcome {
        name: job.name.clone(),
        url: display(job.url.as_str()).into_owned(),
        browser: job.engine.id(),
        viewport: Size { width: job.viewport.width, height: job.viewport.height },
        scope: job.scope.clone(),
        verdict,
        tries: 0,
        notes: Vec::new(),
        took: Default::default(),
        before: None,
        after: None,
    }
}

impl CheckRun {
    /// Runs jobs until the queue is empty.
    async fn work(&self) {
        loop {
            let at = {
                let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
                let at = *next;
                *next += 1;
                at
            };
            let Some(job) = self.queue.get(at).map(|place| &self.plan.jobs[*place]) else { return };
            let shown = self.progress.begin(job);
            let begun = Instant::now();
            let mut outcome = self.check(job, Some(at)).await;
            outcome.took = begun.elapsed();
            self.hide_secrets(&mut outcome);
            self.progress.done(shown, &outcome, self.plan.fail_on);
            self.done.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(outcome);
        }
    }

    fn hide_secrets(&self, outcome: &mut Outcome) {
        let secrets = &self.plan.secrets;
        outcome.url = secrets.hide(std::mem::take(&mut outcome.url));
        for note in &mut outcome.notes {
            *note = secrets.hide(std::mem::take(note));
        }
        if let Verdict::Failed(why) = &mut outcome.verdict {
            *why = secrets.hide(std::mem::take(why));
        }
    }

    /// Checks one page, with its retries. `at`: its place in the queue, if it is in it.
    async fn check(&self, job: &Job, at: Option<usize>) -> Outcome {
        let mut outcome = begun(job, Verdict::NoBaseline);
        let base = match self.files.read(job) {
            Ok(base) => base,
            Err(why) => {
                outcome.verdict = Verdict::Failed(why);
                return outcome;
            }
        };
        if base.is_none() && !self.options.may_save && !self.options.update {
            return outcome;
        }
        if let Some(why) =
            base.as_ref().filter(|_| !self.options.update).and_then(|base| unlike(base, job))
        {
            outcome.verdict = Verdict::Failed(why);
            return outcome;
        }
        let (mut restarts, mut earlier) = (0, Vec::new());
        loop {
            outcome.tries += 1;
            let last = outcome.tries > job.retries;
            let keeps = base.is_none() || self.options.update;
            let picture = (job.pictures && keeps) || self.options.pictures;
            let request = VisitRequest { job, base: base.as_ref(), keeps, picture, last };
            match self.visit(&request).await {
                Ok(visited) => {
                    let differs =
                        |comparison: &&Comparison| comparison.at_least(self.plan.fail_on) > 0;
                    if let Some(comparison) =
                        visited.comparison.as_ref().filter(|_| !last).filter(differs)
                    {
                        earlier.push(comparison.clone());
                        continue;
                    }
                    outcome.notes.extend(looks(&earlier, visited.comparison.as_ref()));
                    self.conclude((job, at), base.as_ref(), visited, &mut outcome);
                    return outcome;
                }
                Err(VisitError::BrowserEnded) if restarts < MOST_RESTARTS => {
                    restarts += 1;
                    outcome.tries -= 1;
                    outcome.notes.push(
                        "the browser ended; the page was checked again in a new one".to_owned(),
                    );
                }
                Err(VisitError::BrowserEnded) => {
                    let why = format!(
                        "the browser ended {} times while this page was open",
                        restarts + 1
                    );
                    outcome.notes.extend(looks(&earlier, None));
                    outcome.verdict = Verdict::Failed(why);
                    return outcome;
                }
                Err(VisitError::Failed(why)) if !last => {
                    outcome.notes.push(format!("try {} failed: {why}; tried again", outcome.tries));
                }
                Err(VisitError::Failed(why) | VisitError::Final(why)) => {
                    outcome.notes.extend(looks(&earlier, None));
                    outcome.verdict = Verdict::Failed(why);
                    return outcome;
                }
            }
        }
    }

    async fn visit(&self, request: &VisitRequest<'_>) -> Result<Visit, VisitError> {
        let job = request.job;
        let limit = job.limit.max(self.options.grid_patience);
        let browser = self.browsers.get(job.engine, limit).await?;
        let visited = visit(&browser, &self.plan, request).await;
        let end = match &visited {
            Err(VisitError::Failed(_)) => PageEnd::Failed,
            _ => PageEnd::Known,
        };
        match self.browsers.put(browser, end).await {
            SessionEnd::Lost => Err(VisitError::BrowserEnded),
            SessionEnd::Kept => visited,
        }
    }

    /// Turns a visit into an outcome. A first baseline is written at once, so that a killed run
    /// does not lose it; a replacement is written after the changes were printed.
    fn conclude(
        &self,
        (job, at): (&Job, Option<usize>),
        base: Option<&Fingerprint>,
        visited: Visit,
        outcome: &mut Outcome,
    ) {
        outcome.notes.extend(visited.notes);
        let kept = visited.picture.as_ref().filter(|_| job.pictures).map(|taken| {
            let boxes = serde_json::to_string(&taken.boxes).unwrap_or_default();
            picture::with_text(&taken.png, &boxes)
        });
        if visited.fingerprint.loading && base.is_none() {
            outcome.notes.push("it was still loading when its baseline was saved".to_owned());
        }
        let (before, after) = match &visited.comparison {
            Some(comparison) if !comparison.changes.is_empty() && self.options.pictures => {
                let before = self.files.picture(job).and_then(|png| before(png, comparison));
                (before, visited.picture.as_ref().map(|taken| after(taken, comparison)))
            }
            _ => (None, None),
        };
        outcome.verdict = match visited.comparison {
            None => {
                let saved = self.files.write(job, &visited.fingerprint, kept.as_deref());
                saved.map_or_else(Verdict::Failed, |()| Verdict::Saved)
            }
            Some(comparison) => {
                let other = base.is_some_and(|base| unlike(base, job).is_some());
                if self.options.update && (other || !comparison.changes.is_empty()) {
                    let (fingerprint, picture) = (visited.fingerprint, kept);
                    match at {
                        Some(at) => {
                            let job = self.queue[at];
                            let accepted =
                                AcceptedBaseline { outcome: at, job, fingerprint, picture };
                            let mut all =
                                self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
                            all.push(accepted);
                            Verdict::Updated(comparison)
                        }
                        None => match self.files.write(job, &fingerprint, picture.as_deref()) {
                            Ok(()) => Verdict::Updated(comparison),
                            Err(why) => Verdict::Failed(why),
                        },
                    }
                } else {
                    Verdict::Compared(comparison)
                }
            }
        };
        (outcome.before, outcome.after) = (before, after);
    }
}

/// Reads the picture of the baseline and marks the changes on it.
fn before(png: Vec<u8>, comparison: &Comparison) -> Option<Picture> {
    let (width, height) = picture::size(&png)?;
    let boxes: Boxes =
        picture::text_in(&png).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    // The added text is removed, so that equal pictures compare equal.
    let png = picture::without_text(&png);
    Some(Picture { size: Size { width, height }, marks: comparison.marks_before(&boxes), png })
}

fn after(taken: &TakenPicture, comparison: &Comparison) -> Picture {
    Picture {
        png: taken.png.clone(),
        size: taken.size,
        marks: comparison.marks_after(&taken.boxes),
    }
}

/// Returns why a baseline cannot be compared with a job.
fn unlike(base: &Fingerprint, job: &Job) -> Option<String> {
    (base.depth != job.depth).then(|| {
        format!(
            "its baseline was taken with depth {:?}, but pages.toml says {:?}; accept the new depth with --update",
            base.depth.as_str(),
            job.depth.as_str()
        )
    })
}

/// Returns notes on earlier tries whose changes differ from those of the last one.
fn looks(earlier: &[Comparison], last: Option<&Comparison>) -> Vec<String> {
    let same = |one: &Comparison| last.is_some_and(|last| one.changes == last.changes);
    match earlier {
        [] => Vec::new(),
        all if all.iter().all(same) => vec![format!("the same in {} tries", all.len() + 1)],
        all => {
            let told = all.iter().enumerate();
            told.map(|(at, one)| format!("try {} found different changes: {}", at + 1, worst(one)))
                .collect()
        }
    }
}

/// Summarizes a comparison by its worst change.
fn worst(comparison: &Comparison) -> String {
    let errors = comparison.at_least(Severity::Error);
    let more = comparison.changes.len().saturating_sub(1);
    let first = comparison.changes.first().map_or("", |change| change.description.as_str());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let errors = if errors > 0 { "error: " } else { "" };
    format!("{errors}{first}{more}")
}
