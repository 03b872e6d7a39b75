//! `pagesight init URL`: writes a first `pages.toml` by following the links of a site, and a
//! workflow file for CI. Overwrites neither without permission.

mod templates;

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget};
use pagesight_check::report::words::{count, first};
use pagesight_check::sources::crawl::{CrawlProgress, CrawlRequest, crawl};
use pagesight_session::Session;

use crate::cli::arguments::InitArguments;
use crate::cli::page_address::completed;
use crate::cli::{print, signals};
use crate::commands::install::edit::{self, ConfigEdit};

/// The files that are written.
const PAGES: &str = "pages.toml";
const WORKFLOW: &str = ".github/workflows/pagesight.yml";
/// How many links that were not followed are named.
const MOST_NAMED: usize = 5;

/// Follows the links and writes the files.
pub(crate) async fn run(arguments: InitArguments) -> anyhow::Result<()> {
    let project = std::env::current_dir().context("cannot open the current folder")?;
    let (pages, workflow) = (prepare(&project, PAGES)?, prepare(&project, WORKFLOW)?);
    let replaces = pages.before.is_some();
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
        url: completed(&arguments.url)?,
        depth: arguments.depth,
        most: arguments.pages_max,
    };
    let ended = "ended by a signal; nothing was written";
    let progress = spinner();
    let report = |CrawlProgress { found, left }| {
        progress.set_message(format!(
            "{}, {} to follow",
            count(found, "page"),
            count(left, "link")
        ));
        progress.tick();
    };
    let crawling = async { Ok(crawl(&session, &request, &report).await?) };
    let crawled = signals::until_signal(crawling, ended).await;
    progress.finish_and_clear();
    session.close().await;
    let crawled = crawled?;
    write(pages, templates::pages(&crawled.origin, &crawled.found))?;
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
            "skipped, {why}: {}",
            first(links.iter().cloned(), MOST_NAMED).join(", ")
        ));
    }
    if workflow.before.is_some() {
        print::result(&format!("{WORKFLOW} already exists and was not changed"));
    } else {
        write(workflow, templates::workflow())?;
        print::result(&format!("wrote {WORKFLOW}; add the command that starts your app to it"));
    }
    print::result(
        "next: pagesight check (saves the baselines), then commit pages.toml and pages.baselines",
    );
    Ok(())
}

/// Returns a line that shows how far the crawl is. It is drawn only on a terminal.
fn spinner() -> ProgressBar {
    let target = match print::is_quiet() {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    ProgressBar::with_draw_target(None, target).with_message("opening the first page")
}

/// Reads a file that may be written. Refuses one to which a link leads out of the project.
fn prepare(project: &Path, name: &str) -> anyhow::Result<ConfigEdit> {
    let path = project.join(name);
    let before = edit::read_to_edit(&path, Some(project))?;
    Ok(ConfigEdit { path, before, after: None, project: Some(project.to_owned()) })
}

fn write(prepared: ConfigEdit, text: String) -> anyhow::Result<()> {
    edit::apply(&ConfigEdit { after: Some(text), ..prepared }).map(drop)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn nothing_is_written_through_a_link_out_of_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let (project, outside) = (folder.path().join("project"), folder.path().join("outside"));
        fs::create_dir_all(&outside).unwrap();
        fs::create_dir_all(&project).unwrap();
        symlink(&outside, project.join(".github")).unwrap();
        // One leads to a file, the other to where one would be created.
        fs::write(outside.join("file"), "kept").unwrap();
        for target in ["file", "new"] {
            symlink(outside.join(target), project.join(PAGES)).unwrap();
            for name in [PAGES, WORKFLOW] {
                let refused = prepare(&project, name).unwrap_err().to_string();
                assert!(refused.contains("is a link that leads out of "), "{refused}");
            }
            fs::remove_file(project.join(PAGES)).unwrap();
        }
        // A link that is put there while links are followed is not followed either.
        let prepared = prepare(&project, PAGES).unwrap();
        symlink(outside.join("new"), project.join(PAGES)).unwrap();
        assert!(write(prepared, "text".to_owned()).is_err());
        assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "kept");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    }

    #[test]
    fn files_are_written_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [(PAGES, "one"), (PAGES, "two"), (WORKFLOW, "three")] {
            write(prepare(folder.path(), name).unwrap(), text.to_owned()).unwrap();
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text);
        }
    }
}
