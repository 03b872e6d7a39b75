//! Merges the rows of several pages into one table. Each page is read once; rows that were read
//! before are recognised by their keys, else by their order.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::keys::{KeyKind, RowKeys};
use super::overlap::{PageOverlap, overlap};
use crate::page::Page;
use crate::rows::model::{MOST_CELLS, MOST_COLUMNS, Row, RowTable, TextId};

/// The most texts of a reading, in bytes.
const MOST_BYTES: usize = 256 << 20;

/// How a page of rows was reached from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageOrigin {
    /// The list was scrolled, or is looked at again.
    Scrolled,
    /// The next page was opened.
    NextPage,
}

/// The result of adding a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// How many rows are new.
    pub rows: usize,
    /// How many new rows there was no room for.
    pub left: usize,
}

/// The rows of several pages.
#[derive(Clone, Debug)]
pub struct RowsReading {
    table: RowTable,
    /// The columns in the order to print.
    order: Vec<usize>,
    by_column: HashMap<u64, usize>,
    /// The content of each row.
    contents: Vec<u64>,
    by_key: HashMap<u64, usize>,
    /// The range of the keys that are numbers, as far as they were read.
    range: Option<(i64, i64)>,
    /// The rows of the last page.
    last: Vec<usize>,
    cells: usize,
    bytes: usize,
}

/// Which rows of a page were read before: the row of the reading, or none.
struct Matched {
    rows: Vec<Option<usize>>,
    keys: Option<RowKeys>,
    /// Whether the keys say so.
    by_key: bool,
    contents: Vec<u64>,
}

impl RowsReading {
    /// Begins a reading with the kind and the name of a table; its rows are still to be added.
    pub fn of(table: &RowTable) -> RowsReading {
        let empty = RowTable {
            kind: table.kind,
            name: table.name.clone(),
            node: table.node,
            language: table.language.clone(),
            columns: Vec::new(),
            rows: Vec::new(),
            footer: Vec::new(),
            columns_left: 0,
            rows_left: 0,
            reading: None,
            column_keys: Vec::new(),
            texts: vec![String::new()],
            moments: HashMap::new(),
        };
        RowsReading {
            table: empty,
            order: Vec::new(),
            by_column: HashMap::new(),
            contents: Vec::new(),
            by_key: HashMap::new(),
            range: None,
            last: Vec::new(),
            cells: 0,
            bytes: 0,
        }
    }

    /// Returns how many rows were read.
    pub fn len(&self) -> usize {
        self.table.rows.len()
    }

    /// Whether no row was read.
    pub fn is_empty(&self) -> bool {
        self.table.rows.is_empty()
    }

    /// Whether there is no room for further rows.
    pub fn is_full(&self) -> bool {
        self.cells >= MOST_CELLS || self.bytes >= MOST_BYTES
    }

    /// Whether a page that was reached by scrolling goes on where the one before ended. If not,
    /// rows may lie between them.
    pub fn goes_on(&self, page: &Page, table: &RowTable) -> bool {
        if self.is_empty() || table.rows.is_empty() {
            return true;
        }
        let matched = self.matched(page, table, PageOrigin::Scrolled);
        let range = matched.keys.as_ref().and_then(RowKeys::range);
        let follows = matches!((self.range, range), (Some((_, last)), Some((first, _)))
            if first <= last.saturating_add(1));
        follows || matched.rows.iter().any(Option::is_some)
    }

    /// Whether a page shows rows of this reading, as the last page does.
    pub fn shows(&self, page: &Page, table: &RowTable) -> bool {
        let matched = self.matched(page, table, PageOrigin::Scrolled);
        self.is_empty() && table.rows.is_empty() || matched.rows.iter().any(Option::is_some)
    }

