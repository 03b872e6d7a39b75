//! Addresses as they are printed and stored. User names and passwords are always left out. The
//! page's own address, links and attributes keep their parameters except values that look like
//! secrets ([`display`]). Problem, waiting and error lines have no values at all
//! ([`without_values`]).

mod secrets;

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::lists;
use super::secret_names::decoded;
pub(crate) use secrets::is_secret_value;
use secrets::is_web_token;

/// Stands for a value that is left out.
const LEFT_OUT: &str = "…";

/// Attributes whose whole value is an address.
const ADDRESS_ATTRIBUTES: &str = "href src action formaction data poster cite background xlink:href \
    manifest longdesc codebase";

/// How deep addresses in the parameters of addresses are searched.
const DEEPEST: u8 = 3;

/// Returns an address without user name and password, and with `…` for every value that looks like
/// a secret: `https://a.example/cb?page=2&token=…`.
pub fn display(url: &str) -> Cow<'_, str> {
    shown(url, DEEPEST)
}

/// Returns a text with every address in it as [`display`] gives it.
pub(crate) fn display_in(text: &str) -> Cow<'_, str> {
    if !may_hide(text) {
        return Cow::Borrowed(text);
    }
    let hidden = each_address(text, |word| display(word).into_owned());
    if hidden == text { Cow::Borrowed(text) } else { Cow::Owned(hidden) }
}

/// Whether the whole value of an attribute is an address.
pub(crate) fn is_address(attribute: &str) -> bool {
    lists(ADDRESS_ATTRIBUTES, attribute)
}

/// Returns an attribute as it may be shown; `None` if nothing has to be hidden in it.
pub fn attribute(name: &str, value: &str) -> Option<String> {
    if !may_hide(value) {
        return None;
    }
    let is_one_address = is_address(name)
        && !starts_with_scheme(value, "javascript")
        && !value.trim().contains(char::is_whitespace);
    let hidden = if is_one_address { display(value) } else { display_in(value) };
    match hidden {
        Cow::Owned(hidden) if hidden != value => Some(hidden),
        _ => None,
    }
}

/// Returns an address without its fragment, unless the fragment is a client-side route: `#/orders`,
/// `#!orders`.
pub fn without_anchor(url: &str) -> &str {
    match url.split_once('#') {
        Some((page, fragment)) if !fragment.starts_with(['/', '!']) => page,
        _ => url,
    }
}

/// Returns an address without user name and password, without the values of its parameters and
/// without its fragment: `/login?token=…&next=…`.
pub fn without_values(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let (path, query) = split(url, '?');
    let path = without_tokens(&without_user(path)).into_owned();
    let Some(query) = query else { return path };
    let parameters: Vec<String> = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| match pair.split_once('=') {
            Some((key, value)) if !value.is_empty() => format!("{key}={LEFT_OUT}"),
            Some((key, _)) => format!("{key}="),
            // A bare word may be a value as well as a key.
            None => LEFT_OUT.to_owned(),
        })
        .collect();
    format!("{path}?{}", parameters.join("&"))
}

/// Returns a text with every address in it as [`without_values`] gives it.
pub fn without_values_in(text: &str) -> String {
    each_address(text, without_values)
}

/// Replaces every address in a text.
fn each_address(text: &str, replaced: impl Fn(&str) -> String) -> String {
    let delimits = |c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>' | '(' | ')' | '[' | ']')
    };
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(delimits) {
        let word = piece.trim_end_matches(delimits);
        let is_address = word.contains("://") || word.starts_with('/');
        if is_address && may_hide(word) {
            out.push_str(&replaced(word));
        } else {
            out.push_str(word);
        }
        out.push_str(&piece[word.len()..]);
    }
    out
}

/// Splits a text at the first mark; the mark is in neither part.
fn split(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// Whether a text may have something to hide. Most addresses do not, and need no further look.
fn may_hide(text: &str) -> bool {
    text.contains(['?', '#', '@']) || text.contains("eyJ")
}

fn shown(url: &str, depth: u8) -> Cow<'_, str> {
    // A page in a `data:` address is content, not an address with parameters.
    if !may_hide(url) || starts_with_scheme(url, "data") {
        return Cow::Borrowed(url);
    }
    let (rest, fragment) = split(url, '#');
    let (path, query) = split(rest, '?');
    let mut out = without_tokens(&without_user(path)).into_owned();
    if let Some(query) = query {
        out.push('?');
        out.push_str(&parameters(query, depth));
    }
    if let Some(fragment) = fragment {
        // `#access_token=…`, and `#/route?token=…` of a page with client-side routes.
        let (route, query) = match fragment.split_once('?') {
            Some((route, query)) => (Some(route), query),
            None => (None, fragment),
        };
        out.push('#');
        if let Some(route) = route {
            out.push_str(&without_tokens(route));
            out.push('?');
        }
        out.push_str(&parameters(query, depth));
    }
    if out == url { Cow::Borrowed(url) } else { Cow::Owned(out) }
}

