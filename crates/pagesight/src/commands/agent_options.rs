//! The options of a process that agents use: `pagesight mcp` and `pagesight serve`.

use std::collections::HashMap;
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
    let environment = |name: &str| std::env::var(name).ok();
    let values = match browser.environment.connections.needs_values() {
        true => secrets.values()?.unwrap_or_default(),
        false => HashMap::new(),
    };
    let secrets = match values.is_empty() {
        true => secrets.read(&environment)?,
        false => secrets.is_used_elsewhere().read(&environment)?,
    };
    let lookup = |name: &str| values.get(name).cloned().or_else(|| environment(name));
    let options = Options {
        upload_roots,
        wording: hints::MCP,
        consent: ConsentWait::Answer,
        secrets,
        ..browser.options_with(&lookup)?
    };
    Ok((options, output_root))
}
