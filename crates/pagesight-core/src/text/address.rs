//! Addresses as problem, waiting and error lines print them: without the values of parameters and
//! without the fragment, because both may hold secrets such as access tokens.

/// Returns an address without the values of its parameters and without its fragment:
/// `/login?token=…&next=…`.
pub fn without_values(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let Some((path, query)) = url.split_once('?') else { return url.to_owned() };
    let parameters: Vec<String> = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| match pair.split_once('=') {
            Some((key, value)) if !value.is_empty() => format!("{key}=…"),
            Some((key, _)) => format!("{key}="),
            // A bare word may be a value as well as a key.
            None => "…".to_owned(),
        })
        .collect();
    format!("{path}?{}", parameters.join("&"))
}

/// Returns a text with every address in it as [`without_values`] gives it.
pub fn without_values_in(text: &str) -> String {
    let delimits = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '(' | ')');
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(delimits) {
        let word = piece.trim_end_matches(delimits);
        let is_address = word.contains("://") || word.starts_with('/');
        if is_address && word.contains(['?', '#']) {
            out.push_str(&without_values(word));
        } else {
            out.push_str(word);
        }
        out.push_str(&piece[word.len()..]);
    }
    out
}

/// Returns the host of an address, without user name and port.
pub fn host_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    (!host.is_empty()).then_some(host)
}

/// Whether a host belongs to a different site than a page. Other ports, sub-domains of the page's
/// host and its parent domains belong to the page's site.
pub fn is_other_site(page: &str, host: &str) -> bool {
    let Some(own) = host_of(page) else { return false };
    let plain = |host: &str| {
        let host = host.to_ascii_lowercase();
        host.strip_prefix("www.").map_or(host.clone(), str::to_owned)
    };
    let is_local = |host: &str| matches!(host, "localhost" | "127.0.0.1" | "::1");
    let (own, host) = (plain(own), plain(host));
    let below = |inner: &str, outer: &str| {
        outer.contains('.') && inner.strip_suffix(outer).is_some_and(|rest| rest.ends_with('.'))
    };
    let same = own == host
        || (is_local(&own) && (is_local(&host) || host.ends_with(".localhost")))
        || below(&host, &own)
        || below(&own, &host);
    !same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_sites_are_recognised() {
        assert_eq!(host_of("https://me:secret@a.example:8080/x?y#z"), Some("a.example"));
        assert_eq!(host_of("http://[::1]:3000/"), Some("::1"));
        assert_eq!(host_of("about:blank"), None);
        for (page, host, other) in [
            ("http://a.example/", "a.example", false),
            ("http://a.example:3000/", "api.a.example", false),
            ("https://www.a.example/", "cdn.a.example", false),
            ("https://app.a.example/", "a.example", false),
            ("http://localhost:3000/", "127.0.0.1", false),
            ("http://127.0.0.1:3000/", "127.0.0.2", true),
            ("http://a.example/", "ads.example", true),
            ("http://a.example/", "aa.example", true),
            ("https://a.co/", "co", true),
            ("about:blank", "a.example", false),
        ] {
            assert_eq!(is_other_site(page, host), other, "{page} {host}");
        }
    }

    #[test]
    fn values_and_fragments_are_left_out() {
        for (given, expected) in [
            ("/api/orders", "/api/orders"),
            ("/api?token=abc&page=2", "/api?token=…&page=…"),
            ("https://a.example/x?code=1#access_token=2", "https://a.example/x?code=…"),
            ("/x#access_token=2", "/x"),
            ("/x?secret", "/x?…"),
            ("/x?a=", "/x?a="),
        ] {
            assert_eq!(without_values(given), expected, "{given}");
        }
    }

    #[test]
    fn addresses_in_texts_are_found() {
        assert_eq!(
            without_values_in("GET http://a/b?t=1 failed (see '/c?d=2#e'), is it? yes #1"),
            "GET http://a/b?t=… failed (see '/c?d=…'), is it? yes #1"
        );
    }
}
