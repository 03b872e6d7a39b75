//! One HTTP request and its response, for browsers and drivers. The peer may be any server, so
//! responses are limited in length.

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio_util::task::AbortOnDropHandle;

use super::address::dial;

/// The longest response that is read.
const ANSWER_LIMIT: usize = 1 << 20;

pub(super) struct HttpAnswer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    /// The address of the peer.
    pub(super) place: std::net::SocketAddr,
}

impl HttpAnswer {
    /// The body as JSON; `null` if it is not JSON.
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// Sends a request; the error is a reason.
pub(super) async fn ask(
    method: Method,
    authority: &str,
    path: &str,
    body: Option<&Value>,
) -> Result<HttpAnswer, String> {
    let (stream, place) = dial(authority).await?;
    let no_browser = |_| "it is not a browser".to_owned();
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream));
    let (mut sender, connection) = handshake.await.map_err(no_browser)?;
    // Ends with the response, or when the caller is dropped.
    let _ended = AbortOnDropHandle::new(tokio::spawn(connection));
    let text = body.map(Value::to_string).unwrap_or_default();
    // A browser refuses every `Host` except an IP address or localhost.
    let request = Request::builder()
        .method(method)
        .uri(if path.is_empty() { "/" } else { path })
        .header("Host", place.to_string())
        .header("Content-Type", "application/json; charset=utf-8")
        .body(Full::new(Bytes::from(text)))
        .map_err(|error| error.to_string())?;
    let answer = sender.send_request(request).await.map_err(no_browser)?;
    let status = answer.status().as_u16();
    let body = Limited::new(answer.into_body(), ANSWER_LIMIT).collect().await;
    let body = body.map_err(|_| "it is not a browser".to_owned())?.to_bytes().to_vec();
    Ok(HttpAnswer { status, body, place })
}
