//! The centre of the house: one captured page. Every view, reference and comparison reads this and
//! nothing else.
//!
//! A `Page` is a pre-order arena over the flattened tree (shadow roots and slots resolved): the
//! descendants of a node are the slice right behind it, so a subtree needs no pointers and no
//! recursion, however deep the page is.

pub mod css_query;
pub mod role;
pub mod selector_candidates;
#[cfg(test)]
pub(crate) mod test_page;

use std::ops::Range;

use bitflags::bitflags;

use role::Role;

/// The attribute that the page script adds to a canvas: a sum of its pixels.
pub const DRAWN: &str = "pagesight:drawn";

/// The place of a node in its page. Valid only for that page; use references across captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The root of every page.
    pub const ROOT: NodeId = NodeId(0);

    /// The node's index in the pre-order arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The place of a text in the page's string table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Text(pub(crate) u32);

/// A box in CSS pixels of the viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// Left.
    pub x: i32,
    /// Top.
    pub y: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

impl Rect {
    /// Whether the two boxes share at least one pixel.
    pub fn intersects(&self, other: &Rect) -> bool {
        let apart = |a: i32, a_len: i32, b: i32, b_len: i32| {
            a.saturating_add(a_len) <= b || b.saturating_add(b_len) <= a
        };
        !apart(self.x, self.width, other.x, other.width)
            && !apart(self.y, self.height, other.y, other.height)
    }
}

bitflags! {
    /// What is true of a node. Bits 24 to 27 say why it is hidden (see `page/README.md`).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Flags: u32 {
        /// A person could use it.
        const USABLE = 1;
        /// Ends the line of text around it.
        const BLOCK = 1 << 1;
        /// Scrolls by itself and has more than it shows.
        const SCROLLS = 1 << 2;
        /// Hosts a shadow root.
        const HOST = 1 << 3;
        /// `aria-hidden`, itself or above.
        const ARIA_HIDDEN = 1 << 4;
        /// Its name was made of its content.
        const NAMED_BY_CONTENT = 1 << 5;
        /// A password, a one-time code or a card field.
        const SECRET = 1 << 6;
        /// A live region.
        const LIVE = 1 << 7;
        /// Checked.
        const CHECKED = 1 << 8;
        /// Half checked.
        const MIXED = 1 << 9;
        /// Disabled.
        const DISABLED = 1 << 10;
        /// Expanded.
        const EXPANDED = 1 << 11;
        /// Collapsed.
        const COLLAPSED = 1 << 12;
        /// Selected.
        const SELECTED = 1 << 13;
        /// Pressed.
        const PRESSED = 1 << 14;
        /// Required.
        const REQUIRED = 1 << 15;
        /// Invalid.
        const INVALID = 1 << 16;
        /// Read-only.
        const READONLY = 1 << 17;
        /// Has the keyboard focus.
        const FOCUSED = 1 << 18;
        /// A modal dialog.
        const MODAL = 1 << 19;
        /// Busy.
        const BUSY = 1 << 20;
        /// Cannot be scrolled to.
        const UNREACHABLE = 1 << 21;
        /// At least a part of it lies in the viewport.
        const IN_VIEWPORT = 1 << 22;
        /// A text that no one can perceive; its words stayed in the page.
        const WITHHELD = 1 << 23;
        /// Something opaque lies over all of it; only a full capture tells.
        const OBSCURED = 1 << 28;
    }
}

/// Why an element is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hidden {
    /// `display: none`, its own or an ancestor's.
    Display,
    /// `visibility: hidden`.
    Visibility,
    /// `content-visibility`, or inside closed `details`.
    Content,
    /// No area, or clipped away.
    Clipped,
    /// Lies where nobody can scroll to.
    OffScreen,
    /// `opacity: 0`.
    Opacity,
    /// A closed dialog or popover.
    Closed,
}

impl Hidden {
    /// Reads the reason out of the page script's flags, where it stands in bits 24 to 27.
    pub fn from_bits(flags: u32) -> Option<Hidden> {
        match (flags >> 24) & 0xf {
            1 => Some(Hidden::Display),
            2 => Some(Hidden::Visibility),
            3 => Some(Hidden::Content),
            4 => Some(Hidden::Clipped),
            5 => Some(Hidden::OffScreen),
            6 => Some(Hidden::Opacity),
            7 => Some(Hidden::Closed),
            _ => None,
        }
    }
}

/// One node as it is stored. Read it through [`Node`].
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) parent: u32,
    pub(crate) end: u32,
    pub(crate) local: u32,
    pub(crate) frame: u16,
    pub(crate) level: u8,
    pub(crate) role: Role,
    pub(crate) tag: Text,
    pub(crate) name: Text,
    pub(crate) value: Option<Text>,
    pub(crate) rect: Rect,
    pub(crate) flags: Flags,
    pub(crate) hidden: Option<Hidden>,
    pub(crate) attributes: Range<u32>,
    pub(crate) options: Range<u32>,
}

