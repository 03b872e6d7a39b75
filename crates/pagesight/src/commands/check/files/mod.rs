//! The baselines of a check on disk: one JSON file each, beside `pages.toml`, and a picture beside
//! it. Files are written atomically, and a file that cannot be read is never overwritten.
//! `database` has the same baselines in PostgreSQL.

mod database;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pagesight_core::fingerprint::Fingerprint;
use pagesight_session::private_files::{self, replace};

use super::form::{self, FormError};
use super::picture;
use super::plan::{Job, Plan};
pub(crate) use database::PageDatabase;

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

    /// Uses a database instead of the folder of a plan.
    pub(crate) fn in_database(plan: &Plan, database: PageDatabase) -> BaselineFiles {
        BaselineFiles { folder: plan.folder(), database: Some(Arc::new(database)) }
    }

    /// Returns the database, if there is one.
    pub(crate) fn database(&self) -> Option<&PageDatabase> {
        self.database.as_deref()
    }

    /// Returns the path of the baseline of a job.
    pub(crate) fn path(&self, job: &Job) -> PathBuf {
        self.folder.join(format!("{}.json", stem(job)))
    }

    /// Returns the path of its picture.
    fn picture_path(&self, job: &Job) -> PathBuf {
        self.folder.join(format!("{}.png", stem(job)))
    }

    /// Reads the baseline of a job, if there is one. The error is a sentence.
    pub(crate) fn read(&self, job: &Job) -> Result<Option<Fingerprint>, String> {
        if let Some(database) = &self.database {
            let Some(text) = database.text(job)? else { return Ok(None) };
            let wrong = |error| match error {
                FormError::Damaged(why) => format!(
                    "its baseline in {} cannot be used ({why}) and was not changed",
                    database.shown()
                ),
                FormError::Newer(version) => format!(
                    "its baseline in {} was written by a newer pagesight (version {version}) and was not changed; use that version",
                    database.shown()
                ),
            };
            return form::read(&text).map(Some).map_err(wrong);
        }
        let path = self.path(job);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{} cannot be read: {error}", path.display())),
        };
        form::read(&text).map(Some).map_err(|error| match error {
            FormError::Damaged(why) => format!(
                "{} cannot be used ({why}) and was not changed; restore it with git checkout, or delete it and check again",
                path.display()
            ),
            FormError::Newer(version) => format!(
                "{} was written by a newer pagesight (version {version}) and was not changed; use that version",
                path.display()
            ),
        })
    }

    /// Reads the picture of a job's baseline, if there is a valid one.
    pub(crate) fn picture(&self, job: &Job) -> Option<Vec<u8>> {
        let found = match &self.database {
            Some(database) => database.picture(job),
            None => std::fs::read(self.picture_path(job)).ok(),
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
        if let Some(database) = &self.database {
            let text = database::text_of(job, fingerprint)?;
            return database.write(job, text, fingerprint, png);
        }
        let path = self.path(job);
        let failed = |error: std::io::Error| {
            format!(
                "{} cannot be written: {error}; check that the folder is writable",
                path.display()
            )
        };
        let text = form::write(&job.name, job.engine.id(), fingerprint)
            .map_err(|error| failed(error.into()))?;
        private_files::create_folders(&self.folder).map_err(failed)?;
        let picture = self.picture_path(job);
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
        let used: HashSet<String> = plan.jobs.iter().map(stem).collect();
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

/// Returns the file name of a job, without extension.
fn stem(job: &Job) -> String {
    let safe = job.name.replace('/', "%2F");
    let safe = safe.strip_prefix('.').map(|rest| format!("%2E{rest}")).unwrap_or(safe);
    let size = job.viewport;
    let scope = match job.scope.as_str() {
        "" => String::new(),
        scope => {
            let readable: String =
                scope.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(24).collect();
            // Two selectors may have the same readable part.
            format!("-{readable}-{:08x}", crc32fast::hash(scope.as_bytes()))
        }
    };
    format!("{safe}@{}-{}x{}{scope}", job.engine.id(), size.width, size.height)
}

fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    name.starts_with('.') && name.ends_with(".tmp")
}

#[cfg(test)]
mod contract;
#[cfg(test)]
mod tests;
