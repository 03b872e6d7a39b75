//! Opens the page that a command works on: a page file, or a URL in a browser.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use pagesight_core::page::Page;
use pagesight_core::wire::page_file;
use pagesight_session::{LookOptions, Session, private_files};

use crate::cli::file_error::{unreadable, unwritable};
use crate::cli::page_arguments::{OwnPage, PageFile, is_page_file};
use crate::cli::{print, signals};
use crate::project::store::ProjectStore;
use crate::tools::navigate;
use crate::tools::workspace::Workspace;

/// Reads a page file, and writes a copy if asked.
pub(crate) fn page_from_file(file: &PageFile) -> anyhow::Result<Page> {
    let (page, text) = read(&file.path)?;
    if let Some(to) = &file.save_page {
        write(to, text.as_bytes())?;
    }
    Ok(page)
}

/// Reads a page file; `None` if the argument is a URL.
pub(crate) fn read_page_file(given: &str) -> anyhow::Result<Option<Page>> {
    Ok(if is_page_file(given) { Some(read(given)?.0) } else { None })
}

/// Reads a page file and returns it with its text.
fn read(path: &str) -> anyhow::Result<(Page, String)> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| anyhow!(unreadable(Path::new(path), &error)))?;
    let page = page_file::read(&text).with_context(|| format!("cannot use {path}"))?;
    Ok((page, text))
}

/// Opens the page in a browser with a store of baselines, saves it if asked, and runs the work on
/// it. Closes the browser in every case.
pub(crate) async fn on_live_page_with<T>(
    store: Arc<ProjectStore>,
    page: OwnPage,
    work: impl AsyncFnOnce(&Workspace) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let session = Session::new(page.browser.options()?);
    let workspace = Workspace::with_store(session, store);
    let done = async {
        open(&workspace, &page).await?;
        work(&workspace).await
    };
    let result = signals::until_signal(done, "ended by a signal").await;
    workspace.session.close().await;
    result
}

async fn open(workspace: &Workspace, page: &OwnPage) -> anyhow::Result<()> {
    let session = &workspace.session;
    let address = session.address(&page.url)?;
    // A new tab, because the tabs of a connected browser belong to the user.
    let tab = session.open_tab(None).await?;
    let navigated = session.navigate(&tab, &address, None).await?;
    if !navigated.outcome.is_ready() || navigated.trouble.is_some() {
        print::note(&navigate::lines(&navigated, session.wording()));
    }
    if let Some(file) = &page.save_page {
        let look = session.look(&tab, LookOptions { full: true, ..Default::default() }).await?;
        write(file, look.page_file()?.as_bytes())?;
    }
    Ok(())
}

/// Writes a file; the error names it.
pub(crate) fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    private_files::write(file, bytes).map_err(|error| anyhow!(unwritable(file, &error)))
}
