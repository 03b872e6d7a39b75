//! Reads a run folder. Its content may come from a different machine, so nothing in it is trusted:
//! sizes are bounded, and names of files come from numbers.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::header::{FILES, HEADER, RECORDS, RunHeader, VERSION_KEY};
use crate::result::error::RunError;
use crate::result::record::{PageFiles, PageRecord, RECORD_VERSION};

/// The most bytes of a header.
const MOST_HEADER: u64 = 1 << 20;
/// The most bytes of one record.
const MOST_RECORD: u64 = 64 << 20;
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
    let text = bounded(&folder.join(HEADER), MOST_HEADER).ok()?;
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
        match state(folder) {
            FolderState::Free => return Err(RunError::NoRun { folder: shown() }),
            FolderState::Foreign => return Err(RunError::NotComplete { folder: shown() }),
            FolderState::Newer(version) => {
                return Err(RunError::Newer { folder: shown(), version });
            }
            FolderState::Run => {}
        }
        let text = bounded(&folder.join(HEADER), MOST_HEADER);
        let text = text.map_err(|why| RunError::damaged(folder, why))?;
        let header: RunHeader =
            serde_json::from_slice(&text).map_err(|error| RunError::damaged(folder, error))?;
        Ok(StoredRun { folder: folder.to_owned(), header })
    }

    /// Reads the records in the order of the plan. The last record of a job counts.
    pub fn records(&self) -> Result<Vec<PageRecord>, RunError> {
        let damaged = |why: String| RunError::damaged(&self.folder, why);
        let file = File::open(self.folder.join(RECORDS))
            .map_err(|error| damaged(format!("{RECORDS} cannot be read: {error}")))?;
        let mut reader = BufReader::new(file);
        let mut records: Vec<PageRecord> = Vec::new();
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = reader.by_ref().take(MOST_RECORD).read_until(b'\n', &mut line);
            if read.map_err(|error| damaged(error.to_string()))? == 0 {
                break;
            }
            let number = records.len() + 1;
            let record = serde_json::from_slice(&line)
                .map_err(|error| damaged(format!("line {number} of {RECORDS}: {error}")))?;
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
            match bounded(&path, MOST_FILE) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(_) if !path.exists() => Ok(None),
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

fn bounded(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(std::io::Error::other(format!("it is larger than {} MiB", most >> 20))),
        false => Ok(bytes),
    }
}
