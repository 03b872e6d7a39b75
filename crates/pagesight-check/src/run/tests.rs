//! Checks retries, restarts and what may be saved, with a visitor that needs no browser.

use std::collections::VecDeque;

use async_trait::async_trait;
use pagesight_core::compare::{Change, Severity, Subject};
use pagesight_core::fingerprint::Depth;
use serde_json::json;

use super::*;
use crate::plan::{Overrides, PlanBounds};
use crate::result::folder::StoredRun;
use crate::result::tests::{change, compared, outcome};

/// The result of a visit.
type Found = Result<&'static [Severity], VisitError>;

/// Answers each visit with the next result of a list, and repeats the last one.
struct Scripted {
    visits: Mutex<VecDeque<Found>>,
    /// Of each visit: whether it is compared, and the last.
    requests: Mutex<Vec<(bool, bool)>>,
    /// Of each visit: whether a picture is wanted.
    pictures: Mutex<Vec<bool>>,
    closed: Mutex<bool>,
}

#[async_trait]
impl PageVisitor for Scripted {
    async fn visit(&self, request: &VisitRequest<'_>) -> Result<Visit, VisitError> {
        lock(&self.requests).push((request.base.is_some(), request.last));
        lock(&self.pictures).push(request.picture);
        let found = {
            let mut visits = lock(&self.visits);
            match visits.len() {
                0 | 1 => visits.front().cloned(),
                _ => visits.pop_front(),
            }
        };
        let Some(severities) = found.transpose()? else { return std::future::pending().await };
        let scope = "full".to_owned();
        let fingerprint = Fingerprint { version: 1, scope, ..Fingerprint::default() };
        let comparison = request.base.map(|_| compared(severities));
        Ok(Visit { fingerprint: Arc::new(fingerprint), comparison, ..Visit::default() })
    }

    async fn close(&self) {
        *lock(&self.closed) = true;
    }
}

const CHANGED: Found = Ok(&[Severity::Error]);
const SAME: Found = Ok(&[]);
const ENDED: Found = Err(VisitError::BrowserEnded);

/// A folder with one page that is tried up to three times, and what checks it.
struct Bench {
    folder: tempfile::TempDir,
    plan: Arc<Plan>,
    baselines: PageBaselines,
}

impl Bench {
    fn new() -> Bench {
        let text = "[[page]]\nurl = \"http://127.0.0.1:9/\"\nretries = 2\n";
        Bench::of(|path| Plan::read(path, text, &Overrides::default(), &|_| None).unwrap())
    }

    fn of(plan: impl Fn(&std::path::Path) -> Plan) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let plan = Arc::new(plan(&folder.path().join("pages.toml")));
        let baselines = PageBaselines::in_folder(&plan.folder());
        Bench { folder, plan, baselines }
    }

    fn with_baseline(self) -> Bench {
        self.save(Depth::default());
        self
    }

    fn save(&self, depth: Depth) {
        let scope = "full".to_owned();
        let base = Fingerprint { version: 1, depth, scope, ..Fingerprint::default() };
        self.baselines.save(&self.plan.jobs[0].key(), &base, None).unwrap();
    }

    fn is_saved(&self) -> bool {
        self.baselines.read(&self.plan.jobs[0].key()).unwrap().is_some()
    }

    fn baseline(&self) -> std::path::PathBuf {
        self.plan.folder().join("home@chromium-1280x720.json")
    }

    fn parts(&self, visits: &[Found], options: RunOptions) -> (Arc<Scripted>, RunParts) {
        let visitor = Arc::new(Scripted {
            visits: Mutex::new(visits.iter().cloned().collect()),
            requests: Mutex::default(),
            pictures: Mutex::default(),
            closed: Mutex::default(),
        });
        let (plan, baselines) = (self.plan.clone(), self.baselines.clone());
        let parts = RunParts { plan, baselines, visitor: visitor.clone(), stored: None, options };
        (visitor, parts)
    }

    /// Runs the check with these visits.
    async fn run(&self, visits: &[Found], options: RunOptions) -> (RunEnd, Vec<(bool, bool)>) {
        let (visitor, parts) = self.parts(visits, options);
        let ended = run(parts, vec![0], Arc::new(NoProgress), std::future::pending()).await;
        assert!(*lock(&visitor.closed), "the browsers are closed");
        let requests = lock(&visitor.requests).clone();
        (ended, requests)
    }
}

