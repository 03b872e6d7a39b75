//! The pure heart of pagesight: no I/O, no async, no clock, no browser.
//!
//! The path of data is the order of the modules: a [`capture`] becomes a [`page::Page`] (or what is
//! new in it a [`patch`] of the one before; those of frames are [`graft`]ed in), whose elements get
//! lasting [`refs`]. The [`pipeline`] says what of it is worth showing, and the views in [`render`]
//! show it, within a budget of [`tokens`]; two looks at a page make a [`diff`]. What a page is made
//! of is its [`fingerprint`]; two of them are [`compare`]d.

pub mod capture;
pub mod compare;
pub mod diff;
pub mod fingerprint;
pub mod graft;
pub mod page;
pub mod page_file;
pub mod patch;
#[cfg(test)]
mod picture;
pub mod pipeline;
pub mod query;
pub mod refs;
pub mod render;
pub mod role;
pub mod selectors;
pub mod settle;
pub mod tokens;
mod wellformed;
