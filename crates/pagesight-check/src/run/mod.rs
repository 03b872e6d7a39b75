//! Runs the jobs of a check: several at a time. Pages that fail or differ are retried. A browser
//! that ended is replaced without failing a page. What may be saved is decided here.

mod accepted;
mod progress;

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use pagesight_browser::lock;
use pagesight_core::compare::Comparison;
use pagesight_core::fingerprint::{Boxes, Fingerprint, Size};
use pagesight_core::text::address::display;
use tokio::task::JoinSet;

use crate::baseline::{PageBaselines, digest, form, picture};
use crate::plan::{Job, Plan};
use crate::report::words::count;
use crate::result::folder::RunWriter;
use crate::result::record::{PageFiles, PageRecord};
use crate::result::{Outcome, Picture, Verdict};
use crate::visit::{PageVisitor, TakenPicture, Visit, VisitError, VisitRequest};
pub use accepted::AcceptedBaseline;
pub use progress::{NoProgress, RunProgress};

/// How often a page is started again because the browser ended, perhaps because of a different
/// page.
const MOST_RESTARTS: u32 = 3;

/// Says why a page that others wrote has no picture.
const NO_PICTURE: &str = "no picture was taken, because its address, its actions or the [setup] \
have values of --env; log in with --state instead to get pictures";

/// The options of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How many pages are checked at a time.
    pub jobs: usize,
    /// Changes are accepted as the new baselines.
    pub update: bool,
    /// A missing baseline may be saved.
    pub may_save: bool,
    /// Pictures are taken, for a report.
    pub pictures: bool,
}

/// The parts that a run works with.
pub struct RunParts {
    /// The pages.
    pub plan: Arc<Plan>,
    /// Their baselines.
    pub baselines: PageBaselines,
    /// Visits them.
    pub visitor: Arc<dyn PageVisitor>,
    /// The folder that the results are stored in, if there is one.
    pub stored: Option<Arc<RunWriter>>,
    /// The options.
    pub options: RunOptions,
}

/// A run in progress.
struct CheckRun {
    parts: RunParts,
    progress: Arc<dyn RunProgress>,
    /// The indices of the jobs in the plan.
    queue: Vec<usize>,
    next: Mutex<usize>,
    done: Mutex<Vec<Option<Outcome>>>,
    accepted: Mutex<Vec<AcceptedBaseline>>,
}

/// The end of a run.
#[derive(Debug)]
pub struct RunEnd {
    /// An outcome for each job of the queue.
    pub outcomes: Vec<Outcome>,
    /// The baselines to write once the outcomes were shown.
    pub accepted: Vec<AcceptedBaseline>,
    /// Whether it was not stopped.
    pub is_whole: bool,
}

/// The result of one job, with what is stored of it.
struct CheckedPage {
    outcome: Outcome,
    /// The digest of its baseline.
    base: Option<String>,
    files: PageFiles,
    keeps_picture: bool,
}

/// Checks the queued jobs until they are done, or `stop` ends the run with the results so far. Each
/// result is stored at once if there is a folder for them.
pub async fn run(
    parts: RunParts,
    queue: Vec<usize>,
    progress: Arc<dyn RunProgress>,
    stop: impl Future<Output = ()>,
) -> RunEnd {
    let run = Arc::new(CheckRun::new(parts, queue, progress));
    let mut workers = JoinSet::new();
    for _ in 0..run.parts.options.jobs.min(run.queue.len()) {
        let run = run.clone();
        workers.spawn(async move { run.work().await });
    }
    let whole = tokio::select! {
        () = async { while workers.join_next().await.is_some() {} } => true,
        () = stop => false,
    };
    let unfinished = match whole {
        true => "the check of this page ended unexpectedly; run it again",
        false => "not checked: ended by a signal; run it again, saved baselines stay",
    };
    workers.shutdown().await;
    run.progress.end();
    run.parts.visitor.close().await;
    let done = std::mem::take(&mut *lock(&run.done));
    let outcome = |(at, outcome): (usize, Option<Outcome>)| {
        outcome.unwrap_or_else(|| {
            let job = &run.parts.plan.jobs[run.queue[at]];
            begun(job, Verdict::Failed { error: unfinished.to_owned() })
        })
    };
    let mut outcomes: Vec<Outcome> = done.into_iter().enumerate().map(outcome).collect();
    if !whole {
        outcomes.iter_mut().for_each(accepted::refuse);
        return RunEnd { outcomes, accepted: Vec::new(), is_whole: false };
    }
    let accepted = std::mem::take(&mut *lock(&run.accepted));
    RunEnd { outcomes, accepted, is_whole: true }
}

