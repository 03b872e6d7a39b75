//! Prints rows: as an answer within a token budget, or all of them for a file.

mod answer;
mod formats;
mod options;
mod sheet;

#[cfg(test)]
mod tests;

pub use answer::{print_answer, print_summary};
pub use formats::print_file;
pub use options::{RowsFormat, RowsOptions};
