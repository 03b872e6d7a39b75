//! The sentences that people read about changes: in the shell, in reports, comments and JUnit. They
//! are made from the typed change, never from the `description` that programs get. `single` words
//! one change, `entries` what lists and tables hold, and `together` joins equal changes.

mod entries;
mod noun;
mod single;
#[cfg(test)]
mod tests;
mod together;

pub(super) use noun::{capitalized, counted, noun};
pub use together::{WordedChanges, worded};
