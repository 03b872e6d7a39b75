//! The workspaces of a process: each has its own part of the browser, its own tabs and references.
//! A workspace is made when it is first named, and ends when nobody has used it for a while.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use pagesight_browser::lock;
use pagesight_session::{BrowserPool, Options, OutputRoot, Session};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::call_log::CallLog;
use super::session_setup::{SessionSetup, SetupError};
use crate::cli::log;
use crate::cli::store_arguments::StoreArguments;
use crate::project::store::ProjectStore;
use crate::tools::evaluate_permission::EvaluatePermission;
use crate::tools::workspace::Workspace;
use pagesight_check::settings::current_folder;

/// How many workspaces there may be.
pub(crate) const MOST_WORKSPACES: usize = 128;
/// How many tabs a workspace may have.
const MOST_TABS: usize = 64;
/// How many names of ended workspaces are remembered.
const MOST_ENDED: usize = 1024;
/// How often idle workspaces are looked for.
const SWEEP: Duration = Duration::from_secs(1);

/// No further workspace may be made.
#[derive(Debug, thiserror::Error)]
#[error(
    "{MOST_WORKSPACES} workspaces are open, and no more may be; close one, or wait until an idle one ends"
)]
pub(crate) struct TooManyWorkspaces;

/// A workspace cannot be taken into use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LeaseError {
    #[error(transparent)]
    TooMany(#[from] TooManyWorkspaces),
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// All workspaces of a process.
pub(crate) struct WorkspaceHost {
    /// The options of every workspace.
    pub(crate) options: Options,
    /// The expressions that `browser_evaluate` takes.
    pub(crate) evaluate: EvaluatePermission,
    /// The folder that answers may be written to.
    output_root: Option<OutputRoot>,
    /// How long a workspace stays that nobody uses.
    pub(crate) idle: Duration,
    pub(super) log: CallLog,
    pool: Arc<BrowserPool>,
    workspaces: Mutex<Workspaces>,
    /// Notified when the last workspace ended.
    pub(crate) ended: Notify,
}

/// The workspaces, by name.
#[derive(Default)]
struct Workspaces {
    open: HashMap<String, Arc<Hosted>>,
    /// The names of those that ended last, oldest first.
    ended: VecDeque<String>,
}

impl Workspaces {
    fn remember_ended(&mut self, name: String) {
        self.ended.push_back(name);
        if self.ended.len() > MOST_ENDED {
            self.ended.pop_front();
        }
    }

    /// Whether a workspace of this name ended; forgets it.
    fn take_ended(&mut self, name: &str) -> bool {
        let place = self.ended.iter().position(|ended| ended == name);
        place.and_then(|place| self.ended.remove(place)).is_some()
    }
}

/// The state of a workspace when it was taken into use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FoundWorkspace {
    Open,
    /// There was none of this name.
    New,
    /// One of this name had ended, and its tabs and references with it.
    Ended,
}

/// A workspace and who uses it.
struct Hosted {
    workspace: Arc<Workspace>,
    /// The options that it was opened with.
    setup: SessionSetup,
    usage: Mutex<Usage>,
}

struct Usage {
    /// How many calls and clients use it now.
    users: usize,
    last_used: Instant,
}

/// A workspace in use. It does not end before this is dropped.
pub(crate) struct Lease {
    hosted: Arc<Hosted>,
    /// Its state before.
    pub(crate) found: FoundWorkspace,
}

/// One workspace as it is listed.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub(crate) struct ListedWorkspace {
    pub(crate) name: String,
    pub(crate) tabs: usize,
    /// How many seconds nobody has used it.
    pub(crate) idle_seconds: u64,
}

impl Hosted {
    fn usage(&self) -> MutexGuard<'_, Usage> {
        lock(&self.usage)
    }

    fn is_idle(&self, limit: Duration) -> bool {
        let usage = self.usage();
        usage.users == 0 && usage.last_used.elapsed() >= limit
    }
}

impl Lease {
    fn new(hosted: Arc<Hosted>, found: FoundWorkspace) -> Lease {
        hosted.usage().users += 1;
        Lease { hosted, found }
    }

    pub(crate) fn workspace(&self) -> &Arc<Workspace> {
        &self.hosted.workspace
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut usage = self.hosted.usage();
        usage.users -= 1;
        usage.last_used = Instant::now();
    }
}

