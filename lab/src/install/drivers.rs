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
    const NAME: &str = "chromedriver";
    let mut version = Command::new(NAME);
    if super::run(version.arg("--version")).await.is_err() {
        let _ =
            super::run(Command::new("apt-get").args(["install", "-y", "chromium-driver"])).await;
        anyhow::ensure!(
            super::run(Command::new(NAME).arg("--version")).await.is_ok(),
            "chromedriver is missing; install it (Debian: apt-get install chromium-driver)"
        );
    }
    Ok(NAME.into())
}
