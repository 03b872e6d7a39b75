//! `cargo xtask bench`: what an agent waits for and pays, on generated pages, beside the bare in-page walk of the same run.

use std::time::{Duration, Instant};

use pagesight_core::tokens::count;
use serde_json::{Value, json};

use crate::generated;
use crate::mcp::Client;

/// How many elements the pages have.
const SIZES: [usize; 4] = [50, 500, 5_000, 20_000];
/// How often each thing is measured; the median counts.
const ROUNDS: usize = 10;

/// The least that a look has to do in the page: styles, boxes and texts of what shows, as one string.
const BARE_WALK: &str = "(() => {
  const times = []; let bytes = 0, elements = 0;
  for (let round = 0; round < 10; round++) {
    const begun = performance.now(); const out = []; elements = 0;
    const walk = (el) => {
      const style = getComputedStyle(el);
      if (style.display === 'none' || style.visibility === 'hidden') return;
      const box = el.getBoundingClientRect(); elements++;
      out.push(el.localName, box.x | 0, box.y | 0, box.width | 0, box.height | 0);
      for (let child = el.firstChild; child; child = child.nextSibling)
        if (child.nodeType === 1) walk(child); else if (child.nodeType === 3) { const text = child.data.trim(); if (text) out.push(text); }
    };
    walk(document.body);
    bytes = JSON.stringify(out).length;
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return { median: times[5], best: times[0], bytes, all: document.querySelectorAll('*').length };
})()";

/// Measures and prints the tables.
pub async fn run() -> anyhow::Result<()> {
    let program = crate::release_program()?;
    let site = generated::serve().await?;

    println!("## Start-up to `tools/list`\n");
    let mut starts = Vec::new();
    let mut tools = String::new();
    for _ in 0..ROUNDS * 2 {
        let begun = Instant::now();
        let client = Client::start(&program, &[]).await?;
        tools = client.tools().await?;
        starts.push(begun.elapsed());
        client.close().await?;
    }
    println!(
        "{:.1} ms (median of {}), {:.1} ms (best); the tool list is {} tokens.\n",
        ms(median(&mut starts)),
        starts.len(),
        ms(starts[0]),
        count(&tools)
    );

    println!("## What an agent waits for (ms, median of {ROUNDS} / best)\n");
    println!(
        "| elements | bare walk | navigate | first look | second look | look ÷ bare walk | expand | click | answer, bytes | answer, tokens | server, MiB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for size in SIZES {
        let client = Client::start(&program, &["--allow-evaluate"]).await?;
        let url = format!("{site}/{size}");
        let (mut navigate, mut first, mut second) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            navigate.push(client.call("browser_navigate", json!({ "url": url })).await?.1);
            first.push(client.call("inspect_tab", json!({})).await?.1);
            second.push(client.call("inspect_tab", json!({})).await?.1);
        }
        let (outline, _) = client.call("inspect_tab", json!({})).await?;
        let button = number(&outline, "button: Count")?;
        let (mut expand, mut click) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            expand.push(client.call("expand_dom_selector", json!({ "elementId": button })).await?.1);
            let action = json!({ "actions": [{ "type": "click", "element": button }] });
            click.push(client.call("browser_interact", action).await?.1);
        }
        let bare: Value = serde_json::from_str(
            &client.call("browser_evaluate", json!({ "expression": BARE_WALK })).await?.0,
        )?;
        let walk = bare["median"].as_f64().unwrap_or_default();
        println!(
            "| {} | {:.1} / {:.1} | {} | {} | {} | {:.1} | {} | {} | {} | {} | {:.1} |",
            bare["all"],
            walk,
            bare["best"].as_f64().unwrap_or_default(),
            cell(&mut navigate),
            cell(&mut first),
            cell(&mut second),
            ms(median(&mut second)) / walk.max(0.1),
            cell(&mut expand),
            cell(&mut click),
            outline.len(),
            count(&outline),
            client.memory()
        );
        client.close().await?;
    }

    println!("\n## The server's memory over many looks (5,000 elements)\n");
    let client = Client::start(&program, &[]).await?;
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

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Sorts, and answers with the middle.
fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn cell(times: &mut [Duration]) -> String {
    let middle = median(times);
    format!("{:.0} / {:.0}", ms(middle), ms(times[0]))
}

fn number(outline: &str, words: &str) -> anyhow::Result<String> {
    let line = outline.lines().find(|line| line.contains(words));
    let number = line.and_then(|line| {
        line.trim_start().strip_prefix('[')?.split_once(']').map(|(number, _)| number.to_owned())
    });
    number.ok_or_else(|| anyhow::anyhow!("no {words:?} in the outline:\n{outline}"))
}
