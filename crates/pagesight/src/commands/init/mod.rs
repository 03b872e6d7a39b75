//! `pagesight init URL`: a first `pages.toml`, found by following the links of a site, and a
//! workflow file for CI. Looks at pages, writes two files, and overwrites neither without a yes.

mod links;
mod templates;

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use pagesight_session::{LookOptions, Navigated, Session, SessionError, Stopped};
use tokio::task::JoinSet;

use crate::cli::arguments::InitArguments;
use crate::cli::{print, signals};
use crate::commands::check::plan::name_of;
use crate::report::words::{count, first};
use links::{Link, Site};

/// The files that are written.
const PAGES: &str = "pages.toml";
const WORKFLOW: &str = ".github/workflows/pagesight.yml";
/// How many pages are looked at at a time.
const AT_A_TIME: usize = 4;
/// How many links that were not followed are named.
const MOST_NAMED: usize = 5;

/// A page that goes into the file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    /// Its name, which no other has.
    pub(crate) name: String,
    /// Its route.
    pub(crate) route: String,
    /// What it is called.
    pub(crate) title: String,
}

/// Follows the links and writes the files.
pub(crate) async fn run(arguments: InitArguments) -> anyhow::Result<()> {
    let workflow = Path::new(WORKFLOW);
    let replaces = Path::new(PAGES).exists();
    if replaces && !arguments.force {
        if !std::io::stdin().is_terminal() {
            bail!(
                "{PAGES} is there already and was left as it is; move it away, or give --force to write it anew"
            );
        }
        if !print::ask(&format!("{PAGES} is there already. Write it anew?"))? {
            bail!("nothing was written");
        }
    }
    let session = Arc::new(Session::new(arguments.browser.options()));
    let crawled = tokio::select! {
        crawled = crawl(&session, &arguments) => crawled,
        () = signals::ended_by_signal() => Err(anyhow::anyhow!("ended by a signal; nothing was written")),
    };
    session.close().await;
    let crawled = crawled?;
    write(Path::new(PAGES), &templates::pages(&crawled.origin, &crawled.found))?;
    let verb = if replaces { "wrote anew" } else { "wrote" };
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
            "left out, {why}: {}",
            first(links.iter().cloned(), MOST_NAMED).join(", ")
        ));
    }
    if workflow.exists() {
        print::result(&format!("{WORKFLOW} is there already and was left as it is"));
    } else {
        write(workflow, &templates::workflow())?;
        print::result(&format!("wrote {WORKFLOW}: start your app in it where it says so"));
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

/// What following the links came to.
struct Crawled {
    origin: String,
    found: Vec<Found>,
    /// Links that were not followed, by why.
    left_out: BTreeMap<&'static str, Vec<String>>,
}

/// Goes from page to page, the nearest first.
async fn crawl(session: &Arc<Session>, arguments: &InitArguments) -> anyhow::Result<Crawled> {
    let start = session.address(&arguments.url)?;
    // A browser ends with its last tab; this one stays.
    session.open_tab(None).await?;
    let (navigated, links) = visit(session, start.as_str()).await?;
    refuse(&navigated).map_or(Ok(()), |why| Err(anyhow::anyhow!("{} {why}", navigated.url)))?;
    let Some(site) = Site::of(&navigated.url) else {
        bail!("{} has no site to follow links on; give an http or https address", arguments.url);
    };
    let mut crawl = Crawl {
        site,
        known: HashSet::new(),
        names: HashSet::new(),
        queue: VecDeque::new(),
        found: Vec::new(),
        left_out: BTreeMap::new(),
    };
    let route = crawl.site.route(&navigated.url).unwrap_or_else(|| "/".to_owned());
    crawl.known.insert(links::key(&route));
    crawl.take(route, navigated.title, &links, 0, arguments.depth);
    while crawl.found.len() < arguments.pages_max && !crawl.queue.is_empty() {
        let room = (arguments.pages_max - crawl.found.len()).min(AT_A_TIME);
        let batch: Vec<(String, usize)> =
            crawl.queue.drain(..room.min(crawl.queue.len())).collect();
        let mut visits = JoinSet::new();
        for (at, (route, _)) in batch.iter().enumerate() {
            let (session, url) = (session.clone(), crawl.site.url(route));
            visits.spawn(async move { (at, visit(&session, &url).await) });
        }
        let mut seen = visits.join_all().await;
        // In the order of the links, so that the same site gives the same file.
        seen.sort_by_key(|(at, _)| *at);
        for (at, seen) in seen {
            let (asked, level) = &batch[at];
            match seen {
                Err(_) => crawl.leave("could not be loaded", asked),
                Ok((navigated, links)) => {
                    crawl.came(asked, *level, navigated, &links, arguments.depth)
                }
            }
        }
    }
    for (route, _) in std::mem::take(&mut crawl.queue) {
        crawl.leave("more than --pages-max", &route);
    }
    Ok(Crawled {
        origin: crawl.site.origin().to_owned(),
        found: crawl.found,
        left_out: crawl.left_out,
    })
}

struct Crawl {
    site: Site,
    /// Routes that were met, without what does not make another page.
    known: HashSet<String>,
    /// Names that are taken, in lower case: not every file system tells the difference.
    names: HashSet<String>,
    queue: VecDeque<(String, usize)>,
    found: Vec<Found>,
    left_out: BTreeMap<&'static str, Vec<String>>,
}

impl Crawl {
    /// A page that answered: it counts if it is one of the site's that is not there yet.
    fn came(
        &mut self,
        asked: &str,
        level: usize,
        navigated: Navigated,
        links: &[Link],
        deepest: usize,
    ) {
        if let Some(why) = refuse(&navigated) {
            return self.leave(why, asked);
        }
        match self.site.route(&navigated.url) {
            None => self.leave("leads to another site", asked),
            Some(route)
                if links::key(&route) != links::key(asked)
                    && self.known.contains(&links::key(&route)) =>
            {
                self.leave("leads to a page that is there already", asked);
            }
            Some(route) => {
                self.known.insert(links::key(&route));
                self.take(asked.to_owned(), navigated.title, links, level, deepest);
            }
        }
    }

    fn take(&mut self, route: String, title: String, links: &[Link], level: usize, deepest: usize) {
        let wanted = name_of(&route);
        let mut name = wanted.clone();
        let mut number = 1;
        while !self.names.insert(name.to_lowercase()) {
            number += 1;
            name = format!("{wanted}-{number}");
        }
        self.found.push(Found { name, route, title });
        if level >= deepest {
            return;
        }
        for link in links {
            let Some(route) = self.site.route(&link.url) else { continue };
            let key = links::key(&route);
            if !self.known.insert(key) {
                continue;
            }
            match links::unwanted(&route, &link.name) {
                Some(why) => self.leave(why, &route),
                None => self.queue.push_back((route, level + 1)),
            }
        }
    }

    fn leave(&mut self, why: &'static str, route: &str) {
        self.left_out.entry(why).or_default().push(route.to_owned());
    }
}

/// Why a page that answered is none for the file.
fn refuse(navigated: &Navigated) -> Option<&'static str> {
    match (&navigated.stopped, navigated.status) {
        (Stopped::NoDocument(_), _) => Some("is a download"),
        (Stopped::Failed(_), _) => Some("could not be loaded"),
        (Stopped::Dialog(..), _) => Some("opens a dialog at once"),
        (_, Some(400..)) => Some("answers with an error"),
        _ => None,
    }
}

/// Opens a page in a tab of its own and reads its links.
async fn visit(session: &Session, url: &str) -> Result<(Navigated, Vec<Link>), SessionError> {
    let tab = session.open_tab(None).await?;
    let seen = async {
        let navigated = session.navigate(&tab, &session.address(url)?, None).await?;
        let links = match refuse(&navigated) {
            Some(_) => Vec::new(),
            // A full look, because what is in the head says where links lead.
            None => links::of(
                &session
                    .look(&tab, LookOptions { full: true, ..LookOptions::default() })
                    .await?
                    .page,
            ),
        };
        Ok((navigated, links))
    }
    .await;
    let _ = session.close_tab(&tab).await;
    seen
}
