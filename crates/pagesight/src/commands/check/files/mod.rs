//! The baselines of a check on disk: one JSON file each, beside `pages.toml`, and a picture beside
//! it. Files are written atomically, and a file that cannot be read is never overwritten.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pagesight_core::fingerprint::{Fingerprint, Size};
use pagesight_session::Engine;
use pagesight_session::private_files::{self, replace};

use super::form::{self, FormError};
use super::picture;
use super::plan::{Job, Plan, baseline_folder};
use super::record::digest;

/// An unfinished file that is older than this was left by a killed run.
const WRITTEN_WITHIN: Duration = Duration::from_secs(60);

/// The folder of baselines.
#[derive(Clone, Debug)]
pub(crate) struct BaselineFiles {
    folder: PathBuf,
}

impl BaselineFiles {
    /// Opens the folder of a plan and removes unfinished files.
    pub(crate) fn of(plan: &Plan) -> BaselineFiles {
        let files = BaselineFiles { folder: plan.folder() };
        files.sweep();
        files
    }

    /// Returns the path of the baseline of a job.
    pub(crate) fn path(&self, job: &Job) -> PathBuf {
        self.folder.join(format!("{}.json", stem(job)))
    }

    /// Returns the path of its picture.
    fn picture_path(&self, job: &Job) -> PathBuf {
        self.folder.join(format!("{}.png", stem(job)))
    }

    /// Opens the folder of the baselines of a file that lists pages.
    pub(crate) fn of_file(file: &Path) -> BaselineFiles {
        BaselineFiles { folder: baseline_folder(file) }
    }

    /// Reads the text of a baseline by its stem, if there is one. The error is a sentence.
    pub(crate) fn text(&self, stem: &str) -> Result<Option<String>, String> {
        let path = self.folder.join(format!("{stem}.json"));
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{} cannot be read: {error}", path.display())),
        }
    }

    /// Reads the baseline of a job with the digest of its text, if there is one. The error is a
    /// sentence.
    pub(crate) fn read(&self, job: &Job) -> Result<Option<(Fingerprint, String)>, String> {
        let path = self.path(job);
        let Some(text) = self.text(&stem(job))? else { return Ok(None) };
        let read = form::read(&text).map(|base| Some((base, digest(&text))));
        read.map_err(|error| match error {
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
        std::fs::read(self.picture_path(job)).ok().filter(|png| picture::is_png(png))
    }

    /// Writes a baseline. The picture comes first, so a JSON file means that the baseline is
    /// complete.
    pub(crate) fn write(
        &self,
        job: &Job,
        fingerprint: &Fingerprint,
        png: Option<&[u8]>,
    ) -> Result<(), String> {
        let text = form::write(&job.name, job.engine.id(), fingerprint)
            .map_err(|error| format!("{} cannot be written: {error}", self.path(job).display()))?;
        self.write_text(&stem(job), &text, png)
    }

    /// Writes the text of a baseline, as [`BaselineFiles::write`] does.
    pub(crate) fn write_text(
        &self,
        stem: &str,
        text: &str,
        png: Option<&[u8]>,
    ) -> Result<(), String> {
        let path = self.folder.join(format!("{stem}.json"));
        let failed = |error: std::io::Error| {
            format!(
                "{} cannot be written: {error}; check that the folder is writable",
                path.display()
            )
        };
        private_files::create_folders(&self.folder).map_err(failed)?;
        let picture = self.folder.join(format!("{stem}.png"));
        match png {
            Some(png) => replace(&picture, png).map_err(failed)?,
            // The picture of an older baseline would be wrong.
            None => drop(std::fs::remove_file(&picture)),
        }
        replace(&path, text.as_bytes()).map_err(failed)
    }

    /// Lists files that no page of the plan uses.
    pub(crate) fn orphans(&self, plan: &Plan) -> Vec<PathBuf> {
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
    let size = Size { width: job.viewport.width, height: job.viewport.height };
    stem_of(&job.name, job.engine, size, &job.scope)
}

/// Returns the file name of a baseline, without extension.
pub(crate) fn stem_of(name: &str, engine: Engine, size: Size, scope: &str) -> String {
    let safe = name.replace('/', "%2F");
    let safe = safe.strip_prefix('.').map(|rest| format!("%2E{rest}")).unwrap_or(safe);
    let scope = match scope {
        "" => String::new(),
        scope => {
            let readable: String =
                scope.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(24).collect();
            // Two selectors may have the same readable part.
            format!("-{readable}-{:08x}", crc32fast::hash(scope.as_bytes()))
        }
    };
    format!("{safe}@{}-{}x{}{scope}", engine.id(), size.width, size.height)
}

fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    name.starts_with('.') && name.ends_with(".tmp")
}

#[cfg(test)]
mod tests;
