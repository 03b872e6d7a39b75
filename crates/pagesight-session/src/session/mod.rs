//! `Session`: a browser, its tabs and the references to their elements. Starts the browser when it
//! is first needed, and again if it ended.

pub(crate) mod emulate;
pub(crate) mod features;
pub(crate) mod options;
pub(crate) mod origins;
pub(crate) mod shared;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pagesight_browser::lock;
use pagesight_browser::{Browser, BrowserEvent, Connected};
use pagesight_core::hint::Wording;
use pagesight_core::settle::SettleRules;
use pagesight_core::text::hidden_values::HiddenValues;
use tokio::sync::Mutex as AsyncMutex;
use tokio_util::sync::CancellationToken;

use crate::act::clipboard::OwnClipboard;
use crate::browser::source::{BrowserPool, BrowserSource, Start, Starter};
use crate::error::{Result, SessionError};
use crate::navigate::address::{Address, FileUrls};
use crate::secrets::Secrets;
use crate::session::features::Feature;
use crate::session::options::Options;
use crate::session::shared::Shared;
use crate::state::BrowserState;
use crate::tab::error::TabError;
use crate::tab::info::TabInfo;
use crate::tab::record::TabRecord;
use crate::wait::host_names::HostNames;
use pagesight_core::web_origin::WebOrigin;

/// The notices of an answer that comes after the browser ended: no new one could be started, a new
/// one was started, or the connection to the user's browser is lost.
const ENDED: &str = "the browser had ended; its tabs and references are gone";
const REPLACED: &str =
    "the browser had ended; a new one was started, its tabs and references are new";
const DISCONNECTED: &str =
    "the connection to the browser had ended; tabs and references from before are gone";

/// A session: a browser, its tabs, and the numbers that elements were shown with.
pub struct Session {
    pub(crate) options: Options,
    source: BrowserSource,
    /// Only in a browser that several sessions share.
    pub(crate) clipboard: Option<OwnClipboard>,
    browser: AsyncMutex<Option<Arc<dyn Browser>>>,
    /// Held while the first tab is opened, so that two first calls do not open two.
    pub(crate) first_tab: AsyncMutex<()>,
    /// How many browsers were started or connected to.
    started: AtomicU64,
    /// Whether it was closed. Then no browser is started again.
    closed: AtomicBool,
    pub(crate) shared: Arc<Shared>,
}

/// Adds a tab that the session did not open. `connected`: the browser is the user's.
fn adopt(shared: &Shared, event: BrowserEvent, connected: bool) {
    match event {
        BrowserEvent::TabOpened { opened, opener } => {
            // A pop-up of one of our tabs is ours too; a tab that the user opens is not.
            let mut tabs = shared.tabs();
            let ours = opener
                .as_ref()
                .is_some_and(|opener| tabs.by_engine_id(opener).is_some_and(|tab| tab.ours));
            // In the user's browser a tab without an opener is the user's own.
            if connected && opener.is_none() {
                tabs.add(opened, ours, opener);
            } else if let Err(refused) = tabs.add_pop_up(opened, ours, opener)
                && (ours || !connected)
            {
                tokio::spawn(async move { refused.tab.close().await });
            }
            drop(tabs);
            shared.tab_came.notify_waiters();
        }
        BrowserEvent::TabFound(tab) => shared.tabs().found(tab),
        BrowserEvent::TabGone(id) => shared.tabs().gone(&id),
        BrowserEvent::Disconnected => {}
    }
}

impl Session {
    /// Makes a session. No browser is started before one is needed.
    pub fn new(options: Options) -> Session {
        let shared = Arc::new(Shared::new(&options));
        shared.tabs().names = HostNames::new(shared.is_users, &options.launch);
        shared.tabs().hidden = Arc::new(options.all_hidden());
        Session {
            source: BrowserSource::Own(Box::new(Starter::new(&options))),
            clipboard: None,
            options,
            browser: AsyncMutex::new(None),
            first_tab: AsyncMutex::new(()),
            started: AtomicU64::new(0),
            closed: AtomicBool::new(false),
            shared,
        }
    }

    /// Makes a session over a browser that is connected already, of any engine. If that browser
    /// ends, the next one is started as `options` say. Must be called inside a tokio runtime.
    pub fn with_browser(options: Options, connected: Connected) -> Session {
        let session = Session {
            browser: AsyncMutex::new(Some(connected.browser.clone())),
            started: AtomicU64::new(1),
            ..Session::new(options)
        };
        session.adopt_tabs(connected);
        session
    }

    /// Makes a session in a browser that it shares with others. `options` must be those of the
    /// pool, as far as they concern the browser.
    pub fn sharing(options: Options, pool: Arc<BrowserPool>) -> Session {
        let clipboard = Some(OwnClipboard::new(pool.clipboard_turn.clone()));
        Session { source: BrowserSource::Shared(pool), clipboard, ..Session::new(options) }
    }

    /// Records that a person uses a tab of the session from now on, and may log in there. Call it
    /// wherever a person gets control: before the window is theirs, not afterwards.
    pub fn person_takes_over(&self) {
        self.shared.person_takes_over();
    }

