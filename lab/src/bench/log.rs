//! A page with 10,000 log lines and 2,000 requests, one error and one failed request among them.
//! Both must be in a short answer of `page_log`, the server must not grow, and looks must not
//! become slower than on the same page without the lines.

use std::path::Path;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::get;
use serde_json::json;

use crate::mcp::McpClient;
use crate::pages::listen;
use crate::product::count_tokens;
use crate::report::{median, ms, table};

/// The longest answer, in tokens.
const MOST_TOKENS: usize = 1_000;
/// The most that the server may grow, in MiB.
const MOST_GROWTH: f64 = 20.0;
/// How much slower a look may be.
const SLOWEST: f64 = 1.05;
/// How many looks are measured on each of the two pages.
const LOOKS: usize = 200;
/// The report of the page when its lines and requests are done.
const DONE: &str = "all done";

/// Makes the lines and the requests. The error and the failure are in the middle.
const NOISE: &str = "<script>(async () => {
  for (let i = 0; i < 10000; i++) {
    if (i === 4321) console.error('the needle among the lines');
    else console.log('line ' + i + ' of many', { i });
  }
  for (let i = 0; i < 2000; i += 20)
    await Promise.all(Array.from({ length: 20 }, (_, k) => fetch(i + k === 1234 ? '/broken' : '/small?n=' + (i + k)).then((r) => r.text(), () => {})));
  document.getElementById('state').textContent = 'all done';
})()</script>";

/// Changes one line, so that each look has something to read.
const CHANGE: &str =
    "document.getElementById('state').textContent = 'all done ' + (window.n = (window.n || 0) + 1)";

/// Runs both engines; fails if one of them misses a target.
pub async fn run(program: &Path) -> anyhow::Result<()> {
    let site = serve().await?;
    table(
        "browser | error and failure in the answer | answer, tokens | server before, MiB | after, MiB | look, quiet page, ms | look, noisy page, ms | ratio",
    );
    let mut misses = Vec::new();
    for engine in ["chromium", "firefox"] {
        let client = McpClient::start(program, &["--browser", engine, "--allow-evaluate"]).await?;
        let result = measure(&client, &site, engine).await;
        client.close().await?;
        misses.extend(result?);
    }
    anyhow::ensure!(misses.is_empty(), "{}", misses.join("; "));
    Ok(())
}

/// Measures one engine, prints its row and returns the targets that it missed.
async fn measure(client: &McpClient, site: &str, engine: &str) -> anyhow::Result<Vec<String>> {
    // The quiet page comes first, so that its cost is not counted as growth.
    let quiet = open(client, &format!("{site}/quiet"), "quiet").await?;
    looks(client, &quiet, 20).await?;
    let before = client.memory();
    let noisy = open(client, &format!("{site}/noisy"), "noisy").await?;
    wait_until_done(client, &noisy).await?;
    let (answer, _) = client
        .call("page_log", json!({ "tab": noisy, "since": "navigation", "max_tokens": MOST_TOKENS }))
        .await?;
    let found = answer.contains("the needle among the lines") && answer.contains("GET /broken 500");
    let tokens = count_tokens(&answer);
    let (mut of_quiet, mut of_noisy) = (Vec::new(), Vec::new());
    // In turn, so that a busy moment of the machine meets both.
    for _ in 0..LOOKS / 10 {
        of_quiet.extend(looks(client, &quiet, 10).await?);
        of_noisy.extend(looks(client, &noisy, 10).await?);
    }
    let after = client.memory();
    let (calm, busy) = (median(&of_quiet), median(&of_noisy));
    let ratio = busy / calm;
    println!(
        "| {engine} | {} | {tokens} | {before:.1} | {after:.1} | {calm:.1} | {busy:.1} | {ratio:.2} |",
        if found { "yes" } else { "no" }
    );
    let targets = [
        (found, format!("the error or the failure is missing in:\n{answer}")),
        (tokens <= MOST_TOKENS, format!("the answer has {tokens} tokens")),
        (after - before <= MOST_GROWTH, format!("the server grew by {:.1} MiB", after - before)),
        (ratio <= SLOWEST, format!("looks take {ratio:.2} times as long")),
    ];
    let missed = targets.into_iter().filter(|(reached, _)| !reached);
    Ok(missed.map(|(_, what)| format!("{engine}: {what}")).collect())
}

/// Opens a page in a tab of its own and returns the tab's name.
async fn open(client: &McpClient, url: &str, name: &str) -> anyhow::Result<String> {
    client.call("browser_tabs", json!({ "action": "new", "name": name })).await?;
    client
        .call("browser_navigate", json!({ "url": url, "tab": name, "timeout_ms": 30_000 }))
        .await?;
    Ok(name.to_owned())
}

async fn wait_until_done(client: &McpClient, tab: &str) -> anyhow::Result<()> {
    let ask = "document.getElementById('state').textContent";
    for _ in 0..120 {
        let arguments = json!({ "tab": tab, "expression": ask });
        if client.call("browser_evaluate", arguments).await?.0.contains(DONE) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    anyhow::bail!("the page was not done within a minute")
}

/// Looks several times, each time after a change; returns milliseconds.
async fn looks(client: &McpClient, tab: &str, count: usize) -> anyhow::Result<Vec<f64>> {
    let mut times = Vec::new();
    for _ in 0..count {
        client.call("browser_evaluate", json!({ "tab": tab, "expression": CHANGE })).await?;
        let (_, took) = client.call("inspect_tab", json!({ "tab": tab })).await?;
        times.push(ms(took));
    }
    Ok(times)
}

/// Serves the two pages on 127.0.0.1; returns the address.
async fn serve() -> anyhow::Result<String> {
    let app = Router::new()
        .route("/quiet", get(|| async { Html(page("")) }))
        .route("/noisy", get(|| async { Html(page(NOISE)) }))
        .route("/small", get(|| async { "{\"ok\":true}" }))
        .route("/broken", get(|| async { (StatusCode::INTERNAL_SERVER_ERROR, "broken") }));
    listen(app).await
}

/// Returns a page of about 500 elements.
fn page(script: &str) -> String {
    let rows: String = (0..120)
        .map(|i| format!("<tr><td>Item {i}</td><td><button>Add {i}</button></td></tr>"))
        .collect();
    format!(
        "<!doctype html><title>Log</title><h1>Log</h1><p id=state role=status aria-label=state>working</p><table>{rows}</table>{script}"
    )
}
