//! `cargo lab conformance`: the conformance suite of MCP, in both versions of the protocol, against
//! `pagesight serve` and, for what pagesight does not offer, against a fixture server on the same
//! stack. Then the official clients drive a page over HTTP.

mod fixture;
mod proxy;
mod suite;

use std::collections::BTreeSet;
use std::path::Path;

use clap::Args;
use serde::Deserialize;

use crate::install::{conformance, mcp_clients};
use crate::options::{OnlyArgs, ProgramArgs, repository};
use crate::pages;
use crate::serve::http::ServeProcess;
use suite::{Check, CheckStatus, Scenarios};

/// The versions of the protocol.
const VERSIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// The scenarios that need nothing but what pagesight offers. The others need prompts, resources or
/// tools of the suite.
const PRODUCT: [&str; 9] = [
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

/// Options of `cargo lab conformance`.
#[derive(Args)]
pub struct ConformanceArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    only: OnlyArgs,
}

/// A check that is known to fail.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct ExpectedFailure {
    server: String,
    version: String,
    scenario: String,
    check: String,
    reason: String,
}

/// Runs all parts; fails if a check failed that is not expected to, or the other way round.
pub async fn run(args: ConformanceArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let mut problems = Vec::new();
    if args.only.includes("suite") {
        problems.extend(run_suite(&program).await?);
    }
    if args.only.includes("clients") {
        drive_a_page(&program).await?;
    }
    anyhow::ensure!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}

async fn run_suite(program: &Path) -> anyhow::Result<Vec<String>> {
    let suite = conformance::install().await?;
    let expected = std::fs::read(repository().join("lab/conformance/expected.json"))?;
    let expected: Vec<ExpectedFailure> = serde_json::from_slice(&expected)?;
    let folder = tempfile::tempdir()?;
    let mut process = ServeProcess::start(program, folder.path(), &[]).await?;
    let through = proxy::start(process.address.clone(), process.token().to_owned()).await?;
    let fixture = fixture::start().await?;
    let mut problems = Vec::new();
    for version in VERSIONS {
        let product = suite::run(&suite, &format!("http://{through}/mcp"), version).await?;
        let fixture = suite::run(&suite, &format!("http://{fixture}/mcp"), version).await?;
        let optional = suite::not_required(&suite, version)?;
        print(version, &product, &fixture, &optional);
        let mut judge = Judge { version, expected: &expected, problems: &mut problems };
        let of_product = product.iter().filter(|(name, _)| PRODUCT.contains(&name.as_str()));
        judge.judge("product", of_product);
        let required = fixture.iter().filter(|(name, _)| !optional.contains(*name));
        judge.judge("fixture", required);
    }
    process.kill().await;
    println!("\nExpected failures:\n");
    for ExpectedFailure { server, version, check, reason, .. } in &expected {
        println!("- {server}, {version}: `{check}`: {reason}");
    }
    Ok(problems)
}

/// Compares what failed with what is expected to fail.
struct Judge<'a> {
    version: &'a str,
    expected: &'a [ExpectedFailure],
    problems: &'a mut Vec<String>,
}

impl Judge<'_> {
    fn judge<'s>(
        &mut self,
        server: &str,
        scenarios: impl Iterator<Item = (&'s String, &'s Vec<Check>)>,
    ) {
        let version = self.version;
        let here = |known: &&ExpectedFailure| known.server == server && known.version == version;
        let known: BTreeSet<(&str, &str)> =
            self.expected.iter().filter(here).map(name_of).collect();
        let mut failed = BTreeSet::new();
        for (scenario, checks) in scenarios {
            for check in checks.iter().filter(|check| check.status == CheckStatus::Failure) {
                let name = (scenario.as_str(), check.id.as_str());
                failed.insert(name);
                if !known.contains(&name) {
                    let said = check.error_message.as_deref().unwrap_or_default();
                    let said: String = said.chars().take(LONGEST_REASON).collect();
                    self.problems
                        .push(format!("{server}, {version}, {scenario}, {}: {said}", check.id));
                }
            }
        }
        for (scenario, check) in known.difference(&failed) {
            let line = format!("{server}, {version}, {scenario}, {check} does not fail any more");
            self.problems.push(line);
        }
    }
}

fn name_of(known: &ExpectedFailure) -> (&str, &str) {
    (&known.scenario, &known.check)
}

/// Prints how many checks of each scenario passed.
fn print(version: &str, product: &Scenarios, fixture: &Scenarios, optional: &BTreeSet<String>) {
    println!("\n| {version} | pagesight | fixture server |\n|---|---|---|");
    for (scenario, checks) in fixture {
        let mark = if optional.contains(scenario) { " (not required)" } else { "" };
        let ours = product.get(scenario).filter(|_| PRODUCT.contains(&scenario.as_str()));
        let ours = ours.map_or("–".to_owned(), |checks| counted(checks));
        println!("| {scenario}{mark} | {ours} | {} |", counted(checks));
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

/// Lets the official clients drive a page over HTTP.
async fn drive_a_page(program: &Path) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let site = pages::serve(repository().join("tests/fixtures")).await?;
    let mut process = ServeProcess::start(program, folder.path(), &[]).await?;
    for client in mcp_clients::install().await? {
        let name = client.script.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let ended = tokio::process::Command::new(&client.interpreter)
            .arg(&client.script)
            .arg(format!("http://{}/mcp", process.address))
            .arg(format!("{site}/dashboard.html"))
            .env("PAGESIGHT_TOKEN", process.token())
            .output()
            .await?;
        let said = String::from_utf8_lossy(&ended.stdout);
        println!("{name} over HTTP: {}", said.lines().last().unwrap_or_default());
        anyhow::ensure!(ended.status.success(), "{name} failed: {said}");
    }
    process.kill().await;
    Ok(())
}
