//! `pagesight init URL`: writes a first `pages.toml` by following the links of a site, and a
//! workflow file for CI. Overwrites neither without permission.

mod templates;

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use pagesight_check::report::words::{count, first};
use pagesight_check::sources::crawl::{CrawlRequest, crawl};
use pagesight_session::Session;

use crate::cli::arguments::InitArguments;
use crate::cli::{print, signals};

/// The files that are written.
const PAGES: &str = "pages.toml";
const WORKFLOW: &str = ".github/workflows/pagesight.yml";
/// How many links that were not followed are named.
const MOST_NAMED: usize = 5;

/// Follows the links and writes the files.
pub(crate) async fn run(arguments: InitArguments) -> anyhow::Result<()> {
    let workflow = Path::new(WORKFLOW);
    let replaces = Path::new(PAGES).exists();
    if replaces && !arguments.force {
        if !std::io::stdin().is_terminal() {
            bail!(
                "{PAGES} already exists and was not changed; move it away, or give --force to overwrite it"
            );
        }
        if !print::ask(&format!("{PAGES} already exists. Overwrite it?"))? {
            bail!("nothing was written");
        }
    }
    let session = Arc::new(Session::new(arguments.browser.options()?));
    let request = CrawlRequest {
        url: arguments.url.clone(),
        depth: arguments.depth,
        most: arguments.pages_max,
    };
    let ended = "ended by a signal; nothing was written";
    let crawled =
        signals::until_signal(async { Ok(crawl(&session, &request).await?) }, ended).await;
    session.close().await;
    let crawled = crawled?;
    write(Path::new(PAGES), &templates::pages(&crawled.origin, &crawled.found))?;
    let verb = if replaces { "overwrote" } else { "wrote" };
    print::result(&format!(
        "{verb} {PAGES}: {} under {}",
        count(crawled.found.len(), "page"),
        crawled.origin
    ));
    for page in &crawled.found {
        print::result(&format!("  {}  {}", page.name, page.route));
    }
    for (why, links) in &crawled.left_out {
        print::result(&format!(
            "left out ({why}): {}",
            first(links.iter().cloned(), MOST_NAMED).join(", ")
        ));
    }
    if workflow.exists() {
        print::result(&format!("{WORKFLOW} already exists and was not changed"));
    } else {
        write(workflow, &templates::workflow())?;
        print::result(&format!("wrote {WORKFLOW}; add the command that starts your app to it"));
    }
    print::result(
        "next: pagesight check (saves the baselines), then commit pages.toml and pages.baselines",
    );
    Ok(())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(path, text))
        .with_context(|| format!("cannot write {}", path.display()))
}
