//! Installs everything that the lab needs from elsewhere: web apps, MCP clients, WebDriver servers,
//! icon sets. All of it goes into `target/lab-apps` and is installed once, except chromedriver,
//! Xvfb and xdotool, which come with the system's packages.

pub mod apps;
pub mod bundle;
pub mod display;
pub mod drivers;
pub mod packages;
pub mod pinned;

use std::path::{Path, PathBuf};

use tokio::process::Command;

use crate::options::repository;

/// Returns the folder that everything is installed into, with the files of `lab/apps` copied to
/// their places.
pub fn folder() -> anyhow::Result<PathBuf> {
    let folder = repository().join("target/lab-apps");
    // The folders of `lab/apps` are those that the apps expect.
    pinned::copy(&repository().join("lab/apps"), &folder)?;
    Ok(folder)
}

/// Makes sure that a tool of the system is there; tries to install it with apt.
async fn system(tool: &str, package: &str) -> anyhow::Result<()> {
    let is_there = || async { run(Command::new("which").arg(tool)).await.is_ok() };
    if !is_there().await {
        let _ = run(Command::new("apt-get").args(["install", "-y", package])).await;
        anyhow::ensure!(
            is_there().await,
            "{tool} is missing; install it (Debian: apt-get install {package})"
        );
    }
    Ok(())
}

/// Makes a virtual environment for Python, if there is none at this path.
async fn python_environment(venv: &Path) -> anyhow::Result<()> {
    if venv.join("bin/pip").exists() {
        return Ok(());
    }
    run(Command::new("python3").args(["-m", "venv"]).arg(venv)).await
}

/// Runs a command to its end; an error has what it printed.
pub async fn run(command: &mut Command) -> anyhow::Result<()> {
    let output = command.stdin(std::process::Stdio::null()).output().await?;
    let printed = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(
        output.status.success(),
        "{:?} failed: {}",
        command.as_std().get_program(),
        printed.trim()
    );
    Ok(())
}
