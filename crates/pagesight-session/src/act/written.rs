//! Actions as callers write them in JSON or TOML, and how they are parsed.

use std::time::Duration;

use pagesight_browser::{KeyChord, UnknownKey};
use pagesight_core::targets::TargetQueryError;
use serde::{Deserialize, Serialize};

use super::action::{Action, Target, WaitFor};
use super::condition::{Condition, is_state};
use super::given::GivenElement;
use crate::act::reference;

/// The longest wait of a `wait` action, in milliseconds.
#[cfg(feature = "schema")]
const LONGEST_WAIT: u64 = 25_000;

/// Why a written action is not valid.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum WrittenActionError {
    #[error("action {place} ({kind}) {what}")]
    Wrong { place: usize, kind: String, what: &'static str },
    #[error("action {place} ({kind}): {reason}")]
    Target { place: usize, kind: String, reason: TargetQueryError },
    #[error(transparent)]
    Key(#[from] UnknownKey),
}

/// One action as callers write it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "struct Step")]
pub struct WrittenAction {
    #[serde(rename = "type")]
    kind: ActionType,
    /// a reference
    #[serde(default, deserialize_with = "reference::optional")]
    element: Option<String>,
    /// instead of element: name, printed line or css=…
    target: Option<String>,
    /// limits target
    #[serde(default, rename = "in", deserialize_with = "reference::optional")]
    within: Option<String>,
    /// viewport point instead of element
    x: Option<f64>,
    y: Option<f64>,
    /// fill: new value; type: keys; wait: text to appear; dialog: prompt text
    text: Option<String>,
    /// fill: several, each with element or target, and text
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<Vec<serde_json::Map<String, serde_json::Value>>>")
    )]
    fields: Option<Vec<FieldText>>,
    /// press: Enter, Control+A
    key: Option<String>,
    /// click, press: 2 to 50
    times: Option<u32>,
    /// select
    values: Option<Vec<String>>,
    /// scroll, swipe: pixels, in element or page; omit to scroll element into view
    dx: Option<f64>,
    dy: Option<f64>,
    /// drag: reference, {target} or {x,y}
    from: Option<DragEnd>,
    to: Option<DragEnd>,
    /// upload
    paths: Option<Vec<String>>,
    /// dialog
    accept: Option<bool>,
    /// wait: text to disappear
    gone: Option<String>,
    /// wait: part of the URL
    url: Option<String>,
    /// wait
    #[cfg_attr(feature = "schema", schemars(range(max = LONGEST_WAIT)))]
    ms: Option<u64>,
    /// wait, target, if
    #[cfg_attr(feature = "schema", schemars(range(max = LONGEST_WAIT)))]
    timeout_ms: Option<u64>,
    /// repeat
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<Vec<serde_json::Map<String, serde_json::Value>>>")
    )]
    actions: Option<Vec<WrittenAction>>,
    /// repeat: text, gone, or target with value or state
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")
    )]
    until: Option<WrittenCondition>,
    /// repeat
    max: Option<u32>,
    /// if: target
    exists: Option<String>,
    /// if: actions
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<Vec<serde_json::Map<String, serde_json::Value>>>")
    )]
    then: Option<Vec<WrittenAction>>,
    #[serde(rename = "else")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<Vec<serde_json::Map<String, serde_json::Value>>>")
    )]
    otherwise: Option<Vec<WrittenAction>>,
}

/// A condition as callers write it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WrittenCondition {
    text: Option<String>,
    gone: Option<String>,
    target: Option<String>,
    #[serde(default, rename = "in", deserialize_with = "reference::optional")]
    within: Option<String>,
    #[serde(default, deserialize_with = "reference::optional_value")]
    value: Option<String>,
    state: Option<String>,
}

/// A field and its new value, for an action that fills several.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct FieldText {
    #[serde(default, deserialize_with = "reference::optional")]
    element: Option<String>,
    target: Option<String>,
    #[serde(default, rename = "in", deserialize_with = "reference::optional")]
    within: Option<String>,
    text: String,
}

/// An end of a drag as callers write it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged, expecting = "data did not match any variant of untagged enum End")]
enum DragEnd {
    Point(ViewportPoint),
    Named(WrittenTarget),
    Text(String),
    Number(u64),
}

/// A target as callers write it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WrittenTarget {
    target: String,
    #[serde(default, rename = "in", deserialize_with = "reference::optional")]
    within: Option<String>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ViewportPoint {
    x: f64,
    y: f64,
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for DragEnd {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "End".into()
    }

    // The descriptions of `from` and `to` name both forms. A full schema would cost every agent
    // dozens of tokens.
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({})
    }
}

