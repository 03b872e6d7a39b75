//! `cargo lab hostile`: opens pages that attack the tool, calls every tool on each, and leaves for
//! a plain page, in both browsers. Every call has to answer within its bound, with words that a
//! caller can use; the plain page has to open; at the end nothing may be left running.

mod cases;
mod names;
mod site;

use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};

use crate::mcp::{McpClient, ToolReply};
use crate::options::{DetailsArgs, OnlyArgs, ProgramArgs, repository, run_file};
use crate::outline::ParsedOutline;
use crate::processes::left_running;
use crate::report::table;
use cases::{CASES, Expected};
use site::TARGET;

const BROWSERS: [&str; 2] = ["chromium", "firefox"];
/// How long a navigation may wait for a hostile page, in milliseconds.
const PATIENCE: u64 = 3000;
/// The longest time of any call.
const LONGEST_CALL: Duration = Duration::from_secs(30);
/// A page that hangs is reported after 3 s; the rest is for a busy machine.
const FIRST_REPORT: Duration = Duration::from_secs(8);
/// Later calls on it answer within 300 ms; the rest is for a busy machine.
const LATER_REPORT: Duration = Duration::from_millis(1000);
/// Leaving takes 5 s at most; the rest is for loading the plain page on a busy machine.
const LEAVING: Duration = Duration::from_secs(10);
/// When the lab gives up on a call.
const NO_ANSWER: Duration = Duration::from_secs(60);
/// The longest error message.
const LONGEST_ERROR: usize = 800;
/// Words of a fault that reached the caller.
const FAULTS: [&str; 6] =
    ["internal error", "panicked", "TypeError", "RangeError", "is not a function", "undefined"];
/// The miss of a page that cannot be left.
const NOT_LEFT: &str = "the plain page did not open";
/// How long processes may take to end.
const ENDING: Duration = Duration::from_secs(10);

/// Options of `cargo lab hostile`.
#[derive(Args)]
pub struct HostileArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    only: OnlyArgs,
    #[command(flatten)]
    details: DetailsArgs,
}

/// The results of one page in one browser.
struct CaseRow {
    name: String,
    /// The slowest call, and which it was.
    slowest: (Duration, &'static str),
    leaving: Duration,
    misses: Vec<String>,
}

/// Visits all pages; fails if anything is missed.
pub async fn run(args: HostileArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let all_names = names::read(&repository().join("page/src"))?;
    println!("{} clobbered names from the page script\n", all_names.len());
    let clobbered = names::pages(&all_names);
    let site = site::serve(all_names.clone()).await?;
    let mut rows = Vec::new();
    let mut left_over = Vec::new();
    for browser in BROWSERS {
        let mut cases: Vec<(&str, Expected)> =
            CASES.iter().map(|case| (case.name, case.expected)).collect();
        cases.extend(clobbered.iter().map(|page| (page.as_str(), Expected::Answered)));
        cases.retain(|(name, _)| args.only.includes(&format!("{browser}: {name}")));
        if cases.is_empty() {
            continue;
        }
        let folder = tempfile::tempdir()?;
        let mut client = start(&program, browser, folder.path()).await?;
        for (name, expected) in cases {
            let mut row = Visit::new(&client, browser, name).all(&site, expected, &all_names).await;
            let stuck = |miss: &String| miss.contains("no answer") || miss.ends_with(NOT_LEFT);
            if row.misses.iter().any(stuck) {
                // What hangs would spoil the next pages too.
                left_over.extend(end(client, browser, folder.path()).await);
                client = start(&program, browser, folder.path()).await?;
            } else if client.family().is_empty() {
                row.misses.push(format!("{}: the browser is gone", row.name));
            }
            eprintln!(
                "{}: slowest {} ms ({}), leaving {} ms",
                row.name,
                row.slowest.0.as_millis(),
                row.slowest.1,
                row.leaving.as_millis()
            );
            row.misses.iter().for_each(|miss| eprintln!("  {miss}"));
            rows.push(row);
        }
        left_over.extend(end(client, browser, folder.path()).await);
    }
    anyhow::ensure!(!rows.is_empty(), "no page has such a name");
    print(&rows, &left_over);
    let misses: Vec<&str> = rows
        .iter()
        .flat_map(|row| row.misses.iter())
        .chain(&left_over)
        .map(String::as_str)
        .collect();
    args.details.write(&misses.join("\n"))?;
    anyhow::ensure!(misses.is_empty(), "{} misses", misses.len());
    Ok(())
}

/// Starts the program with a folder of its own for temporary files.
async fn start(program: &Path, browser: &str, folder: &Path) -> anyhow::Result<McpClient> {
    let log = std::fs::File::create(run_file(&format!("hostile-{browser}.log"))?)?;
    let environment = [("TMPDIR", folder.to_str().unwrap_or_default())];
    McpClient::start_with_log(program, &["--browser", browser], log, &environment).await
}

/// Ends the program and returns what it left behind.
async fn end(client: McpClient, browser: &str, folder: &Path) -> Vec<String> {
    let family = client.family();
    let closed = tokio::time::timeout(NO_ANSWER, client.close()).await;
    let left = left_running(&family, ENDING).await;
    let mut left: Vec<String> =
        left.into_iter().map(|pid| format!("{browser}: process {pid} is still running")).collect();
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    left.extend(files.map(|entry| format!("{browser}: left behind {:?}", entry.file_name())));
    if !matches!(closed, Ok(Ok(()))) {
        left.push(format!("{browser}: the server did not end"));
    }
    left
}

/// The calls on one page.
struct Visit<'a> {
    client: &'a McpClient,
    row: CaseRow,
    /// Whether a call has said that the page does not answer.
    reported: bool,
}

