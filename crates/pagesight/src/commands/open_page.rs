//! Opens the page that a command works on: a page file, or a URL in a browser.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use pagesight_core::page::Page;
use pagesight_core::wire::page_file;
use pagesight_session::{LookOptions, Session, private_files};

use crate::cli::options::PageArguments;
use crate::cli::{print, signals};
use crate::project::store::ProjectStore;
use crate::tools::navigate;
use crate::tools::workspace::Workspace;

/// Reads the page file that the arguments name; `None` if they name a URL.
pub(crate) fn page_from_file(arguments: &PageArguments) -> anyhow::Result<Option<Page>> {
    let Some((page, text)) = read_page_file(&arguments.page)? else { return Ok(None) };
    if let Some(to) = &arguments.save_page {
        write(to, text.as_bytes())?;
    }
    Ok(Some(page))
}

/// Reads a page file and returns it with its text; `None` if the argument is a URL.
pub(crate) fn read_page_file(given: &str) -> anyhow::Result<Option<(Page, String)>> {
    if !given.ends_with(".page.json") || given.contains("://") {
        return Ok(None);
    }
    let text = std::fs::read_to_string(given)
        .with_context(|| format!("cannot read the page file {given}"))?;
    let page = page_file::read(&text).with_context(|| format!("cannot use {given}"))?;
    Ok(Some((page, text)))
}

/// Opens the page in a browser, saves it if asked, and runs the work on it. Closes the browser in
/// every case.
pub(crate) async fn on_live_page(
    arguments: PageArguments,
    work: impl AsyncFnOnce(&Workspace) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    on_live_page_with(Arc::default(), arguments, work).await
}

/// Does the same with a given store of baselines.
pub(crate) async fn on_live_page_with(
    store: Arc<ProjectStore>,
    arguments: PageArguments,
    work: impl AsyncFnOnce(&Workspace) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let session = Session::new(arguments.browser.options()?);
    let workspace = Workspace::with_store(session, store);
    let done = async {
        open(&workspace, &arguments).await?;
        work(&workspace).await
    };
    let result = signals::until_signal(done, "ended by a signal").await;
    workspace.session.close().await;
    result
}

async fn open(workspace: &Workspace, arguments: &PageArguments) -> anyhow::Result<()> {
    let session = &workspace.session;
    let address = session.address(&arguments.page)?;
    // A new tab, because the tabs of a connected browser belong to the user.
    let tab = session.open_tab(None).await?;
    let navigated = session.navigate(&tab, &address, None).await?;
    if !navigated.outcome.is_ready() || navigated.trouble.is_some() {
        print::note(&navigate::lines(&navigated, session.wording()));
    }
    if let Some(file) = &arguments.save_page {
        let look = session.look(&tab, LookOptions { full: true, ..Default::default() }).await?;
        write(file, look.page_file()?.as_bytes())?;
    }
    Ok(())
}

/// Writes a file; the error names it.
pub(crate) fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    private_files::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}
