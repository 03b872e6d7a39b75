//! F1: what no one sees goes. The page script judges each element where it is drawn (boxes, clips,
//! opacity, top layer, what a label or a click still reaches), so a hidden element goes by itself
//! and not with everything in it: `visibility: visible` inside hidden and the contents of wrappers
//! without an extent stay. Scripts and the like are left to F3.

use crate::page::role::Role;
use crate::page::{Flags, Node, Page};
use crate::pipeline::filter::noise::is_noise;
use crate::pipeline::rules::PipelineRule;
use crate::pipeline::view::View;

/// Takes what is hidden.
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
            view.take(node.id(), PipelineRule::Visibility);
        }
        at += 1;
    }
}

/// What a screen reader skips a person still reads, unless it is mere decoration; in a dialog not
/// even that goes.
fn is_seen(node: Node<'_>, in_dialog: bool) -> bool {
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
