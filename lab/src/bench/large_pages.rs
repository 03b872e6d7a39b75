//! Part of `cargo lab bench`: how long the page's own scripts are held up by a look, and what
//! becomes of a page that is too large to be walked.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::timing::{CHANGE, HEARTBEAT, gap, gaps};
use crate::mcp::McpClient;
use crate::report::table;

/// Returns the names of the links whose middle a click would hit.
const IN_VIEW: &str = "[...new Set(Array.from({ length: 72 }, (_, i) => document.elementFromPoint(120 + (i % 2) * 60, i * 10)?.closest('section')?.querySelector('p a')))]
  .filter((a) => a && a.getBoundingClientRect().top > 0 && a.getBoundingClientRect().bottom < innerHeight).map((a) => a.textContent)";

/// How many looks of each kind are measured: enough for a 95th percentile.
const LOOKS: usize = 40;

/// Prints the largest gap of the page's own heartbeat during a look.
pub async fn heartbeat(program: &Path, site: &str) -> anyhow::Result<()> {
    table("elements | idle, as long | look after a change | look, nothing changed");
    for size in [5_000, 20_000] {
        row(program, site, size).await?;
    }
    Ok(())
}

/// Measures one page size. The first look, which may force a layout, does not count.
async fn row(program: &Path, site: &str, size: usize) -> anyhow::Result<()> {
    let client = McpClient::start(program, &["--allow-evaluate"]).await?;
    client.call("browser_navigate", json!({ "url": format!("{site}/{size}") })).await?;
    client.call("inspect_tab", json!({})).await?;
    client.evaluate(HEARTBEAT).await?;
    let (mut idle, mut walked, mut known) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..LOOKS {
        client.evaluate(CHANGE).await?;
        client.evaluate("gap = 0").await?;
        let took = client.call("inspect_tab", json!({})).await?.1;
        walked.push(gap(&client).await?);
        client.call("inspect_tab", json!({})).await?;
        known.push(gap(&client).await?);
        tokio::time::sleep(took).await;
        idle.push(gap(&client).await?);
    }
    println!("| {size} | {} | {} | {} |", gaps(&idle), gaps(&walked), gaps(&known));
    client.close().await
}

/// Measures a page of 1,000,000 elements: the answer must be cut short and must say so.
pub async fn huge(program: &Path, site: &str) -> anyhow::Result<()> {
    let client = McpClient::start(program, &["--allow-evaluate"]).await?;
    let url = format!("{site}/1000000");
    let (reply, navigate) = client.call("browser_navigate", json!({ "url": url })).await?;
    println!(
        "- Navigation: {:.1} s, `{}`.",
        navigate.as_secs_f64(),
        reply.lines().next().unwrap_or_default()
    );
    for _ in 0..60 {
        let ready = client.evaluate("document.readyState").await;
        if ready.is_ok_and(|state| state == "complete") {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    for (what, place) in
        [("at the top", "0"), ("far down", "document.documentElement.scrollHeight / 2")]
    {
        client.evaluate(&format!("(scrollTo(0, {place}), document.body.offsetHeight)")).await?;
        let (outline, took) = client.call("inspect_tab", json!({ "scope": "viewport" })).await?;
        let seen = client.evaluate(IN_VIEW).await?;
        let words: Vec<&str> =
            seen.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let there = words.iter().filter(|words| outline.contains(*words)).count();
        let said =
            outline.lines().rev().find(|line| line.contains("elements")).unwrap_or("nothing");
        println!(
            "- Scrolled {what}: answered in {:.1} s; {there} of {} links in the viewport are listed; the answer says: `{}`",
            took.as_secs_f64(),
            words.len(),
            said.trim()
        );
    }
    println!(
        "- Memory: server {:.0} MiB, browser {:.0} MiB.",
        client.memory(),
        client.browser_memory()
    );
    client.close().await
}
