//! Part of `cargo lab find --rows`: tables and lists of saved pages, compared with what a plain
//! script reads of them.

use std::collections::HashMap;

use super::compared::{ComparedKind, read, report};
use super::gold::{Gold, plain};
use super::{BROWSERS, EQUAL, LEAST_REAL, RowsRun};
use crate::mcp::McpClient;
use crate::pages::page_states;

/// Lists the tables and lists of a page.
const READER: &str = include_str!("reader.js");

/// Visits all pages in both browsers.
pub async fn run(run: &RowsRun<'_>) -> anyhow::Result<Vec<String>> {
    if run.folders.is_empty() {
        println!("No folder of saved pages was named.");
        return Ok(Vec::new());
    }
    let mut kinds = Vec::new();
    let mut fewest = usize::MAX;
    for browser in BROWSERS {
        let mut of_kind: HashMap<&str, ComparedKind> = HashMap::new();
        let client = run.client(browser).await?;
        let mut count = 0;
        for folder in run.folders {
            for page in page_states(folder).await? {
                let (Some(url), true) =
                    (&page.url, run.includes(&format!("saved: {browser}: {}", page.name)))
                else {
                    continue;
                };
                if client.open(url).await.is_err() {
                    println!("- {} could not be opened", page.name);
                    continue;
                }
                for (path, gold) in structures(&client).await? {
                    count += 1;
                    let kind = if gold.kind == "list" { "list" } else { "table" };
                    let found = read(&client, Some(&path)).await;
                    let found = if kind == "list" { found.map(joined) } else { found };
                    let gold = if kind == "list" { joined(gold) } else { gold };
                    let name = format!("{} {}", page.name, path.rsplit(" > ").next().unwrap_or(""));
                    of_kind
                        .entry(kind)
                        .or_insert_with(|| ComparedKind::new(format!("{browser}: {kind}")))
                        .add(&name, &gold, found);
                }
            }
        }
        client.close().await?;
        fewest = fewest.min(count);
        let mut of_kind: Vec<ComparedKind> = of_kind.into_values().collect();
        of_kind.sort_by(|one, other| one.name().cmp(other.name()));
        kinds.extend(of_kind);
    }
    let mut misses = report(kinds, EQUAL);
    if fewest < LEAST_REAL && !run.only.is_set() {
        misses.push(format!("only {fewest} tables and lists, {LEAST_REAL} are needed"));
    }
    Ok(misses)
}

/// Returns the tables and lists of the page, each with its selector.
async fn structures(client: &McpClient) -> anyhow::Result<Vec<(String, Gold)>> {
    let found = client.evaluate(READER).await?;
    let found = found.as_array().cloned().unwrap_or_default();
    found
        .iter()
        .map(|one| {
            let path = one["path"].as_str().unwrap_or_default().to_owned();
            Ok((path, Gold::parse(&one.to_string())?))
        })
        .collect()
}

/// Returns the items of a list as one cell each, without the marks that columns take away, and
/// without where links lead.
fn joined(list: Gold) -> Gold {
    let shown: Vec<usize> =
        (0..list.columns.len()).filter(|at| !list.columns[*at].ends_with(" target")).collect();
    let one = |row: &Vec<String>| {
        let texts: Vec<&str> = shown.iter().map(|at| row[*at].as_str()).collect();
        vec![plain(&texts.join(" ")).replace([' ', ':'], "")]
    };
    Gold {
        kind: String::new(),
        columns: vec!["text".to_owned()],
        rows: list.rows.iter().map(one).collect(),
        footer: Vec::new(),
    }
}
