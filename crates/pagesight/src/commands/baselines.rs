//! `pagesight fingerprint`, `compare` and `baselines`: the operations on a page or a page file, and
//! the chores that only people have with baselines.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use pagesight_core::compare::{Comparison, Severity, answer};
use pagesight_core::fingerprint::Size;
use pagesight_session::baseline::{Name, export, read_file};
use pagesight_session::{Engine, Options, Portrait, Session};
use serde_json::{Value, json};

use crate::cli::arguments::{BaselinesCommand, CompareArguments, FingerprintArguments, Output};
use crate::cli::print;
use crate::commands::{on_live_page, page_from_file, write};
use crate::project::store::now;
use crate::report::result::{Checked, Outcome, Picture, Verdict};
use crate::report::{html, junit};
use crate::tools::{self, Content, Workspace, baselines, compare, fingerprint};

/// Something changed that is at least as bad as `--fail-on`.
const CHANGED: u8 = 1;

/// Prints the fingerprint of a page, and keeps it if that was asked for.
pub(crate) async fn fingerprint(arguments: FingerprintArguments) -> anyhow::Result<ExitCode> {
    let FingerprintArguments { page, parameters } = arguments;
    let output = page.output.output;
    if let Some(captured) = page_from_file(&page)? {
        let workspace = Workspace::new(Session::new(Options::default()), false);
        print::json(
            &fingerprint::fingerprint_file(&workspace, &captured, &parameters).await?,
            output,
        );
        return Ok(ExitCode::SUCCESS);
    }
    on_live_page(page, async |workspace: &Workspace| {
        let answer =
            tools::run::<fingerprint::GetFingerprint>(workspace, parameters.clone()).await?;
        if let Content::Json(value) = answer.content {
            print::json(&value, output);
        }
        Ok(())
    })
    .await?;
    Ok(ExitCode::SUCCESS)
}

/// Prints what changed; the exit code says whether it is bad.
pub(crate) async fn compare(arguments: CompareArguments) -> anyhow::Result<ExitCode> {
    let CompareArguments { page, against, fail_on, report, junit } = arguments;
    let output = page.output.output;
    let fail_on = Severity::from(fail_on);
    let mut run = Run {
        begun: Instant::now(),
        began: now(),
        url: page.page.clone(),
        against,
        browser: "",
        portrait: None,
    };
    let mut compared = None;
    let viewport;
    if let Some(captured) = page_from_file(&page)? {
        viewport = Size { width: captured.viewport.0, height: captured.viewport.1 };
        let workspace = Workspace::new(Session::new(Options::default()), false);
        compared = Some(compare::compare_file(&workspace, &captured, &run.against).await?);
    } else {
        let given = page.browser.options();
        viewport = Size { width: given.viewport.width, height: given.viewport.height };
        run.browser = if given.launch.engine == Engine::Firefox { "firefox" } else { "chromium" };
        on_live_page(page, async |workspace: &Workspace| {
            let tab = workspace.tab(&None).await?;
            compared = Some(match report {
                Some(_) => {
                    let (compared, portrait) =
                        compare::compare_with_picture(workspace, &tab, &run.against).await?;
                    run.portrait = Some(portrait);
                    compared
                }
                None => compare::compare_live(workspace, &tab, &run.against).await?,
            });
            Ok(())
        })
        .await?;
    }
    let compared = compared.context("the page could not be compared")?;
    let threshold = fail_on.min(Severity::Warning);
    match output {
        Output::Json => print::json(&answer(&compared, threshold), output),
        Output::Text => print::result(&compare::lines(&compared, threshold)),
    }
    let code = exit_code(&compared, fail_on);
    let checked = run.checked(compared, fail_on, viewport);
    if let Some(file) = &report {
        write(file, html::html(&checked).as_bytes())?;
        print::note(&format!("wrote {}", file.display()));
    }
    if let Some(file) = &junit {
        write(file, junit::xml(&checked)?.as_bytes())?;
    }
    Ok(code)
}

/// What a comparison ends with.
pub(crate) fn exit_code(compared: &Comparison, fail_on: Severity) -> ExitCode {
    if compared.at_least(fail_on) > 0 { ExitCode::from(CHANGED) } else { ExitCode::SUCCESS }
}

