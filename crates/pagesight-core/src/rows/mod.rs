//! Reads what a page holds in rows as data: tables, grids, tree grids, lists, definition lists and
//! repeated cards. `find` chooses the structure; `grid` (with `raw_rows`) and `cards` read it with
//! the help of `cell` and `pieces`; `builder` completes the columns. `assemble` brings it together.
//! `query` chooses rows by what their cells mean (`value`); `print` prints them. `pages` brings the
//! rows of several pages together.

mod assemble;
mod builder;
mod cards;
mod cell;
mod ending;
mod find;
mod grid;
mod model;
pub mod pages;
mod pieces;
pub mod print;
pub mod query;
mod raw_rows;
mod read;
mod value;

#[cfg(test)]
mod tests;

pub use assemble::{RowsError, rows};
pub use ending::{ReadingEnd, ReadingNote, TabPlace};
pub use model::{Row, RowTable, RowsKind};
pub use read::{RowsRead, RowsReadError, RowsRequest, print_rows, read_page_rows};
