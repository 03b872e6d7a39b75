//! The user's own browser: waiting for the user's consent, and choosing tabs. Tabs of the user are
//! listed and left alone until the caller chooses one.

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{Browser, BrowserError, CONSENT_LIMIT, Connected, PendingConsent};
use pagesight_core::text::escape::{safe, value};

use crate::error::Result;
use crate::session::Session;
use crate::tab::error::TabError;
use crate::tab::found::UnchosenTab;
use crate::tab::record::TabRecord;

/// How long a call waits for the user's consent.
const ANSWER_LIMIT: Duration = Duration::from_secs(4);

/// How long a caller who waits as long as necessary waits silently.
const REPORT_AFTER: Duration = Duration::from_millis(700);

/// How many of the user's tabs an error names.
const MOST_NAMED: usize = 10;

/// What a call does while the user has not answered whether we may connect.
#[derive(Clone, Copy, Debug, Default)]
pub enum ConsentWait {
    /// Answers after a few seconds that the user is waited for; later calls wait for the same
    /// answer.
    #[default]
    Answer,
    /// Reports once that the user is waited for, and waits as long as the user may take.
    Report(fn(&BrowserError)),
}

/// The state of connecting to a browser that asks its user.
pub(crate) enum Consent {
    /// The user answered, and allowed it.
    Given(Connected),
    /// The user has not answered yet.
    Pending(PendingConsent),
}

/// Takes the outcome of a connection that was begun, or begins one. `slot` keeps it between calls.
pub(crate) async fn consent(slot: &mut Option<PendingConsent>, wanted: &str) -> Result<Consent> {
    if let Some(pending) = slot.as_ref() {
        match pending.take() {
            None if pending.is_answered(Duration::ZERO).await => *slot = None,
            None => return Ok(Consent::Pending(pending.clone())),
            Some(outcome) => {
                *slot = None;
                return Ok(Consent::Given(outcome?));
            }
        }
    }
    let pending = PendingConsent::begin(wanted).await?;
    *slot = Some(pending.clone());
    Ok(Consent::Pending(pending))
}

impl ConsentWait {
    /// Waits for the user's answer. Fails if there is none in time.
    pub(crate) async fn wait(self, pending: &PendingConsent) -> Result<()> {
        let limit = match self {
            ConsentWait::Answer => ANSWER_LIMIT,
            ConsentWait::Report(_) => REPORT_AFTER,
        };
        if pending.is_answered(limit).await {
            return Ok(());
        }
        let waiting = pending.still_waiting();
        if let ConsentWait::Report(report) = self {
            report(&waiting);
            if pending.is_answered(CONSENT_LIMIT).await {
                return Ok(());
            }
        }
        Err(waiting.into())
    }
}

impl Session {
    /// Attaches to a tab of the user that the caller chose.
    pub(crate) async fn choose(
        &self,
        browser: &Arc<dyn Browser>,
        tab: &UnchosenTab,
    ) -> Result<Arc<TabRecord>> {
        let _turn = tab.choosing.lock().await;
        // The call that had the turn before may have chosen it.
        if let Some(record) = self.shared.tabs().by_engine_id(&tab.engine_id) {
            return Ok(record.clone());
        }
        if tab.is_crashed() {
            return Err(TabError::CrashedElsewhere { tab: tab.id.clone() }.into());
        }
        let opened = browser.attach_tab(&tab.engine_id).await?;
        Ok(self.shared.tabs().choose(tab, opened))
    }

    /// Returns the only tab of the user's browser, to be used without being named. Fails if there
    /// are several, because the caller has to choose.
    pub(crate) fn only_tab(&self) -> Result<Option<Arc<UnchosenTab>>> {
        let tabs = self.shared.tabs();
        let listed: Vec<&Arc<UnchosenTab>> = tabs.listed().collect();
        match listed.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some((*only).clone())),
            several => {
                let named = several.iter().take(MOST_NAMED).map(|tab| {
                    let info = tab.info();
                    let title = value(&info.unchosen.unwrap_or_default(), 40);
                    format!("{} {title} {}", info.id, safe(&info.url, 100))
                });
                let mut open: Vec<String> = named.collect();
                if several.len() > MOST_NAMED {
                    open.push(format!("{} more", several.len() - MOST_NAMED));
                }
                Err(TabError::NoneChosen { open: open.join(", ") }.into())
            }
        }
    }

    /// Returns the tab to open a URL in: the given or active one. If there is none, a new one is
    /// opened, because a page of the user is not left without the user's choice.
    pub async fn tab_for_url(&self, given: Option<&str>) -> Result<Arc<TabRecord>> {
        if given.is_some() {
            return self.tab(given).await;
        }
        let browser = self.browser().await?;
        let _first = self.first_tab.lock().await;
        let active = self.shared.tabs().active();
        match active {
            Some(record) => Ok(record),
            None => self.open_first(&browser).await,
        }
    }
}
