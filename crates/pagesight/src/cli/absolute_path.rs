//! Paths that mean the same in every folder.

use std::path::PathBuf;

/// Returns a path that means the same in every folder.
pub(crate) fn absolute(path: &PathBuf) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.clone())
}