    /// Whether a person has used a tab of the session.
    pub fn had_person(&self) -> bool {
        self.shared.had_person()
    }

    /// Returns what the next answer must report first, such as that the browser had ended and
    /// whether a new one was started.
    pub fn take_notice(&self) -> Option<String> {
        self.shared.notice().take()
    }

    /// Returns the running browser; starts one, or connects to one, if there is none.
    pub(crate) async fn browser(&self) -> Result<Arc<dyn Browser>> {
        loop {
            let mut running = self.browser.lock().await;
            if self.closed.load(Ordering::SeqCst) {
                return Err(SessionError::Closed);
            }
            if let Some(browser) = running.as_ref().filter(|browser| browser.is_alive()) {
                return Ok(browser.clone());
            }
            if let Some(dead) = running.take() {
                dead.close().await;
                self.shared.tabs().clear();
                // Reported with the next answer, even if no new one can be started.
                let notice = if self.options.connect.is_some() { DISCONNECTED } else { ENDED };
                *self.shared.notice() = Some(notice.to_owned());
            }
            let (connected, fresh) = match self.source.start().await? {
                Start::Ready { connected, fresh } => (connected, fresh),
                Start::Waiting(pending) => {
                    // Other calls wait at the same time, not one after the other.
                    drop(running);
                    self.options.consent.wait(&pending).await?;
                    continue;
                }
            };
            let browser = connected.browser.clone();
            let loads = fresh && self.options.connect.is_none();
            if let Some(state) = self.options.state.as_ref().filter(|_| loads)
                && let Err(error) = state.load(&*browser).await
            {
                browser.close().await;
                return Err(error);
            }
            self.adopt_tabs(connected);
            *running = Some(browser.clone());
            let is_replaced = self.started.fetch_add(1, Ordering::SeqCst) > 0;
            if is_replaced && self.options.connect.is_none() {
                *self.shared.notice() = Some(REPLACED.to_owned());
            }
            return Ok(browser);
        }
    }

    /// Returns how many browsers there have been so far. If the number changed, everything that was
    /// set up in the browser before is gone, such as a login. Callers that run several pages
    /// compare it, so that the setup is repeated only once.
    pub fn browsers_started(&self) -> u64 {
        self.started.load(Ordering::SeqCst)
    }

    /// Whether a browser is running; does not start one.
    pub async fn is_alive(&self) -> bool {
        self.browser.lock().await.as_ref().is_some_and(|browser| browser.is_alive())
    }

