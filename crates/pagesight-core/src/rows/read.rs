//! Reads rows and prints them: all that a caller asks for, in one step.

use super::assemble::{RowsError, rows};
use super::model::RowTable;
use super::print::{RowsFormat, RowsOptions, print_answer, print_file, print_summary};
use super::query::{RowsQuery, RowsQueryError, select};
use crate::page::{Page, Scope};
use crate::render::Numbers;

/// Rows to read of a page, and how they are printed.
#[derive(Clone, Copy, Debug)]
pub struct RowsRequest<'a> {
    /// Which rows, and in which order.
    pub query: &'a RowsQuery,
    /// The format and the budget.
    pub options: RowsOptions,
    /// Whether all rows go to a file.
    pub to_file: bool,
}

/// Rows, printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsRead {
    /// The answer; with a file, how many rows it has and the first of them.
    pub text: String,
    /// The answer as JSON.
    pub json: String,
    /// All rows, if they go to a file.
    pub file: Option<String>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowsReadError {
    /// The page has no rows.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// The question cannot be answered.
    #[error(transparent)]
    Query(#[from] RowsQueryError),
}

/// Reads the rows of a page and prints what was asked for.
pub fn read_page_rows(
    page: &Page,
    scope: Scope,
    request: RowsRequest<'_>,
    numbers: &mut dyn Numbers,
) -> Result<RowsRead, RowsReadError> {
    print_rows(page, &rows(page, scope)?, request, numbers)
}

/// Prints what was asked for of rows that were read. `page` is the last one that they are of.
pub fn print_rows(
    page: &Page,
    table: &RowTable,
    request: RowsRequest<'_>,
    numbers: &mut dyn Numbers,
) -> Result<RowsRead, RowsReadError> {
    let RowsRequest { query, options, to_file } = request;
    let answer = select(table, query)?;
    let print = match to_file {
        true => print_summary,
        false => print_answer,
    };
    let text = print(page, table, query, &answer, &options, numbers);
    let as_json = RowsOptions { format: RowsFormat::Json, ..options };
    let json = print_answer(page, table, query, &answer, &as_json, numbers);
    let file = to_file.then(|| print_file(table, &answer, options.format));
    Ok(RowsRead { text, json, file })
}
