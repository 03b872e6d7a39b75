//! References: the numbers that callers see, and how long each is good for.
//!
//! A number is given to an element when it is first shown with one and is never used twice in a
//! workspace. It lives as long as the element lives in its document; if a framework replaces the
//! node by an equal one, the new node takes the number over, but only where there can be no doubt.
//! This module only keeps the books; nothing here touches a browser.

mod row;
mod signature;
mod table;
#[cfg(test)]
mod tests;

pub use table::{Numbering, RefError, Reference, References, Seen, parse};
