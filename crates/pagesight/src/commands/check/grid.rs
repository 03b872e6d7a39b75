//! Sessions of a Selenium Grid, or of several. A page gets a session that is open and free, else
//! one that is started for it, whichever comes first. So a full Grid slows a run down and fails no
//! page. Sessions that were lost are replaced by new ones, at the next address. Every session is
//! given back: sessions that are still requested when a run ends are awaited and ended.

use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use pagesight_browser::BrowserError;
use pagesight_browser::lock;
use pagesight_session::{Engine, SessionError};
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::browser::{CheckBrowser, VisitError};
use crate::report::words::plain;

/// The pauses between two requests that failed grow from the first to the last.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LAST_PAUSE: Duration = Duration::from_secs(4);
/// A page that waits this long for a session gets the place of a free one of the other engine.
const ROOM_AFTER: Duration = Duration::from_secs(5);
/// How long the sessions that are still requested at the end are awaited.
const LAST_REQUESTS: Duration = Duration::from_secs(30);

type StartBrowser = Box<dyn Fn(Engine, &str) -> CheckBrowser + Send + Sync>;

/// The sessions of a run.
pub(crate) struct GridBrowsers(Arc<GridShared>);

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
pub(crate) struct GridLease {
    shared: Arc<GridShared>,
    browser: Arc<CheckBrowser>,
    /// Whether it was given back.
    over: bool,
}

impl Deref for GridLease {
    type Target = CheckBrowser;

