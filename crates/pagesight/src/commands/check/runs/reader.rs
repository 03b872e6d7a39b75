//! Reads a run folder. Its content may come from a different machine, so nothing in it is trusted:
//! sizes are bounded, and names of files come from numbers.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::header::{FILES, HEADER, RECORDS, RunHeader, VERSION_KEY};
use crate::commands::check::record::{PageFiles, PageRecord, RECORD_VERSION};

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

#[derive(Debug)]
pub(crate) struct StoredRun {
    pub(crate) folder: PathBuf,
    pub(crate) header: RunHeader,
}

impl StoredRun {
    /// Opens a run folder. An error is a sentence.
    pub(crate) fn open(folder: &Path) -> Result<StoredRun, String> {
        let shown = folder.display();
        match state(folder) {
            FolderState::Free => {
                return Err(format!("there is no run in {shown}; pagesight check stores one"));
            }
            FolderState::Foreign => {
                return Err(format!("{shown} is not the folder of a complete run"));
            }
            FolderState::Newer(version) => {
                return Err(format!(
                    "{shown} was written by a newer pagesight (version {version}); use that version"
                ));
            }
            FolderState::Run => {}
        }
        let damaged = |why: String| format!("the run in {shown} is damaged: {why}");
        let text = bounded(&folder.join(HEADER), MOST_HEADER).map_err(damaged)?;
        let header: RunHeader =
            serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        Ok(StoredRun { folder: folder.to_owned(), header })
    }

    /// Reads the records in the order of the plan. The last record of a job counts. An error is a
    /// sentence.
    pub(crate) fn records(&self) -> Result<Vec<PageRecord>, String> {
        let damaged =
            |why: String| format!("the run in {} is damaged: {why}", self.folder.display());
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

    /// Reads the files of a page. An error is a sentence.
    pub(crate) fn files(&self, record: &PageRecord) -> Result<PageFiles, String> {
        let read = |ending: &str| -> Result<Option<Vec<u8>>, String> {
            let path = self.folder.join(FILES).join(format!("{}.{ending}", record.job));
            match bounded(&path, MOST_FILE) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(_) if !path.exists() => Ok(None),
                Err(why) => Err(format!("{} cannot be read: {why}", path.display())),
            }
        };
        let wanted = |is_there: bool, ending: &str| if is_there { read(ending) } else { Ok(None) };
        let baseline = wanted(record.baseline.is_some(), "json")?.map(String::from_utf8);
        let baseline = baseline.transpose();
        let baseline = baseline.map_err(|_| "a stored baseline is not UTF-8".to_owned())?;
        let before = wanted(record.before.is_some(), "before.png")?;
        let after = wanted(record.after.is_some() || record.keeps_picture, "png")?;
        Ok(PageFiles { baseline, before, after })
    }
}

fn bounded(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    match bytes.len() as u64 > most {
        true => Err(format!("it is larger than {} MiB", most >> 20)),
        false => Ok(bytes),
    }
}
