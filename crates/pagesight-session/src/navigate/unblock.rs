//! Leaves pages that do not let themselves be left: a main thread that hangs, dialogs without end.
//! In a browser of ours the process of such a page is ended, or its tab replaced. In a user's
//! browser nothing is ended.

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::lock;
use pagesight_browser::{BrowserError, HistoryStep, NavigationStart, OpenedTab, clock};
use tokio::time::Instant;

use crate::error::{Result, SessionError};
use crate::navigate::{Destination, Navigated, Step};
use crate::session::Session;
use crate::tab::error::TabError;
use crate::tab::record::TabRecord;
use crate::tab::state::{LEAVE, TabState};

/// How long a script may take to end when it is interrupted, and how long the page may take to
/// answer then.
const INTERRUPT_LIMIT: Duration = Duration::from_millis(500);
/// How soon a page that was interrupted may hang again.
const RELAPSE: Duration = Duration::from_millis(50);
/// How long the events of other tabs may come after the end of a process.
const CRASH_LIMIT: Duration = Duration::from_millis(500);
/// How long a tab may take to close before its page counts as one that hangs.
const CLOSE_LIMIT: Duration = Duration::from_millis(1500);
/// How long a browser may take to open a tab before one of its pages keeps it too busy.
const OPEN_LIMIT: Duration = Duration::from_millis(1500);
/// From this many dialogs since the last action on, they do not keep the caller from leaving.
const MANY_DIALOGS: u32 = 3;
/// How many dialogs in a row are dismissed, and how soon the next one must follow.
const MOST_DISMISSED: usize = 5;
const NEXT_DIALOG: Duration = Duration::from_millis(200);

/// The tab that a page can be opened in.
struct Unblocked {
    tab: Arc<TabRecord>,
    /// How the page in it was removed, if that was necessary.
    removed: Option<Removal>,
}

/// How a page that could not be left was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// Its process was ended.
    Ended,
    /// Its tab was replaced by a new one with the same name and id, but without its history.
    Replaced,
}

/// The result of a navigation away from a page that may have prevented it.
pub struct Departure {
    /// The result of the navigation.
    pub navigated: Navigated,
    /// The tab with the new page.
    pub tab: Arc<TabRecord>,
    /// How the page before was removed, if that was necessary.
    pub removed: Option<Removal>,
}

impl Session {
    /// Navigates as [`Session::navigate`] does, even if the page in the tab hangs.
    pub async fn leave(
        &self,
        tab: Arc<TabRecord>,
        to: Destination<'_>,
        limit: Option<Duration>,
    ) -> Result<Departure> {
        let Unblocked { tab, removed } = self.unblocked(tab, to).await?;
        match self.go(&tab, to, limit).await {
            Err(SessionError::Browser(BrowserError::Hangs { .. })) => {
                let Unblocked { tab, removed } = self.remove_page(tab, to).await?;
                let navigated = self.go(&tab, to, limit).await?;
                Ok(Departure { navigated, tab, removed })
            }
            navigated => Ok(Departure { navigated: navigated?, tab, removed }),
        }
    }

    /// Makes sure that a page that is known to hang can be left: its script is interrupted, or the
    /// page removed.
    async fn unblocked(&self, tab: Arc<TabRecord>, to: Destination<'_>) -> Result<Unblocked> {
        let turn = tab.turn().await?;
        let free = tab.main_thread.hang().is_none() || self.wake(&tab).await;
        drop(turn);
        // In a user's browser, the navigation may still succeed.
        match free || self.options.connect.is_some() {
            true => Ok(Unblocked { tab, removed: None }),
            false => self.remove_page(tab, to).await,
        }
    }

    /// Interrupts the script of a page that hangs, and returns whether the page answers then, and
    /// still answers a moment later: the script may be started again and again.
    pub(crate) async fn wake(&self, tab: &TabRecord) -> bool {
        let interrupted = tokio::time::timeout(INTERRUPT_LIMIT, tab.tab.interrupt()).await;
        if !matches!(interrupted, Ok(Ok(()))) || !tab.main_thread.wakes(INTERRUPT_LIMIT).await {
            return false;
        }
        tokio::time::sleep(RELAPSE).await;
        tab.main_thread.wakes(INTERRUPT_LIMIT).await
    }

