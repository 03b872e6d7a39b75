//! Prints and writes the result of a check, or of a merged one, in every requested form.

use std::path::Path;

use anyhow::Context;
use pagesight_check::report::comment::AcceptWay;
use pagesight_check::report::{comment, github, html, json, junit, text, words};
use pagesight_check::result::{CheckResult, Verdict};
use pagesight_session::private_files;

use crate::cli::check_arguments::ReportArguments;
use crate::cli::options::Output;
use crate::cli::{print, stop_commands};

/// How many unused files are named.
const MOST_UNUSED: usize = 5;

/// Prints the result of each page before any baseline is replaced. JSON is printed last, so the
/// accepted changes go to standard error here.
pub(crate) fn show(output: Output, checked: &CheckResult) {
    match output {
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

/// Prints the total, and the files that no page uses.
pub(crate) fn total(output: Output, checked: &CheckResult, unused: &[String], way: &AcceptWay) {
    match output {
        Output::Json => print::json(&json::result(checked, unused), Output::Json),
        Output::Text => {
            print::checked(&text::total(checked, &way.command));
            if !unused.is_empty() {
                let named = words::first(unused.to_vec(), MOST_UNUSED).join(", ");
                print::note(&format!(
                    "no page uses {named}; delete the files that are no longer needed"
                ));
            }
        }
    }
}

/// Writes the files that were asked for.
pub(crate) fn files(
    reports: &ReportArguments,
    checked: &CheckResult,
    way: &AcceptWay,
) -> anyhow::Result<()> {
    if let Some(file) = &reports.report {
        write(file, &html::html(checked))?;
        print::note(&format!("wrote {}", file.display()));
        if reports.open {
            open(file).with_context(|| format!("--open: cannot open {}", file.display()))?;
        }
    }
    if let Some(file) = &reports.junit {
        write(file, &junit::xml(checked)?)?;
    }
    if let Some(file) = &reports.comment {
        write(file, &comment::markdown(checked, way))?;
    }
    Ok(())
}

/// Adds the summary of the job, on GitHub.
pub(crate) fn step_summary(checked: &CheckResult) -> anyhow::Result<()> {
    if !stop_commands::on_github() {
        return Ok(());
    }
    match std::env::var_os("GITHUB_STEP_SUMMARY").filter(|file| !file.is_empty()) {
        Some(file) => append(Path::new(&file), &github::summary(checked)),
        None => Ok(()),
    }
}

/// Returns how a run in this folder is accepted. The address of a database is not printed, because
/// comments may be public.
pub(crate) fn way_of(folder: &Path, in_database: bool) -> AcceptWay {
    let folder = match folder == Path::new(crate::cli::check_arguments::RUN_FOLDER) {
        true => String::new(),
        false => format!(" {}", quoted(&folder.display().to_string())),
    };
    let command = format!("pagesight check accept{folder}");
    let mut way = AcceptWay::of(command, &|name| std::env::var(name).ok());
    if in_database {
        way.command.push_str(" --store URL");
    }
    way
}

/// Quotes an argument for a shell, if that is needed.
fn quoted(text: &str) -> String {
    let fine = |c: char| c.is_ascii_alphanumeric() || "._-/+:@%".contains(c);
    match text.chars().all(fine) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// Opens a file with the program that the desktop has for it.
fn open(file: &Path) -> anyhow::Result<()> {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = std::process::Command::new(program);
    command.args(first).arg(file).stdin(std::process::Stdio::null());
    let status = command.stdout(std::process::Stdio::null()).status();
    let status = status.with_context(|| format!("{program} cannot be run"))?;
    anyhow::ensure!(status.success(), "{program} ended with {status}");
    Ok(())
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    private_files::replace(file, text.as_bytes())
        .with_context(|| format!("cannot write {}", file.display()))
}

fn append(file: &Path, text: &str) -> anyhow::Result<()> {
    use std::io::Write;
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(file);
    opened
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", file.display()))
}
