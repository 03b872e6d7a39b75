//! The kinds of change, each with its page. A page makes its names and numbers from a seed, says
//! which actions to do (`plan`), and records in a list (`truth`) what it changes.

mod appear;
mod places;
mod quiet;
mod rows;
mod states;

/// A kind of change.
pub struct ChangePage {
    /// Its name in the table; those with the table of 300 rows start with `300 rows`.
    pub name: &'static str,
    /// The content of `main`, with scripts; after a line `FRAME`, the content of its frame.
    pub body: &'static str,
}

/// Returns all kinds, in the order of the table.
pub fn kinds() -> impl Iterator<Item = &'static ChangePage> {
    [appear::KINDS, rows::KINDS, states::KINDS, quiet::KINDS, places::KINDS].into_iter().flatten()
}
