//! Chooses tabs of the user's own browser: they are listed and left alone until the caller chooses
//! one.

use std::sync::Arc;

use pagesight_browser::Browser;
use pagesight_core::text::escape::{safe, value};

use crate::error::Result;
use crate::session::Session;
use crate::tab::error::TabError;
use crate::tab::found::UnchosenTab;
use crate::tab::record::TabRecord;

/// How many of the user's tabs an error names.
const MOST_NAMED: usize = 10;

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
            None => self.open_active(&browser).await,
        }
    }
}
