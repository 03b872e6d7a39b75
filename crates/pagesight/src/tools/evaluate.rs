//! `browser_evaluate`: runs the caller's own JavaScript. Off, and not listed, unless the user
//! allowed it.

use pagesight_session::SessionError;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Answer, Effect, Operation, Workspace};

/// Parameters of `browser_evaluate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parameters {
    expression: String,
    #[serde(alias = "tabName")]
    tab: Option<String>,
}

/// The operation.
pub(crate) struct Evaluate;

impl Operation for Evaluate {
    const NAME: &'static str = "browser_evaluate";
    const DESCRIPTION: &'static str =
        "Evaluate a JavaScript expression in the page; answers with JSON.";
    const EFFECT: Effect = Effect::Acts;
    type Parameters = Parameters;

    async fn run(workspace: &Workspace, parameters: Parameters) -> Result<Answer, SessionError> {
        let tab = workspace.tab(&parameters.tab).await?;
        Answer::json(&workspace.session.evaluate(&tab, &parameters.expression).await?)
    }
}
