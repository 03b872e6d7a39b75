//! From a [`Page`](crate::page::Page) to what an agent reads.
//!
//! Every view is made in the same steps: `gather` (page → items, one a line), `tidy` (nothing said
//! twice, no lone wrappers), `select` (the caller's filter, query and place to go on), `fold` (runs
//! of equal siblings), `budget` (fit into the caller's tokens, folding by meaning) and `print`
//! (numbers and indentation). The budget engine knows nothing of outlines: any view that makes
//! items can use it.

mod budget;
mod fold;
mod gather;
mod items;
mod line;
mod measured;
mod numbers;
mod outline;
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
