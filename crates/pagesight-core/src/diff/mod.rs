//! The changes between two captures of a page, in the words of the outline.
//!
//! The steps: `lines` (each page as the lines that an agent reads), `matching` (which line before
//! is which line after, by node first), `moves`, `compare` (lines → changes), `phrases` (one
//! change as one line), `behind` (the page behind a dialog), `regions` (what is shown as a
//! whole) and `render` (the most important
//! first, within a budget).
//!
//! Changes that happen without an action are listed separately. `clocks` recognises clocks by their
//! text alone. For other elements, the page script counts for a minute after every look which of
//! them change while nothing is done, and the caller passes them in [`Circumstances::restless`].
//!
//! [`Confidence`] says how much of the page was captured.

mod behind;
#[cfg(test)]
mod behind_tests;
mod clocks;
mod compare;
mod confidence;
#[cfg(test)]
mod label_tests;
mod lines;
mod matching;
mod model;
mod moves;
mod phrases;
#[cfg(test)]
mod properties;
mod regions;
mod render;
mod result;
mod room;
#[cfg(test)]
mod summary_tests;
#[cfg(test)]
pub(crate) mod tests;
mod text_change;

use std::sync::Arc;

pub use behind::PageBehind;
pub use confidence::{Confidence, THRESHOLD};
pub use lines::Reading;
pub use model::{Circumstances, Detail, ElementKey, LineChange, LineFate};
pub use moves::Move;
pub use result::Diff;

use crate::page::Page;
use lines::Lines;

/// Compares two looks at a page.
pub fn diff<'p>(before: &'p Page, after: &'p Page) -> Diff<'p> {
    diff_in(before, after, &Circumstances::default())
}

/// Compares two looks at a page, with what the caller knows beyond them.
pub fn diff_in<'p>(before: &'p Page, after: &'p Page, circumstances: &Circumstances) -> Diff<'p> {
    let [old, new] = [before, after].map(|page| Arc::new(Reading::of(page)));
    diff_read((before, old), (after, new), circumstances)
}

/// Compares pages whose lines were already read. Each reading must belong to its page.
pub fn diff_read<'p>(
    (before, old): (&'p Page, Arc<Reading>),
    (after, new): (&'p Page, Arc<Reading>),
    circumstances: &Circumstances,
) -> Diff<'p> {
    let (old, new) = (Lines::new(before, old), Lines::new(after, new));
    let compare::Compared { mut changes, background, replaced, partners } =
        compare::compare(&old, &new, circumstances);
    let behind = behind::page_behind(&old, &new, &partners, &mut changes);
    let title = (before.title != after.title).then(|| (before.title.clone(), after.title.clone()));
    let revealed = changes.iter().any(|change| change.fate == LineFate::Revealed);
    let confidence = Confidence::of(before, after, circumstances, revealed);
    Diff {
        changes,
        behind,
        background,
        replaced,
        partners,
        title,
        confidence,
        old,
        new,
        acted: circumstances.acted.clone(),
    }
}