fn options() -> RunOptions {
    RunOptions { jobs: 1, update: false, may_save: true, pictures: false }
}

fn in_ci() -> RunOptions {
    RunOptions { may_save: false, ..options() }
}

fn updating() -> RunOptions {
    RunOptions { update: true, ..options() }
}

#[tokio::test]
async fn a_page_that_differs_is_tried_again() {
    let bench = Bench::new().with_baseline();
    let (ended, requests) = bench.run(&[CHANGED, SAME], options()).await;
    let outcome = &ended.outcomes[0];
    assert_eq!((outcome.verdict.word(), outcome.tries), ("unchanged", 2));
    assert!(outcome.notes[0].starts_with("Load 1 differed: "), "{outcome:?}");
    assert_eq!(requests, [(true, false), (true, false)]);

    let (ended, requests) = bench.run(&[CHANGED], options()).await;
    let outcome = &ended.outcomes[0];
    assert_eq!((outcome.verdict.word(), outcome.tries), ("changed", 3));
    assert_eq!(outcome.notes, ["Seen in all 3 loads."]);
    assert_eq!(requests.last(), Some(&(true, true)), "only the last one is the last");
    assert!(ended.is_whole && ended.accepted.is_empty());
}

#[tokio::test]
async fn a_failure_is_retried_unless_that_would_not_help() {
    let bench = Bench::new().with_baseline();
    let failed = Err(VisitError::NotRead);
    let (ended, _) = bench.run(&[failed.clone(), SAME], options()).await;
    let outcome = &ended.outcomes[0];
    assert_eq!((outcome.verdict.word(), outcome.tries), ("unchanged", 2));
    assert_eq!(outcome.notes, ["Load 1 failed: it could not be read; loaded again."]);

    let (ended, requests) = bench.run(&[failed], options()).await;
    assert_eq!(ended.outcomes[0].verdict.why(), "it could not be read");
    assert_eq!(requests.len(), 3);

    let useless = Err(VisitError::Setup("no".to_owned()));
    let (ended, requests) = bench.run(&[useless], options()).await;
    assert_eq!(ended.outcomes[0].verdict.why(), "the [setup] failed: no");
    assert_eq!(requests.len(), 1, "trying again would not help");
}

#[tokio::test]
async fn a_browser_that_ended_fails_no_page_unless_it_goes_on() {
    let bench = Bench::new().with_baseline();
    let (ended, _) = bench.run(&[ENDED, ENDED, ENDED, SAME], options()).await;
    let outcome = &ended.outcomes[0];
    assert_eq!((outcome.verdict.word(), outcome.tries), ("unchanged", 1), "no try was used up");
    assert_eq!(outcome.notes.len(), 3);

    let (ended, requests) = bench.run(&[ENDED], options()).await;
    let why = "the browser ended 4 times while this page was open";
    assert_eq!(ended.outcomes[0].verdict.why(), why);
    assert_eq!(requests.len(), 4);
}

#[tokio::test]
async fn a_first_baseline_is_saved_where_that_is_allowed() {
    let bench = Bench::new();
    let (ended, requests) = bench.run(&[SAME], in_ci()).await;
    assert_eq!(ended.outcomes[0].verdict, Verdict::NoBaseline);
    assert!(requests.is_empty() && !bench.is_saved(), "it is not even visited");

    let (ended, _) = bench.run(&[Err(VisitError::ErrorPage(500))], options()).await;
    assert_eq!(ended.outcomes[0].verdict.word(), "failed");
    assert!(!bench.is_saved());

    let (ended, _) = bench.run(&[SAME], options()).await;
    assert_eq!(ended.outcomes[0].verdict, Verdict::Saved);
    assert!(bench.is_saved());
}