/// Checks single pages, for a queue.
pub struct PageChecker(CheckRun);

impl PageChecker {
    /// Creates a checker.
    pub fn new(parts: RunParts) -> PageChecker {
        PageChecker(CheckRun::new(parts, Vec::new(), Arc::new(NoProgress)))
    }

    /// Checks a page. Its new baseline, if there is one, is saved at once.
    pub async fn check(&self, job: &Job) -> Outcome {
        let begun = Instant::now();
        let mut outcome = self.0.check(job, None).await.outcome;
        outcome.took = begun.elapsed();
        self.0.hide_secrets(&mut outcome);
        outcome
    }

    /// Ends everything that visits use.
    pub async fn close(&self) {
        self.0.parts.visitor.close().await;
    }
}

fn begun(job: &Job, verdict: Verdict) -> Outcome {
    let viewport = Size { width: job.viewport.width, height: job.viewport.height };
    let url = display(job.url.as_str()).into_owned();
    let emulation = job.emulation.to_string();
    Outcome {
        url,
        emulation,
        ..Outcome::new(&job.name, job.engine.id(), viewport, &job.scope, verdict)
    }
}

impl CheckRun {
    fn new(parts: RunParts, queue: Vec<usize>, progress: Arc<dyn RunProgress>) -> CheckRun {
        CheckRun {
            parts,
            progress,
            next: Mutex::new(0),
            done: Mutex::new(queue.iter().map(|_| None).collect()),
            accepted: Mutex::default(),
            queue,
        }
    }

    /// Runs jobs until the queue is empty.
    async fn work(&self) {
        loop {
            let at = {
                let mut next = lock(&self.next);
                let at = *next;
                *next += 1;
                at
            };
            let plan = &self.parts.plan;
            let Some(job) = self.queue.get(at).map(|place| &plan.jobs[*place]) else { return };
            self.progress.begin(at, &job.name);
            let begun = Instant::now();
            let mut page = self.check(job, Some(at)).await;
            page.outcome.took = begun.elapsed();
            self.hide_secrets(&mut page.outcome);
            if let Some(stored) = &self.parts.stored {
                stored.add(&page.record(self.queue[at], job.line), &page.files);
            }
            let mut outcome = page.outcome;
            // Only a report needs the pictures in memory.
            if !self.parts.options.pictures {
                (outcome.before, outcome.after) = (None, None);
            }
            self.progress.done(at, outcome.is_bad(plan.fail_on));
            lock(&self.done)[at] = Some(outcome);
        }
    }

    fn hide_secrets(&self, outcome: &mut Outcome) {
        let secrets = &self.parts.plan.secrets;
        outcome.url = secrets.hide(std::mem::take(&mut outcome.url));
        for note in &mut outcome.notes {
            *note = secrets.hide(std::mem::take(note));
        }
        match &mut outcome.verdict {
            Verdict::Failed { error: why } => *why = secrets.hide(std::mem::take(why)),
            Verdict::Compared(comparison) | Verdict::Updated(comparison) => {
                secrets.hide_in_comparison(comparison);
            }
            Verdict::Saved | Verdict::NoBaseline => {}
        }
    }

