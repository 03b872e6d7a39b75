//! Navigation: a URL, back, forward, reload. Reports where it ended and why the wait ended.

pub(crate) mod address;
pub(crate) mod unblock;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use pagesight_browser::{BrowserError, NavigationStart};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::error::Result;
use crate::look::capture::REACH_LIMIT;
use crate::navigate::address::Address;
use crate::session::Session;
use crate::tab::error::TabError;
use crate::tab::record::TabRecord;
use crate::tab::state::{LEAVE, TabState};
pub use crate::wait::settle::WaitOutcome;
use crate::wait::settle::{Checkpoint, after_arrival, after_navigation};

/// How long to wait for a navigation unless the caller says otherwise.
const DEFAULT_LIMIT: Duration = Duration::from_secs(10);
/// The shortest wait that makes sense; the caller decides the longest.
const SHORTEST_LIMIT: Duration = Duration::from_millis(1);
/// How long a navigation can take at most.
const LONGEST_LIMIT: Duration = Duration::from_secs(3600);
/// How long a document that was received may take to be shown, and how long if the page before it
/// is known to hang.
const COMMIT_LIMIT: Duration = Duration::from_secs(3);
const LAST_CHANCE: Duration = Duration::from_secs(1);

/// A navigation without a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// One entry back in the history of the tab.
    Back,
    /// One entry forward in the history of the tab.
    Forward,
    /// The same page again.
    Reload,
}

/// The result of a navigation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Navigated {
    /// The URL where it ended.
    pub url: String,
    /// The title of the page there.
    pub title: String,
    /// The HTTP status, if there was one.
    pub status: Option<u16>,
    /// How long the wait took.
    pub waited: Duration,
    /// Why the wait ended.
    pub outcome: WaitOutcome,
    /// New console errors and failed requests, in one line.
    pub trouble: Option<String>,
}

/// Where a navigation leads.
#[derive(Clone, Copy, Debug)]
pub enum Destination<'a> {
    /// Opens a URL.
    Url(&'a Address),
    /// Goes back or forward, or reloads.
    Step(Step),
}

impl Session {
    /// Opens a URL in a tab and waits until the page is ready.
    pub async fn navigate(
        &self,
        tab: &Arc<TabRecord>,
        to: &Address,
        limit: Option<Duration>,
    ) -> Result<Navigated> {
        self.go(tab, Destination::Url(to), limit).await
    }

    /// Goes back or forward, or reloads.
    pub async fn step(
        &self,
        tab: &Arc<TabRecord>,
        step: Step,
        limit: Option<Duration>,
    ) -> Result<Navigated> {
        self.go(tab, Destination::Step(step), limit).await
    }

    /// Navigates and waits until the page is ready. Fails if the page before hangs and is not left.
    pub(crate) async fn go(
        &self,
        tab: &Arc<TabRecord>,
        to: Destination<'_>,
        limit: Option<Duration>,
    ) -> Result<Navigated> {
        let _turn = tab.turn().await?;
        if tab.state.now().closed {
            return Err(BrowserError::TabClosed.into());
        }
        // A crashed tab may be navigated, because that restores it. A dialog may be dismissed.
        let insists = self.pass_dialog(tab).await?;
        let ours = self.options.connect.is_none();
        // While a navigation is under way, the browser does not let the page answer.
        let away = {
            let state = tab.state.now();
            state.crashed || state.navigating
        };
        let awake = away || tab.main_thread.is_awake().await;
        let free = awake || self.wake(tab).await;
        if !free && ours {
            tab.main_thread.check()?;
        }
        let checkpoint = Checkpoint::now(tab, &self.shared);
        tab.names.memory.forget_unknown_hosts();
        let limit = limit.unwrap_or(DEFAULT_LIMIT).max(SHORTEST_LIMIT);
        let deadline = Instant::now() + limit;
        {
            let mut state = tab.state.now();
            // A navigation restores a crashed tab.
            (state.failed, state.dialogs, state.crashed) = (None, 0, false);
        }
        tab.answers().left = tab.memory().last();
        let going = async {
            let begun = self.begin(tab, to, limit, insists).await?;
            if begun == NavigationStart::Nothing {
                let back = matches!(to, Destination::Step(Step::Back));
                return Err(if back { TabError::FirstPage } else { TabError::LastPage }.into());
            }
            let arrived = self.arrive(tab, &checkpoint, begun, deadline, insists).await;
            look_around(tab);
            arrived
        };
        let held = self.held(tab, &checkpoint, (awake, free, ours));
        tokio::select! {
            biased;
            arrived = going => arrived,
            since = held => Err(BrowserError::Hangs { since }.into()),
        }
    }

