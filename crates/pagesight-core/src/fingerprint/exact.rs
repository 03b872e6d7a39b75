//! Reads the texts that a project wants to stay equal.

use super::locations::{EntryKind, Origins};
use super::model::{ExactTarget, ExactText, Structure};
use super::regions::RegionMap;
use super::selector::bounded;
use super::titles::title_of;
use crate::page::{Flags, Node, NodeId, Page};
use crate::text::escape::stored;

/// How many elements of one target are read, and how much text of each.
const MOST_ELEMENTS: usize = 1_000;
const MOST_READ: usize = 2_000;
const LONGEST: usize = 2_000;

/// Reads the texts of the targets.
pub(super) fn read(
    page: &Page,
    ground: &RegionMap<'_>,
    targets: &[ExactTarget],
    structure: &mut Structure,
    origins: &mut Origins,
) {
    for ExactTarget { target, nodes } in targets {
        let before = structure.exact.len();
        for id in nodes.iter().take(MOST_ELEMENTS) {
            let Ok(at) = ground.spots.binary_search_by_key(id, |spot| spot.node.id()) else {
                continue;
            };
            let spot = &ground.spots[at];
            if spot.node.hidden().is_some() {
                continue;
            }
            origins.note(EntryKind::Exact, *id);
            structure.exact.push(ExactText {
                target: target.clone(),
                // Only several need a name each.
                label: if nodes.len() > 1 { title_of(spot.node) } else { String::new() },
                text: Some(bounded(&text_of(page.node(*id)), LONGEST)),
                place: spot.place,
                ignored: spot.ignored,
            });
        }
        if structure.exact.len() == before {
            origins.note(EntryKind::Exact, NodeId::ROOT);
            structure.exact.push(ExactText { target: target.clone(), ..ExactText::default() });
        }
    }
}

/// Returns the text that a person sees in an element, or the value of a field.
fn text_of(node: Node<'_>) -> String {
    if let Some(value) = node.value() {
        return stored(value);
    }
    let mut text = String::new();
    for inner in node.descendants().take(MOST_READ) {
        let is_hidden = inner.parent().is_some_and(|parent| parent.hidden().is_some());
        if inner.is_text() && !inner.is(Flags::WITHHELD) && !is_hidden {
            text.push_str(inner.name());
        } else if !inner.is_text() && inner.is(Flags::BLOCK) {
            text.push(' ');
        }
    }
    let text = stored(&text);
    if text.is_empty() { stored(node.name()) } else { text }
}
