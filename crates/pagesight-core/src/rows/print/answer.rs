//! Prints rows as an answer: what they are, how many match, and as many as fit into the budget.
//! What is left out is counted.

use super::formats::{csv_line, markdown_head, markdown_line};
use super::options::{RowsFormat, RowsOptions};
use super::sheet::{Sheet, SheetRow, text_cells};
use crate::hint::Hint;
use crate::page::{NodeId, Page};
use crate::render::{Numbers, Placeholder, notes};
use crate::rows::model::RowTable;
use crate::rows::query::{RowsQuery, RowsSelection};
use crate::text::escape::{bounded, clean, safe, sentence};
use crate::text::json;
use crate::text::tokens::count;

/// The smallest budget that is kept exactly; a smaller one counts as this.
const SMALLEST_BUDGET: usize = 200;
/// The longest texts of cells, tried in order until enough rows fit.
const CELL_LIMITS: [usize; 5] = [200, 80, 40, 20, 8];
/// The longest names of columns and of the table, tried in order.
const NAME_LIMITS: [usize; 3] = [160, 60, 25];
/// The longest ones if one column alone is too much.
const SHORTEST_NAME: usize = 8;
/// Rows that should fit, if cells can be shortened.
const ENOUGH: usize = 3;
/// The most controls of a row that are named.
const MOST_CONTROLS: usize = 12;
/// The rows of an answer whose rows are in a file.
const SAMPLES: usize = 3;

/// Prints an answer. The numbers are given only to controls that are shown.
pub fn print_answer(
    page: &Page,
    table: &RowTable,
    query: &RowsQuery,
    answer: &RowsSelection,
    options: &RowsOptions,
    numbers: &mut dyn Numbers,
) -> String {
    let sheet = Sheet::of(table, answer);
    let limit = options.max_tokens.max(SMALLEST_BUDGET);
    let printer = Printer { page, table, query, answer, options, sheet: &sheet, limit };
    printer.print(numbers)
}

/// Prints what is in a file with all rows: how many they are, and the first of them.
pub fn print_summary(
    page: &Page,
    table: &RowTable,
    query: &RowsQuery,
    answer: &RowsSelection,
    options: &RowsOptions,
    numbers: &mut dyn Numbers,
) -> String {
    let options = RowsOptions { format: RowsFormat::Text, limit: SAMPLES, after: 0, ..*options };
    print_answer(page, table, query, answer, &options, numbers)
}

struct Printer<'a, 't> {
    page: &'a Page,
    table: &'t RowTable,
    query: &'t RowsQuery,
    answer: &'t RowsSelection,
    options: &'a RowsOptions,
    sheet: &'a Sheet<'t>,
    limit: usize,
}

/// The rows that fit.
#[derive(Clone, Copy)]
struct Extent {
    name: usize,
    columns: usize,
    cell: usize,
    rows: usize,
}

impl Printer<'_, '_> {
    fn print(&self, numbers: &mut dyn Numbers) -> String {
        let wanted =
            self.sheet.rows.len().saturating_sub(self.options.after).min(self.options.limit);
        let mut extent = Extent { name: 0, columns: self.sheet.columns.len(), cell: 0, rows: 0 };
        for name in NAME_LIMITS {
            extent.name = name;
            if self.size(&extent) <= self.limit / 2 {
                break;
            }
        }
        while extent.columns > 1 && self.size(&extent) > self.limit / 2 {
            extent.columns /= 2;
        }
        if self.size(&extent) > self.limit / 2 {
            extent.name = SHORTEST_NAME;
        }
        let room = self.limit.saturating_sub(self.size(&extent) + 8);
        for cell in CELL_LIMITS {
            extent.cell = cell;
            extent.rows = self.fitting(&extent, wanted, room);
            if extent.rows >= wanted.min(ENOUGH) {
                break;
            }
        }
        // The estimate by lines is close; the exact count decides.
        while extent.rows > 0 && self.size(&extent) > self.limit {
            extent.rows -= (extent.rows / 10).max(1);
        }
        self.text(&extent, numbers)
    }

    fn size(&self, extent: &Extent) -> usize {
        count(&self.text(extent, &mut Placeholder))
    }

