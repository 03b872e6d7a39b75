//! Stores baselines as JSON files in a folder, in the form that is exported, so that they can be
//! committed. Their versions, and who saved each, are in `history/`, which git ignores:
//!
//! ```text
//! baselines/home@1280x720-5d3b4ab1.json                the current version
//!           history/home@1280x720-5d3b4ab1/12.json     a version, in the same form
//!                                          index.json  who saved which version, and when
//!                   next                               the number of the next version
//!                   lock                               locked by the process that writes
//! ```
//!
//! Every file is replaced atomically. A version is in the history before it becomes the current
//! one, so neither a killed process nor a file that git replaces loses one.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pagesight_core::fingerprint::Fingerprint;
use pagesight_session::private_files::{create_folders, replace};
use serde::{Deserialize, Serialize};

use crate::baseline::digest::digest;
use crate::baseline::exported::{file_name, file_part, read_file, write_file};
use crate::baseline::model::{BaselineError, Baselines, Fit, Listed, Name, Result, Version};
use crate::baseline::page::{PageKey, PageText, StoredPage};
use crate::baseline::page_files;
use crate::baseline::place::OLD_STORE;
use crate::baseline::stored::missing;
use crate::clock::timestamp;

/// The folder of older versions.
const HISTORY: &str = "history";
/// The file with the facts about the versions of one baseline.
const INDEX: &str = "index.json";
/// The version of that file.
const INDEX_VERSION: u32 = 1;
/// How many older versions of one baseline are kept.
const MOST_OLDER: usize = 20;
/// How long to wait for a different process that has locked the folder, and how often to try.
const PATIENCE: Duration = Duration::from_secs(15);
const PAUSE: Duration = Duration::from_millis(10);

/// A store of baselines in a folder. Nothing is created before a baseline is saved.
#[derive(Clone, Debug)]
pub struct FileBaselines {
    folder: PathBuf,
    saved_by: String,
}

/// The facts about the versions of one baseline.
#[derive(Debug, Default, Serialize, Deserialize)]
struct HistoryIndex {
    pagesight_history: u32,
    /// The version that was saved or restored last, with the digest of its file. A different digest
    /// means that something else changed the file, for example git.
    current: Option<(i64, String)>,
    versions: BTreeMap<i64, SavedVersion>,
}

/// The user who saved a version, and the time.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct SavedVersion {
    by: String,
    at: String,
}

/// A version that was read.
struct ReadVersion {
    /// Its number; 0 for a file that this store did not write.
    version: i64,
    name: Name,
    fingerprint: Fingerprint,
    text: String,
}

