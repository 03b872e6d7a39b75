//! Makes one result of the runs of all shards. A missing or repeated shard is an error, because its
//! pages would look as if they were removed or fine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::plan::shard::Shard;
use crate::result::error::RunError;
use crate::result::folder::{RunHeader, RunWriter, StoredRun};
use crate::result::record::PageFiles;
use crate::result::{CheckResult, Outcome};

/// The runs of all shards as one.
#[derive(Debug)]
pub struct MergedRun {
    /// The result.
    pub result: CheckResult,
    /// The facts about the merged run.
    pub header: RunHeader,
    /// Notes on tries that were replaced.
    pub notes: Vec<String>,
}

/// Merges the runs in these folders, and stores the merged run. Pictures stay in the result only
/// if they are wanted.
pub fn merge(
    folders: &[PathBuf],
    target: &Path,
    pictures: MergedPictures,
) -> Result<MergedRun, RunError> {
    let runs = folders.iter().map(|folder| StoredRun::open(folder));
    let (runs, notes) = complete(runs.collect::<Result<_, _>>()?)?;
    let writer = RunWriter::begin(target)?;
    let mut outcomes: Vec<(usize, Outcome)> = Vec::new();
    for run in &runs {
        for record in run.records()? {
            let mut files = run.files(&record)?;
            writer.add(&record, &files);
            if pictures == MergedPictures::LeftOut {
                files = PageFiles::default();
            }
            outcomes.push((record.job, record.outcome(files)));
        }
    }
    outcomes.sort_by_key(|(job, _)| *job);
    let header = merged(&runs)?;
    let is_whole = outcomes.windows(2).all(|pair| pair[0].0 != pair[1].0);
    if !is_whole || outcomes.len() != header.jobs {
        return Err(RunError::Incomplete { found: outcomes.len(), wanted: header.jobs });
    }
    let result = CheckResult {
        subject: header.file.clone(),
        began: header.began.clone(),
        took: Duration::from_millis(header.took_ms),
        fail_on: header.fail_on,
        outcomes: outcomes.into_iter().map(|(_, outcome)| outcome).collect(),
    };
    writer.complete(&header)?;
    Ok(MergedRun { result, header, notes })
}

/// Whether a merged result has pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergedPictures {
    /// For a report.
    Kept,
    /// They stay on disk only.
    LeftOut,
}

/// Returns one run for each shard, in order, and notes on tries that were replaced.
fn complete(runs: Vec<StoredRun>) -> Result<(Vec<StoredRun>, Vec<String>), RunError> {
    let (mut shards, mut notes): (BTreeMap<u32, StoredRun>, Vec<String>) = Default::default();
    let mut first: Option<RunHeader> = None;
    for run in runs {
        let Some(shard) = run.header.shard() else {
            return Err(RunError::NotAShard { folder: shown(&run.folder) });
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
    match missing.is_empty() {
        true => Ok((shards.into_values().collect(), notes)),
        false => Err(RunError::Missing(missing)),
    }
}

/// Checks that a shard belongs to the same check as the first one.
fn is_same_check(first: &RunHeader, run: &StoredRun, shard: Shard) -> Result<(), RunError> {
    let (header, folder) = (&run.header, shown(&run.folder));
    let (of, shard_text) = (first.shard.map_or(0, |(_, of)| of), shard.to_string());
    if shard.of != of {
        return Err(RunError::OtherCount { folder, shard: shard_text, of });
    }
    let shard = shard_text;
    if header.identity.run != first.identity.run {
        return Err(RunError::OtherRun { folder, shard });
    }
    if header.plan != first.plan || header.file != first.file || header.jobs != first.jobs {
        return Err(RunError::OtherPages { folder, shard });
    }
    if header.in_database != first.in_database {
        return Err(RunError::OtherStore { folder, shard });
    }
    Ok(())
}

/// Orders two runs of one shard by their attempts.
fn in_order(
    one: StoredRun,
    other: StoredRun,
    shard: Shard,
) -> Result<(StoredRun, StoredRun), RunError> {
    let attempt =
        |run: &StoredRun| run.header.identity.run.as_ref().and(run.header.identity.attempt);
    match (attempt(&one), attempt(&other)) {
        (Some(a), Some(b)) if a < b => Ok((one, other)),
        (Some(a), Some(b)) if a > b => Ok((other, one)),
        _ => Err(RunError::Twice {
            shard: shard.to_string(),
            one: shown(&one.folder),
            other: shown(&other.folder),
        }),
    }
}

/// Returns the header of the merged run.
fn merged(runs: &[StoredRun]) -> Result<RunHeader, RunError> {
    let headers = || runs.iter().map(|run| &run.header);
    let first = headers().next().ok_or(RunError::NothingToMerge)?;
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
