//! Measures how much longer a query takes than a plain look at a page of 5,000 elements. Both are
//! measured in turn within one run, because machines are shared.

use std::path::Path;

use serde_json::json;

use crate::bench::generated_pages;
use crate::mcp::McpClient;
use crate::report::{median, ms};

const ELEMENTS: usize = 5_000;
/// How often each is measured; the median counts.
const ROUNDS: usize = 21;
/// Queries of one and of several subjects, and one without a match.
const QUERIES: [&str; 3] =
    ["Item 37.2 price", "Agree 40 checkbox Name 12", "quarterly zebra report"];

/// The medians of a look and of a query.
pub struct QueryCost {
    look: f64,
    query: f64,
}

impl QueryCost {
    /// Returns how much longer a query takes, in milliseconds.
    pub fn milliseconds(&self) -> f64 {
        self.query - self.look
    }

    pub fn line(&self) -> String {
        let QueryCost { look, query } = self;
        format!(
            "A page of {ELEMENTS} elements: a plain look takes {look:.1} ms, with a query {query:.1} ms \
             ({:+.1} ms, {:.2} times as long; medians of {ROUNDS}).",
            query - look,
            query / look.max(1e-6)
        )
    }
}

/// Measures looks and queries in turn.
pub async fn measure(program: &Path) -> anyhow::Result<QueryCost> {
    let site = generated_pages::serve().await?;
    let client = McpClient::start(program, &[]).await?;
    let url = format!("{site}/{ELEMENTS}");
    client.open(&url).await?;
    client.call("inspect_tab", json!({})).await?;
    let (mut looks, mut queries) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        looks.push(client.call("inspect_tab", json!({})).await?.1);
        let query = QUERIES[round % QUERIES.len()];
        queries.push(client.call("inspect_tab", json!({ "query": query })).await?.1);
    }
    client.close().await?;
    Ok(QueryCost { look: ms(median(&looks)), query: ms(median(&queries)) })
}
