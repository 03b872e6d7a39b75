//! Baselines: fingerprints stored under a name, with their history. `model` has the types and the
//! trait of a store; `sqlite` is the store that comes with pagesight, `postgres` is one for teams,
//! with `branches`, and `contract` is the test that every store must pass. `place` decides where
//! the store of a project is.

mod branches;
#[cfg(test)]
mod contract;
mod files;
mod model;
mod place;
pub(crate) mod postgres;
mod sqlite;
pub(crate) mod stored;

pub use branches::Branches;
pub use files::{export, file_name, read_file, write_file};
pub use model::{BaselineError, Baselines, Fit, Listed, Name, Result, Version};
pub use place::{FOLDER, ONLY_RUNS, ProjectEntry, project_entry, store_path};
pub use postgres::{MOST_PICTURE_BYTES, PageKey, PostgresBaselines, PostgresPages, StoredPage};
pub use sqlite::SqliteBaselines;
