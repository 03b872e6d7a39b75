//! The options of a process that agents use: `pagesight mcp` and `pagesight serve`.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use pagesight_session::{ConsentWait, Options, OutputRoot};

use crate::cli::options::BrowserArguments;
use crate::cli::secrets::SecretArguments;
use crate::hints;

/// Returns the options of sessions, and the folder of `--output-root`.
pub(super) fn agent_options(
    browser: &BrowserArguments,
    secrets: &SecretArguments,
    upload_roots: Vec<PathBuf>,
    output_root: Option<&Path>,
) -> anyhow::Result<(Options, Option<OutputRoot>)> {
    if let Some(missing) = upload_roots.iter().find(|folder| !folder.is_dir()) {
        bail!("--upload-root: {} is not a directory", missing.display());
    }
    let opened = output_root.map(|folder| {
        let not_there = |_| anyhow!("--output-root: {} is not a directory", folder.display());
        OutputRoot::new(folder).map_err(not_there)
    });
    let output_root = opened.transpose()?;
    let secrets = secrets.read(&|name| std::env::var(name).ok())?;
    let options = Options {
        upload_roots,
        wording: hints::MCP,
        consent: ConsentWait::Answer,
        secrets,
        ..browser.options()?
    };
    Ok((options, output_root))
}
