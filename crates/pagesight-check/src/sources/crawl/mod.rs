//! Follows the links of a site to find its pages.

mod links;

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;

use pagesight_core::text::address::without_values;
use pagesight_session::{LookOptions, Navigated, Session, SessionError, WaitOutcome};
use tokio::task::JoinSet;

use links::{Link, Site};

use super::error::SourceError;
use crate::plan::name_of;

/// How many pages are open at a time.
const AT_A_TIME: usize = 4;

/// Why a page is left out after the limit was reached.
pub const TOO_MANY: &str = "more than --pages-max";
/// Why a page is left out that did not load.
pub const NOT_LOADED: &str = "could not be loaded";

/// How far a crawl is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrawlProgress {
    /// How many pages were found.
    pub found: usize,
    /// How many links are still to be followed.
    pub left: usize,
}

/// Where links are followed from, and how far.
#[derive(Clone, Debug)]
pub struct CrawlRequest {
    /// The URL to start from.
    pub url: String,
    /// How many links away from the first page to go.
    pub depth: usize,
    /// The most pages.
    pub most: usize,
}

/// A page that goes into the file.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPage {
    /// A name that no other page has.
    pub name: String,
    /// Its route on the site.
    pub route: String,
    /// Its title.
    pub title: String,
}

/// The result of following the links.
pub struct CrawlResult {
    /// Scheme, host and port of the site.
    pub origin: String,
    /// The pages, the nearest first.
    pub found: Vec<FoundPage>,
    /// Links that were not followed, by reason.
    pub left_out: BTreeMap<&'static str, Vec<String>>,
}

/// Follows the links of a site, the nearest first. `report` is called before each step.
pub async fn crawl(
    session: &Arc<Session>,
    request: &CrawlRequest,
    report: &(dyn Fn(CrawlProgress) + Sync),
) -> Result<CrawlResult, SourceError> {
    let start = session.address(&request.url)?;
    // A browser closes with its last tab, so this one stays open.
    session.open_tab(None).await?;
    let (navigated, links) = visit(session, start.as_str()).await?;
    if let Some(why) = refuse(&navigated) {
        return Err(format!("{} {why}", without_values(&navigated.url)).into());
    }
    let Some(site) = Site::of(&navigated.url) else {
        return Err(SourceError::NotAWebSite(without_values(&request.url)));
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
    // A secret does not go into the file.
    let route = match links::has_secret(&route) {
        true => route.split(['?', '#']).next().unwrap_or_default().to_owned(),
        false => route,
    };
    crawl.known.insert(links::key(&route));
    crawl.take(route, navigated.title, &links, 0, request.depth);
    while crawl.found.len() < request.most && !crawl.queue.is_empty() {
        report(CrawlProgress { found: crawl.found.len(), left: crawl.queue.len() });
        let room = (request.most - crawl.found.len()).min(AT_A_TIME);
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
                Err(_) => crawl.leave(NOT_LOADED, asked),
                Ok((navigated, links)) => {
                    crawl.came(asked, *level, navigated, &links, request.depth)
                }
            }
        }
    }
    for (route, _) in std::mem::take(&mut crawl.queue) {
        crawl.leave(TOO_MANY, &route);
    }
    Ok(CrawlResult {
        origin: crawl.site.origin().to_owned(),
        found: crawl.found,
        left_out: crawl.left_out,
    })
}

struct Crawl {
    site: Site,
    /// The keys of routes that were seen.
    known: HashSet<String>,
    /// Names that are taken, in lower case, because some file systems ignore case.
    names: HashSet<String>,
    queue: VecDeque<(String, usize)>,
    found: Vec<FoundPage>,
    left_out: BTreeMap<&'static str, Vec<String>>,
}

impl Crawl {
    /// Adds a page that answered, if it belongs to the site and is not known yet.
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
            None => self.leave("leads to a different site", asked),
            Some(route)
                if links::key(&route) != links::key(asked)
                    && self.known.contains(&links::key(&route)) =>
            {
                self.leave("leads to a page that is already listed", asked);
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
        self.found.push(FoundPage { name, route, title });
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

/// Returns why a page does not go into the file.
fn refuse(navigated: &Navigated) -> Option<&'static str> {
    match (&navigated.outcome, navigated.status) {
        (WaitOutcome::NoDocument(_), _) => Some("not a page"),
        (WaitOutcome::Failed(_), _) => Some(NOT_LOADED),
        (WaitOutcome::Dialog(..), _) => Some("opens a dialog at once"),
        (_, Some(400..)) => Some("answers with an error"),
        _ => None,
    }
}

/// Opens a page in a new tab and reads its links.
async fn visit(session: &Session, url: &str) -> Result<(Navigated, Vec<Link>), SessionError> {
    let tab = session.open_tab(None).await?;
    let seen = async {
        let navigated = session.navigate(&tab, &session.address(url)?, None).await?;
        let links = match refuse(&navigated) {
            Some(_) => Vec::new(),
            // A full look, because the head may have a base URL.
            None => links::of(
                &session.look(&tab, LookOptions { full: true, ..Default::default() }).await?.page,
            ),
        };
        Ok((navigated, links))
    }
    .await;
    let _ = session.close_tab(&tab).await;
    seen
}
