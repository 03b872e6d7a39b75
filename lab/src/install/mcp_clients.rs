//! Installs the official MCP clients for Python and TypeScript, in the versions that `lab/clients`
//! pins.

use std::path::PathBuf;

use tokio::process::Command;

use super::{python_environment, run};
use crate::options::repository;

/// A client: the interpreter, and the script that it runs.
pub struct InstalledClient {
    pub interpreter: PathBuf,
    pub script: PathBuf,
}

pub async fn install() -> anyhow::Result<[InstalledClient; 2]> {
    let folder = super::folder()?.join("clients");
    let scripts = repository().join("lab/clients");
    std::fs::create_dir_all(&folder)?;
    let venv = folder.join("venv");
    python_environment(&venv).await?;
    let requirements = std::fs::read_to_string(scripts.join("requirements.txt"))?;
    let installed = folder.join("requirements.txt");
    if std::fs::read_to_string(&installed).ok().as_ref() != Some(&requirements) {
        let mut pip = Command::new(venv.join("bin/pip"));
        run(pip
            .args(["install", "--quiet", "--disable-pip-version-check", "-r"])
            .arg(scripts.join("requirements.txt")))
        .await?;
        std::fs::write(installed, requirements)?;
    }
    for file in ["package.json", "package-lock.json", ".npmrc", "typescript_client.mjs"] {
        std::fs::copy(scripts.join(file), folder.join(file))?;
    }
    let mut npm = Command::new("npm");
    run(npm.args(["ci", "--no-audit", "--no-fund", "--silent"]).current_dir(&folder)).await?;
    Ok([
        InstalledClient {
            interpreter: venv.join("bin/python"),
            script: scripts.join("python_client.py"),
        },
        InstalledClient {
            interpreter: "node".into(),
            script: folder.join("typescript_client.mjs"),
        },
    ])
}
