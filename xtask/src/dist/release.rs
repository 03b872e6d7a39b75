//! What all packages share: the texts, the program, and how tools are run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use sha2::{Digest, Sha256};

use super::platforms::Platform;

/// The version of the workspace.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What the packages say about pagesight.
pub const DESCRIPTION: &str = env!("CARGO_PKG_DESCRIPTION");
/// The licence as an SPDX expression.
pub const LICENCE: &str = env!("CARGO_PKG_LICENSE");
/// The address of the project.
pub const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
/// Files that every package contains.
pub const LICENCE_FILES: [&str; 3] = ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE"];

/// What is packed, and where to.
pub struct Release {
    /// The root of the project.
    pub root: PathBuf,
    /// The platform of the program.
    pub platform: &'static Platform,
    pub program: PathBuf,
    /// Where the packages go.
    pub folder: PathBuf,
    /// Where packages are put together.
    pub work: PathBuf,
}

/// Copies the program and makes the copy executable.
pub fn copy_program(release: &Release, to: &Path) -> anyhow::Result<()> {
    std::fs::copy(&release.program, to)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(to, std::fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// Runs a tool and returns its output; its messages are part of the error if it fails.
pub fn run_tool(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("{name} cannot be started"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "{name} failed: {}{}", text, messages.trim());
    Ok(text)
}

/// Returns the SHA-256 of a file, in hexadecimal digits.
pub fn sha256(path: &Path) -> anyhow::Result<String> {
    let digest = Sha256::digest(std::fs::read(path)?);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
