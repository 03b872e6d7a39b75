//! `browser_evaluate`: runs the caller's JavaScript. Not listed unless the user allows it.

use pagesight_session::SessionError;
use schemars::JsonSchema;
use serde::Deserialize;

use super::answer::Answer;
use super::operation::{Effect, Operation};
use super::workspace::Workspace;

/// Parameters of `browser_evaluate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvaluateParameters {
    expression: String,
    #[serde(alias = "tabName")]
    tab: Option<String>,
}

/// The tool.
pub(crate) struct Evaluate;

impl Operation for Evaluate {
    const NAME: &'static str = "browser_evaluate";
    const DESCRIPTION: &'static str =
        "Evaluate a JavaScript expression in the page and return JSON.";
    const EFFECT: Effect = Effect::Acts;
    type Parameters = EvaluateParameters;

    async fn run(
        workspace: &Workspace,
        parameters: EvaluateParameters,
    ) -> Result<Answer, SessionError> {
        let tab = workspace.tab(&parameters.tab).await?;
        Answer::json(&workspace.session.evaluate(&tab, &parameters.expression).await?)
    }
}
