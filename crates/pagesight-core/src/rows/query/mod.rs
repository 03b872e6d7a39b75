//! Questions about rows: which of them, in which order, and what they amount to.

mod model;
mod parse;
mod run;

#[cfg(test)]
mod tests;

pub use model::{Group, RowsQuery, RowsQueryError};
pub use run::{RowsSelection, select};
