//! Part of `cargo lab find --rows`: how long reading a table of 5,000 rows takes, compared with a
//! full look at the same page after the same change.

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use serde_json::json;

use super::{BROWSERS, RowsRun, TIMES_LONGER};
use crate::pages::listen;
use crate::report::{median, ms, table};

const ROWS: usize = 5_000;
/// How often each is measured; the median counts.
const ROUNDS: usize = 7;
/// Draws the table again, so that nothing of the look before can be used again.
const REDRAW: &str = "(() => { const body = document.querySelector('tbody'); body.replaceWith(body.cloneNode(true)); return 1 })()";

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

/// Measures both in turn.
pub async fn run(run: &RowsRun<'_>) -> anyhow::Result<Vec<String>> {
    let site = listen(Router::new().route("/", get(|| async { Html(page()) }))).await?;
    table("browser | full look, ms | read_rows, ms | times | read_rows, unchanged page, ms");
    let mut misses = Vec::new();
    for browser in BROWSERS {
        if !run.includes(&format!("speed: {browser}")) {
            continue;
        }
        let client = run.client(browser).await?;
        client.open(&site).await?;
        let question = json!({ "where": "State = failed", "order_by": "Amount desc" });
        let (mut looks, mut reads, mut again) = (Vec::new(), Vec::new(), Vec::new());
        client.call("inspect_tab", json!({})).await?;
        for _ in 0..ROUNDS {
            client.evaluate(REDRAW).await?;
            looks.push(ms(client.call("inspect_tab", json!({})).await?.1));
            client.evaluate(REDRAW).await?;
            let (answer, took) = client.call("read_rows", question.clone()).await?;
            anyhow::ensure!(answer.contains("5000 rows, 2500 match"), "{answer}");
            reads.push(ms(took));
            again.push(ms(client.call("read_rows", question.clone()).await?.1));
        }
        client.close().await?;
        let times = median(&reads) / median(&looks);
        println!(
            "| {browser} | {:.0} | {:.0} | {times:.2} | {:.0} |",
            median(&looks),
            median(&reads),
            median(&again)
        );
        if times > TIMES_LONGER {
            misses.push(format!("{browser}: {times:.2} times as long as a look"));
        }
    }
    Ok(misses)
}
