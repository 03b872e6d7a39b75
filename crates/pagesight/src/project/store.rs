//! Keeps the fingerprints of this session in memory, and opens the project's store of baselines.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pagesight_browser::lock;
use pagesight_core::fingerprint::Fingerprint;
use pagesight_session::baseline::{
    BaselineError, Baselines, PostgresBaselines, SqliteBaselines, store_path,
};

use super::config::current_folder;
use super::error::ProjectError;
use crate::cli::store_arguments::StoreChoice;

/// How many fingerprints of a session are kept.
const MOST_FINGERPRINTS: usize = 64;

/// The fingerprints of a session and the baselines of a project.
pub(crate) struct ProjectStore {
    /// The folder that the user works in.
    folder: PathBuf,
    /// The database that the user chose instead of a file.
    chosen: Option<StoreChoice>,
    /// That database, once it is open.
    database: Mutex<Option<Arc<PostgresBaselines>>>,
    /// The open store of baselines, with its path.
    baselines: Mutex<Option<(PathBuf, Arc<SqliteBaselines>)>>,
    /// The fingerprints of this session with the ids of their tabs, the newest last.
    fingerprints: Mutex<VecDeque<(String, Arc<Fingerprint>)>>,
}

/// How a project without baselines is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IfMissing {
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
        ProjectStore {
            folder,
            chosen: None,
            database: Mutex::default(),
            baselines: Mutex::default(),
            fingerprints: Mutex::default(),
        }
    }

    /// Creates the store of the project that the current folder is in, with a database if the user
    /// chose one. Nothing is opened yet.
    pub(crate) fn chosen(chosen: Option<StoreChoice>) -> Arc<ProjectStore> {
        Arc::new(ProjectStore { chosen, ..ProjectStore::default() })
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
            Some(chosen) => {
                let branches = &chosen.branches;
                let base = match branches.base() {
                    base if base == branches.branch() => String::new(),
                    base => format!(", based on {base}"),
                };
                Ok(format!("{}, branch {}{base}", chosen.address.shown(), branches.branch()))
            }
            None => Ok(self.baselines_path()?.display().to_string()),
        }
    }

    /// Opens the database, or returns the open one.
    fn open_database(&self, chosen: &StoreChoice) -> Result<Arc<PostgresBaselines>, BaselineError> {
        let mut database = lock(&self.database);
        match &*database {
            Some(open) => Ok(open.clone()),
            None => {
                let (branches, who) = (chosen.branches.clone(), &chosen.accepted_by);
                let opened = PostgresBaselines::open(&chosen.address, branches, who)?;
                Ok(database.insert(Arc::new(opened)).clone())
            }
        }
    }

    fn baselines_path(&self) -> Result<PathBuf, BaselineError> {
        store_path(&self.folder, |name| std::env::var_os(name))
    }

    /// Opens the baselines, or returns those that are open already.
    fn open(&self) -> Result<Arc<SqliteBaselines>, BaselineError> {
        let path = self.baselines_path()?;
        let mut baselines = lock(&self.baselines);
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
    ) -> Result<T, ProjectError> {
        let store = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            if let Some(chosen) = &store.chosen {
                return work(&*store.open_database(chosen)?);
            }
            if if_missing == IfMissing::StayEmpty && !store.baselines_path()?.exists() {
                return work(&SqliteBaselines::open(Path::new(":memory:"))?);
            }
            work(&*store.open()?)
        });
        Ok(done.await.map_err(ProjectError::Thread)??)
    }
}
