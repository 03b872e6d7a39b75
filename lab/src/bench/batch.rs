//! Part of `cargo lab bench`: how long a batch of six fields takes, and a second snapshot.

use std::path::Path;

use serde_json::json;

use super::ROUNDS;
use super::timing::{cell, number};
use crate::mcp::McpClient;
use crate::report::{median, ms, table};

const FIELDS: [&str; 6] = ["Name", "Street", "City", "Country", "Phone", "Email"];

/// Prints the time of one batch that fills six text fields of a form without a script.
pub async fn six_fields(program: &Path) -> anyhow::Result<()> {
    println!("| browser | one batch of six fields, ms (median of {ROUNDS} / best) |\n|---|---|");
    let fields: String =
        FIELDS.iter().map(|name| format!("<p><label>{name} <input></label></p>")).collect();
    let page = format!("data:text/html,<title>Form</title><form>{fields}<button>Send</button>");
    for engine in ["chromium", "firefox"] {
        let client = McpClient::start(program, &["--browser", engine]).await?;
        let mut times = Vec::new();
        for round in 0..ROUNDS {
            client.call("browser_navigate", json!({ "url": page })).await?;
            let (outline, _) = client.call("inspect_tab", json!({})).await?;
            let mut actions = Vec::new();
            for name in FIELDS {
                let element = number(&outline, &format!("textbox: {name}"))?;
                let text = format!("{name} {round}");
                actions.push(json!({ "type": "fill", "element": element, "text": text }));
            }
            let (answer, took) =
                client.call("browser_interact", json!({ "actions": actions })).await?;
            anyhow::ensure!(answer.contains(&format!("Email {round}")), "not filled: {answer}");
            times.push(took);
        }
        println!("| {engine} | {} |", cell(&times));
        client.close().await?;
    }
    Ok(())
}

/// Prints the times of two snapshots of an unchanged page.
pub async fn snapshots(program: &Path, site: &str) -> anyhow::Result<()> {
    table("elements | first, ms | second, ms | second ÷ first");
    let client = McpClient::start(program, &[]).await?;
    for size in [500, 5_000, 20_000] {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let url = format!("{site}/{size}");
            client.open(&url).await?;
            first.push(client.call("take_snapshot", json!({})).await?.1);
            second.push(client.call("take_snapshot", json!({})).await?.1);
        }
        let share = ms(median(&second)) / ms(median(&first));
        println!("| {size} | {} | {} | {share:.2} |", cell(&first), cell(&second));
    }
    client.close().await
}
