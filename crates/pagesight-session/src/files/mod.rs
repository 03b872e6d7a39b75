//! Files: `private_files` writes those that only the user can read, `output_root` those that
//! callers name.

pub(crate) mod output_root;
pub mod private_files;
