//! Makes a run folder beside its final place, and puts it there when the run is complete.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pagesight_browser::lock;
use pagesight_session::private_files;

use super::header::{FILES, HEADER, RECORDS, RunHeader};
use super::reader::{self, FolderState};
use crate::baseline::{FOLDER, ONLY_RUNS};
use crate::result::error::RunError;
use crate::result::record::{PageFiles, PageRecord};

/// The endings of folders beside the place of a run: of one that is being made, and of an earlier
/// one that is being replaced.
const UNFINISHED: &str = "tmp";
const REPLACED: &str = "old";

/// An unfinished folder that was not written to for so long was left by a killed run.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// Says why the folder does not count as the project's place for baselines.
const ONLY_RUNS_TEXT: &[u8] = b"pagesight check made this folder for its runs. Baselines of \
fingerprint --save\nare not kept here. Delete this file to keep them here.\n";

/// Keeps runs out of the repository, but not baselines.
const IGNORED: &[u8] = b"# Written by pagesight check. Baselines are not ignored: commit them.\n\
/run/\n/only-runs\n";

/// A run folder that is being made. It is removed unless it is completed.
pub struct RunWriter {
    target: PathBuf,
    folder: PathBuf,
    /// The file of records; none once it is closed.
    records: Mutex<Option<BufWriter<File>>>,
    /// Why an earlier record could not be written.
    failed: Mutex<Option<String>>,
    done: AtomicBool,
}

impl RunWriter {
    /// Begins a run that will be at `target`. A folder that is there must be a run that this
    /// version can read, or empty.
    pub fn begin(target: &Path) -> Result<RunWriter, RunError> {
        let shown = || target.display().to_string();
        match reader::state(target) {
            FolderState::Free | FolderState::Run => {}
            FolderState::Newer(version) => {
                return Err(RunError::NewerThere { folder: shown(), version });
            }
            FolderState::Foreign => return Err(RunError::ForeignThere { folder: shown() }),
        }
        let failed = |error: std::io::Error| RunError::NotStored {
            folder: shown(),
            reason: error.to_string(),
        };
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        let name = target.file_name().ok_or_else(|| RunError::NoName { folder: shown() })?;
        let makes_parent = !parent.exists();
        private_files::create_folders(parent).map_err(failed)?;
        if makes_parent && parent.file_name() == Some(OsStr::new(FOLDER)) {
            private_files::write(&parent.join(ONLY_RUNS), ONLY_RUNS_TEXT).map_err(failed)?;
        }
        let ignored = parent.join(".gitignore");
        if parent.file_name() == Some(OsStr::new(FOLDER)) && !ignored.exists() {
            private_files::write(&ignored, IGNORED).map_err(failed)?;
        }
        sweep(parent, name, target);
        let number = getrandom::u64().map_err(|error| failed(std::io::Error::other(error)))?;
        let folder = parent.join(unfinished_name(name, number));
        let made = make(&folder).inspect_err(|_| drop(std::fs::remove_dir_all(&folder)));
        let records = Mutex::new(Some(BufWriter::new(made.map_err(failed)?)));
        let target = target.to_owned();
        Ok(RunWriter {
            target,
            folder,
            records,
            failed: Mutex::default(),
            done: AtomicBool::new(false),
        })
    }

    /// Adds the result of a page. A later record of the same job replaces an earlier one. An error
    /// is kept for [`RunWriter::complete`].
    pub fn add(&self, record: &PageRecord, files: &PageFiles) {
        if let Err(error) = self.try_add(record, files) {
            let mut failed = lock(&self.failed);
            failed.get_or_insert(error.to_string());
        }
    }