impl<'a> Visit<'a> {
    fn new(client: &'a McpClient, browser: &str, name: &str) -> Visit<'a> {
        let row = CaseRow {
            name: format!("{browser}: {name}"),
            slowest: (Duration::ZERO, ""),
            leaving: Duration::ZERO,
            misses: Vec::new(),
        };
        Visit { client, row, reported: false }
    }

    fn miss(&mut self, what: String) {
        self.row.misses.push(format!("{}: {what}", self.row.name));
    }

    /// Opens the page, calls every tool, and leaves.
    async fn all(mut self, site: &str, expected: Expected, all_names: &[String]) -> CaseRow {
        let name = self.row.name.split(": ").nth(1).unwrap_or_default().to_owned();
        let url = format!("{site}/{name}");
        let open = json!({ "url": url, "timeout_ms": PATIENCE, "max_tokens": 0 });
        self.call("browser_navigate", open, expected).await;
        let look =
            self.call("inspect_tab", json!({ "max_tokens": 20000, "fold": false }), expected).await;
        let text = look.map(|reply| reply.text).unwrap_or_default();
        if expected == Expected::Seen && !text.contains(&format!("button: {TARGET}")) {
            let start: String = text.chars().take(200).collect();
            self.miss(format!("the button is not listed: {start:?}"));
        }
        self.clobbered(&name, &text, all_names);
        self.call("get_dom_fingerprint", json!({}), expected).await;
        self.call("get_page_info", json!({}), expected).await;
        self.call("take_snapshot", json!({ "max_tokens": 2000 }), expected).await;
        let action = match ParsedOutline::read(&text).named("button", TARGET) {
            Some(line) if line.number.is_some() => {
                json!({ "type": "click", "element": line.number })
            }
            _ => json!({ "type": "press", "key": "Tab" }),
        };
        let act = json!({ "actions": [action, { "type": "press", "key": "Escape" }] });
        self.call("browser_interact", act, expected).await;
        self.call("inspect_tab", json!({ "query": TARGET }), expected).await;
        self.call("take_screenshot", json!({}), expected).await;
        self.call("browser_tabs", json!({ "action": "list" }), expected).await;
        if expected == Expected::Hung && !self.reported && self.row.misses.is_empty() {
            self.miss("no call said that the page does not answer".to_owned());
        }
        self.leave(site).await;
        self.row
    }

    /// Checks that no clobbered name hides its button.
    fn clobbered(&mut self, page: &str, text: &str, all_names: &[String]) {
        let Some(wanted) = names::on_page(page, all_names) else { return };
        let hidden: Vec<&String> = wanted
            .iter()
            .filter(|name| !text.contains(&format!("button: {}\n", names::button(name))))
            .collect();
        if !hidden.is_empty() {
            self.miss(format!("buttons are hidden by the names {hidden:?}"));
        }
    }

    /// Calls a tool and judges its time and its words. None if it did not answer.
    async fn call(
        &mut self,
        tool: &'static str,
        arguments: Value,
        expected: Expected,
    ) -> Option<ToolReply> {
        let bound = match expected {
            Expected::Hung if tool == "browser_tabs" => LATER_REPORT,
            Expected::Hung if self.reported => LATER_REPORT,
            Expected::Hung => FIRST_REPORT,
            Expected::Seen | Expected::Answered => LONGEST_CALL,
        };
        let reply = match tokio::time::timeout(NO_ANSWER, self.client.ask(tool, arguments)).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(error)) => {
                self.miss(format!("{tool}: no answer: {error:#}"));
                return None;
            }
            Err(_) => {
                self.miss(format!("{tool}: no answer in {NO_ANSWER:?}"));
                return None;
            }
        };
        if reply.took > self.row.slowest.0 {
            self.row.slowest = (reply.took, tool);
        }
        if reply.took > bound {
            self.miss(format!("{tool}: {} ms: {:?}", reply.took.as_millis(), start_of(&reply)));
        }
        self.reported |= reply.text.contains("does not answer")
            || reply.text.contains("not answered")
            || reply.text.contains("has not drawn");
        if let Some(fault) = FAULTS.iter().find(|fault| reply.failed && reply.text.contains(*fault))
        {
            self.miss(format!("{tool}: {fault}: {:?}", start_of(&reply)));
        }
        if reply.failed && reply.text.len() > LONGEST_ERROR {
            self.miss(format!("{tool}: a long error: {:?}", start_of(&reply)));
        }
        if reply.text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
            self.miss(format!("{tool}: a control character"));
        }
        Some(reply)
    }

    /// Leaves for the plain page: in the same tab, when asked a second time, or in a new tab.
    async fn leave(&mut self, site: &str) {
        let url = format!("{site}/plain");
        let ways = [
            ("browser_navigate", json!({ "url": url })),
            ("browser_navigate", json!({ "url": url })),
            ("browser_tabs", json!({ "action": "new", "url": url })),
        ];
        let begun = Instant::now();
        for (tool, arguments) in ways {
            let Some(reply) = self.call(tool, arguments, Expected::Answered).await else { return };
            if !reply.failed && reply.text.contains(TARGET) {
                self.row.leaving = begun.elapsed();
                if self.row.leaving > LEAVING {
                    self.miss(format!("leaving: {} ms", self.row.leaving.as_millis()));
                }
                return;
            }
            eprintln!("  {tool}: {:?}", start_of(&reply));
        }
        self.miss(NOT_LEFT.to_owned());
    }
}

fn start_of(reply: &ToolReply) -> String {
    reply.text.chars().take(200).collect()
}

/// Prints the table.
fn print(rows: &[CaseRow], left_over: &[String]) {
    table("page | slowest call, ms | leaving, ms | misses");
    for CaseRow { name, slowest: (took, tool), leaving, misses } in rows {
        println!(
            "| {name} | {} {tool} | {} | {} |",
            took.as_millis(),
            leaving.as_millis(),
            misses.len()
        );
    }
    let missed = rows.iter().filter(|row| !row.misses.is_empty()).count();
    println!(
        "| **{} pages** | | | {missed} with misses, {} left over |",
        rows.len(),
        left_over.len()
    );
}
