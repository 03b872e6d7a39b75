//! Installs WebDriver servers: geckodriver is built from crates.io, chromedriver comes with the
//! system's packages.

use std::path::PathBuf;

use tokio::process::Command;

/// The version of geckodriver that is built.
const GECKODRIVER: &str = "geckodriver@0.37.1";

/// Returns the path of geckodriver; builds it if it is missing.
pub async fn geckodriver() -> anyhow::Result<PathBuf> {
    let folder = super::folder()?.join("drivers");
    let driver = folder.join("bin/geckodriver");
    if !driver.exists() {
        let mut install = Command::new("cargo");
        super::run(install.args(["install", GECKODRIVER, "--locked", "--root"]).arg(&folder))
            .await?;
    }
    Ok(driver)
}

/// Returns the name of chromedriver; installs it with apt if it is missing.
pub async fn chromedriver() -> anyhow::Result<PathBuf> {
    super::system("chromedriver", "chromium-driver").await?;
    Ok("chromedriver".into())
}
