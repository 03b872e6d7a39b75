//! Shared by all packages: the texts, the program, and how tools are run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use serde_json::Value;

use super::platforms::Platform;

/// The version of the workspace.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The description of pagesight in every package.
pub const DESCRIPTION: &str = env!("CARGO_PKG_DESCRIPTION");
/// The licence as an SPDX expression.
pub const LICENCE: &str = env!("CARGO_PKG_LICENSE");
/// The address of the project.
pub const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
/// The file name of the program.
pub const PROGRAM: &str = "pagesight";
/// Files that every package contains.
pub const LICENCE_FILES: [&str; 3] = ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE"];

/// A release that is being packed.
pub struct Release {
    /// The root of the project.
    pub root: PathBuf,
    /// The platform of the program.
    pub platform: Platform,
    pub program: PathBuf,
    /// Where the packages go.
    pub folder: PathBuf,
    /// Where packages are put together.
    pub work: PathBuf,
}

impl Release {
    /// Makes a folder to be packed, with the licences.
    pub fn package(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.work.join(name);
        std::fs::create_dir_all(&folder)?;
        for file in LICENCE_FILES {
            self.copy(file, &folder.join(file))?;
        }
        Ok(folder)
    }

    /// Copies a file of the project.
    pub fn copy(&self, file: &str, to: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(to.parent().unwrap_or(to))?;
        std::fs::copy(self.root.join(file), to).with_context(|| file.to_owned())?;
        Ok(())
    }

    /// Copies the program into a folder and makes the copy executable.
    pub fn copy_program(&self, folder: &Path) -> anyhow::Result<()> {
        let to = folder.join(PROGRAM);
        std::fs::create_dir_all(folder)?;
        std::fs::copy(&self.program, &to)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(to, std::fs::Permissions::from_mode(0o755))?;
        }
        Ok(())
    }
}

/// Writes a manifest.
pub fn write_json(path: &Path, value: &Value) -> anyhow::Result<()> {
    std::fs::write(path, format!("{}\n", serde_json::to_string_pretty(value)?))?;
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
