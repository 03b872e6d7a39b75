//! `expand_dom_selector`: describes elements, with selectors that were tested in the live page.

use std::collections::BTreeMap;

use pagesight_core::nameless::guessed_name;
use pagesight_core::page::selector_candidates::{PathStep, candidates, playwright};
use pagesight_core::page::{Node, NodeId, Page, Rect, Scope, css_query};
use pagesight_core::refs::RefError;
use pagesight_core::render::{Numbers, headline};
use pagesight_core::text::escape;
use pagesight_session::{Expanded, ScopeChoice, SessionError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Answer;
use super::element::{GivenReferences, MOST_REFERENCES};
use super::error::{ArgumentError, ToolError};
use super::expand_limit::fit;
use super::operation::{Effect, Operation, ToolResult};
use super::page_file::{number_whole_page, scope_of};
use super::token_limit::{DEFAULT_TOKENS, token_limit};
use super::workspace::Workspace;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExpandParameters {
    /// a reference, or several
    #[serde(rename = "elementId")]
    element_id: Option<GivenReferences>,
    /// with y: what a click there would hit
    x: Option<f64>,
    y: Option<f64>,
    /// default 8000
    max_tokens: Option<usize>,
    #[serde(alias = "tabName")]
    tab: Option<String>,
}

pub(crate) struct Expand;

impl Operation for Expand {
    const NAME: &'static str = "expand_dom_selector";
    const DESCRIPTION: &'static str = "Describe elements, by reference or viewport point: tested selectors, Playwright locator, attributes, box, state.";
    const EFFECT: Effect = Effect::Reads;
    type Parameters = ExpandParameters;

    async fn run(workspace: &Workspace, parameters: ExpandParameters) -> ToolResult {
        let max_tokens = token_limit(parameters.max_tokens, DEFAULT_TOKENS, &None, "an element")?;
        let session = &workspace.session;
        let (one, tab) = match (parameters.element_id, parameters.x, parameters.y) {
            (Some(GivenReferences::One(given)), None, None) => {
                let tab = workspace.tab(&parameters.tab).await?;
                session.find_late_changes(&tab).await;
                (session.expand(&tab, &given).await?, tab)
            }
            (None, Some(x), Some(y)) => {
                let tab = workspace.tab(&parameters.tab).await?;
                session.find_late_changes(&tab).await;
                (session.expand_at(&tab, x, y).await?, tab)
            }
            (Some(GivenReferences::Several(given)), None, None) => {
                let elements = expand_all(workspace, &parameters.tab, &given).await?;
                return Answer::json(&fit(elements, max_tokens));
            }
            _ => return Err(ArgumentError::NoElement.into()),
        };
        let fitted = fit(vec![serde_json::to_value(one)?], max_tokens);
        Ok(workspace.about(&tab, Answer::json(&fitted.first())?))
    }
}

/// Describes several elements; one that cannot be described as `{elementId, error}`.
async fn expand_all(
    workspace: &Workspace,
    tab: &Option<String>,
    given: &[String],
) -> Result<Vec<Value>, ToolError> {
    if given.is_empty() || given.len() > MOST_REFERENCES {
        let (given, most) = (given.len(), MOST_REFERENCES);
        return Err(ArgumentError::ReferenceCount { given, most }.into());
    }
    let tab = workspace.tab(tab).await?;
    let all = workspace.session.expand_all(&tab, given).await?;
    let entry = |(given, result): (&String, Result<Expanded, RefError>)| match result {
        Ok(expanded) => serde_json::to_value(expanded).map_err(ToolError::Json),
        Err(error) => {
            let sentence = workspace.sentence(&SessionError::Reference(error));
            Ok(json!({ "elementId": given, "error": sentence }))
        }
    };
    given.iter().zip(all).map(entry).collect()
}

/// Describes an element of a live page by reference, selector or point, for the command line.
pub(crate) async fn expand_live(workspace: &Workspace, given: &str) -> ToolResult {
    let session = &workspace.session;
    let tab = workspace.tab(&None).await?;
    session.find_late_changes(&tab).await;
    let expanded = match (point(given), ScopeChoice::parse(Some(given))?) {
        (Some((x, y)), _) => session.expand_at(&tab, x, y).await?,
        (None, ScopeChoice::Reference(given)) => session.expand(&tab, &given).await?,
        (None, _) => session.expand_selector(&tab, given).await?,
    };
    let fitted = fit(vec![serde_json::to_value(&expanded)?], DEFAULT_TOKENS);
    Ok(workspace.about(&tab, Answer::json(&fitted.first())?))
}

/// Describes an element of a page file by selector, point or number, for the command line.
/// Selectors cannot be tested there, so `selector_matches` is null.
pub(crate) fn expand_file(page: &Page, given: &str) -> Result<Value, ToolError> {
    let mut numbers = number_whole_page(page);
    let id = match point(given) {
        Some((x, y)) => topmost_at(page, x, y)?,
        None => match scope_of(page, &ScopeChoice::parse(Some(given))?, &numbers)? {
            Scope::Node(id) => id,
            // Not an element: it is read as the name of a tag.
            Scope::Full | Scope::Viewport => css_query::first(page, given)?,
        },
    };
    let node = page.node(id);
    let number = numbers.number(id);
    let path: Vec<PathStep> = path_of(page, id);
    let attributes: BTreeMap<&str, &str> = node.attributes().collect();
    let text: String =
        node.descendants().filter(|inner| inner.is_text()).map(|inner| inner.name()).collect();
    let rect = node.rect();
    let mut answer = json!({
        "elementId": number.to_string(),
        "uid": format!("1_{number}"),
        "role": node.role().as_str(),
        "name": node.name(),
        "tag": node.tag(),
        "selectors": candidates(&path),
        "selector_matches": null,
        "playwright": playwright(node.role().as_str(), node.name(), &path),
        "xpath": null,
        "attributes": attributes,
        "text": escape::bounded(&escape::clean(&text), 2_000),
        "box": [rect.x, rect.y, rect.width, rect.height],
        "state": pagesight_session::state_words(node.flags(), node.hidden()),
        "value": node.value(),
        "frame": null,
        "shadow_path": hosts_of(node),
        "listeners": null,
    });
    if let Some(guess) = guessed_name(node) {
        answer["hint"] = json!(guess);
    }
    if let Some(cover) = node.cover() {
        let number = numbers.number(cover.id());
        answer["covered_by"] = json!(format!("[{number}] {}", headline(cover)));
    }
    Ok(answer)
}

/// Parses a point such as `120,80`.
fn point(given: &str) -> Option<(f64, f64)> {
    let (x, y) = given.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// Returns the smallest element that contains a point, the last one of several. A page file has no
/// stacking order, so this is a guess.
fn topmost_at(page: &Page, x: f64, y: f64) -> Result<NodeId, ToolError> {
    let spot = Rect { x: x as i32, y: y as i32, width: 1, height: 1 };
    let area = |node: &Node<'_>| i64::from(node.rect().width) * i64::from(node.rect().height);
    let hit = page
        .nodes()
        .filter(|node| !node.is_text() && node.hidden().is_none() && node.rect().intersects(&spot))
        .min_by_key(|node| (area(node), std::cmp::Reverse(node.id())));
    hit.map(Node::id).ok_or(ToolError::NothingAt { x, y })
}

fn path_of(page: &Page, id: NodeId) -> Vec<PathStep> {
    let step = |node: Node<'_>| {
        let place = node.parent().map_or(1, |parent| {
            1 + parent.children().filter(|other| !other.is_text() && other.id() < node.id()).count()
                as u32
        });
        let attributes: BTreeMap<String, String> =
            node.attributes().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        PathStep {
            tag: node.tag().to_owned(),
            id: attributes.get("id").cloned(),
            name: attributes.get("name").cloned(),
            classes: attributes
                .get("class")
                .map(|list| list.split_whitespace().map(str::to_owned).collect())
                .unwrap_or_default(),
            testids: attributes.clone(),
            attrs: attributes,
            index: place,
        }
    };
    let node = page.node(id);
    let mut path = Vec::new();
    for above in std::iter::once(node).chain(node.ancestors()).take(200) {
        path.push(step(above));
        // A selector ends at the shadow root that its element is in.
        if above.is_shadow_top() {
            break;
        }
    }
    path.reverse();
    path
}

/// Returns the hosts of the shadow roots that a node is in, outermost first.
fn hosts_of(node: Node<'_>) -> Vec<String> {
    let tops = std::iter::once(node).chain(node.ancestors()).filter(|above| above.is_shadow_top());
    let mut hosts: Vec<String> = tops
        .filter_map(|top| top.parent())
        .map(|host| {
            host.attribute("id").map_or(host.tag().to_owned(), |id| format!("{}#{id}", host.tag()))
        })
        .collect();
    hosts.reverse();
    hosts
}