/// The position and the type of an action, for errors about it.
#[derive(Clone, Copy)]
struct ActionPlace {
    place: usize,
    kind: ActionType,
    limit: Option<Duration>,
}

impl ActionPlace {
    fn wrong(self, what: &'static str) -> WrittenActionError {
        WrittenActionError::Wrong { place: self.place, kind: self.kind.word(), what }
    }

    fn named(self, target: &str, within: Option<&str>) -> Result<GivenElement, WrittenActionError> {
        let (place, kind) = (self.place, self.kind);
        GivenElement::named(target, within, self.limit)
            .map_err(|reason| WrittenActionError::Target { place, kind: kind.word(), reason })
    }

    /// Returns the element that is given by a reference or by a target, if it is given.
    fn element(
        self,
        element: &Option<String>,
        target: &Option<String>,
        within: &Option<String>,
    ) -> Result<Option<GivenElement>, WrittenActionError> {
        match (element, target) {
            (Some(_), Some(_)) => Err(self.wrong("has element and target; give one of them")),
            (_, None) if within.is_some() => {
                Err(self.wrong("has in, but no target; in says where a target is"))
            }
            (Some(reference), None) => Ok(Some(GivenElement::Reference(reference.clone()))),
            (None, Some(target)) => Ok(Some(self.named(target, within.as_deref())?)),
            (None, None) => Ok(None),
        }
    }

