//! `get_dom_fingerprint`: summarizes a page in a few hundred tokens, and saves it as a baseline or
//! compares it with one in the same call.

use std::sync::Arc;

use pagesight_check::baseline::{BaselineError, Fit, Name};
use pagesight_core::compare::{Severity, answer as comparison_answer, compare};
use pagesight_core::fingerprint::{Depth, Fingerprint, answer};
use pagesight_core::page::Page;
use pagesight_session::{FingerprintRequest, ScopeChoice, TabRecord, of_page};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::Content;
use super::error::ToolError;
use super::operation::{Effect, Operation, ToolResult};
use super::page_file::{number_whole_page, scope_of};
use super::words::{DEPTHS, one_of};
use super::workspace::Workspace;
use crate::project::error::ProjectError;
use pagesight_check::clock::timestamp;
use pagesight_check::settings::ignore_rules;

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub(crate) struct FingerprintParameters {
    #[arg(
        long,
        help = "The part of the page: full, viewport, a number from an outline, or a CSS selector"
    )]
    #[serde(default, deserialize_with = "pagesight_session::reference::optional")]
    scope: Option<String>,
    #[arg(
        long,
        value_parser = one_of::<Depth>(DEPTHS),
        help = "How much is compared: standard by default; detailed adds plain texts"
    )]
    #[schemars(with = "Option<String>", extend("enum" = DEPTHS))]
    depth: Option<Depth>,
    /// compare with this baseline
    #[arg(long, value_name = "NAME", help = "Compare with this baseline")]
    baseline_name: Option<String>,
    /// save it as this baseline
    #[arg(long = "save", value_name = "NAME", help = "Save the fingerprint as this baseline")]
    save_as: Option<String>,
    #[arg(skip)]
    #[serde(alias = "tabName")]
    tab: Option<String>,
}

impl FingerprintParameters {
    /// Checks what can be checked without a page.
    pub(crate) fn check(&self) -> Result<(), ToolError> {
        ScopeChoice::parse(self.scope.as_deref())?;
        BaselineNames::of(self)?;
        Ok(())
    }

    fn request(&self, workspace: &Workspace) -> Result<FingerprintRequest, ToolError> {
        let scope = ScopeChoice::parse(self.scope.as_deref())?;
        let depth = self.depth.unwrap_or_default();
        let ignore =
            ignore_rules(workspace.store.folder())?.selectors().map(str::to_owned).collect();
        Ok(FingerprintRequest {
            scope,
            depth,
            ignore,
            captured_at: timestamp(),
            ..FingerprintRequest::default()
        })
    }
}

pub(crate) struct GetFingerprint;

impl Operation for GetFingerprint {
    const NAME: &'static str = "get_dom_fingerprint";
    const DESCRIPTION: &'static str =
        "Summarize the page in 300-500 tokens. Save it before an edit, compare after.";
    const EFFECT: Effect = Effect::Reads;
    type Parameters = FingerprintParameters;

    async fn run(workspace: &Workspace, parameters: FingerprintParameters) -> ToolResult {
        let names = BaselineNames::of(&parameters)?;
        let tab = workspace.tab(&parameters.tab).await?;
        workspace.session.find_late_changes(&tab).await;
        let taken = workspace.session.fingerprint(&tab, &parameters.request(workspace)?).await?;
        workspace.store.remember(&tab.id, &taken);
        let mut extra = Vec::new();
        if let Some(name) = names.baseline {
            let base = find(workspace, name, Fit::of(&taken)).await?;
            let current = if alike(&base, &taken) {
                taken.clone()
            } else {
                take_like(workspace, &tab, &base).await?
            };
            extra.push(comparison(workspace, &base, &current)?);
        }
        if let Some(name) = names.save {
            extra.push(save(workspace, name, taken.clone()).await?);
        }
        // The answer states its own size, so this is added before.
        extra.extend(
            workspace.session.take_late_changes(&tab).map(|line| ("since_last", line.into())),
        );
        Ok(workspace.about(&tab, Content::Json(answer(&taken, &extra)).into()))
    }
}

/// The names of baselines, parsed before anything else is done.
struct BaselineNames {
    baseline: Option<Name>,
    save: Option<Name>,
}

