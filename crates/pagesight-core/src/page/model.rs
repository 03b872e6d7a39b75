//! One captured page, as it is stored. Every view, reference and comparison reads this and nothing
//! else.
//!
//! A [`Page`] is a pre-order arena over the flattened tree (shadow roots and slots resolved): the
//! descendants of a node are the slice after it. A subtree needs no pointers and no recursion,
//! however deep the page is.

use std::ops::Range;

use super::flags::{Flags, Hidden};
use super::role::Role;

/// The attribute that the page script adds to a canvas: a sum of its pixels.
pub const DRAWN: &str = "pagesight:drawn";

/// The tag that a comment is captured with.
pub(crate) const COMMENT: &str = "#comment";

/// The id of a node in its page. Valid only for that page; use references across captures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The root of every page.
    pub const ROOT: NodeId = NodeId(0);

    /// The node's index in the pre-order arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of a text in the page's string table.
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
    /// Whether two boxes share at least one pixel.
    pub fn intersects(&self, other: &Rect) -> bool {
        let apart = |a: i32, a_len: i32, b: i32, b_len: i32| {
            a.saturating_add(a_len) <= b || b.saturating_add(b_len) <= a
        };
        !apart(self.x, self.width, other.x, other.width)
            && !apart(self.y, self.height, other.y, other.height)
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
    /// Made by the page script. Stays the same while the document lives, also in the back/forward
    /// cache.
    pub token: String,
    /// Its URL.
    pub url: String,
    /// The engine's id of the frame that shows it; none for the top document and in page files.
    pub frame: Option<String>,
    /// The frame element that shows it; none for the top document.
    pub owner: Option<NodeId>,
    /// The highest local id at the time of the capture: elements with a higher id are newer. 0 if
    /// it is not known.
    pub newest: u32,
}

/// Where the document of a frame is drawn, in CSS pixels of the viewport of the document that holds
/// the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameView {
    /// The box of the document's own viewport.
    pub rect: Rect,
    /// The visible part of that box.
    pub seen: Rect,
}

/// How far a scroll container can be scrolled, in CSS pixels.
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
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The title of the top document.
    pub title: String,
    /// Its documents; the first is the top document.
    pub documents: Vec<Document>,
    /// Width and height of the viewport in CSS pixels.
    pub viewport: (u32, u32),
    /// How far the page is scrolled, in CSS pixels.
    pub scroll: (i32, i32),
    /// Width and height of the whole document.
    pub size: (u32, u32),
    /// How many invisible texts were withheld.
    pub withheld: u32,
    /// How many elements the page script saw, including hidden ones.
    pub elements: u32,
    /// How many shadow roots were entered.
    pub shadow_roots: u32,
    /// How many frames were not entered.
    pub frames_left_out: u32,
    /// How many shadow roots were not entered: closed ones that cannot be entered, or all of them
    /// if the caller asked for that.
    pub roots_left_out: u32,
    /// Listeners added by script could not be read, so elements that are usable only because of a
    /// listener are not marked as usable.
    pub deaf: bool,
    /// The page was too large to be captured completely.
    pub truncated: bool,
    /// The least number of elements that were not captured for that reason.
    pub left: u32,
    /// Nodes that were still changing during the capture.
    pub changing: Vec<NodeId>,
    /// The page script's key for this state of the document, if it gave one.
    pub key: Option<String>,
    /// The first node that matched the caller's selector, if the caller gave one.
    pub scope: Option<NodeId>,
    pub(crate) records: Vec<Record>,
    pub(crate) strings: Vec<Box<str>>,
    pub(crate) attributes: Vec<(Text, Text)>,
    pub(crate) options: Vec<Text>,
    pub(crate) scrolls: Vec<(u32, ScrollRoom)>,
    pub(crate) covers: Vec<(u32, u32)>,
    pub(crate) shadow_tops: Vec<u32>,
    /// Visible frame elements, with the boxes of their documents.
    pub(crate) views: Vec<(u32, FrameView)>,
    /// Nodes whose text names another node, with that node.
    pub(crate) labels: Vec<(u32, u32)>,
    /// Clues for the guessed names of elements without a name: node, kind and text, by node.
    pub(crate) clues: Vec<(u32, Text, Text)>,
}

impl Page {
    /// Returns the URL of the top document.
    pub fn url(&self) -> &str {
        self.documents.first().map_or("", |document| &document.url)
    }

    /// Returns the number of captured nodes.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether nothing was captured, not even a root.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the node with this local id in this document, if it was captured.
    pub fn find(&self, document: &str, local: u32) -> Option<NodeId> {
        let frame = self.documents.iter().position(|candidate| candidate.token == document)?;
        let found =
            self.records.iter().position(|r| r.local == local && usize::from(r.frame) == frame)?;
        Some(NodeId(found as u32))
    }

    /// Marks a node as covered by another.
    pub fn cover(&mut self, node: NodeId, cover: NodeId) {
        match self.covers.binary_search_by_key(&node.0, |(covered, _)| *covered) {
            Ok(known) => self.covers[known].1 = cover.0,
            Err(place) => self.covers.insert(place, (node.0, cover.0)),
        }
    }

    pub(crate) fn text(&self, text: Text) -> &str {
        &self.strings[text.0 as usize]
    }
}
