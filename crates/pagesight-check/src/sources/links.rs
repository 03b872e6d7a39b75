//! Lists the pages that the links of a site lead to.

use super::crawl::{CrawlRequest, NOT_LOADED, TOO_MANY, crawl};
use super::error::SourceError;
use super::listed::{CheckedSite, ListedPage, Listing, path_of};
use super::web::SourceWeb;
use crate::report::words::first;

/// How many links that could not be followed are named.
const MOST_NAMED: usize = 5;

/// Follows the links of a site.
pub(super) async fn list(
    web: &mut SourceWeb<'_>,
    url: &str,
    depth: usize,
    most: usize,
    wanted: impl Fn(&str) -> bool,
) -> Result<Listing, SourceError> {
    let session = web.session().await?;
    let site = CheckedSite::of(url).ok_or("links need an http or https address")?;
    let request = CrawlRequest { url: url.to_owned(), depth, most };
    let crawled = crawl(&session, &request, &|_| {}).await?;
    if let Some(more) = crawled.left_out.get(TOO_MANY) {
        let more = more.len();
        return Err(format!(
            "links lead to {more} more pages than max = {most}; raise it, or lower depth"
        )
        .into());
    }
    // A page that did not load this time would be missing from the run.
    if let Some(lost) = crawled.left_out.get(NOT_LOADED) {
        let named = first(lost.iter().cloned(), MOST_NAMED).join(", ");
        return Err(format!("links lead to pages that could not be loaded: {named}").into());
    }
    let mut listing = Listing::default();
    for page in crawled.found {
        if wanted(path_of(&page.route)) {
            listing.pages.push(ListedPage { url: site.url(&page.route), name: None });
        }
    }
    Ok(listing)
}
