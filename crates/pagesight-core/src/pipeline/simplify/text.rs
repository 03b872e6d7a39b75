//! S2.1: texts that stand side by side become one, in their order and with their spaces. Not across
//! anything that is shown, nor where a line ends: the words of two lines are not one word.

use crate::page::{Flags, Node, NodeId};
use crate::pipeline::rules::PipelineRule;
use crate::pipeline::view::{NodeFate, View};

/// Merges runs of texts; white space that parts nothing goes.
pub(crate) fn apply(view: &mut View<'_>) {
    let page = view.page();
    let holders = view.holders();
    let mut run: Vec<NodeId> = Vec::new();
    // The ends of blocks that gave way: behind them a new line begins.
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

/// Whether something that is not shown still ends the line: a line break, or a block that gave way
/// to what is in it. What is hidden is not there at all.
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
        // Elements have lines of their own: there is nothing to part.
        for text in run.drain(..) {
            view.take(text, PipelineRule::TextCollapsing);
        }
        return;
    }
    view.merge(run);
    run.clear();
}
