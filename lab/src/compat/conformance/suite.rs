//! Runs the suite against a server, and reads what it found.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use tokio::process::Command;

/// How many characters the time has that ends the name of a result's folder.
const TIME: usize = "-2026-11-17T15-33-35-301Z".len();

/// One check of a scenario.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    pub id: String,
    pub status: CheckStatus,
    #[serde(default)]
    pub error_message: Option<String>,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CheckStatus {
    Success,
    Failure,
    Warning,
    Skipped,
    Info,
}

/// The checks of each scenario.
pub type Scenarios = BTreeMap<String, Vec<Check>>;

/// Runs everything that a version of the protocol requires of servers.
pub async fn run(suite: &Path, url: &str, version: &str) -> anyhow::Result<Scenarios> {
    let folder = tempfile::tempdir()?;
    let modules = suite.join("node_modules");
    let output = Command::new(modules.join(".bin/node"))
        .arg(modules.join("@modelcontextprotocol/conformance/dist/index.js"))
        .args(["server", "--url", url, "--requirements", version, "--output-dir"])
        .arg(folder.path())
        .output()
        .await?;
    let scenarios = read(folder.path())?;
    let printed = String::from_utf8_lossy(&output.stderr);
    // It exits with 1 if a check failed; whether that was expected is judged here.
    anyhow::ensure!(!scenarios.is_empty(), "the suite ran nothing: {}", printed.trim());
    Ok(scenarios)
}

fn read(folder: &Path) -> anyhow::Result<Scenarios> {
    let mut scenarios = Scenarios::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let scenario = scenario_of(&name).with_context(|| name.clone())?.to_owned();
        let checks = std::fs::read(entry.path().join("checks.json"))?;
        scenarios.insert(scenario, serde_json::from_slice(&checks).with_context(|| name.clone())?);
    }
    Ok(scenarios)
}

fn scenario_of(folder: &str) -> Option<&str> {
    let name = folder.strip_prefix("server-")?;
    name.get(..name.len().checked_sub(TIME)?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn folders_name_their_scenario() {
        let folder = "server-server-sse-polling-2026-11-17T15-33-35-580Z";
        assert_eq!(super::scenario_of(folder), Some("server-sse-polling"));
        assert_eq!(super::scenario_of("server-x"), None);
    }
}
