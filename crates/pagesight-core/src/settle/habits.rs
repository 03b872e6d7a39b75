//! The shapes of requests, by which a recurring request is recognised.

/// Query keys whose values only prevent caching.
const BUSTERS: [&str; 12] = [
    "_",
    "t",
    "ts",
    "time",
    "timestamp",
    "cb",
    "cachebust",
    "nocache",
    "rand",
    "random",
    "r",
    "nonce",
];

/// Returns the shape of a repeated request: method and URL, without cache busters.
pub(super) fn exact(method: &str, url: &str) -> String {
    let (path, query) = split(url);
    let mut shape = format!("{method} {path}");
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        let volatile = BUSTERS.contains(&key.to_ascii_lowercase().as_str()) || digits >= 9;
        shape.push('&');
        shape.push_str(key);
        if !volatile {
            shape.push('=');
            shape.push_str(value);
        }
    }
    shape
}

/// Returns the shape of requests that differ only in numbers and generated names.
pub(super) fn loose(method: &str, url: &str) -> String {
    let (path, query) = split(url);
    let mut shape = format!("{method} ");
    for part in path.split('/') {
        let made_up = part.bytes().any(|byte| byte.is_ascii_digit()) || part.len() > 30;
        shape.push_str(if made_up { "#" } else { part });
        shape.push('/');
    }
    for pair in query.split('&') {
        shape.push('&');
        shape.push_str(pair.split('=').next().unwrap_or_default());
    }
    shape
}

/// Splits a URL into the part before the query, and the query.
fn split(url: &str) -> (&str, &str) {
    let url = url.split('#').next().unwrap_or_default();
    url.split_once('?').unwrap_or((url, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_requests_have_one_shape() {
        assert_eq!(
            exact("GET", "http://a/poll?_=1712&x=2"),
            exact("GET", "http://a/poll?_=99&x=2")
        );
        assert_eq!(
            exact("GET", "http://a/p?at=1712345678901"),
            exact("GET", "http://a/p?at=1712345679901#f")
        );
        assert_ne!(exact("GET", "http://a/hop?n=1"), exact("GET", "http://a/hop?n=2"));
        assert_ne!(exact("GET", "http://a/hop/1"), exact("GET", "http://a/hop/2"));
        assert_ne!(exact("GET", "http://a/x"), exact("POST", "http://a/x"));
        assert_eq!(loose("GET", "http://a/ad/7f3?id=1"), loose("GET", "http://a/ad/91c?id=2"));
        assert_ne!(loose("GET", "http://a/ad/x"), loose("GET", "http://a/news/x"));
    }
}
