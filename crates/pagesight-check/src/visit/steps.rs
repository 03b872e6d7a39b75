//! Runs the actions of `pages.toml` in a page. Elements in frames and open shadow roots are found,
//! too.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesight_browser::BrowserError;
use pagesight_core::nameless::guessed_name;
use pagesight_core::page::role::Role;
use pagesight_core::page::{Node, NodeId, Page};
use pagesight_session::{Action, LookOptions, Session, SessionError, TabError, TabRecord};

use super::error::{ActionTrouble, VisitError};
use crate::plan::steps::{ElementQuery, Naming, PageStep};
use crate::wording::plain;

/// The time between two searches for an element.
const LOOK_AGAIN: Duration = Duration::from_millis(150);
/// The token limit of the change summary, which is not printed here.
const NO_TOKENS: usize = 50;

/// Finds the elements of an action and returns it with their references.
async fn action_of(
    step: &PageStep,
    session: &Session,
    tab: &Arc<TabRecord>,
    place: usize,
    until: Instant,
) -> Result<Action, ActionTrouble> {
    let mut action = step.action.clone();
    if let Some(wanted) = &step.element {
        action.set_element(wanted.wait(session, tab, until).await?);
    }
    if let Some(wanted) = &step.from {
        action.set_from(wanted.wait(session, tab, until).await?);
    }
    if let Some(wanted) = &step.to {
        action.set_to(wanted.wait(session, tab, until).await?);
    }
    Ok(action.action(place)?)
}

/// Runs actions in order until one fails. Waits for elements until `until`. A page that may not be
/// visited is neither acted on nor described by an error.
pub(super) async fn run(
    session: &Session,
    tab: &Arc<TabRecord>,
    steps: &[PageStep],
    until: Instant,
) -> Result<(), VisitError> {
    for (at, step) in steps.iter().enumerate() {
        // The action before may have led elsewhere.
        session.check_origin(tab).await?;
        let done = async {
            let action = action_of(step, session, tab, at + 1, until).await?;
            let acted = session.act(tab, &[action], Some(NO_TOKENS)).await?;
            match acted.reports.into_iter().next_back() {
                Some(Err(error)) => Err(ActionTrouble::from(error)),
                _ => Ok(()),
            }
        };
        if let Err(reason) = done.await {
            session.check_origin(tab).await?;
            return Err(VisitError::Action { place: at + 1, kind: step.action.word(), reason });
        }
    }
    Ok(())
}

impl ElementQuery {
    /// Waits for the element and returns its reference.
    async fn wait(
        &self,
        session: &Session,
        tab: &Arc<TabRecord>,
        until: Instant,
    ) -> Result<String, ActionTrouble> {
        loop {
            match self.find(session, tab).await {
                Err(FindError::Yet(_)) if Instant::now() + LOOK_AGAIN < until => {
                    tokio::time::sleep(LOOK_AGAIN).await;
                }
                Err(FindError::Yet(why) | FindError::Final(why)) => {
                    return Err(ActionTrouble::NotFound(why));
                }
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
        // While it was waited for, the page may have led elsewhere.
        session.check_origin(tab).await?;
        let look = session.look(tab, LookOptions { selector, full: false }).await?;
        let node = match self {
            ElementQuery::Selector(selector) => look.page.scope.ok_or_else(|| {
                FindError::Yet(format!("nothing matches the selector {selector:?}"))
            })?,
            ElementQuery::Named { role, by, nth } => {
                let words = by.words(*role);
                match (by.matches(&look.page, *role).as_slice(), nth) {
                    ([], _) => {
                        let allowed = |address: &str| session.allows_address(address);
                        let why = none_there(&look.page, *role, &words, allowed);
                        return Err(FindError::Yet(why));
                    }
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
/// same role in documents with allowed addresses.
fn none_there(page: &Page, role: Role, words: &str, allowed: impl Fn(&str) -> bool) -> String {
    let called = |node: Node<'_>| match guessed_name(node) {
        Some(guess) => Some(format!("({})", guess.printed())),
        None if node.name().trim().is_empty() => None,
        None => Some(pagesight_core::text::escape::safe(node.name(), 40)),
    };
    let shown = shown(page, role).filter(|node| allowed(&node.document().url));
    let names: Vec<String> = shown.filter_map(called).take(6).collect();
    match names.is_empty() {
        true => format!("there is no {words}, nor any other {}", role.as_str()),
        false => format!("there is no {words}; the page has {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            none_there(&page, Role::Button, &words, |address| address == "http://x/"),
            "there is no button (bin icon); the page has (trash icon), (star icon), (star icon), Save"
        );
        assert_eq!(
            none_there(&page, Role::Button, &words, |_| false),
            "there is no button (bin icon), nor any other button",
            "names of a document that may not be visited are not reported"
        );
    }
}