    /// Removes a page that cannot be left.
    async fn remove_page(&self, tab: Arc<TabRecord>, to: Destination<'_>) -> Result<Unblocked> {
        let turn = tab.turn().await?;
        if self.options.connect.is_some() {
            let since = tab.main_thread.hang().map(clock).unwrap_or_default();
            return Err(TabError::HangsElsewhere { since }.into());
        }
        // The call that had the turn before may have replaced it.
        let current = self.shared.tabs().find(&tab.id)?;
        if current.key != tab.key {
            return Ok(Unblocked { tab: current, removed: None });
        }
        if self.end_page_process(&tab).await {
            drop(turn);
            return Ok(Unblocked { tab, removed: Some(Removal::Ended) });
        }
        if let Destination::Step(_) = to {
            // A new tab has no history.
            tab.main_thread.check()?;
        }
        let opened = self.open_instead(&tab).await?;
        let opened = self.with_conditions(opened, &tab.tab.emulation()).await?;
        let record = self.shared.tabs().replace(&tab, opened);
        *tab.cached_fingerprint() = None;
        drop(turn);
        // Closing it may take a while.
        tokio::spawn(async move { drop(tab.tab.close().await) });
        Ok(Unblocked { tab: record, removed: Some(Removal::Replaced) })
    }

    /// Opens a tab in place of one that cannot be left. A page can keep the whole browser busy;
    /// then its requests are not watched any more, and the busiest page process is ended.
    async fn open_instead(&self, tab: &TabRecord) -> Result<OpenedTab> {
        let viewport = *lock(&tab.viewport);
        let browser = self.browser().await?;
        let mut opening = browser.open_tab(viewport.unwrap_or(self.options.viewport));
        if let Ok(opened) = tokio::time::timeout(OPEN_LIMIT, &mut opening).await {
            return Ok(opened?);
        }
        tab.tab.mute();
        let others: Vec<Arc<TabRecord>> = self.shared.tabs().alive_besides(tab);
        if let Err(error) = browser.end_busiest_page_process().await {
            // It may only be slow.
            tracing::debug!(%error, "no process was ended");
        }
        let opened = opening.await?;
        self.name_ended(others, Instant::now()).await;
        Ok(opened)
    }

    /// Ends the process of a page, if the engine can. The next answer names the other tabs that
    /// were in it.
    async fn end_page_process(&self, tab: &TabRecord) -> bool {
        let others: Vec<Arc<TabRecord>> = self.shared.tabs().alive_besides(tab);
        if tab.tab.end_page_process().await.is_err() {
            return false;
        }
        tab.main_thread.forget();
        let soon = Instant::now() + CRASH_LIMIT;
        tab.state.wait(soon, |state| state.crashed.then_some(())).await;
        self.name_ended(others, soon).await;
        true
    }

    /// Lets the next answer name the tabs that crashed with a page whose process was ended.
    async fn name_ended(&self, others: Vec<Arc<TabRecord>>, soon: Instant) {
        let mut ended = Vec::new();
        for other in others {
            let crashed = other.state.wait(soon, |state| state.crashed.then_some(())).await;
            if crashed.is_some() {
                ended.push(other.label());
            }
        }
        if !ended.is_empty() {
            *self.shared.notice() = Some(notice_of_ended(&ended));
        }
    }

