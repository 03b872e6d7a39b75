//! Installs everything that the lab needs from elsewhere: web apps, MCP clients, WebDriver servers,
//! icon sets. All of it goes into `target/lab-apps` and is installed once, except chromedriver,
//! Xvfb and xdotool, which come with the system's packages.

pub mod apps;
pub mod display;
pub mod drivers;
pub mod icon_apps;
pub mod packages;
pub mod pinned;

use std::path::{Path, PathBuf};

use anyhow::Context;
use tokio::process::Command;

use crate::options::repository;

/// Files of `lab/apps` that apps show, each with the folder that it is copied into.
const APP_FILES: [(&str, &str); 18] = [
    ("frames.html", "apps"),
    ("inner.html", "apps"),
    ("nicegui_app.py", "apps"),
    ("gradio_app.py", "apps"),
    ("marimo_app.py", "marimo"),
    ("gallery.html", "npm"),
    ("grapesjs.html", "npm"),
    ("wangeditor.html", "npm"),
    ("swagger.html", "npm"),
    ("imageeditor.html", "npm"),
    ("luckysheet.html", "npm"),
    ("xspreadsheet.html", "npm"),
    ("jspreadsheet.html", "npm"),
    ("quill.html", "npm"),
    ("aggrid.html", "npm"),
    ("note.ipynb", "jupyter"),
    ("flows.json", "node-red"),
    ("settings.js", "node-red"),
];

/// Returns the folder that everything is installed into, with the files of `lab/apps` copied to
/// their places.
pub fn folder() -> anyhow::Result<PathBuf> {
    let folder = repository().join("target/lab-apps");
    let from = repository().join("lab/apps");
    for (file, to) in APP_FILES {
        std::fs::create_dir_all(folder.join(to))?;
        std::fs::copy(from.join(file), folder.join(to).join(file))
            .with_context(|| file.to_owned())?;
    }
    Ok(folder)
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
