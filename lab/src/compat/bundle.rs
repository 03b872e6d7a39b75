//! Installs UI libraries and bundles the pages that use them.

use std::path::PathBuf;

use anyhow::Context;

use crate::install;
use crate::install::packages;
use crate::options::repository;

/// Installs packages of npm and bundles the pages of a part of `compat`: each source, and what is
/// made of it. Returns the folder of the pages.
pub async fn bundle(
    part: &str,
    names: &[&str],
    bundles: &[(&str, &str)],
) -> anyhow::Result<PathBuf> {
    let folder = install::folder()?;
    packages::node(&folder, names).await?;
    let npm = folder.join("npm");
    let pages = npm.join(part);
    std::fs::create_dir_all(&pages)?;
    let sources = repository().join("lab/src/compat").join(part).join("page");
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
        install::run(&mut esbuild).await.with_context(|| (*source).to_owned())?;
    }
    Ok(pages)
}
