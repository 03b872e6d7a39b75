//! Finds the links of a page, resolves them, and decides which are not followed.

use pagesight_core::page::{Node, Page};
use pagesight_core::text::address::split_web;

/// Words of links that end a session or delete something.
const DANGEROUS: [&str; 14] = [
    "logout",
    "log-out",
    "log_out",
    "signout",
    "sign-out",
    "sign_out",
    "logoff",
    "delete",
    "remove",
    "destroy",
    "unsubscribe",
    "deactivate",
    "revoke",
    "reset",
];
/// File extensions that are not pages.
const FILES: [&str; 34] = [
    "pdf", "zip", "gz", "tgz", "tar", "bz2", "xz", "7z", "rar", "dmg", "exe", "msi", "deb", "rpm",
    "apk", "iso", "csv", "xls", "xlsx", "doc", "docx", "ppt", "pptx", "png", "jpg", "jpeg", "gif",
    "svg", "webp", "mp3", "mp4", "xml", "json", "rss",
];

/// A link of a page.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Link {
    pub(super) url: String,
    pub(super) name: String,
}

/// Returns the visible links in the order of the page.
pub(super) fn of(page: &Page) -> Vec<Link> {
    let links =
        page.nodes().filter(|node| matches!(node.tag(), "a" | "area") && node.hidden().is_none());
    let bases: Vec<Node<'_>> = page
        .nodes()
        .filter(|node| node.tag() == "base" && node.attribute("href").is_some())
        .collect();
    let link = |node: Node<'_>| {
        let document = node.document();
        // The first of several counts.
        let base = bases.iter().find(|base| std::ptr::eq(base.document(), document));
        let base = base.and_then(|base| resolve(&document.url, base.attribute("href")?));
        let url = resolve(base.as_deref().unwrap_or(&document.url), node.attribute("href")?)?;
        Some(Link { url, name: node.name().to_owned() })
    };
    links.filter_map(link).collect()
}

/// The site that is followed: one scheme, host and port.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Site {
    origin: String,
}

impl Site {
    /// Returns the site of a URL.
    pub(super) fn of(url: &str) -> Option<Site> {
        split_web(url).map(|(origin, _)| Site { origin: origin.to_owned() })
    }

    /// Returns scheme, host and port, such as `http://localhost:3000`.
    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the route of a URL on this site.
    pub(super) fn route(&self, url: &str) -> Option<String> {
        let (origin, rest) = split_web(url)?;
        if !origin.eq_ignore_ascii_case(&self.origin) {
            return None;
        }
        // A fragment is a position on the page, unless the page is an app that has its route there.
        let (path, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        let routes = fragment.starts_with('/') || fragment.starts_with("!/");
        Some(if routes { format!("{path}#{fragment}") } else { path })
    }

    /// Returns the URL of a route.
    pub(super) fn url(&self, route: &str) -> String {
        format!("{}{route}", self.origin)
    }
}

/// Returns the key of a page: its route without query, the name of the index and a slash at the
/// end.
pub(super) fn key(route: &str) -> String {
    let (path, fragment) = route.split_once('#').unwrap_or((route, ""));
    let path = path.split('?').next().unwrap_or_default();
    let index = ["/index.html", "/index.htm"].iter().find_map(|name| path.strip_suffix(name));
    let path = index.unwrap_or(path).trim_end_matches('/');
    format!("{path}#{}", fragment.split('?').next().unwrap_or_default())
}

/// Whether a value that looks like a secret was left out of an address.
pub(super) fn has_secret(url: &str) -> bool {
    url.contains("=…") || url.contains("/…")
}

/// Returns why a link is not followed.
pub(super) fn unwanted(route: &str, name: &str) -> Option<&'static str> {
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase()
            .split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')
            .map(str::to_owned)
            .collect()
    };
    let joined = words(name).join("-");
    let dangerous = |word: &str| {
        DANGEROUS
            .iter()
            .any(|known| word == *known || word.split(['-', '_']).any(|part| part == *known))
    };
    if words(route).iter().any(|word| dangerous(word))
        || DANGEROUS
            .iter()
            .any(|known| joined == *known || joined.starts_with(&format!("{known}-")))
    {
        return Some("may log out or delete something");
    }
    if has_secret(route) {
        return Some("has a secret in its address");
    }
    let file =
        route.split(['?', '#']).next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    let ending = file.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
    ending.filter(|ending| FILES.contains(&ending.as_str())).map(|_| "not a page")
}

/// Resolves a link; `None` if it does not lead to a page.
fn resolve(base: &str, href: &str) -> Option<String> {
    let href: String = href.trim().chars().filter(|c| !c.is_control()).collect();
    let (origin, rest) = split_web(base)?;
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let scheme = href.split(':').next().filter(|scheme| scheme.len() < href.len());
    let has_scheme = scheme.is_some_and(|scheme| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    let whole = match href.as_str() {
        "" => return None,
        _ if has_scheme => return split_web(&href).map(|_| href.clone()),
        href if href.starts_with("//") => {
            format!("{}:{href}", origin.split(':').next().unwrap_or("http"))
        }
        href if href.starts_with('/') => format!("{origin}{href}"),
        href if href.starts_with('?') => format!("{origin}{path}{href}"),
        href if href.starts_with('#') => {
            format!("{}{href}", base.split('#').next().unwrap_or_default())
        }
        href => {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            format!("{origin}{folder}/{href}")
        }
    };
    Some(without_dots(&whole))
}

/// Turns `/a/./b/../c` into `/a/c`.
fn without_dots(url: &str) -> String {
    let Some((origin, rest)) = split_web(url) else { return url.to_owned() };
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let (path, tail) = rest.split_at(end);
    let mut kept: Vec<&str> = Vec::new();
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    for (at, segment) in segments.iter().enumerate() {
        let last = at + 1 == segments.len();
        match *segment {
            "." | ".." => {
                if *segment == ".." {
                    kept.pop();
                }
                if last {
                    kept.push("");
                }
            }
            segment => kept.push(segment),
        }
    }
    format!("{origin}/{}{tail}", kept.join("/"))
}

#[cfg(test)]
mod tests;
