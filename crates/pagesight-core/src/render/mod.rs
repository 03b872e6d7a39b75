//! Renders a [`Page`](crate::page::Page) as text for an agent.
//!
//! All views take the same steps: `gather` (page → items, one per line), `tidy` (no repetitions, no
//! lone wrappers), `select` (filter and start), `query` (the units that match the caller's
//! words), `fold` (runs of equal siblings), `budget` (fit into the tokens), and printing (numbers
//! and indentation). The budget engine works for any view that makes items.

mod budget;
mod fold;
mod gather;
mod items;
mod line;
mod measured;
mod numbers;
mod outline;
mod query;
mod select;
mod snapshot;
#[cfg(test)]
mod tests;
mod tidy;
mod within;

pub(crate) use items::{Item, ItemKind, Items};
pub(crate) use line::head;
pub use line::{headline, line, state_words};
pub use measured::{Measured, NoRoom, measured};
pub(crate) use numbers::Placeholder;
pub use numbers::{Numbers, SequentialNumbers};
pub use outline::{Filter, Outline, OutlineOptions, outline};
pub(crate) use outline::{lines, section};
pub use snapshot::{Snapshot, SnapshotFormat, SnapshotOptions, snapshot};
pub(crate) use within::surely_fits;