/// Returns parameters with `…` for values that look like secrets.
fn parameters(query: &str, depth: u8) -> String {
    let mut out = String::with_capacity(query.len());
    for pair in query.split_inclusive(['&', ';']) {
        let written = pair.trim_end_matches(['&', ';']);
        let (key, value) = match written.split_once('=') {
            Some((key, value)) => (Some(key), value),
            None => (None, written),
        };
        if let Some(key) = key {
            out.push_str(key);
            out.push('=');
        }
        let hides = !value.is_empty() && value != LEFT_OUT && {
            let plain = decoded(value);
            is_secret_value(key.unwrap_or_default(), &plain)
                || depth > 0 && matches!(shown(&plain, depth - 1), Cow::Owned(_))
        };
        out.push_str(if hides { LEFT_OUT } else { value });
        out.push_str(&pair[written.len()..]);
    }
    out
}

/// Returns an address without user name and password. There may be more than one address in it, as
/// in `/proxy/https://me:secret@a.example/`.
fn without_user(url: &str) -> Cow<'_, str> {
    if !url.contains('@') {
        return Cow::Borrowed(url);
    }
    let mut out = String::with_capacity(url.len());
    let mut rest = url;
    while let Some(start) = authority(rest) {
        let (before, inside) = rest.split_at(start);
        let end = inside.find(['/', '\\', '?', '#']).unwrap_or(inside.len());
        let host = inside[..end].rfind('@').map_or(0, |at| at + 1);
        out.push_str(before);
        out.push_str(&inside[host..end]);
        rest = &inside[end..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Returns where the first user name or host of an address begins. Browsers accept any number of
/// slashes after the scheme, of both kinds.
fn authority(url: &str) -> Option<usize> {
    let slashes = |from: usize| {
        from + url[from..].bytes().take_while(|byte| matches!(byte, b'/' | b'\\')).count()
    };
    let begins = url.len() - url.trim_start().len();
    if slashes(begins) >= begins + 2 {
        return Some(slashes(begins));
    }
    let colons = url.match_indices(':').map(|(at, _)| at);
    colons.into_iter().find_map(|at| {
        let after = slashes(at + 1);
        let scheme = url[..at].rsplit(|c: char| !c.is_ascii_alphanumeric()).next()?;
        let is_web = ["http", "https", "ws", "wss", "ftp"]
            .iter()
            .any(|known| scheme.eq_ignore_ascii_case(known));
        (after >= at + 3 || is_web && after < url.len()).then_some(after)
    })
}

/// Returns a path with `…` for each web token (JWT) in it.
fn without_tokens(path: &str) -> Cow<'_, str> {
    if !path.contains("eyJ") {
        return Cow::Borrowed(path);
    }
    let parts = path.split('/').map(|part| if is_web_token(part) { LEFT_OUT } else { part });
    Cow::Owned(parts.collect::<Vec<_>>().join("/"))
}

fn starts_with_scheme(url: &str, scheme: &str) -> bool {
    let url = url.trim_start();
    url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        && url[scheme.len()..].starts_with(':')
}

/// Decodes `%20` and the like; what is not valid stays as it is.
pub fn decoded_text(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Splits an address into scheme, authority and the rest, as they are written. Nothing is decoded
/// or corrected, because an address that is shown may have `…` in it.
pub fn parts(url: &str) -> Option<(&str, &str, &str)> {
    let (scheme, after) = url.split_once("://")?;
    let (authority, rest) = after.split_at(after.find(['/', '?', '#']).unwrap_or(after.len()));
    Some((scheme, authority, rest))
}

/// Splits an `http:` or `https:` address after its port.
pub fn split_web(url: &str) -> Option<(&str, &str)> {
    let (scheme, authority, _) = parts(url)?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let end = authority.find('\\').unwrap_or(authority.len());
    (is_web && end > 0).then(|| url.split_at(scheme.len() + 3 + end))
}

/// Returns the host of an address, without user name and port.
pub fn host_of(url: &str) -> Option<&str> {
    let (_, authority, _) = parts(url)?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests;