    /// Adds tabs that the session did not open: pop-ups, and the user's own.
    fn adopt_tabs(&self, connected: Connected) {
        let (shared, mut events) = (self.shared.clone(), connected.events);
        let theirs = self.options.connect.is_some();
        // Existing tabs are known before the first call continues.
        while let Ok(event) = events.try_recv() {
            adopt(&shared, event, theirs);
        }
        tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                adopt(&shared, event, theirs);
            }
        });
    }

    /// Returns the product and version of the browser; starts one if there is none.
    pub async fn product(&self) -> Result<String> {
        Ok(self.browser().await?.product().to_owned())
    }

    /// Whether the page of a tab knows what its scripts have scheduled.
    pub async fn has_hooks(&self, tab: &TabRecord) -> Result<bool> {
        let answer = tab.script(None, SettleRules::ACTION.limit).activity_now(true).await?;
        Ok(answer.schedule.is_some())
    }

    /// Finds a tab by its name or id; without one, returns the active tab, which is opened if there
    /// is none. A tab of the user is attached to. If the caller has not chosen one, the only tab of
    /// the user is taken; if there are several, this is an error.
    pub async fn tab(&self, given: Option<&str>) -> Result<Arc<TabRecord>> {
        let browser = self.browser().await?;
        if let Some(given) = given {
            let unchosen = self.shared.tabs().unchosen(given);
            return match unchosen {
                Some(tab) => self.choose(&browser, &tab).await,
                None => self.shared.tabs().find(given),
            };
        }
        let _first = self.first_tab.lock().await;
        if let Some(record) = self.shared.tabs().active() {
            return Ok(record);
        }
        if let Some(only) = self.only_tab()? {
            return self.choose(&browser, &only).await;
        }
        self.open_active(&browser).await
    }

    /// Opens a tab and makes it the active one.
    pub(crate) async fn open_active(&self, browser: &Arc<dyn Browser>) -> Result<Arc<TabRecord>> {
        let opened = browser.open_tab(self.options.viewport).await?;
        let opened = self.with_conditions(opened, &self.options.emulation).await?;
        let mut tabs = self.shared.tabs();
        let record = tabs.add(opened, true, None);
        tabs.activate(&record);
        Ok(record)
    }

    /// Opens a new tab and makes it the active one.
    pub async fn open_tab(&self, name: Option<&str>) -> Result<Arc<TabRecord>> {
        let browser = self.browser().await?;
        if let Some(name) = name {
            self.check_name(name, None)?;
        }
        if let Some(most) = self.options.most_tabs
            && self.open_tabs() >= most
        {
            return Err(TabError::TooMany { most }.into());
        }
        let record = self.open_active(&browser).await?;
        *lock(&record.name) = name.map(str::to_owned);
        Ok(record)
    }

    /// Returns the open tabs.
    pub async fn tabs(&self) -> Result<Vec<TabInfo>> {
        self.browser().await?;
        Ok(self.shared.tabs().list())
    }

    /// Returns how many tabs it opened or chose; starts no browser.
    pub fn open_tabs(&self) -> usize {
        self.shared.tabs().used()
    }

    /// Makes a tab the active one, which calls without a tab use.
    pub fn select_tab(&self, record: &TabRecord) {
        self.shared.tabs().activate(record);
    }

    /// Gives a tab a name.
    pub fn name_tab(&self, record: &TabRecord, name: &str) -> Result<()> {
        self.check_name(name, Some(record.key))?;
        *lock(&record.name) = Some(name.to_owned());
        Ok(())
    }

    fn check_name(&self, name: &str, except: Option<u32>) -> Result<()> {
        let fine = |c: char| c.is_alphanumeric() || "._- ".contains(c);
        let like_an_id = name
            .strip_prefix('t')
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        if name.is_empty() || name.chars().count() > 60 || !name.chars().all(fine) || like_an_id {
            let shown: String = name.chars().take(60).collect();
            return Err(TabError::Name { name: shown }.into());
        }
        let mut tabs = self.shared.tabs();
        match tabs.find(name) {
            Ok(other) if Some(other.key) != except => {
                Err(TabError::NameTaken { name: name.to_owned(), id: other.id.clone() }.into())
            }
            _ => Ok(()),
        }
    }

    /// Closes a tab that was opened here, even if its page hangs.
    pub async fn close_tab(&self, record: &TabRecord) -> Result<()> {
        if self.options.connect.is_some() && !record.ours {
            return Err(TabError::NotOurs { tab: record.label() }.into());
        }
        self.end_tab(record).await?;
        record.state.record(pagesight_browser::TabEvent::Closed);
        self.shared.tabs().sweep();
        *record.cached_fingerprint() = None;
        Ok(())
    }

    /// Returns how hints in answers are worded.
    pub fn wording(&self) -> Wording {
        self.options.wording
    }

    /// Returns the secrets that may be typed by their names.
    pub fn secrets(&self) -> &Secrets {
        &self.options.secrets
    }

    /// Reads the cookies of the browser, and the localStorage of these origins, of the open tabs,
    /// of the state that it started with and of the hosts that have cookies. Also returns sentences
    /// on what is missing. Ends early if `stop` is given.
    pub async fn save_state(
        &self,
        origins: &[WebOrigin],
        stop: &CancellationToken,
    ) -> Result<(BrowserState, Vec<String>)> {
        let browser = self.browser().await?;
        let open = self.shared.tabs().list();
        let mut wanted: Vec<WebOrigin> = origins.to_vec();
        wanted.extend(open.iter().filter_map(|tab| WebOrigin::of_address(&tab.url)));
        BrowserState::save(&*browser, wanted, self.options.state.as_deref(), stop).await
    }

    /// Returns the values that must not be printed or saved. Texts of pages do not contain them.
    pub fn hidden_values(&self) -> Arc<HiddenValues> {
        self.shared.tabs().hidden.clone()
    }

    /// Whether a feature is on.
    pub fn has(&self, feature: Feature) -> bool {
        self.shared.has(feature)
    }

    /// Turns a feature on, for this session.
    pub fn turn_on(&self, feature: Feature) {
        self.shared.features.set(feature, true);
    }

    /// Turns a feature off, for this session.
    pub fn turn_off(&self, feature: Feature) {
        self.shared.features.set(feature, false);
    }

    /// Parses a URL, if this session may open it.
    pub fn address(&self, given: &str) -> Result<Address> {
        let allowed = self.options.allow_file;
        Ok(Address::parse(given, if allowed { FileUrls::Allowed } else { FileUrls::Refused })?)
    }

    /// Fails at once if the tab cannot answer: a dialog is open, its page hangs, it crashed, or it
    /// is closed.
    pub(crate) fn check_tab(&self, record: &TabRecord) -> Result<()> {
        let blocked = record.state.now().blocked();
        Ok(blocked.map_or_else(|| record.main_thread.check(), Err)?)
    }

    /// Ends the session: a browser that it started ends, a browser that it connected to is left
    /// running.
    pub async fn close(&self) {
        let browser = {
            let mut running = self.browser.lock().await;
            self.closed.store(true, Ordering::SeqCst);
            running.take()
        };
        // A question that the user has not answered is withdrawn.
        self.source.withdraw().await;
        if let Some(browser) = browser {
            if self.options.connect.is_some() {
                // In a browser that it connected to, only its own tabs are closed.
                let ours = self.shared.tabs().ours();
                for record in ours {
                    let _ = record.tab.close().await;
                }
                self.end_emulation().await;
            }
            browser.close().await;
        }
    }
}
