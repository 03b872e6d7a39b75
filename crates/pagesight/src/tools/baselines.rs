//! `dom_baselines`: lists, shows and deletes baselines.

use pagesight_check::baseline::{Fit, Name};
use pagesight_core::fingerprint::answer;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Content;
use super::error::{ArgumentError, ToolError};
use super::operation::{Effect, Operation, ToolResult};
use super::workspace::Workspace;
use crate::project::error::ProjectError;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BaselinesParameters {
    action: BaselinesAction,
    /// for show and delete
    name: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum BaselinesAction {
    List,
    Show,
    Delete,
}

pub(crate) struct ManageBaselines;

impl Operation for ManageBaselines {
    const NAME: &'static str = "dom_baselines";
    const DESCRIPTION: &'static str = "List, show or delete saved baselines.";
    const EFFECT: Effect = Effect::Acts;
    type Parameters = BaselinesParameters;

    async fn run(workspace: &Workspace, parameters: BaselinesParameters) -> ToolResult {
        let name = || match &parameters.name {
            Some(name) => Ok(Name::parse(name)?),
            None => Err(ToolError::from(ArgumentError::NoBaseline)),
        };
        let answer = match parameters.action {
            BaselinesAction::List => list(workspace).await?,
            BaselinesAction::Show => show(workspace, name()?).await?,
            BaselinesAction::Delete => delete(workspace, name()?).await?,
        };
        Ok(Content::Json(answer).into())
    }
}

pub(crate) async fn list(workspace: &Workspace) -> Result<Value, ProjectError> {
    let listed = workspace.store.with_baselines(|store| store.list()).await?;
    Ok(json!({ "store": workspace.store.shown()?, "baselines": listed }))
}

/// Shows a baseline, with the versions of its name.
pub(crate) async fn show(workspace: &Workspace, name: Name) -> Result<Value, ProjectError> {
    let shown = name.as_str().to_owned();
    let (found, versions) = workspace
        .store
        .with_baselines(move |store| {
            Ok((store.find(&name, Fit::default())?, store.history(&name)?))
        })
        .await?;
    Ok(answer(&found, &[("name", json!(shown)), ("versions", json!(versions))]))
}

/// Lists the versions of a name.
pub(crate) async fn history(workspace: &Workspace, name: Name) -> Result<Value, ProjectError> {
    let shown = name.as_str().to_owned();
    let versions = workspace.store.with_baselines(move |store| store.history(&name)).await?;
    Ok(json!({ "name": shown, "versions": versions }))
}

/// Makes an older version the current one.
pub(crate) async fn restore(
    workspace: &Workspace,
    name: Name,
    version: i64,
) -> Result<Value, ProjectError> {
    let shown = name.as_str().to_owned();
    workspace.store.with_baselines(move |store| store.restore(&name, version)).await?;
    Ok(json!({ "restored": shown, "version": version }))
}

/// Deletes a name with all its versions.
pub(crate) async fn delete(workspace: &Workspace, name: Name) -> Result<Value, ProjectError> {
    let shown = name.as_str().to_owned();
    let versions = workspace.store.with_baselines(move |store| store.delete(&name)).await?;
    Ok(json!({ "deleted": shown, "versions": versions }))
}
