//! The commands that look at one page and print the answer of one tool: `inspect`, `snapshot`,
//! `expand`, `info`, `log` and `screenshot`.

use std::io::IsTerminal;
use std::path::Path;

use anyhow::bail;
use pagesight_core::render::{Measured, SnapshotFormat};
use pagesight_core::text::tokens;
use serde_json::{Value, json};

use super::open_page::{on_live_page, page_from_file, write};
use crate::cli::options::{Output, PageArguments};
use crate::cli::print;
use crate::tools::answer::Content;
use crate::tools::expand;
use crate::tools::info::{Info, InfoParameters};
use crate::tools::inspect::{self, Inspect, InspectParameters};
use crate::tools::log::{self, LogParameters};
use crate::tools::operation;
use crate::tools::output_file::image_format;
use crate::tools::picture::SizeLimit;
use crate::tools::screenshot::{self, ScreenshotParameters};
use crate::tools::snapshot::{self, SnapshotParameters};
use crate::tools::workspace::Workspace;

/// Prints the outline of a page.
pub(crate) async fn inspect(
    page: PageArguments,
    parameters: InspectParameters,
) -> anyhow::Result<()> {
    let output = page.output.output;
    if let Some(captured) = page_from_file(&page)? {
        let text = inspect::inspect_file(&captured, &parameters)?;
        print_outline(text, captured.url(), &captured.title, output);
        return Ok(());
    }
    on_live_page(page, async |workspace: &Workspace| {
        let answer = operation::run::<Inspect>(workspace, parameters.clone()).await?;
        let (url, title) = url_and_title(workspace).await?;
        print_outline(answer.content.into_text(), &url, &title, output);
        Ok(())
    })
    .await
}

/// Prints the snapshot of a page.
pub(crate) async fn snapshot(
    page: PageArguments,
    as_json: bool,
    mut parameters: SnapshotParameters,
) -> anyhow::Result<()> {
    if as_json {
        parameters.format = Some(SnapshotFormat::Json);
    }
    let output = page.output.output;
    if let Some(captured) = page_from_file(&page)? {
        let taken = snapshot::take_file(&captured, &parameters)?;
        print_snapshot(&taken, captured.url(), &captured.title, output);
        return Ok(());
    }
    on_live_page(page, async |workspace: &Workspace| {
        let taken = snapshot::take(workspace, &parameters).await?;
        let (url, title) = url_and_title(workspace).await?;
        print_snapshot(&taken, &url, &title, output);
        Ok(())
    })
    .await
}

/// Prints everything about one element.
pub(crate) async fn expand(page: PageArguments, element: &str) -> anyhow::Result<()> {
    let output = page.output.output;
    if let Some(captured) = page_from_file(&page)? {
        print::json(&expand::expand_file(&captured, element)?, output);
        return Ok(());
    }
    on_live_page(page, async |workspace: &Workspace| {
        let expanded = expand::expand_live(workspace, element).await?;
        print::json(&serde_json::to_value(expanded)?, output);
        Ok(())
    })
    .await
}

/// Prints the counts of a live page.
pub(crate) async fn info(page: PageArguments) -> anyhow::Result<()> {
    let output = page.output.output;
    needs_live_page(&page, "info")?;
    on_live_page(page, async |workspace: &Workspace| {
        let answer = operation::run::<Info>(workspace, InfoParameters::default()).await?;
        if let Content::Json(value) = answer.content {
            print::json(&value, output);
        }
        Ok(())
    })
    .await
}

/// Prints the log of a live page, or describes one entry of it.
pub(crate) async fn log(page: PageArguments, parameters: LogParameters) -> anyhow::Result<()> {
    let output = page.output.output;
    needs_live_page(&page, "log")?;
    on_live_page(page, async |workspace: &Workspace| {
        let tab = workspace.tab(&None).await?;
        let (url, _) = url_and_title(workspace).await?;
        if let Some(entry) = parameters.entry()? {
            let text = log::describe(&workspace.session, &tab, entry, &parameters).await?;
            let value = json!({ "url": url, "request": entry, "detail": text });
            print::either(output, &text, &value);
            return Ok(());
        }
        let list = log::list(&workspace.session, &tab, &parameters).await?;
        let mut value = serde_json::to_value(&list.entries)?;
        value["url"] = url.into();
        print::either(output, &list.text, &value);
        Ok(())
    })
    .await
}

/// Writes a picture of a live page.
pub(crate) async fn screenshot(
    page: PageArguments,
    file: &Path,
    parameters: ScreenshotParameters,
) -> anyhow::Result<()> {
    needs_live_page(&page, "screenshot")?;
    on_live_page(page, async |workspace: &Workspace| {
        let picture =
            screenshot::take(workspace, &parameters, image_format(file), SizeLimit::None).await?;
        write(file, &picture.bytes)?;
        let (bytes, summary) = (picture.bytes.len(), picture.summary());
        print::note(&format!("wrote {} ({bytes} bytes): {summary}", file.display()));
        Ok(())
    })
    .await
}

/// Refuses a page file.
fn needs_live_page(page: &PageArguments, command: &str) -> anyhow::Result<()> {
    if page_from_file(page)?.is_some() {
        let file = &page.page;
        bail!("{command} needs a live page; inspect a page file with: pagesight inspect {file}");
    }
    Ok(())
}

async fn url_and_title(workspace: &Workspace) -> anyhow::Result<(String, String)> {
    let info = operation::run::<Info>(workspace, InfoParameters::default()).await?;
    let Content::Json(value) = info.content else { return Ok(Default::default()) };
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok((text("url"), text("title")))
}

fn print_outline(text: String, url: &str, title: &str, output: Output) {
    let tokens = tokens::count(&text);
    let value = json!({ "url": url, "title": title, "tokens": tokens, "outline": text });
    print::either(output, &text, &value);
}

/// Prints a snapshot. Metrics are a table on a terminal; elsewhere they are printed as in the
/// tool's answer.
fn print_snapshot(taken: &Measured, url: &str, title: &str, output: Output) {
    match (output, &taken.metrics) {
        (Output::Json, metrics) => {
            let text = &taken.snapshot.text;
            // A JSON snapshot becomes a JSON value of the answer, not a string.
            let snapshot: Value =
                serde_json::from_str(text).unwrap_or_else(|_| text.clone().into());
            let tokens = tokens::count(text);
            let mut value =
                json!({ "url": url, "title": title, "tokens": tokens, "snapshot": snapshot });
            if let Some(metrics) = metrics {
                value["metrics"] = json!(metrics);
            }
            print::json(&value, output);
        }
        (Output::Text, Some(metrics)) if std::io::stdout().is_terminal() => {
            print::result(&taken.snapshot.text);
            print::result(&print::compaction(metrics));
        }
        (Output::Text, _) => print::result(&taken.text()),
    }
}
