//! Serves the hostile pages, and the answers that are hostile themselves.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{
    CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE, LOCATION, WWW_AUTHENTICATE,
};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use super::cases::CASES;
use super::names;
use crate::pages::listen;

/// The name of the button in most pages.
pub const TARGET: &str = "Plain target";
const HTML: (axum::http::HeaderName, &str) = (CONTENT_TYPE, "text/html; charset=utf-8");
/// Zeros, compressed: 100 MiB in 100 KiB. Made by `gzip`, which every system has.
type Bomb = Bytes;

#[derive(Clone)]
struct HostileSite {
    names: Vec<String>,
    bomb: Bomb,
}

/// Starts the site and returns its address.
pub async fn serve(names: Vec<String>) -> anyhow::Result<String> {
    let site = HostileSite { names, bomb: bomb().await? };
    listen(axum::Router::new().fallback(answer).with_state(site)).await
}

async fn bomb() -> anyhow::Result<Bomb> {
    let made = tokio::process::Command::new("sh")
        .args(["-c", "head -c 104857600 /dev/zero | gzip -9"])
        .output()
        .await?;
    anyhow::ensure!(made.status.success(), "gzip failed");
    Ok(made.stdout.into())
}

async fn answer(State(site): State<HostileSite>, uri: Uri) -> Response {
    let name = uri.path().trim_start_matches('/');
    if let Some(page) = names::page(name, &site.names) {
        return (([HTML]), page).into_response();
    }
    if let Some(case) = CASES.iter().find(|case| case.name == name && !case.content.is_empty()) {
        return ([HTML], page(case.content)).into_response();
    }
    match name {
        "plain" => ([HTML], page("0")).into_response(),
        "never-answers" | "never" => std::future::pending().await,
        "one-byte-a-second" => {
            ([HTML], endless("<p>x</p>", Duration::from_secs(1))).into_response()
        }
        "endless-page" => ([HTML], endless("<p>more</p>", Duration::ZERO)).into_response(),
        "endless-file" => {
            let head = [
                (CONTENT_TYPE, "application/octet-stream"),
                (CONTENT_DISPOSITION, "attachment; filename=endless.bin"),
            ];
            (head, endless("0123456789abcdef", Duration::ZERO)).into_response()
        }
        "redirect-loop" => (StatusCode::FOUND, [(LOCATION, "/redirect-loop")]).into_response(),
        "redirects-without-end" => {
            let next = uri.query().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) + 1;
            let next = format!("/redirects-without-end?{next}");
            (StatusCode::FOUND, [(LOCATION, next)]).into_response()
        }
        "asks-for-a-password" => {
            let head = [(WWW_AUTHENTICATE, "Basic realm=\"hostile\"")];
            (StatusCode::UNAUTHORIZED, head, "who are you?").into_response()
        }
        "no-content" => StatusCode::NO_CONTENT.into_response(),
        "broken-xml" => {
            ([(CONTENT_TYPE, "application/xhtml+xml")], "<html><body><p></html>").into_response()
        }
        "plain-text-of-20-megabytes" => {
            ([(CONTENT_TYPE, "text/plain")], "word ".repeat(4_000_000)).into_response()
        }
        "compressed-bomb" => {
            let head = [(CONTENT_TYPE, "text/html"), (CONTENT_ENCODING, "gzip")];
            (head, site.bomb.clone()).into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn page(content: &str) -> String {
    let body = if content.starts_with('<') {
        content.to_owned()
    } else {
        format!("<button>{TARGET}</button><script>\"use strict\";{{{content}}}</script>")
    };
    format!("<!doctype html><html lang=en><title>Hostile</title><body>{body}</body></html>")
}

/// A body that never ends.
fn endless(text: &'static str, pause: Duration) -> Body {
    let block = if pause.is_zero() { text.repeat(1000) } else { text.to_owned() };
    Body::from_stream(stream::unfold((), move |()| {
        let block = block.clone();
        async move {
            tokio::time::sleep(pause.max(Duration::from_millis(1))).await;
            Some((Ok::<_, Infallible>(Bytes::from(block)), ()))
        }
    }))
}
