//! The folder of `--output-root`.

use std::path::Path;

use anyhow::anyhow;
use pagesight_session::OutputRoot;

pub(super) fn open(folder: &Path) -> anyhow::Result<OutputRoot> {
    OutputRoot::new(folder)
        .map_err(|_| anyhow!("--output-root: {} is not a directory", folder.display()))
}
