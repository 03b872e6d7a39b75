//! Prints a snapshot as text: one element per line.

use std::fmt::Write;

use super::model::Snapshot;
use crate::hint::{Hint, Wording};
use crate::page::NodeId;
use crate::render::items::{How, ItemKind, Items, More, parents};
use crate::render::numbers::Numbers;

/// How deep lines are indented at most.
const DEEPEST: usize = 40;

/// Returns the words of a note about folded items.
pub(super) fn note(more: &More, wording: Wording, numbers: &mut dyn Numbers) -> String {
    let hint = match more.how {
        How::Scope(node) => Hint::UnfoldInSnapshot { uid: uid(numbers, node) },
        How::After(..) | How::SameQueryAfter(_) | How::Nothing => Hint::NarrowSnapshot,
    };
    wording.line(&more.what, Some(&hint))
}

/// Returns the uid of a node: `1_12`.
pub(crate) fn uid(numbers: &mut dyn Numbers, node: NodeId) -> String {
    let (snapshot, number) = numbers.uid(node);
    format!("{snapshot}_{number}")
}

/// Prints items as text.
pub(super) fn text(
    items: &Items,
    foot: &str,
    cut: Option<usize>,
    wording: Wording,
    numbers: &mut dyn Numbers,
) -> Snapshot {
    let mut text = String::with_capacity(items.iter().map(|item| item.body.len() + 24).sum());
    let mut shown = Vec::new();
    let parents = parents(items);
    let mut depths: Vec<usize> = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let depth = parents[at].map_or(0, |above| depths[above] + 1);
        depths.push(depth);
        // The first text of an element is in its line.
        let beside = at > 0
            && parents[at] == Some(at - 1)
            && item.kind == ItemKind::Text
            && items[at - 1].more.is_none();
        if beside {
            text.pop();
            text.push(' ');
        } else {
            (0..depth.min(DEEPEST)).for_each(|_| text.push_str("  "));
        }
        if item.numbered {
            let (snapshot, number) = numbers.uid(item.node);
            shown.push((item.node, number));
            let _ = write!(text, "uid={snapshot}_{number} ");
        }
        if item.kind == ItemKind::Text {
            text.push_str("text=");
        }
        text.push_str(&item.body);
        if let Some(cover) = item.cover {
            let _ = write!(text, " covered_by={}", uid(numbers, cover));
        }
        if let Some(more) = &item.more {
            let gap = if item.body.is_empty() { "… " } else { " … " };
            let _ = write!(text, "{gap}{}", note(more, wording, numbers));
        }
        text.push('\n');
    }
    if let Some(lines) = cut {
        text.push_str(&wording.line(format!("… {lines} more lines"), Some(&Hint::NarrowSnapshot)));
        text.push('\n');
    } else {
        text.push_str(foot);
    }
    Snapshot { text, shown }
}
