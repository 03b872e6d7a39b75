//! S2.1: merges adjacent texts, in order and with their spaces. Texts are not merged across
//! something visible or across the end of a line: the words of two lines are not one word.

use crate::page::{Flags, Node, NodeId};
use crate::pipeline::rules::PipelineRule;
use crate::pipeline::view::{NodeFate, View};

/// Merges runs of texts, and removes white space that separates nothing.
pub(crate) fn apply(view: &mut View<'_>) {
    let page = view.page();
    let holders = view.holders();
    let mut run: Vec<NodeId> = Vec::new();
    // The ends of removed blocks: a new line begins after them.
    let mut blocks: Vec<usize> = Vec::new();
    for node in page.nodes() {
        let at = node.id().index();
        let mut ends = false;
        while blocks.pop_if(|end| *end <= at).is_some() {
            ends = true;
        }
        let shown_text = node.is_text() && view.is_shown(node.id());
        if !shown_text {
            let breaks = matches!(view.fate(node.id()), NodeFate::Shown) || parts_lines(node, view);
            if ends || breaks {
                finish(view, &mut run);
            }
            if !node.is_text() && breaks && !view.is_shown(node.id()) {
                blocks.push(node.end());
            }
            continue;
        }
        let beside = run.last().is_some_and(|last| holders[last.index()] == holders[at]);
        if ends || !beside {
            finish(view, &mut run);
        }
        run.push(node.id());
    }
    finish(view, &mut run);
}

/// Whether a node that is not shown still ends the line: a line break, or a block that was
/// unwrapped. A hidden node does not.
fn parts_lines(node: Node<'_>, view: &View<'_>) -> bool {
    let hidden = matches!(
        view.fate(node.id()),
        NodeFate::Gone(PipelineRule::Visibility | PipelineRule::Noise)
    );
    !hidden && (node.tag() == "br" || node.is(Flags::BLOCK))
}

fn finish(view: &mut View<'_>, run: &mut Vec<NodeId>) {
    let page = view.page();
    if run.iter().all(|text| view.text(page.node(*text)).trim().is_empty()) {
        // Elements have lines of their own, so the white space between them separates nothing.
        for text in run.drain(..) {
            view.remove(text, PipelineRule::TextCollapsing);
        }
        return;
    }
    view.merge(run);
    run.clear();
}
