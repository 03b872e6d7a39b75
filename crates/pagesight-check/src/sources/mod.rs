//! Lists the pages of the sources of a plan: sitemaps, Storybooks, links and commands. Each listed
//! page becomes jobs, with a name that derives from its address and so stays the same.

pub mod crawl;
mod error;
mod links;
mod listed;
mod shell;
mod sitemap;
mod storybook;
mod web;

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::path::Path;

use pagesight_core::text::address::{display, without_values};
use pagesight_session::Address;

use crate::baseline::Name;
use crate::plan::glob::{self, Glob};
use crate::plan::{Job, PageSource, Plan, SourceKind, name_of_listed};
use crate::report::words::count;
use crate::visit::CheckBrowsers;
pub use error::SourceError;
use listed::{Listing, path_of};
use sitemap::SitemapFiles;
use web::SourceWeb;

/// Adds the pages of the sources to the plan. A browser, if one is needed, is one of `browsers`,
/// which are closed afterwards. Returns a sentence about each source. `stop` ends the listing.
pub async fn add_pages(
    plan: &mut Plan,
    browsers: Box<dyn CheckBrowsers>,
    stop: impl Future<Output = ()>,
) -> Result<Vec<String>, SourceError> {
    let mut notes = Vec::new();
    let mut web = SourceWeb::new(plan, browsers);
    // A signal ends the listing here, so that the browser is given back.
    let listed = tokio::select! {
        listed = list_all(plan, &mut web) => listed,
        () = stop => Err(SourceError::Interrupted),
    };
    web.close().await;
    let hide = |text| plan.secrets.hide(text);
    let listings = listed.map_err(|error| error.hidden(&hide))?;
    let sources = std::mem::take(&mut plan.sources);
    let mut known = KnownPages::of(&plan.jobs);
    for (source, listing) in sources.iter().zip(listings) {
        notes.push(described(source, &listing));
        let added = add(plan, &mut known, source, listing);
        added.map_err(|error| {
            at_line(plan, source, error).hidden(&|text| plan.secrets.hide(text))
        })?;
    }
    Ok(notes.into_iter().map(|note| plan.secrets.hide(note)).collect())
}

/// Lists the pages of each source.
async fn list_all(plan: &Plan, web: &mut SourceWeb<'_>) -> Result<Vec<Listing>, SourceError> {
    let mut listings = Vec::new();
    for source in &plan.sources {
        let listing = list(source, plan, web).await;
        listings.push(listing.map_err(|error| at_line(plan, source, error))?);
    }
    Ok(listings)
}

fn at_line(plan: &Plan, source: &PageSource, reason: SourceError) -> SourceError {
    let path = plan.path.display().to_string();
    SourceError::At { path, line: source.line, reason: Box::new(reason) }
}

/// Lists the pages of one source.
async fn list(
    source: &PageSource,
    plan: &Plan,
    web: &mut SourceWeb<'_>,
) -> Result<Listing, SourceError> {
    let (include, exclude) = (glob::all(&source.include), glob::all(&source.exclude));
    let matched = |globs: &[Glob], text: &str| globs.iter().any(|glob| glob.matches(text));
    let wanted =
        |text: &str| (include.is_empty() || matched(&include, text)) && !matched(&exclude, text);
    let listing = match &source.kind {
        SourceKind::Sitemap { url, origin } => {
            let wanted = |route: &str| wanted(path_of(route));
            let origin = origin.as_deref();
            sitemap::list(web, url.as_str(), origin, source.most, wanted).await?
        }
        SourceKind::Storybook { url, skip_tags } => {
            let index = storybook::index_url(url.as_str());
            let named = |reason| SourceError::Storybook {
                address: without_values(&index),
                reason: Box::new(reason),
            };
            let bytes = web.read(&index, storybook::MOST_BYTES).await.map_err(named)?;
            storybook::list(&bytes, url.as_str(), skip_tags, wanted).map_err(named)?
        }
        SourceKind::Links { url, depth } => {
            links::list(web, url.as_str(), *depth, source.most, wanted).await?
        }
        SourceKind::Command { line } => {
            let folder = plan.path.parent().unwrap_or(Path::new(""));
            shell::list(line, folder, plan.base_url.as_deref(), wanted).await?
        }
    };
    if listing.pages.len() > source.most {
        return Err(SourceError::TooMany { found: listing.pages.len(), most: source.most });
    }
    if listing.pages.is_empty() {
        return Err(match &listing.first_foreign {
            Some(first) => {
                SourceError::OtherHosts { left_out: listing.foreign, first: without_values(first) }
            }
            None => SourceError::Empty,
        });
    }
    Ok(listing)
}

/// Returns how many pages a source lists, and what was left out.
fn described(source: &PageSource, listing: &Listing) -> String {
    let name = match &source.kind {
        SourceKind::Sitemap { url, .. } => format!("the sitemap {}", without_values(url.as_str())),
        SourceKind::Storybook { url, .. } => {
            format!("the Storybook {}", without_values(url.as_str()))
        }
        SourceKind::Links { url, .. } => format!("the links of {}", without_values(url.as_str())),
        SourceKind::Command { line } => format!("the command {line:?}"),
    };
    let foreign = match listing.foreign {
        0 => String::new(),
        foreign => format!("; {} of other hosts left out", count(foreign, "address")),
    };
    format!("{name}: {}{foreign}", count(listing.pages.len(), "page"))
}

/// The pages that a plan has.
struct KnownPages {
    /// Addresses; a page that is listed twice is checked once.
    urls: HashSet<String>,
    /// The first job of each name, in lower case, because some file systems ignore case.
    names: HashMap<String, usize>,
}

impl KnownPages {
    fn of(jobs: &[Job]) -> KnownPages {
        let urls = jobs.iter().map(|job| job.url.as_str().to_owned()).collect();
        let names = jobs.iter().enumerate().rev();
        let names = names.map(|(at, job)| (job.name.to_lowercase(), at)).collect();
        KnownPages { urls, names }
    }
}

/// Adds the jobs of the listed pages. A page that the file lists itself stays as it is.
fn add(
    plan: &mut Plan,
    known: &mut KnownPages,
    source: &PageSource,
    listing: Listing,
) -> Result<(), SourceError> {
    for page in listing.pages {
        let url = page.url.parse::<Address>();
        let url = url.map_err(|error| format!("it lists a page: {error}"))?;
        if !known.urls.insert(url.as_str().to_owned()) {
            continue;
        }
        let name = page.name.unwrap_or_else(|| name_of_listed(url.as_str()));
        Name::parse(&name).map_err(|error| error.to_string())?;
        if let Some(other) = known.names.insert(name.to_lowercase(), plan.jobs.len()) {
            let one = display(plan.jobs[other].url.as_str()).into_owned();
            let other = display(url.as_str()).into_owned();
            return Err(SourceError::SameName { name, one, other });
        }
        plan.jobs.extend(source.template.iter().map(|job| job.of_page(&name, &url)));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
