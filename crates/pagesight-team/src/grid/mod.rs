//! Sessions of a Selenium Grid, or of several. A page gets a session that is open and free, else
//! one that is started for it, whichever comes first. So a full Grid slows a run down and fails no
//! page. Sessions that were lost are replaced by new ones, at the next address. Every session is
//! given back: sessions that are still requested when a run ends are awaited and ended.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use pagesight_browser::{BrowserError, lock};
use pagesight_check::plan::Plan;
use pagesight_check::visit::{
    BrowserLease, CheckBrowser, CheckBrowsers, LeaseEnd, PageEnd, VisitError, session_options,
};
use pagesight_check::wording::plain;
use pagesight_core::text::address::without_values;
use pagesight_session::{Engine, LaunchOptions, Options, SessionError};
use tokio::sync::Notify;
use tokio::task::JoinSet;

/// The pauses between two requests that failed grow from the first to the last.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LAST_PAUSE: Duration = Duration::from_secs(4);
/// A page that waits this long for a session gets the place of a free one of the other engine.
const ROOM_AFTER: Duration = Duration::from_secs(5);
/// How long the sessions that are still requested at the end are awaited.
const LAST_REQUESTS: Duration = Duration::from_secs(30);
/// How long a Grid may take to start a session.
const GRID_LIMIT: Duration = Duration::from_secs(300);

type StartBrowser = Box<dyn Fn(Engine, &str) -> CheckBrowser + Send + Sync>;

/// The sessions of a run.
pub struct GridBrowsers(Arc<GridShared>);

struct GridShared {
    addresses: Vec<String>,
    /// How many sessions of each engine are open or requested at a time.
    most: usize,
    start: StartBrowser,
    state: Mutex<GridState>,
    /// A session became free, or a request failed.
    changed: Notify,
    /// Requests and endings of sessions.
    tasks: Mutex<JoinSet<()>>,
}

#[derive(Default)]
struct GridState {
    /// All open sessions, and whether a page uses each.
    open: Vec<GridSession>,
    /// How many sessions are requested, of each engine.
    requested: [usize; 2],
    /// How many pages wait for a session, of each engine.
    waiting: [usize; 2],
    /// The number of requests, which chooses the address.
    requests: usize,
    /// Why the last request failed.
    trouble: Option<String>,
    closing: bool,
}

/// A session that one page uses. If the page is given up, the session is ended, because its state
/// is not known.
struct GridLease {
    shared: Arc<GridShared>,
    browser: Arc<CheckBrowser>,
    /// Whether it was given back.
    over: bool,
}

#[async_trait]
impl BrowserLease for GridLease {
    fn browser(&self) -> &CheckBrowser {
        &self.browser
    }

    /// A Grid may keep a connection open whose node is gone.
    async fn give_back(mut self: Box<Self>, page: PageEnd) -> LeaseEnd {
        if page == PageEnd::Failed && !self.browser.answers().await {
            // Dropping a lease ends its session.
            return LeaseEnd::Lost;
        }
        let alive = self.browser.session.is_alive().await;
        self.over = true;
        self.shared.give_back(&self.browser, alive);
        LeaseEnd::Kept
    }
}

impl Drop for GridLease {
    fn drop(&mut self) {
        if !self.over && tokio::runtime::Handle::try_current().is_ok() {
            self.shared.give_back(&self.browser, false);
        }
    }
}

struct GridSession {
    engine: Engine,
    browser: Arc<CheckBrowser>,
    used: bool,
}

impl GridBrowsers {
    /// Creates the sessions of Grids for a plan, at most this many of each engine. None is started
    /// before it is needed.
    pub fn new(plan: &Plan, headed: bool, addresses: &[String], most: usize) -> GridBrowsers {
        let options = session_options(plan);
        let start = move |engine, url: &str| {
            let driver_limit = Some(GRID_LIMIT);
            let launch = LaunchOptions { engine, headed, driver_limit, ..LaunchOptions::default() };
            CheckBrowser::of(Options { launch, connect: Some(url.to_owned()), ..options.clone() })
        };
        GridBrowsers::started_by(addresses, most, Box::new(start))
    }

    fn started_by(addresses: &[String], most: usize, start: StartBrowser) -> GridBrowsers {
        GridBrowsers(Arc::new(GridShared {
            addresses: addresses.to_vec(),
            most: most.max(1),
            start,
            state: Mutex::default(),
            changed: Notify::new(),
            tasks: Mutex::default(),
        }))
    }

    /// Returns a session that no other page uses.
    async fn take(&self, engine: Engine, limit: Duration) -> Result<GridLease, VisitError> {
        let shared = &self.0;
        let _waiting = WaitingPage::new(shared, engine);
        let mut deadline = Instant::now() + limit;
        loop {
            let changed = shared.changed.notified();
            tokio::pin!(changed);
            // What changes from here on is not missed.
            changed.as_mut().enable();
            if let Some(browser) = shared.free(engine) {
                return Ok(GridLease { shared: shared.clone(), browser, over: false });
            }
            let until = deadline.min(Instant::now() + ROOM_AFTER);
            if tokio::time::timeout_at(until.into(), changed).await.is_ok() {
                continue;
            }
            shared.make_room(engine);
            if Instant::now() >= deadline {
                let state = shared.state();
                if !state.open.iter().any(|session| session.engine == engine) {
                    let why = state.trouble.as_deref().unwrap_or("every session is in use");
                    return Err(VisitError::NoBrowser { limit, reason: why.to_owned() });
                }
                // Other pages use the sessions; each of them has a time limit.
                deadline = Instant::now() + limit;
            }
        }
    }
}