    /// Returns how many rows fit into `room` tokens.
    fn fitting(&self, extent: &Extent, wanted: usize, room: usize) -> usize {
        let mut left = room;
        let rows = self.sheet.rows.iter().skip(self.options.after).take(wanted);
        let fits = |row: &&SheetRow<'_>| {
            let size = count(&self.line(row, extent, &mut Placeholder)) + 1;
            let fits = size <= left;
            left = left.saturating_sub(size);
            fits
        };
        rows.take_while(fits).count()
    }

    fn text(&self, extent: &Extent, numbers: &mut dyn Numbers) -> String {
        if self.options.format == RowsFormat::Json {
            return self.json(extent, numbers);
        }
        let mut out = format!("{}\n", self.head(extent));
        let columns = &self.sheet.columns[..extent.columns];
        let names: Vec<String> = columns.iter().map(|name| bounded(name, extent.name)).collect();
        match self.options.format {
            // Amounts without groups have no columns.
            _ if self.is_one_group() => {}
            RowsFormat::Csv => {
                let names: Vec<String> = names.iter().map(|name| sentence(name)).collect();
                out.push_str(&csv_line(self.sheet, &names));
            }
            RowsFormat::Markdown => {
                let names: Vec<String> = names.iter().map(|name| safe(name, usize::MAX)).collect();
                out.push_str(&markdown_head(&names));
            }
            _ => {
                let names: Vec<String> = names.iter().map(|name| safe(name, usize::MAX)).collect();
                out.push_str(&format!("columns: {}\n", names.join(" · ")));
            }
        }
        for row in self.sheet.rows.iter().skip(self.options.after).take(extent.rows) {
            out.push_str(&self.line(row, extent, numbers));
        }
        for line in self.foot(extent) {
            out.push_str(&line);
            out.push('\n');
        }
        out
    }

    fn is_one_group(&self) -> bool {
        self.answer.groups.is_some() && self.answer.by.is_none()
    }

    /// Returns the first line: what the rows are, and how many match.
    fn head(&self, extent: &Extent) -> String {
        let table = self.table;
        let name = safe(&table.name, extent.name);
        let name = if name.is_empty() { name } else { format!(": {name}") };
        let rows = counted(table.rows.len(), "row");
        let matching = match &self.query.filter {
            Some(filter) => {
                let filter = bounded(&clean(filter), extent.name);
                format!(", {} match ({filter})", self.answer.rows.len())
            }
            None => String::new(),
        };
        format!("{}{name} — {rows}{matching}", table.kind.word())
    }

    /// Returns one row with its line break.
    fn line(&self, row: &SheetRow<'_>, extent: &Extent, numbers: &mut dyn Numbers) -> String {
        let cells = || {
            let cells = row.cells.iter().take(extent.columns);
            cells.map(|text| bounded(text, extent.cell)).collect::<Vec<String>>()
        };
        match self.options.format {
            _ if self.is_one_group() => {
                let amounts = self.sheet.columns.iter().zip(&row.cells);
                amounts.map(|(name, amount)| format!("{}: {amount}\n", clean(name))).collect()
            }
            // A command for a CI system acts inside of quotes, too.
            RowsFormat::Csv => {
                let cells: Vec<String> = cells().iter().map(|cell| sentence(cell)).collect();
                csv_line(self.sheet, &cells)
            }
            RowsFormat::Markdown => {
                let cells: Vec<String> =
                    cells().iter().map(|cell| safe(cell, usize::MAX)).collect();
                markdown_line(&cells)
            }
            RowsFormat::Json => {
                let cells: Vec<String> = cells().iter().map(|cell| json::string(cell)).collect();
                // With room for the numbers of its controls.
                let controls = "88888,".repeat(row.controls.len().min(MOST_CONTROLS));
                format!("[{}],[{controls}],", cells.join(","))
            }
            RowsFormat::Text => {
                let mut line = text_cells(self.sheet, row, extent.columns, extent.cell);
                for control in row.controls.iter().take(MOST_CONTROLS) {
                    line.push_str(&format!(" [{}]", numbers.number(*control)));
                }
                if row.controls.len() > MOST_CONTROLS {
                    line.push_str(&format!(" (+{})", row.controls.len() - MOST_CONTROLS));
                }
                line.push('\n');
                line
            }
        }
    }

    /// Returns the lines after the rows: the footer of the table, and what is left out.
    fn foot(&self, extent: &Extent) -> Vec<String> {
        let mut lines = Vec::new();
        // Only a few tables have more than one.
        for row in self.sheet.footer.iter().take(ENOUGH) {
            let cells = text_cells(self.sheet, row, extent.columns, extent.name.min(60));
            lines.push(format!("footer: {cells}"));
        }
        lines.extend(self.left_out(extent));
        lines.extend(self.as_text());
        lines.extend(notes(self.page, 0).lines().map(str::to_owned));
        lines
    }

    fn left_out(&self, extent: &Extent) -> Vec<String> {
        let mut lines = Vec::new();
        let next = self.options.after.saturating_add(extent.rows);
        let more = self.sheet.rows.len().saturating_sub(next);
        if more > 0 {
            let hint = match &self.table.reading {
                Some(reading) => Hint::ReadOn { pages: reading.pages(), after: next },
                None => Hint::MoreRows { after: next },
            };
            let what = format!("… {more} more row{}", if more == 1 { "" } else { "s" });
            lines.push(self.options.wording.line(what, Some(&hint)));
        }
        let there = self.sheet.rows.len();
        if self.options.after >= there.max(1) {
            lines.push(format!("no rows after {}: there are {there}", self.options.after));
        }
        let columns = self.sheet.columns.len() - extent.columns;
        let columns =
            columns + if self.answer.groups.is_some() { 0 } else { self.table.columns_left };
        if columns > 0 {
            let what = format!("… {} left out", counted(columns, "column"));
            lines.push(self.options.wording.line(what, Some(&Hint::ChooseColumns)));
        }
        if self.table.rows_left > 0 {
            lines.push(format!("… {} of the table not read", counted(self.table.rows_left, "row")));
        }
        if let Some(reading) = &self.table.reading {
            lines.push(reading.line(self.options.wording, self.sheet.rows.len()));
        }
        lines
    }

    fn as_text(&self) -> impl Iterator<Item = String> {
        self.answer.as_text.iter().take(ENOUGH).map(|(column, cells)| {
            let name = safe(&self.table.columns[*column], 60);
            format!("{} of {name} compared as text", counted(*cells, "cell"))
        })
    }

    fn json(&self, extent: &Extent, numbers: &mut dyn Numbers) -> String {
        let table = self.table;
        let strings = |texts: &[&str], limit: usize| {
            let texts: Vec<String> = texts
                .iter()
                .take(extent.columns)
                .map(|text| json::string(&bounded(text, limit)))
                .collect();
            format!("[{}]", texts.join(","))
        };
        let shown = || self.sheet.rows.iter().skip(self.options.after).take(extent.rows);
        let list = |items: Vec<String>| format!("[{}]", items.join(","));
        let rows = shown().map(|row| strings(&row.cells, extent.cell)).collect();
        let mut out = format!(
            "{{\"kind\":{},\"name\":{},\"rows_in_all\":{},\"matching\":{},\"columns\":{},\"rows\":{}",
            json::string(table.kind.word()),
            json::string(&bounded(&table.name, extent.name)),
            table.rows.len(),
            self.answer.rows.len(),
            strings(&self.sheet.columns, extent.name),
            list(rows),
        );
        if shown().any(|row| !row.controls.is_empty()) {
            let mut controls = |row: &SheetRow<'_>| {
                let first = row.controls.iter().take(MOST_CONTROLS);
                list(first.map(|node: &NodeId| numbers.number(*node).to_string()).collect())
            };
            let controls = shown().map(&mut controls).collect();
            out.push_str(&format!(",\"controls\":{}", list(controls)));
        }
        if !self.sheet.footer.is_empty() {
            let footer = self.sheet.footer.iter().take(ENOUGH);
            let footer = footer.map(|row| strings(&row.cells, extent.name.min(60))).collect();
            out.push_str(&format!(",\"footer\":{}", list(footer)));
        }
        let rest: Vec<String> = self.left_out(extent).into_iter().chain(self.as_text()).collect();
        let notes = notes(self.page, 0);
        let rest = rest.iter().map(String::as_str).chain(notes.lines());
        let rest: Vec<String> = rest.map(json::string).collect();
        if !rest.is_empty() {
            out.push_str(&format!(",\"notes\":{}", list(rest)));
        }
        out.push('}');
        out
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
