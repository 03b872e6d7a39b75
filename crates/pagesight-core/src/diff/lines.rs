//! A page as the unfolded lines that an agent would read. Each line has a key that stays the same
//! between captures: the element that it stands for, or the element around a text.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use crate::nameless::guessed_name;
use crate::page::role::Role;
use crate::page::{Flags, Hidden, Node, NodeId, Page};
use crate::render::{Item, ItemKind, Items, lines as outline_lines, stands_for};
use crate::text::escape::clean;

/// The part of its element that a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum LineKind {
    Element,
    /// A text in it.
    Text,
    /// The options of a select.
    Options,
}

/// The key of a line, the same in every capture.
pub(super) type LineKey = (u64, u32, LineKind);

pub(super) struct Line {
    /// Its item in the outline.
    pub(super) item: usize,
    pub(super) node: NodeId,
    /// None if it is not unique: several texts of one element.
    pub(super) key: Option<LineKey>,
    pub(super) parent: Option<usize>,
    /// The index past its last descendant line.
    pub(super) end: usize,
    /// The name or text, white space collapsed.
    pub(super) name: String,
    /// Role, name, value and states, as one number.
    own: u64,
    /// The same for the line and everything below it.
    pub(super) whole: u64,
}

/// The lines of one capture. They can be read ahead and used for several comparisons.
pub struct Reading {
    pub(super) items: Items,
    pub(super) lines: Vec<Line>,
    /// Nodes by document and local id.
    nodes: HashMap<(u64, u32), NodeId>,
    /// A hash of each document's token, the same in every capture.
    documents: Vec<u64>,
}

impl Reading {
    /// Reads the lines of a page.
    pub fn of(page: &Page) -> Reading {
        let documents: Vec<u64> =
            page.documents.iter().map(|document| hash(&document.token)).collect();
        let mut nodes = HashMap::with_capacity(page.len());
        for (node, record) in page.nodes().zip(&page.records) {
            if !node.is_text() {
                nodes.insert((documents[usize::from(record.frame)], node.local()), node.id());
            }
        }
        let mut reading =
            Reading { items: outline_lines(page), lines: Vec::new(), nodes, documents };
        reading.read(page);
        reading
    }

    fn read(&mut self, page: &Page) {
        // Lines that are still open, and where their items end.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut keys: HashMap<LineKey, usize> = HashMap::new();
        for (at, item) in self.items.iter().enumerate() {
            while let Some((line, _)) = open.pop_if(|(_, end)| *end <= at) {
                self.lines[line].end = self.lines.len();
            }
            if item.kind == ItemKind::Soft {
                continue;
            }
            let node = page.node(item.node);
            let place = self.lines.len();
            let key = self.key(page, node, item);
            let key = match keys.insert(key, place) {
                None => Some(key),
                Some(other) => {
                    self.lines[other].key = None;
                    None
                }
            };
            let name = if sort(item, node) == LineKind::Options {
                item.body.trim_start_matches("options: ").to_owned()
            } else {
                clean(&item.name)
            };
            let own = hash((
                item.role,
                node.level(),
                &name,
                shown_value(page, item),
                shown_flags(page, item),
                sort(item, node),
                icon(node),
            ));
            let parent = open.last().map(|(line, _)| *line);
            self.lines.push(Line {
                item: at,
                node: item.node,
                key,
                parent,
                end: 0,
                name,
                own,
                whole: own,
            });
            open.push((place, item.end as usize));
        }
        while let Some((line, _)) = open.pop() {
            self.lines[line].end = self.lines.len();
        }
        for at in (0..self.lines.len()).rev() {
            let mut whole = self.lines[at].own;
            for child in self.children(Some(at)) {
                whole = hash((whole, self.lines[child].whole));
            }
            self.lines[at].whole = whole;
        }
    }

    fn key(&self, page: &Page, node: Node<'_>, item: &Item) -> LineKey {
        let sort = sort(item, node);
        let element = if node.is_text() { node.parent().unwrap_or(node) } else { node };
        let record = &page.records[element.id().index()];
        (self.documents[usize::from(record.frame)], record.local, sort)
    }

    pub(super) fn item(&self, line: usize) -> &Item {
        &self.items[self.lines[line].item]
    }

    /// Returns the children of a line, or the top lines.
    pub(super) fn children(&self, parent: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        let (mut next, end) =
            parent.map_or((0, self.lines.len()), |at| (at + 1, self.lines[at].end));
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let at = next;
                next = self.lines[at].end;
                at
            })
        })
    }

    /// Returns the siblings before a line, the nearest first.
    pub(super) fn in_front(&self, line: usize) -> impl Iterator<Item = usize> + '_ {
        let parent = self.lines[line].parent;
        let start = parent.map_or(0, |parent| parent + 1);
        let mut next = line;
        std::iter::from_fn(move || {
            if next <= start {
                return None;
            }
            // The sibling before ends where this one begins: search upwards from the line right
            // before.
            let mut sibling = next - 1;
            while self.lines[sibling].parent != parent {
                sibling = self.lines[sibling].parent?;
            }
            next = sibling;
            Some(sibling)
        })
    }

    /// Returns the ancestors of a line, the nearest first.
    pub(super) fn ancestors(&self, line: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.lines[line].parent, |at| self.lines[*at].parent)
    }
}

