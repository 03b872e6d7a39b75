//! Runs the jobs of a check: several tabs at a time, in one browser per engine. Pages that fail
//! or differ are retried. A browser that ended is restarted without failing a page. A signal ends
//! the run with the results so far.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pagesight_browser::lock;
use pagesight_core::compare::{Comparison, Severity};
use pagesight_core::fingerprint::{Boxes, Fingerprint, Size};
use pagesight_core::text::address::display;
use tokio::task::JoinSet;

use super::accept::{self, AcceptedBaseline};
use super::browser::VisitError;
use super::browsers::{CheckBrowsers, GridSessionEnd, PageEnd};
use super::files::BaselineFiles;
use super::form;
use super::picture;
use super::plan::{Job, Plan};
use super::progress::Progress;
use super::record::{PageFiles, PageRecord, digest};
use super::runs::RunWriter;
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
    pub(crate) update: bool,
    /// A missing baseline may be saved.
    pub(crate) may_save: bool,
    /// Pictures are taken, for a report.
    pub(crate) pictures: bool,
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
    /// The folder that the results are stored in, if there is one.
    stored: Option<Arc<RunWriter>>,
}

/// The end of a run.
pub(crate) struct RunEnd {
    /// An outcome for each job of the queue.
    pub(crate) outcomes: Vec<Outcome>,
    /// The baselines to write once the outcomes were shown.
    pub(crate) accepted: Vec<AcceptedBaseline>,
    /// Whether it was not ended by a signal.
    pub(crate) is_whole: bool,
}

/// The result of one job, with what is stored of it.
struct CheckedPage {
    outcome: Outcome,
    /// The digest of its baseline.
    base: Option<String>,
    files: PageFiles,
    keeps_picture: bool,
}

/// Checks the queued jobs, and stores each result at once if there is a folder for them.
pub(crate) async fn run(
    plan: Arc<Plan>,
    files: BaselineFiles,
    queue: Vec<usize>,
    options: RunOptions,
    stored: Option<Arc<RunWriter>>,
) -> RunEnd {
    let run = Arc::new(CheckRun::new(plan, files, queue, options, stored));
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
    let done = std::mem::take(&mut *lock(&run.done));
    let outcome = |(at, outcome): (usize, Option<Outcome>)| {
        outcome.unwrap_or_else(|| {
            begun(&run.plan.jobs[run.queue[at]], Verdict::Failed { error: unfinished.to_owned() })
        })
    };
    let mut outcomes: Vec<Outcome> = done.into_iter().enumerate().map(outcome).collect();
    if !whole {
        outcomes.iter_mut().for_each(accept::refuse);
        return RunEnd { outcomes, accepted: Vec::new(), is_whole: false };
    }
    let accepted = std::mem::take(&mut *lock(&run.accepted));
    RunEnd { outcomes, accepted, is_whole: true }
}

/// Checks single pages, for the queue.
pub(crate) struct PageChecker(CheckRun);

impl PageChecker {
    /// Creates a checker. No browser is started before it is needed.
    pub(crate) fn new(plan: Arc<Plan>, files: BaselineFiles, options: RunOptions) -> PageChecker {
        PageChecker(CheckRun::new(plan, files, Vec::new(), options, None))
    }

    /// Checks a page. Its new baseline, if there is one, is written at once.
    pub(crate) async fn check(&self, job: &Job) -> Outcome {
        let begun = Instant::now();
        let mut outcome = self.0.check(job, None).await.outcome;
        outcome.took = begun.elapsed();
        self.0.hide_secrets(&mut outcome);
        outcome
    }

    pub(crate) async fn close(&self) {
        self.0.browsers.close().await;
    }
}

fn begun(job: &Job, verdict: Verdict) -> Outcome {
    let viewport = Size { width: job.viewport.width, height: job.viewport.height };
    let url = display(job.url.as_str()).into_owned();
    Outcome { url, ..Outcome::new(&job.name, job.engine.id(), viewport, &job.scope, verdict) }
}

