//! The DOM after the pipeline, one element per line: `uid=1_4 a href="/about" text="Learn more"`.
//! `items` makes the items that the budget engine fits; `text` and `json` print them.

mod facts;
mod items;
mod json;
mod model;
mod text;

use std::fmt::Write;

use items::items;
pub use model::{Format, Snapshot, SnapshotOptions};

use crate::page::{Flags, Node, NodeId, Page, Scope};
use crate::pipeline::{Fate, Rule, View};
use crate::render::budget::Manner;
use crate::render::fold::fold;
use crate::render::items::Items;
use crate::render::numbers::{Numbers, Placeholder};
use crate::render::outline::notes;
use crate::render::select;
use crate::render::within::within;
use crate::text::tokens::estimate;

/// The smallest budget that is kept exactly; a smaller one counts as this.
const SMALLEST_BUDGET: usize = 200;

/// The page as its view leaves it, within the budget.
pub fn snapshot(view: &View<'_>, options: &SnapshotOptions, numbers: &mut dyn Numbers) -> Snapshot {
    let limit = options.max_tokens.max(SMALLEST_BUDGET);
    let root = root(options.scope);
    let items = in_scope(view, options.scope);
    let foot = footer(view, root);
    let print = |items: &Items, cut: Option<usize>, numbers: &mut dyn Numbers| match options.format
    {
        Format::Text => text::text(items, &foot, cut, numbers),
        Format::Json => json::json(view, items, &foot, cut, numbers),
    };
    let target = limit.saturating_sub(estimate(&foot) + 4);
    let draft = |items: &Items, cut: Option<usize>| print(items, cut, &mut Placeholder).text;
    // Long runs are folded only where there is no room for them.
    let opened: &[NodeId] = if options.scope == Scope::Node(root) { &[root] } else { &[] };
    let shrink = |items: Items| fold(items, opened);
    let fitted = within(items, limit, target, Manner::Fold, shrink, draft);
    print(&fitted.items, fitted.cut, numbers)
}

/// The nodes that a snapshot without a budget consists of.
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

/// What was not seen or left out, one line each.
fn footer(view: &View<'_>, root: NodeId) -> String {
    let page: &Page = view.page();
    let root = page.node(root);
    let (mut hidden, mut covered) = (0, 0);
    // A full capture has the texts that are withheld, each in its place; else only their number is
    // known.
    let apart = |node: &Node<'_>| node.is(Flags::WITHHELD);
    let gone =
        root.descendants().filter(apart).filter(|node| !view.is_shown(node.id())).count() as u32;
    let withheld = if page.nodes().any(|node| apart(&node)) { gone } else { page.withheld };
    for node in root.descendants().filter(|node| node.is(Flags::USABLE)) {
        match view.fate(node.id()) {
            Fate::Gone(Rule::Visibility) => hidden += 1,
            Fate::Gone(Rule::PaintOrder) => covered += 1,
            _ => {}
        }
    }
    let mut out = String::new();
    let mut left_out = |count: usize, what: &str, key: &str| {
        if count > 0 {
            let things = if count == 1 { "element" } else { "elements" };
            let _ = writeln!(
                out,
                "{count} {what} usable {things} left out — pipeline {{\"{key}\":false}} shows all"
            );
        }
    };
    left_out(hidden, "hidden", "enable_visibility_filter");
    left_out(covered, "covered", "enable_paint_order_filter");
    out + &notes(page, withheld)
}
