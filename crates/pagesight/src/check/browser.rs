//! One browser of a check, with its set-up. A browser that ended is started anew by the session; here the set-up is done again for it, once, however many
//! pages were under way.

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::BrowserError;
use pagesight_session::{Engine, Eyes, LaunchOptions, Options, Portrait, SessionError, TabRecord, Taking};
use tokio::sync::Mutex;

use super::plan::{Plan, Setup};
use super::steps;
use super::words::plain;

/// How long closing a tab may take before it is left to the browser's end.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);

/// Why a try came to nothing.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The browser ended; not the page's fault, for all that is known.
    BrowserEnded,
    /// It would not help to try again.
    Final(String),
    /// Anything else, as a sentence.
    Failed(String),
}

impl From<SessionError> for Trouble {
    fn from(error: SessionError) -> Trouble {
        match error {
            SessionError::Browser(BrowserError::Disconnected) => Trouble::BrowserEnded,
            SessionError::Browser(
                BrowserError::NotInstalled { .. }
                | BrowserError::NotStarted { .. }
                | BrowserError::Unsupported { .. },
            ) => Trouble::Final(error.to_string()),
            error => Trouble::Failed(plain(&error)),
        }
    }
}

/// A browser.
pub(crate) struct Browser {
    pub(crate) eyes: Eyes,
    /// What came of the set-up in the browser that runs now.
    set_up: Mutex<SetUp>,
    /// Only the tab in front is drawn, so pictures are taken one after the other.
    camera: Mutex<()>,
}

#[derive(Default)]
struct SetUp {
    /// Counts the browsers.
    generation: u64,
    done: Option<Result<(), String>>,
}

impl Browser {
    /// A browser that is started when it is first needed.
    pub(crate) fn new(engine: Engine, headed: bool, plan: &Plan) -> Browser {
        let launch = LaunchOptions { engine, headed, ..LaunchOptions::default() };
        let folder = plan.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let upload_roots = vec![folder.unwrap_or(std::path::Path::new(".")).to_owned()];
        let eyes = Eyes::new(Options { launch, upload_roots, ..Options::default() });
        Browser { eyes, set_up: Mutex::default(), camera: Mutex::default() }
    }

    /// Makes sure that the set-up was done; answers with the number of the browser.
    pub(crate) async fn ready(&self, setup: Option<&Setup>) -> Result<u64, Trouble> {
        let mut state = self.set_up.lock().await;
        if state.done.is_some() && !self.eyes.is_alive().await {
            *state = SetUp { generation: state.generation + 1, done: None };
        }
        if state.done.is_none() {
            // A browser ends with its last tab, and what the set-up did with it; this one stays.
            self.eyes.open_tab(None).await?;
            let done = match setup {
                None => Ok(()),
                Some(setup) => match self.run_setup(setup).await {
                    Err(Trouble::BrowserEnded) => return Err(Trouble::BrowserEnded),
                    Err(Trouble::Final(why) | Trouble::Failed(why)) => Err(why),
                    Ok(()) => Ok(()),
                },
            };
            state.done = Some(done);
        }
        match &state.done {
            Some(Err(why)) => Err(Trouble::Final(format!("the [setup] failed: {why}"))),
            _ => Ok(state.generation),
        }
    }

    /// Takes note that the browser with this number ended.
    pub(crate) async fn ended(&self, generation: u64) {
        let mut state = self.set_up.lock().await;
        if state.generation == generation {
            *state = SetUp { generation: generation + 1, done: None };
        }
    }

    async fn run_setup(&self, setup: &Setup) -> Result<(), Trouble> {
        let tab = self.eyes.open_tab(None).await?;
        let work = async {
            let navigated = self.eyes.navigate(&tab, &setup.url, Some(setup.limit)).await?;
            if let Some(status) = navigated.status.filter(|status| *status >= 400) {
                return Err(Trouble::Failed(format!("{} answered {status}", navigated.url)));
            }
            steps::run(&self.eyes, &tab, &setup.steps).await.map_err(Trouble::Failed)
        };
        let done = tokio::time::timeout(setup.limit, work).await;
        let alive = self.eyes.is_alive().await;
        self.close(&tab).await;
        match done {
            _ if !alive => Err(Trouble::BrowserEnded),
            Ok(done) => done,
            Err(_) => Err(Trouble::Failed(format!("it took longer than {} s", setup.limit.as_secs()))),
        }
    }

    /// Closes a tab, whatever state it is in.
    pub(crate) async fn close(&self, tab: &Arc<TabRecord>) {
        let _ = tokio::time::timeout(CLOSE_LIMIT, self.eyes.close_tab(tab)).await;
    }

    /// The fingerprint of a page with a picture of the same moment.
    pub(crate) async fn portrait(&self, tab: &Arc<TabRecord>, taking: &Taking) -> Result<Portrait, Trouble> {
        let _camera = self.camera.lock().await;
        Ok(self.eyes.portrait(tab, taking).await?)
    }
}
