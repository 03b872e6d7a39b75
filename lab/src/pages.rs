//! Serves folders of saved pages on 127.0.0.1 and lists their pages. Reads only files below these
//! folders.

use std::path::{Component, Path, PathBuf};

use axum::Router;
use axum::body::Body;
use axum::http::{StatusCode, Uri, header};
use axum::response::Response;

use crate::options::repository;

/// One state of a page or app that a command visits.
pub struct PageState {
    /// Its name in the tables.
    pub name: String,
    /// Where to go first; without it, stays on the page of the state before.
    pub url: Option<String>,
    /// The action there: `click SELECTOR` with the mouse, or a script of the page's own.
    pub step: Option<String>,
}

/// Returns the pages of a folder, or the one page of an address.
pub async fn page_states(place: &str) -> anyhow::Result<Vec<PageState>> {
    if place.starts_with("http://") || place.starts_with("https://") {
        return Ok(vec![PageState {
            name: place.to_owned(),
            url: Some(place.to_owned()),
            step: None,
        }]);
    }
    let folder = PathBuf::from(place);
    anyhow::ensure!(folder.is_dir(), "{place} is neither a folder nor an address");
    let mut names: Vec<String> = std::fs::read_dir(&folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".html"))
        .collect();
    names.sort();
    let site = serve(folder).await?;
    let page_state =
        |name: String| PageState { url: Some(format!("{site}/{name}")), name, step: None };
    Ok(names.into_iter().map(page_state).collect())
}

/// Serves a site on 127.0.0.1 until the lab ends; returns its address.
pub async fn listen(site: Router) -> anyhow::Result<String> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move { axum::serve(listener, site).await });
    Ok(address)
}

/// Serves a folder and returns the address.
pub async fn serve(folder: PathBuf) -> anyhow::Result<String> {
    let site = Router::new().fallback(move |uri: Uri| {
        let folder = folder.clone();
        async move { answer(&folder, uri.path()) }
    });
    listen(site).await
}

/// Serves the project's own fixtures and returns the address.
pub async fn fixtures() -> anyhow::Result<String> {
    serve(repository().join("tests/fixtures")).await
}

fn answer(folder: &Path, path: &str) -> Response {
    let path = path.trim_start_matches('/').replace("%20", " ").replace("%40", "@");
    let mut file = folder.join(if path.is_empty() { "index.html" } else { &path });
    let inside = Path::new(&path).components().all(|part| matches!(part, Component::Normal(_)));
    if file.is_dir() {
        file.push("index.html");
    }
    let read = if inside { std::fs::read(&file).ok() } else { None };
    let kind = match file.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript",
        "css" => "text/css",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "woff2" => "font/woff2",
        "png" => "image/png",
        _ => "application/octet-stream",
    };
    let (status, body) = match read {
        Some(bytes) => (StatusCode::OK, Body::from(bytes)),
        None => (StatusCode::NOT_FOUND, Body::empty()),
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    response
}
