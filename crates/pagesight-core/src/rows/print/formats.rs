//! The forms of rows that programs read: CSV, JSON and Markdown. A file has all rows and nothing
//! else.

use super::options::RowsFormat;
use super::sheet::{Sheet, SheetRow, text_cells};
use crate::rows::model::RowTable;
use crate::rows::query::RowsSelection;
use crate::text::escape::{safe, safe_line};
use crate::text::json;

/// Prints all rows for a file. Footers are not rows; only text has them.
pub fn print_file(table: &RowTable, answer: &RowsSelection, format: RowsFormat) -> String {
    let sheet = Sheet::of(table, answer);
    let mut out = String::new();
    match format {
        RowsFormat::Text => {
            let names: Vec<String> =
                sheet.columns.iter().map(|name| safe_line(name, usize::MAX)).collect();
            out.push_str(&format!("columns: {}\n", names.join(" · ")));
            for row in &sheet.rows {
                out.push_str(&text_cells(&sheet, row, sheet.columns.len(), usize::MAX));
                out.push('\n');
            }
            for row in &sheet.footer {
                let cells = text_cells(&sheet, row, sheet.columns.len(), usize::MAX);
                out.push_str(&format!("footer: {cells}\n"));
            }
        }
        RowsFormat::Csv => {
            out.push_str(&csv_line(&sheet, &sheet.columns));
            for row in &sheet.rows {
                out.push_str(&csv_line(&sheet, &row.cells));
            }
        }
        RowsFormat::Json => {
            let names: Vec<String> = sheet.columns.iter().map(|name| json::string(name)).collect();
            let object = |row: &SheetRow<'_>| {
                let member =
                    |(name, cell): (&String, &&str)| format!("{name}:{}", json::string(cell));
                let members: Vec<String> = names.iter().zip(&row.cells).map(member).collect();
                format!("{{{}}}", members.join(","))
            };
            let objects: Vec<String> = sheet.rows.iter().map(object).collect();
            out.push_str(&format!("[{}]\n", objects.join(",\n")));
        }
        RowsFormat::Markdown => {
            out.push_str(&markdown_head(&sheet.columns));
            for row in &sheet.rows {
                out.push_str(&markdown_line(&row.cells));
            }
        }
    }
    out
}

/// Returns a line of CSV with its line break.
pub(super) fn csv_line(sheet: &Sheet<'_>, cells: &[impl AsRef<str>]) -> String {
    let cell = |(at, cell): (usize, &_)| csv_cell(sheet, at, AsRef::as_ref(cell));
    let cells: Vec<String> = cells.iter().enumerate().map(cell).collect();
    // A line that is empty would not be a row.
    match cells.as_slice() {
        [only] if only.is_empty() => "\"\"\n".to_owned(),
        cells => format!("{}\n", cells.join(",")),
    }
}

/// Returns a cell of CSV, quoted also where it could be taken for a line of pagesight. A
/// spreadsheet would run a formula, so it gets an apostrophe.
fn csv_cell(sheet: &Sheet<'_>, at: usize, text: &str) -> String {
    let is_number = sheet.is_number(text);
    let formula = text.trim_start().starts_with(['=', '+', '-', '@']) && !is_number;
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    let printed = if at == 0 { safe_line(&text, usize::MAX) } else { safe(&text, usize::MAX) };
    let is_plain = !text.contains([',', '"', '\n', '\r'])
        && text.trim() == text
        && (is_number || printed == text);
    if is_plain { text } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// Returns the first two lines of a table in Markdown.
pub(super) fn markdown_head(columns: &[impl AsRef<str>]) -> String {
    format!("{}|{}\n", markdown_line(columns), " --- |".repeat(columns.len()))
}

/// Returns a row of a table in Markdown with its line break.
pub(super) fn markdown_line(cells: &[impl AsRef<str>]) -> String {
    let mut out = String::from("|");
    for cell in cells {
        out.push(' ');
        for c in cell.as_ref().chars() {
            // Markup of the page does nothing in the table.
            if matches!(c, '\\' | '|' | '<' | '[' | '`') {
                out.push('\\');
            }
            out.push(c);
        }
        out.push_str(" |");
    }
    out.push('\n');
    out
}
