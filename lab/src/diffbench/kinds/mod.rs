//! The kinds of change, each with its page. A page makes its own names and numbers from a seed,
//! says what is to be done in it (`plan`), and takes down in its own list (`truth`) what it changes
//! while it changes it.

mod appear;
mod places;
mod quiet;
mod rows;
mod states;

/// A kind of change.
pub struct ChangePage {
    /// What it is called in the table; those on the table of 300 rows begin with `300 rows`.
    pub name: &'static str,
    /// What stands in `main`, scripts and all; behind a line `FRAME` what stands in its frame.
    pub body: &'static str,
}

/// All of them, in the order of the table.
pub fn kinds() -> impl Iterator<Item = &'static ChangePage> {
    [appear::KINDS, rows::KINDS, states::KINDS, quiet::KINDS, places::KINDS].into_iter().flatten()
}
