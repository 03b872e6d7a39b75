//! Brings the rows of several pages together: those of a list that is scrolled, and those behind a
//! control that shows the next page. `structure` finds the same table or list again, `keys` and
//! `overlap` recognise rows that were read before, `reading` merges them, and `step`,
//! `next_control` and `page_numbers` say how the next page is reached. `drawn_part` finds out
//! whether a page has rows that it does not draw, and `placeholders` which rows it draws before
//! they are loaded.

mod drawn_part;
mod keys;
mod next_control;
mod overlap;
mod page_numbers;
mod placeholders;
mod reading;
mod step;
mod structure;

#[cfg(test)]
mod tests;

pub use drawn_part::is_drawn_in_part;
pub use keys::sort_rows;
pub use next_control::{NextControl, next_control};
pub use page_numbers::current_page;
pub use placeholders::drop_placeholders;
pub use reading::{Added, PageOrigin, RowsReading};
pub use step::step_down;
pub use structure::{RowsStructure, rows_again};
