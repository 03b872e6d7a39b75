//! `browser_interact`: runs actions in order and answers with one line per action.

use std::time::Duration;

use pagesight_session::{Action, BatchChanges, Hint, WrittenAction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::answer::Answer;
use super::error::ArgumentError;
use super::operation::{Effect, Operation, SteppedOperation, ToolResult};
use super::seen_page::SeenPage;
use super::workspace::Workspace;

/// The most actions in one call.
const MOST_ACTIONS: usize = 100;

/// The lowest token limit of the change summary. Smaller limits are raised to it.
const LEAST_TOKENS: usize = 50;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InteractParameters {
    #[schemars(length(min = 1, max = MOST_ACTIONS))]
    actions: Vec<WrittenAction>,
    #[serde(alias = "tabName")]
    tab: Option<String>,
    /// of the changes: default 1000
    max_tokens: Option<usize>,
}

impl InteractParameters {
    /// Parses actions as callers write them in JSON.
    pub(crate) fn of(actions: Vec<Value>) -> Result<InteractParameters, serde_json::Error> {
        let actions = serde_json::from_value(Value::Array(actions))?;
        Ok(InteractParameters { actions, tab: None, max_tokens: None })
    }
}

pub(crate) struct Interact;

impl Operation for Interact {
    const NAME: &'static str = "browser_interact";
    const DESCRIPTION: &'static str = "Act on the page with real input. Runs actions in order, stops at the first failure, and answers with one line per action, then the changes: no need to look again.";
    const EFFECT: Effect = Effect::Acts;
    const LIMIT: Duration = Duration::from_secs(50);
    type Parameters = InteractParameters;

    async fn run(workspace: &Workspace, parameters: InteractParameters) -> ToolResult {
        Interact::run_until(workspace, parameters, &CancellationToken::new()).await
    }
}

impl SteppedOperation for Interact {
    async fn run_until(
        workspace: &Workspace,
        parameters: InteractParameters,
        stop: &CancellationToken,
    ) -> ToolResult {
        let count = parameters.actions.len();
        if count == 0 || count > MOST_ACTIONS {
            return Err(ArgumentError::ActionCount { given: count, most: MOST_ACTIONS }.into());
        }
        let mut actions = Vec::new();
        for (at, step) in parameters.actions.into_iter().enumerate() {
            actions.extend(step.actions(at + 1)?);
        }
        let given: usize = actions.iter().map(Action::count).sum();
        if given > MOST_ACTIONS {
            let most = MOST_ACTIONS;
            return Err(ArgumentError::FieldCount { given, most }.into());
        }
        let tab = workspace.tab(&parameters.tab).await?;
        let max_tokens = parameters.max_tokens.map(|given| given.max(LEAST_TOKENS));
        let acted = workspace.session.act_until(&tab, &actions, max_tokens, stop).await?;
        let mut text: String = acted
            .reports
            .iter()
            .map(|report| match report {
                Ok(line) => format!("{line}\n"),
                Err(error) => format!("failed: {}\n", workspace.sentence(error)),
            })
            .collect();
        if acted.not_run > 0 {
            let plural = if acted.not_run == 1 { " was" } else { "s were" };
            text.push_str(&format!("{} action{plural} not run\n", acted.not_run));
        }
        if let Some(trouble) = &acted.trouble {
            text.push_str(trouble);
            text.push('\n');
        }
        let failed = acted.failed();
        let mut page = SeenPage::new(String::new(), String::new());
        page.problems.extend(acted.trouble);
        match acted.changes {
            Some(BatchChanges::NewPage(outline)) => {
                text.push_str(&outline.text);
                (page.url, page.title, page.lines) = (outline.url, outline.title, outline.lines);
            }
            Some(seen) => {
                let seen = changes(workspace, seen);
                text.push_str(&seen);
                page.changes.extend(seen.lines().map(str::to_owned));
            }
            None => {}
        }
        let answer = Answer { failed, ..Answer::text(text).showing(page) };
        Ok(workspace.about(&tab, answer))
    }
}

/// Returns the changes of a batch as text that ends with a line break.
fn changes(workspace: &Workspace, changes: BatchChanges) -> String {
    match changes {
        BatchChanges::Seen(text) => text,
        BatchChanges::NewPage(outline) => outline.text,
        BatchChanges::Unseen(error) => {
            format!("the changes could not be read: {}\n", workspace.sentence(&error))
        }
        BatchChanges::TooLate => {
            let late = "the changes could not be read in time";
            format!("{}\n", workspace.session.wording().sentence(late, Some(&Hint::Look)))
        }
    }
}
