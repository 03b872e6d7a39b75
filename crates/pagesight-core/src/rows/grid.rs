//! Reads the rows of tables, grids and tree grids: cells that span rows and columns, several rows
//! of heads, footers, and grids that keep one row in several parts.

use std::collections::BTreeSet;

use super::builder::RowsBuilder;
use super::cell::{CellText, is_control, read_cell, read_head};
use super::model::{MOST_CELLS, MOST_COLUMNS, Row, TextId};
use super::raw_rows::{RawRow, Section, is_grid, joined, number, raw_rows, span};
use crate::page::{Node, NodeId, Page};
use crate::pipeline::filter::visibility::is_seen;
use crate::text::escape::clean;

/// The most columns that a cell may span, and the most rows, as in HTML.
const MOST_SPANNED: u32 = 1_000;
const MOST_ROWS_SPANNED: u32 = 65_534;
/// How many nodes before a table are searched for its heads.
const FARTHEST_HEAD: usize = 1_000;

/// Facts about a table besides its rows.
#[derive(Debug, Default)]
pub(super) struct GridExtent {
    pub(super) columns_left: usize,
    pub(super) rows_left: usize,
}

/// Reads a table.
pub(super) fn read_grid(page: &Page, table: Node<'_>) -> (RowsBuilder, GridExtent) {
    let (hidden, rows): (Vec<_>, Vec<_>) =
        raw_rows(page, table).into_iter().partition(|row| !row.is_visible());
    let rows = joined(rows);
    let first_row = rows.iter().map(|row| row.node.id()).min();
    let mut grid = GridReader::new(page, &rows);
    let heads =
        rows.iter().take_while(|row| row.section == Section::Head || row.has_only_heads()).count();
    grid.heads(&rows[..heads]);
    for row in &rows[heads..] {
        if !grid.row(row) {
            grid.extent.rows_left += 1;
        }
    }
    if grid.names.iter().all(|name| clean(name).is_empty()) {
        match heads_apart(page, table, first_row, grid.width) {
            Some(names) => grid.names = names,
            // A row of heads for those who do not see the one that is drawn elsewhere.
            None => hidden.iter().filter(|row| row.has_only_heads()).for_each(|row| {
                grid.hidden_heads(row);
            }),
        }
    }
    grid.drop_room();
    let GridReader { mut builder, mut extent, width, names, levels, .. } = grid;
    extent.columns_left = width.saturating_sub(MOST_COLUMNS);
    builder.columns = names;
    builder.columns.resize(width.min(MOST_COLUMNS), String::new());
    add_levels(&mut builder, &levels);
    (builder, extent)
}

/// Returns the heads in a table of their own, as over a body that scrolls: one that stands before
/// this table, with nothing that people read between them, or in it before its first row.
fn heads_apart<'p>(
    page: &'p Page,
    table: Node<'p>,
    first_row: Option<NodeId>,
    width: usize,
) -> Option<Vec<String>> {
    let inside = table.id().index() + 1..first_row?.index();
    let inside = inside.map(|at| page.at(at)).find(|node| is_grid(node.role()));
    let head = match inside {
        Some(inside) => inside,
        None => {
            let before = (0..table.id().index()).rev().map(|at| page.at(at));
            let last = before
                .take(FARTHEST_HEAD)
                .filter(|node| !node.contains(table.id()))
                .find(|node| is_seen(*node, true) && (node.is_text() || is_control(*node)))?;
            last.ancestors().find(|above| is_grid(above.role()))?
        }
    };
    if head.contains(table.id()) {
        return None;
    }
    let rows = raw_rows(page, head);
    let is_head = |row: &RawRow<'_>| row.section == Section::Head || row.has_only_heads();
    if rows.is_empty() || !rows.iter().all(is_head) {
        return None;
    }
    let mut grid = GridReader::new(page, &rows);
    grid.heads(&rows);
    let mut names = grid.names;
    // A head without a name stands over the scroll bar.
    let has_room = names.iter().skip(width).all(String::is_empty) && names.len() <= width + 1;
    names.truncate(width);
    (has_room && names.len() == width).then_some(names)
}

