//! F1: removes what nobody can see. The page script judges each element where it is drawn (boxes,
//! clips, opacity, top layer, reach of labels and clicks). A hidden element is removed without its
//! descendants: `visibility: visible` inside a hidden element stays, and so does the content of a
//! wrapper without a size. F3 removes scripts and the like.

use crate::page::role::Role;
use crate::page::{Flags, Node, Page};
use crate::pipeline::filter::noise::is_noise;
use crate::pipeline::rules::PipelineRule;
use crate::pipeline::view::View;

pub(crate) fn apply(view: &mut View<'_>) {
    let page: &Page = view.page();
    let mut at = 0;
    let mut dialog_end = 0;
    while at < page.len() {
        let node = page.at(at);
        if is_noise(node) {
            at = node.end();
            continue;
        }
        if matches!(node.role(), Role::Dialog | Role::AlertDialog) || node.is(Flags::MODAL) {
            dialog_end = dialog_end.max(node.end());
        }
        if !is_seen(node, at < dialog_end) {
            view.remove(node.id(), PipelineRule::Visibility);
        }
        at += 1;
    }
}

/// Whether a node is visible to a person. Text that screen readers skip counts, unless it is
/// decoration; inside a dialog even decoration counts.
pub(crate) fn is_seen(node: Node<'_>, in_dialog: bool) -> bool {
    if node.hidden().is_some() || node.is(Flags::WITHHELD) {
        return false;
    }
    if !node.is_text() {
        return true;
    }
    let Some(parent) = node.parent() else { return true };
    let silent = node.is(Flags::ARIA_HIDDEN) || parent.is(Flags::ARIA_HIDDEN);
    parent.hidden().is_none() && (in_dialog || !silent || has_words(node.name()))
}

/// Whether a text has a letter or a digit.
pub(crate) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