    /// Adds the rows of a page that are new, until there are `most`.
    pub fn add(&mut self, page: &Page, table: &RowTable, origin: PageOrigin, most: usize) -> Added {
        let Matched { rows: mut matched, keys, by_key, contents } =
            self.matched(page, table, origin);
        if !by_key && origin == PageOrigin::Scrolled {
            self.drop_provisional_row(&mut matched);
        }
        if !by_key && origin == PageOrigin::NextPage {
            // The keys begin again on this page, which may be scrolled, too.
            self.by_key.clear();
        }
        let columns = self.columns(table);
        let mut added = Added::default();
        let mut shown = Vec::with_capacity(table.rows.len());
        // Elements that are out of the page cannot be used.
        for row in std::mem::take(&mut self.last) {
            self.table.rows[row].controls = Vec::new();
        }
        for (at, row) in table.rows.iter().enumerate() {
            let known = matched[at];
            if known.is_none() && (self.len() >= most || self.is_full() || added.left > 0) {
                added.left += 1;
                continue;
            }
            let place = known.unwrap_or(self.len());
            let mut made =
                Row { node: row.node, controls: row.controls.clone(), cells: Vec::new() };
            match known {
                Some(known) if self.contents[known] == contents[at] => {
                    made.cells = std::mem::take(&mut self.table.rows[known].cells);
                }
                _ => made.cells = self.cells_of(table, row, &columns),
            }
            match known {
                Some(known) => {
                    self.table.rows[known] = made;
                    self.contents[known] = contents[at];
                }
                None => {
                    self.cells += made.cells.len();
                    self.table.rows.push(made);
                    self.contents.push(contents[at]);
                    added.rows += 1;
                }
            }
            if let Some(keys) = &keys {
                self.by_key.insert(keys.keys[at], place);
            }
            shown.push(place);
        }
        if added.left == 0
            && let Some((first, last)) = keys.and_then(|keys| keys.range())
        {
            let known = self.range.filter(|_| origin == PageOrigin::Scrolled);
            let (least, most) = known.unwrap_or((first, last));
            self.range = Some((least.min(first), most.max(last)));
        }
        self.last = shown;
        self.table.footer = table
            .footer
            .iter()
            .map(|row| Row {
                node: row.node,
                controls: Vec::new(),
                cells: self.cells_of(table, row, &columns),
            })
            .collect();
        self.table.node = table.node;
        self.table.rows_left = table.rows_left;
        self.table.columns_left = self.table.columns_left.max(table.columns_left);
        added
    }

    /// Drops the last row, if the row before it is followed by something else now: a line such as
    /// `Loading…` at the end of a list, which goes away or moves on when rows come.
    fn drop_provisional_row(&mut self, matched: &mut [Option<usize>]) {
        let Some(last) = self.len().checked_sub(1) else { return };
        let before = last
            .checked_sub(1)
            .and_then(|before| matched.iter().position(|known| *known == Some(before)));
        let Some(before) = before else { return };
        if self.last.last() != Some(&last) || matched.get(before + 1) == Some(&Some(last)) {
            return;
        }
        self.last.pop();
        self.contents.pop();
        self.by_key.retain(|_, row| *row != last);
        let dropped = self.table.rows.pop();
        self.cells -= dropped.map_or(0, |row| row.cells.len());
        for known in matched.iter_mut().filter(|known| **known == Some(last)) {
            *known = None;
        }
    }

    /// Returns the rows that were read so far, as one table.
    pub fn table(&mut self) -> &mut RowTable {
        let is_sorted = self.order.iter().enumerate().all(|(at, column)| at == *column);
        if !is_sorted {
            let order = std::mem::take(&mut self.order);
            let table = &mut self.table;
            for row in table.rows.iter_mut().chain(&mut table.footer) {
                let cell = |column: &usize| row.cells.get(*column).copied().unwrap_or_default();
                row.cells = order.iter().map(cell).collect();
            }
            table.columns =
                order.iter().map(|at| std::mem::take(&mut table.columns[*at])).collect();
            table.column_keys = order.iter().map(|at| table.column_keys[*at]).collect();
            let keys = self.table.column_keys.iter().enumerate();
            self.by_column = keys.map(|(at, key)| (*key, at)).collect();
            self.order = (0..order.len()).collect();
        }
        &mut self.table
    }

    fn matched(&self, page: &Page, table: &RowTable, origin: PageOrigin) -> Matched {
        let contents: Vec<u64> = table.rows.iter().map(|row| content(table, row)).collect();
        let keys = RowKeys::of(page, table);
        if let Some(keys) = &keys {
            let rows: Vec<Option<usize>> =
                keys.keys.iter().map(|key| self.by_key.get(key).copied()).collect();
            if self.trusts(keys.kind, &rows, &contents, origin) {
                return Matched { rows, contents, keys: Some(keys.clone()), by_key: true };
            }
        }
        let before: Vec<u64> = self.last.iter().map(|row| self.contents[*row]).collect();
        let mut rows = vec![None; contents.len()];
        match overlap(&before, &contents) {
            // A part of the page before is a next page only if it is all of it, or its end.
            PageOverlap::Inside(from)
                if origin == PageOrigin::Scrolled || from + contents.len() == before.len() =>
            {
                rows.iter_mut().zip(&self.last[from..]).for_each(|(row, at)| *row = Some(*at));
            }
            PageOverlap::Start(count) if count > 0 => {
                let from = before.len() - count;
                rows.iter_mut().zip(&self.last[from..]).for_each(|(row, at)| *row = Some(*at));
            }
            _ if origin == PageOrigin::Scrolled => self.match_alone(&contents, &mut rows),
            _ => {}
        }
        Matched { rows, contents, keys, by_key: false }
    }

