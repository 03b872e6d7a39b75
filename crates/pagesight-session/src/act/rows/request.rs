//! Which pages of rows a caller wants.

use crate::act::given::GivenElement;
use crate::look::scope::ScopeChoice;

/// The time of a call, as answers name it.
pub(super) const CALL_SECONDS: u64 = 50;

/// How the pages after the first are reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FurtherPages {
    /// The list is scrolled.
    Scroll,
    /// A control shows the next page: this one, else the one that is found.
    Next(Option<GivenElement>),
}

/// Which pages are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagesRequest {
    /// How they are reached.
    pub further: FurtherPages,
    /// The most pages of one call. Scrolling has no such limit.
    pub most_pages: usize,
    /// The most rows of one call.
    pub most_rows: usize,
    /// Go on with the rows that an earlier call read.
    pub goes_on: bool,
}

impl PagesRequest {
    /// Identifies readings that can go on with each other.
    pub(super) fn asked(&self, scope: &ScopeChoice) -> String {
        format!("{scope:?} {:?}", self.further)
    }
}
