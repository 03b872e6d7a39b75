//! Part of `cargo lab bench`: how soon an action is answered after the page has settled, and after
//! the last change that it caused. The first is in the server's log, the page records the second.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;

use super::timing::{cell, number};
use crate::mcp::McpClient;
use crate::product::{LOGGED_MICROSECONDS, count_tokens};
use crate::report::table;

/// How often each thing is measured; the median counts.
const ROUNDS: usize = 15;

/// Makes the page record when it changes.
const NOTE: &str = "document.getElementById('target').addEventListener('click', () => { window.changed = Date.now() }), 0";

pub async fn run(program: &Path, site: &str) -> anyhow::Result<()> {
    table(
        "elements | from settled to the answer, ms | from the change to the answer, ms | whole call, ms | tokens",
    );
    for size in [50, 5_000, 20_000] {
        let log = tempfile::NamedTempFile::new()?;
        let client = McpClient::start_with_log(
            program,
            &["--allow-evaluate"],
            log.reopen()?,
            &[("PAGESIGHT_LOG", "debug")],
        )
        .await?;
        client.call("browser_navigate", json!({ "url": format!("{site}/{size}") })).await?;
        let outline = client.call("inspect_tab", json!({})).await?.0;
        let button = number(&outline, "button: Count")?;
        client.evaluate(NOTE).await?;
        let (mut calls, mut late, mut tokens) = (Vec::new(), Vec::new(), 0);
        for _ in 0..ROUNDS {
            let click = json!({ "actions": [{ "type": "click", "element": button }] });
            let (text, took) = client.call("browser_interact", click).await?;
            let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
            let changed = client.evaluate("window.changed").await?.as_u64().unwrap_or_default();
            late.push(now.saturating_sub(Duration::from_millis(changed)));
            calls.push(took);
            tokens = count_tokens(&text);
        }
        client.close().await?;
        let said = std::fs::read_to_string(log.path())?;
        let reported: Vec<Duration> = said
            .lines()
            .filter_map(|line| {
                line.split_once(LOGGED_MICROSECONDS)?.0.rsplit(' ').next()?.parse().ok()
            })
            .map(Duration::from_micros)
            .collect();
        anyhow::ensure!(
            reported.len() == ROUNDS,
            "the server's log has {} of {ROUNDS} times",
            reported.len()
        );
        println!(
            "| {size} | {} | {} | {} | {tokens} |",
            cell(&reported),
            cell(&late),
            cell(&calls)
        );
    }
    Ok(())
}
