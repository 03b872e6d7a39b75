//! Reads `pages.toml` and creates one job for each page, viewport, browser and scope. Reports
//! errors with their line and the nearest known key, before a browser starts. Pages of sources are
//! added later, by `sources`.

mod audit;
mod bounds;
mod error;
pub(crate) mod glob;
mod model;
mod names;
pub(crate) mod problems;
mod reader;
pub(crate) mod secrets;
pub mod shard;
pub mod since;
mod source_reader;
pub(crate) mod steps;
mod views;
mod visual;
mod written;

pub use bounds::{OutOfBounds, PlanBounds};
pub use error::{PlanError, SettingError};
pub use glob::Glob;
pub use model::{Job, Overrides, Plan, baseline_folder};
pub(crate) use model::{PageSource, Setup, SourceKind};
pub(crate) use names::{name_of, name_of_listed};
pub use secrets::CheckSecrets;
pub(crate) use visual::VisualSetting;

#[cfg(test)]
mod tests;
