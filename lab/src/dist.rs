//! `cargo lab dist`: installs every package that `cargo xtask dist` wrote, each into an empty
//! prefix and home, looks at a page with it, removes it, and lists what is left. Then tries the
//! launcher of the npm package: how much time it adds, and how it passes signals and exit statuses.

use clap::Args;

use crate::options::repository;
use crate::pages;

/// Options of `cargo lab dist`.
#[derive(Args)]
pub struct PackageTrialArgs {
    /// Run only the packages whose name contains this text, or `launcher`
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// Tries the packages in `target/dist`; fails if one fails.
pub async fn run(args: PackageTrialArgs) -> anyhow::Result<()> {
    let target = repository().join("target");
    let site = pages::serve(repository().join("tests/fixtures")).await?;
    let work = tempfile::tempdir()?;
    let ended = tokio::process::Command::new("python3")
        .arg(repository().join("lab/dist/packages.py"))
        .arg(target.join("dist"))
        .arg(format!("{site}/dashboard.html"))
        .arg("Dashboard")
        .arg(work.path())
        .args(args.only)
        .status()
        .await?;
    anyhow::ensure!(ended.success(), "packages failed");
    Ok(())
}
