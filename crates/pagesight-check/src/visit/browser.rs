//! One browser of a check, with its `[setup]`. The session restarts a browser that ended; this file
//! then runs the set-up again, once for all pages.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesight_browser::BrowserError;
use pagesight_core::text::address::without_values;
use pagesight_session::{
    FingerprintRequest, FingerprintWithPicture, LaunchOptions, Options, Session, SessionError,
    TabRecord,
};
use tokio::sync::Mutex;

use super::error::VisitError;
use super::steps;
use crate::plan::{Plan, Setup};
use crate::wording::CHECK;

/// How long closing a tab may take; after that it stays open until the browser closes.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);
/// The part of a time limit that is reserved for reading the page: a quarter, and at most this.
const LOOKING: Duration = Duration::from_secs(5);

/// Returns the time by which a page with this time limit has to be loaded, so that there is time
/// left to read it.
pub(super) fn looked_at_by(limit: Duration) -> Instant {
    Instant::now() + limit - LOOKING.min(limit / 4)
}

/// A browser with its set-up.
pub struct CheckBrowser {
    /// The session of the browser.
    pub session: Arc<Session>,
    /// The state of the set-up in the running browser.
    set_up: Mutex<SetupState>,
    /// Locked while a picture is taken, because only the tab in front is drawn.
    camera: Mutex<()>,
}

/// The state of the set-up.
#[derive(Default)]
struct SetupState {
    /// The number of the browser that it ran in, counted by the session.
    generation: u64,
    done: Option<Result<(), String>>,
    /// Notes for the first page that uses the browser.
    notes: Vec<String>,
}

/// A browser whose set-up is done.
pub(crate) struct ReadyBrowser {
    /// Its number; a different number means that the set-up is lost.
    pub(crate) generation: u64,
    /// Notes on the set-up, for the first caller only.
    pub(crate) notes: Vec<String>,
}

/// Returns the options that all browsers of a plan have.
pub fn session_options(plan: &Plan) -> Options {
    let folder = plan.path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(std::path::Path::new("."));
    let (upload_roots, origins) = match &plan.bounds {
        None => (vec![folder.to_owned()], Vec::new()),
        Some(bounds) => (bounds.upload_root.iter().cloned().collect(), bounds.origins.clone()),
    };
    Options {
        for_fingerprints: true,
        upload_roots,
        origins,
        wording: CHECK,
        hidden: plan.secrets.in_pages(),
        state: plan.loaded.clone(),
        ..Options::default()
    }
}

impl CheckBrowser {
    /// Creates a browser of this machine, which starts when it is first needed.
    pub fn new(launch: LaunchOptions, plan: &Plan) -> CheckBrowser {
        CheckBrowser::of(Options { launch, ..session_options(plan) })
    }

    /// Creates a browser with these options.
    pub fn of(options: Options) -> CheckBrowser {
        let session = Arc::new(Session::new(options));
        CheckBrowser { session, set_up: Mutex::default(), camera: Mutex::default() }
    }

    /// Runs the set-up unless it was done in the running browser.
    pub(crate) async fn ready(&self, setup: Option<&Setup>) -> Result<ReadyBrowser, VisitError> {
        let mut state = self.set_up.lock().await;
        if !self.is_still(state.generation).await {
            *state = SetupState::default();
        }
        if state.done.is_none() {
            // A browser closes with its last tab, and the set-up is lost. So this tab stays open.
            let mut notes = Vec::new();
            match self.session.open_tab(None).await {
                // On a busy machine the start may time out once. A missing browser fails again at
                // once.
                Err(SessionError::Browser(error @ BrowserError::NotStarted { .. })) => {
                    notes.push(format!("{error}; tried again"));
                    self.session.open_tab(None).await?;
                }
                opened => drop(opened?),
            }
            let generation = self.session.browsers_started();
            let done = match setup {
                None => Ok(()),
                Some(setup) => match self.try_setup(setup, &mut notes).await {
                    Err(VisitError::BrowserEnded) => return Err(VisitError::BrowserEnded),
                    Err(error) => Err(error.to_string()),
                    Ok(()) => Ok(()),
                },
            };
            if !self.is_still(generation).await {
                return Err(VisitError::BrowserEnded);
            }
            *state = SetupState { generation, done: Some(done), notes };
        }
        match &state.done {
            Some(Err(why)) => Err(VisitError::Setup(why.clone())),
            _ => Ok(ReadyBrowser {
                generation: state.generation,
                notes: std::mem::take(&mut state.notes),
            }),
        }
    }

