//! Builds the Rust test programs of the workspace, and makes a suite of each.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value;

use super::report::read_libtest;
use super::suite::Suite;

/// How long one test program may run.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// A built test program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestProgram {
    /// The package it belongs to.
    pub package: String,
    /// The target: `lib`, `bin` or the name of a file in `tests/`.
    pub target: String,
    /// The path of the program.
    pub path: PathBuf,
    /// The folder that cargo would run it in.
    pub folder: PathBuf,
}

impl TestProgram {
    /// Returns the name of its suite.
    pub fn suite_name(&self) -> String {
        match self.target.as_str() {
            "lib" | "bin" => format!("{} unit tests", self.package),
            "whole" => "whole path".to_owned(),
            target => format!("{} {target}", self.package),
        }
    }

    /// Returns the suite of this program; `arguments` select the tests, `environment` is added.
    pub fn suite(&self, arguments: &[&str], environment: &[(&'static str, String)]) -> Suite {
        let program = self.clone();
        let environment = environment.to_vec();
        let command = move || {
            let mut command = Command::new(&program.path);
            command.current_dir(&program.folder);
            command.env("CARGO_MANIFEST_DIR", &program.folder).envs(environment.iter().cloned());
            command
        };
        let mut all = command();
        all.args(arguments);
        Suite {
            name: self.suite_name(),
            all,
            only: Box::new(move |names| {
                let mut command = command();
                command.args(["--test-threads=1", "--exact"]).args(names);
                command
            }),
            read: read_libtest,
            limit: LIMIT,
        }
    }
}

/// Builds test programs with `cargo test --no-run` and these arguments. The compiler's output goes
/// to standard error.
pub fn build(root: &Path, arguments: &[&str]) -> anyhow::Result<Vec<TestProgram>> {
    let built = Command::new("cargo")
        .args(["test", "--locked", "--no-run", "--message-format=json-render-diagnostics"])
        .args(arguments)
        .current_dir(root)
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cargo could not be started")?;
    if !built.status.success() {
        bail!("the tests do not compile");
    }
    let mut programs = read_artifacts(&String::from_utf8_lossy(&built.stdout))?;
    programs.sort_by_key(|program| (program.target == "whole", program.suite_name()));
    Ok(programs)
}

/// Reads cargo's messages: the programs that were built to run tests.
fn read_artifacts(messages: &str) -> anyhow::Result<Vec<TestProgram>> {
    let mut programs = Vec::new();
    for line in messages.lines() {
        let message: Value = serde_json::from_str(line).context("cargo printed no JSON")?;
        let is_test = message["profile"]["test"].as_bool() == Some(true);
        let Some(path) = message["executable"].as_str().filter(|_| is_test) else { continue };
        let manifest = message["manifest_path"].as_str().context("no manifest_path")?;
        let folder = Path::new(manifest).parent().context("no folder")?.to_owned();
        let kind = message["target"]["kind"][0].as_str().unwrap_or_default();
        let name = message["target"]["name"].as_str().unwrap_or_default();
        programs.push(TestProgram {
            package: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            target: if kind == "test" { name } else { kind }.to_owned(),
            path: path.into(),
            folder,
        });
    }
    Ok(programs)
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
        let programs = read_artifacts(&messages.join("\n")).unwrap();
        let names: Vec<String> = programs.iter().map(TestProgram::suite_name).collect();
        assert_eq!(names, ["a unit tests", "whole path"]);
        assert_eq!(programs[0].folder, Path::new("/p/crates/a"));
    }
}
