//! `cargo xtask dist`: every package that users install, made from one release build. The version
//! is the workspace's; `tidy` checks that files which repeat it agree.

mod mcpb;
mod npm;
mod platforms;
pub mod registry;
mod release;
mod wheel;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use clap::Args;

use platforms::PLATFORMS;
use release::{PROGRAM, Release, VERSION, run_tool};

/// How large the program and its archive may be, in bytes.
const PROGRAM_LIMIT: u64 = 22_000_000;
const ARCHIVE_LIMIT: u64 = 8_000_000;

/// Options of `cargo xtask dist`.
#[derive(Args)]
pub struct DistArgs {
    /// The platform to build for, as a Rust target triple
    #[arg(long, default_value = PLATFORMS[0].target, value_parser = PLATFORMS.map(|known| known.target))]
    target: String,
    /// A release program of that target that exists already; nothing is built
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// Leave out the crates for crates.io
    #[arg(long)]
    no_crates: bool,
    /// Leave out the bundle for Claude Desktop, whose tool comes from npm
    #[arg(long)]
    no_bundle: bool,
    /// Write only the bundle for Claude Desktop
    #[arg(long, conflicts_with = "no_bundle")]
    only_bundle: bool,
}

/// Builds the program and writes all packages to `target/dist`.
pub fn run(args: &DistArgs) -> anyhow::Result<()> {
    let root = crate::project::root();
    let platform = PLATFORMS.into_iter().find(|known| known.target == args.target);
    let platform = platform.context("--target: not a known platform")?;
    let program = match &args.program {
        Some(program) => program.clone(),
        None => build(&root, platform.target)?,
    };
    check_program(&program)?;
    let folder = root.join("target/dist");
    let work = root.join("target/dist-work");
    for folder in [&folder, &work] {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
        std::fs::create_dir_all(folder)?;
    }
    let release = Release { root, platform, program, folder, work };
    if !args.no_bundle {
        mcpb::write(&release)?;
    }
    if !args.only_bundle {
        archive(&release)?;
        npm::write(&release)?;
        wheel::write(&release)?;
        std::fs::write(release.folder.join("server.json"), registry::entry()?)?;
    }
    if !args.no_crates && !args.only_bundle {
        crates(&release)?;
    }
    for package in std::fs::read_dir(&release.folder)? {
        let package = package?;
        println!("{:>10}  {}", package.metadata()?.len(), package.file_name().display());
    }
    std::fs::remove_dir_all(&release.work)?;
    Ok(())
}

fn build(root: &Path, target: &str) -> anyhow::Result<PathBuf> {
    cargo(root, "build --release -p pagesight", &["--target", target])
        .with_context(|| format!("`rustup target add {target}` installs what Rust needs"))?;
    Ok(root.join("target").join(target).join("release").join(PROGRAM))
}

fn cargo(root: &Path, command: &str, more: &[&str]) -> anyhow::Result<()> {
    let mut cargo = Command::new("cargo");
    cargo.args(command.split(' ')).args(["--locked", "--target-dir", "target"]).args(more);
    anyhow::ensure!(cargo.current_dir(root).status()?.success(), "cargo {command} failed");
    Ok(())
}

/// Checks size and, if the program runs here, version of the program.
fn check_program(program: &Path) -> anyhow::Result<()> {
    check_size("the program", program, PROGRAM_LIMIT)?;
    match Command::new(program).arg("--version").output() {
        Ok(output) => {
            let printed = String::from_utf8_lossy(&output.stdout);
            let expected = format!("pagesight {VERSION}");
            anyhow::ensure!(
                output.status.success() && printed.trim() == expected,
                "{}: --version must print {expected:?}, not {:?}",
                program.display(),
                printed.trim()
            );
        }
        Err(error) => println!("not run here, because it is for a different machine: {error}"),
    }
    Ok(())
}

fn check_size(what: &str, path: &Path, limit: u64) -> anyhow::Result<()> {
    let size = std::fs::metadata(path).with_context(|| path.display().to_string())?.len();
    anyhow::ensure!(size <= limit, "{what} has {size} bytes; the limit is {limit}");
    Ok(())
}

/// Writes the archive that releases and cargo-binstall use.
fn archive(release: &Release) -> anyhow::Result<()> {
    let name = format!("pagesight-{VERSION}-{}", release.platform.target);
    let folder = release.package(&name)?;
    release.copy_program(&folder)?;
    release.copy("packaging/README.md", &folder.join("README.md"))?;
    let path = release.folder.join(format!("{name}.tar.xz"));
    run_tool(Command::new("tar").arg("-cJf").arg(&path).arg("-C").arg(&release.work).arg(&name))?;
    check_size("the archive", &path, ARCHIVE_LIMIT)
}

/// Packs the crates, and builds each from its packed form.
fn crates(release: &Release) -> anyhow::Result<()> {
    cargo(&release.root, "package --workspace --exclude xtask --allow-dirty", &[])?;
    for name in ["", "-browser", "-check", "-core", "-session", "-team"] {
        let name = format!("pagesight{name}");
        let file = format!("{name}-{VERSION}.crate");
        release.copy(&format!("target/package/{file}"), &release.folder.join(&file))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
