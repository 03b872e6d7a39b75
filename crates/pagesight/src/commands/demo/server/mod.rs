//! Serves the demo page on this machine, so that `pagesight demo` needs no network and shows the
//! same page everywhere. Faults of the data are simulated here, faults of the page in
//! `site/app.js`.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::extract::Query;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// How long the data takes with `?fault=slow`.
const SLOW: Duration = Duration::from_millis(1500);

/// The faults that the page can show; `site/app.js` describes them.
pub(crate) const FAULTS: [&str; 6] =
    ["missing-save", "covered", "error", "empty", "hidden-search", "slow"];

/// The part of the page's script that is replaced to set a fault.
const NO_FAULT: &str = "?? \"\"";

/// The demo page on a port of this machine. Dropping it stops the server.
pub(crate) struct DemoSite {
    address: SocketAddr,
    /// Dropping it stops the server.
    _stop: oneshot::Sender<()>,
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
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(async move {
            let stopped = async {
                let _ = stopped.await;
            };
            if let Err(error) =
                axum::serve(listener, routes(script)).with_graceful_shutdown(stopped).await
            {
                tracing::warn!("the demo page is no longer served: {error}");
            }
        });
        Ok(DemoSite { address, _stop: stop })
    }

    /// Returns the URL of the page. A fault is added as `?fault=NAME`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

fn routes(script: String) -> Router {
    Router::new()
        .route("/", get(async || file("text/html", include_str!("../site/index.html"))))
        .route("/app.js", get(async move || file("text/javascript", script)))
        .route("/style.css", get(async || file("text/css", include_str!("../site/style.css"))))
        .route("/api/tasks", get(tasks))
        .route("/api/summary", get(summary))
}

fn file(kind: &str, text: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, format!("{kind}; charset=utf-8")),
        // Later, a different program may use the port.
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, text).into_response()
}

async fn tasks(Query(query): Query<HashMap<String, String>>) -> Response {
    let fault = fault(&query);
    wait(fault).await;
    let tasks = if fault == "empty" { Vec::new() } else { all_tasks() };
    Json(tasks).into_response()
}

async fn summary(Query(query): Query<HashMap<String, String>>) -> Response {
    let fault = fault(&query);
    wait(fault).await;
    if fault == "error" {
        let answer = Json(json!({ "error": "the report service is not there" }));
        return (StatusCode::INTERNAL_SERVER_ERROR, answer).into_response();
    }
    Json(json!({ "completed": 18, "on_time": "92 %", "days_to_finish": "2.4", "waiting": 3 }))
        .into_response()
}

fn fault(query: &HashMap<String, String>) -> &str {
    query.get("fault").map_or("", String::as_str)
}

async fn wait(fault: &str) {
    if fault == "slow" {
        tokio::time::sleep(SLOW).await;
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