#[tokio::test]
async fn values_in_changes_are_not_reported() {
    let hook = "https://hooks.example/services/T0/B0/k7Qm2";
    let page = "[[page]]\nurl = \"http://127.0.0.1:9/\"\n";
    let typed = "actions = [{ type = \"type\", text = \"${HOOK}\" }]";
    let text = format!("{page}{typed}\n");
    let bench = Bench::of(|path| {
        let environment = |_: &str| Some(hook.to_owned());
        Plan::read(path, &text, &Overrides::default(), &environment).unwrap()
    });
    let run = CheckRun::new(bench.parts(&[], options()).1, Vec::new(), Arc::new(NoProgress));
    let said = format!("Console error: cannot reach {hook}");
    let change = Change {
        was: Some(json!([hook])),
        now: Some(json!(hook)),
        location: hook.to_owned(),
        element: Some(Subject { text: Some(hook.to_owned()), ..Subject::default() }),
        ..change(Severity::Error, &said)
    };
    let comparison =
        Comparison { changes: vec![change], unchanged: vec![said], ..Comparison::default() };
    for verdict in [Verdict::Compared(comparison.clone()), Verdict::Updated(comparison)] {
        let mut outcome = outcome("p", verdict);
        run.hide_secrets(&mut outcome);
        let shown = format!("{outcome:?}");
        assert!(!shown.contains("hooks.example"), "{shown}");
        assert!(shown.contains("cannot reach ${HOOK}"), "{shown}");
    }
}

#[tokio::test]
async fn no_picture_shows_a_value_to_those_who_wrote_the_queue() {
    let page = "[[page]]\nurl = \"http://127.0.0.1:9/\"\n";
    let typed = "actions = [{ type = \"type\", text = \"${WORD}\" }]\n";
    let setup = format!("[setup]\nurl = \"http://127.0.0.1:9/login\"\n{typed}");
    let with_pictures = || RunOptions { pictures: true, ..options() };
    for (text, is_pictured) in [
        (page.to_owned(), true),
        (format!("{page}{typed}"), false),
        (format!("{setup}{page}"), false),
        ("[[page]]\nname = \"p\"\nurl = \"http://127.0.0.1:9/?${WORD}\"\n".to_owned(), false),
        (format!("{page}{}", typed.replace("${", "$${")), true),
    ] {
        let environment = |_: &str| Some("hunter22".to_owned());
        let bounds = PlanBounds {
            origins: vec!["http://127.0.0.1:9".parse().unwrap()],
            variables: vec!["WORD".to_owned()],
            upload_root: None,
        };
        let bench = Bench::of(|path| {
            let (overrides, bounds) = (Overrides::default(), bounds.clone());
            Plan::read_within(path, &text, &overrides, &environment, bounds).unwrap()
        });
        let (visitor, parts) = bench.parts(&[SAME], with_pictures());
        let outcome = PageChecker::new(parts).check(&bench.plan.jobs[0]).await;
        assert_eq!(*lock(&visitor.pictures), [is_pictured], "{text}");
        let has_note = outcome.notes.iter().any(|note| note.starts_with("no picture was taken"));
        assert_eq!(has_note, !is_pictured, "{text}\n{outcome:?}");
        // The author of a plan of one's own may see the values.
        let own =
            Bench::of(|path| Plan::read(path, &text, &Overrides::default(), &environment).unwrap());
        let (visitor, parts) = own.parts(&[SAME], with_pictures());
        PageChecker::new(parts).check(&own.plan.jobs[0]).await;
        assert_eq!(*lock(&visitor.pictures), [true], "{text}");
    }
}

#[tokio::test]
async fn accepted_changes_are_saved_after_they_were_shown() {
    let bench = Bench::new().with_baseline();
    let before = std::fs::read(bench.baseline()).unwrap();
    let (mut ended, requests) = bench.run(&[CHANGED], updating()).await;
    assert_eq!((ended.outcomes[0].verdict.word(), requests.len()), ("updated", 3));
    assert_eq!(std::fs::read(bench.baseline()).unwrap(), before, "not before they are shown");
    std::fs::remove_file(bench.baseline()).unwrap();
    for accepted in ended.accepted {
        assert_eq!(accepted.save(&bench.baselines, &bench.plan, &mut ended.outcomes), None);
    }
    assert!(bench.is_saved());

    let (ended, _) = bench.run(&[SAME], updating()).await;
    assert_eq!(ended.outcomes[0].verdict.word(), "unchanged");
    assert!(ended.accepted.is_empty(), "an equal page needs no new baseline");
}

