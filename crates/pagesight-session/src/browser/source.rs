//! Where a session gets its browser from: one of its own that it starts or connects to, or a part
//! of one that it shares with other sessions.

use std::sync::Arc;

use pagesight_browser::{
    Connected, LaunchOptions, NameFilter, PendingConsent, SharedBrowser, Sharing, connect,
    is_running_name, launch,
};
use tokio::sync::Mutex as AsyncMutex;

use crate::browser::consent::{Consent, consent};
use crate::error::Result;
use crate::session::options::Options;

/// A browser that was asked for.
pub(crate) enum Start {
    Ready {
        connected: Connected,
        /// Whether no session has used its cookies and storage yet.
        fresh: bool,
    },
    /// Its user has not allowed the connection yet.
    Waiting(PendingConsent),
}

/// Where a session gets its browser from.
pub(crate) enum BrowserSource {
    /// The session has a browser of its own.
    Own(Box<Starter>),
    /// The session has a part of a browser.
    Shared(Arc<BrowserPool>),
}

impl BrowserSource {
    pub(crate) async fn start(&self) -> Result<Start> {
        match self {
            BrowserSource::Own(starter) => starter.start().await,
            BrowserSource::Shared(pool) => pool.part().await,
        }
    }

    /// Withdraws a question that the user has not answered.
    pub(crate) async fn withdraw(&self) {
        if let BrowserSource::Own(starter) = self {
            starter.withdraw().await;
        }
    }
}

/// Starts a browser or connects to one, as the options say.
pub(crate) struct Starter {
    launch: LaunchOptions,
    connect: Option<String>,
    /// The connection that the user has not allowed yet.
    consent: AsyncMutex<Option<PendingConsent>>,
}

impl Starter {
    pub(crate) fn new(options: &Options) -> Starter {
        let hidden = options.all_hidden();
        let launch = LaunchOptions {
            viewport: options.viewport,
            download_names: NameFilter::new(move |name| hidden.hide(name.to_owned())),
            ..options.launch.clone()
        };
        Starter { launch, connect: options.connect.clone(), consent: AsyncMutex::new(None) }
    }

    async fn start(&self) -> Result<Start> {
        let connected = match &self.connect {
            Some(name) if is_running_name(name) => {
                match consent(&mut *self.consent.lock().await, name).await? {
                    Consent::Given(connected) => connected,
                    Consent::Pending(pending) => return Ok(Start::Waiting(pending)),
                }
            }
            Some(url) => connect(&self.launch, url).await?,
            None => launch(&self.launch).await?,
        };
        Ok(Start::Ready { connected, fresh: true })
    }

    async fn withdraw(&self) {
        *self.consent.lock().await = None;
    }
}

/// A browser that several sessions share. It is started when a session first needs it, and again if
/// it ended.
pub struct BrowserPool {
    starter: Starter,
    sharing: Sharing,
    running: AsyncMutex<Option<RunningBrowser>>,
    /// Held while a session copies or pastes by key, because the browser has one clipboard.
    pub(crate) clipboard_turn: Arc<AsyncMutex<()>>,
}

struct RunningBrowser {
    browser: Arc<SharedBrowser>,
    /// Whether a session has got a part of it.
    used: bool,
}

impl BrowserPool {
    /// Creates a pool. The sessions have their own cookies and storage, except in the user's own
    /// browser and in a profile that is kept.
    pub fn new(options: &Options) -> Arc<BrowserPool> {
        let common = options.connect.is_some() || options.launch.profile.is_some();
        Arc::new(BrowserPool {
            starter: Starter::new(options),
            sharing: if common { Sharing::Cookies } else { Sharing::Separate },
            running: AsyncMutex::new(None),
            clipboard_turn: Arc::default(),
        })
    }

    /// Returns a part of the browser for one session.
    async fn part(&self) -> Result<Start> {
        let mut running = self.running.lock().await;
        if let Some(dead) = running.take_if(|running| !running.browser.is_alive()) {
            dead.browser.close().await;
        }
        let running = match &mut *running {
            Some(running) => running,
            none => match self.starter.start().await? {
                Start::Waiting(pending) => return Ok(Start::Waiting(pending)),
                Start::Ready { connected, .. } => {
                    let browser = Arc::new(SharedBrowser::new(connected, self.sharing));
                    none.insert(RunningBrowser { browser, used: false })
                }
            },
        };
        let connected = running.browser.part().await?;
        let fresh = self.sharing == Sharing::Separate || !running.used;
        running.used = true;
        Ok(Start::Ready { connected, fresh })
    }

    /// Ends the browser, or disconnects from it, if no session has a part of it.
    pub async fn close_unused(&self) {
        // The lock is held, so that no session gets a part meanwhile.
        let mut running = self.running.lock().await;
        if let Some(unused) = running.take_if(|running| running.browser.is_unused()) {
            unused.browser.close().await;
        }
    }

    /// Ends the browser, or disconnects from it if it is the user's. The next session that needs
    /// one starts it again.
    pub async fn close(&self) {
        self.starter.withdraw().await;
        let running = self.running.lock().await.take();
        if let Some(running) = running {
            running.browser.close().await;
        }
    }
}
