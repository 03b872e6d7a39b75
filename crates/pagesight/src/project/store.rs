//! Keeps the fingerprints of this session in memory, and opens the project's store of baselines.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pagesight_core::fingerprint::Fingerprint;
use pagesight_session::SessionError;
use pagesight_session::baseline::{BaselineError, Baselines, SqliteBaselines, store_path};

use super::config::current_folder;

/// How many fingerprints of a session are kept.
const MOST_FINGERPRINTS: usize = 64;

/// The fingerprints of a session and the baselines of a project.
pub(crate) struct ProjectStore {
    /// The folder that the user works in.
    folder: PathBuf,
    /// The open store of baselines, with its path.
    baselines: Mutex<Option<(PathBuf, Arc<SqliteBaselines>)>>,
    /// The fingerprints of this session with the ids of their tabs, the newest last.
    fingerprints: Mutex<VecDeque<(String, Arc<Fingerprint>)>>,
}

/// What to do if a project has no baselines yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IfMissing {
    /// Create the file.
    Create,
    /// Create no file, and use an empty store in memory.
    StayEmpty,
}

impl Default for ProjectStore {
    fn default() -> ProjectStore {
        ProjectStore::of_folder(current_folder())
    }
}

impl ProjectStore {
    /// Creates the store of the project that a folder is in. Nothing is opened yet.
    pub(crate) fn of_folder(folder: PathBuf) -> ProjectStore {
        ProjectStore { folder, baselines: Mutex::default(), fingerprints: Mutex::default() }
    }

    /// Returns the folder that the user works in.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Remembers a fingerprint of a tab. The oldest one is dropped if there are too many.
    pub(crate) fn remember(&self, tab: &str, fingerprint: &Arc<Fingerprint>) {
        let mut known = self.fingerprints.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_FINGERPRINTS {
            known.pop_front();
        }
        known.push_back((tab.to_owned(), fingerprint.clone()));
    }

    /// Returns the newest fingerprint of this session with this hash.
    pub(crate) fn by_hash(&self, hash: &str) -> Option<Arc<Fingerprint>> {
        self.newest(|_, fingerprint| fingerprint.hash == hash)
    }

    /// Returns the newest fingerprint of a tab.
    pub(crate) fn last(&self, tab: &str) -> Option<Arc<Fingerprint>> {
        self.newest(|of, _| of == tab)
    }

    fn newest(&self, wanted: impl Fn(&str, &Fingerprint) -> bool) -> Option<Arc<Fingerprint>> {
        let known = self.fingerprints.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().rev().find(|(tab, fingerprint)| wanted(tab, fingerprint));
        found.map(|(_, fingerprint)| fingerprint.clone())
    }

    /// Returns the path of the baselines.
    pub(crate) fn path(&self) -> Result<PathBuf, SessionError> {
        Ok(self.baselines_path()?)
    }

    fn baselines_path(&self) -> Result<PathBuf, BaselineError> {
        store_path(&self.folder, |name| std::env::var_os(name))
    }

    /// Opens the baselines, or returns those that are open already.
    fn open(&self) -> Result<Arc<SqliteBaselines>, BaselineError> {
        let path = self.baselines_path()?;
        let mut baselines = self.baselines.lock().unwrap_or_else(PoisonError::into_inner);
        match &*baselines {
            Some((known, open)) if *known == path && path.exists() => Ok(open.clone()),
            _ => {
                let opened = Arc::new(SqliteBaselines::open(&path)?);
                *baselines = Some((path, opened.clone()));
                Ok(opened)
            }
        }
    }

    /// Runs `work` on the baselines, on a thread that may block.
    pub(crate) async fn with_baselines<T: Send + 'static>(
        self: &Arc<ProjectStore>,
        if_missing: IfMissing,
        work: impl FnOnce(&dyn Baselines) -> Result<T, BaselineError> + Send + 'static,
    ) -> Result<T, SessionError> {
        let store = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            if if_missing == IfMissing::StayEmpty && !store.baselines_path()?.exists() {
                return work(&SqliteBaselines::open(Path::new(":memory:"))?);
            }
            work(&*store.open()?)
        });
        let done = done.await.map_err(|error| {
            SessionError::Input(format!("the baseline store could not be used: {error}"))
        })?;
        Ok(done?)
    }
}
