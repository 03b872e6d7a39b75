//! The waiting benchmark in an app of another project. A script, which the lab's own DevTools
//! connection puts into every document, records when the page last changed something in view.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::json;

use super::now;
use crate::attached::{AttachedTab, tab_targets};
use crate::devtools::{DevTools, LabBrowser};
use crate::install::apps;
use crate::mcp::McpClient;
use crate::report::table;

/// Records when the number of visible elements that match `SELECTOR` last changed.
const WATCH: &str = "(() => { let count = 0; const look = () => { const n = [...document.querySelectorAll('SELECTOR')].filter((el) => el.checkVisibility() && el.getBoundingClientRect().width > 0).length; if (n !== count) { count = n; window.truth = Date.now() } }; new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true }) })()";

/// The apps, what they show when they are ready, and the address below theirs.
const LIVE: &[(&str, &str, &str)] = &[("JupyterLab", ".jp-LauncherCard", "/lab?reset")];

/// Measures and prints the table.
pub async fn run(program: &Path, rounds: u64) -> anyhow::Result<()> {
    println!();
    table("app | strategy | runs | too early by (median) | too late by (median) | reason");
    for (name, selector, path) in LIVE {
        let mut running = apps::find(name)?.start().await?;
        let measured =
            measure(program, name, selector, &format!("{}{path}", running.address), rounds).await;
        running.end().await;
        measured?;
    }
    Ok(())
}

async fn measure(
    program: &Path,
    name: &str,
    selector: &str,
    url: &str,
    rounds: u64,
) -> anyhow::Result<()> {
    let browser = LabBrowser::start().await?;
    let tools = DevTools::connect(&browser.url).await?;
    let client = McpClient::start(program, &["--connect", &browser.url]).await?;
    client.call("browser_navigate", json!({ "url": "about:blank" })).await?;
    let target = tab_targets(&tools).await?.pop().context("no page")?;
    let tab = AttachedTab::attach(&tools, &target).await?;
    let session = &tab.session;
    tools.call(Some(session), "Network.enable", json!({})).await?;
    tools.call(Some(session), "Network.setCacheDisabled", json!({ "cacheDisabled": true })).await?;
    let source = WATCH.replace("SELECTOR", selector);
    let script = json!({ "source": source });
    tools.call(Some(session), "Page.addScriptToEvaluateOnNewDocument", script).await?;
    let mut runs: Vec<(i64, String)> = Vec::new();
    let mut idle: Vec<(i64, String)> = Vec::new();
    for _ in 0..rounds {
        let (text, _) = client.call("browser_navigate", json!({ "url": url })).await?;
        let returned = now();
        let reason = super::reason_of(&text).to_owned();
        runs.push((returned - truth(&tools, &tab).await?, reason));
        idle.push((network_idle(&tools, &tab, url).await?, "idle".to_owned()));
    }
    client.close().await?;
    browser.close(&tools).await;
    for (strategy, runs) in [("pagesight", &mut runs), ("`networkidle`", &mut idle)] {
        runs.sort();
        let (middle, reported) = &runs[runs.len() / 2];
        let (early, late) = if *middle < 0 { (-middle, 0) } else { (0, *middle) };
        println!("| {name} | {strategy} | {} | {early} ms | {late} ms | {reported} |", runs.len());
    }
    Ok(())
}

/// Returns when the page became ready: nothing that is awaited changed for six seconds after it.
async fn truth(tools: &DevTools, tab: &AttachedTab) -> anyhow::Result<i64> {
    let mut last = 0;
    let mut since = Instant::now();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60)
        && (last == 0 || since.elapsed() < Duration::from_secs(6))
    {
        let seen = tab.evaluate(tools, "window.truth ?? 0").await?;
        let seen = seen.as_f64().unwrap_or_default() as i64;
        if seen != last {
            last = seen;
            since = Instant::now();
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    anyhow::ensure!(last > 0, "the app never showed what it should");
    Ok(last)
}

/// Returns how many milliseconds after the page became ready the network was first idle for half a
/// second, by the page's own record of its requests.
async fn network_idle(tools: &DevTools, tab: &AttachedTab, url: &str) -> anyhow::Result<i64> {
    tools.call(Some(&tab.session), "Page.navigate", json!({ "url": url })).await?;
    let truth = truth(tools, tab).await?;
    let expression = "(() => { const all = performance.getEntriesByType('resource').map((e) => [e.startTime, e.responseEnd || e.startTime]); let quiet = performance.getEntriesByType('navigation')[0].responseEnd; for (const [start, end] of all.sort((a, b) => a[0] - b[0])) { if (start > quiet + 500) break; quiet = Math.max(quiet, end) } return performance.timeOrigin + quiet + 500 })()";
    let idle = tab.evaluate(tools, expression).await?;
    Ok(idle.as_f64().unwrap_or_default() as i64 - truth)
}