    /// Matches rows that are not in one run, such as those of a list that grows at both ends.
    fn match_alone(&self, contents: &[u64], rows: &mut [Option<usize>]) {
        let mut left: HashMap<u64, Vec<usize>> = HashMap::new();
        for row in self.last.iter().rev() {
            left.entry(self.contents[*row]).or_default().push(*row);
        }
        for (row, content) in rows.iter_mut().zip(contents) {
            *row = left.get_mut(content).and_then(Vec::pop);
        }
    }

    /// Whether keys identify rows. Keys that begin again on the next page, or that belong to the
    /// elements that a list uses again, are those of rows with a different content.
    fn trusts(
        &self,
        kind: KeyKind,
        rows: &[Option<usize>],
        contents: &[u64],
        origin: PageOrigin,
    ) -> bool {
        if kind == KeyKind::Record || (kind, origin) == (KeyKind::Position, PageOrigin::Scrolled) {
            return true;
        }
        let known = || rows.iter().zip(contents).filter_map(|(row, now)| Some(((*row)?, *now)));
        let same = known().filter(|(row, now)| self.contents[*row] == *now).count();
        // A row that was empty before has got its content.
        let was_empty = |row: usize| self.table.rows[row].cells.iter().all(|text| *text == 0);
        let changed = known().filter(|(row, now)| self.contents[*row] != *now && !was_empty(*row));
        // Elements that are used again for the next rows come after those that were after them.
        let is_in_order = rows.iter().flatten().is_sorted();
        is_in_order && changed.count() <= same
    }

    /// Returns the columns of this reading for those of a page. New ones come after the one that
    /// they follow on the page.
    fn columns(&mut self, table: &RowTable) -> Vec<Option<usize>> {
        let mut before = None;
        let mut places = Vec::with_capacity(table.columns.len());
        for (key, name) in table.column_keys.iter().zip(&table.columns) {
            let known = self.by_column.get(key).copied();
            let column = match known {
                Some(column) => column,
                None if self.table.columns.len() >= MOST_COLUMNS => {
                    self.table.columns_left += 1;
                    places.push(None);
                    continue;
                }
                None => {
                    let column = self.table.columns.len();
                    let name = self.unused_name(name);
                    self.table.columns.push(name);
                    self.table.column_keys.push(*key);
                    self.by_column.insert(*key, column);
                    let after =
                        before.and_then(|before| self.order.iter().position(|at| *at == before));
                    self.order.insert(after.map_or(0, |at| at + 1), column);
                    column
                }
            };
            before = Some(column);
            places.push(Some(column));
        }
        places
    }

    /// Returns a name that no column has: `text 3` for a second `text 2`.
    fn unused_name(&self, name: &str) -> String {
        let is_used = |name: &str| {
            let name = name.to_lowercase();
            self.table.columns.iter().any(|known| known.to_lowercase() == name)
        };
        if !is_used(name) {
            return name.to_owned();
        }
        let base = match name.rsplit_once(' ') {
            Some((base, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => base,
            _ => name,
        };
        let numbered = (2..=MOST_COLUMNS + 1).map(|number| format!("{base} {number}"));
        numbered.into_iter().find(|name| !is_used(name)).unwrap_or_else(|| name.to_owned())
    }

    /// Stores the cells of a row of a page.
    fn cells_of(&mut self, table: &RowTable, row: &Row, columns: &[Option<usize>]) -> Vec<TextId> {
        let mut cells = vec![0; self.table.columns.len()];
        for (at, column) in columns.iter().enumerate() {
            let Some(column) = *column else { continue };
            let mut text = table.cell(row, at);
            if text.is_empty() {
                continue;
            }
            // A page with one row does not say which part of a text is the label.
            let name = self.table.columns[column].as_str();
            if table.columns[at] != name
                && let Some(rest) = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(':'))
            {
                text = rest.trim_start();
            }
            self.bytes += text.len();
            let text = text.to_owned();
            let place = self.table.texts.len() as TextId;
            cells[column] = place;
            self.table.texts.push(text);
            if let Some(moment) = table.moment(row, at) {
                self.bytes += moment.len();
                self.table.moments.insert(place, moment.to_owned());
            }
        }
        cells
    }
}

/// Identifies what a row says.
pub(super) fn content(table: &RowTable, row: &Row) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (at, key) in table.column_keys.iter().enumerate() {
        let text = table.cell(row, at);
        if !text.is_empty() {
            (key, text).hash(&mut hasher);
        }
    }
    hasher.finish()
}
