//! The rows of several pages that were read last of a tab, so that the next call can go on with
//! them.

use std::sync::Arc;

use pagesight_core::page::Page;
use pagesight_core::page::role::Role;
use pagesight_core::rows::ReadingEnd;
use pagesight_core::rows::pages::{PageOrigin, RowsReading, RowsStructure};

/// A reading that can go on.
pub(crate) struct StoredReading {
    /// The scope, and how further pages are reached.
    pub(crate) asked: String,
    pub(crate) reading: RowsReading,
    pub(crate) structure: RowsStructure,
    /// The page whose rows were added last.
    pub(crate) page: Arc<Page>,
    pub(crate) end: ReadingEnd,
    /// How the page that the tab shows was reached, if its rows were not added yet.
    pub(crate) unread: Option<PageOrigin>,
    /// How many pages were read, or how often the list was scrolled.
    pub(crate) steps: usize,
    /// The number of the page that the tab is on, and its address.
    pub(crate) number: usize,
    pub(crate) url: String,
    /// The role and the name of the control that the caller gave by a reference.
    pub(crate) control: Option<(Role, String)>,
}
