//! A server on 127.0.0.1 for the fixtures and for pages that tests define.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::{any, get};

#[derive(serde::Deserialize)]
struct Page {
    html: String,
}

/// Serves the fixtures on 127.0.0.1 until it is dropped.
pub struct Site {
    address: SocketAddr,
    task: tokio::task::JoinHandle<()>,
}

impl Site {
    pub async fn start() -> Site {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new()
            .route(
                "/status/{code}",
                get(|Path(code): Path<u16>| async move {
                    (
                        StatusCode::from_u16(code).unwrap(),
                        Html(format!("<title>{code}</title><h1>Error {code}</h1>")),
                    )
                }),
            )
            .route(
                "/never",
                get(|| async {
                    tokio::time::sleep(Duration::from_secs(120)).await;
                    "too late"
                }),
            )
            .route(
                "/pending.html",
                get(|| async { Html("<title>Pending</title><h1>Half</h1><script src=/never></script>") }),
            )
            .route(
                "/file.zip",
                get(|| async {
                    ([(header::CONTENT_DISPOSITION, "attachment; filename=file.zip")], "not really a zip")
                }),
            )
            .route(
                "/delay/{ms}/{name}",
                get(|Path((ms, _)): Path<(u64, String)>| async move {
                    tokio::time::sleep(Duration::from_millis(ms)).await;
                    "late"
                }),
            )
            .route(
                "/refresh",
                get(|| async { ([("refresh", "0.3;url=/done.html")], Html("<p>Wait</p>")) }),
            )
            .route(
                "/headers",
                get(|headers: axum::http::HeaderMap| async move {
                    let mut lines: Vec<String> = headers
                        .iter()
                        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
                        .collect();
                    lines.sort_unstable();
                    lines.join("\n")
                }),
            )
            .route("/large.txt", get(|| async { "x".repeat(64 * 1024) }))
            .route("/unread", any(|| async { ([(header::CACHE_CONTROL, "no-store")], "ok") }))
            .route("/nothing", get(|| async { StatusCode::NO_CONTENT }))
            .route(
                "/worker.js",
                get(|| async {
                    let script = "onactivate = (event) => event.waitUntil(clients.claim());
                        onfetch = (event) => { if (event.request.url.endsWith('/by-worker')) event.respondWith(new Promise((done) => setTimeout(() => done(new Response('from the worker')), 900)));
                            else if (event.request.mode == 'navigate' && new URL(event.request.url).pathname == '/') event.respondWith(new Response('<script>localStorage.by = 1</script>', { headers: { 'content-type': 'text/html' } })) }";
                    ([(header::CONTENT_TYPE, "text/javascript")], script)
                }),
            )
            .route(
                "/cookies",
                get(|headers: axum::http::HeaderMap| async move {
                    let sent = headers.get(header::COOKIE).map(|sent| sent.as_bytes().to_vec());
                    let sent = String::from_utf8(sent.unwrap_or_default()).unwrap();
                    let mut names: Vec<&str> =
                        sent.split("; ").filter_map(|pair| pair.split('=').next()).collect();
                    names.sort_unstable();
                    Html(format!("<h1>{}</h1>", names.join(", ")))
                }),
            )
            .route(
                "/api/echo",
                axum::routing::post(|| async {
                    let orders = (0..30).map(|id| serde_json::json!({ "id": id, "open": true }));
                    let orders: Vec<serde_json::Value> = orders.collect();
                    let body = serde_json::json!({ "accessToken": "s3cr3t-answer", "orders": orders });
                    let cookie = (header::SET_COOKIE, "sid=s3cr3t-cookie; Path=/; HttpOnly");
                    ([cookie], axum::Json(body))
                }),
            )
            .route("/api/moved", get(|| async { Redirect::temporary("/cookies?code=s3cr3t-code") }))
            .route("/round", get(|| async { Redirect::temporary("/round") }))
            .route("/page", get(|Query(Page { html }): Query<Page>| async move { Html(html) }))
            .route(
                "/sandboxed",
                get(|Query(Page { html }): Query<Page>| async move {
                    let header = (header::CONTENT_SECURITY_POLICY, "sandbox allow-scripts");
                    ([header], Html(html))
                }),
            )
            .route(
                "/stream",
                get(|| async { ([(header::CONTENT_TYPE, "text/event-stream")], blocks(0, false)) }),
            )
            .route(
                "/slow.zip",
                get(|| async {
                    let bytes = blocks(1, false);
                    ([(header::CONTENT_DISPOSITION, "attachment; filename=slow.zip")], bytes)
                }),
            )
            .route(
                "/large.zip",
                get(|| async {
                    let bytes = blocks(160 << 4, true);
                    ([(header::CONTENT_DISPOSITION, "attachment; filename=large.zip")], bytes)
                }),
            )
            .route(
                "/login",
                get(|| async {
                    let challenge = [(header::WWW_AUTHENTICATE, "Basic realm=\"Members\"")];
                    (StatusCode::UNAUTHORIZED, challenge, Html("<h1>Members only</h1>"))
                }),
            )
            .route("/{file}", get(fixture));
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Site { address, task }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// Returns the URL of a page with this HTML.
    pub fn page(&self, html: &str) -> String {
        self.url(&format!("page?html={}", coded(html)))
    }

    /// Returns the URL of a page with this HTML that has no origin of its own.
    pub fn sandboxed(&self, html: &str) -> String {
        self.url(&format!("sandboxed?html={}", coded(html)))
    }
}

fn coded(html: &str) -> String {
    html.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Returns a body of this many blocks of 64 KiB, which ends then or never.
fn blocks(left: u32, ends: bool) -> axum::body::Body {
    struct Blocks {
        left: u32,
        ends: bool,
    }
    impl http_body::Body for Blocks {
        type Data = axum::body::Bytes;
        type Error = std::convert::Infallible;
        fn poll_frame(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<http_body::Frame<Self::Data>, Self::Error>>> {
            match self.left.checked_sub(1) {
                Some(left) => self.left = left,
                None if self.ends => return std::task::Poll::Ready(None),
                None => return std::task::Poll::Pending,
            }
            let bytes = axum::body::Bytes::from(vec![0; 64 * 1024]);
            std::task::Poll::Ready(Some(Ok(http_body::Frame::data(bytes))))
        }
    }
    axum::body::Body::new(Blocks { left, ends })
}

async fn fixture(Path(file): Path<String>) -> impl IntoResponse {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    match std::fs::read_to_string(folder.join(&file)) {
        Ok(text) => Html(text).into_response(),
        Err(_) => (StatusCode::NOT_FOUND, Html("<title>Not found</title><h1>Not found</h1>"))
            .into_response(),
    }
}
