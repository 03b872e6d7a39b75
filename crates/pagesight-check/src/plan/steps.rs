//! Actions of `pages.toml`: the same as those of tools, but elements are given by role and name, by
//! a CSS selector or as a target, because references are valid only while a page is open.

use pagesight_core::page::role::Role;
use pagesight_session::WrittenAction;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::error::{SettingError, StepError};
use super::secrets::{CheckSecrets, Slot, has_variable};

/// Stands for an element until it is found.
const LATER: &str = "found later";

/// An action, and the elements that it needs.
#[derive(Clone, Debug)]
pub(crate) struct PageStep {
    pub(crate) action: WrittenAction,
    pub(crate) element: Option<ElementQuery>,
    pub(crate) from: Option<ElementQuery>,
    pub(crate) to: Option<ElementQuery>,
    /// Values from the environment are filled in.
    pub(crate) has_values: bool,
}

/// An element as it is written in the file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ElementQuery {
    Selector(String),
    Named { role: Role, by: Naming, nth: Option<usize> },
}

/// How an element with a role is called.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Naming {
    /// By its accessible name.
    Name(String),
    /// By its guessed name, which lines show instead of a name. The file calls it a hint.
    Guess(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenName {
    role: String,
    name: Option<String>,
    hint: Option<String>,
    nth: Option<usize>,
}

impl<'de> Deserialize<'de> for PageStep {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<PageStep, D::Error> {
        let fields = Map::<String, Value>::deserialize(deserializer)?;
        PageStep::read(fields).map_err(serde::de::Error::custom)
    }
}

impl PageStep {
    fn read(mut fields: Map<String, Value>) -> Result<PageStep, StepError> {
        let element = ElementQuery::take(&mut fields, "element")?;
        let (from, to) =
            (ElementQuery::take(&mut fields, "from")?, ElementQuery::take(&mut fields, "to")?);
        let action: WrittenAction = serde_json::from_value(Value::Object(fields))?;
        let parsed = action.clone().action(1)?;
        if let Some(given) = parsed.references().into_iter().find(|given| *given != LATER) {
            return Err(StepError::Reference { given: given.to_owned() });
        }
        Ok(PageStep { action, element, from, to, has_values: false })
    }

    /// Fills in values from the environment.
    pub(crate) fn fill(
        &mut self,
        secrets: &mut CheckSecrets,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(), SettingError> {
        for text in self.action.texts_mut() {
            self.has_values |= has_variable(text);
            *text = secrets.expand(text, Slot::Text, environment)?;
        }
        Ok(())
    }
}

impl ElementQuery {
    /// Takes an element out of an action and leaves a placeholder; points stay.
    fn take(
        fields: &mut Map<String, Value>,
        key: &'static str,
    ) -> Result<Option<ElementQuery>, StepError> {
        let wanted = match fields.get(key) {
            None => return Ok(None),
            Some(Value::String(selector)) if !selector.trim().is_empty() => {
                ElementQuery::Selector(selector.clone())
            }
            // A point, or a target, which the session looks up.
            Some(Value::Object(end)) if end.contains_key("x") || end.contains_key("target") => {
                return Ok(None);
            }
            Some(value @ Value::Object(_)) => {
                let written: WrittenName = serde_json::from_value(value.clone())
                    .map_err(|reason| StepError::Name { key, reason })?;
                let role = Role::parse(&written.role);
                if role == Role::None {
                    return Err(StepError::Role { key, given: written.role });
                }
                if written.nth == Some(0) {
                    return Err(StepError::CountsFromOne { key });
                }
                let by = match (written.name, written.hint) {
                    (Some(name), None) => Naming::Name(name),
                    (None, Some(hint)) if hint.trim().is_empty() => {
                        return Err(StepError::EmptyHint { key });
                    }
                    (None, Some(guess)) => Naming::Guess(guess),
                    (Some(_), Some(_)) => {
                        return Err(StepError::NameAndHint { key });
                    }
                    (None, None) => {
                        return Err(StepError::NoName { key });
                    }
                };
                ElementQuery::Named { role, by, nth: written.nth }
            }
            Some(_) => {
                return Err(StepError::NotAnElement { key });
            }
        };
        fields.insert(key.to_owned(), LATER.into());
        Ok(Some(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> Result<PageStep, StepError> {
        let Value::Object(fields) = value else { panic!("an action is an object") };
        PageStep::read(fields)
    }

    #[test]
    fn elements_are_named_by_role_and_name_or_selector() {
        let step =
            read(json!({ "type": "click", "element": { "role": "button", "name": "Save" } }))
                .unwrap();
        let save =
            ElementQuery::Named { role: Role::Button, by: Naming::Name("Save".into()), nth: None };
        assert_eq!(step.element, Some(save));
        let step =
            read(json!({ "type": "click", "element": { "role": "button", "hint": "trash icon" } }))
                .unwrap();
        let by = Naming::Guess("trash icon".into());
        assert_eq!(step.element, Some(ElementQuery::Named { role: Role::Button, by, nth: None }));
        let step = read(json!({ "type": "fill", "element": "#email", "text": "a" })).unwrap();
        assert_eq!(step.element, Some(ElementQuery::Selector("#email".into())));
        assert!(
            read(json!({ "type": "drag", "from": "#a", "to": { "x": 1.0, "y": 2.0 } }))
                .unwrap()
                .to
                .is_none()
        );
        assert!(read(json!({ "type": "wait", "text": "Ready" })).is_ok());
        let named = [
            json!({ "type": "click", "target": "button: Save", "in": "dialog: Edit" }),
            json!({ "type": "drag", "from": { "target": "A", "in": "list: B" }, "to": "#b" }),
        ];
        for named in named {
            let step = read(named.clone()).unwrap();
            assert!(step.element.is_none() && step.from.is_none(), "{named}");
        }
    }

    #[test]
    fn values_are_filled_in_everywhere() {
        let mut step = read(json!({ "type": "repeat", "until": { "text": "${A}" }, "actions": [
            { "type": "if", "exists": "Code", "then": [{ "type": "fill", "target": "Code", "text": "${A}" }],
              "else": [{ "type": "select", "target": "Size", "values": ["${A}"] }] },
        ] }))
        .unwrap();
        let texts: Vec<String> = step.action.texts_mut().map(|text| text.clone()).collect();
        assert_eq!(texts, ["${A}"; 3]);
    }

    #[test]
    fn errors_are_reported_before_a_browser_starts() {
        for (bad, says) in [
            (json!({ "type": "click" }), "needs element"),
            (json!({ "type": "clik", "element": "a" }), "clik"),
            (json!({ "type": "click", "element": 12 }), "CSS selector"),
            (
                json!({ "type": "click", "element": { "role": "knob", "name": "x" } }),
                "not an ARIA role",
            ),
            (json!({ "type": "click", "element": { "role": "button" } }), "name"),
            (
                json!({ "type": "click", "element": { "role": "button", "name": "a", "hint": "b" } }),
                "not both",
            ),
            (json!({ "type": "click", "element": { "role": "button", "hint": " " } }), "empty"),
            (json!({ "type": "fill", "element": "a" }), "needs text"),
            (json!({ "type": "press", "key": "Nope+Q" }), "Nope"),
            (json!({ "type": "click", "elemnt": "a" }), "elemnt"),
            (json!({ "type": "click", "target": "a", "element": "b" }), "element and target"),
            (json!({ "type": "click", "target": " " }), "must not be empty"),
            (json!({ "type": "click", "element": "b", "in": "a" }), "has in, but no target"),
            (json!({ "type": "drag", "from": { "target": "a", "nth": 2 }, "to": "#b" }), "End"),
            (json!({ "type": "click", "target": "[1] button: Save" }), "\"1\" is a reference"),
            (json!({ "type": "click", "target": "Save", "in": 4 }), "\"4\" is a reference"),
            (
                json!({ "type": "drag", "from": "#a", "to": { "target": "[1] list: B" } }),
                "\"1\" is a reference",
            ),
            (
                json!({ "type": "if", "exists": "A", "then": [{ "type": "click", "element": "#a" }] }),
                "\"#a\" is a reference",
            ),
        ] {
            let error = read(bad.clone()).unwrap_err().to_string();
            assert!(error.contains(says), "{bad}: {error}");
        }
    }
}
