//! The facts that must be equal for a new node to take over the number of an old node: tag, role,
//! name (the guess, where it has no name), stable attributes, and the text of its row or section.

use std::collections::HashMap;

use crate::nameless::looks;
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page};
use crate::refs::row::{Rows, hash};

/// Attributes that frameworks do not generate at each render.
const STABLE: [&str; 8] =
    ["id", "name", "href", "data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];

/// How far around an icon its row is.
const REACH: usize = 4;
/// More words than this are no label of a button.
const LONG: usize = 5;

/// How many texts a row has at least, and among how many nodes they are.
const SEVERAL: usize = 3;
const MOST_READ: usize = 50;

/// Every element of a page that could carry a number, by its signature.
pub(super) struct Signatures {
    pub(super) by_node: HashMap<NodeId, u64>,
    pub(super) counts: HashMap<u64, u32>,
}

impl Signatures {
    pub(super) fn of(page: &Page, rows: &Rows<'_>) -> Signatures {
        let mut signatures = Signatures { by_node: HashMap::new(), counts: HashMap::new() };
        for node in page.nodes().filter(|node| may_be_numbered(*node)) {
            let signature = signature(page.node(node.id()), rows);
            signatures.by_node.insert(node.id(), signature);
            *signatures.counts.entry(signature).or_default() += 1;
        }
        signatures
    }
}

fn may_be_numbered(node: Node<'_>) -> bool {
    !node.is_text()
        && (node.is(Flags::USABLE) || node.is(Flags::SCROLLS) || node.role() != Role::None)
}

pub(super) fn signature<'p>(node: Node<'p>, rows: &Rows<'p>) -> u64 {
    // A row that is clicked as a whole says itself what it and its icons are.
    let around = std::iter::once(node).chain(node.ancestors()).take(REACH);
    let usable: Vec<Node<'_>> = around.filter(|above| above.is(Flags::USABLE)).collect();
    if let Some(record) = usable.iter().find(|above| is_content(above.name())) {
        return hash((lasting_hash(node), record.name()));
    }
    // A short one could also be in a different section.
    match usable.iter().find(|above| has_several_texts(**above)) {
        Some(record) => hash((lasting_hash(node), record.name(), rows.place(node))),
        None => hash((lasting_hash(node), rows.section_text(node))),
    }
}

/// Whether an element is named by several texts in it, as a row of a mail list is.
fn has_several_texts(node: Node<'_>) -> bool {
    let mut inside = node.descendants().take(MOST_READ);
    let mut next =
        || inside.find(|inner| inner.is_text() && inner.name().chars().any(char::is_alphanumeric));
    node.is(Flags::NAMED_BY_CONTENT) && (0..SEVERAL).all(|_| next().is_some())
}

/// Whether a name is so long that nothing else of a page is called the same by chance.
fn is_content(name: &str) -> bool {
    name.split_whitespace().nth(LONG).is_some()
}

/// Hashes what a control keeps while the text around it changes.
pub(crate) fn lasting_hash(node: Node<'_>) -> u64 {
    let stable: Vec<Option<&str>> = STABLE.iter().map(|name| node.attribute(name)).collect();
    // Buttons without a name are often equal in everything else.
    hash((node.tag(), node.role(), node.name(), looks(node), stable))
}
