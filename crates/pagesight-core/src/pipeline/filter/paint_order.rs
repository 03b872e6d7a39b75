//! F5: removes what is completely covered by something opaque. The page script decides it with hit
//! tests at several points of each element, so that stacking contexts and the top layer are the
//! browser's own. Transparent boxes, boxes that let clicks through, and a node's own ancestors and
//! descendants do not cover it. A child is never removed with its parent.

use crate::page::{Flags, Node};
use crate::pipeline::rules::PipelineRule;
use crate::pipeline::view::View;

/// Removes covered nodes, each one separately.
pub(crate) fn apply(view: &mut View<'_>) {
    for node in view.page().nodes() {
        if is_obscured(node) {
            view.remove(node.id(), PipelineRule::PaintOrder);
        }
    }
}

/// Whether a node is covered; a text is if its element is.
fn is_obscured(node: Node<'_>) -> bool {
    let drawn = if node.is_text() { node.parent().unwrap_or(node) } else { node };
    drawn.is(Flags::OBSCURED)
}
