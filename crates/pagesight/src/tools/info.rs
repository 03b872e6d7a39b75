//! `get_page_info`: returns facts and counts that are cheap to get.

use schemars::JsonSchema;
use serde::Deserialize;

use super::answer::Answer;
use super::operation::{Effect, Operation, ToolResult};
use super::workspace::Workspace;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InfoParameters {
    #[serde(alias = "tabName")]
    tab: Option<String>,
}

pub(crate) struct Info;

impl Operation for Info {
    const NAME: &'static str = "get_page_info";
    const DESCRIPTION: &'static str =
        "Return URL, title, counts, scroll, readiness, recent errors.";
    const EFFECT: Effect = Effect::Reads;
    type Parameters = InfoParameters;

    async fn run(workspace: &Workspace, parameters: InfoParameters) -> ToolResult {
        let tab = workspace.tab(&parameters.tab).await?;
        workspace.session.find_late_changes(&tab).await;
        let info = workspace.session.page_info(&tab).await?;
        Ok(workspace.about(&tab, Answer::json(&info)?))
    }
}
