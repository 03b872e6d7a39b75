//! The cells to print: those of the rows that were asked for, or those of their groups.

use crate::page::NodeId;
use crate::rows::model::RowTable;
use crate::rows::query::RowsSelection;
use crate::rows::value::{Locale, Value};
use crate::text::escape::{safe, safe_line};

/// Columns and rows of texts.
pub(super) struct Sheet<'t> {
    pub(super) columns: Vec<&'t str>,
    pub(super) rows: Vec<SheetRow<'t>>,
    pub(super) footer: Vec<SheetRow<'t>>,
    /// How numbers are written in it.
    pub(super) locale: Locale,
}

/// One row.
pub(super) struct SheetRow<'t> {
    pub(super) cells: Vec<&'t str>,
    pub(super) controls: &'t [NodeId],
}

impl<'t> Sheet<'t> {
    pub(super) fn of(table: &'t RowTable, answer: &'t RowsSelection) -> Sheet<'t> {
        let locale = Locale::of(&table.language);
        if let Some(groups) = &answer.groups {
            let by = answer.by.map(|by| table.columns[by].as_str());
            let row = |group: &'t crate::rows::query::Group| {
                let amounts = group.amounts.iter().map(String::as_str);
                let cells = group.by.as_deref().into_iter().chain(amounts).collect();
                SheetRow { cells, controls: &[] }
            };
            let rows = groups.iter().map(row).collect();
            let columns = by.into_iter().chain(answer.amounts.iter().map(String::as_str)).collect();
            return Sheet { columns, rows, footer: Vec::new(), locale };
        }
        let row = |row: &'t crate::rows::model::Row| SheetRow {
            cells: answer.columns.iter().map(|column| table.cell(row, *column)).collect(),
            controls: &row.controls,
        };
        Sheet {
            columns: answer.columns.iter().map(|at| table.columns[*at].as_str()).collect(),
            rows: answer.rows.iter().map(|at| row(&table.rows[*at])).collect(),
            footer: table.footer.iter().map(row).collect(),
            locale,
        }
    }

    /// Whether a text is a number, so that its sign is not taken for something else.
    pub(super) fn is_number(&self, text: &str) -> bool {
        matches!(Value::of(text, self.locale), Value::Number(..) | Value::Doubtful)
    }
}

/// Returns the cells of a row as they stand in a line of text; `-` is an empty cell.
pub(super) fn text_cells(
    sheet: &Sheet<'_>,
    row: &SheetRow<'_>,
    columns: usize,
    limit: usize,
) -> String {
    let cell = |(at, text): (usize, &&str)| match at {
        _ if text.is_empty() => "-".to_owned(),
        0 => safe_line(text, limit),
        // The sign of a number does not begin a line of pagesight.
        _ if text.len() <= limit && text.is_ascii() && sheet.is_number(text) => (*text).to_owned(),
        _ => safe(text, limit),
    };
    let cells: Vec<String> = row.cells.iter().take(columns).enumerate().map(cell).collect();
    cells.join(" · ")
}
