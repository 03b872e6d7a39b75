//! The DOM after the pipeline, one element per line: `uid=1_4 a href="/about" text="Learn more"`.
//! `items` makes the items that the budget engine fits; `text` and `json` print them.

mod facts;
mod items;
mod json;
mod model;
mod text;

use items::items;
pub use model::{Snapshot, SnapshotFormat, SnapshotOptions};

use crate::hint::{Hint, Wording};
use crate::page::{Flags, Node, NodeId, Page, Scope};
use crate::pipeline::{NodeFate, PipelineRule, View};
use crate::render::budget::FitMode;
use crate::render::fold::fold;
use crate::render::items::Items;
use crate::render::numbers::{Numbers, Placeholder};
use crate::render::outline::notes;
use crate::render::select;
use crate::render::within::within;
use crate::text::tokens::estimate;

/// The smallest budget that is kept exactly; a smaller one counts as this.
const SMALLEST_BUDGET: usize = 200;

/// Renders a view as a snapshot within the budget.
pub fn snapshot(view: &View<'_>, options: &SnapshotOptions, numbers: &mut dyn Numbers) -> Snapshot {
    let limit = options.max_tokens.max(SMALLEST_BUDGET);
    let root = root(options.scope);
    let items = in_scope(view, options.scope);
    let wording = options.wording;
    let foot = footer(view, root, wording);
    let print = |items: &Items, cut: Option<usize>, numbers: &mut dyn Numbers| match options.format
    {
        SnapshotFormat::Text => text::text(items, &foot, cut, wording, numbers),
        SnapshotFormat::Json => json::json(view, items, &foot, cut, wording, numbers),
    };
    let target = limit.saturating_sub(estimate(&foot) + 4);
    let draft = |items: &Items, cut: Option<usize>| print(items, cut, &mut Placeholder).text;
    // Long runs are folded only where there is no room for them.
    let opened: &[NodeId] = if options.scope == Scope::Node(root) { &[root] } else { &[] };
    let shrink = |items: Items| fold(items, opened);
    let fitted = within(items, limit, target, FitMode::Fold, shrink, draft);
    print(&fitted.items, fitted.cut, numbers)
}

/// Returns the nodes of a snapshot without a budget.
pub(crate) fn nodes(view: &View<'_>, scope: Scope) -> Vec<NodeId> {
    in_scope(view, scope).iter().map(|item| item.node).collect()
}

fn root(scope: Scope) -> NodeId {
    if let Scope::Node(node) = scope { node } else { NodeId::ROOT }
}

fn in_scope(view: &View<'_>, scope: Scope) -> Items {
    let items = items(view, root(scope));
    if scope == Scope::Viewport { select::in_viewport(view.page(), items) } else { items }
}

/// Returns what was not captured or left out, one line each.
fn footer(view: &View<'_>, root: NodeId, wording: Wording) -> String {
    let page: &Page = view.page();
    let root = page.node(root);
    // A full capture has the withheld texts; otherwise only their number is known.
    let is_withheld = |node: &Node<'_>| node.is(Flags::WITHHELD);
    let left_out = |node: &Node<'_>| is_withheld(node) && !view.is_shown(node.id());
    let withheld = if page.nodes().any(|node| is_withheld(&node)) {
        root.descendants().filter(left_out).count() as u32
    } else {
        page.withheld
    };
    let mut out = String::new();
    for rule in [PipelineRule::Visibility, PipelineRule::PaintOrder] {
        let removed = |node: &Node<'_>| {
            node.is(Flags::USABLE) && view.fate(node.id()) == NodeFate::Gone(rule)
        };
        let count = root.descendants().filter(removed).count();
        if count > 0 {
            let things = if count == 1 { "element" } else { "elements" };
            let what = rule.noun().map_or("", |(_, noun)| noun);
            let line = format!("{count} {what} usable {things} left out");
            out.push_str(&wording.line(line, Some(&Hint::TurnOff { key: rule.key() })));
            out.push('\n');
        }
    }
    out + &notes(page, withheld)
}
