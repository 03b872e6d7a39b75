//! Short names for parts of a page: a selector for an element, the target of a link, the key of a
//! landmark. They are for readers; matching never depends on them alone.

use crate::page::role::Role;
use crate::page::selector_candidates::looks_generated;
use crate::page::{CAPTURED_TEST_IDS, Node};
use crate::text::address::parts;

/// Cuts a text to at most `limit` characters.
pub(super) fn bounded(text: &str, limit: usize) -> String {
    crate::text::escape::bounded(text, limit)
}

/// Returns a short selector: `#id`, `[data-testid=x]`, `.class`, or the tag.
pub(super) fn short(node: Node<'_>) -> String {
    if let Some(id) = node.attribute("id").filter(|id| plain(id)) {
        return format!("#{id}");
    }
    for name in CAPTURED_TEST_IDS {
        if let Some(value) = node.attribute(name).filter(|value| plain(value)) {
            return format!("[{name}={value}]");
        }
    }
    let classes = node.attribute("class").unwrap_or_default();
    let class = classes.split_whitespace().find(|class| plain(class));
    class.map_or_else(|| node.tag().to_owned(), |class| format!(".{class}"))
}

fn plain(word: &str) -> bool {
    let fine = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    !word.is_empty() && word.len() <= 60 && word.chars().all(fine) && !looks_generated(word)
}

/// Returns the test id, name or id of an element, if a person wrote it.
pub(super) fn key(node: Node<'_>) -> Option<String> {
    let tests = CAPTURED_TEST_IDS.iter().find_map(|name| node.attribute(name));
    let named = tests.or_else(|| node.attribute("name")).or_else(|| node.attribute("id"));
    named.filter(|value| plain(value)).map(str::to_owned)
}

/// Returns a URL without host and query. A fragment that is a client-side route stays.
pub fn route(url: &str) -> String {
    if url.starts_with("data:") {
        return "data:".to_owned();
    }
    let (rest, fragment) = url.split_once('#').unwrap_or((url, ""));
    let rest = rest.split('?').next().unwrap_or_default();
    let path = match parts(rest) {
        // The folder of a file differs between machines.
        Some(("file", _, path)) => path.rsplit('/').next().unwrap_or_default(),
        Some((_, _, path)) => path,
        None => rest,
    };
    let path = path.trim_end_matches('/');
    let path = if path.is_empty() { "/" } else { path };
    match fragment.strip_prefix('!').unwrap_or(fragment) {
        fragment if fragment.starts_with('/') => {
            format!("{path}#{}", fragment.split('?').next().unwrap_or_default())
        }
        _ => path.to_owned(),
    }
}

/// Returns the target of a link: a path within the same site, host and path for other sites.
/// Schemes other than `http`, `https` and `file` stay.
pub(super) fn target(href: &str, page_url: &str) -> String {
    let href = href.trim();
    if let Some(fragment) = href.strip_prefix('#') {
        return format!("#{fragment}");
    }
    let lower = href.get(..11).unwrap_or(href).to_ascii_lowercase();
    if lower.starts_with("javascript:") {
        return "javascript:".to_owned();
    }
    let Some((scheme, rest)) = href.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) else {
        let path = href.split(['?', '#']).next().unwrap_or_default();
        if let Some(other_host) = path.strip_prefix("//") {
            return other_host.trim_end_matches('/').to_owned();
        }
        return resolved(path, &route(page_url));
    };
    if !matches!(scheme, "http" | "https" | "file") {
        return format!("{scheme}:{}", bounded(rest.split('?').next().unwrap_or_default(), 80));
    }
    let host = |url: &str| {
        url.split("//")
            .nth(1)
            .and_then(|rest| rest.split(['/', '?', '#']).next())
            .map(str::to_owned)
    };
    let path = route(href);
    match (host(href), host(page_url)) {
        (Some(one), Some(other)) if one == other => path,
        (Some(one), _) if !one.is_empty() => {
            format!("{one}{}", if path == "/" { "" } else { &path })
        }
        _ => path,
    }
}

/// Resolves a relative path against the path of the page.
fn resolved(path: &str, page: &str) -> String {
    let page = page.split('#').next().unwrap_or_default();
    let start = match path {
        "" => return page.to_owned(),
        path if path.starts_with('/') => "",
        _ => page.rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    let mut parts: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// Returns the name of a landmark's kind; none if the element is not a landmark.
pub(super) fn kind_of_landmark(node: Node<'_>) -> Option<&'static str> {
    Some(match node.role() {
        Role::Banner => "header",
        Role::Main => "main",
        Role::Navigation => "nav",
        Role::ContentInfo => "footer",
        Role::Complementary => "aside",
        Role::Search => "search",
        Role::Form => "form",
        Role::Region => "section",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_have_no_host_and_no_query() {
        for (url, expected) in [
            ("http://localhost:3000/dashboard?x=1", "/dashboard"),
            ("https://example.org", "/"),
            ("https://example.org/a/", "/a"),
            ("https://example.org/a#part", "/a"),
            ("https://example.org/#/orders/1?x", "/#/orders/1"),
            ("https://example.org/#!/orders", "/#/orders"),
            ("file:///home/me/page.html", "page.html"),
            ("data:text/html,<p>", "data:"),
            ("about:blank", "about:blank"),
        ] {
            assert_eq!(route(url), expected, "{url}");
        }
    }

    #[test]
    fn links_within_the_site_are_paths() {
        let page = "http://localhost:3000/a/b";
        for (href, expected) in [
            ("http://localhost:3000/projects?tab=1", "/projects"),
            ("/projects?tab=1#x", "/projects"),
            ("https://example.org/x", "example.org/x"),
            ("#top", "#top"),
            ("mailto:a@b.c?subject=x", "mailto:a@b.c"),
            ("javascript:void(0)", "javascript:"),
            ("?page=2", "/a/b"),
            ("c/./d/", "/a/c/d"),
            ("../x", "/x"),
            ("//cdn.org/x", "cdn.org/x"),
        ] {
            assert_eq!(target(href, page), expected, "{href}");
        }
    }
}
