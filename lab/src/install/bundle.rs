//! Installs UI libraries and bundles the pages that use them.

use std::path::PathBuf;

use anyhow::Context;

use super::packages;
use crate::options::repository;

/// Installs packages of npm and bundles pages: each source in a folder of `lab/src`, and what is
/// made of it. Returns the folder of the pages.
pub async fn bundle(
    sources: &str,
    names: &[&str],
    bundles: &[(&str, &str)],
) -> anyhow::Result<PathBuf> {
    let folder = super::folder()?;
    packages::node(&folder, names).await?;
    let npm = folder.join("npm");
    let pages = npm.join(sources.replace('/', "-"));
    std::fs::create_dir_all(&pages)?;
    let sources = repository().join("lab/src").join(sources);
    for entry in std::fs::read_dir(sources)? {
        let entry = entry?;
        std::fs::copy(entry.path(), pages.join(entry.file_name()))?;
    }
    for (source, bundle) in bundles {
        let mut esbuild = tokio::process::Command::new(npm.join("node_modules/.bin/esbuild"));
        esbuild
            .arg(pages.join(source))
            .args(["--bundle", "--minify", "--log-level=error", "--loader:.png=dataurl"])
            .arg("--define:process.env.NODE_ENV=\"production\"")
            .arg(format!("--outfile={}", pages.join(bundle).display()));
        super::run(&mut esbuild).await.with_context(|| (*source).to_owned())?;
    }
    Ok(pages)
}
