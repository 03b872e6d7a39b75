//! Errors of a look at a page that do not come from the browser.

use pagesight_core::hint::Hint;
use pagesight_core::page::css_query::QueryError;
use pagesight_core::render::{CannotContinue, NoRoom};
use pagesight_core::rows::RowsReadError;
use pagesight_core::targets::TargetQueryError;

/// An error of a look at a page.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum LookError {
    #[error("nothing visible matches the selector {selector:?}")]
    NoMatch { selector: String },
    #[error("nothing is at {x},{y}; the viewport is {width}x{height} pixels")]
    NothingAt { x: f64, y: f64, width: u32, height: u32 },
    #[error("what is there is not part of the captured page")]
    NotCaptured,
    #[error("the element has no area to show ({width}x{height}); choose another scope")]
    NoArea { width: i32, height: i32 },
    #[error("the page has not drawn since {since}")]
    NotDrawn { since: String },
    #[error(
        "the baseline was taken in a viewport of {width}x{height}, which cannot be set; save it again"
    )]
    BaselineViewport { width: u32, height: u32 },
    #[error("an ignore rule cannot be used: {0}")]
    IgnoreRule(QueryError),
    #[error(
        "axe-core has no rule and no tag {name:?}; its documentation lists them: https://github.com/dequelabs/axe-core/blob/develop/doc/rule-descriptions.md"
    )]
    AuditName { name: String },
    #[error("a mask cannot be used: {0}")]
    Mask(QueryError),
    #[error("an exact text cannot be compared: {0}")]
    ExactSelector(QueryError),
    #[error("an exact text cannot be compared: {0}")]
    ExactTarget(TargetQueryError),
    #[error("exact takes a name, a printed line without its number, or css=SELECTOR")]
    ExactReference,
    #[error(transparent)]
    Snapshot(#[from] NoRoom),
    #[error(transparent)]
    Continue(#[from] CannotContinue),
    #[error(transparent)]
    Rows(#[from] RowsReadError),
    #[error(
        "the tab no longer shows the rows that were read before; leave after out to read from here"
    )]
    RowsLeft,
}

impl LookError {
    /// Returns what the caller can do about it.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            LookError::NoMatch { .. } => Some(Hint::LookWithoutScope),
            LookError::NotDrawn { .. } => Some(Hint::LeaveOrClose),
            LookError::NotCaptured => Some(Hint::LookForReference),
            _ => None,
        }
    }
}
