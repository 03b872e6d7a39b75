//! `browser_navigate`: opens a URL, or goes back, forward or reloads, and reports the result.

use std::time::Duration;

use pagesight_core::text::escape::{safe, value};
use pagesight_session::{Navigated, SessionError, Step, Stopped, Wording};
use schemars::JsonSchema;
use serde::Deserialize;

use super::answer::Answer;
use super::operation::{Effect, Operation};
use super::workspace::Workspace;

/// The longest wait that callers can ask for, because a call ends within 30 s.
const LONGEST_LIMIT: Duration = Duration::from_secs(25);

/// Parameters of `browser_navigate`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NavigateParameters {
    /// http(s), data: or about:blank
    url: Option<String>,
    /// instead of url
    action: Option<HistoryMove>,
    #[serde(alias = "tabName")]
    tab: Option<String>,
    /// default 10000
    timeout_ms: Option<u64>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum HistoryMove {
    Back,
    Forward,
    Reload,
}

/// The tool.
pub(crate) struct Navigate;

impl Operation for Navigate {
    const NAME: &'static str = "browser_navigate";
    const DESCRIPTION: &'static str = "Open a URL, or go back/forward/reload. Waits until the page is ready; reports final URL, title, status and problems.";
    const EFFECT: Effect = Effect::Steers;
    type Parameters = NavigateParameters;

    async fn run(
        workspace: &Workspace,
        parameters: NavigateParameters,
    ) -> Result<Answer, SessionError> {
        let limit = parameters.timeout_ms.map(|ms| Duration::from_millis(ms).min(LONGEST_LIMIT));
        let mut replaced = false;
        let (navigated, tab) = match (&parameters.url, parameters.action) {
            (Some(url), None) => {
                let address = workspace.session.address(url)?;
                let tab = workspace.tab(&parameters.tab).await?;
                let unblocked = workspace.session.unblocked(tab).await?;
                let tab = unblocked.tab;
                replaced = unblocked.replaced;
                (workspace.session.navigate(&tab, &address, limit).await?, tab)
            }
            (None, Some(go)) => {
                let step = match go {
                    HistoryMove::Back => Step::Back,
                    HistoryMove::Forward => Step::Forward,
                    HistoryMove::Reload => Step::Reload,
                };
                let tab = workspace.tab(&parameters.tab).await?;
                (workspace.session.step(&tab, step, limit).await?, tab)
            }
            _ => {
                let text = "browser_navigate needs either url or action (back, forward, reload); give one of them";
                return Err(SessionError::Input(text.into()));
            }
        };
        let nowhere = matches!(navigated.stopped, Stopped::NoDocument(_));
        let mut text = String::new();
        if replaced {
            text.push_str(
                "the previous page did not answer, so its tab was replaced by a new one without its history\n",
            );
        }
        text.push_str(&lines(&navigated, workspace.session.wording()));
        let downloads = match nowhere {
            true => workspace.session.expected_downloads(&tab).await,
            false => workspace.session.downloads(&tab).await,
        };
        for download in downloads {
            text.push_str(&format!("{download}\n"));
        }
        Ok(Answer::text(text))
    }
}

/// Returns the result of a navigation in two or three lines.
pub(crate) fn lines(navigated: &Navigated, wording: Wording) -> String {
    let mut text = safe(&navigated.url, 300);
    if !navigated.title.is_empty() {
        text.push_str(&format!("  {}", value(&navigated.title, 120)));
    }
    if let Some(status) = navigated.status {
        text.push_str(&format!("  {status}"));
    }
    let stopped = wording.sentence(&navigated.stopped, navigated.stopped.hint().as_ref());
    text.push_str(&format!("\n{stopped} after {} ms\n", navigated.waited.as_millis()));
    if let Some(trouble) = &navigated.trouble {
        text.push_str(trouble);
        text.push('\n');
    }
    text
}