/// One document of a page: the top one, or that of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Made by the page script; the same for as long as the document lives, also through the
    /// back/forward cache.
    pub token: String,
    /// Its address.
    pub url: String,
    /// The engine's own name of the frame it is shown in; none for the top one, and in page files.
    pub frame: Option<String>,
    /// The frame element that shows it; none for the top one.
    pub owner: Option<NodeId>,
    /// The highest local id that was given out when it was captured: elements with a higher one are
    /// newer. 0 where that is not known.
    pub newest: u32,
}

/// Where the document of a frame is drawn, in CSS pixels of the viewport of the document that holds
/// the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameView {
    /// The box of the document's own viewport.
    pub rect: Rect,
    /// The part of it that is in sight.
    pub seen: Rect,
}

/// How much more there is in a scroll container, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScrollRoom {
    /// Above.
    pub up: u32,
    /// Below.
    pub down: u32,
    /// To the left.
    pub left: u32,
    /// To the right.
    pub right: u32,
}

/// One captured page.
#[derive(Clone, Debug)]
pub struct Page {
    /// The title of the top document.
    pub title: String,
    /// The documents in it; the first is the top one.
    pub documents: Vec<Document>,
    /// Width and height of the viewport in CSS pixels.
    pub viewport: (u32, u32),
    /// How far the page is scrolled, in CSS pixels.
    pub scroll: (i32, i32),
    /// Width and height of all there is to scroll.
    pub size: (u32, u32),
    /// How many invisible texts were withheld.
    pub withheld: u32,
    /// How many elements the walk saw, hidden ones included.
    pub elements: u32,
    /// How many shadow roots were entered.
    pub shadow_roots: u32,
    /// How many frames were not entered.
    pub frames_left_out: u32,
    /// How many shadow roots were not entered: closed ones that could not be, or all of them if
    /// that was asked for.
    pub roots_left_out: u32,
    /// Listeners that scripts have added could not be told, so what only they make usable is not
    /// marked as such.
    pub deaf: bool,
    /// The walk was cut short.
    pub truncated: bool,
    /// How many elements were not looked at for that reason, at least.
    pub left: u32,
    /// What was still changing while it was looked at.
    pub changing: Vec<NodeId>,
    /// The page script's name for this very state of the document, if it gave one.
    pub key: Option<String>,
    /// The node that the caller's selector matched, if one was asked for and something matched.
    pub scope: Option<NodeId>,
    pub(crate) records: Vec<Record>,
    pub(crate) strings: Vec<Box<str>>,
    pub(crate) attributes: Vec<(Text, Text)>,
    pub(crate) options: Vec<Text>,
    pub(crate) scrolls: Vec<(u32, ScrollRoom)>,
    pub(crate) covers: Vec<(u32, u32)>,
    pub(crate) shadow_tops: Vec<u32>,
    /// Frame elements that are shown, with where their documents are drawn.
    pub(crate) views: Vec<(u32, FrameView)>,
    /// Nodes whose own text is the name of another node, with that node.
    pub(crate) labels: Vec<(u32, u32)>,
}

impl Page {
    /// The address of the top document.
    pub fn url(&self) -> &str {
        self.documents.first().map_or("", |document| &document.url)
    }

    /// How many nodes were captured.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether nothing was captured, not even a root.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// All nodes, in document order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'_>> + Clone {
        (0..self.records.len() as u32).map(|index| Node { page: self, id: NodeId(index) })
    }

    /// One node. Panics if the id is another page's and too large for this one.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        assert!(id.index() < self.records.len(), "a node id belongs to the page it came from");
        Node { page: self, id }
    }

    /// The node with this local id of this document, if it was captured.
    pub fn find(&self, document: &str, local: u32) -> Option<NodeId> {
        let frame = self.documents.iter().position(|candidate| candidate.token == document)?;
        let found =
            self.records.iter().position(|r| r.local == local && usize::from(r.frame) == frame)?;
        Some(NodeId(found as u32))
    }

    /// The frame elements that are shown and whose documents were not put in yet.
    pub fn frames(&self) -> impl Iterator<Item = (Node<'_>, FrameView)> {
        self.views.iter().map(|(node, view)| (self.node(NodeId(*node)), *view))
    }

    /// Marks a node as covered by another.
    pub fn cover(&mut self, node: NodeId, cover: NodeId) {
        match self.covers.binary_search_by_key(&node.0, |(covered, _)| *covered) {
            Ok(known) => self.covers[known].1 = cover.0,
            Err(place) => self.covers.insert(place, (node.0, cover.0)),
        }
    }

    /// The node at an index of the arena.
    pub(crate) fn at(&self, index: usize) -> Node<'_> {
        self.node(NodeId(index as u32))
    }

    pub(crate) fn text(&self, text: Text) -> &str {
        &self.strings[text.0 as usize]
    }
}

/// A node of a page, for reading.
#[derive(Clone, Copy)]
pub struct Node<'p> {
    page: &'p Page,
    id: NodeId,
}

