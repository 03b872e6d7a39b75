//! Serves the demo page on this machine, so that `pagesight demo` needs no network and shows the
//! same page everywhere. Faults of the data are simulated here, faults of the page in
//! `site/app.js`.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// How long the data takes with `?fault=slow`.
const SLOW: Duration = Duration::from_millis(1500);

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

/// The faults that the page can show; `site/app.js` describes them.
pub(crate) const FAULTS: [&str; 6] =
    ["missing-save", "covered", "error", "empty", "hidden-search", "slow"];

/// The faults of the page with prices, each with a text of the page and what it becomes.
const PLAN_FAULTS: [(&str, &str, &str); 2] = [
    ("price", "$29.00", "$2900"),
    (
        "restyled",
        "</style>",
        ".plans button { background: #d32f2f; } \
         .plans article:nth-child(3) button { margin-top: 60px; }</style>",
    ),
];

/// The part of the page's script that is replaced to set a fault.
const NO_FAULT: &str = "?? \"\"";

/// The demo page on a port of this machine. Dropping it stops the server.
pub(crate) struct DemoSite {
    address: SocketAddr,
    _server: JoinSet<()>,
}

impl DemoSite {
    /// Starts serving on a free port of the loopback interface.
    pub(crate) async fn start() -> std::io::Result<DemoSite> {
        DemoSite::start_with(0, None).await
    }

    /// Starts serving on this port (0 is any), with this fault on every visit.
    pub(crate) async fn start_with(port: u16, fault: Option<&str>) -> std::io::Result<DemoSite> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let script = include_str!("../site/app.js");
        let script = fault.map_or(script.to_owned(), |fault| {
            script.replacen(NO_FAULT, &format!("?? {fault:?}"), 1)
        });
        let address = listener.local_addr()?;
        let mut server = JoinSet::new();
        server.spawn(serve(listener, script.into()));
        Ok(DemoSite { address, _server: server })
    }

    /// Returns the URL of the page. A fault is added as `?fault=NAME`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

async fn serve(listener: TcpListener, script: Bytes) {
    // The connections end with the server.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let script = script.clone();
        let service = service_fn(move |request| answer(request, script.clone()));
        connections.spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        while connections.try_join_next().is_some() {}
    }
}

async fn answer(
    request: Request<Incoming>,
    script: Bytes,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (path, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
    let fault = query.split('&').find_map(|pair| pair.strip_prefix("fault=")).unwrap_or_default();
    if fault == "slow" && path.starts_with("/api/") {
        tokio::time::sleep(SLOW).await;
    }
    let (status, kind, body) = match path {
        "/" => (StatusCode::OK, HTML, Bytes::from_static(include_bytes!("../site/index.html"))),
        "/plans" => (StatusCode::OK, HTML, plans(fault).into()),
        "/app.js" => (StatusCode::OK, "text/javascript; charset=utf-8", script),
        "/style.css" => {
            let style = Bytes::from_static(include_bytes!("../site/style.css"));
            (StatusCode::OK, "text/css; charset=utf-8", style)
        }
        "/api/tasks" if fault == "empty" => (StatusCode::OK, JSON, "[]".into()),
        "/api/tasks" => (StatusCode::OK, JSON, json!(all_tasks()).to_string().into()),
        "/api/summary" if fault == "error" => {
            let error = json!({ "error": "the report service is not there" });
            (StatusCode::INTERNAL_SERVER_ERROR, JSON, error.to_string().into())
        }
        "/api/summary" => {
            let summary = json!({ "completed": 18, "on_time": "92 %", "days_to_finish": "2.4", "waiting": 3 });
            (StatusCode::OK, JSON, summary.to_string().into())
        }
        _ => (StatusCode::NOT_FOUND, HTML, Bytes::new()),
    };
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    // Later, a different program may use the port.
    headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Returns the page with prices.
fn plans(fault: &str) -> String {
    let page = include_str!("../site/plans.html");
    match PLAN_FAULTS.iter().find(|(name, ..)| *name == fault) {
        Some((_, part, becomes)) => page.replacen(part, becomes, 1),
        None => page.to_owned(),
    }
}

/// Returns the same tasks every time, so that fingerprints and screenshots of the page can be
/// compared across machines.
fn all_tasks() -> Vec<Value> {
    TASKS
        .iter()
        .map(|&(title, assignee, status, due, priority)| {
            json!({ "title": title, "assignee": assignee, "status": status, "due": due, "priority": priority })
        })
        .collect()
}

const ADA: &str = "Ada Park";
const BEN: &str = "Ben Osei";
const CHLOE: &str = "Chloé Martin";
const DMITRI: &str = "Dmitri Volkov";

/// Title, assignee, status, due day, priority.
#[rustfmt::skip]
const TASKS: [(&str, &str, &str, &str, &str); 24] = [
    ("Write the release notes",            ADA,    "In progress", "2027-03-02", "High"),
    ("Fix the login redirect",             BEN,    "In progress", "2027-03-02", "High"),
    ("Design the empty states",            CHLOE,  "To do",       "2027-03-03", "Normal"),
    ("Update the payment form",            DMITRI, "Blocked",     "2027-03-04", "High"),
    ("Review the onboarding mails",        ADA,    "To do",       "2027-03-04", "Normal"),
    ("Measure start-up time",              BEN,    "Done",        "2027-03-05", "Low"),
    ("Translate the help pages",           CHLOE,  "In progress", "2027-03-08", "Normal"),
    ("Renew the certificates",             DMITRI, "To do",       "2027-03-08", "High"),
    ("Clean up old feature flags",         ADA,    "To do",       "2027-03-09", "Low"),
    ("Try the new date picker",            BEN,    "To do",       "2027-03-10", "Normal"),
    ("Draw the spring banner",             CHLOE,  "Done",        "2027-03-10", "Normal"),
    ("Restore a backup as a drill",        DMITRI, "To do",       "2027-03-11", "High"),
    ("Answer the accessibility report",    ADA,    "In progress", "2027-03-12", "Normal"),
    ("Shorten the sign-up form",           BEN,    "Blocked",     "2027-03-15", "Normal"),
    ("Photograph the new office",          CHLOE,  "To do",       "2027-03-16", "Low"),
    ("Move the logs to cold storage",      DMITRI, "Done",        "2027-03-17", "Low"),
    ("Plan the customer interviews",       ADA,    "To do",       "2027-03-18", "Normal"),
    ("Speed up the search index",          BEN,    "In progress", "2027-03-19", "Normal"),
    ("Refresh the colour palette",         CHLOE,  "To do",       "2027-03-22", "Low"),
    ("Document the export format",         DMITRI, "To do",       "2027-03-23", "Normal"),
    ("Prepare the quarterly numbers",      ADA,    "Blocked",     "2027-03-24", "High"),
    ("Remove the old settings page",       BEN,    "Done",        "2027-03-25", "Low"),
    ("Record the product tour",            CHLOE,  "To do",       "2027-03-29", "Normal"),
    ("Test the site on a slow network",    DMITRI, "To do",       "2027-03-30", "Normal"),
];

#[cfg(test)]
mod tests;
