//! Finds a table or list again: in the same document by its element, in a different one by its
//! place, or by its columns. A next page may have fewer rows, so size does not count.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::page::role::Role;
use crate::page::{Node, NodeId, Page};
use crate::rows::assemble::read;
use crate::rows::find::{Candidate, candidates, exactly};
use crate::rows::model::{RowTable, RowsKind};

/// How many candidates are read to find one with the same columns.
const MOST_TRIED: usize = 5;

/// The marks by which a table or list is known on different pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsStructure {
    kind: RowsKind,
    token: String,
    local: u32,
    /// Its place: the tags and the first classes of the elements around it.
    place: u64,
    /// The tag and role of its items.
    item: Option<(String, Role)>,
    columns: Vec<u64>,
}

impl RowsStructure {
    /// Describes the structure that rows were read from.
    pub fn of(page: &Page, table: &RowTable) -> RowsStructure {
        let node = page.node(table.node);
        let item = table.rows.first().map(|row| {
            let item = page.node(row.node);
            (item.tag().to_owned(), item.role())
        });
        RowsStructure {
            kind: table.kind,
            token: node.document().token.clone(),
            local: node.local(),
            place: place(node),
            item,
            columns: table.column_keys.clone(),
        }
    }

    /// Whether it is in this document, so that its element can still be there.
    pub fn is_in(&self, page: &Page) -> bool {
        page.find(&self.token, self.local).is_some()
    }

    fn fits(&self, page: &Page, found: &Candidate<'_>) -> bool {
        found.kind == self.kind
            && (found.kind != RowsKind::Cards
                || found.items.first().is_some_and(|item| {
                    let item = page.node(item.id());
                    self.item
                        .as_ref()
                        .is_none_or(|(tag, role)| item.tag() == tag && item.role() == *role)
                }))
    }
}

/// Reads the rows of a structure again, below `root`.
pub fn rows_again(page: &Page, root: NodeId, structure: &RowsStructure) -> Option<RowTable> {
    if page.is_empty() {
        return None;
    }
    let root = page.node(root);
    let same = page.find(&structure.token, structure.local).map(|id| page.node(id));
    let at_place = || {
        let below = root.descendants().filter(|node| !node.is_text());
        below.filter(|node| place(*node) == structure.place).take(MOST_TRIED).collect()
    };
    let places: Vec<Node<'_>> = match same {
        Some(node) => vec![node],
        None => at_place(),
    };
    let found = exactly(page, &places).into_iter().find(|found| structure.fits(page, found));
    if let Some(found) = found {
        return Some(read(page, &found));
    }
    // A different place: the columns say that it is the same.
    let fitting =
        candidates(page, root.id()).into_iter().filter(|found| structure.fits(page, found));
    fitting.take(MOST_TRIED).map(|found| read(page, &found)).find(|table| {
        let known = table.column_keys.iter().filter(|key| structure.columns.contains(key)).count();
        2 * known > structure.columns.len().max(table.column_keys.len())
    })
}

/// Returns what identifies the place of an element on pages that are made alike.
fn place(node: Node<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for at in std::iter::once(node).chain(node.ancestors()) {
        let class = at.attribute("class").and_then(|list| list.split_whitespace().next());
        (at.tag(), at.role().as_str(), class).hash(&mut hasher);
    }
    hasher.finish()
}
