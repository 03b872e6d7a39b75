//! Computes the hashes of drawings with the page script's own module, in a browser: there is only
//! one implementation.

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::attached::AttachedTab;
use crate::devtools::{DevTools, LabBrowser};
use crate::install;
use crate::options::repository;

/// How many drawings are sent at a time.
const AT_A_TIME: usize = 500;

/// Returns the hash of each drawing, as the page script computes it; `None` if it has none.
/// `folder` is the folder of the installed icon sets.
pub async fn of(folder: &Path, svgs: &[&str]) -> anyhow::Result<Vec<Option<String>>> {
    let module = bundle(folder).await?;
    let browser = LabBrowser::start().await?;
    let tools = DevTools::connect(&browser.url).await?;
    let hashes = in_browser(&tools, &module, svgs).await;
    browser.close(&tools).await;
    hashes
}

/// Bundles the module of the page script.
async fn bundle(folder: &Path) -> anyhow::Result<String> {
    let page = repository().join("page/src");
    let file = folder.join("drawing.js");
    let mut esbuild = Command::new(folder.join("node_modules/.bin/esbuild"));
    esbuild
        .arg(page.join("capture/drawing.ts"))
        .args(["--bundle", "--format=iife", "--global-name=drawing", "--log-level=error"])
        .arg(format!("--inject:{}", page.join("dom/globals.ts").display()))
        .arg(format!("--outfile={}", file.display()));
    install::run(&mut esbuild).await?;
    Ok(std::fs::read_to_string(file)?)
}

async fn in_browser(
    tools: &DevTools,
    module: &str,
    svgs: &[&str],
) -> anyhow::Result<Vec<Option<String>>> {
    let opened = tools.call(None, "Target.createTarget", json!({ "url": "about:blank" })).await?;
    let target = opened["targetId"].as_str().context("no tab was opened")?;
    let tab = AttachedTab::attach(tools, target).await?;
    tab.evaluate(tools, &format!("{module};globalThis.drawing = drawing; null")).await?;
    let mut hashes = Vec::with_capacity(svgs.len());
    for some in svgs.chunks(AT_A_TIME) {
        let script = format!(
            "({}).map((text) => {{
               const page = new DOMParser().parseFromString(text, 'text/html');
               return drawing.drawingHash(page.querySelector('svg')) ?? null;
             }})",
            Value::from(some)
        );
        let answer = tab.evaluate(tools, &script).await?;
        let answer = answer.as_array().context("the hashes are not a list")?;
        hashes.extend(answer.iter().map(|hash| hash.as_str().map(str::to_owned)));
    }
    Ok(hashes)
}
