//! Targets: elements named by the words that a person sees, for actions on elements that have no
//! number yet. [`TargetQuery`] reads what the caller wrote, and [`look_up`] finds the lines of a
//! page that match it.
//!
//! A target must never lead to the wrong element. So it is compared with lines as outlines print
//! them, where a text of the page cannot pass for a role, and if several lines match, none is
//! chosen.

mod again;
mod candidates;
mod matching;
mod named;
mod query;
#[cfg(test)]
mod tests;

pub use again::SameControls;
pub use candidates::{Candidates, Usability, usability};
pub use matching::{TargetMatch, is_inside, look_up, look_up_container};
pub use named::named;
pub use query::{LineQuery, TargetQuery, TargetQueryError};