impl CheckRun {
    fn new(
        plan: Arc<Plan>,
        files: BaselineFiles,
        queue: Vec<usize>,
        options: RunOptions,
        stored: Option<Arc<RunWriter>>,
    ) -> CheckRun {
        CheckRun {
            browsers: CheckBrowsers::new(&plan, options.headed, &options.grid, options.jobs),
            progress: Progress::new(queue.len()),
            next: Mutex::new(0),
            done: Mutex::new(queue.iter().map(|_| None).collect()),
            accepted: Mutex::default(),
            stored,
            files,
            options,
            plan,
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
            let Some(job) = self.queue.get(at).map(|place| &self.plan.jobs[*place]) else { return };
            let shown = self.progress.begin(job);
            let begun = Instant::now();
            let mut page = self.check(job, Some(at)).await;
            page.outcome.took = begun.elapsed();
            self.hide_secrets(&mut page.outcome);
            if let Some(stored) = &self.stored {
                stored.add(&page.record(self.queue[at], job.line), &page.files);
            }
            let mut outcome = page.outcome;
            // Only a report needs the pictures in memory.
            if !self.options.pictures {
                (outcome.before, outcome.after) = (None, None);
            }
            self.progress.done(shown, &outcome, self.plan.fail_on);
            lock(&self.done)[at] = Some(outcome);
        }
    }

    fn hide_secrets(&self, outcome: &mut Outcome) {
        let secrets = &self.plan.secrets;
        outcome.url = secrets.hide(std::mem::take(&mut outcome.url));
        for note in &mut outcome.notes {
            *note = secrets.hide(std::mem::take(note));
        }
        if let Verdict::Failed { error: why } = &mut outcome.verdict {
            *why = secrets.hide(std::mem::take(why));
        }
    }