impl FileBaselines {
    /// Uses a folder. `saved_by` is recorded with each version.
    pub fn new(folder: &Path, saved_by: &str) -> FileBaselines {
        FileBaselines { folder: folder.to_owned(), saved_by: saved_by.to_owned() }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn file(&self, stem: &str) -> PathBuf {
        self.folder.join(format!("{stem}.json"))
    }

    fn history_of(&self, stem: &str) -> PathBuf {
        self.folder.join(HISTORY).join(stem)
    }

    /// Locks the folder for changes until the file is dropped. Creates the folder.
    fn locked(&self) -> Result<File> {
        let history = self.folder.join(HISTORY);
        let failed = |error| broken(&history, error);
        create_folders(&history).map_err(failed)?;
        let ignored = history.join(".gitignore");
        if !ignored.exists() {
            replace(&ignored, b"*\n").map_err(failed)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(history.join("lock")).map_err(failed)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(PAUSE);
                }
                Err(error) => return Err(broken(&history, error.into())),
            }
        }
    }

    /// Returns the number of the next version, and counts it. Needs the lock.
    fn next_version(&self) -> Result<i64> {
        let path = self.folder.join(HISTORY).join("next");
        let read = std::fs::read_to_string(&path).ok();
        let next = match read.and_then(|text| text.trim().parse::<i64>().ok()) {
            Some(next) if next > 0 => next,
            _ => self.highest_version()? + 1,
        };
        replace(&path, (next + 1).to_string().as_bytes()).map_err(|error| broken(&path, error))?;
        Ok(next)
    }

    /// Returns the highest number that any version has, for a history without its counter.
    fn highest_version(&self) -> Result<i64> {
        let mut highest = 0;
        // Beside the folders there are files.
        let stems = names_in(&self.folder.join(HISTORY))?.into_iter();
        for stem in stems.filter(|stem| stem.contains('@')) {
            let index = self.index(&stem)?;
            let current = index.current.map(|(version, _)| version);
            let kept = self.kept_versions(&stem)?;
            highest = kept.into_iter().chain(current).fold(highest, i64::max);
        }
        Ok(highest)
    }

    fn index(&self, stem: &str) -> Result<HistoryIndex> {
        let path = self.history_of(stem).join(INDEX);
        let Some(text) = read_text(&path)? else { return Ok(HistoryIndex::default()) };
        #[derive(Deserialize)]
        struct Versioned {
            pagesight_history: u32,
        }
        let found = serde_json::from_str::<Versioned>(&text).map(|it| it.pagesight_history);
        match found {
            Ok(found) if found > INDEX_VERSION => {
                let path = path.display().to_string();
                Err(BaselineError::Newer { path, found: found.into(), known: INDEX_VERSION.into() })
            }
            // What a damaged index said about versions is lost; the versions are not.
            _ => Ok(serde_json::from_str(&text).unwrap_or_default()),
        }
    }

    fn write_index(&self, stem: &str, mut index: HistoryIndex) -> Result<()> {
        let path = self.history_of(stem).join(INDEX);
        index.pagesight_history = INDEX_VERSION;
        let failed = |error| broken(&path, error);
        let text = serde_json::to_vec(&index).map_err(|error| failed(error.into()))?;
        replace(&path, &text).map_err(failed)
    }

    /// Returns the numbers of the versions in the history, the oldest first.
    fn kept_versions(&self, stem: &str) -> Result<Vec<i64>> {
        let names = names_in(&self.history_of(stem))?.into_iter();
        let number = |name: String| name.strip_suffix(".json")?.parse().ok();
        let mut versions: Vec<i64> = names.filter_map(number).collect();
        versions.sort_unstable();
        Ok(versions)
    }

    /// Reads the current version, if there is one.
    fn current(&self, stem: &str) -> Result<Option<ReadVersion>> {
        let path = self.file(stem);
        let Some(text) = read_text(&path)? else { return Ok(None) };
        let (name, fingerprint) = read_file(&path, &text)?;
        let saved = self.index(stem)?.current.filter(|(_, known)| *known == digest(&text));
        let version = saved.map_or(0, |(version, _)| version);
        Ok(Some(ReadVersion { version, name, fingerprint, text }))
    }

    /// Reads a version of the history, if there is one.
    fn kept(&self, stem: &str, version: i64) -> Result<Option<ReadVersion>> {
        let path = self.history_of(stem).join(format!("{version}.json"));
        let Some(text) = read_text(&path)? else { return Ok(None) };
        let (name, fingerprint) = read_file(&path, &text)?;
        Ok(Some(ReadVersion { version, name, fingerprint, text }))
    }

    /// Returns the stems of all files, or only of those that a name may have.
    fn stems(&self, folder: &Path, name: Option<&Name>) -> Result<Vec<String>> {
        let begin = name.map(|name| format!("{}@", file_part(name)));
        let mut stems = names_in(folder)?;
        stems.retain(|stem| begin.as_ref().is_none_or(|begin| stem.starts_with(begin.as_str())));
        Ok(stems)
    }

    /// Returns the current versions with their stems: all, or those of a name.
    fn all_current(&self, name: Option<&Name>) -> Result<Vec<(String, ReadVersion)>> {
        let mut found = Vec::new();
        for file in self.stems(&self.folder, name)? {
            let Some(stem) = file.strip_suffix(".json") else { continue };
            let read = self.current(stem)?;
            let read = read.filter(|read| name.is_none_or(|name| read.name == *name));
            found.extend(read.map(|read| (stem.to_owned(), read)));
        }
        found.sort_by_cached_key(|(_, read)| {
            let Fingerprint { route, viewport, scope, depth, .. } = &read.fingerprint;
            let size = (viewport.width, viewport.height);
            (read.name.as_str().to_owned(), route.clone(), size, scope.clone(), depth.as_str())
        });
        Ok(found)
    }

    /// Returns the stems of a name that have a current version or a history.
    fn known_stems(&self, name: &Name) -> Result<Vec<String>> {
        let current = self.all_current(Some(name))?;
        let mut stems: Vec<String> = current.into_iter().map(|(stem, _)| stem).collect();
        for stem in self.stems(&self.folder.join(HISTORY), Some(name))? {
            let newest = self.kept_versions(&stem)?.pop();
            let kept = newest.map(|version| self.kept(&stem, version)).transpose()?.flatten();
            if !stems.contains(&stem) && kept.is_some_and(|kept| kept.name == *name) {
                stems.push(stem);
            }
        }
        Ok(stems)
    }

    /// Returns that there is no baseline with this name, and perhaps why.
    fn missing(&self, name: &Name) -> BaselineError {
        match self.old_store() {
            Some(path) => BaselineError::OldStore { path, name: Some(name.as_str().to_owned()) },
            None => missing(self, name),
        }
    }

    /// Returns the path of the database of an earlier version, if there is one.
    fn old_store(&self) -> Option<String> {
        let old = self.folder.parent()?.join(OLD_STORE);
        old.is_file().then(|| old.display().to_string())
    }

    /// Writes a version to the history. Needs the lock.
    fn keep(&self, stem: &str, version: i64, text: &str) -> Result<()> {
        let path = self.history_of(stem).join(format!("{version}.json"));
        replace(&path, text.as_bytes()).map_err(|error| broken(&path, error))
    }

    /// Replaces the current version by a new one, or by one that is restored. Returns its number.
    /// Needs the lock.
    fn put(&self, stem: &str, text: &str, restored: Option<i64>) -> Result<i64> {
        let mut index = self.index(stem)?;
        create_folders(&self.history_of(stem)).map_err(|error| broken(&self.folder, error))?;
        // Killed processes leave unfinished files.
        for folder in [&self.folder, &self.folder.join(HISTORY), &self.history_of(stem)] {
            page_files::sweep(folder);
        }
        if let Some(foreign) = self.current(stem)?.filter(|current| current.version == 0) {
            self.keep(stem, self.next_version()?, &foreign.text)?;
        }
        let version = match restored {
            Some(version) => version,
            None => {
                let version = self.next_version()?;
                self.keep(stem, version, text)?;
                let saved = SavedVersion { by: self.saved_by.clone(), at: timestamp() };
                index.versions.insert(version, saved);
                version
            }
        };
        let path = self.file(stem);
        replace(&path, text.as_bytes()).map_err(|error| broken(&path, error))?;
        index.current = Some((version, digest(text)));
        let mut older = self.kept_versions(stem)?;
        older.retain(|older| *older != version);
        let dropped = older.len().saturating_sub(MOST_OLDER);
        for old in older.drain(..dropped) {
            let path = self.history_of(stem).join(format!("{old}.json"));
            std::fs::remove_file(&path).map_err(|error| broken(&path, error))?;
        }
        index.versions.retain(|known, _| *known == version || older.contains(known));
        self.write_index(stem, index)?;
        Ok(version)
    }
}

