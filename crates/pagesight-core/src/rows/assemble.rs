//! Chooses the rows of a page and reads them into a table.

use super::builder::{Completed, RowsBuilder};
use super::cards::{read_definitions, read_items};
use super::find::{Candidate, around, candidates};
use super::grid::read_grid;
use super::model::{Row, RowTable, RowsKind};
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page, Scope};
use crate::text::escape::clean;

/// How many of the best candidates are read to find one whose items are alike.
const MOST_TRIED: usize = 5;
/// The share of cells of cards that are not empty, at least, in percent.
const FILLED: usize = 35;

/// Why there are no rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowsError {
    /// Nothing repeats.
    #[error("the page has no table, list or repeated cards; look at it to see what is there")]
    NoRows,
    /// Nothing repeats in the scope.
    #[error(
        "the scope has no table, list or repeated cards; leave scope out, or give a larger one"
    )]
    NoRowsInScope,
}

/// Reads the rows of a page: those of the scope, else of the largest structure of the main content.
pub fn rows(page: &Page, scope: Scope) -> Result<RowTable, RowsError> {
    let root = match scope {
        Scope::Node(node) => node,
        Scope::Full | Scope::Viewport => modal(page).unwrap_or(NodeId::ROOT),
    };
    let is_scoped = matches!(scope, Scope::Node(_));
    let none = if is_scoped { RowsError::NoRowsInScope } else { RowsError::NoRows };
    if page.is_empty() {
        return Err(none);
    }
    let found = candidates(page, root);
    // A scope that holds rows itself is what the caller means.
    let own = found
        .iter()
        .find(|found| is_scoped && found.node.id() == root && found.kind != RowsKind::Cards);
    if let Some(own) = own {
        return Ok(read(page, own));
    }
    // A table without rows may be the head of the next one.
    let mut empty = None;
    let mut tables = found.iter().take(MOST_TRIED).map(|found| read(page, found)).filter(is_even);
    let with_rows = tables.find_map(|table| {
        if table.rows.is_empty() {
            empty.get_or_insert(table);
            return None;
        }
        Some(table)
    });
    let mut table = with_rows
        .or(empty)
        .or_else(|| {
            around(page, page.node(root)).filter(|_| is_scoped).map(|found| read(page, &found))
        })
        .ok_or(none)?;
    if scope == Scope::Viewport {
        table.rows.retain(|row| page.node(row.node).is(Flags::IN_VIEWPORT));
    }
    Ok(table)
}

/// Returns the modal dialog that makes the rest of the page unusable.
fn modal(page: &Page) -> Option<NodeId> {
    page.nodes()
        .filter(|node| node.is(Flags::MODAL) && node.hidden().is_none())
        .last()
        .map(Node::id)
}

/// Whether the items of a structure are alike: most of them have most of the columns.
fn is_even(table: &RowTable) -> bool {
    let cells = table.rows.len() * table.columns.len();
    let cell =
        |row: &Row| (0..table.columns.len()).filter(|at| !table.cell(row, *at).is_empty()).count();
    let filled: usize = table.rows.iter().map(cell).sum();
    table.kind != RowsKind::Cards || filled * 100 >= cells * FILLED
}

/// Reads the rows of a structure.
pub(super) fn read(page: &Page, found: &Candidate<'_>) -> RowTable {
    let node = found.node;
    let (mut columns_left, mut rows_left) = (0, 0);
    let builder: RowsBuilder = match found.kind {
        RowsKind::Table | RowsKind::Grid | RowsKind::TreeGrid => {
            let (builder, extent) = read_grid(page, node);
            (columns_left, rows_left) = (extent.columns_left, extent.rows_left);
            builder
        }
        RowsKind::Definitions => read_definitions(page, node),
        RowsKind::List | RowsKind::Cards => {
            let (builder, extent) = read_items(page, &found.items);
            columns_left = extent.columns_left;
            builder
        }
    };
    let Completed { columns, keys, rows, footer, texts, moments } =
        builder.complete(|at| format!("column {}", at + 1));
    RowTable {
        kind: found.kind,
        name: name(page, node),
        node: node.id(),
        language: language(node),
        columns,
        rows,
        footer,
        columns_left,
        rows_left,
        reading: None,
        column_keys: keys,
        texts,
        moments,
    }
}

/// Returns the name of a structure: its own, or the heading before it.
fn name(page: &Page, node: Node<'_>) -> String {
    let own = clean(node.name());
    if !own.is_empty() && node.role() != Role::None {
        return own;
    }
    let before = (0..node.id().index()).rev().map(|at| page.at(at));
    let heading = before
        .filter(|before| before.role() == Role::Heading && before.hidden().is_none())
        .map(|heading| clean(heading.name()))
        .find(|name| !name.is_empty());
    heading.unwrap_or_default()
}

/// Returns the language of an element, as it or an element around it says.
fn language(node: Node<'_>) -> String {
    let said = std::iter::once(node).chain(node.ancestors()).find_map(|at| at.attribute("lang"));
    said.unwrap_or_default().trim().to_owned()
}
