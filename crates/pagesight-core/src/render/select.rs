//! What the caller asked to see: only what can be used, only what matches some words, only what lies in the viewport, or
//! only what comes behind an element.

use crate::page::{Flags, NodeId, Page};
use crate::render::items::{Fate, Items, Kind, apply, with_ancestors};

/// Keeps what can be used, with what lies above it.
pub(crate) fn usable(items: Items) -> Items {
    let wanted: Vec<bool> = items.iter().map(|item| item.kind == Kind::Usable || item.numbered).collect();
    let fates = with_ancestors(&items, &wanted);
    apply(items, &fates)
}

/// Keeps what holds all of these words, with what lies above it; a matching row or list item keeps its contents.
pub(crate) fn matching(items: Items, query: &str) -> Items {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let mut wanted = vec![false; items.len()];
    for at in 0..items.len() {
        let body = items[at].body.to_lowercase();
        if items[at].kind == Kind::Soft || !words.iter().all(|word| body.contains(word)) {
            continue;
        }
        let end = if items[at].kind == Kind::Region { at + 1 } else { items[at].end as usize };
        wanted[at..end].fill(true);
    }
    let fates = with_ancestors(&items, &wanted);
    apply(items, &fates)
}

/// Keeps what lies in the viewport, with what lies above it.
pub(crate) fn in_viewport(page: &Page, items: Items) -> Items {
    let wanted: Vec<bool> = items
        .iter()
        .map(|item| {
            let node = page.node(item.node);
            let shown = if node.is_text() { node.parent().unwrap_or(node) } else { node };
            let leaf = !matches!(item.kind, Kind::Soft | Kind::Region) || item.numbered;
            leaf && shown.is(Flags::IN_VIEWPORT)
        })
        .collect();
    let fates = with_ancestors(&items, &wanted);
    apply(items, &fates)
}

/// Keeps what comes behind `node`, with what lies above it.
pub(crate) fn behind(items: Items, node: NodeId) -> Items {
    let first = items.iter().position(|item| item.node > node).unwrap_or(items.len());
    let wanted: Vec<bool> = (0..items.len()).map(|at| at >= first).collect();
    let mut fates = with_ancestors(&items, &wanted);
    for fate in &mut fates[..first] {
        // What lies above stays for the place it gives; everything else in front is gone.
        if *fate != Fate::Keep {
            *fate = Fate::Unwrap;
        }
    }
    apply(items, &fates)
}
