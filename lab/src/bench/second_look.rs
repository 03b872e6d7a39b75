//! Part of `cargo lab bench`: what a second look costs after one change, beside a capture of the
//! whole page. `look` is the whole call that an agent makes, `capture` the page script's answer and
//! its transfer.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::timing::{CHANGE, cell};
use crate::mcp::McpClient;
use crate::product::{Engine, LaunchOptions, Tab, TabEvent, Viewport, launch};
use crate::report::{median, ms, table};

const LIMIT: Duration = Duration::from_secs(30);
/// How often each thing is measured; the median counts.
const ROUNDS: usize = 15;

/// The changes: name and script.
const CHANGES: [(&str, &str); 4] = [
    ("nothing", "0"),
    ("a text", CHANGE),
    (
        "a row at the end",
        "document.querySelector('section:last-of-type tbody').append(document.querySelector('tr').cloneNode(true))",
    ),
    (
        "a row at the top",
        "document.querySelector('section tbody').prepend(document.querySelector('tr').cloneNode(true))",
    ),
];

pub async fn run(program: &Path, site: &str) -> anyhow::Result<()> {
    table(
        "elements | what changed | look, ms | capture, ms | bytes | capture of everything, ms | bytes",
    );
    let connected =
        launch(&LaunchOptions { engine: Engine::Chromium, ..LaunchOptions::default() }).await?;
    for size in [5_000, 20_000] {
        let url = format!("{site}/{size}");
        let client = McpClient::start(program, &["--allow-evaluate"]).await?;
        client.call("browser_navigate", json!({ "url": url })).await?;
        let mut opened = connected.browser.open_tab(Viewport::default()).await?;
        opened.tab.navigate(&url, LIMIT).await?;
        while !matches!(opened.events.recv().await, Some(TabEvent::Loaded) | None) {}
        let tab = &*opened.tab;
        for (what, change) in CHANGES {
            let (mut looks, mut parts, mut wholes) = (Vec::new(), Vec::new(), Vec::new());
            let (mut part, mut whole) = (0, 0);
            let mut key = capture(tab, None).await?.1;
            client.call("inspect_tab", json!({})).await?;
            for _ in 0..ROUNDS {
                client
                    .call("browser_evaluate", json!({ "expression": format!("({change}, 0)") }))
                    .await?;
                looks.push(client.call("inspect_tab", json!({})).await?.1);
                tab.evaluate(&format!("({change}, 0)"), LIMIT).await?;
                let (took, next, bytes) = capture(tab, Some(&key)).await?;
                parts.push(took);
                part = bytes;
                key = next;
            }
            for _ in 0..ROUNDS {
                let (took, _, bytes) = capture(tab, None).await?;
                wholes.push(took);
                whole = bytes;
            }
            let [looks, parts] = [&mut looks, &mut parts].map(|times| cell(times));
            println!(
                "| {size} | {what} | {looks} | {parts} | {part} | {:.1} | {whole} |",
                ms(median(&wholes))
            );
        }
        client.close().await?;
    }
    connected.browser.close().await;
    Ok(())
}

/// Captures once; returns how long it took, the key, and the number of bytes.
async fn capture(tab: &dyn Tab, known: Option<&str>) -> anyhow::Result<(Duration, String, usize)> {
    let begun = Instant::now();
    let text = tab.script(None, "walk", &json!([{ "known": known }]).to_string(), LIMIT).await?;
    let took = begun.elapsed();
    let answer: Value = serde_json::from_str(&text)?;
    let key = answer["key"].as_str().or(answer["same"].as_str()).unwrap_or_default();
    Ok((took, key.to_owned(), text.len()))
}
