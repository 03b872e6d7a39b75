//! `cargo xtask bench`: what an agent waits for and pays, on generated pages, beside the bare
//! in-page walk of the same run.

mod action_replies;
mod captures;
mod fingerprints;
mod generated_pages;
mod second_look;

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::mcp::McpClient;
use crate::product::{Engine, count_tokens};

/// How many elements the pages have.
const SIZES: [usize; 4] = [50, 500, 5_000, 20_000];
/// How often each thing is measured; the median counts.
const ROUNDS: usize = 10;

/// The least that a look has to do in the page: styles, boxes and texts of what shows, as one
/// string. Once; in milliseconds.
macro_rules! bare_walk {
    () => {
        "(() => {
  const begun = performance.now(); const out = [];
  const walk = (el) => {
    const style = getComputedStyle(el);
    if (style.display === 'none' || style.visibility === 'hidden') return;
    const box = el.getBoundingClientRect();
    out.push(el.localName, box.x | 0, box.y | 0, box.width | 0, box.height | 0);
    for (let child = el.firstChild; child; child = child.nextSibling)
      if (child.nodeType === 1) walk(child); else if (child.nodeType === 3) { const text = child.data.trim(); if (text) out.push(text); }
  };
  walk(document.body);
  JSON.stringify(out);
  return performance.now() - begun;
})()"
    };
}
pub(crate) const BARE_ONCE: &str = bare_walk!();

/// The same ten times.
const BARE_WALK: &str = concat!(
    "(() => { const times = []; for (let round = 0; round < 10; round++) times.push(",
    bare_walk!(),
    "); times.sort((a, b) => a - b);
  return { median: times[5], best: times[0], all: document.querySelectorAll('*').length }; })()"
);

/// One line of text changes.
pub(crate) const CHANGE: &str =
    "document.getElementById('out').textContent = 'changed ' + (++window.n)";

/// Messages that the page sends to itself, and the largest gap between two of them.
pub(crate) const HEARTBEAT: &str = "(() => {
  const channel = new MessageChannel(); let last = performance.now(); window.gap = 0;
  channel.port1.onmessage = () => { const now = performance.now(); if (now - last > gap) gap = now - last; last = now; channel.port2.postMessage(0) };
  channel.port2.postMessage(0);
  return true;
})()";

/// Names of the links whose middle a click would hit.
const IN_VIEW: &str = "[...new Set(Array.from({ length: 72 }, (_, i) => document.elementFromPoint(120 + (i % 2) * 60, i * 10)?.closest('section')?.querySelector('p a')))]
  .filter((a) => a && a.getBoundingClientRect().top > 0 && a.getBoundingClientRect().bottom < innerHeight).map((a) => a.textContent)";

/// Which tables.
#[derive(clap::Args)]
pub struct BenchArgs {
    /// Only what a second look costs
    #[arg(long)]
    again: bool,
    /// Only what fingerprints cost
    #[arg(long)]
    fingerprints: bool,
    /// Only one capture beside the bare walk, in Firefox
    #[arg(long)]
    firefox: bool,
}

/// Measures and prints the tables.
pub async fn run(args: BenchArgs) -> anyhow::Result<()> {
    let program = crate::release_program()?;
    let site = generated_pages::serve().await?;
    if args.again {
        second_look::run(&program, &site).await?;
        println!();
        return action_replies::run(&program, &site).await;
    }

    if args.fingerprints {
        return fingerprints::run(&program, &site).await;
    }
    if args.firefox {
        return captures::run(Engine::Firefox, &site).await;
    }

    println!("## Start-up to `tools/list`\n");
    let mut starts = Vec::new();
    let mut tools = String::new();
    for _ in 0..ROUNDS * 2 {
        let begun = Instant::now();
        let client = McpClient::start(&program, &[]).await?;
        tools = client.tools().await?;
        starts.push(begun.elapsed());
        client.close().await?;
    }
    println!(
        "{:.1} ms (median of {}), {:.1} ms (best); the tool list is {} tokens.\n",
        ms(median(&mut starts)),
        starts.len(),
        ms(starts[0]),
        count_tokens(&tools)
    );

    println!("## What an agent waits for (ms, median of {ROUNDS} / best)\n");
    println!(
        "| elements | bare walk | navigate | first look | second look, nothing changed | look after a change | first ÷ bare | second ÷ first | after a change ÷ bare | expand | click | answer, bytes | answer, tokens | server, MiB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for size in SIZES {
        waiting(&program, &site, size).await?;
    }

    println!("\n## A second look, after one thing changed (median / best)\n");
    second_look::run(&program, &site).await?;

    println!("\n## How soon an action is answered (median of 15 / best)\n");
    action_replies::run(&program, &site).await?;

    println!("\n## One capture beside the bare walk of the same moment (Chromium)\n");
    captures::run(Engine::Chromium, &site).await?;

    println!("\n## The same in Firefox\n");
    captures::run(Engine::Firefox, &site).await?;

    println!("\n## What a fingerprint costs (median of 15 / best)\n");
    fingerprints::run(&program, &site).await?;

    println!(
        "\n## What the page waits for: largest gap of its own heartbeat during a look (ms, median of {ROUNDS} / worst)\n"
    );
    println!(
        "| elements | idle, as long | look after a change | look, nothing changed |\n|---|---|---|---|"
    );
    for size in [5_000, 20_000] {
        heartbeat(&program, &site, size).await?;
    }

    println!("\n## A page of 1,000,000 elements\n");
    huge(&program, &site).await?;

    println!("\n## The server's memory over many looks (5,000 elements)\n");
    let client = McpClient::start(&program, &[]).await?;
    println!("| after | MiB |\n|---|---|\n| `tools/list` | {:.1} |", client.memory());
    client.call("browser_navigate", json!({ "url": format!("{site}/5000") })).await?;
    for look in 1..=200 {
        client.call("inspect_tab", json!({})).await?;
        if [1, 20, 100, 200].contains(&look) {
            println!("| look {look} | {:.1} |", client.memory());
        }
    }
    client.close().await?;
    Ok(())
}

