//! `pagesight check merge`: makes one result of the runs of all shards. A missing or repeated shard
//! is an error, because its pages would look as if they were removed or fine.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};

use crate::cli::check_arguments::{MergeArguments, Shard};
use crate::cli::options::Output;
use crate::cli::print;
use crate::commands::check::outputs;
use crate::commands::check::record::PageFiles;
use crate::commands::check::runs::{RunHeader, RunWriter, StoredRun};
use crate::report::result::{CheckResult, Outcome};

/// Merges runs and returns the exit code of the whole check.
pub(crate) fn run(arguments: &MergeArguments, output: Output) -> anyhow::Result<ExitCode> {
    let mut runs = Vec::new();
    for folder in &arguments.folders {
        runs.push(StoredRun::open(folder).map_err(anyhow::Error::msg)?);
    }
    let (runs, replaced) = complete(runs).map_err(anyhow::Error::msg)?;
    replaced.iter().for_each(|note| print::note(note));
    let writer = RunWriter::begin(&arguments.run).map_err(anyhow::Error::msg)?;
    let with_pictures = arguments.reports.report.is_some();
    let mut outcomes: Vec<(usize, Outcome)> = Vec::new();
    for run in &runs {
        for record in run.records().map_err(anyhow::Error::msg)? {
            let files = run.files(&record).map_err(anyhow::Error::msg)?;
            writer.add(&record, &files);
            let files = if with_pictures { files } else { PageFiles::default() };
            outcomes.push((record.job, record.outcome(files)));
        }
    }
    outcomes.sort_by_key(|(job, _)| *job);
    let header = merged(&runs)?;
    let is_whole = outcomes.windows(2).all(|pair| pair[0].0 != pair[1].0);
    if !is_whole || outcomes.len() != header.jobs {
        bail!("the shards have {} of {} results; run the check again", outcomes.len(), header.jobs);
    }
    let checked = CheckResult {
        subject: header.file.clone(),
        began: header.began.clone(),
        took: Duration::from_millis(header.took_ms),
        fail_on: header.fail_on,
        outcomes: outcomes.into_iter().map(|(_, outcome)| outcome).collect(),
    };
    writer.complete(&header).map_err(anyhow::Error::msg)?;
    let way = outputs::way_of(&arguments.run, header.in_database);
    outputs::show(output, &checked);
    outputs::total(output, &checked, &[], &way);
    outputs::files(&arguments.reports, &checked, &way)?;
    outputs::step_summary(&checked)?;
    Ok(ExitCode::from(checked.ending() as u8))
}

/// Returns one run for each shard, in order, and notes on tries that were replaced. An error is a
/// sentence.
fn complete(runs: Vec<StoredRun>) -> Result<(Vec<StoredRun>, Vec<String>), String> {
    let (mut shards, mut notes): (BTreeMap<u32, StoredRun>, Vec<String>) = Default::default();
    let mut first: Option<RunHeader> = None;
    for run in runs {
        let Some(shard) = run.header.shard() else {
            return Err(format!("{} is not a shard; merge runs of --shard", shown(&run.folder)));
        };
        let known = first.get_or_insert_with(|| run.header.clone());
        is_same_check(known, &run, shard)?;
        match shards.remove(&shard.index) {
            None => drop(shards.insert(shard.index, run)),
            Some(other) => {
                let (old, new) = in_order(other, run, shard)?;
                notes.push(format!(
                    "shard {shard}: {} is a retry and replaces {}",
                    shown(&new.folder),
                    shown(&old.folder)
                ));
                shards.insert(shard.index, new);
            }
        }
    }
    let of = first.and_then(|header| header.shard).map_or(0, |(_, of)| of);
    let missing: Vec<String> = (1..=of)
        .filter(|index| !shards.contains_key(index))
        .take(20)
        .map(|index| format!("{index}/{of}"))
        .collect();
    match missing.as_slice() {
        [] => Ok((shards.into_values().collect(), notes)),
        [one] => Err(format!("shard {one} is missing; run it again and give its folder")),
        many => Err(format!("the shards {} are missing; run them again", many.join(", "))),
    }
}

/// Checks that a shard belongs to the same check as the first one.
fn is_same_check(first: &RunHeader, run: &StoredRun, shard: Shard) -> Result<(), String> {
    let (header, folder) = (&run.header, shown(&run.folder));
    let of = first.shard.map_or(0, |(_, of)| of);
    if shard.of != of {
        return Err(format!(
            "{folder} is shard {shard}, but the first folder is one of {of} shards"
        ));
    }
    if header.identity.run != first.identity.run {
        return Err(format!(
            "{folder} (shard {shard}) is of a different run; give the folders of one run"
        ));
    }
    if header.plan != first.plan || header.file != first.file || header.jobs != first.jobs {
        return Err(format!(
            "{folder} (shard {shard}) has a different list of pages; all shards need the same pages.toml and sources"
        ));
    }
    if header.in_database != first.in_database {
        return Err(format!(
            "{folder} (shard {shard}) differs in --store; all shards need the same baselines"
        ));
    }
    Ok(())
}

/// Orders two runs of one shard by their attempts.
fn in_order(
    one: StoredRun,
    other: StoredRun,
    shard: Shard,
) -> Result<(StoredRun, StoredRun), String> {
    let attempt =
        |run: &StoredRun| run.header.identity.run.as_ref().and(run.header.identity.attempt);
    match (attempt(&one), attempt(&other)) {
        (Some(a), Some(b)) if a < b => Ok((one, other)),
        (Some(a), Some(b)) if a > b => Ok((other, one)),
        _ => Err(format!(
            "shard {shard} is there twice, in {} and {}; give one of them (only a later attempt of the same run replaces its first try)",
            shown(&one.folder),
            shown(&other.folder)
        )),
    }
}

/// Returns the header of the merged run.
fn merged(runs: &[StoredRun]) -> anyhow::Result<RunHeader> {
    let headers = || runs.iter().map(|run| &run.header);
    let first = headers().next().context("there is no run to merge")?;
    Ok(RunHeader {
        began: headers().map(|header| header.began.clone()).min().unwrap_or_default(),
        took_ms: headers().map(|header| header.took_ms).max().unwrap_or_default(),
        checked: headers().map(|header| header.checked).sum(),
        shard: None,
        ..first.clone()
    })
}

fn shown(folder: &Path) -> String {
    folder.display().to_string()
}

#[cfg(test)]
mod tests;
