//! `compare_dom_fingerprint`: compares the page with a baseline, with a fingerprint of this
//! session, or with the last one.

use std::sync::Arc;

use pagesight_check::baseline::{BaselineError, Fit, Name};
use pagesight_core::compare::{Comparison, Severity, answer, compare};
use pagesight_core::fingerprint::{Fingerprint, Size};
use pagesight_core::page::Page;
use pagesight_session::{FingerprintWithPicture, TabRecord};
use schemars::JsonSchema;
use serde::Deserialize;

use super::answer::Content;
use super::error::ToolError;
use super::fingerprint::{file_like, find, request_like, take_like};
use super::operation::{Effect, Operation, ToolResult};
use super::words::SEVERITIES;
use super::workspace::Workspace;
use crate::project::error::ProjectError;
use pagesight_check::settings::ignore_rules;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareParameters {
    /// a baseline, a fingerprint hash from this session, or "last"
    pub(crate) against: String,
    #[schemars(
        with = "Option<String>",
        extend("enum" = SEVERITIES, "description" = "default warning")
    )]
    severity_threshold: Option<Severity>,
    #[serde(alias = "tabName")]
    tab: Option<String>,
}

pub(crate) struct Compare;

impl Operation for Compare {
    const NAME: &'static str = "compare_dom_fingerprint";
    const DESCRIPTION: &'static str =
        "Report changes since a baseline, each with severity and location.";
    const EFFECT: Effect = Effect::Reads;
    type Parameters = CompareParameters;

    async fn run(workspace: &Workspace, parameters: CompareParameters) -> ToolResult {
        let tab = workspace.tab(&parameters.tab).await?;
        workspace.session.find_late_changes(&tab).await;
        let compared = compare_live(workspace, &tab, &parameters.against).await?;
        let threshold = parameters.severity_threshold.unwrap_or(Severity::Warning);
        Ok(workspace.about(&tab, Content::Json(answer(&compared, threshold)).into()))
    }
}

/// Compares the page of a tab with a baseline.
pub(crate) async fn compare_live(
    workspace: &Workspace,
    tab: &Arc<TabRecord>,
    against: &str,
) -> Result<Comparison, ToolError> {
    let base = live_base(workspace, tab, against).await?;
    let current = take_like(workspace, tab, &base).await?;
    workspace.store.remember(&tab.id, &current);
    Ok(compare(&base, &current, &ignore_rules(workspace.store.folder())?))
}

/// Compares the page of a tab with a baseline, and takes a picture of the page.
pub(crate) async fn compare_with_picture(
    workspace: &Workspace,
    tab: &Arc<TabRecord>,
    against: &str,
) -> Result<(Comparison, FingerprintWithPicture), ToolError> {
    let base = live_base(workspace, tab, against).await?;
    let current =
        workspace.session.fingerprint_with_picture(tab, &request_like(workspace, &base)?).await?;
    Ok((compare(&base, &current.fingerprint, &ignore_rules(workspace.store.folder())?), current))
}

/// Finds the fingerprint that the page of a tab is compared with.
pub(crate) async fn live_base(
    workspace: &Workspace,
    tab: &Arc<TabRecord>,
    against: &str,
) -> Result<Arc<Fingerprint>, ToolError> {
    let info = workspace.session.page_info(tab).await?;
    let number = |at: usize| info.viewport.get(at).map_or(0, |side| *side as u32);
    let viewport = Size { width: number(0), height: number(1) };
    base(workspace, &tab.id, against, &info.url, viewport).await
}

/// Compares a page file with a baseline.
pub(crate) async fn compare_file(
    workspace: &Workspace,
    page: &Page,
    against: &str,
) -> Result<Comparison, ToolError> {
    let viewport = Size { width: page.viewport.0, height: page.viewport.1 };
    let base = base(workspace, "", against, page.url(), viewport).await?;
    Ok(compare(
        &base,
        &file_like(workspace, page, &base)?,
        &ignore_rules(workspace.store.folder())?,
    ))
}

/// Finds the fingerprint to compare with: a baseline, else a fingerprint of this session by its
/// hash, else the last one of the tab.
async fn base(
    workspace: &Workspace,
    tab: &str,
    against: &str,
    url: &str,
    viewport: Size,
) -> Result<Arc<Fingerprint>, ToolError> {
    let route = pagesight_core::fingerprint::route(url);
    let fit = Fit { route: Some(&route), viewport: Some(viewport), ..Fit::default() };
    match find(workspace, Name::parse(against)?, fit).await {
        Err(ProjectError::Baseline(BaselineError::Missing { name, near })) => {
            let taken = workspace.store.by_hash(against);
            let taken =
                taken.or_else(|| (against == "last").then(|| workspace.store.last(tab)).flatten());
            let none = || match against {
                "last" => ToolError::NoFingerprint,
                _ => BaselineError::Missing { name, near }.into(),
            };
            taken.ok_or_else(none)
        }
        found => Ok(found?),
    }
}
