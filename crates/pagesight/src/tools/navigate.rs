//! `browser_navigate`: opens a URL, or goes back, forward or reloads, and reports the result.

use std::sync::Arc;
use std::time::Duration;

use pagesight_core::render::{MatchLimit, OutlineLine, OutlineOptions};
use pagesight_core::text::escape::{safe, value};
use pagesight_session::{
    Departure, Destination, Navigated, Removal, ScopeChoice, Step, TabRecord, WaitOutcome, Wording,
};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use super::answer::Answer;
use super::error::ArgumentError;
use super::operation::{Effect, Operation, ToolResult};
use super::seen_page::SeenPage;
use super::token_limit::FEWEST_TOKENS;
use super::workspace::Workspace;

/// The longest wait that callers can ask for, because a call ends within 30 s.
const LONGEST_LIMIT: Duration = Duration::from_secs(25);

/// When a call with an outline ends at the latest: the navigation must be reported within the limit
/// of a call.
const ANSWER_LIMIT: Duration = Duration::from_secs(28);
/// How long the outline of a page in a new tab may take.
const NEW_TAB_LIMIT: Duration = Duration::from_secs(10);
/// How large an outline of the new page is, without and with a query, in tokens.
pub(crate) const OUTLINE_TOKENS: usize = 400;
const QUERY_TOKENS: usize = 250;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NavigateParameters {
    /// http(s), data: or about:blank
    url: Option<String>,
    #[schemars(
        with = "Option<String>",
        extend("enum" = ["back", "forward", "reload"], "description" = "instead of url")
    )]
    action: Option<Step>,
    #[serde(alias = "tabName")]
    tab: Option<String>,
    /// default 10000
    timeout_ms: Option<u64>,
    /// outline only what matches these words
    query: Option<String>,
    /// of the outline: default 400, 0 for none
    max_tokens: Option<usize>,
}

impl NavigateParameters {
    pub(crate) fn to(url: String) -> NavigateParameters {
        NavigateParameters { url: Some(url), ..NavigateParameters::default() }
    }

    pub(crate) fn step(step: Step) -> NavigateParameters {
        NavigateParameters { action: Some(step), ..NavigateParameters::default() }
    }

    /// Returns how the page is outlined, if it is.
    fn outline(&self) -> Result<Option<OutlineOptions>, ArgumentError> {
        let query = self.query.clone().filter(|query| !query.trim().is_empty());
        let default = if query.is_some() { QUERY_TOKENS } else { OUTLINE_TOKENS };
        let max_tokens = self.max_tokens.unwrap_or(default);
        if (1..FEWEST_TOKENS).contains(&max_tokens) {
            let (given, least) = (max_tokens, FEWEST_TOKENS);
            return Err(ArgumentError::FewOutlineTokens { given, least });
        }
        let matches = if self.max_tokens.is_some() { MatchLimit::Budget } else { MatchLimit::Few };
        let options = OutlineOptions {
            query,
            matches,
            max_tokens,
            header: false,
            ..OutlineOptions::default()
        };
        Ok((max_tokens > 0).then_some(options))
    }
}

pub(crate) struct Navigate;

impl Operation for Navigate {
    const NAME: &'static str = "browser_navigate";
    const DESCRIPTION: &'static str = "Open a URL, or go back/forward/reload. Waits until the page is ready; reports final URL, title, status, problems and a short outline.";
    const EFFECT: Effect = Effect::Steers;
    type Parameters = NavigateParameters;