/// One line of the table of what an agent waits for.
async fn waiting(program: &Path, site: &str, size: usize) -> anyhow::Result<()> {
    let client = McpClient::start(program, &["--allow-evaluate"]).await?;
    let url = format!("{site}/{size}");
    let (mut navigate, mut first, mut second, mut changed) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        navigate.push(client.call("browser_navigate", json!({ "url": url })).await?.1);
        first.push(client.call("inspect_tab", json!({})).await?.1);
        second.push(client.call("inspect_tab", json!({})).await?.1);
        client.call("browser_evaluate", json!({ "expression": CHANGE })).await?;
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
    let bare = evaluate(&client, BARE_WALK).await?;
    let walk = bare["median"].as_f64().unwrap_or_default();
    let one = ms(median(&mut first));
    println!(
        "| {} | {:.1} / {:.1} | {} | {} | {} | {} | {:.1} | {:.2} | {:.1} | {} | {} | {} | {} | {:.1} |",
        bare["all"],
        walk,
        bare["best"].as_f64().unwrap_or_default(),
        cell(&mut navigate),
        cell(&mut first),
        cell(&mut second),
        cell(&mut changed),
        one / walk.max(0.1),
        ms(median(&mut second)) / one,
        ms(median(&mut changed)) / walk.max(0.1),
        cell(&mut expand),
        cell(&mut click),
        outline.len(),
        count_tokens(&outline),
        client.memory()
    );
    client.close().await
}

/// One line of the table of gaps. The first look, with the layout it may force, is not in it.
async fn heartbeat(program: &Path, site: &str, size: usize) -> anyhow::Result<()> {
    let client = McpClient::start(program, &["--allow-evaluate"]).await?;
    client.call("browser_navigate", json!({ "url": format!("{site}/{size}") })).await?;
    client.call("inspect_tab", json!({})).await?;
    evaluate(&client, HEARTBEAT).await?;
    let (mut idle, mut walked, mut known) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        client.call("browser_evaluate", json!({ "expression": CHANGE })).await?;
        evaluate(&client, "gap = 0").await?;
        let took = client.call("inspect_tab", json!({})).await?.1;
        walked.push(gap(&client).await?);
        client.call("inspect_tab", json!({})).await?;
        known.push(gap(&client).await?);
        tokio::time::sleep(took).await;
        idle.push(gap(&client).await?);
    }
    println!("| {size} | {} | {} | {} |", gaps(&mut idle), gaps(&mut walked), gaps(&mut known));
    client.close().await
}

/// A page that cannot be walked as a whole: it has to be answered, cut short, and say so.
async fn huge(program: &Path, site: &str) -> anyhow::Result<()> {
    let client = McpClient::start(program, &["--allow-evaluate"]).await?;
    let url = format!("{site}/1000000");
    let (reported, navigate) = client.call("browser_navigate", json!({ "url": url })).await?;
    println!(
        "- Navigation: {:.1} s, `{}`.",
        navigate.as_secs_f64(),
        reported.lines().next().unwrap_or_default()
    );
    for _ in 0..60 {
        let ready =
            client.call("browser_evaluate", json!({ "expression": "document.readyState" })).await;
        if ready.is_ok_and(|(state, _)| state.contains("complete")) {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    for (what, place) in
        [("at the top", "0"), ("far down", "document.documentElement.scrollHeight / 2")]
    {
        evaluate(&client, &format!("(scrollTo(0, {place}), document.body.offsetHeight)")).await?;
        let (outline, took) = client.call("inspect_tab", json!({ "scope": "viewport" })).await?;
        let seen = evaluate(&client, IN_VIEW).await?;
        let words: Vec<&str> =
            seen.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let there = words.iter().filter(|words| outline.contains(*words)).count();
        let said =
            outline.lines().rev().find(|line| line.contains("elements")).unwrap_or("nothing said");
        println!(
            "- Scrolled {what}: answered in {:.1} s; {there} of {} links in the viewport are listed; it says: `{}`",
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

pub(crate) async fn evaluate(client: &McpClient, expression: &str) -> anyhow::Result<Value> {
    Ok(serde_json::from_str(
        &client.call("browser_evaluate", json!({ "expression": expression })).await?.0,
    )?)
}

/// The largest gap since it was last asked for.
pub(crate) async fn gap(client: &McpClient) -> anyhow::Result<f64> {
    let read = "(() => { const seen = gap; gap = 0; return seen })()";
    Ok(evaluate(client, read).await?.as_f64().unwrap_or_default())
}

pub(crate) fn gaps(of: &mut [f64]) -> String {
    of.sort_by(f64::total_cmp);
    format!("{:.0} / {:.0}", of[of.len() / 2], of.last().copied().unwrap_or_default())
}

pub(crate) fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Sorts, and answers with the middle.
pub(crate) fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

pub(crate) fn cell(times: &mut [Duration]) -> String {
    let middle = median(times);
    format!("{:.0} / {:.0}", ms(middle), ms(times[0]))
}

pub(crate) fn number(outline: &str, words: &str) -> anyhow::Result<String> {
    let line = outline.lines().find(|line| line.contains(words));
    let number = line.and_then(|line| {
        line.trim_start().strip_prefix('[')?.split_once(']').map(|(number, _)| number.to_owned())
    });
    number.ok_or_else(|| anyhow::anyhow!("no {words:?} in the outline:\n{outline}"))
}
