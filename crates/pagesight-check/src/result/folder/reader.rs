//! Reads a run folder. Its content may come from a different machine, so nothing in it is trusted:
//! sizes and counts are bounded, names of files come from numbers, and links are not followed.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::header::{FILES, HEADER, RECORDS, RunHeader, VERSION_KEY};
use super::opened::{self, FileStart};
use crate::plan::shard::Shard;
use crate::result::error::RunError;
use crate::result::record::{PageFiles, PageRecord, RECORD_VERSION};

/// The most bytes of a header.
const MOST_HEADER: u64 = 1 << 20;
/// The most bytes of one record, and of all.
const MOST_RECORD: u64 = 64 << 20;
const MOST_RECORDS: u64 = 2 << 30;
/// The most results of a run.
const MOST_RESULTS: usize = 10_000_000;
/// A record that could not be completed is followed by a different one.
const RECORDS_PER_JOB: usize = 2;
/// The most bytes of a baseline or a picture.
const MOST_FILE: u64 = 64 << 20;

/// The content of the place where a run folder belongs.
#[derive(Debug, PartialEq)]
pub(super) enum FolderState {
    /// Nothing, or an empty folder.
    Free,
    /// A run that this version reads.
    Run,
    /// A run of a newer version.
    Newer(u64),
    Foreign,
}

/// Looks at the place of a run folder.
pub(super) fn state(folder: &Path) -> FolderState {
    match std::fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => return FolderState::Free,
        Ok(false) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return FolderState::Free,
        Err(_) => return FolderState::Foreign,
    }
    match version(folder) {
        Some(version) if version > RECORD_VERSION => FolderState::Newer(version),
        Some(_) => FolderState::Run,
        None => FolderState::Foreign,
    }
}

fn version(folder: &Path) -> Option<u64> {
    let text = opened::read(&folder.join(HEADER), FileStart::Json, MOST_HEADER).ok()?;
    let header: Value = serde_json::from_slice(&text).ok()?;
    header[VERSION_KEY].as_u64()
}

/// A complete run on disk.
#[derive(Debug)]
pub struct StoredRun {
    /// Its folder.
    pub folder: PathBuf,
    /// The facts about it.
    pub header: RunHeader,
}

impl StoredRun {
    /// Opens a run folder.
    pub fn open(folder: &Path) -> Result<StoredRun, RunError> {
        let shown = || folder.display().to_string();
        // With a separator at its end, a link would be followed.
        let plain: PathBuf = folder.components().collect();
        for place in [plain, folder.join(FILES)] {
            if place.symlink_metadata().is_ok_and(|data| data.is_symlink()) {
                return Err(RunError::Link { place: place.display().to_string() });
            }
        }
        match state(folder) {
            FolderState::Free => return Err(RunError::NoRun { folder: shown() }),
            FolderState::Foreign => return Err(RunError::NotComplete { folder: shown() }),
            FolderState::Newer(version) => {
                return Err(RunError::Newer { folder: shown(), version });
            }
            FolderState::Run => {}
        }
        let text = opened::read(&folder.join(HEADER), FileStart::Json, MOST_HEADER);
        let text = text.map_err(|why| RunError::damaged(folder, why))?;
        let header: RunHeader =
            serde_json::from_slice(&text).map_err(|error| RunError::damaged(folder, error))?;
        if let Some(why) = fault(&header) {
            return Err(RunError::damaged(folder, why));
        }
        Ok(StoredRun { folder: folder.to_owned(), header })
    }

    /// Reads the records in the order of the plan. The last record of a job counts.
    pub fn records(&self) -> Result<Vec<PageRecord>, RunError> {
        let damaged = |why: String| RunError::damaged(&self.folder, why);
        let reader = opened::open(&self.folder.join(RECORDS), FileStart::Lines)
            .map_err(|error| damaged(format!("{RECORDS} cannot be read: {error}")))?;
        let mut reader = reader.take(MOST_RECORDS);
        let mut records: Vec<PageRecord> = Vec::new();
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = reader.by_ref().take(MOST_RECORD).read_until(b'\n', &mut line);
            let read = read.map_err(|error| damaged(error.to_string()))? as u64;
            if read == 0 {
                break;
            }
            let number = records.len() + 1;
            if number > self.header.checked.saturating_mul(RECORDS_PER_JOB) {
                return Err(damaged(format!("{RECORDS} has more lines than the run has results")));
            }
            if read == MOST_RECORD {
                let most = MOST_RECORD >> 20;
                return Err(damaged(format!(
                    "line {number} of {RECORDS} is longer than {most} MiB"
                )));
            }
            let record: PageRecord = serde_json::from_slice(&line)
                .map_err(|error| damaged(format!("line {number} of {RECORDS}: {error}")))?;
            if record.job >= MOST_RESULTS {
                return Err(damaged(format!("line {number} of {RECORDS}: job is out of range")));
            }
            records.push(record);
        }
        // A stable order keeps the last of equal jobs last.
        records.sort_by_key(|record| record.job);
        records.reverse();
        records.dedup_by_key(|record| record.job);
        records.reverse();
        let (found, expected) = (records.len(), self.header.checked);
        if found != expected {
            return Err(damaged(format!("it has {found} of {expected} results")));
        }
        Ok(records)
    }

    /// Reads the files of a page.
    pub fn files(&self, record: &PageRecord) -> Result<PageFiles, RunError> {
        let read = |ending: &str| -> Result<Option<Vec<u8>>, RunError> {
            let path = self.folder.join(FILES).join(format!("{}.{ending}", record.job));
            let start = match ending {
                "json" => FileStart::Json,
                _ => FileStart::Png,
            };
            match opened::read(&path, start, MOST_FILE) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(error) => {
                    let (path, reason) = (path.display().to_string(), error.to_string());
                    Err(RunError::File { path, reason })
                }
            }
        };
        let wanted = |is_there: bool, ending: &str| if is_there { read(ending) } else { Ok(None) };
        let baseline = wanted(record.baseline.is_some(), "json")?.map(String::from_utf8);
        let baseline = baseline.transpose();
        let baseline = baseline.map_err(|_| RunError::NotText)?;
        let before = wanted(record.before.is_some(), "before.png")?;
        let after = wanted(record.after.is_some() || record.keeps_picture, "png")?;
        Ok(PageFiles { baseline, before, after })
    }
}

/// Returns what cannot be true of a run.
fn fault(header: &RunHeader) -> Option<String> {
    if header.jobs > MOST_RESULTS || header.checked > header.jobs {
        return Some(format!("it has {} of {} results", header.checked, header.jobs));
    }
    let shard = header.shard()?;
    let is_shard = shard.to_string().parse::<Shard>().is_ok();
    (!is_shard).then(|| format!("shard {shard} is not a shard"))
}
