//! Read access to the nodes of a page.

use super::flags::{Flags, Hidden};
use super::model::{Document, FrameView, NodeId, Page, Record, Rect, ScrollRoom};
use super::role::Role;

impl Page {
    /// Returns all nodes, in document order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'_>> + Clone {
        (0..self.records.len() as u32).map(|index| Node { page: self, id: NodeId(index) })
    }

    /// Returns one node.
    ///
    /// # Panics
    ///
    /// Panics if the id comes from a larger page.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        assert!(id.index() < self.records.len(), "a node id belongs to the page it came from");
        Node { page: self, id }
    }

    /// Returns the visible frame elements whose documents are not merged into this page yet.
    pub fn frames(&self) -> impl Iterator<Item = (Node<'_>, FrameView)> {
        self.views.iter().map(|(node, view)| (self.node(NodeId(*node)), *view))
    }

    /// Returns the node at an index of the arena.
    pub(crate) fn at(&self, index: usize) -> Node<'_> {
        self.node(NodeId(index as u32))
    }
}

/// A node of a page.
#[derive(Clone, Copy)]
pub struct Node<'p> {
    page: &'p Page,
    id: NodeId,
}

impl<'p> Node<'p> {
    fn record(self) -> &'p Record {
        &self.page.records[self.id.index()]
    }

    /// Returns its id.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Returns its number among the elements of its document; 0 for a text.
    pub fn local(self) -> u32 {
        self.record().local
    }

    /// Returns the document that it belongs to.
    pub fn document(self) -> &'p Document {
        &self.page.documents[usize::from(self.record().frame)]
    }

    /// Returns the document that a frame element shows, if that document was captured.
    pub fn shown_document(self) -> Option<&'p Document> {
        let inner = self.page.records.get(self.id.index() + 1)?;
        let entered = inner.parent == self.id.0 && inner.frame != self.record().frame;
        entered.then(|| &self.page.documents[usize::from(inner.frame)])
    }

    /// Whether it is a text node.
    pub fn is_text(self) -> bool {
        // A comment has no number either, but it has a tag.
        self.record().local == 0 && self.tag().is_empty()
    }

    /// Returns the lower-case tag; empty for a text.
    pub fn tag(self) -> &'p str {
        self.page.text(self.record().tag)
    }

    /// Returns the ARIA role.
    pub fn role(self) -> Role {
        self.record().role
    }

    /// Returns the accessible name; for a text, the text.
    pub fn name(self) -> &'p str {
        self.page.text(self.record().name)
    }

    /// Returns the value of a field; secrets are `•••`.
    pub fn value(self) -> Option<&'p str> {
        self.record().value.map(|value| self.page.text(value))
    }

    /// Returns the level of a heading or a tree item; 0 if there is none.
    pub fn level(self) -> u8 {
        self.record().level
    }

    /// Returns its box in the viewport.
    pub fn rect(self) -> Rect {
        self.record().rect
    }

    /// Returns its state.
    pub fn flags(self) -> Flags {
        self.record().flags
    }

    /// Whether a flag is set.
    pub fn is(self, flag: Flags) -> bool {
        self.record().flags.contains(flag)
    }

    /// Whether it takes no input: because of `inert`, or because of a modal dialog.
    pub fn is_inert(self) -> bool {
        self.flags().intersects(Flags::INERT | Flags::BLOCKED)
    }

    /// Returns why it is hidden, if it is.
    pub fn hidden(self) -> Option<Hidden> {
        self.record().hidden
    }

    /// Returns its parent, if it has one.
    pub fn parent(self) -> Option<Node<'p>> {
        (self.id.0 != 0).then(|| Node { page: self.page, id: NodeId(self.record().parent) })
    }

    /// Returns its ancestors, the nearest first.
    pub fn ancestors(self) -> impl Iterator<Item = Node<'p>> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// Returns its descendants, in document order.
    pub fn descendants(self) -> impl ExactSizeIterator<Item = Node<'p>> + Clone {
        let page = self.page;
        (self.id.0 + 1..self.record().end).map(move |index| Node { page, id: NodeId(index) })
    }

    /// Returns its children.
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

    /// Returns the index after its last descendant.
    pub fn end(self) -> usize {
        self.record().end as usize
    }

    /// Whether `other` is this node or a descendant.
    pub fn contains(self, other: NodeId) -> bool {
        other.0 >= self.id.0 && other.0 < self.record().end
    }

    /// Returns the value of one attribute.
    pub fn attribute(self, name: &str) -> Option<&'p str> {
        self.attributes().find(|(candidate, _)| *candidate == name).map(|(_, value)| value)
    }

    /// Returns the captured attributes.
    pub fn attributes(self) -> impl Iterator<Item = (&'p str, &'p str)> {
        let (page, range) = (self.page, &self.record().attributes);
        page.attributes[range.start as usize..range.end as usize]
            .iter()
            .map(move |(name, value)| (page.text(*name), page.text(*value)))
    }

    /// Returns the labels of the options of a select.
    pub fn options(self) -> impl ExactSizeIterator<Item = &'p str> {
        let (page, range) = (self.page, &self.record().options);
        page.options[range.start as usize..range.end as usize]
            .iter()
            .map(move |label| page.text(*label))
    }

    /// Returns how far a scroll container can be scrolled.
    pub fn scroll_room(self) -> Option<ScrollRoom> {
        let scrolls = &self.page.scrolls;
        scrolls.binary_search_by_key(&self.id.0, |(node, _)| *node).ok().map(|at| scrolls[at].1)
    }

    /// Returns width and height of the page's viewport.
    pub fn viewport(self) -> (u32, u32) {
        self.page.viewport
    }

    /// Returns the node that covers it, if one does.
    pub fn cover(self) -> Option<Node<'p>> {
        let covers = &self.page.covers;
        let at = covers.binary_search_by_key(&self.id.0, |(node, _)| *node).ok()?;
        Some(Node { page: self.page, id: NodeId(covers[at].1) })
    }

    /// Returns the node that a label, a legend or a caption names.
    pub fn labelled(self) -> Option<Node<'p>> {
        let labels = &self.page.labels;
        let at = labels.binary_search_by_key(&self.id.0, |(label, _)| *label).ok()?;
        Some(Node { page: self.page, id: NodeId(labels[at].1) })
    }

    /// Returns the clues for its guessed name, if it has no name: kinds and texts, the best first.
    pub fn clues(self) -> impl Iterator<Item = (&'p str, &'p str)> {
        let (page, own) = (self.page, self.id.0);
        let from = page.clues.partition_point(|(node, ..)| *node < own);
        page.clues[from..]
            .iter()
            .take_while(move |(node, ..)| *node == own)
            .map(move |(_, kind, text)| (page.text(*kind), page.text(*text)))
    }

    /// Whether it is at the top of a shadow tree; then its parent is the host.
    pub fn is_shadow_top(self) -> bool {
        self.page.shadow_tops.binary_search(&self.id.0).is_ok()
    }
}
