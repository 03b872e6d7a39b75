//! Actions of `pages.toml`: the same as in `browser_interact`, but elements are given by role and
//! name or by a CSS selector, because references are valid only while a page is open. Elements
//! in frames and open shadow roots are found too.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesight_browser::BrowserError;
use pagesight_core::page::role::Role;
use pagesight_core::page::{Node, NodeId, Page};
use pagesight_session::{Action, LookOptions, Session, SessionError, TabError, TabRecord};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::secrets::{CheckSecrets, Slot};
use crate::report::words::plain;
use crate::tools::interact::{DragEnd, WrittenAction};

/// The time between two searches for an element.
const LOOK_AGAIN: Duration = Duration::from_millis(150);
/// The token limit of the change summary, which is not printed here.
const NO_TOKENS: usize = 50;
/// Stands for an element until it is found.
const LATER: &str = "1";

/// One action.
#[derive(Clone, Debug)]
pub(crate) struct PageStep {
    action: WrittenAction,
    element: Option<ElementQuery>,
    from: Option<ElementQuery>,
    to: Option<ElementQuery>,
}

/// An element as it is written in the file.
#[derive(Clone, Debug, PartialEq)]
enum ElementQuery {
    Selector(String),
    Named { role: Role, name: String, nth: Option<usize> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenName {
    role: String,
    name: String,
    nth: Option<usize>,
}

impl<'de> Deserialize<'de> for PageStep {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<PageStep, D::Error> {
        let fields = Map::<String, Value>::deserialize(deserializer)?;
        PageStep::read(fields).map_err(serde::de::Error::custom)
    }
}

impl PageStep {
    fn read(mut fields: Map<String, Value>) -> Result<PageStep, String> {
        let element = ElementQuery::take(&mut fields, "element")?;
        let (from, to) =
            (ElementQuery::take(&mut fields, "from")?, ElementQuery::take(&mut fields, "to")?);
        let action: WrittenAction = serde_json::from_value(Value::Object(fields))
            .map_err(|error| format!("an action: {error}"))?;
        action.clone().action(1).map_err(|error| error.to_string())?;
        Ok(PageStep { action, element, from, to })
    }

    /// Fills in values from the environment.
    pub(crate) fn fill(
        &mut self,
        secrets: &mut CheckSecrets,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(), String> {
        for text in self.action.text.iter_mut().chain(self.action.values.iter_mut().flatten()) {
            *text = secrets.expand(text, Slot::Text, environment)?;
        }
        Ok(())
    }

    async fn action(
        &self,
        session: &Session,
        tab: &Arc<TabRecord>,
        place: usize,
        until: Instant,
    ) -> Result<Action, String> {
        let mut action = self.action.clone();
        if let Some(wanted) = &self.element {
            action.element = Some(wanted.wait(session, tab, until).await?);
        }
        if let Some(wanted) = &self.from {
            action.from = Some(DragEnd::Text(wanted.wait(session, tab, until).await?));
        }
        if let Some(wanted) = &self.to {
            action.to = Some(DragEnd::Text(wanted.wait(session, tab, until).await?));
        }
        action.action(place).map_err(|error| plain(&error))
    }
}

/// Runs actions in order until one fails. Waits for elements until `until`. The error is a
/// sentence.
pub(crate) async fn run(
    session: &Session,
    tab: &Arc<TabRecord>,
    steps: &[PageStep],
    until: Instant,
) -> Result<(), String> {
    for (at, step) in steps.iter().enumerate() {
        let failed =
            |why: String| format!("action {} ({}) failed: {why}", at + 1, step.action.word());
        let action = step.action(session, tab, at + 1, until).await.map_err(failed)?;
        let acted = session
            .act(tab, &[action], Some(NO_TOKENS))
            .await
            .map_err(|error| failed(plain(&error)))?;
        if let Some(Err(error)) = acted.reports.last().map(|report| &report.result) {
            return Err(failed(plain(error)));
        }
    }
    Ok(())
}

impl ElementQuery {
    /// Takes an element out of an action and leaves a placeholder; points stay.
    fn take(fields: &mut Map<String, Value>, key: &str) -> Result<Option<ElementQuery>, String> {
        let wanted = match fields.get(key) {
            None => return Ok(None),
            Some(Value::String(selector)) if !selector.trim().is_empty() => {
                ElementQuery::Selector(selector.clone())
            }
            Some(Value::Object(point)) if point.contains_key("x") => return Ok(None),
            Some(value @ Value::Object(_)) => {
                let written: WrittenName =
                    serde_json::from_value(value.clone()).map_err(|error| {
                        format!("{key}: {error}; write {{ role = \"button\", name = \"Save\" }}")
                    })?;
                let role = Role::parse(&written.role);
                if role == Role::None {
                    return Err(format!(
                        "{key}: {:?} is not an ARIA role; pagesight inspect shows the roles of a page",
                        written.role
                    ));
                }
                if written.nth == Some(0) {
                    return Err(format!("{key}: nth counts from 1"));
                }
                ElementQuery::Named { role, name: written.name, nth: written.nth }
            }
            Some(_) => {
                return Err(format!(
                    "{key} is a CSS selector, or {{ role = \"button\", name = \"Save\" }}; references are valid only while a page is open"
                ));
            }
        };
        fields.insert(key.to_owned(), LATER.into());
        Ok(Some(wanted))
    }

    /// Waits for the element and returns its reference.
    async fn wait(
        &self,
        session: &Session,
        tab: &Arc<TabRecord>,
        until: Instant,
    ) -> Result<String, String> {
        loop {
            match self.find(session, tab).await {
                Err(FindError::Yet(_)) if Instant::now() + LOOK_AGAIN < until => {
                    tokio::time::sleep(LOOK_AGAIN).await;
                }
                Err(FindError::Yet(why) | FindError::Final(why)) => return Err(why),
                Ok(reference) => return Ok(reference),
            }
        }
    }

    /// Finds the element in the current page.
    async fn find(&self, session: &Session, tab: &Arc<TabRecord>) -> Result<String, FindError> {
        let selector = match self {
            ElementQuery::Selector(selector) => Some(selector.clone()),
            ElementQuery::Named { .. } => None,
        };
        let look = session.look(tab, LookOptions { selector, full: false }).await?;
        let node = match self {
            ElementQuery::Selector(selector) => look.page.scope.ok_or_else(|| {
                FindError::Yet(format!("nothing matches the selector {selector:?}"))
            })?,
            ElementQuery::Named { role, name, nth } => {
                let words = format!("{}: {name}", role.as_str());
                match (named(&look.page, *role, name).as_slice(), nth) {
                    ([], _) => return Err(FindError::Yet(none_there(&look.page, *role, &words))),
                    ([only], None) => *only,
                    (all, None) => {
                        return Err(FindError::Final(format!(
                            "{} elements match {words}; add nth = 1 for the first, or give a CSS selector",
                            all.len()
                        )));
                    }
                    (all, Some(nth)) => *all.get(nth - 1).ok_or_else(|| {
                        let count = all.len();
                        FindError::Yet(format!(
                            "only {count} matched {words}; nth = {nth} is too high"
                        ))
                    })?,
                }
            }
        };
        Ok(session.reference(&look, node))
    }
}

/// Why an element was not found, as a sentence.
enum FindError {
    /// It may still appear.
    Yet(String),
    /// Waiting does not help.
    Final(String),
}

impl From<SessionError> for FindError {
    fn from(error: SessionError) -> FindError {
        match &error {
            // Nothing matches, or a new document is loading.
            SessionError::Input(_)
            | SessionError::Look(_)
            | SessionError::Tab(TabError::Busy { .. })
            | SessionError::Browser(BrowserError::Navigated) => FindError::Yet(plain(&error)),
            _ => FindError::Final(plain(&error)),
        }
    }
}

fn shown(page: &Page, role: Role) -> impl Iterator<Item = Node<'_>> {
    page.nodes().filter(move |node| node.role() == role && node.hidden().is_none())
}

fn named(page: &Page, role: Role, name: &str) -> Vec<NodeId> {
    let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = spaced(name);
    shown(page, role).filter(|node| spaced(node.name()) == wanted).map(Node::id).collect()
}

/// Returns a sentence that nothing was found, with the names of elements of the same role.
fn none_there(page: &Page, role: Role, words: &str) -> String {
    let names = shown(page, role).map(Node::name).filter(|name| !name.trim().is_empty());
    let names: Vec<String> =
        names.take(6).map(|name| pagesight_core::text::escape::safe(name, 40)).collect();
    match names.is_empty() {
        true => format!("there is no {words}, nor any other {}", role.as_str()),
        false => format!("there is no {words}; the page has {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> Result<PageStep, String> {
        let Value::Object(fields) = value else { panic!("an action is an object") };
        PageStep::read(fields)
    }

    #[test]
    fn elements_are_named_by_role_and_name_or_selector() {
        let step =
            read(json!({ "type": "click", "element": { "role": "button", "name": "Save" } }))
                .unwrap();
        let save = ElementQuery::Named { role: Role::Button, name: "Save".into(), nth: None };
        assert_eq!(step.element, Some(save));
        let step = read(json!({ "type": "fill", "element": "#email", "text": "a" })).unwrap();
        assert_eq!(step.element, Some(ElementQuery::Selector("#email".into())));
        assert!(
            read(json!({ "type": "drag", "from": "#a", "to": { "x": 1.0, "y": 2.0 } }))
                .unwrap()
                .to
                .is_none()
        );
        assert!(read(json!({ "type": "wait", "text": "Ready" })).is_ok());
    }

    #[test]
    fn what_is_wrong_is_told_before_a_browser_starts() {
        for (bad, says) in [
            (json!({ "type": "click" }), "needs element"),
            (json!({ "type": "clik", "element": "a" }), "clik"),
            (json!({ "type": "click", "element": 12 }), "CSS selector"),
            (
                json!({ "type": "click", "element": { "role": "knob", "name": "x" } }),
                "not an ARIA role",
            ),
            (json!({ "type": "click", "element": { "role": "button" } }), "name"),
            (json!({ "type": "fill", "element": "a" }), "needs text"),
            (json!({ "type": "press", "key": "Nope+Q" }), "Nope"),
            (json!({ "type": "click", "elemnt": "a" }), "elemnt"),
        ] {
            let error = read(bad.clone()).unwrap_err();
            assert!(error.contains(says), "{bad}: {error}");
        }
    }
}
