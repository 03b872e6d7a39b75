//! Renders a [`Page`](crate::page::Page) as text for an agent.
//!
//! All views take the same steps: `gather` (page → items, one per line), `tidy` (no repetitions, no
//! lone wrappers, one line for nested elements that are one thing), `select` (filter and start),
//! `query` (the units that match the caller's words), `fold` (runs of equal siblings), `labels` (a
//! label and its value in one line), `targets` (click targets without a name), `budget` (fit into
//! the tokens), and printing (numbers and indentation). The budget engine works for any view that
//! makes items.

mod as_before;
mod budget;
mod cells;
mod fold;
mod gather;
mod gutters;
mod item_lines;
mod items;
mod labels;
mod line;
mod line_of_text;
mod link_target;
mod measured;
mod nested;
mod numbers;
mod opening;
mod outline;
mod outline_line;
mod owner_texts;
mod positions;
mod query;
mod select;
mod snapshot;
mod targets;
#[cfg(test)]
mod tests;
mod tidy;
mod within;

pub use as_before::KnownRegions;
pub(crate) use item_lines::lines;
pub(crate) use items::{Item, ItemKind, Items, parents};
pub(crate) use line::head;
pub use line::{headline, line, state_words};
pub use line_of_text::line_of_text;
pub(crate) use link_target::link_target;
pub use measured::{Measured, NoRoom, measured};
pub(crate) use nested::stands_for;
pub(crate) use numbers::Placeholder;
pub use numbers::{Numbers, SequentialNumbers};
pub use outline::{Filter, MatchLimit, Outline, OutlineOptions, check_continues, outline};
pub(crate) use outline::{notes, section};
pub use outline_line::OutlineLine;
pub(crate) use outline_line::role_word;
pub(crate) use owner_texts::texts_around;
pub use query::CannotContinue;
pub use snapshot::{Snapshot, SnapshotFormat, SnapshotOptions, snapshot};
pub(crate) use within::surely_fits;
