//! Packages that a folder of `lab/` pins: its files are copied to a folder of the same name in
//! `target/lab-apps`, and what they list is installed there when a list changed.

use std::path::{Path, PathBuf};

use tokio::process::Command;

use super::{python_environment, run};
use crate::options::repository;

/// Installs what `lab/NAME` pins for npm and pip; returns the folder. Python's are in `venv` in it.
pub async fn install(name: &str) -> anyhow::Result<PathBuf> {
    let folder = super::folder()?.join(name);
    copy(&repository().join("lab").join(name), &folder)?;
    if let Some(list) = changed(&folder, &["package-lock.json", "package.json"]) {
        // Without a lock file npm chooses the versions.
        let how = if list.ends_with("package-lock.json") { "ci" } else { "install" };
        let mut npm = Command::new("npm");
        npm.args([how, "--no-audit", "--no-fund", "--silent"]).current_dir(&folder);
        run(&mut npm).await?;
        std::fs::copy(&list, list.with_extension("installed"))?;
    }
    if let Some(list) = changed(&folder, &["requirements.txt"]) {
        let venv = folder.join("venv");
        python_environment(&venv).await?;
        let mut pip = Command::new(venv.join("bin/pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "-r"]).arg(&list);
        run(&mut pip).await?;
        std::fs::copy(&list, list.with_extension("installed"))?;
    }
    Ok(folder)
}

/// Returns the first of the lists that exists, if it is not what was installed.
fn changed(folder: &Path, lists: &[&str]) -> Option<PathBuf> {
    let list = lists.iter().map(|list| folder.join(list)).find(|list| list.exists())?;
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
