//! `pagesight check accept`: makes the pages of a stored run the new baselines, without visiting
//! them again.

use std::collections::HashSet;
use std::path::{Component, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use pagesight_check::baseline::PageBaselines;
use pagesight_check::plan::baseline_folder;
use pagesight_check::report::words::count;
use pagesight_check::result::accept::{AcceptRequest, Acceptance, accept, accept_change};
use pagesight_check::result::folder::StoredRun;
use pagesight_check::result::record::PageRecord;
use pagesight_check::result::{Verdict, title};
use pagesight_core::compare::worded;
use serde_json::json;

use super::page_store::database;
use crate::cli::check_arguments::AcceptArguments;
use crate::cli::options::Output;
use crate::cli::store_arguments::StoreArguments;
use crate::cli::{exit, print};

/// The outcomes for a page, each with its word.
const WORDS: [(Acceptance, &str); 4] = [
    (Acceptance::Accepted, "accepted"),
    (Acceptance::Already, "already accepted"),
    (Acceptance::Conflict, "not accepted"),
    (Acceptance::LeftOut, "left out"),
];

/// Accepts a run and returns the exit code.
pub(crate) async fn run(
    arguments: &AcceptArguments,
    store: &StoreArguments,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let has_store = store.choice()?.is_some();
    let stored = StoredRun::open(&arguments.folder)?;
    match (stored.header.in_database, has_store) {
        (true, false) => bail!("the baselines of this run are in a database; give it with --store"),
        (false, true) => {
            bail!("the baselines of this run are files, not in a database; leave --store out")
        }
        (true, true) if arguments.file.is_some() => {
            bail!("--file has no use with --store; leave it out")
        }
        _ => {}
    }
    let baselines = match database(store).await? {
        Some(baselines) => baselines,
        None => PageBaselines::in_folder(&baseline_folder(&pages_file(arguments, &stored)?)),
    };
    if let Some((shard, of)) = stored.header.shard {
        print::note(&format!("this run is shard {shard}/{of}; pagesight check merge joins shards"));
    }
    if let Some(number) = arguments.change {
        let [name] = arguments.only.as_slice() else {
            bail!("--change: give one page with --only");
        };
        let done = accept_change(&stored, &baselines, name, number as usize)?;
        let has_conflict = done.1 == Acceptance::Conflict;
        show(&[done], output);
        return Ok(if has_conflict { ExitCode::from(exit::CHANGED) } else { ExitCode::SUCCESS });
    }
    let chosen = match arguments.interactive {
        true => Some(choose(&stored, arguments)?),
        false => None,
    };
    let (only, types) = (arguments.only.clone(), arguments.types.clone());
    let request = AcceptRequest { only, types, chosen };
    let done = accept(&stored, &baselines, &request)?;
    done.errors.iter().for_each(|error| print::error(&error.to_string()));
    done.notes.iter().for_each(|note| print::note(note));
    let has_failed = !done.errors.is_empty();
    if !done.pages.is_empty() || !has_failed {
        show(&done.pages, output);
    }
    let has_conflict = done.pages.iter().any(|(_, accepted)| *accepted == Acceptance::Conflict);
    Ok(match (has_failed, has_conflict) {
        (true, _) => ExitCode::from(exit::FAILED),
        (false, true) => ExitCode::from(exit::CHANGED),
        (false, false) => ExitCode::SUCCESS,
    })
}

/// Asks for each page whether it is accepted. The end of the input, like `q`, accepts no more.
fn choose(stored: &StoredRun, arguments: &AcceptArguments) -> anyhow::Result<HashSet<usize>> {
    let mut chosen = HashSet::new();
    for record in stored.records()?.into_iter().filter(|record| record.baseline.is_some()) {
        if !arguments.only.is_empty() && !arguments.only.contains(&record.name) {
            continue;
        }
        let (browser, size) = (record.browser.id(), record.viewport);
        let mut lines = title(&record.name, browser, size, &record.emulation, &record.scope);
        for worded in worded(record.changes().iter().enumerate()) {
            let severity = worded.first().severity.as_str();
            lines.push_str(&format!("\n  {severity:<8} {}", worded.sentence));
        }
        if matches!(record.verdict, Verdict::NoBaseline) {
            lines.push_str("\n  it has no baseline yet");
        }
        match print::choose(&lines, "accept this page? [y/n/q] ")? {
            Some('y') => {
                chosen.insert(record.job);
            }
            Some('n') => {}
            _ => break,
        }
    }
    Ok(chosen)
}

/// Returns the file that lists the pages. A run from a different machine must not choose a folder
/// outside this one.
fn pages_file(arguments: &AcceptArguments, stored: &StoredRun) -> anyhow::Result<PathBuf> {
    let given = arguments.file.clone();
    let file = given.clone().unwrap_or_else(|| PathBuf::from(&stored.header.file));
    let inside =
        file.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if given.is_none() && !inside {
        bail!(
            "the run is of {}, which is outside this folder; give it with --file",
            file.display()
        );
    }
    let is_file = std::fs::metadata(&file).is_ok_and(|data| data.is_file());
    is_file.then_some(()).with_context(|| {
        format!(
            "there is no {} here; change to the folder of the check, or give it with --file",
            file.display()
        )
    })?;
    if given.is_none()
        && let Some(place) = leads_out(&[file.clone(), baseline_folder(&file)])
    {
        bail!("{} leads out of this folder by a link; give --file", place.display());
    }
    Ok(file)
}

/// Returns the first of these places that a link takes out of the current folder.
fn leads_out(places: &[PathBuf]) -> Option<&PathBuf> {
    let here = std::fs::canonicalize(".").ok()?;
    let real = |place: &&PathBuf| std::fs::canonicalize(place).ok();
    places.iter().find(|place| real(place).is_some_and(|real| !real.starts_with(&here)))
}

/// Prints what was done.
fn show(done: &[(PageRecord, Acceptance)], output: Output) {
    let title = |record: &PageRecord| {
        let PageRecord { name, browser, viewport, emulation, scope, .. } = record;
        title(name, browser.id(), *viewport, emulation, scope)
    };
    let of = |wanted: Acceptance| done.iter().filter(move |(_, accepted)| *accepted == wanted);
    if output == Output::Json {
        let list = |wanted| {
            of(wanted)
                .map(|(record, _)| {
                    json!({
                        "name": record.name,
                        "browser": record.browser.id(),
                        "viewport": record.viewport,
                        "scope": if record.scope.is_empty() { "full" } else { &record.scope },
                    })
                })
                .collect::<Vec<_>>()
        };
        let value = json!({
            "accepted": list(Acceptance::Accepted),
            "already_accepted": list(Acceptance::Already),
            "not_accepted": list(Acceptance::Conflict),
            "left_out": list(Acceptance::LeftOut),
        });
        return print::json(&value, Output::Json);
    }
    let mut text = String::new();
    for (record, accepted) in done {
        let new = if matches!(record.verdict, Verdict::NoBaseline) { "  new" } else { "" };
        match accepted {
            Acceptance::Accepted => text.push_str(&format!("accepted   {}{new}\n", title(record))),
            Acceptance::Conflict => text.push_str(&format!(
                "not accepted  {}\n  its baseline changed since the run and was not overwritten; check the page again\n",
                title(record)
            )),
            Acceptance::Already | Acceptance::LeftOut => {}
        }
    }
    let parts = WORDS.map(|(wanted, word)| (of(wanted).count(), word));
    let parts: Vec<String> = parts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    match parts.is_empty() {
        true => text.push_str("the run has nothing to accept\n"),
        false => text.push_str(&format!("{}: {}\n", count(done.len(), "page"), parts.join(", "))),
    }
    print::checked(&text);
}
