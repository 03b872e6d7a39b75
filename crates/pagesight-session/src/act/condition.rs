//! The conditions of `repeat` and `if`: a text, or an element with a value or a state.

use std::time::Duration;

use pagesight_core::page::{Flags, Node, NodeId};
use pagesight_core::render::state_words;
use pagesight_core::targets::{Candidates, TargetMatch};
use pagesight_core::text::escape::value;
use tokio::time::Instant;

use super::actor::Actor;
use super::given::GivenElement;
use crate::error::{Result, SessionError};

/// The page is looked at again after this time, even if it reports no change.
const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// The longest text that a line about a condition repeats.
const WORDS_LIMIT: usize = 100;

/// States that no line prints, because they are the usual ones.
const USUAL: [(&str, Flags); 2] =
    [("enabled", Flags::DISABLED), ("unchecked", Flags::CHECKED.union(Flags::MIXED))];

/// A condition of the page.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the comment of a variant describes its fields")]
pub enum Condition {
    /// This text is on the page.
    Text(String),
    /// This text is not on the page.
    Gone(String),
    /// Something is called so, whether or not it can be used.
    Exists(GivenElement),
    /// A field has this value.
    Value { element: GivenElement, value: String },
    /// An element has this state, as lines print it, or is `enabled` or `unchecked`.
    State { element: GivenElement, state: String },
}

impl Condition {
    /// Returns the element that it is about.
    pub(super) fn element(&self) -> Option<&GivenElement> {
        match self {
            Condition::Text(_) | Condition::Gone(_) => None,
            Condition::Exists(element)
            | Condition::Value { element, .. }
            | Condition::State { element, .. } => Some(element),
        }
    }

    /// Returns it in words: `the text "Saved"`.
    pub(super) fn words(&self) -> String {
        let given = |element: &GivenElement| value(element.reference(), WORDS_LIMIT);
        match self {
            Condition::Text(text) => format!("the text {}", value(text, WORDS_LIMIT)),
            Condition::Gone(text) => format!("no text {}", value(text, WORDS_LIMIT)),
            Condition::Exists(element) => given(element),
            Condition::Value { element, value: wanted } => {
                format!("{} has the value {}", given(element), value(wanted, WORDS_LIMIT))
            }
            Condition::State { element, state } => format!("{} is {state}", given(element)),
        }
    }
}

/// Whether a word is a state that a condition can ask for.
pub(super) fn is_state(word: &str) -> bool {
    USUAL.iter().any(|(usual, _)| *usual == word) || state_words(Flags::all()).any(|w| w == word)
}

fn has_state(node: Node<'_>, state: &str) -> bool {
    match USUAL.iter().find(|(word, _)| *word == state) {
        Some((_, unusual)) => !node.flags().intersects(*unusual),
        None => state_words(node.flags()).any(|word| word == state),
    }
}

/// Whether a field has a value. Numbers are compared as numbers.
fn has_value(node: Node<'_>, wanted: &str) -> bool {
    let Some(value) = node.value() else { return false };
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let equal = number(value).zip(number(wanted)).is_some_and(|(one, other)| one == other);
    value.trim() == wanted.trim() || equal
}

impl Actor<'_> {
    /// Whether a condition is met now, or becomes so within `limit`.
    pub(super) async fn is_met(&mut self, condition: &Condition, limit: Duration) -> Result<bool> {
        self.session.check_tab(self.tab)?;
        self.admit_document(None, "the page").await?;
        let deadline = Instant::now() + limit;
        let text = match condition {
            Condition::Text(text) => Some((text, false)),
            Condition::Gone(text) => Some((text, true)),
            _ => None,
        };
        if let Some((text, gone)) = text {
            self.look = None;
            return match limit.is_zero() {
                true => self.session.is_text_shown(self.tab, text).await.map(|shown| shown != gone),
                false => self.session.wait_for_text(self.tab, text, gone, deadline).await,
            };
        }
        let mut watcher = self.session.watch(self.tab);
        loop {
            let last = Instant::now() >= deadline;
            if self.is_element_so(condition).await? {
                return Ok(true);
            }
            if last {
                return Ok(false);
            }
            let until = deadline.min(Instant::now() + LOOK_AGAIN);
            let event = self.session.next_page_event(&mut watcher);
            if let Ok(event) = tokio::time::timeout_at(until, event).await {
                event?;
            }
        }
    }

    /// Looks at the page and at the element of a condition.
    async fn is_element_so(&mut self, condition: &Condition) -> Result<bool> {
        let Some(element) = condition.element() else { return Ok(false) };
        let look = self.session.look_in_turn(self.tab, None, false).await?;
        let candidates = Candidates::of(&look.page, |url| self.session.allows_address(url));
        let found = match element {
            GivenElement::Reference(given) => match self.session.find(&look, given) {
                Ok(id) => TargetMatch::One(id),
                Err(SessionError::Reference(_)) => TargetMatch::Nothing { near: Vec::new() },
                Err(error) => return Err(error),
            },
            GivenElement::Named(target) => match self.matched(&look, &candidates, target).await? {
                Ok(found) => found,
                Err(_) => TargetMatch::Nothing { near: Vec::new() },
            },
        };
        let ids: Vec<NodeId> = match found {
            TargetMatch::One(id) => vec![id],
            TargetMatch::Later(ids) | TargetMatch::Several(ids) => ids,
            TargetMatch::Inert(_) | TargetMatch::Nothing { .. } => Vec::new(),
        };
        let met = match (condition, ids.as_slice()) {
            (_, []) => false,
            (Condition::Exists(_), _) => true,
            (Condition::Value { value, .. }, [one]) => has_value(look.page.node(*one), value),
            (Condition::State { state, .. }, [one]) => has_state(look.page.node(*one), state),
            _ => {
                let words = value(element.reference(), WORDS_LIMIT);
                return Err(self.several(&look, &candidates, words, &ids));
            }
        };
        Ok(met)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_and_values() {
        for state in ["checked", "disabled", "enabled", "unchecked", "expanded"] {
            assert!(is_state(state), "{state}");
        }
        assert!(!is_state("red") && !is_state(""));
        let page = pagesight_core::wire::decode::decode(
            r#"{"v":1,"doc":"d","url":"http://x/","title":"","viewport":[1280,720,1],"scroll":[0,0],"size":[9,9],
            "strings":["","html","input","textbox","21.0"],
            "nodes":{"size":[1,0],"id":[1,2],"tag":[1,2],"role":[0,3],"name":[0,0],"box":[0,0,9,9,1,1,4,4],"flags":[2,1025]},
            "value":[1,4]}"#,
        )
        .expect("it is a page");
        let field = page.nodes().nth(1).expect("it is there");
        assert!(has_value(field, "21") && has_value(field, " 21.0 ") && !has_value(field, "2"));
        assert!(has_state(field, "disabled") && has_state(field, "unchecked"));
        assert!(!has_state(field, "enabled") && !has_state(field, "checked"));
    }

    #[test]
    fn conditions_in_words() {
        assert_eq!(Condition::Gone("a".into()).words(), "no text \"a\"");
        let state = Condition::State { element: "12".into(), state: "checked".into() };
        assert_eq!(state.words(), "\"12\" is checked");
    }
}
