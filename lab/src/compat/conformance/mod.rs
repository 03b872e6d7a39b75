//! The conformance suite of MCP, in both versions of the protocol, against `pagesight serve`.

mod proxy;
mod suite;

use std::collections::BTreeSet;

use serde::Deserialize;

use super::CompatArgs;
use crate::install::pinned;
use crate::options::repository;
use crate::report;
use crate::serve_process::ServeProcess;
use suite::{Check, CheckStatus, Scenarios};

/// The versions of the protocol.
pub const ITEMS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// The scenarios that need nothing but what pagesight offers. The others need prompts, resources or
/// tools of the suite.
const OFFERED: [&str; 9] = [
    "server-initialize",
    "ping",
    "tools-list",
    "server-sse-multiple-streams",
    "server-session-lifecycle",
    "dns-rebinding-protection",
    "server-stateless",
    "input-required-result-unsupported-methods",
    "http-header-validation",
];

/// How much of a reason is printed.
const LONGEST_REASON: usize = 300;

/// A check that is known to fail.
#[derive(Deserialize)]
struct ExpectedFailure {
    version: String,
    scenario: String,
    check: String,
    reason: String,
}

/// Runs the suite. A check that fails unexpectedly is a miss, and one that does not fail any more.
pub async fn run(args: &CompatArgs, versions: &[&str]) -> anyhow::Result<Vec<String>> {
    let suite = pinned::install("conformance").await?;
    let expected = std::fs::read(repository().join("lab/conformance/expected.json"))?;
    let expected: Vec<ExpectedFailure> = serde_json::from_slice(&expected)?;
    let folder = tempfile::tempdir()?;
    let process = ServeProcess::start(&args.program()?, folder.path(), &[]).await?;
    let through = proxy::start(process.address.clone(), process.token.clone()).await?;
    let mut misses = Vec::new();
    for version in versions {
        let mut ran = suite::run(&suite, &format!("http://{through}/mcp"), version).await?;
        ran.retain(|name, _| OFFERED.contains(&name.as_str()));
        print(version, &ran);
        misses.extend(judge(version, &ran, &expected));
    }
    println!("\nExpected failures:\n");
    for ExpectedFailure { version, check, reason, .. } in &expected {
        println!("- {version}: `{check}`: {reason}");
    }
    Ok(misses)
}

/// Compares what failed with what is expected to fail.
fn judge(version: &str, ran: &Scenarios, expected: &[ExpectedFailure]) -> Vec<String> {
    let mut misses = Vec::new();
    let here = expected.iter().filter(|known| known.version == version);
    let known: BTreeSet<(&str, &str)> =
        here.map(|known| (known.scenario.as_str(), known.check.as_str())).collect();
    let mut failed = BTreeSet::new();
    for (scenario, checks) in ran {
        for check in checks.iter().filter(|check| check.status == CheckStatus::Failure) {
            failed.insert((scenario.as_str(), check.id.as_str()));
            if !known.contains(&(scenario.as_str(), check.id.as_str())) {
                let said = check.error_message.as_deref().unwrap_or_default();
                let said: String = said.chars().take(LONGEST_REASON).collect();
                misses.push(format!("{version}, {scenario}, {}: {said}", check.id));
            }
        }
    }
    let passed = known.difference(&failed);
    misses.extend(passed.map(|known| format!("{version}, {known:?} does not fail any more")));
    misses
}

/// Prints how many checks of each scenario passed.
fn print(version: &str, ran: &Scenarios) {
    report::table(&format!("{version} | pagesight"));
    for (scenario, checks) in ran {
        println!("| {scenario} | {} |", counted(checks));
    }
}

fn counted(checks: &[Check]) -> String {
    let count = |status: CheckStatus| checks.iter().filter(|check| check.status == status).count();
    let mut shown = format!("{} passed", count(CheckStatus::Success));
    for (status, word) in [
        (CheckStatus::Failure, "failed"),
        (CheckStatus::Warning, "warned"),
        (CheckStatus::Skipped, "skipped"),
    ] {
        if count(status) > 0 {
            shown += &format!(", {} {word}", count(status));
        }
    }
    shown
}
