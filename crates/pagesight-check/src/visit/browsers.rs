//! Lends browsers to pages. The browsers of this machine are shared by all pages; a different
//! implementation may give each page a session of its own.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pagesight_session::{Engine, LaunchOptions};

use super::browser::CheckBrowser;
use super::error::VisitError;
use crate::plan::Plan;

/// Lends browsers to pages.
#[async_trait]
pub trait CheckBrowsers: Send + Sync {
    /// Returns a browser for a page. Waits for one at most `limit`, while there is none.
    async fn lend(
        &self,
        engine: Engine,
        limit: Duration,
    ) -> Result<Box<dyn BrowserLease>, VisitError>;

    /// Ends all browsers and sessions.
    async fn close(&self);
}

/// A browser that was lent to a page.
#[async_trait]
pub trait BrowserLease: Send + Sync {
    /// Returns the browser.
    fn browser(&self) -> &CheckBrowser;

    /// Gives it back after a page. If the page failed, returns whether the browser was lost.
    async fn give_back(self: Box<Self>, page: PageEnd) -> LeaseEnd;
}

/// How a page ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageEnd {
    /// It was checked, or the browser ended.
    Known,
    /// It failed, perhaps because of its browser.
    Failed,
}

/// The state of a browser after a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseEnd {
    /// It can be used again, or was replaced already.
    Kept,
    /// It does not answer.
    Lost,
}

/// One browser of each engine on this machine.
pub struct OwnBrowsers([Arc<CheckBrowser>; 2]);

impl OwnBrowsers {
    /// Creates the browsers of a plan. None is started before it is needed.
    pub fn new(plan: &Plan, launch: &LaunchOptions) -> OwnBrowsers {
        let browser =
            |engine| Arc::new(CheckBrowser::new(LaunchOptions { engine, ..launch.clone() }, plan));
        OwnBrowsers([browser(Engine::Chromium), browser(Engine::Firefox)])
    }
}

#[async_trait]
impl CheckBrowsers for OwnBrowsers {
    async fn lend(&self, engine: Engine, _: Duration) -> Result<Box<dyn BrowserLease>, VisitError> {
        let browser = self.0[usize::from(engine == Engine::Firefox)].clone();
        Ok(Box::new(SharedBrowser(browser)))
    }

    async fn close(&self) {
        for browser in &self.0 {
            browser.session.close().await;
        }
    }
}

/// A browser that all pages share.
struct SharedBrowser(Arc<CheckBrowser>);

#[async_trait]
impl BrowserLease for SharedBrowser {
    fn browser(&self) -> &CheckBrowser {
        &self.0
    }

    async fn give_back(self: Box<Self>, _: PageEnd) -> LeaseEnd {
        LeaseEnd::Kept
    }
}