/// Adds the depth of rows as the first column, if rows have different depths.
fn add_levels(builder: &mut RowsBuilder, levels: &[Option<u32>]) {
    if !levels.iter().any(|level| level.is_some_and(|level| level > 1)) {
        return;
    }
    builder.columns.insert(0, "level".to_owned());
    builder.footer.iter_mut().for_each(|row| row.cells.insert(0, 0));
    let mut rows = std::mem::take(&mut builder.rows);
    for (row, level) in rows.iter_mut().zip(levels) {
        let text = level.map(|level| level.to_string()).unwrap_or_default();
        let text = builder.text(text, String::new());
        row.cells.insert(0, text);
    }
    builder.rows = rows;
}

/// A cell of an earlier row that reaches into the next ones.
#[derive(Clone, Copy, Default)]
struct Reaching {
    rows: u32,
    text: TextId,
}

struct GridReader<'p> {
    page: &'p Page,
    builder: RowsBuilder,
    extent: GridExtent,
    /// The columns by `aria-colindex`, if every cell has one.
    indexes: Option<Vec<u32>>,
    reaching: Vec<Reaching>,
    group: usize,
    width: usize,
    names: Vec<String>,
    cells: usize,
    /// The depth of each row, as far as the page gives it.
    levels: Vec<Option<u32>>,
}

/// Where the cells of a row are.
struct Placed {
    texts: Vec<TextId>,
    /// The number of cells of the row itself.
    own: usize,
}

