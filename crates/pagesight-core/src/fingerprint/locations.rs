//! The boxes of the entries of a fingerprint, to be drawn on a picture of the page. They are not
//! part of the fingerprint, its hash or a comparison; a comparison only names the entry that a
//! change is about ([`EntryId`]).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::page::{Flags, Node, NodeId, Page, Rect};

/// A list of a fingerprint's structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// `landmarks`
    Landmark,
    /// `headings`
    Heading,
    /// `lists`
    List,
    /// `tables`
    Table,
    /// `forms`
    Form,
    /// `images`
    Image,
    /// `interactive`
    Element,
    /// `texts`
    Text,
    /// `numbers`
    Number,
    /// `exact`
    Exact,
    /// `audit.violations`
    Audit,
    /// `layout.boxes`
    Layout,
    /// `state.error_elements`
    Error,
    /// `state.loading_indicators`
    Loading,
    /// `state.empty_states`
    Empty,
    /// `state.modals_open`
    Modal,
    /// `state.notifications`
    Notification,
}

/// One entry of a fingerprint's structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EntryId {
    /// The list.
    pub sort: EntryKind,
    /// The index in the list.
    pub index: usize,
}

impl EntryId {
    /// Names the entry at an index of a list.
    pub fn new(sort: EntryKind, index: usize) -> EntryId {
        EntryId { sort, index }
    }
}

/// The boxes of the entries of a fingerprint: for each list, in order, `[x, y, width, height]` in
/// CSS pixels from the top left corner of the page. Entries without an area, or scrolled out of
/// their container, have zeros.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Boxes(BTreeMap<EntryKind, Vec<[i32; 4]>>);

impl Boxes {
    /// Returns the box of an entry, if it has one.
    pub fn of(&self, at: EntryId) -> Option<Rect> {
        let [x, y, width, height] = *self.0.get(&at.sort)?.get(at.index)?;
        (width > 0 && height > 0).then_some(Rect { x, y, width, height })
    }
}

/// The nodes of the entries of a structure, in the order of its lists.
#[derive(Default)]
pub(super) struct Origins(BTreeMap<EntryKind, Vec<NodeId>>);

impl Origins {
    /// Records the node of the next entry of a list.
    pub(super) fn note(&mut self, sort: EntryKind, node: NodeId) {
        self.0.entry(sort).or_default().push(node);
    }

    /// Returns the boxes of the nodes.
    pub(super) fn boxes(&self, page: &Page) -> Boxes {
        let of = |nodes: &Vec<NodeId>| {
            nodes.iter().map(|id| seen(page.node(*id), page.scroll)).collect()
        };
        Boxes(self.0.iter().map(|(sort, nodes)| (*sort, of(nodes))).collect())
    }
}

/// Returns the part of a node that its containers do not clip, in pixels of the page.
fn seen(node: Node<'_>, scroll: (i32, i32)) -> [i32; 4] {
    let mut seen = match node.is_text() {
        // A text is drawn where the element around it is.
        true => node.parent().map_or_else(Rect::default, Node::rect),
        false => node.rect(),
    };
    let mut at = node.parent();
    while let Some(around) = at {
        at = around.parent();
        let cuts = around.is(Flags::SCROLLS) && !matches!(around.tag(), "html" | "body");
        if cuts || matches!(around.tag(), "iframe" | "frame" | "object" | "embed") {
            seen = common(seen, around.rect());
        }
    }
    if seen.width <= 0 || seen.height <= 0 {
        return [0; 4];
    }
    [seen.x.saturating_add(scroll.0), seen.y.saturating_add(scroll.1), seen.width, seen.height]
}

