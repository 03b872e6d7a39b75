//! A scripted engine at the browser crate's traits: `record` writes down what a real browser
//! answers and reports, `replay` plays it back. `format` is the file.

pub mod events;
pub mod format;
pub mod record;
pub mod replay;
