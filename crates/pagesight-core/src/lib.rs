//! The pure part of pagesight: no I/O, no async, no clock, no browser.
//!
//! The modules follow the path of the data. [`wire`] decodes what the page script sends into a
//! [`page::Page`]; [`refs`] gives its elements lasting numbers. The [`pipeline`] decides what is
//! worth showing, [`render`] writes it within a token budget ([`text`]). Two pages make a [`diff`].
//! A page's structure is its [`fingerprint`]; [`compare`] compares two of them. [`settle`] decides
//! when a page is ready. What a reader can do next is a [`hint`], which the caller words.
//! [`log`] keeps what the console and the network of a page said.
//! [`rows`] reads tables, lists and cards as data.
//! [`web_origin`] answers every question about origins.
//! [`nameless`] chooses what stands in the place of a missing name; [`icons`] names icons.

pub mod compare;
pub mod diff;
pub mod fingerprint;
pub mod hint;
pub mod icons;
pub mod log;
mod longest_rising;
pub mod nameless;
pub mod page;
pub mod pipeline;
pub mod refs;
pub mod render;
pub mod rows;
pub mod settle;
pub mod targets;
pub mod text;
pub mod web_origin;
pub mod wire;
