//! F3: removes elements that are never drawn, with their descendants: scripts, styles, metadata,
//! templates, comments.

use crate::page::{COMMENT, Node};
use crate::pipeline::rules::PipelineRule;
use crate::pipeline::view::View;

pub(crate) fn apply(view: &mut View<'_>) {
    let page = view.page();
    let mut at = 0;
    while at < page.len() {
        let node = page.at(at);
        let end = if is_noise(node) { node.end() } else { at + 1 };
        if is_noise(node) {
            for inside in at..end {
                view.remove(page.at(inside).id(), PipelineRule::Noise);
            }
        }
        at = end;
    }
}

/// Whether an element is never drawn, whatever the page does.
pub(crate) fn is_noise(node: Node<'_>) -> bool {
    matches!(
        node.tag(),
        "base"
            | "col"
            | "colgroup"
            | "datalist"
            | "head"
            | "link"
            | "meta"
            | "noscript"
            | "param"
            | "script"
            | "source"
            | "style"
            | "template"
            | "title"
            | "track"
            | "wbr"
            | COMMENT
    )
}
