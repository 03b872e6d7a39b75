//! Navigation: a new address, back, forward, reload. Reports where it ended and why the wait
//! stopped.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use pagesight_browser::{BrowserError, HistoryStep, NavigationStart};
use tokio::time::Instant;

use crate::address::Address;
use crate::error::Result;
use crate::look::capture::REACH_LIMIT;
use crate::session::Session;
use crate::tab::error::TabError;
use crate::tab::record::TabRecord;
pub use crate::wait::settle::Stopped;
use crate::wait::settle::{Mark, after_navigation, at_rest};

/// How long a navigation is waited for unless the caller says otherwise.
const DEFAULT_LIMIT: Duration = Duration::from_secs(10);
/// The shortest wait that makes sense; the longest is the caller's to say.
const SHORTEST_LIMIT: Duration = Duration::from_millis(1);
/// A page that did not answer the last time and answers within this hangs no more.
const AWAKE: Duration = Duration::from_secs(2);

/// A step without an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One entry back.
    Back,
    /// One entry forward.
    Forward,
    /// The same page again.
    Reload,
}

/// Where a navigation ended up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Navigated {
    /// The address now.
    pub url: String,
    /// The title now.
    pub title: String,
    /// The HTTP status, if there was one.
    pub status: Option<u16>,
    /// How long it took.
    pub waited: Duration,
    /// Why the wait ended.
    pub stopped: Stopped,
    /// New console errors and failed requests, in one line.
    pub trouble: Option<String>,
}

/// The tab that an address can be opened in.
pub struct Unblocked {
    /// The tab.
    pub tab: Arc<TabRecord>,
    /// It is a new tab in the place of one that hung.
    pub replaced: bool,
}

impl Session {
    /// Opens an address in a tab and waits until it is worth looking at.
    pub async fn navigate(
        &self,
        tab: &Arc<TabRecord>,
        to: &Address,
        limit: Option<Duration>,
    ) -> Result<Navigated> {
        let _turn = tab.turn().await?;
        self.check_tab_for_navigation(tab)?;
        self.wake(tab).await;
        let mark = Mark::now(tab, &self.shared);
        let limit = limit.unwrap_or(DEFAULT_LIMIT).max(SHORTEST_LIMIT);
        let deadline = Instant::now() + limit;
        tab.facts.now().failed = None;
        let begun = hanging(tab, tab.tab.navigate(to.as_str(), limit).await)?;
        let arrived = self.arrive(tab, &mark, begun, deadline).await;
        look_around(tab);
        arrived
    }

    /// Goes back or forward, or reloads.
    pub async fn step(
        &self,
        tab: &Arc<TabRecord>,
        step: Step,
        limit: Option<Duration>,
    ) -> Result<Navigated> {
        let _turn = tab.turn().await?;
        self.check_tab_for_navigation(tab)?;
        self.wake(tab).await;
        let mark = Mark::now(tab, &self.shared);
        let deadline = Instant::now() + limit.unwrap_or(DEFAULT_LIMIT).max(SHORTEST_LIMIT);
        tab.facts.now().failed = None;
        let begun = match step {
            Step::Back => tab.tab.step(HistoryStep::Back).await?,
            Step::Forward => tab.tab.step(HistoryStep::Forward).await?,
            Step::Reload => {
                hanging(tab, tab.tab.reload().await)?;
                NavigationStart::NewDocument
            }
        };
        if begun == NavigationStart::Nothing {
            let end = if step == Step::Back { TabError::FirstPage } else { TabError::LastPage };
            return Err(end.into());
        }
        let arrived = self.arrive(tab, &mark, begun, deadline).await;
        look_around(tab);
        arrived
    }

