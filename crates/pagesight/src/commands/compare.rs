//! `pagesight fingerprint` and `pagesight compare`: read a page or a page file, and compare it with
//! a baseline.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use pagesight_core::compare::{Comparison, Severity, answer};
use pagesight_core::fingerprint::Size;
use pagesight_core::text::address::display;
use pagesight_session::{FingerprintWithPicture, Options, Session};

use super::open_page::{on_live_page_with, page_from_file, write};
use crate::cli::arguments::{CompareArguments, FingerprintArguments};
use crate::cli::options::Output;
use crate::cli::{exit, print};
use crate::project::store::ProjectStore;
use crate::tools::answer::Content;
use crate::tools::compare::{compare_file, compare_live, compare_with_picture};
use crate::tools::fingerprint::{GetFingerprint, fingerprint_file};
use crate::tools::operation;
use crate::tools::workspace::Workspace;
use pagesight_check::clock::timestamp;
use pagesight_check::report::{comparison, html, junit};
use pagesight_check::result::{CheckResult, Outcome, Picture, Verdict};
use pagesight_check::settings::{current_folder, settings_file};

/// Prints the fingerprint of a page, and saves it as a baseline if asked.
pub(crate) async fn fingerprint(arguments: FingerprintArguments) -> anyhow::Result<()> {
    let FingerprintArguments { page, parameters, store } = arguments;
    let store = ProjectStore::chosen(store.choice()?);
    let output = page.output.output;
    if let Some(captured) = page_from_file(&page)? {
        let workspace = Workspace::with_store(Session::new(Options::default()), store);
        print::json(&fingerprint_file(&workspace, &captured, &parameters).await?, output);
        return Ok(());
    }
    on_live_page_with(store, page, async |workspace: &Workspace| {
        let answer = operation::run::<GetFingerprint>(workspace, parameters.clone()).await?;
        if let Content::Json(value) = answer.content {
            print::json(&value, output);
        }
        Ok(())
    })
    .await
}

/// Prints what changed since a baseline. The exit code is 1 if a change is at or above `--fail-on`.
pub(crate) async fn compare(arguments: CompareArguments) -> anyhow::Result<ExitCode> {
    let CompareArguments { page, against, fail_on, report, junit, store } = arguments;
    let store = ProjectStore::chosen(store.choice()?);
    let output = page.output.output;
    print::settings(settings_file(&current_folder())?.as_deref());
    let mut run = ComparedPage {
        begun: Instant::now(),
        began: timestamp(),
        url: display(&page.page).into_owned(),
        against,
        browser: "page file",
        current: None,
    };
    let mut compared = None;
    let viewport;
    if let Some(captured) = page_from_file(&page)? {
        viewport = Size { width: captured.viewport.0, height: captured.viewport.1 };
        let workspace = Workspace::with_store(Session::new(Options::default()), store);
        compared = Some(compare_file(&workspace, &captured, &run.against).await?);
    } else {
        let given = page.browser.options()?;
        viewport = Size { width: given.viewport.width, height: given.viewport.height };
        run.browser = given.launch.engine.id();
        on_live_page_with(store, page, async |workspace: &Workspace| {
            let tab = workspace.tab(&None).await?;
            compared = Some(match report {
                Some(_) => {
                    let (compared, current) =
                        compare_with_picture(workspace, &tab, &run.against).await?;
                    run.current = Some(current);
                    compared
                }
                None => compare_live(workspace, &tab, &run.against).await?,
            });
            Ok(())
        })
        .await?;
    }
    let compared = compared.context("the page could not be compared")?;
    let threshold = fail_on.min(Severity::Warning);
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

/// The page that is compared, as reports need it.
struct ComparedPage {
    begun: Instant,
    began: String,
    url: String,
    against: String,
    /// The engine, or `page file`.
    browser: &'static str,
    current: Option<FingerprintWithPicture>,
}

impl ComparedPage {
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