#[async_trait]
impl CheckBrowsers for GridBrowsers {
    async fn lend(
        &self,
        engine: Engine,
        limit: Duration,
    ) -> Result<Box<dyn BrowserLease>, VisitError> {
        Ok(Box::new(self.take(engine, limit).await?))
    }

    /// Ends all sessions, also those that are requested.
    async fn close(&self) {
        let shared = &self.0;
        let open = {
            let mut state = shared.state();
            state.closing = true;
            std::mem::take(&mut state.open)
        };
        shared.changed.notify_waiters();
        for session in open {
            shared.end(session.browser);
        }
        let mut tasks = std::mem::take(&mut *shared.tasks());
        let all = async { while tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(LAST_REQUESTS, all).await.is_err() {
            tracing::warn!("the Grid did not answer all requests in time");
        }
    }
}

impl GridShared {
    fn state(&self) -> MutexGuard<'_, GridState> {
        lock(&self.state)
    }

    fn tasks(&self) -> MutexGuard<'_, JoinSet<()>> {
        lock(&self.tasks)
    }

    /// Returns a free session, or requests one.
    fn free(self: &Arc<Self>, engine: Engine) -> Option<Arc<CheckBrowser>> {
        let mut state = self.state();
        let free = |session: &&mut GridSession| session.engine == engine && !session.used;
        if let Some(session) = state.open.iter_mut().find(free) {
            session.used = true;
            return Some(session.browser.clone());
        }
        let of = index(engine);
        let open = state.open.iter().filter(|session| session.engine == engine).count();
        let enough = state.requested[of] >= state.waiting[of];
        if !state.closing && !enough && open + state.requested[of] < self.most {
            state.requested[of] += 1;
            let shared = self.clone();
            self.tasks().spawn(async move { shared.request(engine).await });
        }
        None
    }

    /// Ends a free session of the other engine, which may take the place on a full Grid.
    fn make_room(&self, engine: Engine) {
        let mut state = self.state();
        let other = |session: &GridSession| session.engine != engine && !session.used;
        if let Some(at) = state.open.iter().position(other) {
            let session = state.open.swap_remove(at);
            self.end(session.browser);
        }
    }

    /// Requests a session until there is one, or no page waits for it any more.
    async fn request(self: Arc<Self>, engine: Engine) {
        let mut pause = FIRST_PAUSE;
        loop {
            let address = {
                let mut state = self.state();
                let at = state.requests;
                state.requests += 1;
                self.addresses[at % self.addresses.len()].clone()
            };
            let browser = Arc::new((self.start)(engine, &address));
            // Starts the session.
            let started = browser.session.product().await;
            match self.requested(engine, &browser, &address, started.err()) {
                Requested::Done => return,
                Requested::TooLate => return browser.session.close().await,
                Requested::Failed => tokio::time::sleep(pause).await,
            }
            pause = (pause * 2).min(LAST_PAUSE);
        }
    }

    /// Records the end of a request.
    fn requested(
        &self,
        engine: Engine,
        browser: &Arc<CheckBrowser>,
        address: &str,
        error: Option<SessionError>,
    ) -> Requested {
        let mut state = self.state();
        let Some(error) = error else {
            state.requested[index(engine)] -= 1;
            if state.closing {
                return Requested::TooLate;
            }
            state.trouble = None;
            state.open.push(GridSession { engine, browser: browser.clone(), used: false });
            drop(state);
            self.changed.notify_waiters();
            return Requested::Done;
        };
        let address = without_values(address);
        state.trouble = Some(match error {
            SessionError::Browser(BrowserError::NotConnected { reason, .. }) => {
                format!("{address}: {reason}")
            }
            error => format!("{address}: {}", plain(&error)),
        });
        if state.closing || state.waiting[index(engine)] == 0 {
            state.requested[index(engine)] -= 1;
            return Requested::Done;
        }
        Requested::Failed
    }

    fn give_back(&self, browser: &Arc<CheckBrowser>, alive: bool) {
        let mut state = self.state();
        let at = state.open.iter().position(|session| Arc::ptr_eq(&session.browser, browser));
        // After `close` there is none.
        if let Some(at) = at {
            if alive {
                state.open[at].used = false;
            } else {
                let lost = state.open.swap_remove(at);
                self.end(lost.browser);
            }
        }
        drop(state);
        self.changed.notify_waiters();
    }

    /// Ends a session in the background.
    fn end(&self, browser: Arc<CheckBrowser>) {
        let mut tasks = self.tasks();
        // Finished tasks are not kept.
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move { browser.session.close().await });
    }
}

/// The outcome of a request.
enum Requested {
    /// There is a session, or nobody needs it any more.
    Done,
    /// There is a session, but the run is over.
    TooLate,
    /// It is tried again.
    Failed,
}

fn index(engine: Engine) -> usize {
    usize::from(engine == Engine::Firefox)
}

/// A page that waits for a session.
struct WaitingPage<'a> {
    shared: &'a GridShared,
    engine: Engine,
}

impl WaitingPage<'_> {
    fn new(shared: &GridShared, engine: Engine) -> WaitingPage<'_> {
        shared.state().waiting[index(engine)] += 1;
        WaitingPage { shared, engine }
    }
}

impl Drop for WaitingPage<'_> {
    fn drop(&mut self) {
        self.shared.state().waiting[index(self.engine)] -= 1;
    }
}

#[cfg(test)]
mod in_browser;