impl BaselineNames {
    fn of(parameters: &FingerprintParameters) -> Result<BaselineNames, BaselineError> {
        let read = |given: &Option<String>| given.as_deref().map(Name::parse).transpose();
        Ok(BaselineNames {
            baseline: read(&parameters.baseline_name)?,
            save: read(&parameters.save_as)?,
        })
    }
}

/// Reports whether two fingerprints have the same scope, depth and viewport.
pub(crate) fn alike(one: &Fingerprint, other: &Fingerprint) -> bool {
    (&one.scope, one.depth, one.viewport) == (&other.scope, other.depth, other.viewport)
}

/// Finds the baseline of a name that fits best.
pub(crate) async fn find(
    workspace: &Workspace,
    name: Name,
    fit: Fit<'_>,
) -> Result<Arc<Fingerprint>, ProjectError> {
    let (route, scope) = (fit.route.map(str::to_owned), fit.scope.map(str::to_owned));
    let (viewport, depth) = (fit.viewport, fit.depth);
    let found = move |store: &dyn pagesight_check::baseline::Baselines| {
        store.find(&name, Fit { route: route.as_deref(), viewport, scope: scope.as_deref(), depth })
    };
    Ok(Arc::new(workspace.store.with_baselines(found).await?))
}

/// Takes a fingerprint with the scope, depth and viewport of `base`.
pub(crate) async fn take_like(
    workspace: &Workspace,
    tab: &Arc<TabRecord>,
    base: &Fingerprint,
) -> Result<Arc<Fingerprint>, ToolError> {
    Ok(workspace.session.fingerprint(tab, &request_like(workspace, base)?).await?)
}

/// Returns the options for a fingerprint with the scope, depth and viewport of `base`.
pub(crate) fn request_like(
    workspace: &Workspace,
    base: &Fingerprint,
) -> Result<FingerprintRequest, ToolError> {
    let scope = ScopeChoice::parse(Some(&base.scope))?;
    let ignore = ignore_rules(workspace.store.folder())?.selectors().map(str::to_owned).collect();
    Ok(FingerprintRequest {
        scope,
        depth: base.depth,
        viewport: Some(base.viewport),
        ignore,
        captured_at: timestamp(),
        ..FingerprintRequest::default()
    })
}

/// Compares two fingerprints and returns a member for the answer.
fn comparison(
    workspace: &Workspace,
    base: &Fingerprint,
    current: &Fingerprint,
) -> Result<(&'static str, Value), ProjectError> {
    let compared = compare(base, current, &ignore_rules(workspace.store.folder())?);
    Ok(("comparison", comparison_answer(&compared, Severity::Warning)))
}

/// Saves a fingerprint under a name and returns a member for the answer.
async fn save(
    workspace: &Workspace,
    name: Name,
    fingerprint: Arc<Fingerprint>,
) -> Result<(&'static str, Value), ProjectError> {
    let shown = name.as_str().to_owned();
    let version =
        workspace.store.with_baselines(move |store| store.save(&name, &fingerprint)).await?;
    Ok(("saved", json!({ "name": shown, "version": version })))
}

/// Takes the fingerprint of a page file.
pub(crate) async fn fingerprint_file(
    workspace: &Workspace,
    page: &Page,
    parameters: &FingerprintParameters,
) -> Result<Value, ToolError> {
    let names = BaselineNames::of(parameters)?;
    let taken = Arc::new(of_file(page, &parameters.request(workspace)?)?);
    let mut extra = Vec::new();
    if let Some(name) = names.baseline {
        let base = find(workspace, name, Fit::of(&taken)).await?;
        let current = file_like(workspace, page, &base)?;
        extra.push(comparison(workspace, &base, &current)?);
    }
    if let Some(name) = names.save {
        extra.push(save(workspace, name, taken.clone()).await?);
    }
    Ok(answer(&taken, &extra))
}

/// Takes the fingerprint of a page file with the scope, depth and viewport of `base`.
pub(crate) fn file_like(
    workspace: &Workspace,
    page: &Page,
    base: &Fingerprint,
) -> Result<Fingerprint, ToolError> {
    of_file(page, &request_like(workspace, base)?)
}

fn of_file(page: &Page, request: &FingerprintRequest) -> Result<Fingerprint, ToolError> {
    let scope = scope_of(page, &request.scope, &number_whole_page(page))?;
    Ok(of_page(page, scope, request)?)
}
