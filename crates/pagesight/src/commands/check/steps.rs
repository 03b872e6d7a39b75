//! Actions of `pages.toml`: the same as in `browser_interact`, but elements are given by role and
//! name or by a CSS selector, because references are valid only while a page is open. Elements
//! in frames and open shadow roots are found too.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesight_browser::BrowserError;
use pagesight_core::nameless::guessed_name;
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
    Named { role: Role, by: Naming, nth: Option<usize> },
}

/// How an element with a role is called.
#[derive(Clone, Debug, PartialEq)]
enum Naming {
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
        action.action(place).map_err(|error| error.to_string())
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
        if let Some(Err(error)) = acted.reports.last() {
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
                let by = match (written.name, written.hint) {
                    (Some(name), None) => Naming::Name(name),
                    (None, Some(hint)) if hint.trim().is_empty() => {
                        return Err(format!("{key}: the hint is empty"));
                    }
                    (None, Some(guess)) => Naming::Guess(guess),
                    (Some(_), Some(_)) => {
                        return Err(format!("{key}: give a name or a hint, not both"));
                    }
                    (None, None) => {
                        return Err(format!(
                            "{key}: a name is missing; write {{ role = \"button\", name = \"Save\" }}, or hint for an element without a name"
                        ));
                    }
                };
                ElementQuery::Named { role, by, nth: written.nth }
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
            ElementQuery::Named { role, by, nth } => {
                let words = by.words(*role);
                match (by.matches(&look.page, *role).as_slice(), nth) {
                    ([], _) => return Err(FindError::Yet(none_there(&look.page, *role, &words))),
                    ([only], None) => *only,
                    (all, None) if matches!(by, Naming::Guess(_)) => {
                        return Err(FindError::Final(format!(
                            "{} elements match {words}: {}; give a CSS selector or nth",
                            all.len(),
                            places(&look.page, all)
                        )));
                    }
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
            SessionError::Look(_)
            | SessionError::Tab(TabError::Busy { .. })
            | SessionError::Browser(BrowserError::Navigated) => FindError::Yet(plain(&error)),
            _ => FindError::Final(plain(&error)),
        }
    }
}

fn shown(page: &Page, role: Role) -> impl Iterator<Item = Node<'_>> {
    page.nodes().filter(move |node| node.role() == role && node.hidden().is_none())
}

impl Naming {
    /// Returns the element as a line shows it: `button: Save`, `button (trash icon)`.
    fn words(&self, role: Role) -> String {
        match self {
            Naming::Name(name) => format!("{}: {name}", role.as_str()),
            Naming::Guess(guess) => format!("{} ({guess})", role.as_str()),
        }
    }

    /// Returns the elements that are called so.
    fn matches(&self, page: &Page, role: Role) -> Vec<NodeId> {
        let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let called = |node: &Node<'_>| match self {
            Naming::Name(name) => spaced(node.name()) == spaced(name),
            Naming::Guess(wanted) => {
                guessed_name(*node).is_some_and(|guess| spaced(&guess.text) == spaced(wanted))
            }
        };
        shown(page, role).filter(called).map(Node::id).collect()
    }
}

/// Returns where elements are: the middle of each box.
fn places(page: &Page, nodes: &[NodeId]) -> String {
    let place = |id: &NodeId| {
        let rect = page.node(*id).rect();
        format!("at {},{}", rect.x + rect.width / 2, rect.y + rect.height / 2)
    };
    nodes.iter().take(6).map(place).collect::<Vec<_>>().join(", ")
}

/// Returns a sentence that nothing was found, with the names and guessed names of elements of the
/// same role.
fn none_there(page: &Page, role: Role, words: &str) -> String {
    let called = |node: Node<'_>| match guessed_name(node) {
        Some(guess) => Some(format!("({})", guess.printed())),
        None if node.name().trim().is_empty() => None,
        None => Some(pagesight_core::text::escape::safe(node.name(), 40)),
    };
    let names: Vec<String> = shown(page, role).filter_map(called).take(6).collect();
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
    }

    #[test]
    fn elements_without_a_name_are_found_by_guessed_names() {
        let capture = r#"{"v":1,"doc":"d","url":"http://x/","title":"","viewport":[1280,720,1],"scroll":[0,0],"size":[9,9],
            "strings":["","html","button","icon","trash","star","Save"],
            "nodes":{"size":[4,0,0,0,0],"id":[1,2,3,4,5],"tag":[1,2,2,2,2],"role":[0,2,2,2,2],"name":[0,0,0,0,6],
                     "box":[0,0,9,9,10,20,4,4,1,1,1,1,2,2,2,2,3,3,3,3],"flags":[2,1,1,1,1]},
            "clues":[1,3,4,2,3,5,3,3,5]}"#;
        let page = pagesight_core::wire::decode::decode(capture).unwrap();
        let hinted = |hint: &str| Naming::Guess(hint.to_owned()).matches(&page, Role::Button);
        assert_eq!(hinted("trash icon").len(), 1);
        assert_eq!(hinted("star  icon").len(), 2);
        assert!(hinted("trash").is_empty() && hinted("Save").is_empty());
        assert!(Naming::Name("trash icon".into()).matches(&page, Role::Button).is_empty());
        assert_eq!(places(&page, &hinted("trash icon")), "at 12,22");
        let words = Naming::Guess("bin icon".into()).words(Role::Button);
        assert_eq!(
            none_there(&page, Role::Button, &words),
            "there is no button (bin icon); the page has (trash icon), (star icon), (star icon), Save"
        );
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
        ] {
            let error = read(bad.clone()).unwrap_err();
            assert!(error.contains(says), "{bad}: {error}");
        }
    }
}