impl<'p> GridReader<'p> {
    fn new(page: &'p Page, rows: &[RawRow<'p>]) -> GridReader<'p> {
        GridReader {
            page,
            builder: RowsBuilder::new(),
            extent: GridExtent::default(),
            indexes: indexes(rows),
            reaching: Vec::new(),
            group: usize::MAX,
            width: 0,
            names: Vec::new(),
            cells: 0,
            levels: Vec::new(),
        }
    }

    /// Names the columns by rows of heads. A head that spans all columns names the table.
    fn heads(&mut self, rows: &[RawRow<'p>]) {
        let placed: Vec<Placed> = rows
            .iter()
            .map(|row| {
                self.place(row, |page, cell| CellText {
                    text: read_head(page, cell),
                    ..CellText::default()
                })
            })
            .collect();
        let several = placed.iter().any(|row| row.own > 1);
        for row in placed.iter().filter(|row| row.own > 1 || !several) {
            self.name(&row.texts);
        }
    }

    fn name(&mut self, texts: &[TextId]) {
        if self.names.len() < texts.len() {
            self.names.resize(texts.len(), String::new());
        }
        for (name, text) in self.names.iter_mut().zip(texts) {
            let text = self.builder.said(*text);
            // A head that spans two rows is one name.
            if text.is_empty() || name == text || name.ends_with(&format!(" / {text}")) {
                continue;
            }
            if !name.is_empty() {
                name.push_str(" / ");
            }
            name.push_str(text);
        }
    }

    /// Names the columns by a row of heads that is drawn elsewhere, as over a table that scrolls.
    fn hidden_heads(&mut self, row: &RawRow<'p>) {
        if row.cells.len() == self.width {
            self.names = row.cells.iter().map(|cell| cell.name().to_owned()).collect();
        }
    }

    /// Adds a row; `false` if there is no room for it.
    fn row(&mut self, row: &RawRow<'p>) -> bool {
        if self.cells > MOST_CELLS {
            return false;
        }
        let mut controls: Vec<NodeId> = Vec::new();
        if is_control(row.node) {
            controls.push(row.node.id());
        }
        let placed = self.place(row, |page, cell| {
            let mut cell = read_cell(page, cell);
            controls.append(&mut cell.controls);
            cell
        });
        self.cells += placed.texts.len();
        let said = |text: &TextId| self.builder.said(*text);
        let repeats = row.has_only_heads() && placed.texts.iter().map(said).eq(&self.names);
        let mut cells = placed.texts;
        // One text over all columns is said once.
        if placed.own == 1
            && cells.len() == self.width
            && cells.iter().all(|cell| *cell == cells[0])
        {
            cells.truncate(1);
        }
        let made = Row { node: row.node.id(), controls, cells };
        match row.section {
            _ if repeats => {}
            Section::Foot => self.builder.footer.push(made),
            _ => {
                self.levels.push(number(row.node, "aria-level"));
                self.builder.rows.push(made);
            }
        }
        true
    }

    /// Drops rows of one empty cell before and after the others. A virtual table keeps room in them
    /// for rows that it does not draw.
    fn drop_room(&mut self) {
        let builder = &mut self.builder;
        let says = |row: &Row| {
            let is_empty = |text: &TextId| *text == 0;
            self.width < 2
                || row.cells.len() > 1
                || !row.controls.is_empty()
                || !row.cells.iter().all(is_empty)
        };
        let Some(first) = builder.rows.iter().position(says) else { return };
        let end = builder.rows.iter().rposition(says).map_or(0, |last| last + 1);
        builder.rows.truncate(end);
        self.levels.truncate(end);
        builder.rows.drain(..first);
        self.levels.drain(..first);
    }

    /// Finds the columns of a row's cells. Hidden cells that take up space say nothing.
    fn place(
        &mut self,
        row: &RawRow<'p>,
        mut read: impl FnMut(&'p Page, Node<'p>) -> CellText,
    ) -> Placed {
        if self.group != row.group {
            self.group = row.group;
            self.reaching.clear();
        }
        let mut texts: Vec<TextId> = Vec::new();
        let mut own = 0;
        let mut column = 0;
        for cell in &row.cells {
            let columns = span(*cell, ["colspan", "aria-colspan"], MOST_SPANNED).max(1) as usize;
            let index = self.indexes.as_ref().map(|indexes| {
                let index = number(*cell, "aria-colindex").unwrap_or_default();
                indexes.partition_point(|known| *known < index)
            });
            match index {
                Some(index) => column = index,
                None => column = self.passed(column, &mut texts),
            }
            own += 1;
            self.width = self.width.max(column + columns);
            if column < MOST_COLUMNS {
                let said = read(self.page, *cell);
                let text = self.builder.text(said.text, said.target);
                self.builder.moment(text, said.moment);
                let end = (column + columns).min(MOST_COLUMNS);
                if texts.len() < end {
                    texts.resize(end, 0);
                }
                texts[column..end].fill(text);
                let rows = match span(*cell, ["rowspan", "aria-rowspan"], MOST_ROWS_SPANNED) {
                    0 => MOST_ROWS_SPANNED,
                    rows => rows,
                };
                if rows > 1 && index.is_none() {
                    if self.reaching.len() < end {
                        self.reaching.resize(end, Reaching::default());
                    }
                    self.reaching[column..end].fill(Reaching { rows, text });
                }
            }
            column += columns;
        }
        for (at, reaching) in self.reaching.iter_mut().enumerate() {
            if reaching.rows > 0 && at >= texts.len() {
                texts.resize(at, 0);
                texts.push(reaching.text);
            }
            reaching.rows = reaching.rows.saturating_sub(1);
        }
        Placed { texts, own }
    }

    /// Passes the columns that cells of earlier rows take up, and returns the next free one.
    fn passed(&self, mut column: usize, texts: &mut Vec<TextId>) -> usize {
        while let Some(reaching) = self.reaching.get(column).filter(|reaching| reaching.rows > 0) {
            if texts.len() <= column {
                texts.resize(column + 1, 0);
            }
            texts[column] = reaching.text;
            column += 1;
        }
        column
    }
}

/// Returns the indexes of all columns, if every cell says its own.
fn indexes(rows: &[RawRow<'_>]) -> Option<Vec<u32>> {
    let mut known = BTreeSet::new();
    for cell in rows.iter().flat_map(|row| &row.cells) {
        let first = number(*cell, "aria-colindex")?;
        let columns = span(*cell, ["aria-colspan", "colspan"], MOST_COLUMNS as u32).max(1);
        known.extend((first..first.saturating_add(columns)).take(MOST_COLUMNS));
    }
    (!known.is_empty()).then(|| known.into_iter().collect())
}
