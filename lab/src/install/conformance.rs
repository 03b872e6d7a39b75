//! Installs the conformance suite of MCP, in the version that `lab/conformance` pins, and the Node
//! that it needs.

use std::path::PathBuf;

use tokio::process::Command;

use super::run;
use crate::options::repository;

pub struct InstalledSuite {
    pub node: PathBuf,
    pub script: PathBuf,
    /// The folder with what each version of the protocol requires.
    pub requirements: PathBuf,
}

pub async fn install() -> anyhow::Result<InstalledSuite> {
    let folder = super::folder()?.join("conformance");
    let pinned = repository().join("lab/conformance");
    std::fs::create_dir_all(&folder)?;
    for file in ["package.json", "package-lock.json", ".npmrc"] {
        std::fs::copy(pinned.join(file), folder.join(file))?;
    }
    let mut npm = Command::new("npm");
    run(npm.args(["ci", "--no-audit", "--no-fund", "--silent"]).current_dir(&folder)).await?;
    let suite = folder.join("node_modules/@modelcontextprotocol/conformance");
    Ok(InstalledSuite {
        node: folder.join("node_modules/.bin/node"),
        script: suite.join("dist/index.js"),
        requirements: suite.join("requirements"),
    })
}
