//! Finds the row around an element. A recycled node (virtual list, unkeyed render) keeps its role
//! and name but shows the data of a different row, so a row is identified by its words and not by
//! its node. Prefix sums over the hashes of the page's texts make each lookup cheap.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::page::role::Role;
use crate::page::selector_candidates::looks_generated;
use crate::page::{Flags, Node, NodeId, Page};

/// How many ancestors are searched for a section.
const SECTION_REACH: usize = 64;
/// How many children are compared to decide whether two siblings are built alike.
const ALIKE: usize = 6;

const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The texts of a page, hashed so that the text of any subtree can be compared in constant time.
pub(crate) struct Rows<'p> {
    page: &'p Page,
    /// Up to and including each node: the number of texts, and the running hashes of the texts and
    /// of their lasting words.
    counts: Vec<u32>,
    texts: Vec<u64>,
    words: Vec<u64>,
    powers: Vec<u64>,
    /// The lasting words of each text, in order.
    each: Vec<u32>,
    /// For each node, the row that it is or is in.
    rows: Vec<Option<NodeId>>,
    /// For each node, the last heading before it.
    headings: Vec<Option<NodeId>>,
}

impl<'p> Rows<'p> {
    pub(crate) fn new(page: &'p Page) -> Rows<'p> {
        let (counts, texts, words, powers) = (vec![0], vec![0], vec![0], vec![1]);
        let mut rows = Rows {
            page,
            counts,
            texts,
            words,
            powers,
            each: Vec::new(),
            rows: rows_of(page),
            headings: headings_of(page),
        };
        let (mut count, mut text, mut word) = (0u32, 0u64, 0u64);
        // The labels of buttons and other controls change with use; a changed label does not make a
        // different row.
        let mut control_end = 0;
        for node in page.nodes() {
            let at = node.id().index();
            if node.is(Flags::USABLE)
                && !matches!(node.role(), Role::Link | Role::Row | Role::ListItem)
                && at >= control_end
            {
                control_end = node.end();
            }
            if node.is_text()
                && at >= control_end
                && is_shown(node)
                && node.name().chars().any(char::is_alphanumeric)
            {
                count += 1;
                let words = hash_words(node.name());
                text = text.wrapping_mul(BASE).wrapping_add(hash(node.name().trim()));
                word = word.wrapping_mul(BASE).wrapping_add(words);
                rows.each.push((words >> 32) as u32 ^ words as u32);
                rows.powers.push(rows.powers.last().copied().unwrap_or(1).wrapping_mul(BASE));
            }
            rows.counts.push(count);
            rows.texts.push(text);
            rows.words.push(word);
        }
        rows
    }

    /// Returns the row that an element is or is in.
    pub(crate) fn row(&self, node: Node<'p>) -> Option<Node<'p>> {
        self.rows[node.id().index()].map(|row| self.page.node(row))
    }

    /// Returns a hash of the words of a row, without numbers that change on their own (prices,
    /// times, shares).
    pub(crate) fn words(&self, row: Node<'p>) -> u64 {
        self.range(&self.words, row)
    }

    /// Returns hashes of the lasting words of each text of a row.
    pub(crate) fn texts(&self, row: Node<'p>) -> &[u32] {
        let count = |at: usize| self.counts[at] as usize;
        &self.each[count(row.id().index())..count(row.end())]
    }

    /// Returns a hash of the exact text of the row or section around an element.
    pub(crate) fn section_text(&self, node: Node<'p>) -> u64 {
        let own = self.count(node);
        let section = self.rows[node.id().index()]
            .map(|row| self.page.node(row))
            .filter(|row| self.count(*row) > own)
            .or_else(|| {
                node.ancestors().take(SECTION_REACH).find(|above| self.count(*above) > own)
            });
        let text = self.range(&self.texts, section.unwrap_or_else(|| self.page.node(NodeId::ROOT)));
        // A section may be only the content after a heading, or a wrapper with an id.
        hash((text, self.place(node)))
    }

    /// Returns the last heading before an element, and the name of the wrapper around it.
    pub(crate) fn place(&self, node: Node<'p>) -> (Option<&'p str>, Option<&'p str>) {
        let heading =
            self.headings[node.id().index()].map(|heading| self.page.node(heading).name());
        let wrapper = node
            .ancestors()
            .take(SECTION_REACH)
            .find_map(|above| above.attribute("id").filter(|id| !looks_generated(id)));
        (heading, wrapper)
    }

    fn count(&self, node: Node<'p>) -> u32 {
        self.counts[node.end()] - self.counts[node.id().index()]
    }

    fn range(&self, hashes: &[u64], node: Node<'p>) -> u64 {
        let (start, end) = (node.id().index(), node.end());
        let width = (self.counts[end] - self.counts[start]) as usize;
        hashes[end].wrapping_sub(hashes[start].wrapping_mul(self.powers[width]))
    }
}

/// Returns for each node the last heading before it in the document.
fn headings_of(page: &Page) -> Vec<Option<NodeId>> {
    let mut last = None;
    page.nodes()
        .map(|node| {
            let before = last;
            if node.role() == Role::Heading && node.hidden().is_none() {
                last = Some(node.id());
            }
            before
        })
        .collect()
}

/// Returns for each node the nearest row around it: an element with the role of a row, or one of
/// several siblings that are built alike (cards, rows made of `div`s).
fn rows_of(page: &Page) -> Vec<Option<NodeId>> {
    let mut rows: Vec<Option<NodeId>> = Vec::with_capacity(page.len());
    // The sibling before the next child, for each node.
    let mut last_child: Vec<Option<NodeId>> = vec![None; page.len()];
    for node in page.nodes() {
        let Some(parent) = node.parent() else {
            rows.push(None);
            continue;
        };
        let before =
            last_child[parent.id().index()].replace(node.id()).map(|sibling| page.node(sibling));
        let next = (node.end() < parent.end()).then(|| page.node(NodeId(node.end() as u32)));
        let by_role = matches!(
            node.role(),
            Role::Row | Role::ListItem | Role::Article | Role::TreeItem | Role::Option
        );
        let row =
            by_role || [before, next].into_iter().flatten().any(|sibling| alike(node, sibling));
        rows.push(if row { Some(node.id()) } else { rows[parent.id().index()] });
    }
    rows
}

/// Whether a text is shown. A capture for a snapshot has hidden texts, and one for a look has not.
fn is_shown(text: Node<'_>) -> bool {
    text.hidden().is_none() && text.parent().is_none_or(|parent| parent.hidden().is_none())
}

/// Whether two siblings are built alike and each contain more than one thing.
fn alike(node: Node<'_>, sibling: Node<'_>) -> bool {
    if node.is_text()
        || node.tag() != sibling.tag()
        || node.is(Flags::USABLE)
        || shape(node).nth(1).is_none()
    {
        return false;
    }
    fn shape(of: Node<'_>) -> impl Iterator<Item = (&str, Role)> {
        let shown = of.children().filter(|child| child.hidden().is_none());
        shown.take(ALIKE).map(|child| (child.tag(), child.role()))
    }
    shape(node).eq(shape(sibling))
}

pub(super) fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Hashes the words of a text, without words that may change while the row stays the same row. A
/// plain number counts, because it may be the only difference between two orders.
fn hash_words(text: &str) -> u64 {
    let ticks = |word: &str| {
        let digits = word.bytes().any(|byte| byte.is_ascii_digit());
        digits
            && word
                .trim_end_matches(['.', ',', ':', ';'])
                .contains(['.', ',', ':', '%', '$', '€', '£', '¥'])
    };
    let words = text.split_whitespace().filter(|word| !ticks(word));
    words.fold(0, |sum: u64, word| sum.wrapping_mul(31).wrapping_add(hash(word)))
}