impl WorkspaceHost {
    /// Makes a process without workspaces. The browser starts when one is first used.
    pub(crate) fn new(
        options: Options,
        evaluate: EvaluatePermission,
        output_root: Option<OutputRoot>,
        idle: Duration,
        log: CallLog,
    ) -> Arc<WorkspaceHost> {
        let options = Options { most_tabs: Some(MOST_TABS), ..options };
        Arc::new(WorkspaceHost {
            pool: BrowserPool::new(&options),
            options,
            evaluate,
            output_root,
            idle,
            log,
            workspaces: Mutex::default(),
            ended: Notify::new(),
        })
    }

    fn workspaces(&self) -> MutexGuard<'_, Workspaces> {
        lock(&self.workspaces)
    }

    /// Takes a workspace into use, and makes it if there is none of this name. `folder` is where
    /// its user works, which decides on the baselines. An open one must have the options of
    /// `setup`.
    pub(crate) fn lease(
        &self,
        name: &str,
        folder: Option<PathBuf>,
        setup: &SessionSetup,
    ) -> Result<Lease, LeaseError> {
        let mut workspaces = self.workspaces();
        if let Some(hosted) = workspaces.open.get(name) {
            setup.check(&hosted.setup).map_err(SetupError::from)?;
            return Ok(Lease::new(hosted.clone(), FoundWorkspace::Open));
        }
        if workspaces.open.len() >= MOST_WORKSPACES {
            return Err(TooManyWorkspaces.into());
        }
        let options = setup.options(&self.options)?;
        let evaluate = match self.evaluate {
            EvaluatePermission::ReadByDefault if !options.holds_nothing_of_the_user() => {
                EvaluatePermission::Off
            }
            evaluate => evaluate,
        };
        let session = Session::sharing(options, self.pool.clone());
        log::hide(session.hidden_values());
        let folder = folder.unwrap_or_else(current_folder);
        let chosen = StoreArguments::default().choice_in(&folder).map_err(SetupError::Store)?;
        let store = ProjectStore::with_choice(folder, chosen);
        let mut workspace = Workspace::new(session, evaluate);
        workspace.store = Arc::new(store);
        workspace.output_root = self.output_root.clone();
        let usage = Mutex::new(Usage { users: 0, last_used: Instant::now() });
        let workspace = Arc::new(workspace);
        let hosted = Arc::new(Hosted { workspace, setup: setup.clone(), usage });
        workspaces.open.insert(name.to_owned(), hosted.clone());
        let ended = workspaces.take_ended(name);
        self.log.workspace(name, "opened");
        Ok(Lease::new(hosted, if ended { FoundWorkspace::Ended } else { FoundWorkspace::New }))
    }

    /// Ends a workspace: closes its tabs and deletes its cookies. Reports whether there was one.
    pub(crate) async fn end(&self, name: &str) -> bool {
        let hosted = {
            let mut workspaces = self.workspaces();
            let hosted = workspaces.open.remove(name);
            if hosted.is_some() {
                workspaces.remember_ended(name.to_owned());
            }
            hosted
        };
        match hosted {
            Some(hosted) => {
                self.log.workspace(name, "closed");
                hosted.workspace.session.close().await;
                self.workspace_ended().await;
                true
            }
            None => false,
        }
    }

    /// Lists the workspaces by name.
    pub(crate) fn list(&self) -> Vec<ListedWorkspace> {
        let mut listed: Vec<ListedWorkspace> = self
            .workspaces()
            .open
            .iter()
            .map(|(name, hosted)| {
                let usage = hosted.usage();
                let idle = if usage.users > 0 { Duration::ZERO } else { usage.last_used.elapsed() };
                let tabs = hosted.workspace.session.open_tabs();
                ListedWorkspace { name: name.clone(), tabs, idle_seconds: idle.as_secs() }
            })
            .collect();
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        listed
    }

    /// Whether there is no workspace.
    pub(crate) fn is_empty(&self) -> bool {
        self.workspaces().open.is_empty()
    }

    /// Ends idle workspaces, for as long as the process runs.
    pub(crate) async fn end_idle_workspaces(&self) {
        loop {
            tokio::time::sleep(SWEEP).await;
            let idle: Vec<Arc<Hosted>> = {
                let mut workspaces = self.workspaces();
                let idle = workspaces.open.extract_if(|_, hosted| hosted.is_idle(self.idle));
                let (names, idle): (Vec<String>, Vec<Arc<Hosted>>) = idle.unzip();
                for name in names {
                    self.log.workspace(&name, "ended, because nobody used it");
                    workspaces.remember_ended(name);
                }
                idle
            };
            let some = !idle.is_empty();
            for hosted in idle {
                hosted.workspace.session.close().await;
            }
            if some {
                self.workspace_ended().await;
            }
        }
    }

    /// Ends the browser if no workspace is left: it would use memory for nothing.
    async fn workspace_ended(&self) {
        if self.is_empty() {
            self.pool.close_unused().await;
            self.ended.notify_waiters();
        }
    }

    /// Ends all workspaces and the browser.
    pub(crate) async fn close(&self) {
        let all: Vec<Arc<Hosted>> =
            self.workspaces().open.drain().map(|(_, hosted)| hosted).collect();
        for hosted in all {
            hosted.workspace.session.close().await;
        }
        self.pool.close().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(idle: Duration) -> Arc<WorkspaceHost> {
        WorkspaceHost::new(Options::default(), EvaluatePermission::Off, None, idle, CallLog::Off)
    }

    fn lease(host: &WorkspaceHost, name: &str) -> Result<Lease, LeaseError> {
        host.lease(name, None, &SessionSetup::default())
    }

    #[tokio::test]
    async fn a_session_may_have_options_of_its_own() {
        let options = Options::default();
        let idle = Duration::from_secs(60);
        let host = WorkspaceHost::new(
            options,
            EvaluatePermission::ReadByDefault,
            None,
            idle,
            CallLog::Off,
        );
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state.json");
        std::fs::write(&file, "{\"cookies\": [], \"origins\": []}").unwrap();
        let setup = SessionSetup { state: Some(file.clone()), ..SessionSetup::default() };
        let plain = lease(&host, "plain").unwrap();
        assert_eq!(plain.workspace().evaluate, EvaluatePermission::ReadByDefault);
        let mine = host.lease("mine", None, &setup).unwrap();
        assert_eq!(mine.workspace().evaluate, EvaluatePermission::Off, "it may hold a login");
        assert!(host.lease("mine", None, &setup).is_ok() && lease(&host, "mine").is_ok());
        let refused = host.lease("plain", None, &setup).err().unwrap().to_string();
        assert!(refused.starts_with("--state: the session was opened with different"), "{refused}");
        std::fs::write(&file, "{").unwrap();
        let refused = host.lease("broken", None, &setup).err().unwrap().to_string();
        assert!(refused.starts_with("--state: ") && !refused.contains('\n'), "{refused}");
        assert_eq!(host.list().len(), 2);
    }

    #[tokio::test]
    async fn a_name_is_one_workspace() {
        let host = host(Duration::from_secs(60));
        let (a, again, b) = (lease(&host, "a"), lease(&host, "a"), lease(&host, "b"));
        let (a, again, b) = (a.unwrap(), again.unwrap(), b.unwrap());
        assert!(Arc::ptr_eq(a.workspace(), again.workspace()));
        assert!(!Arc::ptr_eq(a.workspace(), b.workspace()));
        let names: Vec<String> = host.list().into_iter().map(|listed| listed.name).collect();
        assert_eq!(names, ["a", "b"]);
        let found = [&a, &again, &b].map(|lease| lease.found);
        assert_eq!(found, [FoundWorkspace::New, FoundWorkspace::Open, FoundWorkspace::New]);
        assert!(host.end("a").await && !host.end("a").await);
        let new = lease(&host, "a").unwrap();
        assert!(!Arc::ptr_eq(a.workspace(), new.workspace()));
        assert_eq!(new.found, FoundWorkspace::Ended);
        assert!(host.end("a").await);
        for n in 0..MOST_ENDED {
            host.workspaces().remember_ended(n.to_string());
        }
        assert_eq!(lease(&host, "a").unwrap().found, FoundWorkspace::New, "it is forgotten");
    }

    #[tokio::test]
    async fn workspaces_are_limited() {
        let host = host(Duration::from_secs(60));
        for n in 0..MOST_WORKSPACES {
            drop(lease(&host, &n.to_string()).unwrap());
        }
        assert!(lease(&host, "more").is_err());
        assert!(lease(&host, "0").is_ok());
        assert!(host.end("1").await);
        assert!(lease(&host, "more").is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn only_idle_workspaces_end() {
        let host = host(Duration::from_secs(10));
        let used = lease(&host, "used").unwrap();
        drop(lease(&host, "idle").unwrap());
        let sweeping = tokio::spawn({
            let host = host.clone();
            async move { host.end_idle_workspaces().await }
        });
        tokio::time::sleep(Duration::from_secs(8)).await;
        assert_eq!(host.list().len(), 2);
        tokio::time::sleep(Duration::from_secs(4)).await;
        let names: Vec<String> = host.list().into_iter().map(|listed| listed.name).collect();
        assert_eq!(names, ["used"]);
        drop(used);
        tokio::time::sleep(Duration::from_secs(12)).await;
        assert!(host.is_empty());
        assert_eq!(lease(&host, "idle").unwrap().found, FoundWorkspace::Ended);
        sweeping.abort();
    }
}
