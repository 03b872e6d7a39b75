//! The baselines of a check on disk: one JSON file each, beside `pages.toml`, and a picture beside
//! it. Files are written atomically, and a file that cannot be read is never overwritten.
//! `database` has the same baselines in PostgreSQL.

mod database;
mod key;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pagesight_core::fingerprint::Fingerprint;
use pagesight_session::baseline::PageKey;
use pagesight_session::private_files::{self, replace};

use super::form::{self, FormError};
use super::picture;
use super::plan::{Job, Plan, baseline_folder};
use super::record::digest;
pub(crate) use database::PageDatabase;
use key::{key, stem_of};

/// An unfinished file that is older than this was left by a killed run.
const WRITTEN_WITHIN: Duration = Duration::from_secs(60);

/// The folder of baselines.
#[derive(Clone, Debug)]
pub(crate) struct BaselineFiles {
    folder: PathBuf,
    /// The database that has the baselines instead of the folder.
    database: Option<Arc<PageDatabase>>,
}

impl BaselineFiles {
    /// Opens the folder of a plan and removes unfinished files.
    pub(crate) fn of(plan: &Plan) -> BaselineFiles {
        let files = BaselineFiles { folder: plan.folder(), database: None };
        files.sweep();
        files
    }

    /// Uses a database instead of a folder.
    pub(crate) fn in_database(database: PageDatabase) -> BaselineFiles {
        BaselineFiles { folder: PathBuf::new(), database: Some(Arc::new(database)) }
    }

    /// Returns the database, if there is one.
    pub(crate) fn database(&self) -> Option<&PageDatabase> {
        self.database.as_deref()
    }

    /// Returns the path of the baseline of a job.
    pub(crate) fn path(&self, job: &Job) -> PathBuf {
        self.file(&key(job), "json")
    }

    fn file(&self, key: &PageKey, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", stem_of(key)))
    }

    /// Opens the folder of the baselines of a file that lists pages.
    pub(crate) fn of_file(file: &Path) -> BaselineFiles {
        BaselineFiles { folder: baseline_folder(file), database: None }
    }

    /// Reads the text of a baseline, if there is one. The error is a sentence.
    pub(crate) fn text(&self, key: &PageKey) -> Result<Option<String>, String> {
        if let Some(database) = &self.database {
            return database.text(key);
        }
        let path = self.file(key, "json");
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{} cannot be read: {error}", path.display())),
        }
    }

    /// Reads the baseline of a job with the digest of its text, if there is one. The error is a
    /// sentence.
    pub(crate) fn read(&self, job: &Job) -> Result<Option<(Fingerprint, String)>, String> {
        let Some(text) = self.text(&key(job))? else { return Ok(None) };
        let read = form::read(&text).map(|base| Some((base, digest(&text))));
        let (place, repair) = match &self.database {
            Some(database) => (format!("its baseline in {}", database.shown()), ""),
            None => (
                self.path(job).display().to_string(),
                "; restore it with git checkout, or delete it and check again",
            ),
        };
        read.map_err(|error| match error {
            FormError::Damaged(why) => {
                format!("{place} cannot be used ({why}) and was not changed{repair}")
            }
            FormError::Newer(version) => format!(
                "{place} was written by a newer pagesight (version {version}) and was not changed; use that version"
            ),
        })
    }

    /// Reads the picture of a job's baseline, if there is a valid one.
    pub(crate) fn picture(&self, job: &Job) -> Option<Vec<u8>> {
        let found = match &self.database {
            Some(database) => database.picture(&key(job)),
            None => std::fs::read(self.file(&key(job), "png")).ok(),
        };
        found.filter(|png| picture::is_png(png))
    }

    /// Writes a baseline. The picture comes first, so a JSON file means that the baseline is
    /// complete.
    pub(crate) fn write(
        &self,
        job: &Job,
        fingerprint: &Fingerprint,
        png: Option<&[u8]>,
    ) -> Result<(), String> {
        let text = form::write(&job.name, job.engine.id(), fingerprint).map_err(|error| {
            format!("the baseline of {:?} cannot be written: {error}", job.name)
        })?;
        self.write_text(&key(job), &text, fingerprint, png)
    }

    /// Writes the text of a baseline, as [`BaselineFiles::write`] does. `fingerprint` is what the
    /// text says.
    pub(crate) fn write_text(
        &self,
        key: &PageKey,
        text: &str,
        fingerprint: &Fingerprint,
        png: Option<&[u8]>,
    ) -> Result<(), String> {
        if let Some(database) = &self.database {
            return database.write(key, text, fingerprint, png);
        }
        let path = self.file(key, "json");
        let failed = |error: std::io::Error| {
            format!(
                "{} cannot be written: {error}; check that the folder is writable",
                path.display()
            )
        };
        private_files::create_folders(&self.folder).map_err(failed)?;
        let picture = self.file(key, "png");
        match png {
            Some(png) => replace(&picture, png).map_err(failed)?,
            // The picture of an older baseline would be wrong.
            None => drop(std::fs::remove_file(&picture)),
        }
        replace(&path, text.as_bytes()).map_err(failed)
    }

    /// Lists files that no page of the plan uses.
    pub(crate) fn orphans(&self, plan: &Plan) -> Vec<PathBuf> {
        if self.database.is_some() {
            return Vec::new();
        }
        let used: HashSet<String> = plan.jobs.iter().map(|job| stem_of(&key(job))).collect();
        let known = |path: &Path| {
            let stem = path.file_stem().map(OsStr::to_string_lossy).unwrap_or_default();
            used.contains(stem.as_ref())
        };
        let mut found = self.entries();
        found.retain(|path| {
            let ending = path.extension().unwrap_or_default();
            (ending == "json" || ending == "png") && !known(path)
        });
        found.sort();
        found
    }

    fn entries(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    }

    /// Removes unfinished files of killed runs.
    fn sweep(&self) {
        for path in self.entries().into_iter().filter(|path| is_unfinished(path)) {
            let age = std::fs::metadata(&path)
                .and_then(|data| data.modified())
                .ok()
                .and_then(|at| at.elapsed().ok());
            if age.is_some_and(|age| age > WRITTEN_WITHIN) {
                let _ = std::fs::remove_file(&path);
            }
        }
    }
}

fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    name.starts_with('.') && name.ends_with(".tmp")
}

#[cfg(test)]
mod contract;
#[cfg(test)]
mod tests;
