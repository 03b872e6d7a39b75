//! Navigation: a URL, back, forward, reload. Reports where it ended and why the wait stopped.

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

/// How long to wait for a navigation unless the caller says otherwise.
const DEFAULT_LIMIT: Duration = Duration::from_secs(10);
/// The shortest wait that makes sense; the caller decides the longest.
const SHORTEST_LIMIT: Duration = Duration::from_millis(1);
/// A page that did not answer before but answers within this time does not hang any more.
const AWAKE: Duration = Duration::from_secs(2);

/// A navigation without a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One entry back.
    Back,
    /// One entry forward.
    Forward,
    /// The same page again.
    Reload,
}

/// The result of a navigation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Navigated {
    /// The URL now.
    pub url: String,
    /// The title now.
    pub title: String,
    /// The HTTP status, if there was one.
    pub status: Option<u16>,
    /// How long the wait took.
    pub waited: Duration,
    /// Why the wait ended.
    pub stopped: Stopped,
    /// New console errors and failed requests, in one line.
    pub trouble: Option<String>,
}

/// The tab that a URL can be opened in.
pub struct Unblocked {
    /// The tab.
    pub tab: Arc<TabRecord>,
    /// It is a new tab that replaced one that hung.
    pub replaced: bool,
}

impl Session {
    /// Opens a URL in a tab and waits until the page is ready.
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
        tab.answers().left = tab.memory().last();
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
        tab.answers().left = tab.memory().last();
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

    /// Returns the tab to open a URL in, if the page in it may hang. If the engine cannot interrupt
    /// a script, the tab is replaced by a new one with its name and id, but without its history.
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
        // The call that had the turn before may have replaced it.
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
        // Closing it may take a while.
        tokio::spawn(async move { drop(tab.tab.close().await) });
        Ok(Unblocked { tab: record, replaced: true })
    }

    /// Interrupts a script that keeps the page from answering; otherwise the page could not be
    /// left.
    async fn wake(&self, tab: &TabRecord) {
        if tab.facts.now().hung && tab.tab.interrupt().await.is_ok() {
            tab.facts.now().hung = false;
        }
    }

    /// Checks the tab. A crashed tab may be navigated, because that restores it.
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
            // No document came. Without this, the browser would keep the current page from
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

    /// Returns the problems of a page since the last answer about it, in one line. Problems that an
    /// earlier answer reported are only counted.
    pub fn new_problems(&self, tab: &TabRecord) -> Option<String> {
        let mut facts = tab.facts.now();
        let url = facts.url.clone();
        facts.problems.next_line(&url)
    }

    /// Returns the title of the top document; empty if the page does not answer.
    pub(crate) async fn title(&self, tab: &TabRecord, limit: Duration) -> String {
        tab.script(None, limit).token().await.map_or_else(|_| String::new(), |token| token.title)
    }
}

/// Starts to find the hidden parts of the page while the caller reads the answer. The next look
/// waits for this instead of starting it.
fn look_around(tab: &Arc<TabRecord>) {
    let tab = tab.tab.clone();
    tokio::spawn(async move {
        let _ = tab.find_hidden_parts(REACH_LIMIT).await;
    });
}

/// Records that a page that cannot be left hangs, so that its tab is replaced the next time.
fn hanging<T>(tab: &TabRecord, done: std::result::Result<T, BrowserError>) -> Result<T> {
    if matches!(done, Err(BrowserError::Unsupported { .. })) {
        tab.facts.now().hung = true;
    }
    Ok(done?)
}
