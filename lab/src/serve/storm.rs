//! Eight clients make random calls on pages that carry the client's mark. No answer may carry the
//! mark of a different client, whatever ends in the middle.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::Query;
use axum::response::Html;
use axum::routing::get;
use serde_json::{Value, json};

use super::http::{HttpClient, Protocol, ServeProcess};
use crate::mcp::family_of;
use crate::outline::ParsedOutline;
use crate::random::Random;

const CLIENTS: usize = 8;

/// All runs.
pub const DISTURBANCES: [Disturbance; 3] =
    [Disturbance::None, Disturbance::BrowserKilled, Disturbance::ProcessKilled];

/// What ends in the middle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Disturbance {
    /// Nothing.
    None,
    /// The browser, several times.
    BrowserKilled,
    /// The process, which is then started again.
    ProcessKilled,
}

impl Disturbance {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Disturbance::None => "undisturbed",
            Disturbance::BrowserKilled => "browser killed",
            Disturbance::ProcessKilled => "process killed",
        }
    }
}

/// The result of a run.
pub struct StormRow {
    name: &'static str,
    calls: usize,
    answers: usize,
    errors: usize,
    /// Answers with the mark of a different client.
    pub foreign: usize,
}

impl fmt::Display for StormRow {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StormRow { name, calls, answers, errors, foreign } = self;
        write!(out, "| {name} | {calls} | {answers} | {errors} | {foreign} |")
    }
}

/// Runs the clients.
pub async fn run(
    program: &Path,
    browser: &str,
    disturbance: Disturbance,
    calls: usize,
    seed: u64,
) -> anyhow::Result<StormRow> {
    let site = serve().await?;
    let folder = tempfile::tempdir()?;
    let arguments = ["--browser", browser, "--allow-evaluate"];
    let mut process = ServeProcess::start(program, folder.path(), &arguments).await?;
    let done = Arc::new(AtomicUsize::new(0));
    let mut running = Vec::new();
    for number in 0..CLIENTS {
        let client = match number % 2 {
            0 => process.client("/mcp", Protocol::Sessions),
            _ => process.client(&format!("/mcp/client-{number}"), Protocol::Stateless),
        };
        let random = Random::new(seed.wrapping_mul(1000) + number as u64);
        running.push(tokio::spawn(one(client, random, number, site.clone(), calls, done.clone())));
    }
    let all = CLIENTS * calls;
    let mut next = all / 4;
    while disturbance != Disturbance::None && next < all {
        while done.load(Ordering::Relaxed) < next {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        match disturbance {
            Disturbance::BrowserKilled => kill_browser(process.pid()),
            _ => {
                process.kill().await;
                tokio::time::sleep(Duration::from_millis(500)).await;
                process = ServeProcess::start(program, folder.path(), &arguments).await?;
            }
        }
        next += all / 4;
    }
    let mut row =
        StormRow { name: disturbance.name(), calls: all, answers: 0, errors: 0, foreign: 0 };
    for client in running {
        let (answers, errors, foreign) = client.await?;
        row.answers += answers;
        row.errors += errors;
        row.foreign += foreign.len();
        foreign.iter().for_each(|text| eprintln!("{text}"));
    }
    process.kill().await;
    Ok(row)
}

/// Kills the browser's own process: the first descendant that is not a shell.
fn kill_browser(pid: u32) {
    let is_browser = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        (line.contains("chrom") || line.contains("firefox"))
            && !line.contains("--type=")
            && !line.contains("-contentproc")
            && !line.starts_with("/bin/sh")
    };
    if let Some(browser) = family_of(pid).into_iter().find(is_browser) {
        let _ = std::process::Command::new("kill").args(["-9", &browser.to_string()]).status();
    }
}

fn mark(number: usize) -> String {
    format!("mark{number}x{number}")
}

/// Makes the calls of one client. Returns how many were answered, how many failed, and the answers
/// that have the mark of a different client.
async fn one(
    mut client: HttpClient,
    mut random: Random,
    number: usize,
    site: String,
    calls: usize,
    done: Arc<AtomicUsize>,
) -> (usize, usize, Vec<String>) {
    let own = mark(number);
    let (mut answers, mut errors, mut foreign) = (0, 0, Vec::new());
    let mut numbers = Vec::new();
    for _ in 0..calls {
        let (tool, arguments) = pick(&mut random, &own, &site, &numbers);
        match client.call(tool, arguments.clone()).await {
            Ok(text) => {
                answers += 1;
                if tool == "inspect_tab" {
                    numbers = ParsedOutline::read(&text).numbers();
                }
                let theirs = (0..CLIENTS).filter(|other| *other != number).map(mark);
                if let Some(mark) = theirs.into_iter().find(|mark| text.contains(mark.as_str())) {
                    foreign.push(format!("{own}: {tool} {arguments} answered {mark}: {text}"));
                }
            }
            Err(_) => {
                errors += 1;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
    (answers, errors, foreign)
}

/// Returns a random call.
fn pick(random: &mut Random, own: &str, site: &str, numbers: &[u32]) -> (&'static str, Value) {
    let page = || json!({"url": format!("{site}/?mark={own}")});
    let number = numbers.get(random.below(numbers.len())).copied().unwrap_or(1);
    match random.below(10) {
        0 => ("browser_navigate", page()),
        1 => ("browser_tabs", json!({"action": "list"})),
        2 => ("browser_tabs", json!({"action": "new", "url": format!("{site}/?mark={own}&n=2")})),
        3 => ("browser_tabs", json!({"action": "close"})),
        4 | 5 => ("inspect_tab", json!({})),
        6 => ("browser_interact", json!({"actions": [{"type": "click", "element": number}]})),
        7 => (
            "browser_interact",
            json!({"actions": [{"type": "fill", "element": number, "text": own}]}),
        ),
        8 => {
            let read = "document.cookie + localStorage.mark + document.body.innerText";
            ("browser_evaluate", json!({"expression": read}))
        }
        _ => ("get_page_info", json!({})),
    }
}

/// Serves pages that show and store their mark.
async fn serve() -> anyhow::Result<String> {
    async fn page(Query(query): Query<HashMap<String, String>>) -> Html<String> {
        let mark = query.get("mark").cloned().unwrap_or_default();
        Html(format!(
            "<!doctype html><title>{mark}</title><h1>{mark}</h1>
            <button onclick=\"document.body.append('{mark} ')\">More {mark}</button>
            <a href='?mark={mark}&n=3' target=_blank>Open {mark}</a>
            <label>Field <input></label>
            <script>document.cookie = 'mark={mark}'; localStorage.mark = '{mark}'</script>"
        ))
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/", get(page))).await });
    Ok(format!("http://{address}"))
}
