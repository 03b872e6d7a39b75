//! Reads one file from a web server without cookies, for source maps. Only plain HTTP: this program
//! has no TLS of its own.

use std::time::Duration;

use http_body_util::{BodyExt, Empty, Limited};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// Reads the file at an `http:` address. Returns nothing if it is longer than `most` bytes, takes
/// longer than `limit`, is compressed, or is somewhere else: redirects are not followed.
pub async fn fetch(url: &str, most: usize, limit: Duration) -> Option<Vec<u8>> {
    tokio::time::timeout(limit, read(url, most)).await.ok().flatten()
}

async fn read(url: &str, most: usize) -> Option<Vec<u8>> {
    let rest = url.strip_prefix("http://")?;
    let rest = rest.split('#').next().unwrap_or_default();
    let (authority, path) = match rest.find(['/', '?']) {
        Some(at) => rest.split_at(at),
        None => (rest, "/"),
    };
    if authority.is_empty() || authority.contains(['@', '\\']) || !path.is_ascii() {
        return None;
    }
    let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let host = if has_port { authority.to_owned() } else { format!("{authority}:80") };
    let stream = TcpStream::connect(host).await.ok()?;
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream));
    let (mut sender, connection) = handshake.await.ok()?;
    // Ends with the response, or when the caller stops waiting.
    let _ended = AbortOnDrop(tokio::spawn(connection));
    let path = if path.starts_with('?') { format!("/{path}") } else { path.to_owned() };
    let request = Request::get(path)
        .header("Host", authority)
        .header("Accept", "*/*")
        .header("Accept-Encoding", "identity")
        .body(Empty::<Bytes>::new())
        .ok()?;
    let answer = sender.send_request(request).await.ok()?;
    if answer.status() != 200 || answer.headers().contains_key("content-encoding") {
        return None;
    }
    let body = Limited::new(answer.into_body(), most).collect().await.ok()?;
    Some(body.to_bytes().to_vec())
}

struct AbortOnDrop<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