    fn try_add(&self, record: &PageRecord, files: &PageFiles) -> std::io::Result<()> {
        let at = |ending: &str| self.folder.join(FILES).join(format!("{}.{ending}", record.job));
        for (ending, bytes) in [
            ("json", files.baseline.as_deref().map(str::as_bytes)),
            ("png", files.after.as_deref()),
            ("before.png", files.before.as_deref()),
        ] {
            if let Some(bytes) = bytes {
                private_files::write(&at(ending), bytes)?;
            }
        }
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let mut records = lock(&self.records);
        let records = records.as_mut().ok_or_else(|| std::io::Error::other("it is complete"))?;
        records.write_all(&line)?;
        records.flush()
    }

    /// Writes the header and puts the folder in its place, instead of an earlier run. After an
    /// error the earlier run stays.
    pub fn complete(&self, header: &RunHeader) -> Result<(), RunError> {
        let failed = lock(&self.failed).take();
        let done = match failed {
            Some(why) => Err(std::io::Error::other(why)),
            None => self.finish(header),
        };
        done.map_err(|error| RunError::NotCompleted {
            folder: self.target.display().to_string(),
            reason: error.to_string(),
        })?;
        self.done.store(true, Ordering::Release);
        Ok(())
    }

    fn finish(&self, header: &RunHeader) -> std::io::Result<()> {
        // Windows moves no folder with an open file.
        if let Some(mut records) = lock(&self.records).take() {
            records.flush()?;
            records.get_ref().sync_all()?;
        }
        let text = serde_json::to_vec_pretty(header)?;
        private_files::replace(&self.folder.join(HEADER), &text)?;
        if !self.target.exists() {
            return std::fs::rename(&self.folder, &self.target);
        }
        if exchange(&self.folder, &self.target).is_ok() {
            // The earlier run has the unfinished name now.
            let _ = std::fs::remove_dir_all(&self.folder);
            return Ok(());
        }
        let old = self.folder.with_extension(REPLACED);
        std::fs::rename(&self.target, &old)?;
        if let Err(error) = std::fs::rename(&self.folder, &self.target) {
            std::fs::rename(&old, &self.target)?;
            return Err(error);
        }
        let _ = std::fs::remove_dir_all(&old);
        Ok(())
    }
}

impl Drop for RunWriter {
    fn drop(&mut self) {
        if !*self.done.get_mut() {
            drop(lock(&self.records).take());
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// Exchanges two folders in one step, where the system can do that.
fn exchange(one: &Path, other: &Path) -> std::io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    {
        let _ = (one, other);
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

/// Makes an empty run folder, and opens its file of records.
fn make(folder: &Path) -> std::io::Result<File> {
    private_files::create_folders(&folder.join(FILES))?;
    // Runs hold page content and are not committed.
    private_files::write(&folder.join(".gitignore"), b"*\n")?;
    let records = folder.join(RECORDS);
    private_files::create(&records)?;
    std::fs::OpenOptions::new().append(true).open(records)
}

fn unfinished_name(name: &OsStr, number: u64) -> String {
    format!(".{}.{number:016x}.{UNFINISHED}", name.to_string_lossy())
}

/// Removes folders that killed runs left. An earlier run whose successor did not reach its place
/// gets it back.
fn sweep(parent: &Path, name: &OsStr, target: &Path) {
    let begin = format!(".{}.", name.to_string_lossy());
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let found = entry.file_name().to_string_lossy().into_owned();
        let Some((number, ending)) =
            found.strip_prefix(&begin).and_then(|rest| rest.split_once('.'))
        else {
            continue;
        };
        if number.len() != 16 || !number.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            continue;
        }
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if ending == REPLACED && is_folder && reader::state(&entry.path()) == FolderState::Run {
            let _ = match target.exists() {
                true => std::fs::remove_dir_all(entry.path()),
                false => std::fs::rename(entry.path(), target),
            };
        }
        let written =
            std::fs::metadata(entry.path().join(RECORDS)).and_then(|data| data.modified());
        let age = written.ok().and_then(|at| at.elapsed().ok());
        if ending == UNFINISHED && age.is_some_and(|age| age > ABANDONED) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
