//! Asks Playwright MCP's `browser_find` a sample of the same questions. It searches a substring or
//! a regular expression in the lines of the accessibility snapshot, so it is asked in both ways:
//! for the question as it is, and for any of its words.

use std::process::Stdio;

use anyhow::Context;
use serde_json::json;

use super::facts::words;
use super::judge::{AnswerVerdict, Dialect, judge};
use super::visit::Answered;
use crate::devtools::{DevTools, LabBrowser};
use crate::install::{self, packages};
use crate::mcp::McpClient;
use crate::options::run_file;
use crate::product::count_tokens;
use crate::random::Random;
use crate::report::{median, percent, table};

// Snippets begin with lines before the match, so "first unit" means nothing here.
const PACKAGE: &str = "@playwright/mcp@0.0.83";
const TOOL: &str = "browser_find";

/// Prints the comparison, or why there is none.
pub async fn compare(answered: &[Answered], sample: usize, seed: u64) {
    if let Err(error) = ask(answered, sample, seed).await {
        println!("\nskipped: Playwright MCP: {error:#}");
    }
}

async fn ask(answered: &[Answered], sample: usize, seed: u64) -> anyhow::Result<()> {
    let folder = install::folder()?;
    packages::node(&folder, &[PACKAGE]).await?;
    let browser = LabBrowser::start().await?;
    let tools = DevTools::connect(&browser.url).await?;
    let mut command = tokio::process::Command::new("node");
    command
        .arg(folder.join("npm/node_modules/@playwright/mcp/cli.js"))
        .args(["--cdp-endpoint", &browser.url])
        .current_dir(run_file("")?)
        .kill_on_drop(true);
    let log = std::fs::File::create(run_file("playwright-mcp.log")?)?;
    let client = McpClient::serve(command, Stdio::from(log)).await?;
    anyhow::ensure!(
        client.tools().await?.contains(&format!("\"{TOOL}\"")),
        "{PACKAGE} has no tool {TOOL}"
    );
    let with_answer =
        answered.iter().filter(|one| one.url.is_some() && one.question.gold.is_some());
    let mut chosen = Random::new(seed).sample(with_answer.collect(), sample);
    chosen.sort_by(|a, b| a.page.cmp(&b.page));
    let mut own = Tally::default();
    let mut text = Tally::default();
    let mut any_word = Tally::default();
    let mut open = "";
    for one in chosen {
        let url = one.url.as_deref().context("chosen by its address")?;
        if url != open {
            client.call("browser_navigate", json!({ "url": url })).await?;
            open = url;
        }
        own.add(one.verdict, one.tokens);
        let gold = one.question.gold.as_ref();
        let pattern = format!("/{}/i", words(&one.question.text).join("|"));
        for (tally, arguments) in [
            (&mut text, json!({ "text": one.question.text })),
            (&mut any_word, json!({ "regex": pattern })),
        ] {
            let answer = client.ask(TOOL, arguments).await?.text;
            tally.add(judge(&answer, gold, Dialect::Playwright), count_tokens(&answer));
        }
    }
    client.close().await?;
    browser.close(&tools).await;
    println!("\n{PACKAGE}, tool `{TOOL}`, on {} of the questions:\n", own.tokens.len());
    table("asked | element in the answer | nothing found | median tokens");
    own.print("`inspect_tab`, `query`");
    text.print("`browser_find`, `text`");
    any_word.print("`browser_find`, `regex` of any word");
    Ok(())
}

#[derive(Default)]
struct Tally {
    found: usize,
    poor: usize,
    tokens: Vec<usize>,
}

impl Tally {
    fn add(&mut self, verdict: AnswerVerdict, tokens: usize) {
        self.found += usize::from(verdict.found);
        self.poor += usize::from(verdict.poor);
        self.tokens.push(tokens);
    }

    fn print(&self, what: &str) {
        let share = |count: usize| percent(count, self.tokens.len());
        let (found, poor, tokens) = (share(self.found), share(self.poor), median(&self.tokens));
        println!("| {what} | {found:.1} % | {poor:.1} % | {tokens} |");
    }
}
