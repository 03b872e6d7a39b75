//! Notices that files of a site change (`watch --files`), so that a page can be reloaded whose
//! server does not do it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::bail;
use pagesight_check::plan::Glob;
use tokio::time::Instant;

/// How often the files are looked at: the system reports no changes without a service of its own.
const INTERVAL: Duration = Duration::from_millis(250);
/// How many files are looked at.
const MOST_FILES: usize = 20_000;
/// Folders that are not looked into.
const SKIPPED: [&str; 2] = [".git", "node_modules"];

/// When files were changed, and how long they are.
type Stamps = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// The files that are watched.
pub(super) struct WatchedFiles {
    folder: PathBuf,
    globs: Vec<Glob>,
    stamps: Stamps,
    next_look: Instant,
    /// The first file of those that are changing now.
    changing: Option<String>,
}

impl WatchedFiles {
    /// Finds the files below a folder that match. There must be one; `None` without globs.
    pub(super) fn of(folder: PathBuf, globs: &[String]) -> anyhow::Result<Option<WatchedFiles>> {
        if globs.is_empty() {
            return Ok(None);
        }
        let plain = |given: &String| Glob::new(given.trim_start_matches("./"));
        let mut files = WatchedFiles {
            folder,
            globs: globs.iter().map(plain).collect(),
            stamps: Stamps::new(),
            next_look: Instant::now(),
            changing: None,
        };
        files.stamps = files.look()?;
        if files.stamps.is_empty() {
            bail!(
                "--files: no file below {} matches {}; give a glob such as 'dist/**'",
                files.folder.display(),
                globs.join(", ")
            );
        }
        Ok(Some(files))
    }

    /// Waits until files have changed and no more do, and returns the first one's name. May be
    /// dropped and called again at any time.
    pub(super) async fn changed(&mut self) -> anyhow::Result<String> {
        loop {
            tokio::time::sleep_until(self.next_look).await;
            self.next_look = Instant::now() + INTERVAL;
            match self.news()? {
                // A build writes many files.
                Some(name) => {
                    self.changing.get_or_insert(name);
                }
                None => {
                    if let Some(name) = self.changing.take() {
                        return Ok(name);
                    }
                }
            }
        }
    }

    /// Returns the name of the first file that changed, came or went since it was last asked.
    fn news(&mut self) -> anyhow::Result<Option<String>> {
        let now = self.look()?;
        let before = std::mem::replace(&mut self.stamps, now);
        let differs = |one: &Stamps, other: &Stamps| {
            one.iter()
                .find(|(path, stamp)| other.get(*path) != Some(stamp))
                .map(|(path, _)| path.clone())
        };
        let path = differs(&self.stamps, &before).or_else(|| differs(&before, &self.stamps));
        Ok(path.map(|path| self.shown(&path)))
    }

    fn shown(&self, path: &Path) -> String {
        let parts = path.strip_prefix(&self.folder).unwrap_or(path).components();
        parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    }

    fn look(&self) -> anyhow::Result<Stamps> {
        let mut stamps = Stamps::new();
        let (mut folders, mut seen) = (vec![self.folder.clone()], 0);
        while let Some(folder) = folders.pop() {
            // A folder may be gone at this moment.
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let (path, name) = (entry.path(), entry.file_name());
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() && !SKIPPED.iter().any(|skipped| name == *skipped) {
                    folders.push(path);
                    continue;
                }
                seen += 1;
                if seen > MOST_FILES {
                    bail!(
                        "--files: there are more than {MOST_FILES} files below {}; run watch in the folder of the site",
                        self.folder.display()
                    );
                }
                let shown = self.shown(&path);
                if kind.is_dir() || !self.globs.iter().any(|glob| glob.matches(&shown)) {
                    continue;
                }
                if let Ok(facts) = entry.metadata() {
                    stamps.insert(path, (facts.modified().ok(), facts.len()));
                }
            }
        }
        Ok(stamps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_matching_files_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["dist/css", "node_modules", "src"] {
            std::fs::create_dir_all(at(name)).unwrap();
        }
        for name in ["dist/index.html", "node_modules/x.html", "src/a.rs"] {
            std::fs::write(at(name), "1").unwrap();
        }
        let of = |globs: &[&str]| {
            let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
            WatchedFiles::of(folder.path().to_owned(), &globs)
        };
        assert!(of(&[]).unwrap().is_none());
        let error = of(&["dist/*.css", "x"]).err().unwrap().to_string();
        assert!(error.contains("matches dist/*.css, x; give a glob such as"), "{error}");
        let mut files = of(&["./dist/**", "*.html"]).unwrap().unwrap();
        assert_eq!(files.news().unwrap(), None);
        std::fs::write(at("src/a.rs"), "longer").unwrap();
        assert_eq!(files.news().unwrap(), None, "it does not match");
        std::fs::write(at("dist/index.html"), "longer").unwrap();
        assert_eq!(files.news().unwrap().as_deref(), Some("dist/index.html"));
        std::fs::write(at("dist/css/a.css"), "new").unwrap();
        assert_eq!(files.news().unwrap().as_deref(), Some("dist/css/a.css"));
        std::fs::remove_file(at("dist/css/a.css")).unwrap();
        assert_eq!(files.news().unwrap().as_deref(), Some("dist/css/a.css"));
        assert_eq!(files.news().unwrap(), None);
    }
}
