//! `cargo xtask page`: bundles the page script from `page/src` with esbuild.

use std::process::Command;

/// Builds the bundle, or only checks that the committed one is up to date.
pub fn run(check: bool) -> anyhow::Result<()> {
    let folder = crate::project::root().join("page");
    if !folder.join("node_modules").exists() {
        let installed = Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund"])
            .current_dir(&folder)
            .status()?;
        anyhow::ensure!(installed.success(), "npm ci failed in page/; is node installed?");
    }
    let mut build = Command::new("node");
    build.arg("build.mjs").current_dir(&folder);
    if check {
        build.arg("--check");
    }
    anyhow::ensure!(build.status()?.success(), "the page script was not built");
    Ok(())
}