    /// Checks one page, with its retries. `at`: its place in the queue, if it is in it.
    async fn check(&self, job: &Job, at: Option<usize>) -> CheckedPage {
        let outcome = begun(job, Verdict::NoBaseline);
        let (base, files) = (None, PageFiles::default());
        let mut page = CheckedPage { outcome, base, files, keeps_picture: false };
        let base = match self.files.read(job) {
            Ok(base) => base,
            Err(why) => {
                page.outcome.verdict = Verdict::Failed { error: why };
                return page;
            }
        };
        let may_save = self.options.may_save || self.options.update;
        if base.is_none() && !may_save && self.stored.is_none() {
            return page;
        }
        let base = base.map(|(base, digest)| {
            page.base = Some(digest);
            base
        });
        if let Some(why) =
            base.as_ref().filter(|_| !self.options.update).and_then(|base| unlike(base, job))
        {
            page.outcome.verdict = Verdict::Failed { error: why };
            return page;
        }
        let outcome = &mut page.outcome;
        let (mut restarts, mut earlier) = (0, Vec::new());
        loop {
            outcome.tries += 1;
            let last = outcome.tries > job.retries;
            let keeps = base.is_none() || self.options.update;
            let kept = keeps || self.stored.is_some();
            let picture = (job.pictures && kept) || self.options.pictures;
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
                Err(VisitError::Failed(why)) if !last => {
                    outcome.notes.push(format!("try {} failed: {why}; tried again", outcome.tries));
                }
                Err(VisitError::Failed(why) | VisitError::Final(why)) => {
                    outcome.notes.extend(looks(&earlier, None));
                    outcome.verdict = Verdict::Failed { error: why };
                    return page;
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
            GridSessionEnd::Lost => Err(VisitError::BrowserEnded),
            GridSessionEnd::Kept => visited,
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
        let outcome = &mut page.outcome;
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
            let wanted = self.options.pictures || self.stored.is_some();
            let before = self.files.picture(job).filter(|_| wanted);
            outcome.before = before.and_then(|png| before_picture(png, comparison));
            let taken = visited.picture.as_ref().filter(|_| wanted);
            outcome.after = taken.map(|taken| after_picture(taken, comparison));
        }
        let has_news = visited.comparison.as_ref().is_none_or(|it| !it.changes.is_empty());
        if has_news && self.stored.is_some() {
            let text = form::write(&job.name, job.engine.id(), &visited.fingerprint);
            page.keeps_picture = kept.is_some();
            page.files = PageFiles {
                baseline: text.ok(),
                before: outcome.before.as_ref().map(|before| before.png.clone()),
                after: picture.clone(),
            };
        }
        outcome.verdict = match visited.comparison {
            None if !self.options.may_save && !self.options.update => Verdict::NoBaseline,
            None => {
                let saved = self.files.write(job, &visited.fingerprint, kept.map(Vec::as_slice));
                saved.map_or_else(|error| Verdict::Failed { error }, |()| Verdict::Saved)
            }
            Some(comparison) => {
                let other = base.is_some_and(|base| unlike(base, job).is_some());
                if self.options.update && (other || !comparison.changes.is_empty()) {
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
                        None => match self.files.write(job, &fingerprint, picture.as_deref()) {
                            Ok(()) => Verdict::Updated(comparison),
                            Err(why) => Verdict::Failed { error: why },
                        },
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
        all if all.iter().all(same) => vec![format!("the same in {} tries", all.len() + 1)],
        all => {
            let tries = all.iter().enumerate();
            tries
                .map(|(at, one)| format!("try {} found different changes: {}", at + 1, worst(one)))
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

#[cfg(test)]
mod tests {
    use pagesight_core::fingerprint::Depth;

    use super::*;
    use crate::commands::check::plan::Overrides;
    use crate::report::result::tests::compared;

    #[test]
    fn earlier_tries_are_described_only_if_they_differ() {
        let one = compared(&[Severity::Error]);
        let other = compared(&[Severity::Warning, Severity::Info]);
        assert_eq!(looks(&[], Some(&one)), Vec::<String>::new());
        assert_eq!(looks(&[one.clone(), one.clone()], Some(&one)), ["the same in 3 tries"]);
        assert_eq!(
            looks(&[one.clone(), other], Some(&one)),
            [
                "try 1 found different changes: error: Button 'Save' is no longer there",
                "try 2 found different changes: Button 'Save' is no longer there and 1 more",
            ]
        );
        assert_eq!(looks(&[one], None).len(), 1, "the last try failed");
    }

    #[tokio::test]
    async fn pages_that_cannot_be_compared_need_no_browser() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pages.toml");
        let text = "[[page]]\nurl = \"http://127.0.0.1:9/\"\n";
        let plan = Arc::new(Plan::read(&path, text, &Overrides::default(), &|_| None).unwrap());
        let (files, job) = (BaselineFiles::of(&plan), &plan.jobs[0]);
        let options = RunOptions {
            jobs: 1,
            update: false,
            may_save: false,
            pictures: false,
            headed: false,
            grid: Vec::new(),
            grid_patience: Duration::ZERO,
        };
        let checker = PageChecker::new(plan.clone(), files.clone(), options);
        let missing = checker.check(job).await;
        assert_eq!((missing.verdict, missing.tries), (Verdict::NoBaseline, 0));

        let scope = "full".to_owned();
        let other = Fingerprint { version: 1, depth: Depth::Minimal, scope, ..Default::default() };
        files.write(job, &other, None).unwrap();
        let why = checker.check(job).await.verdict.why().to_owned();
        assert!(why.contains("depth \"minimal\"") && why.ends_with("--update"), "{why}");

        std::fs::write(files.path(job), "{").unwrap();
        let why = checker.check(job).await.verdict.why().to_owned();
        assert!(why.contains("cannot be used"), "{why}");
        assert_eq!(std::fs::read_to_string(files.path(job)).unwrap(), "{", "it is left alone");
        checker.close().await;
    }
}