/// One page that is compared, for a report.
struct Run {
    begun: Instant,
    began: String,
    url: String,
    against: String,
    browser: &'static str,
    portrait: Option<Portrait>,
}

impl Run {
    fn checked(self, compared: Comparison, fail_on: Severity, viewport: Size) -> Checked {
        let fingerprint = self.portrait.as_ref().map(|portrait| portrait.fingerprint.clone());
        let scope =
            fingerprint.as_ref().map(|taken| taken.scope.clone()).filter(|scope| scope != "full");
        let after = self.portrait.and_then(|portrait| {
            let marks = compared.marks_after(&portrait.boxes);
            Some(Picture { png: portrait.png?, size: portrait.size, marks })
        });
        let took = self.begun.elapsed();
        let outcome = Outcome {
            name: self.against,
            url: fingerprint.as_ref().map_or(self.url.clone(), |taken| taken.url.clone()),
            browser: if self.browser.is_empty() { "page file" } else { self.browser },
            viewport: fingerprint.map_or(viewport, |taken| taken.viewport),
            scope: scope.unwrap_or_default(),
            verdict: Verdict::Compared(compared),
            tries: 1,
            notes: Vec::new(),
            took,
            before: None,
            after,
        };
        Checked { subject: self.url, began: self.began, took, fail_on, outcomes: vec![outcome] }
    }
}

/// Chores with baselines.
pub(crate) async fn manage(command: BaselinesCommand, output: Output) -> anyhow::Result<()> {
    let workspace = Workspace::new(Session::new(Options::default()), false);
    let told = match command {
        BaselinesCommand::List => {
            let told = baselines::list(&workspace).await?;
            if output == Output::Text {
                print::result(&listed(&told));
                return Ok(());
            }
            told
        }
        BaselinesCommand::Show { name } => baselines::show(&workspace, Name::parse(&name)?).await?,
        BaselinesCommand::History { name } => {
            baselines::history(&workspace, Name::parse(&name)?).await?
        }
        BaselinesCommand::Restore { name, version } => {
            baselines::restore(&workspace, Name::parse(&name)?, version).await?
        }
        BaselinesCommand::Delete { name } => {
            baselines::delete(&workspace, Name::parse(&name)?).await?
        }
        BaselinesCommand::Export { folder, names } => {
            let names =
                names.iter().map(|name| Name::parse(name)).collect::<Result<Vec<_>, _>>()?;
            let written = workspace
                .kept
                .with_store(false, move |store| export(store, &folder, &names))
                .await?;
            json!({ "written": written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>() })
        }
        BaselinesCommand::Import { paths } => import(&workspace, &paths).await?,
    };
    print::json(&told, output);
    Ok(())
}

fn listed(told: &Value) -> String {
    let mut out = format!("{}\n", told["store"].as_str().unwrap_or_default());
    for one in told["baselines"].as_array().into_iter().flatten() {
        let text = |key: &str| one[key].as_str().unwrap_or_default();
        let (width, height) = (&one["viewport"]["width"], &one["viewport"]["height"]);
        let line = format!(
            "{}  {}  {width}x{height}  {} {}  {}  {}  {} kept\n",
            text("name"),
            text("route"),
            text("scope"),
            text("depth"),
            text("hash"),
            text("captured_at"),
            one["versions"]
        );
        out.push_str(&line);
    }
    out
}

/// Reads all files before the first is kept, so that a wrong one leaves nothing half done.
async fn import(workspace: &Workspace, paths: &[PathBuf]) -> anyhow::Result<Value> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(json_files(path)?);
        } else {
            files.push(path.clone());
        }
    }
    let mut found = Vec::new();
    for path in &files {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        found.push(read_file(path, &text)?);
    }
    let names: Vec<String> = found.iter().map(|(name, _)| name.as_str().to_owned()).collect();
    let kept = move |store: &dyn pagesight_session::baseline::Baselines| {
        found.iter().try_for_each(|(name, fingerprint)| store.save(name, fingerprint).map(drop))
    };
    workspace.kept.with_store(true, kept).await?;
    Ok(json!({ "imported": names }))
}

fn json_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    Ok(files)
}
