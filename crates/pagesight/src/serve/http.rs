//! MCP over streamable HTTP: `/mcp`, and `/mcp/NAME` for a named workspace. Every request needs the
//! token; requests of web pages are refused by their `Origin`, and requests to unknown host
//! names by their `Host`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use pagesight_browser::lock;
use pagesight_session::WebOrigin;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::AbortHandle;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;

use super::host::WorkspaceHost;
use super::http_workspace::{mcp_session_of, private_name};
use super::names;
use super::settings::is_token;
use crate::mcp::server::Server;

/// The largest body of a request.
const LARGEST_BODY: usize = 16 * 1024 * 1024;
/// How many connections may be open.
const MOST_CONNECTIONS: usize = 256;
/// How long a client may take to send the headers of a request, and to begin the next one.
const HEADER_LIMIT: Duration = Duration::from_secs(20);
/// How long a client may read nothing of an answer that is being sent.
const WRITE_LIMIT: Duration = Duration::from_secs(60);
/// How long a request without a stream may take in all: the longest batch and a slow client.
const REQUEST_LIMIT: Duration = Duration::from_secs(120);

/// How much of the body of a refused request is read, and for how long.
const DRAINED: usize = 64 * 1024;
const DRAIN_LIMIT: Duration = Duration::from_secs(1);
/// Longer than any call takes.
const LONGEST_CALL: Duration = Duration::from_secs(60);

type Body = BoxBody<Bytes, Infallible>;

/// Serves MCP over HTTP.
pub(crate) struct HttpServer {
    host: Arc<WorkspaceHost>,
    token: String,
    /// The origins that clients may name in `Host` and `Origin`; empty: any host.
    origins: Vec<WebOrigin>,
    service: StreamableHttpService<Server, LocalSessionManager>,
    connections: Connections,
}

/// The open connections, oldest first. If there are too many, one that has not shown the token is
/// closed, so that strangers cannot keep clients out.
#[derive(Default)]
struct Connections(Mutex<VecDeque<(AbortHandle, Arc<AtomicBool>)>>);

impl Connections {
    fn add(&self, connection: AbortHandle, trusted: Arc<AtomicBool>) {
        let mut open = lock(&self.0);
        open.retain(|(connection, _)| !connection.is_finished());
        open.push_back((connection, trusted));
        if open.len() > MOST_CONNECTIONS {
            let stranger = open.iter().position(|(_, trusted)| !trusted.load(Ordering::Relaxed));
            // The newest connection is a stranger, too.
            if let Some((connection, _)) = stranger.and_then(|place| open.remove(place)) {
                connection.abort();
            }
        }
    }
}

impl HttpServer {
    /// Creates the server for an address.
    pub(crate) fn new(
        host: Arc<WorkspaceHost>,
        token: String,
        address: SocketAddr,
    ) -> Arc<HttpServer> {
        let origins = own_origins(address);
        let config = StreamableHttpServerConfig::default()
            .with_max_request_body_bytes(LARGEST_BODY)
            // `check` has its own rules, which also concern the port.
            .disable_allowed_hosts()
            .with_allowed_origins(origins.iter().map(WebOrigin::to_string))
            .enforce_origin_validation();
        let secrets = host.options.secrets.list();
        let left = CancellationToken::new();
        let server = Server::new(host.clone(), host.evaluate, &secrets, &left);
        // An MCP session outlives its workspace: the library ends one that got no message
        // for this long, also during a call.
        let mut mcp_sessions = LocalSessionManager::default();
        mcp_sessions.session_config.keep_alive = Some(host.idle + LONGEST_CALL);
        let service =
            StreamableHttpService::new(move || Ok(server.clone()), Arc::new(mcp_sessions), config);
        let connections = Connections::default();
        Arc::new(HttpServer { host, token, origins, service, connections })
    }

