//! `browser_interact`: runs actions in order and answers with one line per action.

use std::time::Duration;

use pagesight_session::{Action, BatchChanges, Hint, Target, WaitFor};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::answer::{Answer, Content};
use super::element;
use super::error::{ArgumentError, WrittenActionError};
use super::operation::{Effect, Operation, SteppedOperation, ToolResult};
use super::workspace::Workspace;

/// The most actions in one call.
const MOST_ACTIONS: usize = 100;

/// The longest wait of a `wait` action, in milliseconds.
const LONGEST_WAIT: u64 = 25_000;

/// The lowest token limit of the change summary. Smaller limits are raised to it.
const LEAST_TOKENS: usize = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InteractParameters {
    #[schemars(length(min = 1, max = MOST_ACTIONS))]
    actions: Vec<WrittenAction>,
    #[serde(alias = "tabName")]
    tab: Option<String>,
    /// token limit of the changes, default 1000
    max_tokens: Option<usize>,
}

/// One action as callers write it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Step")]
pub(crate) struct WrittenAction {
    #[serde(rename = "type")]
    kind: ActionType,
    /// a reference
    #[serde(default, deserialize_with = "element::optional")]
    pub(crate) element: Option<String>,
    /// instead of element: a viewport point
    x: Option<f64>,
    y: Option<f64>,
    /// fill: new value; type: keys; wait: text to appear; dialog: prompt text
    pub(crate) text: Option<String>,
    /// fill: several fields, instead of element and text
    pub(crate) fields: Option<Vec<FieldText>>,
    /// press: Enter, Control+A
    key: Option<String>,
    /// select: option labels or values
    pub(crate) values: Option<Vec<String>>,
    /// scroll: pixels, in element or page; omit to scroll element into view
    dx: Option<f64>,
    dy: Option<f64>,
    /// drag: reference or {x,y}
    pub(crate) from: Option<DragEnd>,
    pub(crate) to: Option<DragEnd>,
    /// upload
    paths: Option<Vec<String>>,
    /// dialog
    accept: Option<bool>,
    /// wait: text to disappear
    gone: Option<String>,
    /// wait: part of the URL
    url: Option<String>,
    /// wait
    #[schemars(range(max = LONGEST_WAIT))]
    ms: Option<u64>,
    #[schemars(range(max = LONGEST_WAIT))]
    timeout_ms: Option<u64>,
}

/// A field and its new value, for an action that fills several.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FieldText {
    #[serde(deserialize_with = "element::required")]
    #[schemars(with = "String")]
    element: String,
    text: String,
}

/// An end of a drag as callers write it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "data did not match any variant of untagged enum End")]
pub(crate) enum DragEnd {
    Point(ViewportPoint),
    Text(String),
    Number(u64),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ViewportPoint {
    x: f64,
    y: f64,
}

impl JsonSchema for DragEnd {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "End".into()
    }

    // The descriptions of `from` and `to` name both forms. A full schema would cost every agent
    // dozens of tokens.
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({})
    }
}

