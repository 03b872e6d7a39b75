//! Installs the icon sets, and the packages that draw them, in the versions that `lab/icons` pins.

use std::path::PathBuf;

use tokio::process::Command;

use super::run;
use crate::options::repository;

/// Installs the packages and returns their folder, with the scripts of `lab/icons` beside them.
pub async fn install() -> anyhow::Result<PathBuf> {
    let folder = super::folder()?.join("icons");
    let from = repository().join("lab/icons");
    std::fs::create_dir_all(&folder)?;
    let lock = std::fs::read_to_string(from.join("package-lock.json"))?;
    let installed = folder.join("installed.json");
    let is_current = std::fs::read_to_string(&installed).ok().as_ref() == Some(&lock);
    for entry in std::fs::read_dir(&from)? {
        let entry = entry?;
        std::fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    if !is_current {
        let mut npm = Command::new("npm");
        run(npm.args(["ci", "--no-audit", "--no-fund", "--silent"]).current_dir(&folder)).await?;
        std::fs::write(installed, lock)?;
    }
    Ok(folder)
}
