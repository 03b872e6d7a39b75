//! Shared by the tables of `cargo lab bench`: scripts that run in the page, and medians.

use std::time::Duration;

use crate::mcp::McpClient;
use crate::report::{median, ms, quantile};

/// The least that a look has to do in the page: collects styles, boxes and texts of what is visible
/// as one string. Returns milliseconds.
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
/// The bare walk, once.
pub const BARE_ONCE: &str = bare_walk!();

/// The bare walk, ten times.
pub const BARE_WALK: &str = concat!(
    "(() => { const times = []; for (let round = 0; round < 10; round++) times.push(",
    bare_walk!(),
    "); times.sort((a, b) => a - b);
  return { median: times[5], best: times[0], all: document.querySelectorAll('*').length }; })()"
);

/// Changes one line of text.
pub const CHANGE: &str = "document.getElementById('out').textContent = 'changed ' + (++window.n)";

/// Makes the page send messages to itself and record the largest gap between two of them.
pub const HEARTBEAT: &str = "(() => {
  const channel = new MessageChannel(); let last = performance.now(); window.gap = 0;
  channel.port1.onmessage = () => { const now = performance.now(); if (now - last > gap) gap = now - last; last = now; channel.port2.postMessage(0) };
  channel.port2.postMessage(0);
  return true;
})()";

/// Returns the largest gap since the last call, in milliseconds.
pub async fn gap(client: &McpClient) -> anyhow::Result<f64> {
    let read = "(() => { const seen = gap; gap = 0; return seen })()";
    Ok(client.evaluate(read).await?.as_f64().unwrap_or_default())
}

/// Writes the median, the 95th percentile and the largest of the gaps.
pub fn gaps(of: &[f64]) -> String {
    let [middle, high, most] = [0.5, 0.95, 1.0].map(|share| quantile(of, share));
    format!("{middle:.0} / {high:.0} / {most:.0}")
}

/// Writes the median and the best time, in milliseconds.
pub fn cell(times: &[Duration]) -> String {
    format!("{:.0} / {:.0}", ms(median(times)), ms(quantile(times, 0.0)))
}

/// Returns the reference of the line that contains these words.
pub fn number(outline: &str, words: &str) -> anyhow::Result<String> {
    let line = outline.lines().find(|line| line.contains(words));
    let number = line.and_then(|line| {
        line.trim_start().strip_prefix('[')?.split_once(']').map(|(number, _)| number.to_owned())
    });
    number.ok_or_else(|| anyhow::anyhow!("no {words:?} in the outline:\n{outline}"))
}
