//! Selects what the caller asked for: usable elements, the viewport, or what comes after an
//! element.

use std::collections::HashSet;

use crate::page::{Flags, NodeId, Page};
use crate::render::items::{Item, ItemKind, Items, apply, with_ancestors};

/// Keeps the wanted items, with their ancestors.
fn keep(items: Items, wanted: impl Fn(usize, &Item) -> bool) -> Items {
    let wanted: Vec<bool> = items.iter().enumerate().map(|(at, item)| wanted(at, item)).collect();
    let fates = with_ancestors(&items, &wanted);
    apply(items, &fates)
}

/// Keeps usable elements, with their ancestors.
pub(crate) fn usable(items: Items) -> Items {
    keep(items, |_, item| item.kind == ItemKind::Usable || item.numbered)
}

/// Keeps what lies in the viewport, with its ancestors.
pub(crate) fn in_viewport(page: &Page, items: Items) -> Items {
    keep(items, |_, item| {
        let node = page.node(item.node);
        let shown = if node.is_text() { node.parent().unwrap_or(node) } else { node };
        let leaf = !matches!(item.kind, ItemKind::Soft | ItemKind::Region) || item.numbered;
        leaf && shown.is(Flags::IN_VIEWPORT)
    })
}

/// Keeps what comes after `node`, with the ancestors. If the element has a line, its content
/// follows; an element without a line (a wrapper, the paragraph around a text) was shown
/// completely.
pub(crate) fn after(page: &Page, items: Items, node: NodeId) -> Items {
    let listed = items.iter().any(|item| item.node == node && item.kind != ItemKind::Soft);
    let inside = page.node(node).end();
    let first = items
        .iter()
        .position(|item| if listed { item.node > node } else { item.node.index() >= inside })
        .unwrap_or(items.len());
    keep(items, |at, _| at >= first)
}

/// Marks where a reader can continue: after an element with a line, or after a text that is all
/// that its element holds.
pub(crate) fn mark_stops(page: &Page, items: &mut Items) {
    let listed: HashSet<NodeId> =
        items.iter().filter(|item| item.kind != ItemKind::Soft).map(|item| item.node).collect();
    for at in 0..items.len() {
        let node = page.node(items[at].node);
        if !node.is_text() {
            continue;
        }
        let next = items.get(at + 1).map_or(usize::MAX, |item| item.node.index());
        items[at].stop = node
            .parent()
            .is_some_and(|parent| !listed.contains(&parent.id()) && parent.end() <= next);
    }
}
