//! Part of `cargo lab bench`: the server's memory over many looks, and after large pages.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::mcp::McpClient;
use crate::product::count_tokens;
use crate::report::table;

/// The sizes of the pages that are looked at, one look each.
const SIZES: [usize; 9] = [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000];
/// How many tokens the largest answer may have.
const LARGEST_ANSWER: usize = 90_000;
/// The most that the server may need at any time, in MiB.
const MOST: f64 = 60.0;
/// The most that it may need a minute later, in MiB.
const MOST_LATER: f64 = 45.0;

/// Prints the server's memory over 200 looks at one page.
pub async fn many_looks(program: &Path, site: &str) -> anyhow::Result<()> {
    let client = McpClient::start(program, &[]).await?;
    println!("| after | MiB |\n|---|---|\n| `tools/list` | {:.1} |", client.memory());
    client.call("browser_navigate", json!({ "url": format!("{site}/5000") })).await?;
    for look in 1..=200 {
        client.call("inspect_tab", json!({})).await?;
        if [1, 20, 100, 200].contains(&look) {
            println!("| look {look} | {:.1} |", client.memory());
        }
    }
    client.close().await
}

/// Prints the server's memory over nine pages of growing size, with one very long answer.
pub async fn growing_pages(program: &Path, site: &str) -> anyhow::Result<()> {
    let client = McpClient::start(program, &[]).await?;
    table("after | MiB now | MiB at most");
    for size in SIZES {
        client.call("browser_navigate", json!({ "url": format!("{site}/{size}") })).await?;
        client.call("inspect_tab", json!({})).await?;
        println!(
            "| a look at {size} elements | {:.1} | {:.1} |",
            client.memory(),
            client.peak_memory()
        );
    }
    let wanted = json!({ "max_tokens": LARGEST_ANSWER, "fold": false });
    let (answer, _) = client.call("inspect_tab", wanted).await?;
    let peak = client.peak_memory();
    println!(
        "| an answer of {} tokens | {:.1} | {peak:.1} |",
        count_tokens(&answer),
        client.memory()
    );
    drop(answer);
    tokio::time::sleep(Duration::from_secs(60)).await;
    let later = client.memory();
    println!("| a minute | {later:.1} | {peak:.1} |");
    client.close().await?;
    println!("\nTargets: {MOST} MiB at most, {MOST_LATER} MiB a minute later.");
    anyhow::ensure!(peak <= MOST && later <= MOST_LATER, "the server needs too much memory");
    Ok(())
}
