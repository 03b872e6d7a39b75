//! Builds the Rust test programs of the workspace, and makes a suite of each.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

use super::suite::{Suite, report_as_json};

/// A built test program.
#[derive(Debug)]
pub struct TestProgram {
    /// `pagesight unit tests`, or the name of a folder in `tests/` with its package.
    name: String,
    path: PathBuf,
    /// The folder that cargo would run it in.
    folder: PathBuf,
}

impl TestProgram {
    /// Whether most of its tests need a browser: they are in a folder of this name.
    pub fn needs_browser(&self) -> bool {
        ["whole", "browser"].iter().any(|tests| self.name.ends_with(&format!(" {tests} tests")))
    }

    /// Returns the suite of this program; `arguments` select the tests.
    pub fn suite(&self, arguments: &[&str]) -> Suite {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        command.args(arguments);
        report_as_json(&mut command);
        Suite { name: self.name.clone(), command }
    }
}

/// Builds test programs with `cargo test --no-run` and these arguments. The compiler's output goes
/// to standard error.
pub fn build(root: &Path, arguments: &[&str]) -> anyhow::Result<Vec<TestProgram>> {
    let built = crate::project::command("cargo")
        .args(["test", "--locked", "--no-run", "--message-format=json-render-diagnostics"])
        .args(arguments)
        .current_dir(root)
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cargo could not be started")?;
    if !built.status.success() {
        bail!("the tests do not compile");
    }
    String::from_utf8_lossy(&built.stdout)
        .lines()
        .filter_map(|line| program(line).transpose())
        .collect()
}

/// Reads one message of cargo: a program that was built to run tests, or something else.
fn program(line: &str) -> anyhow::Result<Option<TestProgram>> {
    let message: Value = serde_json::from_str(line).context("cargo printed no JSON")?;
    let is_test = message["profile"]["test"].as_bool() == Some(true);
    let Some(path) = message["executable"].as_str().filter(|_| is_test) else { return Ok(None) };
    let manifest = message["manifest_path"].as_str().context("no manifest_path")?;
    let folder = Path::new(manifest).parent().context("no folder")?.to_owned();
    let package = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let target = match message["target"]["kind"][0].as_str() {
        Some("test") => message["target"]["name"].as_str().unwrap_or_default(),
        _ => "unit",
    };
    Ok(Some(TestProgram { name: format!("{package} {target} tests"), path: path.into(), folder }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read_from_cargos_messages() {
        let messages = [
            r#"{"reason":"compiler-artifact","manifest_path":"/p/crates/a/Cargo.toml","target":{"kind":["lib"],"name":"a"},"profile":{"test":true},"executable":"/t/a-1"}"#,
            r#"{"reason":"compiler-artifact","manifest_path":"/p/crates/a/Cargo.toml","target":{"kind":["test"],"name":"whole"},"profile":{"test":true},"executable":"/t/whole-1"}"#,
            r#"{"reason":"compiler-artifact","manifest_path":"/p/crates/a/Cargo.toml","target":{"kind":["bin"],"name":"a"},"profile":{"test":false},"executable":"/t/a"}"#,
            r#"{"reason":"build-finished","success":true}"#,
        ];
        let programs: Vec<TestProgram> =
            messages.iter().filter_map(|line| program(line).unwrap()).collect();
        let names: Vec<&str> = programs.iter().map(|program| program.name.as_str()).collect();
        assert_eq!(names, ["a unit tests", "a whole tests"]);
        assert_eq!(programs[0].folder, Path::new("/p/crates/a"));
        assert!(programs[1].needs_browser() && !programs[0].needs_browser());
    }
}
