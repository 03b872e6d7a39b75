//! A scripted engine that implements the browser crate's traits: `record` writes down what a real
//! browser answers and reports, `replay` plays it back, and `case_tab` is the tab of both. `format`
//! is the file format.

pub mod case_tab;
pub mod format;
pub mod record;
pub mod replay;
