//! The baselines of a check on disk: a JSON file each, beside `pages.toml`, and a picture beside
//! it. Files are written whole or not at all; what cannot be understood is refused and never
//! overwritten; what no page uses is told.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pagesight_core::fingerprint::Fingerprint;

use super::form::{self, Unreadable};
use super::picture;
use super::plan::{Job, Plan};

/// A file that was being written for longer than this was left behind by a run that was killed.
const WRITTEN_WITHIN: Duration = Duration::from_secs(60);

/// The folder of baselines.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    folder: PathBuf,
}

impl Files {
    /// Those of a plan.
    pub(crate) fn of(plan: &Plan) -> Files {
        let files = Files { folder: plan.folder() };
        files.sweep();
        files
    }

    /// Where the baseline of a job is.
    pub(crate) fn path(&self, job: &Job) -> PathBuf {
        self.folder.join(format!("{}.json", stem(job)))
    }

    /// Where its picture is.
    fn picture_path(&self, job: &Job) -> PathBuf {
        self.folder.join(format!("{}.png", stem(job)))
    }

    /// The baseline of a job; none if there is none yet. A file that cannot be used is an error, as
    /// a sentence.
    pub(crate) fn read(&self, job: &Job) -> Result<Option<Fingerprint>, String> {
        let path = self.path(job);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{} cannot be read: {error}", path.display())),
        };
        form::read(&text).map(Some).map_err(|error| match error {
            Unreadable::Damaged(why) => format!(
                "{} cannot be used ({why}) and was left as it is; put it back with git checkout, or delete it and check again",
                path.display()
            ),
            Unreadable::Newer(version) => format!(
                "{} was written by a newer pagesight (version {version}) and was left as it is; use that one",
                path.display()
            ),
        })
    }

    /// The picture of a job's baseline, if there is one that can be used.
    pub(crate) fn picture(&self, job: &Job) -> Option<Vec<u8>> {
        std::fs::read(self.picture_path(job)).ok().filter(|png| picture::is_png(png))
    }

    /// Keeps a baseline, and its picture in front of it: a file of JSON means that all of it is
    /// there.
    pub(crate) fn write(
        &self,
        job: &Job,
        fingerprint: &Fingerprint,
        png: Option<&[u8]>,
    ) -> Result<(), String> {
        let path = self.path(job);
        let failed = |error: std::io::Error| {
            format!("{} cannot be written: {error}; is the folder writable?", path.display())
        };
        let text = form::write(&job.name, job.engine.id(), fingerprint)
            .map_err(|error| failed(error.into()))?;
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        let picture = self.picture_path(job);
        match png {
            Some(png) => replace(&picture, png).map_err(failed)?,
            // One of an older baseline would show what is no longer so.
            None => drop(std::fs::remove_file(&picture)),
        }
        replace(&path, text.as_bytes()).map_err(failed)
    }

    /// Files that no page of the plan uses.
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

    /// Removes what a killed run left half written.
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

/// What the files of a job are called, without ending.
fn stem(job: &Job) -> String {
    let safe = job.name.replace('/', "%2F");
    let safe = safe.strip_prefix('.').map(|rest| format!("%2E{rest}")).unwrap_or(safe);
    let size = job.viewport;
    let scope = match job.scope.as_str() {
        "" => String::new(),
        scope => {
            let readable: String =
                scope.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(24).collect();
            // Two selectors may read alike.
            format!("-{readable}-{:08x}", crc32fast::hash(scope.as_bytes()))
        }
    };
    format!("{safe}@{}-{}x{}{scope}", job.engine.id(), size.width, size.height)
}

fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    name.starts_with('.') && name.ends_with(".tmp")
}

/// Writes a file so that there is always the old one or the new one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    let unfinished = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = std::fs::File::create(&unfinished)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&unfinished);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::plan::Overrides;

    fn plan(folder: &Path, text: &str) -> Plan {
        Plan::read(&folder.join("pages.toml"), text, &Overrides::default(), &|_| None).unwrap()
    }

    fn taken() -> Fingerprint {
        Fingerprint {
            version: 1,
            route: "/".into(),
            scope: "full".into(),
            ..Fingerprint::default()
        }
    }

    const TWO: &str = "base_url = \"http://a\"\n[[page]]\nroute = \"/\"\n[[page]]\nname = \"../up/x\"\nroute = \"/b\"\nscopes = [\"main\", \"main > a\"]";

    #[test]
    fn a_baseline_is_kept_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), TWO);
        let files = Files::of(&plan);
        for job in &plan.jobs {
            assert_eq!(files.read(job), Ok(None));
            files.write(job, &taken(), Some(b"\x89PNG\r\n\x1a\n")).unwrap();
            assert!(files.read(job).unwrap().is_some());
            assert!(files.picture(job).is_some());
            assert_eq!(
                files.path(job).parent(),
                Some(folder.path().join("pages.baselines").as_path())
            );
        }
        assert_eq!(files.entries().len(), 6, "no name leads elsewhere, and no two are the same");
        assert_eq!(files.orphans(&plan), Vec::<PathBuf>::new());
        files.write(&plan.jobs[0], &taken(), None).unwrap();
        assert!(files.picture(&plan.jobs[0]).is_none(), "an old picture does not stay");
    }

    #[test]
    fn a_damaged_or_newer_file_is_refused_with_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), TWO);
        let (files, job) = (Files::of(&plan), &plan.jobs[0]);
        files.write(job, &taken(), None).unwrap();
        let text = std::fs::read_to_string(files.path(job)).unwrap();
        for (bad, says) in [
            (text[..text.len() / 2].to_owned(), "was left as it is"),
            (
                text.replace("\"pagesight_check\": 1", "\"pagesight_check\": 9"),
                "newer pagesight (version 9)",
            ),
        ] {
            std::fs::write(files.path(job), &bad).unwrap();
            let error = files.read(job).unwrap_err();
            assert!(
                error.contains(says) && error.contains("home@chromium-1280x720.json"),
                "{error}"
            );
        }
    }

    #[test]
    fn what_no_page_uses_is_told_and_what_was_left_half_written_goes() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), TWO);
        let files = Files::of(&plan);
        files.write(&plan.jobs[0], &taken(), None).unwrap();
        let at = |name: &str| folder.path().join("pages.baselines").join(name);
        std::fs::write(at("gone@chromium-1280x720.json"), "{}").unwrap();
        std::fs::write(at("README.md"), "").unwrap();
        assert_eq!(files.orphans(&plan), [at("gone@chromium-1280x720.json")]);
        let (old, new) = (at(".a.json.1.tmp"), at(".b.json.1.tmp"));
        for path in [&old, &new] {
            std::fs::write(path, "").unwrap();
        }
        let long_ago = std::time::SystemTime::now() - WRITTEN_WITHIN * 2;
        std::fs::File::options().write(true).open(&old).unwrap().set_modified(long_ago).unwrap();
        Files::of(&plan);
        assert!(!old.exists() && new.exists());
    }
}
