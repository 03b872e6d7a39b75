//! Keeps the fingerprints of this session in memory, and opens the project's store of baselines.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pagesight_browser::lock;
use pagesight_check::baseline::{BaselineError, Baselines, FileBaselines, environment, store_path};
use pagesight_check::settings::current_folder;
use pagesight_core::fingerprint::Fingerprint;

use super::error::ProjectError;
use crate::team::StoreChoice;

/// How many fingerprints of a session are kept.
const MOST_FINGERPRINTS: usize = 64;

/// The fingerprints of a session and the baselines of a project.
pub(crate) struct ProjectStore {
    /// The folder that the user works in.
    folder: PathBuf,
    /// The database that the user chose instead of files.
    chosen: Option<StoreChoice>,
    /// That database, once it is open.
    database: Mutex<Option<Arc<dyn Baselines>>>,
    /// The fingerprints of this session with the ids of their tabs, the newest last.
    fingerprints: Mutex<VecDeque<(String, Arc<Fingerprint>)>>,
}

impl Default for ProjectStore {
    fn default() -> ProjectStore {
        ProjectStore::of_folder(current_folder())
    }
}

impl ProjectStore {
    /// Creates the store of the project that a folder is in. Nothing is opened yet.
    pub(crate) fn of_folder(folder: PathBuf) -> ProjectStore {
        ProjectStore {
            folder,
            chosen: None,
            database: Mutex::default(),
            fingerprints: Mutex::default(),
        }
    }

    /// Creates the store of the project that the current folder is in, with a database if the user
    /// chose one. Nothing is opened yet.
    pub(crate) fn chosen(chosen: Option<StoreChoice>) -> Arc<ProjectStore> {
        Arc::new(ProjectStore { chosen, ..ProjectStore::default() })
    }

    /// Creates the store of the project that a folder is in, with a database if the project has
    /// one.
    pub(crate) fn with_choice(folder: PathBuf, chosen: Option<StoreChoice>) -> ProjectStore {
        ProjectStore { chosen, ..ProjectStore::of_folder(folder) }
    }

    /// Returns the folder that the user works in.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Remembers a fingerprint of a tab. The oldest one is dropped if there are too many.
    pub(crate) fn remember(&self, tab: &str, fingerprint: &Arc<Fingerprint>) {
        let mut known = lock(&self.fingerprints);
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
        let known = lock(&self.fingerprints);
        let found = known.iter().rev().find(|(tab, fingerprint)| wanted(tab, fingerprint));
        found.map(|(_, fingerprint)| fingerprint.clone())
    }

    /// Returns the place of the baselines for people: a path, or the address of a database with
    /// its branch.
    pub(crate) fn shown(&self) -> Result<String, ProjectError> {
        match &self.chosen {
            Some(chosen) => Ok(chosen.shown()),
            None => Ok(self.baselines_path()?.display().to_string()),
        }
    }

    fn baselines_path(&self) -> Result<PathBuf, BaselineError> {
        store_path(&self.folder, |name| std::env::var_os(name))
    }

    /// Opens the store. A database is opened once.
    fn open(&self) -> Result<Arc<dyn Baselines>, BaselineError> {
        let Some(chosen) = &self.chosen else {
            let user = environment::user(&|name| std::env::var(name).ok());
            return Ok(Arc::new(FileBaselines::new(&self.baselines_path()?, &user)));
        };
        let mut database = lock(&self.database);
        match &*database {
            Some(open) => Ok(open.clone()),
            None => Ok(database.insert(Arc::new(chosen.open()?)).clone()),
        }
    }

    /// Runs `work` on the baselines, on a thread that may block.
    pub(crate) async fn with_baselines<T: Send + 'static>(
        self: &Arc<ProjectStore>,
        work: impl FnOnce(&dyn Baselines) -> Result<T, BaselineError> + Send + 'static,
    ) -> Result<T, ProjectError> {
        let store = self.clone();
        let done = tokio::task::spawn_blocking(move || work(&*store.open()?));
        Ok(done.await.map_err(ProjectError::Thread)??)
    }
}
