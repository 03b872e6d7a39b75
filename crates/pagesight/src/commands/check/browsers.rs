//! The browsers of a run: one of each engine on this machine, or sessions of a Selenium Grid.

use std::ops::Deref;
use std::time::Duration;

use pagesight_session::{Engine, LaunchOptions, Options};

use super::browser::{CheckBrowser, VisitError, session_options};
use super::grid::{GridBrowsers, GridLease};
use super::plan::Plan;

/// How long a Grid may take to start a browser: its own limit for queued requests. Giving up
/// earlier would leave a session there that nobody ends.
const GRID_LIMIT: Duration = Duration::from_secs(300);

/// The browsers of a run.
pub(crate) enum CheckBrowsers {
    /// One of each engine. All pages share it.
    Own(Box<[CheckBrowser; 2]>),
    /// Sessions of a Grid. Each has one page at a time.
    Grid(GridBrowsers),
}

/// How a page ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageEnd {
    /// It was checked, or the browser ended.
    Known,
    /// It failed, perhaps because of its session.
    Failed,
}

/// The state of a Grid session after a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GridSessionEnd {
    /// It can be used again, or was replaced already.
    Kept,
    /// It does not answer.
    Lost,
}

/// A browser that one page uses.
pub(crate) enum UsedBrowser<'a> {
    Shared(&'a CheckBrowser),
    /// It is used by this page only.
    Leased(GridLease),
}

impl Deref for UsedBrowser<'_> {
    type Target = CheckBrowser;

    fn deref(&self) -> &CheckBrowser {
        match self {
            UsedBrowser::Shared(browser) => browser,
            UsedBrowser::Leased(browser) => browser,
        }
    }
}

impl CheckBrowsers {
    /// Creates the browsers of a plan. None is started before it is needed. With addresses of a
    /// Grid, `most` sessions of each engine are open at a time.
    pub(crate) fn new(plan: &Plan, headed: bool, grid: &[String], most: usize) -> CheckBrowsers {
        let launch = move |engine| LaunchOptions { engine, headed, ..LaunchOptions::default() };
        if grid.is_empty() {
            let browser = |engine| CheckBrowser::new(launch(engine), plan);
            let both = [browser(Engine::Chromium), browser(Engine::Firefox)];
            return CheckBrowsers::Own(Box::new(both));
        }
        CheckBrowsers::Grid(grid_browsers(plan, headed, grid, most))
    }

    /// Returns a browser for a page. Waits for a Grid at most as long as the page may take, while
    /// no session is open there.
    pub(crate) async fn get(
        &self,
        engine: Engine,
        limit: Duration,
    ) -> Result<UsedBrowser<'_>, VisitError> {
        match self {
            CheckBrowsers::Own(both) => {
                Ok(UsedBrowser::Shared(&both[usize::from(engine == Engine::Firefox)]))
            }
            CheckBrowsers::Grid(grid) => Ok(UsedBrowser::Leased(grid.take(engine, limit).await?)),
        }
    }

    /// Gives a browser back after a page. If the page failed, returns whether the session was lost:
    /// a Grid may keep a connection open whose node is gone.
    pub(crate) async fn put(&self, used: UsedBrowser<'_>, page: PageEnd) -> GridSessionEnd {
        if let (CheckBrowsers::Grid(grid), UsedBrowser::Leased(lease)) = (self, used) {
            if page == PageEnd::Failed && !lease.answers().await {
                // Dropping a lease ends its session.
                drop(lease);
                return GridSessionEnd::Lost;
            }
            grid.give_back(lease).await;
        }
        GridSessionEnd::Kept
    }

    /// Ends all browsers and sessions.
    pub(crate) async fn close(&self) {
        match self {
            CheckBrowsers::Own(both) => {
                for browser in both.iter() {
                    browser.session.close().await;
                }
            }
            CheckBrowsers::Grid(grid) => grid.close().await,
        }
    }
}

/// Creates the sessions of a Grid for a plan, at most this many of each engine.
pub(crate) fn grid_browsers(
    plan: &Plan,
    headed: bool,
    grid: &[String],
    most: usize,
) -> GridBrowsers {
    let options = session_options(plan);
    let start = move |engine, url: &str| {
        let driver_limit = Some(GRID_LIMIT);
        let launch = LaunchOptions { engine, headed, driver_limit, ..LaunchOptions::default() };
        CheckBrowser::of(Options { launch, connect: Some(url.to_owned()), ..options.clone() })
    };
    GridBrowsers::new(grid, most, Box::new(start))
}