/// Returns the intersection of two boxes.
fn common(one: Rect, other: Rect) -> Rect {
    let (left, top) = (one.x.max(other.x), one.y.max(other.y));
    let right = one.x.saturating_add(one.width).min(other.x.saturating_add(other.width));
    let bottom = one.y.saturating_add(one.height).min(other.y.saturating_add(other.height));
    Rect { x: left, y: top, width: right.saturating_sub(left), height: bottom.saturating_sub(top) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{IgnoreRules, compare};
    use crate::fingerprint::{Depth, Fingerprint, FingerprintOptions, extract, extract_with_boxes};
    use crate::page::test_page::page;

    const PAGE: &str = "main main @2 block box=0,0,800,600
  h1 heading \"Orders\" @3 level=1 block box=10,10,200,30
  div @4 scrolls block box=10,50,300,100
    button button \"Near\" @5 usable box=20,60,80,20
    button button \"Edge\" @6 usable box=20,140,80,20
    button button \"Far\" @7 usable box=20,400,80,20
  p @8 block box=10,200,400,20
    'Some words'
  button button \"Save\" @9 usable box=10,300,80,20
  div status @10 block box=10,340,80,20
    'Saved'";

    fn taken(picture: &str) -> (Fingerprint, Boxes) {
        let mut page = page(picture);
        page.scroll = (0, 1000);
        extract_with_boxes(
            &page,
            &FingerprintOptions { depth: Depth::Detailed, ..FingerprintOptions::default() },
        )
    }

    fn at(boxes: &Boxes, sort: EntryKind, index: usize) -> Option<[i32; 4]> {
        boxes.of(EntryId::new(sort, index)).map(|rect| [rect.x, rect.y, rect.width, rect.height])
    }

    #[test]
    fn boxes_are_of_the_page_and_only_what_containers_show() {
        let (made, boxes) = taken(PAGE);
        assert_eq!(at(&boxes, EntryKind::Heading, 0), Some([10, 1010, 200, 30]));
        assert_eq!(at(&boxes, EntryKind::Element, 0), Some([20, 1060, 80, 20]));
        assert_eq!(
            at(&boxes, EntryKind::Element, 1),
            Some([20, 1140, 80, 10]),
            "cut at the container's edge"
        );
        assert_eq!(at(&boxes, EntryKind::Element, 2), None, "scrolled out of sight");
        assert_eq!(at(&boxes, EntryKind::Text, 0), Some([10, 1200, 400, 20]));
        assert_eq!(at(&boxes, EntryKind::Notification, 0), Some([10, 1340, 80, 20]));
        assert_eq!(at(&boxes, EntryKind::Table, 0), None);
        let kept: Boxes = serde_json::from_str(&serde_json::to_string(&boxes).unwrap()).unwrap();
        assert_eq!(kept, boxes);
        let mut page = page(PAGE);
        page.scroll = (0, 1000);
        assert_eq!(
            made,
            extract(
                &page,
                &FingerprintOptions { depth: Depth::Detailed, ..FingerprintOptions::default() }
            )
        );
    }

    /// Every list of a structure has as many boxes as entries.
    #[test]
    fn every_entry_has_a_place() {
        for capture in ["dashboard", "forms", "shop"] {
            let path =
                format!("{}/../../tests/captures/{capture}.page.json", env!("CARGO_MANIFEST_DIR"));
            let page =
                crate::wire::page_file::read(&std::fs::read_to_string(path).unwrap()).unwrap();
            let (made, boxes) = extract_with_boxes(
                &page,
                &FingerprintOptions { depth: Depth::Detailed, ..FingerprintOptions::default() },
            );
            let count = |sort| boxes.0.get(&sort).map_or(0, Vec::len);
            let structure = &made.structure;
            assert!(!structure.interactive.is_empty());
            for (sort, entries) in [
                (EntryKind::Landmark, structure.landmarks.len()),
                (EntryKind::Heading, structure.headings.len()),
                (EntryKind::List, structure.lists.len()),
                (EntryKind::Table, structure.tables.len()),
                (EntryKind::Form, structure.forms.len()),
                (EntryKind::Image, structure.images.len()),
                (EntryKind::Element, structure.interactive.len()),
                (EntryKind::Text, structure.texts.len()),
                (EntryKind::Error, structure.state.error_elements.len()),
                (EntryKind::Modal, structure.state.modals_open.len()),
                (EntryKind::Notification, structure.state.notifications.len()),
            ] {
                assert_eq!(count(sort), entries, "{capture} {sort:?}");
            }
        }
    }

    #[test]
    fn changes_know_where_they_are_on_both_pictures() {
        let moved = PAGE.replace("\"Save\" @9 usable box=10,300", "\"Store\" @9 usable box=10,320");
        let after: String =
            moved.lines().filter(|line| !line.contains("Near")).collect::<Vec<_>>().join("\n");
        let after = format!("{after}\n  h2 heading \"More\" @20 level=2 box=10,500,90,20");
        let ((was, before), (now, after_boxes)) = (taken(PAGE), taken(&after));
        let comparison = compare(&was, &now, &IgnoreRules::default());
        let marks_of = |marks: Vec<(usize, Rect)>| -> Vec<(&'static str, i32)> {
            marks
                .iter()
                .map(|(index, rect)| (comparison.changes[*index].kind.as_str(), rect.y))
                .collect()
        };
        assert_eq!(
            marks_of(comparison.marks_before(&before)),
            [("element_missing", 1060), ("element_renamed", 1300)]
        );
        assert_eq!(
            marks_of(comparison.marks_after(&after_boxes)),
            [("element_renamed", 1320), ("element_added", 1500)]
        );
        assert!(
            !serde_json::to_string(&comparison.changes).unwrap().contains("_at"),
            "never stored"
        );
    }
}
