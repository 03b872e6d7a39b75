//! Part of `cargo lab find --rows`: lists of more than one screen, and tables of more than one
//! page. Complete means that each row is there once, and in order.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Query;
use axum::response::Html;
use axum::routing::get;
use serde_json::{Value, json};

use super::gold::{Gold, plain};
use super::{BROWSERS, RowsRun};
use crate::mcp::{MOST_TOKENS, McpClient};
use crate::pages::listen;
use crate::product::count_tokens;
use crate::report::table;

/// The rows of a virtual list.
const ROWS: usize = 10_000;
/// The pages of a table, and the rows of one.
const PAGES: usize = 30;
const PER_PAGE: usize = 50;
/// The most calls that go on with each other.
const MOST_CALLS: usize = 12;

/// The lists: a name, the query of the page, and how it is read.
const LISTS: [(&str, &str, &str); 6] = [
    ("virtual list, keys", "kind=virtual&keys", "scroll"),
    ("virtual list, no keys", "kind=virtual", "scroll"),
    ("virtual grid of the window", "kind=window", "scroll"),
    ("endless list, 60 a time", "kind=endless", "scroll"),
    ("pages with addresses", "kind=pages&page=1", "next"),
    ("pages of one document", "kind=document", "next"),
];

/// Returns the cells of a row.
pub fn row(at: usize) -> Vec<String> {
    let state = ["open", "failed", "paid"][at % 3];
    vec![format!("Item {at}"), state.to_owned(), format!("{}", at * 37 % 1_000)]
}

/// Returns how many rows a list has.
fn rows_of(query: &str) -> usize {
    match query {
        "kind=endless" => 1_500,
        _ if query.contains("kind=virtual") || query.contains("window") => ROWS,
        _ => PAGES * PER_PAGE,
    }
}

/// Reads each list in both browsers.
pub async fn run(run: &RowsRun<'_>) -> anyhow::Result<Vec<String>> {
    let page = include_str!("long.html");
    let app = Router::new()
        .route("/", get(move |Query(_): Query<Vec<(String, String)>>| async move { Html(page) }));
    let site = listen(app).await?;
    let mut misses = Vec::new();
    table("list | rows | calls | seconds | longest call, s | tokens");
    for browser in BROWSERS {
        let chosen: Vec<_> = LISTS
            .iter()
            .filter(|(name, ..)| run.includes(&format!("long: {browser}: {name}")))
            .collect();
        if chosen.is_empty() {
            continue;
        }
        let client = run.client(browser).await?;
        for (name, query, pages) in chosen {
            let url = format!("{site}/?{query}&rows={}", rows_of(query));
            let missed = match read(&client, &url, pages).await {
                Ok(read) => {
                    println!(
                        "| {browser}: {name} | {} | {} | {:.1} | {:.1} | {} |",
                        read.rows.len(),
                        read.calls,
                        read.took.as_secs_f64(),
                        read.longest.as_secs_f64(),
                        read.tokens
                    );
                    judge(&read.rows, rows_of(query))
                }
                Err(error) => Some(format!("{error:#}")),
            };
            misses.extend(missed.map(|missed| format!("{browser}: {name}: {missed}")));
        }
        client.close().await?;
    }
    Ok(misses)
}

/// Rows that were read in one call or several.
struct ReadList {
    rows: Vec<Vec<String>>,
    calls: usize,
    took: Duration,
    longest: Duration,
    /// The tokens of the answers, with 20 rows each.
    tokens: usize,
}

/// Reads a list to its end, and then prints its rows.
async fn read(client: &McpClient, url: &str, pages: &str) -> anyhow::Result<ReadList> {
    client.open(url).await?;
    let begun = Instant::now();
    let mut question = json!({ "pages": pages, "format": "json", "limit": 20, "max_rows": 20_000 });
    if pages == "next" {
        question["max_pages"] = 40.into();
    }
    let (mut calls, mut longest, mut tokens) = (0, Duration::ZERO, 0);
    loop {
        let (answer, took) = client.call("read_rows", question.clone()).await?;
        calls += 1;
        longest = longest.max(took);
        tokens += count_tokens(&answer);
        let parsed: Value = serde_json::from_str(&answer)?;
        let notes = parsed["notes"].to_string();
        let read = parsed["rows_in_all"].as_u64().unwrap_or_default();
        let goes_on = notes.contains("of a call were over") || notes.contains("more follow");
        anyhow::ensure!(goes_on || notes.contains("to the end"), "{notes}");
        if !goes_on {
            break;
        }
        anyhow::ensure!(calls < MOST_CALLS, "{read} rows after {calls} calls");
        question["after"] = read.into();
    }
    let took = begun.elapsed();
    question["after"] = 0.into();
    question["limit"] = 1_000_000.into();
    question["max_tokens"] = MOST_TOKENS.into();
    let (answer, _) = client.call("read_rows", question).await?;
    Ok(ReadList { rows: Gold::parse(&answer)?.rows, calls, took, longest, tokens })
}

/// Returns what is wrong with the rows.
fn judge(rows: &[Vec<String>], wanted: usize) -> Option<String> {
    let names: HashSet<&String> = rows.iter().filter_map(|row| row.first()).collect();
    if rows.len() != wanted || names.len() != wanted {
        return Some(format!(
            "{} rows, {} different, instead of {wanted}",
            rows.len(),
            names.len()
        ));
    }
    let wrong = rows.iter().enumerate().find(|(at, cells)| {
        let cells: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
        cells != row(*at)
    });
    wrong.map(|(at, cells)| format!("row {at} is {cells:?}"))
}
