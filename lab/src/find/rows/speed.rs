//! Part of `cargo lab find --rows`: how long reading a table of 5,000 rows takes, compared with a
//! full look at the same page after the same change.

use std::time::Duration;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use serde_json::{Value, json};

use super::{BROWSERS, RowsRun, TIMES_LONGER};
use crate::mcp::McpClient;
use crate::pages::listen;
use crate::report::{median, ms, table};

const ROWS: usize = 5_000;
/// How often each is measured; the median counts.
const ROUNDS: usize = 7;
/// Draws the table again, so that nothing of the look before can be used again.
const REDRAW: &str = "(() => { const body = document.querySelector('tbody'); \
    body.replaceWith(body.cloneNode(true)); return document.body.offsetHeight })()";
/// How often a call may fail because a busy machine does not let the page answer in time.
const MOST_FAILED: usize = 20;
const PAUSE: Duration = Duration::from_secs(3);

fn page() -> String {
    let rows: String = (0..ROWS)
        .map(|at| {
            format!(
                "<tr><td><a href=/item/{at}>Item {at}</a></td><td>{}</td><td>{}.50</td><td><button>Edit</button></td></tr>",
                ["open", "failed"][at % 2],
                at * 37 % 1_000
            )
        })
        .collect();
    format!(
        "<!doctype html><html lang=en><title>Rows</title><main><h1>Rows</h1><table><thead><tr><th>Name\
         <th>State<th>Amount<th>Actions</thead><tbody>{rows}</tbody></table></main></html>"
    )
}

/// Redraws the table and calls a tool, whose answer must have some words; returns the time of the
/// call, and of a second one. A busy machine may cut a look short.
async fn measured(
    client: &McpClient,
    tool: &str,
    arguments: &Value,
    words: &str,
) -> anyhow::Result<(f64, f64)> {
    let mut failed = 0;
    loop {
        let once = async {
            client.evaluate(REDRAW).await?;
            let (answer, took) = client.call(tool, arguments.clone()).await?;
            anyhow::ensure!(answer.contains(words), "{answer}");
            let (_, again) = client.call(tool, arguments.clone()).await?;
            anyhow::Ok((ms(took), ms(again)))
        };
        match once.await {
            Ok(measured) => return Ok(measured),
            Err(error) if failed >= MOST_FAILED => return Err(error),
            Err(_) => failed += 1,
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Measures reading and looking in turn.
pub async fn run(run: &RowsRun<'_>) -> anyhow::Result<Vec<String>> {
    let site = listen(Router::new().route("/", get(|| async { Html(page()) }))).await?;
    table(
        "browser | full look, ms | read_rows, ms | times | snapshot, ms | read_rows, unchanged page, ms",
    );
    let mut misses = Vec::new();
    for browser in BROWSERS {
        if !run.includes(&format!("speed: {browser}")) {
            continue;
        }
        let client = run.client(browser).await?;
        client.open(&site).await?;
        let question = json!({ "where": "State = failed", "order_by": "Amount desc" });
        let mut took = [const { Vec::new() }; 4];
        for _ in 0..ROUNDS {
            took[0].push(measured(&client, "inspect_tab", &json!({}), "Rows").await?.0);
            let words = "5000 rows, 2500 match";
            let (read, again) = measured(&client, "read_rows", &question, words).await?;
            took[1].push(read);
            took[2].push(measured(&client, "take_snapshot", &json!({}), "Rows").await?.0);
            took[3].push(again);
        }
        client.close().await?;
        let [look, read, snapshot, again] = took.map(|times| median(&times));
        let times = read / look;
        println!("| {browser} | {look:.0} | {read:.0} | {times:.2} | {snapshot:.0} | {again:.0} |");
        if times > TIMES_LONGER {
            misses.push(format!("{browser}: {times:.2} times as long as a look"));
        }
    }
    Ok(misses)
}