    /// Checks one page, with its retries. `at`: its place in the queue, if it is in it.
    async fn check(&self, job: &Job, at: Option<usize>) -> CheckedPage {
        let outcome = begun(job, Verdict::NoBaseline);
        let (base, files) = (None, PageFiles::default());
        let mut page = CheckedPage { outcome, base, files, keeps_picture: false };
        let options = &self.parts.options;
        if let Some(why) = self.parts.plan.out_of_bounds(job) {
            page.outcome.verdict = Verdict::Failed { error: why.to_string() };
            return page;
        }
        let base = match self.parts.baselines.read(&job.key()) {
            Ok(base) => base,
            Err(error) => {
                page.outcome.verdict = Verdict::Failed { error: error.to_string() };
                return page;
            }
        };
        let may_save = options.may_save || options.update;
        if base.is_none() && !may_save && self.parts.stored.is_none() {
            return page;
        }
        let base = base.map(|(base, digest)| {
            page.base = Some(digest);
            base
        });
        if let Some(why) =
            base.as_ref().filter(|_| !options.update).and_then(|base| unlike(base, job))
        {
            page.outcome.verdict = Verdict::Failed { error: why };
            return page;
        }
        let outcome = &mut page.outcome;
        let (mut restarts, mut earlier) = (0, Vec::new());
        let pixels = job.visual.compares_pixels() && !self.parts.plan.may_picture_values(job);
        let before = self.parts.baselines.picture(&job.key()).filter(|_| pixels && base.is_some());
        loop {
            outcome.tries += 1;
            let last = outcome.tries > job.retries;
            let keeps = base.is_none() || options.update;
            let kept = keeps || self.parts.stored.is_some();
            let picture = ((job.pictures && kept) || options.pictures)
                && !self.parts.plan.may_picture_values(job);
            let request = VisitRequest {
                job,
                base: base.as_ref(),
                keeps,
                picture,
                before: before.as_deref(),
                pixels,
                last,
            };
            match self.parts.visitor.visit(&request).await {
                Ok(visited) => {
                    let differs =
                        |comparison: &&Comparison| comparison.at_least(self.parts.plan.fail_on) > 0;
                    if let Some(comparison) =
                        visited.comparison.as_ref().filter(|_| !last).filter(differs)
                    {
                        earlier.push(comparison.clone());
                        continue;
                    }
                    outcome.notes.extend(looks(&earlier, visited.comparison.as_ref()));
                    self.conclude((job, at), base.as_ref(), visited, &mut page);
                    return page;
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
                    outcome.verdict = Verdict::Failed { error: why };
                    return page;
                }
                Err(error) if !last && !error.is_final() => {
                    let tries = outcome.tries;
                    outcome.notes.push(format!("Load {tries} failed: {error}; loaded again."));
                }
                Err(error) => {
                    outcome.notes.extend(looks(&earlier, None));
                    outcome.verdict = Verdict::Failed { error: error.to_string() };
                    return page;
                }
            }
        }
    }

    /// Saves the baseline of a page; `saved` is the verdict if that succeeds.
    fn save(
        &self,
        job: &Job,
        fingerprint: &Fingerprint,
        picture: Option<&[u8]>,
        notes: &mut Vec<String>,
        saved: Verdict,
    ) -> Verdict {
        match self.parts.baselines.save(&job.key(), fingerprint, picture) {
            Ok(note) => {
                notes.extend(note);
                saved
            }
            Err(error) => Verdict::Failed { error: error.to_string() },
        }
    }