    /// Returns the tab to open an address in, if the page in it may hang. An engine that cannot end
    /// a script gets a new tab in the place of the old one, with its name and number and without
    /// its history.
    pub async fn unblocked(&self, tab: Arc<TabRecord>) -> Result<Unblocked> {
        let ours = tab.ours || self.options.connect.is_none();
        let turn = tab.turn().await?;
        let hung = tab.facts.now().hung;
        if !hung
            || !ours
            || !matches!(tab.tab.interrupt().await, Err(BrowserError::Unsupported { .. }))
        {
            return Ok(Unblocked { tab: tab.clone(), replaced: false });
        }
        let answer = tab.script(None, AWAKE).token().await;
        if !matches!(answer, Err(BrowserError::TimedOut { .. })) {
            return Ok(Unblocked { tab: tab.clone(), replaced: false });
        }
        // Whoever had the turn before may have replaced it.
        let current = self.shared.tabs().find(&tab.id)?;
        if current.key != tab.key {
            return Ok(Unblocked { tab: current, replaced: false });
        }
        let viewport = *tab.viewport.lock().unwrap_or_else(PoisonError::into_inner);
        let opened =
            self.browser().await?.open_tab(viewport.unwrap_or(self.options.viewport)).await?;
        let record = self.shared.tabs().replace(&tab, opened);
        *tab.print() = None;
        drop(turn);
        // It may take its time to go.
        tokio::spawn(async move { drop(tab.tab.close().await) });
        Ok(Unblocked { tab: record, replaced: true })
    }

    /// Ends a script that keeps the page from answering; otherwise it could not be left.
    async fn wake(&self, tab: &TabRecord) {
        if tab.facts.now().hung && tab.tab.interrupt().await.is_ok() {
            tab.facts.now().hung = false;
        }
    }

    /// A crashed tab may be navigated; that is how it comes back.
    fn check_tab_for_navigation(&self, tab: &TabRecord) -> Result<()> {
        let crashed = std::mem::take(&mut tab.facts.now().crashed);
        let checked = self.check_tab(tab);
        tab.facts.now().crashed = crashed && checked.is_err();
        checked
    }

    async fn arrive(
        &self,
        tab: &Arc<TabRecord>,
        mark: &Mark,
        begun: NavigationStart,
        deadline: Instant,
    ) -> Result<Navigated> {
        let stopped = match begun {
            NavigationStart::NewDocument => after_navigation(tab, mark, deadline).await?,
            NavigationStart::SameDocument | NavigationStart::Nothing => {
                at_rest(tab, mark, deadline).await?
            }
        };
        let late = stopped.is_late();
        if late && tab.facts.now().committed == mark.committed {
            // Nothing came; without this the browser would keep the page that is shown from
            // answering.
            tab.tab.stop().await?;
            tab.facts.now().navigating = false;
        }
        let title = match stopped {
            Stopped::Dialog(..) => String::new(),
            _ => self.title(tab, Duration::from_millis(if late { 300 } else { 2_000 })).await,
        };
        let (url, status) = {
            let facts = tab.facts.now();
            (facts.url.clone(), facts.status)
        };
        let trouble = mark.trouble(tab);
        Ok(Navigated { url, title, status, waited: mark.elapsed(), stopped, trouble })
    }

    /// The title of the top document; empty if the page does not answer.
    pub(crate) async fn title(&self, tab: &TabRecord, limit: Duration) -> String {
        tab.script(None, limit).token().await.map_or_else(|_| String::new(), |token| token.title)
    }
}

/// Begins to find the hidden parts of the page while the caller reads the answer; the
/// look that follows waits for it instead of beginning then.
fn look_around(tab: &Arc<TabRecord>) {
    let tab = tab.tab.clone();
    tokio::spawn(async move {
        let _ = tab.find_hidden_parts(REACH_LIMIT).await;
    });
}

/// Remembers that a page which cannot be left hangs, so that its tab is replaced the next time.
fn hanging<T>(tab: &TabRecord, done: std::result::Result<T, BrowserError>) -> Result<T> {
    if matches!(done, Err(BrowserError::Unsupported { .. })) {
        tab.facts.now().hung = true;
    }
    Ok(done?)
}
