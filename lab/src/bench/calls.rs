//! Part of `cargo lab bench`: how long each call takes that an agent makes, and what its answer
//! costs.

use std::path::Path;
use std::time::Instant;

use serde_json::json;

use super::ROUNDS;
use super::generated_pages::SIZES;
use super::timing::{BARE_WALK, CHANGE, cell, number};
use crate::mcp::McpClient;
use crate::product::count_tokens;
use crate::report::{median, ms, quantile, table};

/// Prints the time from starting the server to its list of tools.
pub async fn start_up(program: &Path) -> anyhow::Result<()> {
    let mut starts = Vec::new();
    let mut tools = String::new();
    for _ in 0..ROUNDS * 2 {
        let begun = Instant::now();
        let client = McpClient::start(program, &[]).await?;
        tools = client.tools().await?;
        starts.push(begun.elapsed());
        client.close().await?;
    }
    println!(
        "{:.1} ms (median of {}), {:.1} ms (best); the tool list has {} tokens.",
        ms(median(&starts)),
        starts.len(),
        ms(quantile(&starts, 0.0)),
        count_tokens(&tools)
    );
    Ok(())
}

/// Prints the table of calls, one row for each page size.
pub async fn calls(program: &Path, site: &str) -> anyhow::Result<()> {
    table(
        "elements | bare walk | navigate | first look | second look, nothing changed | look after a change | first ÷ bare | second ÷ first | after a change ÷ bare | expand | click | answer, bytes | answer, tokens | server, MiB",
    );
    for size in SIZES {
        row(program, site, size).await?;
    }
    Ok(())
}

/// Prints how long a navigation takes, as users get it: with smart waiting, with and without the
/// outline in its answer, on pages with and without a script.
pub async fn navigate(program: &Path, site: &str, engine: &str) -> anyhow::Result<()> {
    table(
        "elements | no script | no script, no outline | with a script | with a script, no outline | the outline costs",
    );
    let client = McpClient::start(program, &["--browser", engine]).await?;
    for size in SIZES {
        let mut cells = Vec::new();
        let mut medians = Vec::new();
        for page in ["static/", ""] {
            let url = format!("{site}/{page}{size}");
            let (mut outlined, mut bare) = (Vec::new(), Vec::new());
            // In turn, so that a busy moment of the machine meets both.
            for _ in 0..ROUNDS {
                let wanted = json!({ "url": url });
                outlined.push(client.call("browser_navigate", wanted).await?.1);
                let wanted = json!({ "url": url, "max_tokens": 0 });
                bare.push(client.call("browser_navigate", wanted).await?.1);
            }
            cells.extend([cell(&outlined), cell(&bare)]);
            medians.extend([ms(median(&outlined)), ms(median(&bare))]);
        }
        println!("| {size} | {} | {:.0} |", cells.join(" | "), medians[2] - medians[3]);
    }
    client.close().await
}

/// Measures one page size.
async fn row(program: &Path, site: &str, size: usize) -> anyhow::Result<()> {
    let client = McpClient::start(program, &["--allow-evaluate"]).await?;
    let url = format!("{site}/{size}");
    let (mut navigate, mut first, mut second, mut changed) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        navigate.push(client.call("browser_navigate", json!({ "url": url })).await?.1);
        first.push(client.call("inspect_tab", json!({})).await?.1);
        second.push(client.call("inspect_tab", json!({})).await?.1);
        client.evaluate(CHANGE).await?;
        changed.push(client.call("inspect_tab", json!({})).await?.1);
    }
    let (outline, _) = client.call("inspect_tab", json!({})).await?;
    let button = number(&outline, "button: Count")?;
    let (mut expand, mut click) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        expand.push(client.call("expand_dom_selector", json!({ "elementId": button })).await?.1);
        let action = json!({ "actions": [{ "type": "click", "element": button }] });
        click.push(client.call("browser_interact", action).await?.1);
    }
    let bare = client.evaluate(BARE_WALK).await?;
    let walk = bare["median"].as_f64().unwrap_or_default();
    let one = ms(median(&first));
    println!(
        "| {} | {:.1} / {:.1} | {} | {} | {} | {} | {:.1} | {:.2} | {:.1} | {} | {} | {} | {} | {:.1} |",
        bare["all"],
        walk,
        bare["best"].as_f64().unwrap_or_default(),
        cell(&navigate),
        cell(&first),
        cell(&second),
        cell(&changed),
        one / walk.max(0.1),
        ms(median(&second)) / one,
        ms(median(&changed)) / walk.max(0.1),
        cell(&expand),
        cell(&click),
        outline.len(),
        count_tokens(&outline),
        client.memory()
    );
    client.close().await
}
