//! The location of the project, and the commands that run in it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// Returns a command without the variables in which `cargo run` describes xtask. Build scripts of
/// some dependencies run again when these change, and everything above is compiled again.
pub fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}
