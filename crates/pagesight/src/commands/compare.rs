//! `pagesight compare`: compares the session's page, a URL or a page file with a baseline.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use pagesight_core::compare::{Comparison, Severity, answer};
use pagesight_core::fingerprint::Size;
use pagesight_core::text::address::display;
use pagesight_session::{FingerprintWithPicture, Options, Session};

use super::finish::finish;
use super::open_page::{on_live_page_with, page_from_file, write};
use super::shell;
use crate::cli::options::Output;
use crate::cli::page_arguments::{CompareArguments, Place};
use crate::cli::shell_arguments::ShellArguments;
use crate::cli::{exit, print};
use crate::page_call::PageCall;
use crate::project::store::ProjectStore;
use crate::tools::compare::{compare_file, compare_live, compare_with_picture};
use crate::tools::workspace::Workspace;
use pagesight_check::clock::timestamp;
use pagesight_check::report::{comparison, html, junit};
use pagesight_check::result::{CheckResult, Outcome, Picture, Verdict};
use pagesight_check::settings::{current_folder, settings_file};

/// Prints what changed since a baseline. The exit code is 1 if a change is at or above `--fail-on`.
pub(crate) async fn run(arguments: CompareArguments) -> anyhow::Result<ExitCode> {
    let CompareArguments { page, against, fail_on, report, junit, place, store } = arguments;
    let output = place.shared.session.output.output;
    let place = place.place(page)?;
    for (flag, given) in [
        ("--report", report.is_some()),
        ("--junit", junit.is_some()),
        ("--store", store.store.is_some()),
    ] {
        place.refuse_in_session(flag, given)?;
    }
    if let Place::Session(shared) = place {
        return in_session(&shared, against, fail_on).await;
    }
    let (store, url) = (ProjectStore::chosen(store.choice()?), shown(&place));
    print::settings(settings_file(&current_folder())?.as_deref());
    let mut run = ComparedPage {
        begun: Instant::now(),
        began: timestamp(),
        url,
        against,
        browser: "page file",
        emulation: String::new(),
        current: None,
    };
    let (compared, viewport) = run.compare(place, store, report.is_some()).await?;
    let threshold = threshold(fail_on);
    match output {
        Output::Json => print::json(&answer(&compared, threshold), output),
        Output::Text => drop(print::block(&comparison::lines(&compared, threshold))),
    }
    let code = exit::of_comparison(&compared, fail_on);
    let checked = run.result(compared, fail_on, viewport);
    if let Some(file) = &report {
        write(file, html::html(&checked).as_bytes())?;
        print::note(&format!("wrote {}", file.display()));
    }
    if let Some(file) = &junit {
        write(file, junit::xml(&checked)?.as_bytes())?;
    }
    Ok(code)
}

/// Returns the severity that a change must have to be printed.
fn threshold(fail_on: Severity) -> Severity {
    fail_on.min(Severity::Warning)
}

/// Compares the page of a session.
async fn in_session(
    shared: &ShellArguments,
    against: String,
    fail_on: Severity,
) -> anyhow::Result<ExitCode> {
    let call = PageCall::Compare { against, threshold: threshold(fail_on) };
    let answer = shell::ask(shared, call).await?;
    let severity = answer.as_ref().ok().and_then(|answer| answer.severity);
    let code = finish(answer, shared.session.output.output);
    let failed = severity.is_some_and(|severity| severity >= fail_on);
    Ok(if failed { ExitCode::from(exit::CHANGED) } else { code })
}

/// Returns the page as reports name it.
fn shown(place: &Place) -> String {
    match place {
        Place::Session(_) => String::new(),
        Place::Url(page) => display(&page.url).into_owned(),
        Place::File(file) => file.path.clone(),
    }
}

/// The page that is compared, as reports need it.
struct ComparedPage {
    begun: Instant,
    began: String,
    url: String,
    against: String,
    /// The engine, or `page file`.
    browser: &'static str,
    /// The conditions that are emulated, in a few words.
    emulation: String,
    current: Option<FingerprintWithPicture>,
}

impl ComparedPage {
    /// Compares the page. A picture of it is taken if a report needs one.
    async fn compare(
        &mut self,
        place: Place,
        store: Arc<ProjectStore>,
        with_picture: bool,
    ) -> anyhow::Result<(Comparison, Size)> {
        let page = match place {
            Place::Url(page) => page,
            Place::File(file) => {
                let page = page_from_file(&file)?;
                let viewport = Size { width: page.viewport.0, height: page.viewport.1 };
                let workspace = Workspace::with_store(Session::new(Options::default()), store);
                return Ok((compare_file(&workspace, &page, &self.against).await?, viewport));
            }
            Place::Session(_) => bail!("the page of a session is compared in its process"),
        };
        let given = page.browser.options()?;
        let viewport = Size { width: given.viewport.width, height: given.viewport.height };
        self.browser = given.launch.engine.id();
        self.emulation = given.emulation.to_string();
        let compared = on_live_page_with(store, page, async |workspace: &Workspace| {
            let tab = workspace.tab(&None).await?;
            if !with_picture {
                return Ok(compare_live(workspace, &tab, &self.against).await?);
            }
            let (compared, current) = compare_with_picture(workspace, &tab, &self.against).await?;
            self.current = Some(current);
            Ok(compared)
        });
        Ok((compared.await?, viewport))
    }

    fn result(self, compared: Comparison, fail_on: Severity, viewport: Size) -> CheckResult {
        let fingerprint = self.current.as_ref().map(|current| current.fingerprint.clone());
        let scope =
            fingerprint.as_ref().map(|taken| taken.scope.clone()).filter(|scope| scope != "full");
        let after = self.current.and_then(|current| {
            let marks = compared.marks_after(&current.boxes);
            Some(Picture { png: current.png?, size: current.size, marks })
        });
        let took = self.begun.elapsed();
        let outcome = Outcome {
            name: self.against,
            url: fingerprint.as_ref().map_or(self.url.clone(), |taken| taken.url.clone()),
            browser: self.browser,
            viewport: fingerprint.map_or(viewport, |taken| taken.viewport),
            emulation: self.emulation,
            scope: scope.unwrap_or_default(),
            verdict: Verdict::Compared(compared),
            tries: 1,
            notes: Vec::new(),
            took,
            before: None,
            after,
        };
        CheckResult { subject: self.url, began: self.began, took, fail_on, outcomes: vec![outcome] }
    }
}