    /// Turns a visit into an outcome. A first baseline is written at once, so that a killed run
    /// does not lose it; a replacement is written after the changes were printed.
    fn conclude(
        &self,
        (job, at): (&Job, Option<usize>),
        base: Option<&Fingerprint>,
        visited: Visit,
        page: &mut CheckedPage,
    ) {
        let (options, outcome) = (&self.parts.options, &mut page.outcome);
        outcome.notes.extend(visited.notes);
        let picture = visited.picture.as_ref().map(|taken| {
            let boxes = serde_json::to_string(&taken.boxes).unwrap_or_default();
            picture::with_text(&taken.png, &boxes)
        });
        let kept = picture.as_ref().filter(|_| job.pictures);
        if visited.fingerprint.loading && base.is_none() {
            outcome.notes.push("it was still loading when its baseline was saved".to_owned());
        }
        if let Some(comparison) = visited.comparison.as_ref().filter(|it| !it.changes.is_empty()) {
            let wanted = self.parts.options.pictures || self.parts.stored.is_some();
            let before = self.parts.baselines.picture(&job.key()).filter(|_| wanted);
            outcome.before = before.and_then(|png| before_picture(png, comparison));
            let taken = visited.picture.as_ref().filter(|_| wanted);
            outcome.after = taken.map(|taken| after_picture(taken, comparison));
        }
        let has_news = visited.comparison.as_ref().is_none_or(Comparison::has_news);
        if has_news && self.parts.plan.may_picture_values(job) {
            outcome.notes.push(NO_PICTURE.to_owned());
        }
        if has_news && self.parts.stored.is_some() {
            let text = form::write(&job.name, job.engine.id(), &visited.fingerprint);
            page.keeps_picture = kept.is_some();
            page.files = PageFiles {
                baseline: text.ok(),
                before: outcome.before.as_ref().map(|before| before.png.clone()),
                after: picture.clone(),
            };
        }
        outcome.verdict = match visited.comparison {
            None if !options.may_save && !options.update => Verdict::NoBaseline,
            None => {
                let kept = kept.map(Vec::as_slice);
                self.save(job, &visited.fingerprint, kept, &mut outcome.notes, Verdict::Saved)
            }
            Some(comparison) => {
                let other = base.is_some_and(|base| unlike(base, job).is_some());
                if options.update && (other || comparison.has_news()) {
                    let (fingerprint, picture) = (visited.fingerprint, kept.cloned());
                    match at {
                        Some(at) => {
                            let job = self.queue[at];
                            let accepted =
                                AcceptedBaseline { outcome: at, job, fingerprint, picture };
                            let mut all = lock(&self.accepted);
                            all.push(accepted);
                            Verdict::Updated(comparison)
                        }
                        None => {
                            let (kept, updated) =
                                (picture.as_deref(), Verdict::Updated(comparison));
                            self.save(job, &fingerprint, kept, &mut outcome.notes, updated)
                        }
                    }
                } else {
                    Verdict::Compared(comparison)
                }
            }
        };
    }
}

impl CheckedPage {
    /// Makes the record of this result.
    fn record(&self, job: usize, line: usize) -> PageRecord {
        PageRecord {
            base: self.base.clone(),
            baseline: self.files.baseline.as_deref().map(digest),
            keeps_picture: self.keeps_picture,
            ..PageRecord::of(&self.outcome, job, line)
        }
    }
}

/// Reads the picture of the baseline and marks the changes on it.
fn before_picture(png: Vec<u8>, comparison: &Comparison) -> Option<Picture> {
    let (width, height) = picture::size(&png)?;
    let boxes: Boxes =
        picture::text_in(&png).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    // The added text is removed, so that equal pictures compare equal.
    let png = picture::without_text(&png);
    Some(Picture { size: Size { width, height }, marks: comparison.marks_before(&boxes), png })
}

fn after_picture(taken: &TakenPicture, comparison: &Comparison) -> Picture {
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
        [one] if same(one) => vec!["Seen in both loads.".to_owned()],
        all if all.iter().all(same) => vec![format!("Seen in all {} loads.", all.len() + 1)],
        all => {
            let loads = all.iter().enumerate();
            loads.map(|(at, one)| format!("Load {} differed: {}", at + 1, worst(one))).collect()
        }
    }
}

/// Summarizes a comparison by its worst change.
fn worst(comparison: &Comparison) -> String {
    let Some(first) = comparison.changes.first() else { return "no changes.".to_owned() };
    let more = match comparison.changes.len() - 1 {
        0 => String::new(),
        more => format!(" And {}.", count(more, "more change")),
    };
    format!("{}: {}{more}", first.severity.as_str(), first.sentence())
}

#[cfg(test)]
mod tests;
