//! A scripted engine that implements the browser crate's traits: `record` writes down what a real
//! browser answers and reports, `replay` plays it back. `format` is the file format.

pub mod events;
pub mod format;
pub mod record;
pub mod replay;
