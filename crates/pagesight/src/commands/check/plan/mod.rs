//! Reads `pages.toml` and creates one job for each page, viewport, browser and scope. Reports
//! errors with their line and the nearest known key, before a browser starts. Pages of sources are
//! added later, by `sources`.

mod model;
mod names;
mod reader;
mod source_reader;
mod toml_errors;
mod written;

pub(crate) use model::{Job, Overrides, PageSource, Plan, Setup, SourceKind, baseline_folder};
pub(crate) use names::{name_of, name_of_listed};

#[cfg(test)]
mod tests;
