//! A page that a source lists, and the site that its address has to belong to.

use pagesight_core::text::address::split_web;
use pagesight_session::WebOrigin;

/// A page of a source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ListedPage {
    pub(crate) url: String,
    /// Its name, if the source gives one.
    pub(crate) name: Option<String>,
}

/// The pages of a source, and what was left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Listing {
    /// The pages, in the order of the source.
    pub(crate) pages: Vec<ListedPage>,
    /// How many addresses of other hosts were left out, and the first of them.
    pub(crate) foreign: usize,
    /// The first address of a different host.
    pub(crate) first_foreign: Option<String>,
}

/// One scheme, host and port.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CheckedSite {
    /// The beginning of its addresses, with a user name and a password if there are some.
    prefix: String,
    origin: WebOrigin,
}

impl CheckedSite {
    /// Returns the site of an address.
    pub(crate) fn of(url: &str) -> Option<CheckedSite> {
        let (prefix, _) = split_web(url)?;
        Some(CheckedSite { prefix: prefix.to_owned(), origin: WebOrigin::of_address(prefix)? })
    }

    /// Returns path and query of an address of this site, without the fragment.
    pub(crate) fn route<'a>(&self, url: &'a str) -> Option<&'a str> {
        let (prefix, rest) = split_web(url)?;
        let rest = rest.split('#').next().unwrap_or_default();
        (WebOrigin::of_address(prefix)? == self.origin).then_some(if rest.is_empty() {
            "/"
        } else {
            rest
        })
    }

    /// Returns the address of a route.
    pub(crate) fn url(&self, route: &str) -> String {
        let slash = if route.starts_with('/') { "" } else { "/" };
        format!("{}{slash}{route}", self.prefix)
    }
}

/// Returns the path of an address, without query and fragment.
pub(crate) fn path_of(url: &str) -> &str {
    let rest = split_web(url).map_or(url, |(_, rest)| rest);
    match rest.split(['?', '#']).next().unwrap_or_default() {
        "" => "/",
        path => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_same_scheme_host_and_port_are_of_a_site() {
        let site = CheckedSite::of("http://ci:secret@Localhost:80/sitemap.xml").unwrap();
        assert_eq!(site.origin.as_str(), "http://localhost");
        assert_eq!(site.route("http://localhost/a?b#c"), Some("/a?b"));
        assert_eq!(site.route("HTTP://LOCALHOST"), Some("/"));
        for foreign in [
            "https://localhost/",
            "http://localhost:81/",
            "http://localhost.evil/",
            "//localhost/",
            "http://localhost@evil/",
            "http://evil/@localhost",
            "javascript:x",
            "",
        ] {
            assert!(site.route(foreign).is_none(), "{foreign}");
        }
        assert_eq!(site.url("/a"), "http://ci:secret@Localhost:80/a");
        assert_eq!(
            (path_of("http://a/b?c"), path_of("http://a"), path_of("/x#y")),
            ("/b", "/", "/x")
        );
    }
}
