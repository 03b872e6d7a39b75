//! Finds a control again that the page re-rendered, such as the plus of a thermostat: the text
//! around it changed, so references do not take it over.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use crate::page::{Node, NodeId, Page};
use crate::refs::lasting_hash;
use crate::targets::candidates::Candidates;

/// Of so many equal controls it is not asked what they belong to.
const MOST_EQUAL: usize = 50;

/// The controls of two pages, the second one after a change of the first one.
pub struct SameControls<'p> {
    before: Controls<'p>,
    after: Controls<'p>,
}

/// The controls of a page by what they keep, and its lines; each is read when it is needed.
struct Controls<'p> {
    page: &'p Page,
    equal: OnceCell<HashMap<ControlKey<'p>, Vec<NodeId>>>,
    candidates: OnceCell<Candidates<'p>>,
}

/// The document of a control, and what it keeps while the text around it changes.
type ControlKey<'p> = (&'p str, u64);

impl<'p> Controls<'p> {
    fn of(page: &'p Page) -> Controls<'p> {
        Controls { page, equal: OnceCell::new(), candidates: OnceCell::new() }
    }

    fn equal(&self, key: &ControlKey<'p>) -> &[NodeId] {
        let equal = self.equal.get_or_init(|| {
            let mut equal: HashMap<ControlKey<'p>, Vec<NodeId>> = HashMap::new();
            for node in self.page.nodes().filter(|node| !node.is_text() && node.hidden().is_none())
            {
                equal.entry(key_of(node)).or_default().push(node.id());
            }
            equal
        });
        equal.get(key).map_or(&[], Vec::as_slice)
    }

    fn candidates(&self) -> &Candidates<'p> {
        self.candidates.get_or_init(|| Candidates::of(self.page, |_| true))
    }
}

fn key_of(node: Node<'_>) -> ControlKey<'_> {
    (&node.document().token, lasting_hash(node))
}

impl<'p> SameControls<'p> {
    /// Compares two pages.
    pub fn new(before: &'p Page, after: &'p Page) -> SameControls<'p> {
        SameControls { before: Controls::of(before), after: Controls::of(after) }
    }

    /// Returns the element of the second page that is the same control as an element of the first
    /// one. If either page has several equal controls, it must be the only one with the owners
    /// (headings, labels, rows) that distinguished it before.
    pub fn find(&self, was: NodeId) -> Option<NodeId> {
        let key = key_of(self.before.page.node(was));
        let (were, are) = (self.before.equal(&key), self.after.equal(&key));
        if let ([_], [only]) = (were, are) {
            return Some(*only);
        }
        if were.len().max(are.len()) > MOST_EQUAL {
            return None;
        }
        let owners = self.before.candidates().distinguishing(was, were);
        // A value near it may have changed, and stand near a different control now.
        let is_name = |owner: &&String| !owner.chars().any(|c| c.is_ascii_digit());
        let lasting: Vec<&String> = owners.iter().filter(is_name).collect();
        let tried = if lasting.is_empty() { owners.iter().collect() } else { lasting };
        let mut found = HashSet::new();
        for owner in tried {
            found.extend(self.after.candidates().owned(are, owner));
        }
        match found.len() {
            1 => found.into_iter().next(),
            _ => None,
        }
    }
}