    fn drag_end(self, end: &Option<DragEnd>) -> Result<Target, WrittenActionError> {
        match end {
            Some(DragEnd::Text(element)) => Ok(Target::Element(element.as_str().into())),
            Some(DragEnd::Number(element)) => Ok(Target::Element(element.to_string().into())),
            Some(DragEnd::Point(ViewportPoint { x, y })) if x.is_finite() && y.is_finite() => {
                Ok(Target::Point(*x, *y))
            }
            Some(DragEnd::Named(WrittenTarget { target, within })) => {
                Ok(Target::Element(self.named(target, within.as_deref())?))
            }
            Some(DragEnd::Point(_)) | None => {
                Err(self.wrong("needs from and to; each a reference, x and y, or target"))
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    Swipe,
    Drag,
    Upload,
    Dialog,
    Wait,
    Repeat,
    If,
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

impl WrittenAction {
    /// Replaces the element by a reference.
    pub fn set_element(&mut self, reference: String) {
        self.element = Some(reference);
    }

    /// Replaces the start of a drag by a reference.
    pub fn set_from(&mut self, reference: String) {
        self.from = Some(DragEnd::Text(reference));
    }

    /// Replaces the end of a drag by a reference.
    pub fn set_to(&mut self, reference: String) {
        self.to = Some(DragEnd::Text(reference));
    }

    /// Returns the texts and values that the action enters or waits for, also those of the actions
    /// that it holds.
    pub fn texts_mut(&mut self) -> Box<dyn Iterator<Item = &mut String> + '_> {
        let held = [&mut self.actions, &mut self.then, &mut self.otherwise];
        let held = held.into_iter().flatten().flatten().flat_map(WrittenAction::texts_mut);
        let fields = self.fields.iter_mut().flatten().map(|field| &mut field.text);
        let until =
            self.until.iter_mut().flat_map(|until| until.text.iter_mut().chain(&mut until.value));
        let own = self.text.iter_mut().chain(self.values.iter_mut().flatten());
        Box::new(own.chain(fields).chain(until).chain(held))
    }

    /// Returns the type of the action as callers write it.
    pub fn word(&self) -> String {
        self.kind.word()
    }

    /// Parses the action, or one action for each of its `fields`.
    pub fn actions(mut self, place: usize) -> Result<Vec<Action>, WrittenActionError> {
        let Some(fields) = self.fields.take() else { return Ok(vec![self.action(place)?]) };
        let at = self.place(place);
        if !matches!(self.kind, ActionType::Fill) {
            return Err(at.wrong("takes no fields; only fill does"));
        }
        if self.element.is_some() || self.text.is_some() {
            return Err(at.wrong("has fields, and element or text as well; give one of them"));
        }
        if self.target.is_some() || self.within.is_some() {
            return Err(at.wrong("has fields, and target or in as well; give them in each field"));
        }
        if fields.is_empty() {
            return Err(at.wrong("needs at least one field in fields"));
        }
        let fill = |field: FieldText| {
            let element = at.element(&field.element, &field.target, &field.within)?;
            let missing =
                || at.wrong("has a field with neither: missing field `element` or `target`");
            Ok(Action::Fill { element: element.ok_or_else(missing)?, text: field.text })
        };
        fields.into_iter().map(fill).collect()
    }

    fn place(&self, place: usize) -> ActionPlace {
        let limit = self.timeout_ms.map(Duration::from_millis);
        ActionPlace { place, kind: self.kind, limit }
    }

    /// Parses the action. An error names the action by its position and type.
    pub fn action(self, place: usize) -> Result<Action, WrittenActionError> {
        let (kind, at) = (self.kind, self.place(place));
        let wrong = |what| at.wrong(what);
        if self.fields.is_some() {
            return Err(wrong("takes no fields here; write one fill per field"));
        }
        let holds = self.actions.is_some() || self.until.is_some() || self.max.is_some();
        if holds && !matches!(kind, ActionType::Repeat) {
            return Err(wrong("takes no actions, until or max; only repeat does"));
        }
        let chooses = self.exists.is_some() || self.then.is_some() || self.otherwise.is_some();
        if chooses && !matches!(kind, ActionType::If) {
            return Err(wrong("takes no exists, then or else; only if does"));
        }
        match kind {
            ActionType::Repeat => return self.repeat(at),
            ActionType::If => return self.choice(at),
            _ => {}
        }
        let no_element = matches!(kind, ActionType::Drag | ActionType::Dialog | ActionType::Wait);
        if no_element && (self.target.is_some() || self.within.is_some()) {
            return Err(wrong(match kind {
                ActionType::Drag => "takes no target or in; give them in from and to",
                _ => "takes no target or in; leave them out",
            }));
        }
        if self.times.is_some() && !matches!(kind, ActionType::Click | ActionType::Press) {
            return Err(wrong("takes no times; only click and press do"));
        }
        let times = self.times;
        let repeated = |action| match times {
            None => action,
            Some(times) => Action::Times { action: Box::new(action), times },
        };
        let given = at.element(&self.element, &self.target, &self.within)?;
        let element = |what| given.clone().ok_or_else(|| wrong(what));
        let text = |what| self.text.clone().ok_or_else(|| wrong(what));
        let target = || match (&given, self.x, self.y) {
            (Some(element), None, None) => Ok(Target::Element(element.clone())),
            (None, Some(x), Some(y)) if x.is_finite() && y.is_finite() => Ok(Target::Point(x, y)),
            _ => Err(wrong("needs element, or x and y, or target; give one of them")),
        };
        Ok(match kind {
            ActionType::Click => repeated(Action::Click(target()?)),
            ActionType::DoubleClick => Action::DoubleClick(target()?),
            ActionType::RightClick => Action::RightClick(target()?),
            ActionType::Hover => Action::Hover(target()?),
            ActionType::Check | ActionType::Uncheck => {
                Action::Check { target: target()?, on: matches!(kind, ActionType::Check) }
            }
            ActionType::Type => Action::Type {
                element: given.clone(),
                text: text("needs text; give the text to type")?,
            },
            ActionType::Select => Action::Select {
                element: element(
                    "needs element or target; give the reference or the name of a list",
                )?,
                values: self.values.clone().ok_or_else(|| {
                    wrong("needs values; give option labels or values, [] for none")
                })?,
            },
            ActionType::Scroll => {
                let far = |by: Option<f64>| by.unwrap_or_default();
                let (dx, dy) = (far(self.dx), far(self.dy));
                if !dx.is_finite() || !dy.is_finite() || (given.is_none() && dx == 0.0 && dy == 0.0)
                {
                    return Err(wrong("needs element, dx or dy, or target; dy: 600 scrolls down"));
                }
                Action::Scroll { element: given.clone(), dx, dy }
            }
            ActionType::Swipe => {
                let far = |by: Option<f64>| by.unwrap_or_default();
                let (dx, dy) = (far(self.dx), far(self.dy));
                if !dx.is_finite() || !dy.is_finite() || (dx == 0.0 && dy == 0.0) {
                    return Err(wrong("needs dx or dy; dy: -300 swipes up"));
                }
                Action::Swipe { element: given.clone(), dx, dy }
            }
            ActionType::Drag => {
                Action::Drag { from: at.drag_end(&self.from)?, to: at.drag_end(&self.to)? }
            }
            ActionType::Upload => Action::Upload {
                element: element(
                    "needs element or target; give the reference or the name of a file field",
                )?,
                paths: self
                    .paths
                    .clone()
                    .ok_or_else(|| wrong("needs paths; give the paths of the files"))?,
            },
            ActionType::Fill => Action::Fill {
                element: element(
                    "needs element or target; give the reference or the name of a field",
                )?,
                text: text("needs text; \"\" empties the field")?,
            },
            ActionType::Press => {
                let key = self.key.as_deref().ok_or_else(|| {
                    wrong("needs key; give one such as \"Enter\" or \"Control+A\"")
                })?;
                let key: KeyChord = key.parse()?;
                repeated(Action::Press { key, element: given.clone() })
            }
            ActionType::Dialog => Action::Dialog {
                accept: self.accept.ok_or_else(|| wrong("needs accept; true or false"))?,
                text: self.text.clone(),
            },
            ActionType::Repeat | ActionType::If => {
                return Err(wrong("is read above"));
            }
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

    /// Parses the actions that are held by the action at a position.
    fn held(
        actions: Option<Vec<WrittenAction>>,
        place: usize,
    ) -> Result<Vec<Action>, WrittenActionError> {
        let actions = actions.unwrap_or_default().into_iter().map(|action| action.actions(place));
        Ok(actions.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// Whether it has something besides what the type of the action takes.
    fn has_element(&self) -> bool {
        self.element.is_some() || self.target.is_some() || self.x.is_some() || self.y.is_some()
    }

    fn repeat(self, at: ActionPlace) -> Result<Action, WrittenActionError> {
        if self.has_element() || self.within.is_some() || self.text.is_some() || self.gone.is_some()
        {
            return Err(at.wrong("takes only actions, until and max"));
        }
        let until = self.until.ok_or_else(|| {
            at.wrong("needs until; give text, gone, or target with value or state")
        })?;
        let actions = WrittenAction::held(self.actions, at.place)?;
        if actions.is_empty() {
            return Err(at.wrong("needs at least one action in actions"));
        }
        Ok(Action::Repeat { actions, until: until.condition(at)?, max: self.max.unwrap_or(20) })
    }

    fn choice(self, at: ActionPlace) -> Result<Action, WrittenActionError> {
        if self.has_element() {
            return Err(at.wrong("takes no element, target or point; give exists, text or gone"));
        }
        if self.within.is_some() && self.exists.is_none() {
            return Err(at.wrong("has in, but no exists; in says where a target is"));
        }
        let named = |target: &String| !target.trim().is_empty();
        let condition = match (&self.exists, &self.text, &self.gone) {
            (Some(target), None, None) => {
                Condition::Exists(at.named(target, self.within.as_deref())?)
            }
            (None, Some(text), None) if named(text) => Condition::Text(text.clone()),
            (None, None, Some(text)) if named(text) => Condition::Gone(text.clone()),
            _ => return Err(at.wrong("needs exactly one of exists, text and gone")),
        };
        let then = WrittenAction::held(self.then, at.place)?;
        let otherwise = WrittenAction::held(self.otherwise, at.place)?;
        if then.is_empty() && otherwise.is_empty() {
            return Err(at.wrong("needs at least one action in then or else"));
        }
        Ok(Action::If { condition, limit: at.limit.unwrap_or_default(), then, otherwise })
    }
}

impl WrittenCondition {
    fn condition(self, at: ActionPlace) -> Result<Condition, WrittenActionError> {
        let WrittenCondition { text, gone, target, within, value, state } = self;
        if within.is_some() && target.is_none() {
            return Err(at.wrong("has in, but no target; in says where a target is"));
        }
        let said = |text: &str| !text.trim().is_empty();
        match (text, gone, target, value, state) {
            (Some(text), None, None, None, None) if said(&text) => Ok(Condition::Text(text)),
            (None, Some(text), None, None, None) if said(&text) => Ok(Condition::Gone(text)),
            (None, None, Some(target), Some(value), None) => {
                Ok(Condition::Value { element: at.named(&target, within.as_deref())?, value })
            }
            (None, None, Some(target), None, Some(state)) => {
                if !is_state(&state) {
                    return Err(at.wrong(
                        "has an unknown state; give one that lines print, enabled or unchecked",
                    ));
                }
                Ok(Condition::State { element: at.named(&target, within.as_deref())?, state })
            }
            _ => Err(at.wrong("needs one of text, gone, or target with value or state in until")),
        }
    }
}
