//! `pagesight check accept`: writes the new baselines of a stored run, without visiting the pages
//! again. A baseline that changed since the run stays as it is.

use std::collections::HashSet;
use std::path::{Component, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use pagesight_session::baseline::{Name, PageKey};
use serde_json::json;

use super::files::{BaselineFiles, PageDatabase};
use super::record::{PageFiles, PageRecord, digest};
use super::runs::StoredRun;
use super::{form, picture};
use crate::cli::check_arguments::AcceptArguments;
use crate::cli::options::Output;
use crate::cli::store_arguments::StoreArguments;
use crate::cli::{exit, print};
use crate::report::result::{Verdict, title};
use crate::report::words::count;

/// The outcome for the baseline of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Acceptance {
    Accepted,
    /// The baseline is as the run saw the page.
    Already,
    /// It changed since the run and stays as it is.
    Conflict,
    /// `--type` leaves it out.
    OtherType,
}

impl Acceptance {
    const ALL: [Acceptance; 4] =
        [Acceptance::Accepted, Acceptance::Already, Acceptance::Conflict, Acceptance::OtherType];

    fn word(self) -> &'static str {
        match self {
            Acceptance::Accepted => "accepted",
            Acceptance::Already => "already accepted",
            Acceptance::Conflict => "not accepted",
            Acceptance::OtherType => "left out",
        }
    }
}

/// Accepts a run and returns the exit code.
pub(crate) async fn run(
    arguments: &AcceptArguments,
    store: &StoreArguments,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let choice = store.choice()?;
    let stored = StoredRun::open(&arguments.folder).map_err(anyhow::Error::msg)?;
    match (stored.header.in_database, &choice) {
        (true, None) => bail!("the baselines of this run are in a database; give it with --store"),
        (false, Some(_)) => {
            bail!("the baselines of this run are files, not in a database; leave --store out")
        }
        _ => {}
    }
    let baselines = match choice {
        None => BaselineFiles::of_file(&pages_file(arguments, &stored)?),
        Some(_) if arguments.file.is_some() => {
            bail!("--file has no use with --store; leave it out")
        }
        Some(choice) => BaselineFiles::in_database(PageDatabase::new(choice.pages().await?)),
    };
    let records = stored.records().map_err(anyhow::Error::msg)?;
    let names: HashSet<&str> = records.iter().map(|record| record.name.as_str()).collect();
    if let Some(unknown) = arguments.only.iter().find(|name| !names.contains(name.as_str())) {
        bail!("the run in {} has no page named {unknown:?}", arguments.folder.display());
    }
    if let Some((shard, of)) = stored.header.shard {
        print::note(&format!("this run is shard {shard}/{of}; pagesight check merge joins shards"));
    }
    let (mut done, mut has_failed): (Vec<(&PageRecord, Acceptance)>, bool) = Default::default();
    for record in records.iter().filter(|record| record.baseline.is_some()) {
        if !arguments.only.is_empty() && !arguments.only.contains(&record.name) {
            continue;
        }
        let accepted = match is_of_types(record, arguments) {
            false => Ok(Acceptance::OtherType),
            true => accept(record, &stored, &baselines),
        };
        match accepted {
            Ok(accepted) => done.push((record, accepted)),
            // What is written already is still listed.
            Err(why) => {
                print::error(&why);
                has_failed = true;
            }
        }
    }
    if !done.is_empty() || !has_failed {
        show(&done, output);
    }
    let has_conflict = done.iter().any(|(_, accepted)| *accepted == Acceptance::Conflict);
    Ok(match (has_failed, has_conflict) {
        (true, _) => ExitCode::from(exit::FAILED),
        (false, true) => ExitCode::from(exit::CHANGED),
        (false, false) => ExitCode::SUCCESS,
    })
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
    Ok(file)
}

/// Whether `--type` leaves this page in.
fn is_of_types(record: &PageRecord, arguments: &AcceptArguments) -> bool {
    let changes = record.changes();
    arguments.types.is_empty()
        || (!changes.is_empty() && changes.iter().all(|it| arguments.types.contains(&it.kind)))
}

/// Writes the baseline of one page, unless it changed since the run. An error is a sentence.
fn accept(
    record: &PageRecord,
    stored: &StoredRun,
    baselines: &BaselineFiles,
) -> Result<Acceptance, String> {
    let name = &record.name;
    let damaged =
        |why: &str| format!("the run in {} is damaged: {name:?} {why}", stored.folder.display());
    Name::parse(name).map_err(|_| damaged("is not a valid name"))?;
    let PageFiles { baseline, after, .. } = stored.files(record)?;
    let baseline = baseline.ok_or_else(|| damaged("has no baseline"))?;
    let changed = || damaged("has a baseline that was changed");
    if record.baseline.as_deref() != Some(&*digest(&baseline)) {
        return Err(changed());
    }
    let fingerprint = form::read(&baseline).map_err(|_| changed())?;
    let after = after.filter(|_| record.keeps_picture);
    if after.as_ref().is_some_and(|png| !picture::is_png(png)) {
        return Err(damaged("has a picture that is not a PNG file"));
    }
    let key = PageKey {
        name: name.clone(),
        browser: record.browser.id().to_owned(),
        width: record.viewport.width,
        height: record.viewport.height,
        scope: record.scope.clone(),
    };
    let now = baselines.text(&key)?.map(|text| digest(&text));
    if now == record.baseline {
        return Ok(Acceptance::Already);
    }
    if now != record.base {
        return Ok(Acceptance::Conflict);
    }
    baselines.write_text(&key, &baseline, &fingerprint, after.as_deref())?;
    Ok(Acceptance::Accepted)
}

/// Prints what was done.
fn show(done: &[(&PageRecord, Acceptance)], output: Output) {
    let title = |record: &PageRecord| {
        title(&record.name, record.browser.id(), record.viewport, &record.scope)
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
            "left_out": list(Acceptance::OtherType),
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
            Acceptance::Already | Acceptance::OtherType => {}
        }
    }
    let parts = Acceptance::ALL.map(|wanted| (of(wanted).count(), wanted.word()));
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
