//! Finds the way to a Chromium that runs already: `http://host:port` is asked for its WebSocket, `ws://…` is it.

use std::net::SocketAddr;
use std::time::Duration;

use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::browser::{Own, greet};
use crate::backend::Connected;
use crate::error::{BrowserError, Result};
use crate::wire::websocket::shake_hands;

/// How long it may take until the browser has answered.
const CONNECT_LIMIT: Duration = Duration::from_millis(4500);
/// The longest answer that is read from something that may be no browser at all.
const ANSWER_LIMIT: u64 = 64 * 1024;

/// Connects to a running browser.
pub(crate) async fn connect(url: &str) -> Result<Connected> {
    dial(url, None).await
}

/// Connects to a running browser, somebody else's or (on Windows) our own.
pub(super) async fn dial(url: &str, own: Option<Own>) -> Result<Connected> {
    let outcome = match tokio::time::timeout(CONNECT_LIMIT, reach(url, own)).await {
        Ok(outcome) => outcome,
        Err(_) => Err("it does not answer".to_owned()),
    };
    outcome.map_err(|reason| BrowserError::NotConnected { url: url.to_owned(), reason })
}

/// An address taken apart.
#[derive(Debug, PartialEq)]
struct Address<'a> {
    web_socket: bool,
    /// `host:port`.
    authority: String,
    path: &'a str,
}

fn parse(url: &str) -> std::result::Result<Address<'_>, String> {
    let (scheme, rest) = url.trim().split_once("://").unwrap_or(("http", url.trim()));
    let web_socket = match scheme.to_ascii_lowercase().as_str() {
        "http" => false,
        "ws" => true,
        "https" | "wss" => {
            return Err("encrypted addresses are not supported; forward the port instead".to_owned());
        }
        _ => return Err("this is no http:// or ws:// address".to_owned()),
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let sane = |c: char| c.is_ascii_alphanumeric() || ".-_:[]%".contains(c);
    if authority.is_empty() || !authority.chars().all(sane) {
        return Err("this is no address of a browser".to_owned());
    }
    let after_host = authority.rfind(']').map_or(authority, |end| &authority[end..]);
    let authority = match after_host.split_once(':') {
        Some((_, port)) if port.parse::<u16>().is_ok() => authority.to_owned(),
        Some(_) => return Err("its port is no number".to_owned()),
        None => format!("{authority}:{}", if web_socket { 80 } else { 9222 }),
    };
    Ok(Address { web_socket, authority, path })
}

async fn reach(url: &str, own: Option<Own>) -> std::result::Result<Connected, String> {
    let address = parse(url)?;
    let (stream, place) = dial_tcp(&address.authority).await?;
    let (socket_url, stream) = if address.web_socket {
        if address.path.contains("/devtools/page/") {
            return Err("this is the address of one page; give that of the browser".to_owned());
        }
        // The browser refuses every `Host` but an IP address or localhost.
        (format!("ws://{place}{}", address.path), stream)
    } else {
        let path = ask(stream, place).await?;
        (format!("ws://{place}{path}"), dial_tcp(&place.to_string()).await?.0)
    };
    let hands = shake_hands(&socket_url, stream).await;
    let (incoming, outgoing) = hands.map_err(|error| format!("no WebSocket of a browser: {error}"))?;
    let greeted = greet(incoming, outgoing, own, CONNECT_LIMIT).await;
    greeted.map_err(|error| match error {
        BrowserError::Disconnected => "it hung up".to_owned(),
        other => format!("it does not speak the DevTools protocol: {other}"),
    })
}

async fn dial_tcp(authority: &str) -> std::result::Result<(TcpStream, SocketAddr), String> {
    let stream = TcpStream::connect(authority).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::ConnectionRefused => "nothing listens there".to_owned(),
        _ => error.to_string(),
    })?;
    let place = stream.peer_addr().map_err(|error| error.to_string())?;
    Ok((stream, place))
}

#[derive(Deserialize)]
struct Version {
    #[serde(rename = "webSocketDebuggerUrl")]
    web_socket: String,
}

/// Asks for the path of the browser's WebSocket. It is always at the place that was asked, whatever name it gives itself.
async fn ask(mut stream: TcpStream, place: SocketAddr) -> std::result::Result<String, String> {
    let request = format!("GET /json/version HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|error| error.to_string())?;
    let mut answer = Vec::new();
    let mut piece = [0; 4096];
    // Chromium keeps the connection open in spite of what it was asked for: read until the JSON is whole.
    loop {
        let length = stream.read(&mut piece).await.map_err(|error| error.to_string())?;
        answer.extend_from_slice(&piece[..length]);
        let text = String::from_utf8_lossy(&answer);
        if let Some((_, body)) = text.split_once("\r\n\r\n")
            && let Ok(Version { web_socket }) = serde_json::from_str(body)
        {
            let path = web_socket
                .strip_prefix("ws://")
                .and_then(|rest| rest.find('/').map(|at| rest[at..].to_owned()));
            return path.ok_or_else(|| "its answer names no WebSocket".to_owned());
        }
        if length == 0 || answer.len() as u64 > ANSWER_LIMIT {
            let line = text.lines().next().unwrap_or_default();
            return Err(match line.starts_with("HTTP/") {
                true => {
                    format!("it is no browser (it answered {:?})", line.chars().take(60).collect::<String>())
                }
                false => "it is no browser".to_owned(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let check = |url: &str, web_socket: bool, authority: &str, path: &str| {
            let address = parse(url).unwrap_or_else(|error| panic!("{url}: {error}"));
            assert_eq!(
                (address.web_socket, address.authority.as_str(), address.path),
                (web_socket, authority, path),
                "{url}"
            );
        };
        check("http://localhost:9222", false, "localhost:9222", "");
        check("http://127.0.0.1:9222/", false, "127.0.0.1:9222", "/");
        check("localhost:9333", false, "localhost:9333", "");
        check("http://localhost", false, "localhost:9222", "");
        check("ws://[::1]:9222/devtools/browser/x", true, "[::1]:9222", "/devtools/browser/x");
        check("http://[::1]", false, "[::1]:9222", "");
        for garbage in [
            "",
            "http://",
            "ftp://x",
            "https://x",
            "http://a b",
            "http://x:y",
            "http://x:99999",
            "::::",
            "\u{0}",
        ] {
            assert!(parse(garbage).is_err(), "{garbage}");
        }
    }
}
