//! Facts and counts of a page, without a capture.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use pagesight_browser::Emulation;
use pagesight_core::text::address::display;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::session::Session;
use crate::tab::info::TabInfo;
use crate::tab::problems::ProblemCounts;
use crate::tab::record::TabRecord;

/// How many problems of each kind are given.
const PROBLEMS_GIVEN: usize = 3;
/// How long the title of a tab is waited for.
const TITLE_LIMIT: Duration = Duration::from_secs(2);

/// Facts and counts of a page that are cheap to get.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageInfo {
    /// The URL.
    pub url: String,
    /// The title.
    pub title: String,
    /// The HTTP status, if there was one.
    pub status: Option<u16>,
    /// `document.readyState`.
    pub ready: String,
    /// Elements in the document and its open shadow roots.
    pub elements: u64,
    /// Elements that can be used natively or by their role.
    pub usable: u64,
    /// Forms.
    pub forms: u64,
    /// Frames.
    pub frames: u64,
    /// Open shadow roots.
    #[serde(alias = "roots", alias = "shadowRoots")]
    pub shadow_roots: u64,
    /// Width and height of the viewport, and the pixel ratio.
    pub viewport: Vec<f64>,
    /// The conditions that are emulated.
    #[serde(skip_serializing_if = "Emulation::is_empty")]
    pub emulated: Emulation,
    /// How far the page is scrolled.
    pub scroll: Vec<f64>,
    /// Width and height of the whole document.
    pub size: Vec<f64>,
    /// The number of pending requests.
    pub pending_requests: usize,
    /// The latest console errors.
    pub console_errors: Vec<String>,
    /// The latest failed requests.
    pub failed_requests: Vec<String>,
    /// All problems of the tab in one line, with the numbers of their entries in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problems: Option<String>,
}

impl Session {
    /// Returns facts and counts of the page in a tab.
    pub async fn page_info(&self, tab: &Arc<TabRecord>) -> Result<PageInfo> {
        let _turn = tab.turn().await?;
        self.check_tab(tab)?;
        let mut info: PageInfo = tab.script(None, Duration::from_secs(10)).page_info().await?;
        info.emulated = tab.tab.emulation();
        info.url = display(&info.url).into_owned();
        let state = tab.state.now();
        info.status = state.status;
        info.pending_requests = state.activity.pending().count();
        info.console_errors = state.problems.console_errors.latest(PROBLEMS_GIVEN);
        info.failed_requests = state.problems.failed_requests.latest(PROBLEMS_GIVEN);
        info.problems = state.problems.line(ProblemCounts::default(), &state.url);
        Ok(info)
    }

    /// Returns the open tabs with their titles. A tab that does not answer soon has none.
    pub async fn tabs_with_titles(&self) -> Result<Vec<(TabInfo, Option<String>)>> {
        let tabs = self.tabs().await?;
        let titled = tabs.into_iter().map(async |tab| {
            let title = match &tab.unchosen {
                Some(title) => Some(title.clone()),
                None => self.title_of(&tab.id).await,
            };
            (tab, title)
        });
        Ok(join_all(titled).await)
    }

    async fn title_of(&self, id: &str) -> Option<String> {
        let tab = self.tab(Some(id)).await.ok()?;
        // A page with an open dialog does not answer.
        self.check_tab(&tab).ok()?;
        let title = self.title(&tab, TITLE_LIMIT).await;
        (!title.is_empty()).then_some(title)
    }
}
