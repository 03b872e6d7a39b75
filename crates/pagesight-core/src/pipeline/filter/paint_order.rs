//! F5: what lies wholly under something opaque goes. The page script tries it with hit-tests at
//! several points of each thing that can be used or read, so stacking contexts and the top layer
//! are the browser's own; boxes that let light or clicks through, parts that stick out, and a
//! node's own ancestors and descendants are no covers. Nothing goes with its parent.

use crate::page::{Flags, Node};
use crate::pipeline::rules::PipelineRule;
use crate::pipeline::view::View;

/// Takes what is obscured, each thing for itself.
pub(crate) fn apply(view: &mut View<'_>) {
    for node in view.page().nodes() {
        if is_obscured(node) {
            view.take(node.id(), PipelineRule::PaintOrder);
        }
    }
}

/// A text is where its element is.
fn is_obscured(node: Node<'_>) -> bool {
    let drawn = if node.is_text() { node.parent().unwrap_or(node) } else { node };
    drawn.is(Flags::OBSCURED)
}