    fn deref(&self) -> &CheckBrowser {
        &self.browser
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
    pub(crate) fn new(addresses: &[String], most: usize, start: StartBrowser) -> GridBrowsers {
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
    pub(crate) async fn take(
        &self,
        engine: Engine,
        limit: Duration,
    ) -> Result<GridLease, VisitError> {
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
                    return Err(VisitError::Final(format!(
                        "no browser was started for it within {} s: {why}",
                        limit.as_secs()
                    )));
                }
                // Other pages use the sessions; each of them has a time limit.
                deadline = Instant::now() + limit;
            }
        }
    }

    /// Makes a session free for other pages; ends it if it was lost.
    pub(crate) async fn give_back(&self, mut lease: GridLease) {
        let alive = lease.session.is_alive().await;
        lease.over = true;
        self.0.give_back(&lease.browser, alive);
    }

    /// Ends all sessions, also those that are requested.
    pub(crate) async fn close(&self) {
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
mod in_browser {
    use std::process::{Child, Command, Stdio};

    use pagesight_session::Options;

    use super::*;
    use crate::commands::check::browser::session_options;
    use crate::commands::check::plan::{Overrides, Plan};

    /// A chromedriver, which is a WebDriver endpoint like a Grid. It ends with the test.
    struct Driver {
        process: Child,
        address: String,
    }

    impl Driver {
        async fn start() -> Option<Driver> {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port();
            drop(listener);
            let mut command = Command::new("chromedriver");
            command.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null());
            let Ok(process) = command.spawn() else {
                if let Ok(file) = std::env::var("PAGESIGHT_TEST_SKIPS") {
                    use std::io::Write;
                    let opened = std::fs::OpenOptions::new().append(true).create(true).open(file);
                    let line = "sessions of a Grid: chromedriver is not installed";
                    let _ = opened.and_then(|mut file| writeln!(file, "{line}"));
                }
                return None;
            };
            while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Some(Driver { process, address: format!("http://127.0.0.1:{port}") })
        }

        /// Returns the processes of browsers that the driver started.
        fn browsers(&self) -> usize {
            // Any of its threads may have started one.
            let threads = std::fs::read_dir(format!("/proc/{}/task", self.process.id()));
            let threads = threads.into_iter().flatten().flatten();
            let children = threads.map(|thread| {
                std::fs::read_to_string(thread.path().join("children")).unwrap_or_default()
            });
            children.map(|children| children.split_whitespace().count()).sum()
        }
    }

    impl Drop for Driver {
        fn drop(&mut self) {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }

    fn start() -> StartBrowser {
        let text = "[[page]]\nurl = \"http://a/\"\n";
        let path = std::path::Path::new("pages.toml");
        let plan = Plan::read(path, text, &Overrides::default(), &|_| None).unwrap();
        Box::new(move |engine, url| {
            let launch = pagesight_session::LaunchOptions { engine, ..Default::default() };
            let connect = Some(url.to_owned());
            CheckBrowser::of(Options { launch, connect, ..session_options(&plan) })
        })
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn sessions_are_shared_replaced_and_given_back() {
        let Some(driver) = Driver::start().await else { return };
        // Nothing listens at the first address: its requests are repeated at the other one.
        let addresses = ["http://127.0.0.1:9".to_owned(), driver.address.clone()];
        let grid = Arc::new(GridBrowsers::new(&addresses, 2, start()));
        let limit = Duration::from_secs(60);
        let first = grid.take(Engine::Chromium, limit).await.unwrap();
        let second = grid.take(Engine::Chromium, limit).await.unwrap();
        let (known, lost) = (first.browser.clone(), second.browser.clone());
        assert!(!Arc::ptr_eq(&known, &lost));
        assert_eq!(driver.browsers(), 2);

        // There are no more than two: the third page waits for one of them.
        let waiting = grid.clone();
        let third = tokio::spawn(async move { waiting.take(Engine::Chromium, limit).await });
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!third.is_finished());
        grid.give_back(first).await;
        let third = third.await.unwrap().unwrap();
        assert!(Arc::ptr_eq(&known, &third.browser));

        // A session that was lost is replaced.
        second.session.close().await;
        grid.give_back(second).await;
        let fourth = grid.take(Engine::Chromium, limit).await.unwrap();
        assert!(!Arc::ptr_eq(&fourth.browser, &lost) && fourth.session.is_alive().await);

        // So is the session of a page that was given up.
        let lost = fourth.browser.clone();
        drop(fourth);
        let fifth = grid.take(Engine::Chromium, limit).await.unwrap();
        assert!(!Arc::ptr_eq(&fifth.browser, &lost) && fifth.session.is_alive().await);

        // A session that is requested when the run ends is ended, too.
        grid.give_back(third).await;
        let late = grid.clone();
        let late = tokio::spawn(async move { late.take(Engine::Chromium, limit).await });
        late.abort();
        grid.close().await;
        let begun = Instant::now();
        while driver.browsers() > 0 && begun.elapsed() < Duration::from_secs(10) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(driver.browsers(), 0, "all are given back");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn sources_use_a_session_and_give_it_back() {
        use axum::{Router, response::Html, routing::get};
        let Some(driver) = Driver::start().await else { return };
        let site = Router::new()
            .route("/", get(|| async { Html("<a href='/two'>Two</a>") }))
            .route("/two", get(|| async { Html("<h1>Two</h1>") }));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let served = tokio::spawn(async move { axum::serve(listener, site).await });
        let text =
            format!("base_url = \"http://{address}\"\nlinks = {{ from = \"/\", depth = 1 }}");
        let path = std::path::Path::new("pages.toml");
        let mut plan = Plan::read(path, &text, &Overrides::default(), &|_| None).unwrap();
        let (grid, mut most) = ([driver.address.clone()], 0);
        let notes = {
            let listing = crate::commands::check::sources::add_pages(&mut plan, &grid);
            tokio::pin!(listing);
            loop {
                tokio::select! {
                    notes = &mut listing => break notes.unwrap(),
                    () = tokio::time::sleep(Duration::from_millis(20)) => {
                        most = most.max(driver.browsers());
                    }
                }
            }
        };
        served.abort();
        assert!(notes[0].ends_with(": 2 pages"), "{notes:?}");
        assert_eq!((plan.jobs.len(), most), (2, 1), "in a browser of the driver");
        let begun = Instant::now();
        while driver.browsers() > 0 && begun.elapsed() < Duration::from_secs(10) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(driver.browsers(), 0, "it is given back");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_page_without_a_browser_fails_after_its_time() {
        let grid = GridBrowsers::new(&["http://127.0.0.1:9".to_owned()], 2, start());
        let begun = Instant::now();
        let failed = grid.take(Engine::Chromium, Duration::from_secs(1)).await;
        let Err(VisitError::Final(why)) = failed else { panic!("a browser") };
        assert!(why.contains("127.0.0.1:9") && why.contains("within 1 s"), "{why}");
        assert!(begun.elapsed() < Duration::from_secs(5));
        grid.close().await;
    }
}