    /// Accepts clients, for as long as the process runs.
    pub(crate) async fn accept(self: Arc<HttpServer>, listener: TcpListener) {
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let trusted = Arc::new(AtomicBool::new(false));
            let server = self.clone();
            let trust = trusted.clone();
            let serving = tokio::spawn(async move {
                let answer = service_fn(move |request| {
                    let (server, trust) = (server.clone(), trust.clone());
                    async move { Ok::<_, Infallible>(server.answer(request, &trust).await) }
                });
                if let Err(error) = serve_connection(stream, answer).await {
                    tracing::debug!(%error, "a connection ended");
                }
            });
            self.connections.add(serving.abort_handle(), trusted);
        }
    }

    async fn answer(&self, request: Request<Incoming>, trust: &AtomicBool) -> Response<Body> {
        if let Err(refused) = self.check(&request) {
            drain(request.into_body()).await;
            return *refused;
        }
        trust.store(true, Ordering::Relaxed);
        let ends = (request.method() == Method::DELETE)
            .then(|| mcp_session_of(request.headers()))
            .flatten();
        // The answer of a request begins in time; a stream may then stay open.
        let handled = tokio::time::timeout(REQUEST_LIMIT, self.service.handle(request)).await;
        let Ok(mut response) = handled else {
            return refusal(StatusCode::REQUEST_TIMEOUT, "the request took too long");
        };
        if let Some(mcp_session) = ends.filter(|_| response.status().is_success()) {
            self.host.end(&private_name(&mcp_session)).await;
            // It is done, not only accepted.
            *response.status_mut() = StatusCode::OK;
        }
        response
    }

    /// Refuses what does not come from a client that knows the token.
    fn check<B>(&self, request: &Request<B>) -> Result<(), Box<Response<Body>>> {
        let headers = request.headers();
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let own = |given: &str| {
            given.parse::<WebOrigin>().is_ok_and(|given| self.origins.contains(&given))
        };
        if !self.origins.is_empty() && !host.is_some_and(|host| own(&format!("http://{host}"))) {
            return Err(Box::new(refusal(StatusCode::FORBIDDEN, "this name does not lead here")));
        }
        // No page has our own origin, because we serve none; some clients send it.
        let origin = headers.get(header::ORIGIN);
        if origin.is_some_and(|origin| !origin.to_str().is_ok_and(own)) {
            return Err(Box::new(refusal(
                StatusCode::FORBIDDEN,
                "web pages may not use this server",
            )));
        }
        let given = headers.get(header::AUTHORIZATION).map(|value| value.as_bytes());
        let given = given.and_then(|value| {
            let (scheme, token) = value.split_at_checked(7)?;
            scheme.eq_ignore_ascii_case(b"bearer ").then_some(token)
        });
        if !given.is_some_and(|given| is_token(given, &self.token)) {
            let mut response = refusal(StatusCode::UNAUTHORIZED, "the token is missing or wrong");
            let scheme = header::HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
            return Err(Box::new(response));
        }
        match request.uri().path() {
            "/mcp" => Ok(()),
            path => match path.strip_prefix("/mcp/") {
                Some(name) => names::check(name).map_err(|error| {
                    Box::new(refusal(StatusCode::BAD_REQUEST, &error.to_string()))
                }),
                None => {
                    Err(Box::new(refusal(StatusCode::NOT_FOUND, "the path is /mcp or /mcp/NAME")))
                }
            },
        }
    }
}

/// Answers the requests of a connection until it ends. A client that sends no request, or does not
/// read its answer, is cut off.
async fn serve_connection<T, S>(stream: T, answer: S) -> Result<(), hyper::Error>
where
    T: AsyncRead + AsyncWrite + Send + 'static,
    S: Service<Request<Incoming>, Response = Response<Body>, Error = Infallible>,
{
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_LIMIT));
    hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_LIMIT)
        .serve_connection(TokioIo::new(Box::pin(stream)), answer)
        .await
}

/// Reads the body of a refused request. If a connection closes with an unread body, the system
/// resets it, and the client may not get the answer.
async fn drain(mut body: Incoming) {
    let reading = async {
        let mut left = DRAINED;
        while let Some(Ok(frame)) = body.frame().await {
            let size = frame.data_ref().map_or(0, Bytes::len);
            let Some(rest) = left.checked_sub(size) else { return };
            left = rest;
        }
    };
    // A client that sends slowly gets the answer, too.
    let _ = tokio::time::timeout(DRAIN_LIMIT, reading).await;
}

/// Returns the origins that lead to this server; empty: any.
fn own_origins(address: SocketAddr) -> Vec<WebOrigin> {
    if !address.ip().is_loopback() {
        // Behind a proxy the name is the proxy's.
        return Vec::new();
    }
    let names =
        ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{}", address.port()));
    let hosts = names.into_iter().chain([address.to_string()]);
    hosts.filter_map(|host| format!("http://{host}").parse().ok()).collect()
}

fn refusal(status: StatusCode, sentence: &str) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from(format!("{sentence}\n"))).boxed());
    *response.status_mut() = status;
    let text = header::HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, text);
    response
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::{Instant, sleep};

    use super::*;

    /// Sends a request over a connection that holds 100 bytes, and returns the client's side.
    async fn ask() -> (tokio::io::DuplexStream, tokio::task::JoinHandle<Result<(), hyper::Error>>) {
        let (mut client, server) = duplex(100);
        let answer =
            service_fn(async |_| Ok(refusal(StatusCode::NOT_FOUND, &"long ".repeat(1000))));
        let serving = tokio::spawn(serve_connection(server, answer));
        client.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        (client, serving)
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_cut_off() {
        let (client, serving) = ask().await;
        let begun = Instant::now();
        assert!(serving.await.unwrap().is_err());
        assert!((WRITE_LIMIT..WRITE_LIMIT * 2).contains(&begun.elapsed()));
        drop(client);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_slowly_gets_all() {
        let (mut client, _serving) = ask().await;
        let (mut text, mut part) = (Vec::new(), [0; 90]);
        while !text.ends_with(b"long \n") {
            sleep(WRITE_LIMIT / 2).await;
            let read = client.read(&mut part).await.unwrap();
            assert!(read > 0, "the connection ended");
            text.extend_from_slice(&part[..read]);
        }
        assert!(text.len() > 5000);
    }
}