    /// Closes a tab, even if its page hangs.
    pub(crate) async fn end_tab(&self, tab: &TabRecord) -> Result<()> {
        if tab.main_thread.hang().is_none() || self.options.connect.is_some() {
            let closed = tokio::time::timeout(CLOSE_LIMIT, tab.tab.close()).await;
            match closed {
                Ok(closed) => return Ok(closed?),
                Err(_) if self.options.connect.is_some() => return Ok(tab.tab.close().await?),
                Err(_) => {}
            }
        }
        self.end_page_process(tab).await;
        let (engine_tab, limit) = (tab.tab.clone(), CLOSE_LIMIT);
        let closing = tokio::spawn(async move { engine_tab.close().await });
        match tokio::time::timeout(limit, closing).await {
            Ok(Ok(closed)) => Ok(closed?),
            // It closes as soon as its page lets it.
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    }

    /// Dismisses the open dialog, if it must not keep the caller from leaving: there were many, or
    /// the caller asks for the second time. Returns whether there was one.
    pub(crate) async fn pass_dialog(&self, tab: &TabRecord) -> Result<bool> {
        for round in 0..MOST_DISMISSED {
            let (kind, message) = {
                let mut state = tab.state.now();
                let Some((kind, message)) = state.dialog.clone() else { return Ok(round > 0) };
                if may_keep_caller(&mut state) && round == 0 {
                    return Err(BrowserError::DialogOpen { kind, message }.into());
                }
                (kind, message)
            };
            if round > 0 {
                // The page must not open the next one when it goes on.
                let _ = tokio::time::timeout(INTERRUPT_LIMIT, tab.tab.interrupt()).await;
            }
            tracing::debug!(kind, message, "dismissed a dialog to leave the page");
            self.dismiss(tab, &kind).await?;
            let soon = Instant::now() + NEXT_DIALOG;
            tab.state.wait(soon, |state| state.dialog.as_ref().map(|_| ())).await;
        }
        if tab.state.now().dialog.is_some() {
            tab.main_thread.condemn();
            tab.main_thread.check()?;
        }
        Ok(true)
    }

    /// Dismisses a dialog; the question whether to leave the page is answered with yes.
    pub(crate) async fn dismiss(&self, tab: &TabRecord, kind: &str) -> Result<()> {
        match tab.tab.answer_dialog(kind == LEAVE, None).await {
            // The page closed it.
            Err(BrowserError::Refused { .. }) => Ok(()),
            answer => Ok(answer?),
        }
    }

    /// Begins a navigation. If the caller insists, the page is not asked whether it may be left.
    pub(crate) async fn begin(
        &self,
        tab: &TabRecord,
        to: Destination<'_>,
        limit: Duration,
        insists: bool,
    ) -> Result<NavigationStart> {
        let begun = match to {
            Destination::Url(address) => tab.tab.navigate(address.as_str(), limit).await,
            Destination::Step(Step::Back) => tab.tab.step(HistoryStep::Back).await,
            Destination::Step(Step::Forward) => tab.tab.step(HistoryStep::Forward).await,
            Destination::Step(Step::Reload) => {
                tab.tab.reload().await.map(|()| NavigationStart::NewDocument)
            }
        };
        match begun {
            Err(BrowserError::DialogOpen { kind, .. }) if kind == LEAVE && insists => {
                self.dismiss(tab, LEAVE).await?;
                Ok(NavigationStart::NewDocument)
            }
            Err(BrowserError::DialogOpen { kind, message }) => {
                // The event of the dialog may be on its way.
                let soon = Instant::now() + NEXT_DIALOG;
                tab.state.wait(soon, |state| state.dialog.as_ref().map(|_| ())).await;
                tab.state.now().asked_to_leave = kind == LEAVE;
                Err(BrowserError::DialogOpen { kind, message }.into())
            }
            begun => Ok(begun?),
        }
    }
}

/// Whether the open dialog may keep the caller from leaving: there were few, and the caller did not
/// ask before. Notes that the caller asked.
fn may_keep_caller(state: &mut TabState) -> bool {
    let asked = std::mem::replace(&mut state.asked_to_leave, true);
    !asked && state.dialogs < MANY_DIALOGS
}

/// Names the tabs that crashed with a page whose process was ended.
fn notice_of_ended(tabs: &[String]) -> String {
    let (noun, it) = if tabs.len() == 1 { ("tab", "it") } else { ("tabs", "them") };
    format!(
        "the process of a page that did not answer was ended, and with it {noun} {}; reload {it}",
        tabs.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use pagesight_browser::TabEvent;

    use super::*;

    fn open_dialog(state: &mut TabState) {
        state.record(TabEvent::DialogOpened { kind: "alert".into(), message: "Stay".into() });
    }

    #[test]
    fn a_dialog_keeps_the_caller_once() {
        let mut state = TabState::default();
        open_dialog(&mut state);
        assert!(may_keep_caller(&mut state));
        assert!(!may_keep_caller(&mut state), "the caller asks for the second time");
    }

    #[test]
    fn many_dialogs_do_not_keep_the_caller() {
        let mut state = TabState::default();
        (1..MANY_DIALOGS).for_each(|_| open_dialog(&mut state));
        assert!(may_keep_caller(&mut state));
        // For a new dialog the caller has not asked yet, but it is one too many.
        open_dialog(&mut state);
        assert!(!state.asked_to_leave && !may_keep_caller(&mut state));
    }

    #[test]
    fn tabs_that_crashed_are_named() {
        let notice = |tabs: &[&str]| {
            notice_of_ended(&tabs.iter().map(|tab| (*tab).to_owned()).collect::<Vec<_>>())
        };
        assert!(notice(&["t2"]).ends_with("and with it tab t2; reload it"));
        assert!(notice(&["t2", "cart"]).ends_with("and with it tabs t2, cart; reload them"));
    }
}
