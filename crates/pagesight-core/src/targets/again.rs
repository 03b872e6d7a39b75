//! Finds a control again that the page re-rendered because it was used, such as the plus of a
//! thermostat: the text around it changed, so references do not take it over.

use crate::page::{Node, NodeId, Page};
use crate::refs::lasting_hash;
use crate::targets::candidates::Candidates;

/// Returns the element of a page that is the same control as an element of the page before. If
/// either page has several equal controls, it must be the only one with the same owner, which is
/// the heading, label or row that distinguished it before.
pub fn find_again(before: &Page, was: NodeId, after: &Page) -> Option<NodeId> {
    let old = before.node(was);
    let (key, token) = (lasting_hash(old), &old.document().token);
    let is_equal = |node: &Node<'_>| {
        !node.is_text()
            && node.hidden().is_none()
            && node.role() == old.role()
            && node.document().token == *token
            && lasting_hash(*node) == key
    };
    let equal = |page: &Page| -> Vec<NodeId> {
        page.nodes().filter(is_equal).map(|node| node.id()).collect()
    };
    let (were, are) = (equal(before), equal(after));
    if let ([_], [only]) = (were.as_slice(), are.as_slice()) {
        return Some(*only);
    }
    let owner = Candidates::of(before, |_| true).owner(was, &were)?;
    match Candidates::of(after, |_| true).owned(&are, &owner).as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}
