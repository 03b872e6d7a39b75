//! Shared by the judges of `cargo lab sight`: each page is opened by pagesight in a browser of the
//! lab, to which the lab has a connection of its own, and judged when it is still.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use crate::attached::{AttachedTab, tab_targets};
use crate::devtools::{DevTools, LabBrowser};
use crate::install::apps::App;
use crate::options::{PageGroup, PagesArgs, Visitor};
use crate::pages::PageState;
use crate::product::{OutlineOptions, Session, SessionOptions, TabRecord};

/// How long one page may take.
const PAGE_LIMIT: Duration = Duration::from_secs(180);

/// A page that is still.
pub struct StillPage<'a> {
    pub name: &'a str,
    pub group: PageGroup,
    pub session: &'a Session,
    pub tab: &'a Arc<TabRecord>,
    pub tools: &'a DevTools,
    pub attached: &'a AttachedTab,
}

/// Judges pages one after the other.
pub trait PageJudge {
    async fn judge(&mut self, page: StillPage<'_>) -> anyhow::Result<()>;
}

/// Returns options for an outline of everything.
pub fn everything() -> OutlineOptions {
    OutlineOptions { fold: false, max_tokens: 100_000_000, ..OutlineOptions::default() }
}

/// A browser of the lab, and the judge of its pages.
pub struct Judging<'j, J> {
    pub browser: LabBrowser,
    pub tools: DevTools,
    judge: &'j mut J,
    failed: Vec<String>,
}

impl<'j, J: PageJudge> Judging<'j, J> {
    /// Lets a judge see all pages and apps. The browser stays open.
    pub async fn visit(
        judge: &'j mut J,
        pages: &PagesArgs,
        left_out: &[&str],
        more: &'static [App],
    ) -> anyhow::Result<(Judging<'j, J>, anyhow::Result<()>)> {
        let browser = LabBrowser::start().await?;
        let tools = DevTools::connect(&browser.url).await?;
        let mut judging = Judging { browser, tools, judge, failed: Vec::new() };
        let visited = pages.visit(left_out, more, &mut judging).await;
        Ok((judging, visited))
    }

    pub fn judge(&mut self) -> &mut J {
        self.judge
    }

    /// Ends the browser; fails if a page could not be judged.
    pub async fn end(self) -> anyhow::Result<()> {
        self.browser.close(&self.tools).await;
        let failed = self.failed.join(", ");
        anyhow::ensure!(failed.is_empty(), "these pages could not be judged: {failed}");
        Ok(())
    }
}

impl<J: PageJudge> Visitor for Judging<'_, J> {
    async fn visit(&mut self, group: PageGroup, page_states: Vec<PageState>) {
        let connect = Some(self.browser.url.clone());
        let session = Session::new(SessionOptions { connect, ..SessionOptions::default() });
        let mut open: Option<(Arc<TabRecord>, AttachedTab)> = None;
        for page_state in page_states {
            if page_state.url.is_some()
                && let Some((tab, _)) = open.take()
            {
                let _ = session.close_tab(&tab).await;
            }
            let judged = async {
                if open.is_none() {
                    open = Some(open_shared(&session, &self.tools).await?);
                }
                let (tab, attached) = open.as_ref().context("no tab")?;
                if let Some(url) = &page_state.url {
                    session.navigate(tab, &session.address(url)?, None).await?;
                }
                attached.play(&self.tools, &page_state).await?;
                let (name, tools) = (page_state.name.as_str(), &self.tools);
                let page = StillPage { name, group, session: &session, tab, tools, attached };
                self.judge.judge(page).await
            };
            let judged = tokio::time::timeout(PAGE_LIMIT, judged).await;
            if let Err(error) = judged.context("took too long").flatten() {
                eprintln!("{}: {error:#}", page_state.name);
                self.failed.push(page_state.name);
            }
        }
        session.close().await;
    }
}

/// Opens a tab of pagesight's to which the lab is attached, too.
async fn open_shared(
    session: &Session,
    tools: &DevTools,
) -> anyhow::Result<(Arc<TabRecord>, AttachedTab)> {
    let before = tab_targets(tools).await?;
    let tab = session.open_tab(None).await?;
    let targets = tab_targets(tools).await?;
    let target = targets.into_iter().find(|target| !before.contains(target));
    Ok((tab, AttachedTab::attach(tools, &target.context("no new tab")?).await?))
}