#[tokio::test]
async fn an_accepted_baseline_that_cannot_be_saved_fails_its_page() {
    let bench = Bench::new().with_baseline();
    let (mut ended, _) = bench.run(&[CHANGED], updating()).await;
    std::fs::remove_dir_all(bench.plan.folder()).unwrap();
    std::fs::write(bench.plan.folder(), "a file is in the way").unwrap();
    for accepted in ended.accepted {
        assert_eq!(accepted.save(&bench.baselines, &bench.plan, &mut ended.outcomes), Some(0));
    }
    let why = ended.outcomes[0].verdict.why();
    assert!(why.contains("cannot be written"), "{why}");
}

#[tokio::test]
async fn a_run_that_is_stopped_accepts_nothing() {
    let bench = Bench::new().with_baseline();
    let (_, parts) = bench.parts(&[CHANGED], updating());
    let ended = run(parts, vec![0], Arc::new(NoProgress), async {}).await;
    assert!(!ended.is_whole && ended.accepted.is_empty());
    // A page that never answers.
    let (_, parts) = bench.parts(&[], options());
    let ended = run(parts, vec![0], Arc::new(NoProgress), tokio::task::yield_now()).await;
    assert!(ended.outcomes[0].verdict.why().starts_with("not checked: ended by a signal"));
}

#[tokio::test]
async fn results_are_stored_with_what_can_be_accepted() {
    let bench = Bench::new().with_baseline();
    let at = bench.folder.path().join("run");
    let writer = Arc::new(RunWriter::begin(&at).unwrap());
    let (_, parts) = bench.parts(&[CHANGED], in_ci());
    let parts = RunParts { stored: Some(writer.clone()), ..parts };
    run(parts, vec![0], Arc::new(NoProgress), std::future::pending()).await;
    writer.complete(&crate::result::folder::tests::header(1)).unwrap();
    let stored = StoredRun::open(&at).unwrap();
    let record = &stored.records().unwrap()[0];
    let now = bench.baselines.read(&bench.plan.jobs[0].key()).unwrap().unwrap().1;
    assert_eq!(record.base.as_ref(), Some(&now), "the baseline that it was compared with");
    assert!(record.baseline.is_some() && stored.files(record).unwrap().baseline.is_some());
}

#[tokio::test]
async fn pages_that_cannot_be_compared_are_not_visited() {
    let bench = Bench::new();
    bench.save(Depth::Minimal);
    let (ended, requests) = bench.run(&[SAME], options()).await;
    let why = ended.outcomes[0].verdict.why();
    assert!(why.contains("depth \"minimal\"") && why.ends_with("--update"), "{why}");
    assert!(requests.is_empty());

    std::fs::write(bench.baseline(), "{").unwrap();
    let (ended, requests) = bench.run(&[SAME], updating()).await;
    assert!(ended.outcomes[0].verdict.why().contains("cannot be used"));
    assert!(requests.is_empty());
    assert_eq!(std::fs::read_to_string(bench.baseline()).unwrap(), "{", "it is left alone");
}

#[test]
fn earlier_tries_are_described_only_if_they_differ() {
    let one = compared(&[Severity::Error]);
    let other = compared(&[Severity::Warning, Severity::Info]);
    assert_eq!(looks(&[], Some(&one)), Vec::<String>::new());
    assert_eq!(looks(&[one.clone(), one.clone()], Some(&one)), ["Seen in all 3 loads."]);
    assert_eq!(
        looks(&[one.clone(), other], Some(&one)),
        [
            "Load 1 differed: error: Button 'Save' is no longer there.",
            "Load 2 differed: warning: Button 'Save' is no longer there. And 1 more change.",
        ]
    );
    assert_eq!(looks(&[one], None).len(), 1, "the last try failed");
}
