//! `pagesight check`: compares every page of `pages.toml` with its baseline. `plan` reads the file,
//! `run` checks the pages (`browser`, `visit`, `steps`), `files` and `form` store baselines, and
//! `accept` writes the baselines that `--update` accepts. This file is the command: it takes the
//! arguments, prints the result in every requested form, and returns the exit code.

mod accept;
mod browser;
mod browsers;
mod files;
mod form;
mod grid;
mod picture;
pub(crate) mod plan;
mod problems;
mod progress;
mod queue;
mod read_plan;
// The commands that read records come next.
#[allow(dead_code)]
pub(crate) mod record;
mod run;
mod secrets;
mod steps;
mod visit;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::cli::arguments::{CheckArguments, CheckCommand};
use crate::cli::options::Output;
use crate::cli::{log, print, state_file, stop_commands};
use crate::clock::timestamp;
use crate::project::config::{current_folder, ignore_rules, settings_file};
use crate::report::result::{CheckResult, Verdict};
use crate::report::{github, html, json, junit, text, words};
use files::{BaselineFiles, PageDatabase};
use plan::Plan;
use read_plan::{chosen, is_ci, read, write};
use run::RunOptions;

/// How many unused files are named.
const MOST_ORPHANS: usize = 5;

/// Checks all pages and returns the exit code.
pub(crate) async fn run(arguments: CheckArguments) -> anyhow::Result<ExitCode> {
    let files_only =
        matches!(arguments.command, Some(CheckCommand::Accept(_) | CheckCommand::Merge(_)));
    if files_only && arguments.store.store.is_some() {
        bail!("--store does not belong to check accept and check merge; leave it out");
    }
    match arguments.command {
        Some(CheckCommand::Accept(_)) => bail!("check accept is not there yet"),
        Some(CheckCommand::Merge(_)) => bail!("check merge is not there yet"),
        Some(CheckCommand::Enqueue(given)) => {
            return queue::enqueue(given, &arguments.store, arguments.output.output).await;
        }
        Some(CheckCommand::Work(given)) => {
            return queue::work(given, &arguments.store, arguments.output.output).await;
        }
        Some(CheckCommand::Status(given)) => {
            return queue::status(given, &arguments.store, arguments.output.output).await;
        }
        Some(CheckCommand::Stop(given)) => {
            return queue::stop(given, &arguments.store, arguments.output.output).await;
        }
        None => {}
    }
    let mut plan = read(&arguments.plan)?;
    log::hide(plan.secrets.values());
    plan.loaded = match (&arguments.plan.state, &plan.state) {
        (Some(file), _) => Some(state_file::read(file, "--state")?),
        (None, Some(file)) => Some(state_file::read(file, "state")?),
        (None, None) => None,
    };
    let project = ignore_rules(&current_folder())?;
    print::settings(settings_file(&current_folder())?.as_deref());
    for job in &mut plan.jobs {
        job.rules.0.extend(project.0.iter().cloned());
    }
    let queue = chosen(&plan, &arguments.plan.only)?;
    let plan = Arc::new(plan);
    let files = match arguments.store.choice()? {
        Some(choice) => BaselineFiles::in_database(&plan, PageDatabase::new(choice.pages().await?)),
        None => BaselineFiles::of(&plan),
    };
    let options = RunOptions {
        jobs: usize::from(arguments.jobs.max(1)),
        update: arguments.update,
        may_save: !is_ci(),
        pictures: arguments.reports.report.is_some(),
        headed: arguments.headed,
        grid: arguments.grid.addresses()?,
        grid_patience: Duration::ZERO,
    };
    let (began, begun) = (timestamp(), Instant::now());
    let (outcomes, accepted) = run::run(plan.clone(), files.clone(), queue, options).await;
    let mut checked = CheckResult {
        subject: arguments.plan.file.display().to_string(),
        began,
        took: begun.elapsed(),
        fail_on: plan.fail_on,
        outcomes,
    };
    show(&arguments, &checked);
    let unwritten = accept::write(accepted, &files, &plan, &mut checked.outcomes);
    for at in unwritten {
        print::note(&text::undone(&checked.outcomes[at]));
    }
    // With --browser, files of the other browsers are not unused.
    let orphans = if arguments.plan.browser.is_empty() { files.orphans(&plan) } else { Vec::new() };
    let orphans: Vec<String> = orphans.iter().map(|path| path.display().to_string()).collect();
    tell(&arguments, &plan, &checked, &orphans)?;
    Ok(ExitCode::from(checked.ending() as u8))
}

/// Prints the result of each page before any baseline is replaced. JSON is printed last, so the
/// accepted changes go to standard error here.
fn show(arguments: &CheckArguments, checked: &CheckResult) {
    match arguments.output.output {
        Output::Text => print::checked(&text::pages(checked, |_| true)),
        Output::Json => {
            let accepted =
                text::pages(checked, |outcome| matches!(outcome.verdict, Verdict::Updated(_)));
            if !accepted.is_empty() {
                print::note(accepted.trim_end());
            }
        }
    }
}

/// Prints and writes the result in every requested form.
fn tell(
    arguments: &CheckArguments,
    plan: &Plan,
    checked: &CheckResult,
    orphans: &[String],
) -> anyhow::Result<()> {
    match arguments.output.output {
        Output::Json => print::json(&json::result(checked, orphans), Output::Json),
        Output::Text => print::checked(&text::total(checked, arguments.update)),
    }
    if checked.count("saved") > 0 && arguments.output.output == Output::Text {
        match &arguments.store.store {
            Some(_) => print::note("the baselines are in the database of --store"),
            None => {
                let folder = plan.folder();
                print::note(&format!("the baselines are in {}; commit them", folder.display()));
            }
        }
    }
    if !orphans.is_empty() && arguments.output.output == Output::Text {
        let named = words::first(orphans.to_vec(), MOST_ORPHANS).join(", ");
        print::note(&format!("no page uses {named}; delete the files that are no longer needed"));
    }
    if let Some(file) = &arguments.reports.report {
        write(file, &html::html(checked))?;
        print::note(&format!("wrote {}", file.display()));
    }
    if let Some(file) = &arguments.reports.junit {
        write(file, &junit::xml(checked)?)?;
    }
    if stop_commands::on_github() {
        let lines = github::annotations(checked, &checked.subject, |name| plan.line_of(name));
        print::github_commands(&lines, arguments.output.output);
        if let Some(file) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|file| !file.is_empty())
        {
            append(Path::new(&file), &github::summary(checked))?;
        }
    }
    Ok(())
}

fn append(file: &Path, text: &str) -> anyhow::Result<()> {
    use std::io::Write;
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(file);
    opened
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", file.display()))
}
