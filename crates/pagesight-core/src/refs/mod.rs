//! References: the numbers that callers see, and how long they are valid.
//!
//! An element gets a number when it is first shown with one; no number is used twice in a
//! workspace. A number is valid while its element lives in its document. If a framework replaces
//! the node by an equal one, the new node takes over the number, but only if there is no doubt.
//! Nothing here touches a browser.

mod error;
mod row;
mod seen;
mod signature;
mod table;
#[cfg(test)]
mod tests;

pub use error::RefError;
pub use seen::Seen;
pub(crate) use signature::lasting_hash;
pub use table::{Numbering, Reference, References, parse};
