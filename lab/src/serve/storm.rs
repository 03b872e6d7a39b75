//! Eight clients make random calls on pages that carry the client's mark. No answer may carry the
//! mark of a different client, whatever ends in the middle.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

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
/// How long what a killed process started may take to end.
const END_LIMIT: Duration = Duration::from_secs(10);

pub const DISTURBANCES: [Disturbance; 3] =
    [Disturbance::None, Disturbance::BrowserKilled, Disturbance::ProcessKilled];

/// What ends in the middle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Disturbance {
    None,
    /// The browser, several times.
    BrowserKilled,
    /// The process, which is then started again.
    ProcessKilled,
}

impl Disturbance {
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
    /// Answers with the client's own mark.
    own: usize,
    errors: usize,
    /// Answers with the mark of a different client.
    pub foreign: usize,
    /// Processes that outlived the process that started them.
    pub left: usize,
}

impl fmt::Display for StormRow {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StormRow { name, calls, answers, own, errors, foreign, left } = self;
        write!(out, "| {name} | {calls} | {answers} | {own} | {errors} | {foreign} | {left} |")
    }
}

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
    let mut left = 0;
    while disturbance != Disturbance::None && next < all {
        while done.load(Ordering::Relaxed) < next {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        match disturbance {
            Disturbance::BrowserKilled => kill_browser(process.pid()),
            _ => {
                let family = family_of(process.pid());
                process.kill().await;
                left += still_running(family).await;
                process = ServeProcess::start(program, folder.path(), &arguments).await?;
            }
        }
        next += all / 4;
    }
    let mut row = StormRow {
        name: disturbance.name(),
        calls: all,
        answers: 0,
        own: 0,
        errors: 0,
        foreign: 0,
        left,
    };
    let mut reasons = BTreeMap::<String, usize>::new();
    for client in running {
        let done = client.await?;
        row.answers += done.answers;
        row.own += done.own;
        row.errors += done.errors.len();
        row.foreign += done.foreign.len();
        done.foreign.iter().for_each(|text| eprintln!("{text}"));
        done.errors.into_iter().for_each(|reason| *reasons.entry(reason).or_default() += 1);
    }
    for (reason, count) in reasons {
        eprintln!("{}, {count} times: {reason}", disturbance.name());
    }
    let family = family_of(process.pid());
    process.kill().await;
    row.left += still_running(family).await;
    // Without own marks, the absence of others would say nothing.
    anyhow::ensure!(row.own * 3 > row.answers, "only {} answers have the own mark", row.own);
    Ok(row)
}

/// Counts the processes that still run some seconds later.
async fn still_running(mut processes: Vec<u32>) -> usize {
    let end = Instant::now() + END_LIMIT;
    while !processes.is_empty() && Instant::now() < end {
        tokio::time::sleep(Duration::from_millis(100)).await;
        processes.retain(|pid| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let state = stat.rsplit_once(") ").map(|(_, rest)| rest.starts_with('Z'));
            state == Some(false)
        });
    }
    processes.len()
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

/// What the calls of one client came to.
#[derive(Default)]
struct ClientDone {
    answers: usize,
    own: usize,
    /// Why calls were not answered.
    errors: Vec<String>,
    /// Answers that have the mark of a different client.
    foreign: Vec<String>,
}

/// Makes the calls of one client.
async fn one(
    mut client: HttpClient,
    mut random: Random,
    number: usize,
    site: String,
    calls: usize,
    done: Arc<AtomicUsize>,
) -> ClientDone {
    let own = mark(number);
    let mut result = ClientDone::default();
    let mut numbers = Vec::new();
    for _ in 0..calls {
        let (tool, arguments) = pick(&mut random, &own, &site, &numbers);
        match client.call(tool, arguments.clone()).await {
            Ok(text) => {
                result.answers += 1;
                result.own += usize::from(text.contains(&own));
                if tool == "inspect_tab" {
                    numbers = ParsedOutline::read(&text).numbers();
                }
                let theirs = (0..CLIENTS).filter(|other| *other != number).map(mark);
                if let Some(mark) = theirs.into_iter().find(|mark| text.contains(mark.as_str())) {
                    let line = format!("{own}: {tool} {arguments} answered {mark}: {text}");
                    result.foreign.push(line);
                }
            }
            Err(error) => {
                result.errors.push(format!("{error:#}"));
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
    result
}

/// Returns a random call.
fn pick(random: &mut Random, own: &str, site: &str, numbers: &[u32]) -> (&'static str, Value) {
    let page = || json!({"url": format!("{site}/?mark={own}")});
    let number = if numbers.is_empty() { 1 } else { numbers[random.below(numbers.len())] };
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
