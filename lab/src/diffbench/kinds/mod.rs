//! The kinds of change, each with its page. A page makes its names and numbers from a seed, says
//! which actions to do (`plan`), and records in a list (`truth`) what it changes.

use crate::page_files::pages;

const FILES: [&str; 5] = [
    include_str!("appear.html"),
    include_str!("rows.html"),
    include_str!("states.html"),
    include_str!("quiet.html"),
    include_str!("places.html"),
];

/// Returns all kinds with their pages, in the order of the table. Those with the table of 300 rows
/// start with `300 rows`. A page is the content of `main`, with scripts; after a line `FRAME`, the
/// content of its frame.
pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.into_iter().flat_map(pages)
}
