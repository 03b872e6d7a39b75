//! Part of `cargo lab find --rows`: grids and virtual lists of component libraries. The gold is the
//! data that they were given.

use serde_json::json;

use super::compared::{ComparedKind, report};
use super::gold::Gold;
use super::{BROWSERS, EQUAL, RowsRun};
use crate::install::bundle::bundle;
use crate::mcp::{MOST_TOKENS, McpClient};
use crate::pages;

const PACKAGES: [&str; 12] = [
    "ag-grid-community@36",
    "tabulator-tables@6",
    "datatables.net-dt@3",
    "@mui/x-data-grid@9",
    "@mui/material@9",
    "@emotion/react@11",
    "@emotion/styled@11",
    "@tanstack/react-virtual@3",
    "react-window@2",
    "react@19",
    "react-dom@19",
    "esbuild@0.25",
];

/// The grids: a name, the query of the page, how many rows, and which pages are read.
const GRIDS: [(&str, &str, usize, Option<&str>); 10] = [
    ("AG Grid", "kind=ag-grid", 300, Some("scroll")),
    ("AG Grid, pinned column", "kind=ag-grid&pinned", 300, Some("scroll")),
    ("AG Grid, pages", "kind=ag-grid&pages", 60, Some("next")),
    ("Tabulator", "kind=tabulator", 300, Some("scroll")),
    ("DataTables, head apart", "kind=datatables&scroll", 60, None),
    ("DataTables, pages", "kind=datatables", 55, Some("next")),
    ("MUI DataGrid", "kind=mui", 100, Some("scroll")),
    ("MUI DataGrid, pages", "kind=mui&pages", 75, Some("next")),
    ("TanStack Virtual", "kind=tanstack", 500, Some("scroll")),
    ("react-window", "kind=react-window", 500, Some("scroll")),
];

/// Reads each grid in both browsers.
pub async fn run(run: &RowsRun<'_>) -> anyhow::Result<Vec<String>> {
    let bundled = bundle("find/rows/page", &PACKAGES, &[("rows.jsx", "bundle.js")]).await?;
    let site = pages::serve(bundled).await?;
    let mut kinds = Vec::new();
    for browser in BROWSERS {
        let client = run.client(browser).await?;
        for (name, query, rows, pages) in GRIDS {
            let name = format!("{browser}: {name}");
            if !run.includes(&format!("libraries: {name}")) {
                continue;
            }
            let mut kind = ComparedKind::new(name);
            client.open(&format!("{site}/index.html?{query}&rows={rows}")).await?;
            let gold = Gold::parse(&client.evaluate("gold").await?.to_string())?;
            kind.add("", &gold, read(&client, pages).await);
            kinds.push(kind);
        }
        client.close().await?;
    }
    Ok(report(kinds, EQUAL))
}

async fn read(client: &McpClient, pages: Option<&str>) -> anyhow::Result<Gold> {
    let mut question = json!({ "format": "json", "limit": 1_000_000, "max_tokens": MOST_TOKENS });
    if let Some(pages) = pages {
        question["pages"] = pages.into();
    }
    let (answer, _) = client.call("read_rows", question).await?;
    Gold::parse(&answer)
}
