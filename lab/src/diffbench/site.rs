//! Serves the pages of the diff benchmark on 127.0.0.1: the page of each kind of change, its
//! frames, and answers with a delay.

use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::kinds::kinds;

const PRELUDE: &str = include_str!("prelude.js");

/// The surroundings of every page: a page of ordinary size, of which most does not change.
const BEFORE: &str = "<body><header><nav aria-label=Site><a href=/home>Home</a> <a href=/orders>Orders</a> <a href=/people>People</a> <a href=/reports>Reports</a> <a href=/help>Help</a></nav></header>
<main><h1>Workbench</h1><p>Everything you do here is kept for thirty days.</p>";
const AFTER: &str = "</main><footer><p>Imprint and privacy</p> <a href=/terms>Terms</a></footer>";
const STYLE: &str = "<style>body { font: 16px sans-serif } table { border-collapse: collapse } td { padding: 2px 8px } .none { display: none } .overlay { position: fixed; inset: 0; background: #0008 } .box { position: fixed; left: 300px; top: 120px; width: 400px; background: #fff; padding: 20px } .tall { height: 300px; overflow: auto }</style>";

/// Serves the pages and returns the port.
pub async fn serve() -> anyhow::Result<u16> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let port = listener.local_addr()?.port();
    let router = Router::new().fallback(answer).with_state(port);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(port)
}

fn text(kind: &'static str, text: String) -> Response {
    ([(CONTENT_TYPE, kind)], text).into_response()
}

async fn answer(State(port): State<u16>, request: Request) -> Response {
    let (path, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
    let seed = query.split('&').find_map(|pair| pair.strip_prefix("seed=")).unwrap_or("1");
    let mut parts = path.trim_start_matches('/').splitn(2, '/');
    match (parts.next().unwrap_or_default(), parts.next().unwrap_or_default()) {
        ("late", ms) => {
            tokio::time::sleep(Duration::from_millis(ms.parse().unwrap_or(0))).await;
            text("text/plain", "ok".to_owned())
        }
        ("page", at) => {
            let Some((_, body)) = at.parse().ok().and_then(|at| kinds().nth(at)) else {
                return text("text/html; charset=utf-8", String::new());
            };
            text("text/html; charset=utf-8", page(body, at, seed, port))
        }
        // The document of a frame: the part of the body after FRAME.
        ("frame", at) => {
            let kind = at.parse().ok().and_then(|at| kinds().nth(at));
            let inner = kind
                .and_then(|(_, body)| body.split_once("FRAME\n"))
                .map_or("", |(_, inner)| inner);
            text(
                "text/html; charset=utf-8",
                format!("{}<body>{}", head(seed), filled(inner, at, seed, port)),
            )
        }
        _ => text("text/html; charset=utf-8", String::new()),
    }
}

fn head(seed: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Workbench</title>{STYLE}<script>{}</script>",
        PRELUDE.replace("SEED", seed)
    )
}

/// Frames ask for the same kind and seed.
fn filled(body: &str, kind: &str, seed: &str, port: u16) -> String {
    body.replace("PORT", &port.to_string()).replace("SEED", seed).replace("KIND", kind)
}

fn page(body: &str, kind: &str, seed: &str, port: u16) -> String {
    let body = body.split("FRAME\n").next().unwrap_or_default();
    format!("{}{BEFORE}{}{AFTER}", head(seed), filled(body, kind, seed, port))
}