    async fn run(workspace: &Workspace, parameters: NavigateParameters) -> ToolResult {
        let begun = Instant::now();
        let outline = parameters.outline()?;
        let limit = parameters.timeout_ms.map(|ms| Duration::from_millis(ms).min(LONGEST_LIMIT));
        let session = &workspace.session;
        let departure = match (&parameters.url, parameters.action) {
            (Some(url), None) => {
                let address = session.address(url)?;
                let tab = session.tab_for_url(parameters.tab.as_deref()).await?;
                session.find_late_changes(&tab).await;
                session.leave(tab, Destination::Url(&address), limit).await?
            }
            (None, Some(step)) => {
                let tab = workspace.tab(&parameters.tab).await?;
                session.find_late_changes(&tab).await;
                session.leave(tab, Destination::Step(step), limit).await?
            }
            _ => return Err(ArgumentError::NoDestination.into()),
        };
        let Departure { navigated, tab, removed } = departure;
        let navigated = Navigated { trouble: session.new_problems(&tab), ..navigated };
        let nowhere = matches!(navigated.outcome, WaitOutcome::NoDocument(_));
        let mut page = SeenPage::new(navigated.url.clone(), navigated.title.clone());
        page.problems.extend(navigated.trouble.clone());
        let mut text = String::new();
        text.push_str(match removed {
            Some(Removal::Ended) => "the previous page did not answer, so its process was ended\n",
            Some(Removal::Replaced) => {
                "the previous page did not answer, so its tab was replaced by a new one without its history\n"
            }
            None => "",
        });
        text.push_str(&lines(&navigated, workspace.session.wording()));
        let downloads = match nowhere {
            true => workspace.session.expected_downloads(&tab).await,
            false => workspace.session.downloads(&tab).await,
        };
        for download in downloads {
            text.push_str(&format!("{download}\n"));
        }
        if let Some(options) = outline.filter(|_| can_be_seen(&navigated.outcome)) {
            let outline = outline_of(workspace, &tab, options, begun + ANSWER_LIMIT).await;
            text.push_str(&outline.text);
            page.lines = outline.lines;
        }
        Ok(workspace.about(&tab, Answer::text(text).showing(page)))
    }
}

/// Returns the result of opening a URL in a new tab, with a short outline.
pub(crate) async fn opened(
    workspace: &Workspace,
    tab: &Arc<TabRecord>,
    navigated: Navigated,
) -> Result<String, ArgumentError> {
    let navigated = Navigated { trouble: workspace.session.new_problems(tab), ..navigated };
    let mut text = lines(&navigated, workspace.session.wording());
    let outline = NavigateParameters::default().outline()?;
    if let Some(options) = outline.filter(|_| can_be_seen(&navigated.outcome)) {
        let until = Instant::now() + NEW_TAB_LIMIT;
        text.push_str(&outline_of(workspace, tab, options, until).await.text);
    }
    Ok(text)
}

/// Whether there is a page to look at.
fn can_be_seen(outcome: &WaitOutcome) -> bool {
    match outcome {
        WaitOutcome::Settled(_) | WaitOutcome::Loaded => true,
        WaitOutcome::Dialog(..) | WaitOutcome::NoDocument(_) | WaitOutcome::Failed(_) => false,
    }
}

/// The outline of a page that was just opened, or why there is none.
struct OpenedOutline {
    text: String,
    lines: Vec<OutlineLine>,
}

/// Returns the outline of a page that was just opened. The navigation is reported even if the page
/// cannot be read.
async fn outline_of(
    workspace: &Workspace,
    tab: &Arc<TabRecord>,
    options: OutlineOptions,
    until: Instant,
) -> OpenedOutline {
    let options = OutlineOptions { known: workspace.session.regions_left(tab), ..options };
    let look = workspace.session.inspect(tab, &ScopeChoice::Full, None, options);
    let text = match tokio::time::timeout_at(until, look).await {
        Ok(Ok(outline)) => {
            return OpenedOutline { text: outline.text, lines: outline.lines };
        }
        Ok(Err(error)) => format!("the page could not be read: {}\n", workspace.sentence(&error)),
        Err(_) => "the page could not be read in time\n".to_owned(),
    };
    OpenedOutline { text, lines: Vec::new() }
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
    let outcome = wording.sentence(&navigated.outcome, navigated.outcome.hint().as_ref());
    text.push_str(&format!("\n{outcome} after {} ms\n", navigated.waited.as_millis()));
    if let Some(trouble) = &navigated.trouble {
        text.push_str(trouble);
        text.push('\n');
    }
    text
}
