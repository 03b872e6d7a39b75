//! Brings the rows of several pages together: those of a list that is scrolled, and those behind a
//! control that shows the next page. `structure` finds the same table or list again, `keys` and
//! `overlap` recognise rows that were read before, `reading` merges them, and `step` and
//! `next_control` say how the next page is reached.

mod keys;
mod next_control;
mod overlap;
mod reading;
mod step;
mod structure;

#[cfg(test)]
mod tests;

pub use keys::sort_rows;
pub use next_control::{NextControl, current_page, next_control};
pub use reading::{Added, PageOrigin, RowsReading};
pub use step::step_down;
pub use structure::{RowsStructure, rows_again};
