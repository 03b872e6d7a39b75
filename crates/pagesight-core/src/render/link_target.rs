//! Where a link leads, as it is printed.

use std::borrow::Cow;

use crate::page::{Node, Page};

/// Returns where a link leads. Addresses of the page's own site are returned without the site.
/// `None`: it leads nowhere; a link to nothing is a button.
pub(crate) fn link_target(page: &Page, link: Node<'_>) -> Option<String> {
    let href = absolute(link.attribute("href")?.trim(), page.url());
    if href == "#" || href.get(..11).is_some_and(|s| s.eq_ignore_ascii_case("javascript:")) {
        return None;
    }
    let inside = href.strip_prefix(site(page.url())).filter(|rest| rest.starts_with('/'));
    Some(inside.unwrap_or(&href).to_owned())
}

/// Returns scheme and host of an address.
fn site(url: &str) -> &str {
    let end = url.match_indices('/').nth(2).map_or(url.len(), |(at, _)| at);
    &url[..end]
}

/// Adds the scheme of the page to an address without one.
fn absolute<'h>(href: &'h str, page_url: &str) -> Cow<'h, str> {
    match page_url.split_once("//") {
        Some((scheme, _)) if href.starts_with("//") => Cow::Owned(format!("{scheme}{href}")),
        _ => Cow::Borrowed(href),
    }
}