impl Baselines for FileBaselines {
    fn save(&self, name: &Name, fingerprint: &Fingerprint) -> Result<i64> {
        let file = file_name(name, fingerprint);
        let stem = file.strip_suffix(".json").unwrap_or(&file);
        let text = write_file(name, fingerprint)?;
        let _locked = self.locked()?;
        self.put(stem, &text, None)
    }

    fn find(&self, name: &Name, fit: Fit<'_>) -> Result<Fingerprint> {
        let rank = |(_, read): &(String, ReadVersion)| {
            let Fingerprint { route, viewport, scope, depth, captured_at, .. } = &read.fingerprint;
            (
                fit.route == Some(route),
                fit.scope.is_none_or(|wanted| wanted == scope),
                fit.depth.is_none_or(|wanted| wanted == *depth),
                fit.viewport == Some(*viewport),
                read.version,
                captured_at.clone(),
            )
        };
        let found = self.all_current(Some(name))?.into_iter().max_by_key(rank);
        found.map(|(_, read)| read.fingerprint).ok_or_else(|| self.missing(name))
    }

    fn list(&self) -> Result<Vec<Listed>> {
        let current = self.all_current(None)?;
        if let Some(path) = self.old_store().filter(|_| current.is_empty()) {
            return Err(BaselineError::OldStore { path, name: None });
        }
        let listed = |(stem, read): (String, ReadVersion)| {
            let kept = self.kept_versions(&stem)?;
            let versions = 1 + kept.iter().filter(|kept| **kept != read.version).count();
            let Fingerprint { route, viewport, scope, depth, hash, captured_at, .. } =
                read.fingerprint;
            let (name, version) = (read.name.as_str().to_owned(), read.version);
            Ok(Listed { name, route, viewport, scope, depth, hash, captured_at, version, versions })
        };
        current.into_iter().map(listed).collect()
    }

