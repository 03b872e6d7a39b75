//! Serves the pages of the waiting benchmark, and answers requests after the delay that they name.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, stream};
use tokio::net::TcpListener;

use super::kinds::{KINDS, PLAIN_PRELUDE, PRELUDE, letters};
use crate::random::Random;

/// A part of a long page.
const MANY_ROW: &str = "<li><a href='/x'>Apollo</a> <span>Open</span></li>";

#[derive(Clone, Copy)]
pub struct WaitSite {
    pub port: u16,
    socket: u16,
}

pub async fn serve() -> anyhow::Result<WaitSite> {
    let sockets = TcpListener::bind("127.0.0.1:0").await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let site =
        WaitSite { port: listener.local_addr()?.port(), socket: sockets.local_addr()?.port() };
    tokio::spawn(async move {
        while let Ok((stream, _)) = sockets.accept().await {
            tokio::spawn(chatter(stream));
        }
    });
    let router = axum::Router::new().fallback(answer).with_state(site);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(site)
}

/// A word every 100 to 250 ms, for as long as somebody listens.
async fn chatter(stream: tokio::net::TcpStream) {
    let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await else { return };
    for n in 0u64.. {
        tokio::time::sleep(Duration::from_millis(100 + n * 37 % 150)).await;
        if socket.send(format!("message {n}").into()).await.is_err() {
            return;
        }
    }
}

fn html(text: String) -> Response {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}

async fn answer(State(site): State<WaitSite>, request: Request) -> Response {
    let uri = request.uri().clone();
    let (path, query) = (uri.path(), uri.query().unwrap_or_default());
    let mut parts = path.trim_start_matches('/').splitn(3, '/');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("page"), Some(kind), None) => {
            let kind = (0..KINDS.len()).find(|at| letters(*at) == kind).unwrap_or(0);
            page(site, kind, path, query).await
        }
        (Some("delay"), Some(ms), Some(name)) => {
            tokio::time::sleep(Duration::from_millis(ms.parse().unwrap_or(0))).await;
            delayed(name, query)
        }
        // Headers at once, the body later.
        (Some("late"), Some(ms), Some(_)) => {
            let pause = Duration::from_millis(ms.parse().unwrap_or(0));
            let body = stream::once(async move {
                tokio::time::sleep(pause).await;
                Ok::<_, Infallible>(Bytes::from("ok"))
            });
            ([(CONTENT_TYPE, "text/plain")], Body::from_stream(body)).into_response()
        }
        // Chromium never reports the end of such a body if nobody reads it.
        (Some("unread"), Some(ms), Some(_)) => {
            tokio::time::sleep(Duration::from_millis(ms.parse().unwrap_or(0))).await;
            ([(CACHE_CONTROL, "no-store")], "ok").into_response()
        }
        (Some("hang"), ..) => std::future::pending().await,
        (Some("events"), ..) => {
            let events = stream::unfold(0u64, |n| async move {
                tokio::time::sleep(Duration::from_millis(90 + n * 53 % 160)).await;
                Some((Ok::<_, Infallible>(Bytes::from(format!("data: event {n}\n\n"))), n + 1))
            });
            ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(events)).into_response()
        }
        _ => html(String::new()),
    }
}

