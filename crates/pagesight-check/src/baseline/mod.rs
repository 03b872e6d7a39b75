//! Baselines: what pages looked like. Tools save them under a name, with their history; a check has
//! one for each page, with a picture.
//!
//! `model` has the types and the trait of a store, and `contract` is the test that every store must
//! pass. `folder` is the store that comes with pagesight: files, in the form that `exported`
//! describes. `pages` and `page_files` have the baselines of a check, `form` their form. `place`
//! decides where the store of a project is, `branches` and `environment` to which branch and user
//! baselines belong.

mod branches;
#[cfg(test)]
mod contract;
mod digest;
pub mod environment;
mod exported;
mod folder;
pub(crate) mod form;
mod model;
pub(crate) mod one_change;
mod page;
mod page_files;
mod pages;
pub(crate) mod picture;
mod place;
pub mod stored;

pub use branches::Branches;
pub(crate) use digest::digest;
pub use exported::{export, file_name, read_file, write_file};
pub use folder::FileBaselines;
pub use model::{BaselineError, Baselines, Fit, Listed, Name, Result, Version};
pub use page::{PageKey, PageText, StoredPage};
pub use page_files::unused;
pub use pages::PageBaselines;
pub(crate) use pages::blocking;
pub use place::{FOLDER, ONLY_RUNS, ProjectEntry, project_entry, store_path};
