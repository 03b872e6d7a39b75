//! Part of `cargo lab find --rows`: tables and lists of saved pages, compared with what a plain
//! script reads of them.

use std::collections::HashMap;

use super::compared::{ComparedKind, read, report};
use super::gold::Gold;
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
                let found = match structures(&client).await {
                    Ok(found) => found,
                    Err(error) => {
                        println!("- {} could not be read by the script: {error:#}", page.name);
                        continue;
                    }
                };
                for (path, gold) in found {
                    count += 1;
                    let kind = if gold.kind == "list" { "list" } else { "table" };
                    let found = read(&client, Some(&path)).await;
                    let (gold, found) = match kind {
                        "list" => {
                            let gold = joined(&gold, None);
                            let found = found.map(|found| joined(&found, Some(&gold)));
                            (gold, found)
                        }
                        _ => (gold, found),
                    };
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

/// Returns the items of a list as one cell each: its words, in any order, because columns bring
/// them into one. Where links lead is left out. An item of which the answer cuts a text counts as
/// the words that are left, if the gold has them all.
fn joined(list: &Gold, gold: Option<&Gold>) -> Gold {
    let shown: Vec<usize> =
        (0..list.columns.len()).filter(|at| !list.columns[*at].ends_with(" target")).collect();
    let words = |row: &Vec<String>| -> Vec<String> {
        let texts: Vec<&str> = shown.iter().map(|at| row[*at].as_str()).collect();
        // The names of columns are the labels that were taken away.
        let labels = shown.iter().filter(|at| gold.is_some() && !row[**at].is_empty());
        let labels = labels.map(|at| list.columns[*at].as_str());
        let labels = labels.filter(|name| !is_position(name));
        let text = texts.into_iter().chain(labels).collect::<Vec<_>>().join(" ");
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        words.sort();
        words
    };
    let one = |(at, row): (usize, &Vec<String>)| {
        let own = words(row);
        let right = gold.and_then(|gold| gold.rows.get(at)).and_then(|row| row.first());
        let is_cut = row.iter().any(|cell| cell.ends_with('…'));
        let right: Vec<&str> = right.map_or(Vec::new(), |right| right.split(' ').collect());
        // The last word may be cut itself.
        let missing = own.iter().filter(|word| !right.contains(&word.as_str())).count();
        let is_right = is_cut && missing <= row.iter().filter(|cell| cell.ends_with('…')).count();
        vec![if is_right { right.join(" ") } else { own.join(" ") }]
    };
    Gold {
        kind: String::new(),
        columns: vec!["text".to_owned()],
        rows: list.rows.iter().enumerate().map(one).collect(),
        footer: Vec::new(),
    }
}

/// Whether a column is named by what it holds and its position.
fn is_position(name: &str) -> bool {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    bare.chars().all(|c| c.is_ascii_lowercase())
}
