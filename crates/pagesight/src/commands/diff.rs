//! `pagesight diff A B`: prints the differences between two pages, each a page file or a URL. Exits
//! with 1 if there are any.

use std::process::ExitCode;
use std::sync::Arc;

use pagesight_core::diff::{Diff, LineFate, PageBehind, diff};
use pagesight_core::page::Page;
use pagesight_core::render::SequentialNumbers;
use pagesight_session::{LookOptions, Session};
use serde_json::{Value, json};

use super::open_page::read_page_file;
use crate::cli::arguments::DiffArguments;
use crate::cli::options::Output;
use crate::cli::{exit, print, signals};
use crate::hints;

/// Compares two pages and prints the differences.
pub(crate) async fn run(arguments: DiffArguments) -> anyhow::Result<ExitCode> {
    let session = Session::new(arguments.browser.options()?);
    let read = async {
        let before = page(&session, &arguments.before).await?;
        anyhow::Ok((before, page(&session, &arguments.after).await?))
    };
    let pages = signals::until_signal(read, "ended by a signal").await;
    session.close().await;
    let (before, after) = pages?;
    let diff = diff(&before, &after);
    match arguments.output.output {
        Output::Text => {
            let text = diff.render(
                arguments.max_tokens,
                hints::COMMAND_LINE,
                &mut SequentialNumbers::default(),
                &|_| None,
            );
            print::diff(&text);
        }
        Output::Json => print::json(&report(&diff, &before, &after), Output::Json),
    }
    Ok(if diff.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(exit::CHANGED) })
}

/// Reads a page file, or opens a URL.
async fn page(session: &Session, given: &str) -> anyhow::Result<Arc<Page>> {
    if let Some(page) = read_page_file(given)? {
        return Ok(Arc::new(page));
    }
    let address = session.address(given)?;
    let tab = session.open_tab(None).await?;
    session.navigate(&tab, &address, None).await?;
    Ok(session.look(&tab, LookOptions::default()).await?.page)
}

pub(crate) fn report(diff: &Diff<'_>, before: &Page, after: &Page) -> Value {
    let named = |page: &Page| json!({ "url": page.url(), "title": page.title });
    let changes: Vec<Value> = diff
        .changes
        .iter()
        .zip(diff.lines(&mut SequentialNumbers::default(), &|_| None))
        .map(|(change, line)| json!({ "change": word(change.fate), "line": line }))
        .collect();
    json!({
        "before": named(before),
        "after": named(after),
        "confidence": f64::from(diff.confidence.hundredths) / 100.0,
        "not_seen": diff.confidence.unseen,
        "title": diff.title.as_ref().map(|(was, now)| json!({ "was": was, "now": now })),
        "behind": diff.behind.map(PageBehind::words),
        "changes": changes,
    })
}

fn word(fate: LineFate) -> &'static str {
    match fate {
        LineFate::Appeared => "appeared",
        LineFate::Revealed => "revealed",
        LineFate::Disappeared => "disappeared",
        LineFate::Hidden => "hidden",
        LineFate::Changed => "changed",
    }
}