    /// Reports whether the browser with this number is running.
    pub(crate) async fn is_still(&self, generation: u64) -> bool {
        self.session.is_alive().await && self.session.browsers_started() == generation
    }

    /// Runs the set-up until it succeeds or has no retries left. Failed tries are noted.
    async fn try_setup(&self, setup: &Setup, notes: &mut Vec<String>) -> Result<(), VisitError> {
        let mut tries = 1;
        loop {
            match self.run_setup(setup).await {
                Err(error) if error.is_final() || error == VisitError::BrowserEnded => {
                    return Err(error);
                }
                Err(why) if tries <= setup.retries => {
                    notes.push(format!("try {tries} of the [setup] failed: {why}; tried again"));
                    tries += 1;
                }
                Err(reason) if tries > 1 => {
                    return Err(VisitError::Repeated { reason: Box::new(reason), tries });
                }
                done => return done,
            }
        }
    }

    async fn run_setup(&self, setup: &Setup) -> Result<(), VisitError> {
        let tab = self.session.open_tab(None).await?;
        let work = async {
            let until = looked_at_by(setup.limit);
            let loading = until.saturating_duration_since(Instant::now());
            let navigated = self.session.navigate(&tab, &setup.url, Some(loading)).await?;
            if let Some(status) = navigated.status.filter(|status| *status >= 400) {
                let address = without_values(&navigated.url);
                return Err(VisitError::SetupStatus { address, status });
            }
            self.session.check_origin(&tab).await?;
            steps::run(&self.session, &tab, &setup.steps, until).await?;
            Ok(self.session.check_origin(&tab).await?)
        };
        let done = tokio::time::timeout(setup.limit, work).await;
        let alive = self.session.is_alive().await;
        self.close(&tab).await;
        match done {
            _ if !alive => Err(VisitError::BrowserEnded),
            Ok(done) => done,
            Err(_) => Err(VisitError::SetupTookTooLong(setup.limit)),
        }
    }

    /// Closes a tab in any state.
    pub(crate) async fn close(&self, tab: &Arc<TabRecord>) {
        let _ = tokio::time::timeout(CLOSE_LIMIT, self.session.close_tab(tab)).await;
    }

    /// Reports whether the browser opens a tab within a few seconds.
    pub async fn answers(&self) -> bool {
        match tokio::time::timeout(CLOSE_LIMIT, self.session.open_tab(None)).await {
            Ok(Ok(tab)) => {
                self.close(&tab).await;
                true
            }
            _ => false,
        }
    }

    /// Takes the fingerprint of a page and a picture of the same moment.
    pub(crate) async fn fingerprint_with_picture(
        &self,
        tab: &Arc<TabRecord>,
        request: &FingerprintRequest,
    ) -> Result<FingerprintWithPicture, VisitError> {
        let _camera = self.camera.lock().await;
        Ok(self.session.fingerprint_with_picture(tab, request).await?)
    }
}

#[cfg(test)]
mod in_browser {
    use std::path::Path;

    use super::*;
    use crate::plan::Overrides;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_restarted_browser_is_not_the_one_that_was_set_up() {
        let text = "[[page]]\nurl = \"http://a/\"\n";
        let plan =
            Plan::read(Path::new("pages.toml"), text, &Overrides::default(), &|_| None).unwrap();
        let first = pagesight_browser::launch(&LaunchOptions::default()).await.unwrap();
        let its_end = first.browser.clone();
        let browser = CheckBrowser {
            session: Arc::new(Session::with_browser(Options::default(), first)),
            ..CheckBrowser::new(LaunchOptions::default(), &plan)
        };
        let ready = browser.ready(None).await.unwrap();
        assert!(browser.is_still(ready.generation).await);
        // The browser ends, and the next call starts a new one.
        its_end.close().await;
        browser.session.open_tab(None).await.unwrap();
        assert!(browser.session.is_alive().await && !browser.is_still(ready.generation).await);
        let again = browser.ready(None).await.unwrap();
        assert!(again.generation > ready.generation && browser.is_still(again.generation).await);
        browser.session.close().await;
    }
}
