//! Measures how much longer a query takes than a plain look at a page of 5,000 elements. Both are
//! measured in turn within one run, because machines are shared.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::bench::generated_pages;
use crate::mcp::McpClient;

const ELEMENTS: usize = 5_000;
/// How often each is measured; the median counts.
const ROUNDS: usize = 21;
/// Queries of one and of several subjects, and one without a match.
const QUERIES: [&str; 3] =
    ["Item 37.2 price", "Agree 40 checkbox Name 12", "quarterly zebra report"];

/// The medians of a look and of a query.
pub struct QueryCost {
    look: Duration,
    query: Duration,
}

impl QueryCost {
    /// Returns how much longer the query takes, in milliseconds.
    pub fn milliseconds(&self) -> f64 {
        (self.query.as_secs_f64() - self.look.as_secs_f64()) * 1_000.0
    }

    /// Returns the figures in one line.
    pub fn line(&self) -> String {
        let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
        format!(
            "A page of {ELEMENTS} elements: a plain look takes {:.1} ms, with a query {:.1} ms ({:+.1} ms, {:.2} times as long; medians of {ROUNDS}).",
            ms(self.look),
            ms(self.query),
            self.milliseconds(),
            self.query.as_secs_f64() / self.look.as_secs_f64().max(1e-9),
        )
    }
}

/// Measures looks and queries in turn.
pub async fn measure(program: &Path) -> anyhow::Result<QueryCost> {
    let site = generated_pages::serve().await?;
    let client = McpClient::start(program, &[]).await?;
    let url = format!("{site}/{ELEMENTS}");
    client.call("browser_navigate", json!({ "url": url, "max_tokens": 0 })).await?;
    client.call("inspect_tab", json!({})).await?;
    let (mut looks, mut queries) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        looks.push(client.call("inspect_tab", json!({})).await?.1);
        let query = QUERIES[round % QUERIES.len()];
        queries.push(client.call("inspect_tab", json!({ "query": query })).await?.1);
    }
    client.close().await?;
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2]
    };
    Ok(QueryCost { look: median(&mut looks), query: median(&mut queries) })
}
