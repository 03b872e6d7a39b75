//! Installs the packages that `cargo xtask dist` wrote, each into an empty prefix and home, looks
//! at a page with it, removes it, and lists what is left. Then tries the launcher of the npm
//! package: how much time it adds, and how it passes signals and exit statuses.

use crate::options::repository;
use crate::pages;

pub const ITEMS: [&str; 11] = [
    "npm",
    "npm --global",
    "npx",
    "pip",
    "uv tool",
    "uvx",
    "pipx",
    "mcpb",
    "archive",
    "cargo install",
    "launcher",
];

/// Tries the packages in `target/dist`.
pub async fn run(chosen: &[&str]) -> anyhow::Result<Vec<String>> {
    let site = pages::fixtures().await?;
    let work = tempfile::tempdir()?;
    let ended = tokio::process::Command::new("python3")
        .arg(repository().join("lab/dist/packages.py"))
        .arg(repository().join("target/dist"))
        .arg(format!("{site}/dashboard.html"))
        .arg("Dashboard")
        .arg(work.path())
        .args(chosen)
        .status()
        .await?;
    anyhow::ensure!(ended.success(), "see the table");
    Ok(Vec::new())
}
