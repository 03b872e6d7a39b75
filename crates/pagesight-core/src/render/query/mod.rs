//! Answers a query: ranks the units of a page (a row, a list item, a field, a card, a section) by
//! the words of the caller and gives the best ones, best first. Not all words are required. If no
//! unit matches well, the answer says which words were found and gives the nearest units.

mod assemble;
mod rank;
mod terms;
#[cfg(test)]
mod tests;
mod units;

use crate::page::Page;
use crate::render::items::Items;

/// The answer to a query.
pub(crate) struct QueryResult {
    /// The lines of the best units, best first.
    pub(crate) items: Items,
    /// A line about words that were not found; empty if the units match well.
    pub(crate) remark: String,
}

/// Finds the units that match the words of a query.
pub(crate) fn answer(page: &Page, items: Items, query: &str) -> QueryResult {
    let terms = terms::parse(query);
    let ranking = rank::rank(page, &items, &terms);
    let remark = ranking.remark(&terms, query);
    QueryResult { items: assemble::assemble(page, &items, &terms, &ranking), remark }
}
