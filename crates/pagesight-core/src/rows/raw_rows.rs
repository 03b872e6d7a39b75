//! Collects the rows of tables and grids with their cells, as they are in the page: rows that a
//! grid keeps in several parts are joined.

use crate::page::role::Role;
use crate::page::{Hidden, Node, Page};
use crate::pipeline::filter::noise::is_noise;

/// The part of a table that a row is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Head,
    Body,
    Foot,
}

/// A row as it is in the page.
pub(super) struct RawRow<'p> {
    pub(super) node: Node<'p>,
    pub(super) cells: Vec<Node<'p>>,
    pub(super) section: Section,
    /// The element of the section. Cells do not span two of them.
    pub(super) group: usize,
    /// `aria-rowindex`.
    index: Option<u32>,
}

impl RawRow<'_> {
    pub(super) fn is_visible(&self) -> bool {
        self.cells.iter().any(|cell| cell.hidden().is_none())
    }

    pub(super) fn has_only_heads(&self) -> bool {
        !self.cells.is_empty() && self.cells.iter().all(|cell| cell.role() == Role::ColumnHeader)
    }
}

/// Whether an element with this role holds rows.
pub(super) fn is_grid(role: Role) -> bool {
    matches!(role, Role::Table | Role::Grid | Role::TreeGrid)
}

fn is_cell(role: Role) -> bool {
    matches!(role, Role::Cell | Role::GridCell | Role::ColumnHeader | Role::RowHeader)
}
/// Collects the rows of a table with their cells, without those of tables inside of it.
pub(super) fn raw_rows<'p>(page: &'p Page, table: Node<'p>) -> Vec<RawRow<'p>> {
    let mut rows: Vec<RawRow<'p>> = Vec::new();
    let mut row_end = 0;
    let mut section = (Section::Body, table.id().index(), 0);
    let mut at = table.id().index() + 1;
    while at < table.end() {
        let node = page.at(at);
        at += 1;
        if node.hidden() == Some(Hidden::Display) || is_noise(node) || is_grid(node.role()) {
            at = node.end();
            continue;
        }
        if node.id().index() >= section.2 {
            section = (Section::Body, table.id().index(), usize::MAX);
        }
        match node.tag() {
            "thead" => section = (Section::Head, node.id().index(), node.end()),
            "tfoot" => section = (Section::Foot, node.id().index(), node.end()),
            "tbody" => section = (Section::Body, node.id().index(), node.end()),
            _ => {}
        }
        if node.role() == Role::Row {
            row_end = node.end();
            let index = number(node, "aria-rowindex");
            let (section, group, _) = section;
            rows.push(RawRow { node, cells: Vec::new(), section, group, index });
        } else if is_cell(node.role()) {
            if node.id().index() < row_end
                && let Some(row) = rows.last_mut()
            {
                row.cells.push(node);
            }
            at = node.end();
        }
    }
    rows
}

/// Puts rows into the order of their indexes, and joins the parts of rows that a grid keeps in
/// different containers, such as those of pinned columns.
pub(super) fn joined(mut rows: Vec<RawRow<'_>>) -> Vec<RawRow<'_>> {
    if rows.iter().any(|row| row.index.is_none()) {
        return rows;
    }
    rows.sort_by_key(|row| row.index);
    let parent = |row: &RawRow<'_>| row.node.parent().map(Node::id);
    let mut joined: Vec<RawRow<'_>> = Vec::with_capacity(rows.len());
    for row in rows {
        match joined.last_mut() {
            Some(last) if last.index == row.index && parent(last) != parent(&row) => {
                last.cells.extend(row.cells);
            }
            _ => joined.push(row),
        }
    }
    joined
}

pub(super) fn number(node: Node<'_>, attribute: &str) -> Option<u32> {
    node.attribute(attribute)?.trim().parse().ok()
}

/// Returns how many columns or rows a cell spans.
pub(super) fn span(cell: Node<'_>, names: [&str; 2], most: u32) -> u32 {
    let given = names.into_iter().find_map(|name| number(cell, name));
    given.unwrap_or(1).min(most)
}
