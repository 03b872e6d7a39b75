//! `cargo xtask dist`: every package that users install, made from one release build. The version
//! is the workspace's; `tidy` checks that files which repeat it agree.

mod mcpb;
mod npm;
mod platforms;
mod release;
mod wheel;
mod zip;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use clap::Args;
use serde_json::Value;

use platforms::{PLATFORMS, Platform};
use release::{LICENCE_FILES, Release, VERSION, copy_program, run_tool, sha256};

/// How large the program and its archive may be, in bytes.
const PROGRAM_LIMIT: u64 = 22_000_000;
const ARCHIVE_LIMIT: u64 = 8_000_000;

/// Options of `cargo xtask dist`.
#[derive(Args)]
pub struct DistArgs {
    /// The platform to build for, as a Rust target triple
    #[arg(long, default_value = PLATFORMS[0].target)]
    target: String,
    /// A release program of that target that exists already; nothing is built
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// Leave out the crates for crates.io
    #[arg(long)]
    no_crates: bool,
}

/// Builds the program and writes all packages to `target/dist`.
pub fn run(args: &DistArgs) -> anyhow::Result<()> {
    let root = crate::project::root();
    let platform = Platform::find(&args.target)?;
    let program = match &args.program {
        Some(program) => program.clone(),
        None => build(&root, platform)?,
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
    let archive = archive(&release)?;
    check_size("the archive", &archive, ARCHIVE_LIMIT)?;
    let mut packages = vec![archive];
    packages.extend(npm::write(&release)?);
    packages.push(wheel::write(&release)?);
    packages.push(mcpb::write(&release)?);
    packages.push(registry_entry(&release)?);
    if !args.no_crates {
        packages.extend(crates(&release)?);
    }
    packages.sort();
    let mut sums = String::new();
    for package in &packages {
        let name = package.file_name().unwrap_or_default().to_string_lossy();
        sums.push_str(&format!("{}  {name}\n", sha256(package)?));
        println!("{:>10}  {name}", std::fs::metadata(package)?.len());
    }
    let name = format!("SHA256SUMS-{}", release.platform.target);
    std::fs::write(release.folder.join(name), sums)?;
    std::fs::remove_dir_all(&release.work)?;
    Ok(())
}

fn build(root: &Path, platform: &Platform) -> anyhow::Result<PathBuf> {
    let arguments = ["build", "--release", "--locked", "-p", "pagesight", "--target-dir", "target"];
    let status = Command::new("cargo")
        .args(arguments)
        .args(["--target", platform.target])
        .current_dir(root)
        .status()
        .context("cargo")?;
    anyhow::ensure!(
        status.success(),
        "the build for {target} failed; `rustup target add {target}` installs what Rust needs",
        target = platform.target
    );
    Ok(root.join("target").join(platform.target).join("release").join(platform.program()))
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
fn archive(release: &Release) -> anyhow::Result<PathBuf> {
    let name = format!("pagesight-{VERSION}-{}", release.platform.target);
    let folder = release.work.join(&name);
    std::fs::create_dir_all(&folder)?;
    copy_program(release, &folder.join(release.platform.program()))?;
    std::fs::copy(release.root.join("packaging/README.md"), folder.join("README.md"))?;
    for file in LICENCE_FILES {
        std::fs::copy(release.root.join(file), folder.join(file))?;
    }
    let path = release.folder.join(format!("{name}.tar.xz"));
    run_tool(Command::new("tar").arg("-cJf").arg(&path).arg("-C").arg(&release.work).arg(&name))?;
    Ok(path)
}

/// Writes the entry for the MCP registry. It offers npm and PyPI, which choose the platform; a
/// bundle is for one platform, and the registry cannot say which.
fn registry_entry(release: &Release) -> anyhow::Result<PathBuf> {
    let text = std::fs::read_to_string(release.root.join("server.json"))?;
    let entry: Value = serde_json::from_str(&text)?;
    let schema = std::fs::read_to_string(release.root.join("packaging/server.schema.json"))?;
    let broken = crate::tidy::schema::findings(&entry, &serde_json::from_str(&schema)?);
    anyhow::ensure!(broken.is_empty(), "server.json: {}", broken.join("; "));
    let path = release.folder.join("server.json");
    std::fs::write(&path, format!("{}\n", serde_json::to_string_pretty(&entry)?))?;
    Ok(path)
}

/// Packs the crates, and builds each from its packed form.
fn crates(release: &Release) -> anyhow::Result<Vec<PathBuf>> {
    let arguments = ["package", "--workspace", "--exclude", "xtask", "--locked", "--allow-dirty"];
    let status = Command::new("cargo")
        .args(arguments)
        .args(["--target-dir", "target"])
        .current_dir(&release.root)
        .status()?;
    anyhow::ensure!(status.success(), "cargo package failed");
    let mut packed = Vec::new();
    for name in ["pagesight", "pagesight-browser", "pagesight-core", "pagesight-session"] {
        let file = format!("{name}-{VERSION}.crate");
        let path = release.folder.join(&file);
        std::fs::copy(release.root.join("target/package").join(&file), &path)
            .with_context(|| file)?;
        packed.push(path);
    }
    Ok(packed)
}

#[cfg(test)]
mod tests;
