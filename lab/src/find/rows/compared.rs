//! Part of `cargo lab find --rows`: reads tables in both browsers and compares their cells with the
//! gold.

use serde_json::json;

use super::gold::{Comparison, Gold};
use super::{BROWSERS, EQUAL, RowsRun, generate};
use crate::mcp::{MOST_TOKENS, McpClient};
use crate::report::{percent, table};

/// The results of one kind of pages in one browser.
#[derive(Default)]
pub struct ComparedKind {
    name: String,
    pages: usize,
    right_counts: usize,
    cells: usize,
    equal: usize,
    wrong: Vec<String>,
}

impl ComparedKind {
    pub fn new(name: String) -> ComparedKind {
        ComparedKind { name, ..ComparedKind::default() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds what was read of a page.
    pub fn add(&mut self, page: &str, gold: &Gold, read: anyhow::Result<Gold>) {
        let Comparison { cells, equal, same_rows, wrong } = match read {
            Ok(read) => gold.compare(&read),
            Err(error) => {
                Comparison { wrong: vec![format!("{error:#}")], ..gold.compare(&Gold::default()) }
            }
        };
        self.pages += 1;
        self.right_counts += usize::from(same_rows);
        self.cells += cells;
        self.equal += equal;
        self.wrong.extend(wrong.into_iter().map(|wrong| format!("{} {page}: {wrong}", self.name)));
    }
}

/// Prints a table, and returns what misses the limits.
pub fn report(kinds: Vec<ComparedKind>, limit: f64) -> Vec<String> {
    table("kind | pages | row counts right | cells | equal | %");
    let mut sum = ComparedKind::new("**all**".to_owned());
    let mut wrong = Vec::new();
    for kind in kinds {
        print(&kind);
        sum.pages += kind.pages;
        sum.right_counts += kind.right_counts;
        sum.cells += kind.cells;
        sum.equal += kind.equal;
        wrong.extend(kind.wrong);
    }
    print(&sum);
    let mut misses = Vec::new();
    let share = percent(sum.equal, sum.cells);
    if share < limit {
        misses.push(format!("{share:.2} % of the cells are equal instead of {limit} %"));
    }
    if sum.right_counts < sum.pages {
        misses.push(format!("{} row counts are wrong", sum.pages - sum.right_counts));
    }
    wrong.iter().for_each(|wrong| println!("- {wrong}"));
    misses
}

fn print(kind: &ComparedKind) {
    let ComparedKind { name, pages, right_counts, cells, equal, .. } = kind;
    let share = percent(*equal, *cells);
    println!("| {name} | {pages} | {right_counts} | {cells} | {equal} | {share:.2} |");
}

/// Reads the rows of the page that is open, all of them.
pub async fn read(client: &McpClient, scope: Option<&str>) -> anyhow::Result<Gold> {
    let mut question = json!({ "format": "json", "limit": 1_000_000, "max_tokens": MOST_TOKENS });
    if let Some(scope) = scope {
        question["scope"] = scope.into();
    }
    let (answer, _) = client.call("read_rows", question).await?;
    Gold::parse(&answer)
}

/// Reads the generated pages.
pub async fn generated(run: &RowsRun<'_>) -> anyhow::Result<Vec<String>> {
    let site = generate::serve(run.seed).await?;
    let mut kinds: Vec<ComparedKind> = Vec::new();
    for browser in BROWSERS {
        let chosen: Vec<u64> = (0..generate::PAGES)
            .filter(|number| {
                let kind = generate::page(run.seed, *number).kind;
                run.includes(&format!("generated: {browser}: {kind}"))
            })
            .collect();
        if chosen.is_empty() {
            continue;
        }
        let client = run.client(browser).await?;
        for number in chosen {
            let page = generate::page(run.seed, number);
            let name = format!("{browser}: {}", page.kind);
            if kinds.last().is_none_or(|kind| kind.name != name) {
                kinds.push(ComparedKind::new(name));
            }
            client.open(&format!("{site}/{number}")).await?;
            let read = read(&client, None).await;
            if let Some(kind) = kinds.last_mut() {
                kind.add(&number.to_string(), &page.made.gold, read);
            }
        }
        client.close().await?;
    }
    Ok(report(kinds, EQUAL))
}