impl<'p> Node<'p> {
    fn record(self) -> &'p Record {
        &self.page.records[self.id.index()]
    }

    /// Its place in the page.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Its number among the elements of its document; 0 for a text.
    pub fn local(self) -> u32 {
        self.record().local
    }

    /// The document it belongs to.
    pub fn document(self) -> &'p Document {
        &self.page.documents[usize::from(self.record().frame)]
    }

    /// The document that it shows, for a frame element whose document was captured.
    pub fn shown_document(self) -> Option<&'p Document> {
        let inner = self.page.records.get(self.id.index() + 1)?;
        let entered = inner.parent == self.id.0 && inner.frame != self.record().frame;
        entered.then(|| &self.page.documents[usize::from(inner.frame)])
    }

    /// Whether it is a piece of text.
    pub fn is_text(self) -> bool {
        // A comment has no number either, but a tag.
        self.record().local == 0 && self.tag().is_empty()
    }

    /// Lower-case tag; empty for a text.
    pub fn tag(self) -> &'p str {
        self.page.text(self.record().tag)
    }

    /// ARIA role.
    pub fn role(self) -> Role {
        self.record().role
    }

    /// Accessible name; for a text the text itself.
    pub fn name(self) -> &'p str {
        self.page.text(self.record().name)
    }

    /// Value of a field; secrets are `•••`.
    pub fn value(self) -> Option<&'p str> {
        self.record().value.map(|value| self.page.text(value))
    }

    /// Level of a heading or a tree item; 0 if there is none.
    pub fn level(self) -> u8 {
        self.record().level
    }

    /// Its box in the viewport.
    pub fn rect(self) -> Rect {
        self.record().rect
    }

    /// What is true of it.
    pub fn flags(self) -> Flags {
        self.record().flags
    }

    /// Whether a flag is set.
    pub fn is(self, flag: Flags) -> bool {
        self.record().flags.contains(flag)
    }

    /// Why it is not shown, if it is not.
    pub fn hidden(self) -> Option<Hidden> {
        self.record().hidden
    }

    /// The node above, if there is one.
    pub fn parent(self) -> Option<Node<'p>> {
        (self.id.0 != 0).then(|| Node { page: self.page, id: NodeId(self.record().parent) })
    }

    /// Its ancestors, the nearest first.
    pub fn ancestors(self) -> impl Iterator<Item = Node<'p>> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// Everything below it, in document order.
    pub fn descendants(self) -> impl ExactSizeIterator<Item = Node<'p>> + Clone {
        let page = self.page;
        (self.id.0 + 1..self.record().end).map(move |index| Node { page, id: NodeId(index) })
    }

    /// The nodes right below it.
    pub fn children(self) -> impl Iterator<Item = Node<'p>> {
        let (page, end) = (self.page, self.record().end);
        let mut next = self.id.0 + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = Node { page, id: NodeId(next) };
                next = child.record().end;
                child
            })
        })
    }

    /// The index just past its last descendant.
    pub fn end(self) -> usize {
        self.record().end as usize
    }

    /// Whether `other` lies below it (or is it).
    pub fn contains(self, other: NodeId) -> bool {
        other.0 >= self.id.0 && other.0 < self.record().end
    }

    /// One attribute.
    pub fn attribute(self, name: &str) -> Option<&'p str> {
        self.attributes().find(|(candidate, _)| *candidate == name).map(|(_, value)| value)
    }

    /// The attributes that were captured.
    pub fn attributes(self) -> impl Iterator<Item = (&'p str, &'p str)> {
        let (page, range) = (self.page, &self.record().attributes);
        page.attributes[range.start as usize..range.end as usize]
            .iter()
            .map(move |(name, value)| (page.text(*name), page.text(*value)))
    }

    /// Labels of the options of a select.
    pub fn options(self) -> impl ExactSizeIterator<Item = &'p str> {
        let (page, range) = (self.page, &self.record().options);
        page.options[range.start as usize..range.end as usize]
            .iter()
            .map(move |label| page.text(*label))
    }

    /// How much more there is, for a scroll container.
    pub fn scroll_room(self) -> Option<ScrollRoom> {
        let scrolls = &self.page.scrolls;
        scrolls.binary_search_by_key(&self.id.0, |(node, _)| *node).ok().map(|at| scrolls[at].1)
    }

    /// What lies over it, if something does.
    pub fn cover(self) -> Option<Node<'p>> {
        let covers = &self.page.covers;
        let at = covers.binary_search_by_key(&self.id.0, |(node, _)| *node).ok()?;
        Some(Node { page: self.page, id: NodeId(covers[at].1) })
    }

    /// The node that its own text names, for a label, a legend or a caption.
    pub fn labelled(self) -> Option<Node<'p>> {
        let labels = &self.page.labels;
        let at = labels.binary_search_by_key(&self.id.0, |(label, _)| *label).ok()?;
        Some(Node { page: self.page, id: NodeId(labels[at].1) })
    }

    /// Whether it is at the top of a shadow tree; its parent is then the host.
    pub fn is_shadow_top(self) -> bool {
        self.page.shadow_tops.binary_search(&self.id.0).is_ok()
    }
}
