//! Rows as data: what a page's table, grid, list or cards hold, in columns with unique names.

use std::collections::HashMap;

use super::ending::ReadingNote;
use crate::page::NodeId;

/// More columns than this are left out and counted.
pub(super) const MOST_COLUMNS: usize = 256;
/// More cells than this are left out, row by row, and counted.
pub(super) const MOST_CELLS: usize = 4_000_000;
/// The longest name of a column, in characters.
pub(super) const COLUMN_LIMIT: usize = 60;
/// The longest text of a cell, in characters.
pub(super) const CELL_LIMIT: usize = 10_000;

/// The kinds of structures that hold rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsKind {
    /// A table.
    Table,
    /// A grid.
    Grid,
    /// A grid whose rows have a depth.
    TreeGrid,
    /// A list of items.
    List,
    /// Terms with their definitions.
    Definitions,
    /// Elements of equal structure under one parent.
    Cards,
}

impl RowsKind {
    /// Returns the word that answers begin with.
    pub fn word(self) -> &'static str {
        match self {
            RowsKind::Table => "table",
            RowsKind::Grid => "grid",
            RowsKind::TreeGrid => "treegrid",
            RowsKind::List => "list",
            RowsKind::Definitions => "definition list",
            RowsKind::Cards => "cards",
        }
    }
}

/// The index of a text in the texts of a [`RowTable`]; 0 is the empty text.
pub(super) type TextId = u32;

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The element.
    pub node: NodeId,
    /// Elements in it that can be used.
    pub controls: Vec<NodeId>,
    pub(super) cells: Vec<TextId>,
}

/// The rows of one structure. Texts that several cells share are stored once.
#[derive(Clone, Debug)]
pub struct RowTable {
    /// Its kind.
    pub kind: RowsKind,
    /// Its name, or the heading before it; empty if there is none.
    pub name: String,
    /// The element that holds the rows.
    pub node: NodeId,
    /// The language of its texts, such as `de-CH`; empty if the page does not say it.
    pub language: String,
    /// The names of the columns. No two are equal without regard to case.
    pub columns: Vec<String>,
    /// The rows, in the order of the page.
    pub rows: Vec<Row>,
    /// The rows of the footer.
    pub footer: Vec<Row>,
    /// How many columns were left out.
    pub columns_left: usize,
    /// How many rows were left out.
    pub rows_left: usize,
    /// How the rows of several pages were read; none if they are those of one look.
    pub reading: Option<ReadingNote>,
    /// Identifies the columns on different pages.
    pub(super) column_keys: Vec<u64>,
    pub(super) texts: Vec<String>,
    /// The moments that texts mean, where the page says it: `3 days ago`.
    pub(super) moments: HashMap<TextId, String>,
}

impl RowTable {
    /// Returns the text of a cell; empty if the row has no such cell.
    pub fn cell(&self, row: &Row, column: usize) -> &str {
        let text = row.cells.get(column).copied().unwrap_or_default();
        self.texts.get(text as usize).map_or("", String::as_str)
    }

    /// Returns the moment that a cell means, if the page says it.
    pub(super) fn moment(&self, row: &Row, column: usize) -> Option<&str> {
        self.moments.get(row.cells.get(column)?).map(String::as_str)
    }

    /// Whether this table has the rows of another one at its end, and more before them.
    pub fn ends_with(&self, other: &RowTable) -> bool {
        let more = self.rows.len().saturating_sub(other.rows.len());
        let cells = 0..self.columns.len();
        let is_equal = |(own, theirs): (&Row, &Row)| {
            cells.clone().all(|column| self.cell(own, column) == other.cell(theirs, column))
        };
        more > 0
            && !other.rows.is_empty()
            && self.columns == other.columns
            && self.rows[more..].iter().zip(&other.rows).all(is_equal)
    }
}
