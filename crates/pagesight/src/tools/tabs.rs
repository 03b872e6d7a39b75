//! `browser_tabs`: lists, opens, selects, closes, names and resizes tabs.

use pagesight_core::text::escape::{safe, value};
use pagesight_session::{SessionError, TabInfo, Viewport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::error::ArgumentError;
use super::navigate;
use super::operation::{Effect, Operation, ToolResult};
use super::workspace::Workspace;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TabsParameters {
    action: TabsAction,
    /// name or id, default: active
    #[serde(alias = "tabName")]
    tab: Option<String>,
    /// for new
    url: Option<String>,
    /// for new and name
    name: Option<String>,
    /// for resize
    width: Option<u32>,
    height: Option<u32>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum TabsAction {
    List,
    New,
    Select,
    Close,
    Name,
    Resize,
}

impl TabsParameters {
    fn of(action: TabsAction) -> TabsParameters {
        TabsParameters { action, tab: None, url: None, name: None, width: None, height: None }
    }

    pub(crate) fn list() -> TabsParameters {
        TabsParameters::of(TabsAction::List)
    }

    pub(crate) fn open(url: Option<String>) -> TabsParameters {
        TabsParameters { url, ..TabsParameters::of(TabsAction::New) }
    }

    pub(crate) fn resize(Viewport { width, height }: Viewport) -> TabsParameters {
        let (width, height) = (Some(width), Some(height));
        TabsParameters { width, height, ..TabsParameters::of(TabsAction::Resize) }
    }

    /// Whether the answer is the list of tabs.
    pub(crate) fn lists(&self) -> bool {
        matches!(self.action, TabsAction::List)
    }

    pub(crate) fn select(tab: String) -> TabsParameters {
        TabsParameters { tab: Some(tab), ..TabsParameters::of(TabsAction::Select) }
    }

    pub(crate) fn close(tab: String) -> TabsParameters {
        TabsParameters { tab: Some(tab), ..TabsParameters::of(TabsAction::Close) }
    }
}

pub(crate) struct ManageTabs;

impl Operation for ManageTabs {
    const NAME: &'static str = "browser_tabs";
    const DESCRIPTION: &'static str = "List, open, select, close, name or resize tabs.";
    const EFFECT: Effect = Effect::Steers;
    type Parameters = TabsParameters;

    async fn run(workspace: &Workspace, parameters: TabsParameters) -> ToolResult {
        let session = &workspace.session;
        match parameters.action {
            TabsAction::List => Ok(Answer::text(list(workspace).await?)),
            TabsAction::New => {
                let address =
                    parameters.url.as_deref().map(|url| session.address(url)).transpose()?;
                let tab = session.open_tab(parameters.name.as_deref()).await?;
                let mut text = format!("opened tab {}\n", tab.label());
                let mut failed = false;
                if let Some(address) = address {
                    match session.navigate(&tab, &address, None).await {
                        Ok(navigated) => {
                            text.push_str(&navigate::opened(workspace, &tab, navigated).await?)
                        }
                        // The tab is open even so, and the answer says it.
                        Err(error) => {
                            failed = true;
                            text.push_str(&format!("failed: {}\n", workspace.sentence(&error)));
                        }
                    }
                }
                Ok(workspace.about(&tab, Answer { failed, ..Answer::text(text) }))
            }
            TabsAction::Select => {
                let Some(given) = &parameters.tab else {
                    return Err(ArgumentError::NoTab.into());
                };
                let tab = session.tab(Some(given)).await?;
                session.select_tab(&tab);
                session.find_late_changes(&tab).await;
                let text = format!("selected tab {}\n", tab.label());
                Ok(workspace.about(&tab, Answer::text(text)))
            }
            TabsAction::Close => {
                let tab = workspace.tab(&parameters.tab).await?;
                session.close_tab(&tab).await?;
                Ok(Answer::text(format!("closed tab {}\n{}", tab.label(), list(workspace).await?)))
            }
            TabsAction::Name => {
                let Some(name) = &parameters.name else {
                    return Err(ArgumentError::NoTabName.into());
                };
                let tab = workspace.tab(&parameters.tab).await?;
                session.name_tab(&tab, name)?;
                session.find_late_changes(&tab).await;
                let text = format!("tab {} is now called {name}\n", tab.id);
                Ok(workspace.about(&tab, Answer::text(text)))
            }
            TabsAction::Resize => {
                let (Some(width), Some(height)) = (parameters.width, parameters.height) else {
                    return Err(ArgumentError::NoTabSize.into());
                };
                let tab = workspace.tab(&parameters.tab).await?;
                session.find_late_changes(&tab).await;
                session.resize_tab(&tab, Viewport { width, height }).await?;
                let text = format!("tab {} is now {width}x{height}\n", tab.label());
                Ok(workspace.about(&tab, Answer::text(text)))
            }
        }
    }
}

async fn list(workspace: &Workspace) -> Result<String, SessionError> {
    let tabs = workspace.session.tabs().await?;
    if tabs.is_empty() {
        return Ok("no tab is open\n".into());
    }
    Ok(tabs.iter().map(line).collect())
}

/// Returns the line of a tab.
pub(crate) fn line(tab: &TabInfo) -> String {
    line_with_title(tab, tab.unchosen.as_deref())
}

/// Returns the line of a tab, with its title if it is known.
pub(crate) fn line_with_title(tab: &TabInfo, title: Option<&str>) -> String {
    let name = tab.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    let title = title.map(|title| format!(" {}", value(title, 80))).unwrap_or_default();
    let state = match (&tab.unchosen, tab.active) {
        (Some(_), _) => " — not chosen",
        (None, true) => " — active",
        (None, false) => "",
    };
    format!("{}{name}{title} {}{state}\n", tab.id, safe(&tab.url, 200))
}