    /// Returns when it is clear that the page hangs and is not left; never if it is left. `awake`:
    /// it answered before the navigation; `free`: it answered after its script was interrupted.
    async fn held(
        &self,
        tab: &TabRecord,
        checkpoint: &Checkpoint,
        (awake, free, ours): (bool, bool, bool),
    ) -> SystemTime {
        let begun = SystemTime::now();
        let left = |state: &TabState| (state.committed > checkpoint.committed).then_some(());
        // The new document is there, but the page does not make room for it.
        let uncommitted = async {
            loop {
                let far = Instant::now() + DEFAULT_LIMIT;
                tab.state.wait(far, |state| state.awaits_commit().then_some(())).await;
                let until = Instant::now() + if awake { COMMIT_LIMIT } else { LAST_CHANCE };
                let done = |state: &TabState| (!state.awaits_commit()).then_some(());
                if tab.state.wait(until, done).await.is_none() && ours {
                    return begun;
                }
            }
        };
        let hangs = async {
            match tab.main_thread.hang().filter(|_| !free) {
                Some(since) => {
                    tokio::time::sleep(LAST_CHANCE).await;
                    since
                }
                None => tab.main_thread.hangs().await,
            }
        };
        tokio::select! {
            biased;
            Some(()) = tab.state.wait(Instant::now() + LONGEST_LIMIT, left) => {
                std::future::pending().await
            }
            since = hangs => since,
            since = uncommitted => since,
        }
    }

    async fn arrive(
        &self,
        tab: &Arc<TabRecord>,
        checkpoint: &Checkpoint,
        begun: NavigationStart,
        deadline: Instant,
        insists: bool,
    ) -> Result<Navigated> {
        let mut outcome = arrival(tab, checkpoint, begun, deadline).await?;
        if insists && matches!(&outcome, WaitOutcome::Dialog(kind, _) if kind == LEAVE) {
            self.dismiss(tab, LEAVE).await?;
            outcome = arrival(tab, checkpoint, begun, deadline).await?;
        }
        let late = outcome.is_late();
        if late && tab.state.now().committed == checkpoint.committed {
            // No document came. Without this, the browser would keep the current page from
            // answering.
            match tab.tab.stop().await {
                // A page that hangs may not be left any more, nor be stayed in.
                Err(BrowserError::Refused { .. }) | Ok(()) => {}
                Err(error) => return Err(error.into()),
            }
            tab.state.now().navigating = false;
        }
        let title = match outcome {
            WaitOutcome::Dialog(..) => String::new(),
            _ => self.title(tab, Duration::from_millis(if late { 300 } else { 2_000 })).await,
        };
        let (url, status) = {
            let state = tab.state.now();
            (state.url.clone(), state.status)
        };
        let trouble = checkpoint.trouble(tab);
        Ok(Navigated { url, title, status, waited: checkpoint.elapsed(), outcome, trouble })
    }

    /// Returns the problems of a page since the last answer about it, in one line. Problems that an
    /// earlier answer reported are only counted.
    pub fn new_problems(&self, tab: &TabRecord) -> Option<String> {
        let mut state = tab.state.now();
        let url = state.url.clone();
        state.problems.next_line(&url)
    }

    /// Returns the title of the top document; empty if the page does not answer.
    pub(crate) async fn title(&self, tab: &TabRecord, limit: Duration) -> String {
        tab.script(None, limit).token().await.map_or_else(|_| String::new(), |token| token.title)
    }
}

/// Starts to find the hidden parts of the page while the caller reads the answer. The next look
/// waits for this instead of starting it. A page that hangs has enough to do.
fn look_around(tab: &Arc<TabRecord>) {
    if tab.main_thread.hang().is_some() {
        return;
    }
    let tab = tab.clone();
    tokio::spawn(async move {
        let _search = tab.search.lock().await;
        let _ = tab.tab.find_hidden_parts(REACH_LIMIT).await;
    });
}

/// Waits until a navigation has arrived.
async fn arrival(
    tab: &TabRecord,
    checkpoint: &Checkpoint,
    begun: NavigationStart,
    deadline: Instant,
) -> Result<WaitOutcome> {
    match begun {
        NavigationStart::NewDocument => after_navigation(tab, checkpoint, deadline).await,
        NavigationStart::SameDocument | NavigationStart::Nothing => {
            after_arrival(tab, checkpoint, deadline).await
        }
    }
}