    fn all(&self) -> Result<Vec<(Name, Fingerprint)>> {
        let found = self.all_current(None)?.into_iter();
        Ok(found.map(|(_, read)| (read.name, read.fingerprint)).collect())
    }

    fn history(&self, name: &Name) -> Result<Vec<Version>> {
        let mut versions = Vec::new();
        for stem in self.known_stems(name)? {
            let saved = self.index(&stem)?.versions;
            let current = self.current(&stem)?;
            let now = current.as_ref().map(|current| current.version);
            let mut found: Vec<(ReadVersion, bool)> =
                current.into_iter().map(|read| (read, true)).collect();
            for version in self.kept_versions(&stem)? {
                if Some(version) != now {
                    found.extend(self.kept(&stem, version)?.map(|read| (read, false)));
                }
            }
            versions.extend(found.into_iter().map(|(read, current)| {
                let Fingerprint { route, viewport, hash, captured_at, .. } = read.fingerprint;
                let (version, by) = (read.version, saved.get(&read.version));
                let accepted_by = by.map(|saved| saved.by.clone());
                let saved_at = by.map(|saved| saved.at.clone());
                Version {
                    version,
                    route,
                    viewport,
                    hash,
                    captured_at,
                    current,
                    branch: None,
                    accepted_by,
                    saved_at,
                }
            }));
        }
        versions.sort_by_key(|version| std::cmp::Reverse(version.version));
        if versions.is_empty() { Err(self.missing(name)) } else { Ok(versions) }
    }

    fn restore(&self, name: &Name, version: i64) -> Result<()> {
        if !self.folder.exists() {
            return Err(self.missing(name));
        }
        let _locked = self.locked()?;
        let stems = self.known_stems(name)?;
        if stems.is_empty() {
            return Err(self.missing(name));
        }
        for stem in stems {
            if self.current(&stem)?.is_some_and(|current| current.version == version) {
                return Ok(());
            }
            if let Some(kept) = self.kept(&stem, version)? {
                return self.put(&stem, &kept.text, Some(version)).map(drop);
            }
        }
        Err(BaselineError::Version { name: name.as_str().to_owned(), version })
    }

    fn delete(&self, name: &Name) -> Result<usize> {
        if !self.folder.exists() {
            return Err(self.missing(name));
        }
        let _locked = self.locked()?;
        let count = self.history(name)?.len();
        for stem in self.known_stems(name)? {
            // The current version goes last: a name that is half deleted is still there.
            for path in [self.history_of(&stem), self.file(&stem)] {
                let removed = match path.is_dir() {
                    true => std::fs::remove_dir_all(&path),
                    false => std::fs::remove_file(&path),
                };
                match removed {
                    Err(error) if error.kind() != ErrorKind::NotFound => {
                        return Err(broken(&path, error));
                    }
                    _ => {}
                }
            }
        }
        Ok(count)
    }

    fn page_text(&self, key: &PageKey) -> Result<Option<PageText>> {
        page_files::text(&self.folder, key)
    }

    fn page_picture(&self, key: &PageKey) -> Result<Option<Vec<u8>>> {
        Ok(page_files::picture(&self.folder, key))
    }

    fn save_page(&self, key: &PageKey, page: &StoredPage) -> Result<()> {
        page_files::save(&self.folder, key, page)
    }
}

fn broken(path: &Path, error: std::io::Error) -> BaselineError {
    BaselineError::Broken { path: path.display().to_string(), reason: error.to_string() }
}

/// Reads a file that may be missing.
fn read_text(path: &Path) -> Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            let path = path.display().to_string();
            Err(BaselineError::File { path, reason: error.to_string() })
        }
        Err(error) => Err(broken(path, error)),
    }
}

/// Returns the names of the files and folders in a folder; none if there is no such folder. Hidden
/// files are unfinished.
fn names_in(folder: &Path) -> Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(broken(folder, error)),
    };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests;
