//! The shapes of requests, by which a recurring request is recognised.

use crate::text::address::{host_of, parts};
use crate::text::lists;

/// Query keys whose values only prevent caching.
const BUSTERS: &str = "_ t ts time timestamp cb cachebust nocache rand random r nonce";

/// Returns the shape of a repeated request: method and URL, without cache busters.
pub(super) fn exact(method: &str, url: &str) -> String {
    let (path, query) = split(url);
    let mut shape = format!("{method} {path}");
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        let volatile = lists(BUSTERS, &key.to_ascii_lowercase()) || digits >= 9;
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

/// Words in the path of a poll or a stream. A name that also fits an ordinary request, such as
/// `events`, is not here: then a slow answer would not be waited for.
const POLL_WORDS: &str = "poll polling longpoll longpolling comet cometd bayeux sockjs signalr \
    socketio engineio xhrstreaming xhrpolling sse eventstream eventsource heartbeat keepalive \
    getupdates livereload";
/// Parameters of requests that the server answers when something happened.
const POLL_PARAMETERS: [(&str, &str); 6] = [
    ("transport", "polling"),
    ("transport", "longpolling"),
    ("feed", "longpoll"),
    ("feed", "continuous"),
    ("feed", "eventsource"),
    ("watch", "true"),
];

/// Whether an address is that of a poll or a stream: a request that the server answers when
/// something happened.
pub(super) fn is_poll(url: &str) -> bool {
    let (path, query) = split(url);
    let path = parts(path).map_or(path, |(_, _, rest)| rest);
    let mut words = path.split('/').skip(1).map(|part| {
        let letters = part.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|c| c.to_ascii_lowercase()).collect::<String>()
    });
    let mut split_words = path.split('/').skip(1).flat_map(|part| part.split(['-', '_', '.']));
    let asks = |pair: &str| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        POLL_PARAMETERS
            .iter()
            .any(|(k, v)| key.eq_ignore_ascii_case(k) && value.eq_ignore_ascii_case(v))
    };
    words.any(|word| lists(POLL_WORDS, &word))
        || split_words.any(|word| ["poll", "longpoll", "sse"].contains(&word))
        || query.split('&').any(asks)
}

/// Returns the host of a URL if its name may not resolve: not an address in numbers, and not this
/// machine.
pub(super) fn named_host(url: &str) -> Option<&str> {
    let (scheme, ..) = parts(url)?;
    let host = host_of(url)?;
    let web = ["http", "https", "ws", "wss"].iter().any(|web| scheme.eq_ignore_ascii_case(web));
    let numbers = host.contains(':') || host.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let local = host == "localhost" || host.ends_with(".localhost");
    (web && !numbers && !local).then_some(host)
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
    fn polls_are_recognised_by_their_address() {
        for poll in [
            "http://a/poll",
            "http://a/api/long-poll?since=7",
            "http://a/long_polling/",
            "https://a:8080/socket.io/?EIO=4&transport=polling&t=abc",
            "http://a/db/_changes?feed=longpoll&since=9",
            "http://a/api/v1/pods?watch=true",
            "http://a/hang/longpoll",
            "http://a/bot/getUpdates",
            "http://a/sockjs/123/xyz/xhr_streaming",
            "http://a/messages.poll",
        ] {
            assert!(is_poll(poll), "{poll}");
        }
        for other in [
            "http://a/api/orders",
            "http://poll.example/api/orders",
            "http://a/api/events",
            "http://a/pollen/today",
            "http://a/questions?poll=3",
            "http://a/api/search?q=long-poll",
            "http://a/watch?v=true",
            "http://a/sessions",
            "/",
            "",
        ] {
            assert!(!is_poll(other), "{other}");
        }
    }

    #[test]
    fn hosts_that_may_not_resolve() {
        assert_eq!(named_host("https://u:p@cdn.example:8443/x"), Some("cdn.example"));
        assert_eq!(named_host("http://nope.invalid?x"), Some("nope.invalid"));
        for none in [
            "http://127.0.0.1:80/",
            "http://[::1]/",
            "http://localhost/",
            "http://a.localhost/",
            "data:x",
            "blob:http://a/",
            "http://",
        ] {
            assert_eq!(named_host(none), None, "{none}");
        }
    }

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
