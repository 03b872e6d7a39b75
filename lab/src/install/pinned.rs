//! Packages that a folder of `lab/` pins: its files are copied to a folder of the same name in
//! `target/lab-apps`, and what they list is installed there when a list changed.

use std::path::{Path, PathBuf};

use tokio::process::Command;

use super::{python_environment, run};
use crate::options::repository;

/// Installs what `lab/NAME` pins for npm and pip; returns the folder.
pub async fn install(name: &str) -> anyhow::Result<PathBuf> {
    node(name).await?;
    python(name).await
}

/// Installs what `lab/NAME` pins for npm; returns the folder.
pub async fn node(name: &str) -> anyhow::Result<PathBuf> {
    let folder = copied(name)?;
    if let Some(list) = changed(name, &folder, &["package-lock.json", "package.json"]) {
        // Without a lock file npm chooses the versions.
        let how = if list.ends_with("package-lock.json") { "ci" } else { "install" };
        let mut npm = Command::new("npm");
        npm.args([how, "--no-audit", "--no-fund", "--silent"]).current_dir(&folder);
        run(&mut npm).await?;
        std::fs::copy(&list, list.with_extension("installed"))?;
    }
    Ok(folder)
}

/// Installs what `lab/NAME` pins for pip into `venv` in the folder, and returns the folder.
pub async fn python(name: &str) -> anyhow::Result<PathBuf> {
    let folder = copied(name)?;
    if let Some(list) = changed(name, &folder, &["requirements.txt"]) {
        let venv = folder.join("venv");
        python_environment(&venv).await?;
        let mut pip = Command::new(venv.join("bin/pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "-r"]).arg(&list);
        run(&mut pip).await?;
        std::fs::copy(&list, list.with_extension("installed"))?;
    }
    Ok(folder)
}

/// Returns the folder, with the current files of `lab/NAME`.
fn copied(name: &str) -> anyhow::Result<PathBuf> {
    let folder = super::folder()?.join(name);
    copy(&repository().join("lab").join(name), &folder)?;
    Ok(folder)
}

/// Returns the first of the lists that `lab/NAME` has, if it is not what was installed. A lock file
/// that npm wrote on its own does not count.
fn changed(name: &str, folder: &Path, lists: &[&str]) -> Option<PathBuf> {
    let source = repository().join("lab").join(name);
    let list = folder.join(lists.iter().find(|list| source.join(list).exists())?);
    let installed = std::fs::read(list.with_extension("installed")).ok();
    (installed != std::fs::read(&list).ok()).then_some(list)
}

/// Copies a folder with everything in it.
pub fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => drop(std::fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}
