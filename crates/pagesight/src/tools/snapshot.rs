//! `take_snapshot`: shows the DOM after the three-stage pipeline, as text or JSON, with metrics on
//! request.

use std::time::Instant;

use pagesight_core::page::{Page, Scope};
use pagesight_core::pipeline::PipelineConfig;
use pagesight_core::render::{Measured, SnapshotFormat, SnapshotOptions, measured};
use pagesight_session::{ScopeChoice, SnapshotRequest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::answer::Answer;
use super::error::{ArgumentError, ToolError};
use super::operation::{Effect, Operation, ToolResult};
use super::output_file::{OutputTarget, count};
use super::page_file::{number_whole_page, scope_of};
use super::token_limit::{DEFAULT_TOKENS, token_limit};
use super::workspace::Workspace;
use crate::hints::COMMAND_LINE;

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub(crate) struct SnapshotParameters {
    #[arg(
        long,
        help = "The part of the page: full, viewport, a number from an outline, or a CSS selector"
    )]
    #[serde(default, deserialize_with = "pagesight_session::reference::optional")]
    scope: Option<String>,
    #[arg(skip)]
    #[schemars(with = "Option<String>", extend("enum" = ["text", "json"]))]
    pub(crate) format: Option<SnapshotFormat>,
    #[arg(
        long,
        value_name = "N",
        help = "The token limit of the answer: 8000 by default, at least 200"
    )]
    max_tokens: Option<usize>,
    /// turns rules off: {"enable_visibility_filter": false}
    #[arg(long, value_name = "JSON", value_parser = read_object, help = "Configuration of the pipeline, such as '{\"enable_noise_filter\": false}'")]
    pipeline: Option<Map<String, Value>>,
    #[arg(long, help = "Also print the compaction metrics")]
    #[serde(default)]
    pub(crate) metrics: bool,
    #[arg(skip)]
    path: Option<String>,
    #[arg(skip)]
    #[serde(default)]
    overwrite: bool,
    #[arg(skip)]
    #[serde(alias = "tabName")]
    pub(crate) tab: Option<String>,
}

fn read_object(given: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(given).map_err(|error| format!("give a JSON object: {error}"))
}

impl SnapshotParameters {
    /// Checks what can be checked without a page.
    pub(crate) fn check(&self) -> Result<(), ToolError> {
        ScopeChoice::parse(self.scope.as_deref())?;
        self.options()?;
        self.config()?;
        Ok(())
    }

    fn options(&self) -> Result<SnapshotOptions, ArgumentError> {
        let max_tokens = token_limit(self.max_tokens, DEFAULT_TOKENS, &self.path, "a snapshot")?;
        let format = self.format.unwrap_or_default();
        Ok(SnapshotOptions { scope: Scope::Full, format, max_tokens, ..SnapshotOptions::default() })
    }

    fn config(&self) -> Result<PipelineConfig, ArgumentError> {
        let given = Value::Object(self.pipeline.clone().unwrap_or_default());
        let config: PipelineConfig =
            serde_json::from_value(given).map_err(ArgumentError::Pipeline)?;
        Ok(config.checked()?)
    }
}

pub(crate) struct TakeSnapshot;

impl Operation for TakeSnapshot {
    const NAME: &'static str = "take_snapshot";
    const DESCRIPTION: &'static str = "Show the compacted DOM: `uid=1_4 a href=\"/about\"` per element. inspect_tab is smaller. uids are references.";
    const EFFECT: Effect = Effect::Reads;
    type Parameters = SnapshotParameters;

    async fn run(workspace: &Workspace, parameters: SnapshotParameters) -> ToolResult {
        let target = OutputTarget::of(workspace, parameters.path.as_deref(), parameters.overwrite)?;
        let is_json = parameters.format == Some(SnapshotFormat::Json);
        if let Some(target) = target {
            let text = take(workspace, &parameters).await?.text();
            let summary = format!("snapshot, {}", count(&text));
            let answer = if is_json { Answer::json_text(text) } else { Answer::text(text) };
            return target.write(workspace, answer, &summary).await;
        }
        if !is_json {
            return Ok(Answer::text(take(workspace, &parameters).await?.text()));
        }
        let tab = workspace.tab(&parameters.tab).await?;
        workspace.session.find_late_changes(&tab).await;
        let taken = take(workspace, &parameters).await?;
        Ok(workspace.about(&tab, Answer::json_text(taken.text())))
    }
}

/// Takes the snapshot of a live page.
pub(crate) async fn take(
    workspace: &Workspace,
    parameters: &SnapshotParameters,
) -> Result<Measured, ToolError> {
    let scope = ScopeChoice::parse(parameters.scope.as_deref())?;
    let (options, config) = (parameters.options()?, parameters.config()?);
    let tab = workspace.tab(&parameters.tab).await?;
    let metrics = parameters.metrics;
    let request = SnapshotRequest { scope: &scope, config: &config, options, metrics };
    Ok(workspace.session.snapshot(&tab, request).await?)
}

/// Takes the snapshot of a page file. Without a session, elements have the numbers of the whole
/// outline; further elements are numbered in the order of the snapshot.
pub(crate) fn take_file(
    page: &Page,
    parameters: &SnapshotParameters,
) -> Result<Measured, ToolError> {
    let mut numbers = number_whole_page(page);
    let scope = scope_of(page, &ScopeChoice::parse(parameters.scope.as_deref())?, &numbers)?;
    let options = SnapshotOptions { scope, wording: COMMAND_LINE, ..parameters.options()? };
    let begun = Instant::now();
    let (config, now) = (parameters.config()?, || begun.elapsed());
    Ok(measured(page, &config, &options, parameters.metrics, &mut numbers, now)?)
}
