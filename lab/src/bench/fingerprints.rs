//! Part of `cargo lab bench`: what a fingerprint costs: the call, the call again, how long it holds
//! up the page's own scripts, writing the answer, and comparing.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::timing::{CHANGE, HEARTBEAT, cell, gap, gaps};
use crate::mcp::McpClient;
use crate::product::{
    FingerprintRequest, IgnoreRules, Session, SessionOptions, compare, count_tokens,
    fingerprint_answer,
};
use crate::report::{median, ms, table};

/// How often each thing is measured; the median counts.
const ROUNDS: usize = 15;

const BREAK: &str = "document.getElementById('target').remove()";

pub async fn run(program: &Path, site: &str) -> anyhow::Result<()> {
    table(
        "elements | first, ms | nothing changed, ms | ÷ first | after a change, ms | gap of the page's heartbeat, ms | compare, the call, ms | writing, ms | comparing, ms | tokens | `token_count`",
    );
    for size in [500, 5_000, 20_000] {
        let url = format!("{site}/{size}");
        let client = McpClient::start(program, &["--allow-evaluate"]).await?;
        let (mut first, mut again, mut changed, mut compared) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut held, mut text) = (Vec::new(), String::new());
        for _ in 0..ROUNDS {
            client.call("browser_navigate", json!({ "url": url })).await?;
            let (reported, took) = client.call("get_dom_fingerprint", json!({})).await?;
            first.push(took);
            text = reported;
            again.push(client.call("get_dom_fingerprint", json!({})).await?.1);
            client.evaluate(HEARTBEAT).await?;
            client.evaluate(CHANGE).await?;
            client.evaluate("gap = 0").await?;
            changed.push(client.call("get_dom_fingerprint", json!({})).await?.1);
            held.push(gap(&client).await?);
            compared.push(
                client.call("compare_dom_fingerprint", json!({ "against": "last" })).await?.1,
            );
        }
        client.close().await?;
        let (writing, comparing) = in_process(&url).await?;
        let reported: Value = serde_json::from_str(&text)?;
        println!(
            "| {size} | {} | {} | {:.2} | {} | {} | {} | {:.2} | {:.2} | {} | {} |",
            cell(&first),
            cell(&again),
            ms(median(&again)) / ms(median(&first)),
            cell(&changed),
            gaps(&held),
            cell(&compared),
            ms(median(&writing)),
            ms(median(&comparing)),
            count_tokens(&text),
            reported["token_count"]
        );
    }
    Ok(())
}

/// Measures writing an answer, and comparing with a page that lacks a button.
async fn in_process(url: &str) -> anyhow::Result<(Vec<Duration>, Vec<Duration>)> {
    let session = Session::new(SessionOptions::default());
    let tab = session.open_tab(None).await?;
    session.navigate(&tab, &session.address(url)?, None).await?;
    let whole = session.fingerprint(&tab, &FingerprintRequest::default()).await?;
    session.evaluate(&tab, BREAK).await?;
    let broken = session.fingerprint(&tab, &FingerprintRequest::default()).await?;
    session.close().await;
    anyhow::ensure!(
        !compare(&whole, &broken, &IgnoreRules::default()).changes.is_empty(),
        "a lost button was not reported"
    );
    let (mut writing, mut comparing) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        std::hint::black_box(fingerprint_answer(&whole, &[]).to_string());
        writing.push(begun.elapsed());
        let begun = Instant::now();
        std::hint::black_box(compare(&whole, &broken, &IgnoreRules::default()));
        comparing.push(begun.elapsed());
    }
    Ok((writing, comparing))
}
