//! Finds the elements that a target names, whether or not they can be used: for texts that must
//! stay equal.

use super::query::{LineQuery, TargetReading};
use crate::page::{Flags, Node, NodeId, Page};
use crate::text::escape::clean;

/// How many nodes of an element are read for its first words.
const MOST_READ: usize = 40;

/// Returns the visible elements with the role and the name of a target, in document order. If no
/// element has that name, the text of one with the role may begin with it: `status: Total`.
pub fn named(page: &Page, query: &LineQuery) -> Vec<NodeId> {
    let ways: [fn(&TargetReading, Node<'_>) -> bool; 2] = [has_name, begins_with];
    for reading in &query.readings {
        for way in ways {
            let is_meant = |node: &Node<'_>| {
                !node.is_text()
                    && node.hidden().is_none()
                    && reading.role.as_deref().is_none_or(|role| role == node.role().as_str())
                    && way(reading, *node)
            };
            let found: Vec<NodeId> = page.nodes().filter(is_meant).map(|node| node.id()).collect();
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}

fn has_name(reading: &TargetReading, node: Node<'_>) -> bool {
    // A role without a name means all elements with the role.
    match reading.name.is_empty() {
        true => reading.role.is_some() && reading.guess.is_empty(),
        false => clean(node.name()).to_lowercase() == reading.name.to_lowercase(),
    }
}

fn begins_with(reading: &TargetReading, node: Node<'_>) -> bool {
    if reading.role.is_none() || reading.name.is_empty() {
        return false;
    }
    let mut text = String::new();
    for inner in node.descendants().take(MOST_READ).filter(|inner| inner.is_text()) {
        if !inner.is(Flags::WITHHELD) {
            text.push_str(inner.name());
        }
        if text.len() > reading.name.len() * 2 {
            break;
        }
    }
    let text = clean(&text).to_lowercase();
    let rest = text.strip_prefix(&reading.name.to_lowercase());
    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}