fn delayed(name: &str, query: &str) -> Response {
    // A graph of modules: each one needs the one before, and the first shows the page.
    if let Some(number) = name.strip_prefix("graph").and_then(|rest| rest.strip_suffix(".js")) {
        let text = match number.parse::<u32>() {
            Ok(number @ 1..) => {
                format!("import '/delay/{}/graph{}.js'", 80 * number, number - 1)
            }
            _ => "show()".to_owned(),
        };
        return ([(CONTENT_TYPE, "text/javascript")], text).into_response();
    }
    match name {
        "show.js" => ([(CONTENT_TYPE, "text/javascript")], "show()").into_response(),
        _ if name.ends_with(".js") => {
            ([(CONTENT_TYPE, "text/javascript")], "window.part = 1").into_response()
        }
        _ if name.ends_with(".css") => {
            ([(CONTENT_TYPE, "text/css")], "h2 { color: navy }").into_response()
        }
        "inner.html" => {
            let of = |key: &str| {
                query.split('&').find_map(|pair| pair.strip_prefix(key)).unwrap_or("200").to_owned()
            };
            html(format!(
                "<p>Inner</p><script>fetch('/delay/{}/one').then(() => fetch('/delay/{}/two')).then((answer) => answer.text()).then(() => {{ document.body.innerHTML = '<h1>Inner orders</h1>'; parent.postMessage(1, '*') }})</script>",
                of("D0="),
                of("D1=")
            ))
        }
        "timer.html" => {
            let pause = number(query, "D0=");
            html(format!(
                "<p>A frame</p><script>setTimeout(() => parent.postMessage(1, '*'), {pause})</script>"
            ))
        }
        _ if name.ends_with(".svg") => {
            let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>";
            ([(CONTENT_TYPE, "image/svg+xml")], svg).into_response()
        }
        _ if name.ends_with(".html") => html("<p>A frame</p>".to_owned()),
        _ => ([(CONTENT_TYPE, "text/plain")], "ok").into_response(),
    }
}

/// Returns the number after a name in a query; 0 if there is none.
fn number(query: &str, name: &str) -> u64 {
    let value = query.split('&').find_map(|pair| pair.strip_prefix(name));
    value.and_then(|value| value.parse().ok()).unwrap_or_default()
}

async fn page(site: WaitSite, kind: usize, path: &str, query: &str) -> Response {
    let body = KINDS.get(kind).map_or("", |kind| kind.body);
    let mut random = Random::new(number(query, "seed="));
    let delays: Vec<u64> = (0..8).map(|_| random.between(80, 900)).collect();
    let slow = random.between(300, 3000);
    if body.starts_with("REDIRECT") {
        let hop = number(query, "hop=") as usize;
        if hop < 3 {
            tokio::time::sleep(Duration::from_millis(delays[hop])).await;
            let rest = query.split('&').find(|pair| pair.starts_with("seed=")).unwrap_or_default();
            return (
                axum::http::StatusCode::FOUND,
                [(LOCATION, format!("{path}?{rest}&hop={}", hop + 1))],
            )
                .into_response();
        }
    }
    let plain = KINDS.get(kind).is_some_and(|kind| kind.plain);
    let head = match plain {
        true => PLAIN_PRELUDE.to_owned(),
        false => format!("{PRELUDE}<script>const D = {delays:?}, S = {slow};</script>"),
    };
    let body = body
        .trim_start_matches("REDIRECT")
        .replace("MANY", &MANY_ROW.repeat(1500))
        .replace("PORT", &site.port.to_string())
        .replace("SOCKET", &site.socket.to_string())
        .replace("D0=D0", &format!("D0={}", delays[0]))
        .replace("D1=D1", &format!("D1={}", delays[1]));
    let streamed = |chunks: Vec<(u64, String)>, endless: bool| {
        let chunks = stream::unfold(chunks.into_iter(), move |mut rest| async move {
            match rest.next() {
                Some((pause, text)) => {
                    tokio::time::sleep(Duration::from_millis(pause)).await;
                    Some((Ok::<_, Infallible>(Bytes::from(text)), rest))
                }
                None if endless => std::future::pending().await,
                None => None,
            }
        });
        ([(CONTENT_TYPE, "text/html; charset=utf-8")], Body::from_stream(chunks)).into_response()
    };
    match body.as_str() {
        "STREAM" => {
            let mut chunks = vec![(0, head)];
            chunks.extend(
                delays[..4]
                    .iter()
                    .map(|pause| (*pause, format!("<p>A part that came after {pause} ms</p>"))),
            );
            chunks.push((delays[4], "<script>truth()</script></html>".to_owned()));
            streamed(chunks, false)
        }
        // The first answer leads to the second.
        "REFRESH" if !query.contains("there") => html(format!(
            "{head}<meta http-equiv=refresh content='1;url={path}?{query}&there'><h1>Wait</h1>"
        )),
        "REFRESH" => html(format!("{head}<h1>Orders</h1>")),
        "HANG" => streamed(vec![(0, head), (200, "<p>A part</p>".to_owned())], true),
        _ => html(format!("{head}{body}")),
    }
}
