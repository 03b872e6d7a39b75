//! `browser_tabs`: lists, opens, selects, closes, names and resizes tabs, and changes what they
//! emulate.

use pagesight_core::text::escape::{safe, value};
use pagesight_session::{
    ColorScheme, Contrast, CpuSlowdown, Device, Emulation, Geolocation, Locale, Medium,
    NetworkSpeed, SessionError, TabInfo, TimeZone, UserAgent, Viewport,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::error::ArgumentError;
use super::navigate;
use super::operation::{Effect, Operation, ToolResult};
use super::workspace::Workspace;

#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
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
    /// such as pixel-9
    #[schemars(with = "Option<String>")]
    device: Option<Device>,
    // The description of the tool lists the members for emulate: their schemas would cost every
    // agent dozens of tokens.
    #[schemars(skip)]
    color_scheme: Option<ColorScheme>,
    #[schemars(skip)]
    reduced_motion: Option<bool>,
    #[schemars(skip)]
    contrast: Option<Contrast>,
    #[schemars(skip)]
    forced_colors: Option<bool>,
    #[schemars(skip)]
    media: Option<Medium>,
    #[schemars(skip)]
    locale: Option<Locale>,
    #[schemars(skip)]
    timezone: Option<TimeZone>,
    #[schemars(skip)]
    geolocation: Option<Geolocation>,
    #[schemars(skip)]
    offline: Option<bool>,
    #[schemars(skip)]
    network: Option<NetworkSpeed>,
    #[schemars(skip)]
    cpu: Option<CpuSlowdown>,
    #[schemars(skip)]
    user_agent: Option<UserAgent>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum TabsAction {
    #[default]
    List,
    New,
    Select,
    Close,
    Name,
    Resize,
    Emulate,
}

impl TabsParameters {
    fn of(action: TabsAction) -> TabsParameters {
        TabsParameters { action, ..TabsParameters::default() }
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

    pub(crate) fn stand_in_for(device: Device) -> TabsParameters {
        TabsParameters { device: Some(device), ..TabsParameters::of(TabsAction::Resize) }
    }

    /// The device is not a part of it.
    pub(crate) fn emulate(emulation: Emulation) -> TabsParameters {
        TabsParameters {
            color_scheme: emulation.color_scheme,
            reduced_motion: emulation.reduced_motion,
            contrast: emulation.contrast,
            forced_colors: emulation.forced_colors,
            media: emulation.media,
            locale: emulation.locale,
            timezone: emulation.timezone,
            geolocation: emulation.geolocation,
            offline: emulation.offline,
            network: emulation.network,
            cpu: emulation.cpu,
            user_agent: emulation.user_agent,
            ..TabsParameters::of(TabsAction::Emulate)
        }
    }

    /// Returns the conditions to emulate. The device is not a part of them.
    fn emulation(&self) -> Emulation {
        Emulation {
            device: None,
            color_scheme: self.color_scheme,
            reduced_motion: self.reduced_motion,
            contrast: self.contrast,
            forced_colors: self.forced_colors,
            media: self.media,
            locale: self.locale.clone(),
            timezone: self.timezone.clone(),
            geolocation: self.geolocation,
            offline: self.offline,
            network: self.network,
            cpu: self.cpu,
            user_agent: self.user_agent.clone(),
        }
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
    const DESCRIPTION: &'static str = "List, open, select, close, name or \
        resize tabs. emulate: color_scheme, reduced_motion, locale, timezone, geolocation, \
        offline, network, cpu; none: reset.";
    const EFFECT: Effect = Effect::Steers;
    type Parameters = TabsParameters;

    async fn run(workspace: &Workspace, parameters: TabsParameters) -> ToolResult {
        let session = &workspace.session;
        let emulation = parameters.emulation();
        if parameters.action != TabsAction::Emulate && !emulation.is_empty() {
            return Err(ArgumentError::OnlyEmulate.into());
        }
        if parameters.action != TabsAction::Resize && parameters.device.is_some() {
            return Err(ArgumentError::OnlyResize.into());
        }
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
            TabsAction::Emulate => {
                let tab = workspace.tab(&parameters.tab).await?;
                session.find_late_changes(&tab).await;
                let all = match emulation.is_empty() {
                    true => session.reset_emulation(&tab).await?,
                    false => session.emulate(&tab, &emulation).await?,
                };
                let text = match all.is_empty() {
                    true => format!("tab {} emulates nothing\n", tab.label()),
                    false => format!("tab {} emulates: {all}\n", tab.label()),
                };
                Ok(workspace.about(&tab, Answer::text(text)))
            }
            TabsAction::Resize => {
                let (width, height) = match parameters {
                    TabsParameters { device: Some(device), width: None, height: None, .. } => {
                        let tab = workspace.tab(&parameters.tab).await?;
                        session.find_late_changes(&tab).await;
                        session.set_device(&tab, device).await?;
                        let Viewport { width, height } = device.viewport;
                        let text =
                            format!("tab {} is now {device}, {width}x{height}\n", tab.label());
                        return Ok(workspace.about(&tab, Answer::text(text)));
                    }
                    TabsParameters {
                        device: None,
                        width: Some(width),
                        height: Some(height),
                        ..
                    } => (width, height),
                    _ => return Err(ArgumentError::NoTabSize.into()),
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