/// The lines of a page.
pub(super) struct Lines<'p> {
    pub(super) page: &'p Page,
    reading: Arc<Reading>,
}

impl Deref for Lines<'_> {
    type Target = Reading;

    fn deref(&self) -> &Reading {
        &self.reading
    }
}

impl<'p> Lines<'p> {
    pub(super) fn new(page: &'p Page, reading: Arc<Reading>) -> Lines<'p> {
        Lines { page, reading }
    }

    /// Returns the document and the local id of an element.
    pub(super) fn element(&self, node: NodeId) -> (u64, u32) {
        let record = &self.page.records[node.index()];
        (self.documents[usize::from(record.frame)], record.local)
    }

    /// Finds the element of a different capture in this one.
    pub(super) fn find(&self, element: (u64, u32)) -> Option<Node<'p>> {
        self.nodes.get(&element).map(|id| self.page.node(*id))
    }

    /// Whether an element existed at the time of this capture, visible or not. The page script
    /// numbers hidden elements too when it meets them, and a capture says which number was the
    /// newest.
    pub(super) fn knew(&self, (document, local): (u64, u32)) -> bool {
        let place = self.documents.iter().position(|name| *name == document);
        place.is_some_and(|place| local <= self.page.documents[place].newest)
            || self.nodes.contains_key(&(document, local))
    }

    pub(super) fn node(&self, line: usize) -> Node<'p> {
        self.page.node(self.lines[line].node)
    }

    /// Returns the element of a line, or the element around a text.
    pub(super) fn element_of(&self, line: usize) -> Node<'p> {
        let node = self.node(line);
        if node.is_text() { node.parent().unwrap_or(node) } else { node }
    }

    pub(super) fn sort(&self, line: usize) -> LineKind {
        sort(self.item(line), self.node(line))
    }

    /// Returns the value that a line shows.
    pub(super) fn value(&self, line: usize) -> Option<&'p str> {
        shown_value(self.page, self.item(line))
    }

    /// Returns the states of a line that are compared.
    pub(super) fn flags(&self, line: usize) -> Flags {
        shown_flags(self.page, self.item(line))
    }

    /// Returns the elements that a line stands for.
    pub(super) fn elements(&self, line: usize) -> impl Iterator<Item = Node<'p>> {
        stands_for(self.page, self.item(line))
    }
}

/// Returns the value of the elements that a line stands for.
fn shown_value<'p>(page: &'p Page, item: &Item) -> Option<&'p str> {
    stands_for(page, item).find_map(Node::value)
}

/// Returns the compared states of the elements that a line stands for.
fn shown_flags(page: &Page, item: &Item) -> Flags {
    stands_for(page, item).map(compared_flags).fold(Flags::empty(), |all, flags| all | flags)
}

/// Returns the icon of an element without a name. Other guesses change without a visible change.
pub(super) fn icon(node: Node<'_>) -> Option<String> {
    guessed_name(node).filter(|guess| guess.source.is_icon()).map(|guess| guess.printed())
}

fn sort(item: &Item, node: Node<'_>) -> LineKind {
    match (node.is_text(), item.kind, item.role) {
        (true, _, _) => LineKind::Text,
        (false, ItemKind::Text, Role::Option) => LineKind::Options,
        _ => LineKind::Element,
    }
}

/// Whether a line that is visible now existed before but was hidden: its own element, or an element
/// around it.
pub(super) fn was_hidden(old: &Lines<'_>, new: &Lines<'_>, line: usize) -> bool {
    let element = new.element_of(line);
    std::iter::once(element)
        .chain(element.ancestors())
        .map(|around| new.element(around.id()))
        .take_while(|around| old.find(*around).is_none_or(|node| node.hidden().is_some()))
        .any(|around| old.knew(around) && !old.find(around).is_some_and(is_empty))
}

/// Whether an element was hidden only because it was empty. Its content is new then, and was not
/// hidden.
fn is_empty(node: Node<'_>) -> bool {
    node.hidden() == Some(Hidden::Clipped) && node.name().is_empty() && node.rect().height == 0
}

/// Returns the states that are compared. The focus is compared separately.
fn compared_flags(node: Node<'_>) -> Flags {
    let compared = Flags::CHECKED
        | Flags::MIXED
        | Flags::DISABLED
        | Flags::EXPANDED
        | Flags::COLLAPSED
        | Flags::SELECTED
        | Flags::PRESSED
        | Flags::REQUIRED
        | Flags::INVALID
        | Flags::BUSY;
    let compared = if node.role().is_field() { compared | Flags::READONLY } else { compared };
    // A text or a wrapper inside a disabled container inherits the state and has none of its own.
    let own = node.is(Flags::USABLE) || node.role() != Role::None;
    // It does not matter what makes it inert.
    let inert =
        if node.is(Flags::USABLE) && node.is_inert() { Flags::INERT } else { Flags::empty() };
    if own { (node.flags() & compared) | inert } else { Flags::empty() }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