impl DragEnd {
    fn target(&self) -> Option<Target> {
        match self {
            DragEnd::Text(element) => Some(Target::Element(element.clone())),
            DragEnd::Number(element) => Some(Target::Element(element.to_string())),
            DragEnd::Point(ViewportPoint { x, y }) if x.is_finite() && y.is_finite() => {
                Some(Target::Point(*x, *y))
            }
            DragEnd::Point(_) => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ActionType {
    #[default]
    Click,
    DoubleClick,
    RightClick,
    Hover,
    Check,
    Uncheck,
    Fill,
    Type,
    Press,
    Select,
    Scroll,
    Drag,
    Upload,
    Dialog,
    Wait,
}

impl ActionType {
    /// Returns the name that callers write.
    fn word(self) -> String {
        serde_json::to_value(self)
            .ok()
            .and_then(|word| Some(word.as_str()?.to_owned()))
            .unwrap_or_default()
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
        if actions.len() > MOST_ACTIONS {
            let (given, most) = (actions.len(), MOST_ACTIONS);
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
        text.push_str(&acted.changes.map(|seen| changes(workspace, seen)).unwrap_or_default());
        let answer = Answer { content: Content::Text(text), failed, beside: None };
        Ok(workspace.about(&tab, answer))
    }
}

/// Returns the changes of a batch as text that ends with a line break.
fn changes(workspace: &Workspace, changes: BatchChanges) -> String {
    match changes {
        BatchChanges::Seen(text) => text,
        BatchChanges::Unseen(error) => {
            format!("the changes could not be read: {}\n", workspace.sentence(&error))
        }
        BatchChanges::TooLate => {
            let late = "the changes could not be read in time";
            format!("{}\n", workspace.session.wording().sentence(late, Some(&Hint::Look)))
        }
    }
}

impl WrittenAction {
    /// Returns the type of the action as callers write it.
    pub(crate) fn word(&self) -> String {
        self.kind.word()
    }

    /// Parses the action, or one action for each of its `fields`.
    fn actions(mut self, place: usize) -> Result<Vec<Action>, WrittenActionError> {
        let Some(fields) = self.fields.take() else { return Ok(vec![self.action(place)?]) };
        let kind = self.kind.word();
        let wrong = |what| Err(WrittenActionError::Members { place, kind, what });
        if !matches!(self.kind, ActionType::Fill) {
            return wrong("takes no fields; only fill does");
        }
        if self.element.is_some() || self.text.is_some() {
            return wrong("has fields, and element or text as well; give one of them");
        }
        if fields.is_empty() {
            return wrong("needs at least one field in fields");
        }
        let fill = |field: FieldText| Action::Fill { element: field.element, text: field.text };
        Ok(fields.into_iter().map(fill).collect())
    }

    /// Parses the action. An error names the action by its position and type.
    pub(crate) fn action(self, place: usize) -> Result<Action, WrittenActionError> {
        let kind = self.kind;
        let wrong = |what| WrittenActionError::Members { place, kind: kind.word(), what };
        if self.fields.is_some() {
            return Err(wrong("takes no fields here; write one fill per field"));
        }
        let element = |what| self.element.clone().ok_or_else(|| wrong(what));
        let text = |what| self.text.clone().ok_or_else(|| wrong(what));
        let target = || match (&self.element, self.x, self.y) {
            (Some(element), None, None) => Ok(Target::Element(element.clone())),
            (None, Some(x), Some(y)) if x.is_finite() && y.is_finite() => Ok(Target::Point(x, y)),
            _ => Err(wrong("needs element, or x and y; give one of them")),
        };
        Ok(match kind {
            ActionType::Click => Action::Click(target()?),
            ActionType::DoubleClick => Action::DoubleClick(target()?),
            ActionType::RightClick => Action::RightClick(target()?),
            ActionType::Hover => Action::Hover(target()?),
            ActionType::Check | ActionType::Uncheck => {
                Action::Check { target: target()?, on: matches!(kind, ActionType::Check) }
            }
            ActionType::Type => Action::Type {
                element: self.element.clone(),
                text: text("needs text; give the text to type")?,
            },
            ActionType::Select => Action::Select {
                element: element("needs element; give the reference of a list")?,
                values: self.values.clone().ok_or_else(|| {
                    wrong("needs values; give option labels or values, [] for none")
                })?,
            },
            ActionType::Scroll => {
                let far = |by: Option<f64>| by.unwrap_or_default();
                let (dx, dy) = (far(self.dx), far(self.dy));
                if !dx.is_finite()
                    || !dy.is_finite()
                    || (self.element.is_none() && dx == 0.0 && dy == 0.0)
                {
                    return Err(wrong("needs element, dx or dy; dy: 600 scrolls down"));
                }
                Action::Scroll { element: self.element.clone(), dx, dy }
            }
            ActionType::Drag => {
                let end = |given: &Option<DragEnd>| {
                    let target = given.as_ref().and_then(DragEnd::target);
                    target.ok_or_else(|| wrong("needs from and to; each a reference, or x and y"))
                };
                Action::Drag { from: end(&self.from)?, to: end(&self.to)? }
            }
            ActionType::Upload => Action::Upload {
                element: element("needs element; give the reference of a file field")?,
                paths: self
                    .paths
                    .clone()
                    .ok_or_else(|| wrong("needs paths; give the paths of the files"))?,
            },
            ActionType::Fill => Action::Fill {
                element: element("needs element; give the reference of a field")?,
                text: text("needs text; \"\" empties the field")?,
            },
            ActionType::Press => {
                let key = self.key.as_deref().ok_or_else(|| {
                    wrong("needs key; give one such as \"Enter\" or \"Control+A\"")
                })?;
                Action::Press { key: key.parse()?, element: self.element.clone() }
            }
            ActionType::Dialog => Action::Dialog {
                accept: self.accept.ok_or_else(|| wrong("needs accept; true or false"))?,
                text: self.text.clone(),
            },
            ActionType::Wait => {
                let until = match (&self.text, &self.gone, &self.url, self.ms) {
                    (Some(text), None, None, None) if !text.trim().is_empty() => {
                        WaitFor::Text(text.clone())
                    }
                    (None, Some(text), None, None) if !text.trim().is_empty() => {
                        WaitFor::Gone(text.clone())
                    }
                    (None, None, Some(url), None) => WaitFor::Url(url.clone()),
                    (None, None, None, Some(ms)) => WaitFor::Time(Duration::from_millis(ms)),
                    _ => return Err(wrong("needs exactly one of text, gone, url and ms")),
                };
                Action::Wait {
                    until,
                    limit: Duration::from_millis(self.timeout_ms.unwrap_or(10_000)),
                }
            }
        })
    }
}
