//! References and scopes in a page file, which has no session.

use pagesight_core::page::{NodeId, Page, Scope, css_query};
use pagesight_core::refs::{self, RefError};
use pagesight_core::render::{OutlineOptions, SequentialNumbers, outline};
use pagesight_session::ScopeChoice;

use super::error::ToolError;

/// Numbers the elements in the order of the whole, unfolded outline, so that a number means the
/// same element in every view of a page file.
pub(crate) fn number_whole_page(page: &Page) -> SequentialNumbers {
    let mut numbers = SequentialNumbers::default();
    let whole =
        OutlineOptions { fold: false, max_tokens: usize::MAX / 4, ..OutlineOptions::default() };
    outline(page, &whole, &mut numbers);
    numbers
}

/// Returns the element of a reference.
pub(crate) fn node_of(given: &str, numbers: &SequentialNumbers) -> Result<NodeId, RefError> {
    let (_, number) = refs::parse(given)?;
    numbers.node(number).ok_or(RefError::Unknown { number })
}

/// Returns the part of the page that a scope selects.
pub(crate) fn scope_of(
    page: &Page,
    scope: &ScopeChoice,
    numbers: &SequentialNumbers,
) -> Result<Scope, ToolError> {
    let by_selector = |selector: &str| Ok(css_query::first(page, selector)?);
    scope.resolve(|given| Ok(node_of(given, numbers)?), by_selector)
}
