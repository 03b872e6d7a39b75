//! The page that an answer shows, as data for programs that read the answers of commands.

use pagesight_core::render::{Outline, OutlineLine};
use serde::Serialize;

/// The version of the form.
const VERSION: u32 = 1;

/// The page that an answer shows.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SeenPage {
    version: u32,
    pub(crate) url: String,
    pub(crate) title: String,
    /// The lines of the outline; none if the answer has none.
    pub(crate) lines: Vec<OutlineLine>,
    /// Console errors and failed requests, one line per summary.
    pub(crate) problems: Vec<String>,
    /// The changes since the last answer, as they are printed.
    pub(crate) changes: Vec<String>,
}

impl SeenPage {
    /// Makes a page without an outline.
    pub(crate) fn new(url: String, title: String) -> SeenPage {
        let (problems, changes) = Default::default();
        SeenPage { version: VERSION, url, title, lines: Vec::new(), problems, changes }
    }
}

impl From<Outline> for SeenPage {
    fn from(outline: Outline) -> SeenPage {
        SeenPage { lines: outline.lines, ..SeenPage::new(outline.url, outline.title) }
    }
}
