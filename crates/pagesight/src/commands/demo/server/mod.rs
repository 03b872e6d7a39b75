//! Serves the demo page to whoever is on this machine, so that `pagesight demo` needs no network
//! and shows the same page everywhere. The faults that concern the data are made here; those of the
//! page are made in `site/app.js`.

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

/// What the page can be asked to show; `site/app.js` says what each is.
pub(crate) const FAULTS: [&str; 6] =
    ["missing-save", "covered", "error", "empty", "hidden-search", "slow"];

/// What the page's script says where no fault is asked for.
const NO_FAULT: &str = "?? \"\"";

/// The demo page on a port of this machine. It ends when this is dropped.
pub(crate) struct DemoSite {
    address: SocketAddr,
    /// Never sent on: dropping it is what ends the server.
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

    /// The address of the page. A fault is added as `?fault=NAME`.
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
        // The port may be another program's tomorrow.
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

/// The same tasks every time, so that fingerprints and screenshots of the page can be compared
/// across machines.
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
mod tests {
    use super::*;
    use std::time::Instant;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    async fn get(site: &DemoSite, path: &str) -> (String, String) {
        let mut stream = TcpStream::connect(site.address).await.unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", site.address);
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_lowercase(), body.to_owned())
    }

    #[tokio::test]
    async fn the_page_comes_whole_and_as_what_it_is() {
        let site = DemoSite::start().await.unwrap();
        assert_eq!(site.url(), format!("http://127.0.0.1:{}/", site.address.port()));
        for (path, kind, part) in [
            ("/?fault=covered", "text/html", "<title>Board - Tidy</title>"),
            ("/app.js", "text/javascript", "/api/tasks"),
            ("/style.css", "text/css", "prefers-color-scheme"),
        ] {
            let (head, body) = get(&site, path).await;
            assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
            assert!(
                head.contains(&format!("content-type: {kind}; charset=utf-8")),
                "{path}: {head}"
            );
            assert!(body.contains(part), "{path}");
        }
        assert!(get(&site, "/nothing").await.0.starts_with("http/1.1 404"));
    }

    #[tokio::test]
    async fn a_fault_can_be_there_on_every_visit() {
        let site = DemoSite::start_with(0, Some("missing-save")).await.unwrap();
        let (_, script) = get(&site, "/app.js").await;
        assert!(script.contains("?? \"missing-save\";") && !script.contains(NO_FAULT));
        for fault in FAULTS {
            assert!(script.contains(&format!("?fault={fault} ")), "{fault} is explained");
        }
    }

    #[test]
    fn the_page_loads_nothing_from_elsewhere() {
        for text in [
            include_str!("../site/index.html"),
            include_str!("../site/app.js"),
            include_str!("../site/style.css"),
        ] {
            // A namespace is a name, not an address that is fetched.
            let text = text.replace("http://www.w3.org/2000/svg", "");
            assert!(
                !text.contains("http:") && !text.contains("https:") && !text.contains("url(//")
            );
        }
    }

    #[tokio::test]
    async fn the_tasks_are_all_there_unless_they_are_asked_to_be_gone() {
        let site = DemoSite::start().await.unwrap();
        let (_, body) = get(&site, "/api/tasks").await;
        let tasks: Vec<Value> = serde_json::from_str(&body).unwrap();
        assert_eq!(tasks.len(), 24);
        assert_eq!(tasks[0]["title"], "Write the release notes");
        assert_eq!(get(&site, "/api/tasks?fault=empty").await.1, "[]");
    }

    #[tokio::test]
    async fn the_summary_fails_only_when_asked_to() {
        let site = DemoSite::start().await.unwrap();
        assert!(get(&site, "/api/summary").await.0.starts_with("http/1.1 200"));
        assert!(get(&site, "/api/summary?fault=slow-ish").await.0.starts_with("http/1.1 200"));
        assert!(get(&site, "/api/summary?fault=error").await.0.starts_with("http/1.1 500"));
    }

    #[tokio::test]
    async fn slow_is_slow() {
        let site = DemoSite::start().await.unwrap();
        let started = Instant::now();
        get(&site, "/api/tasks?fault=slow").await;
        assert!(started.elapsed() >= SLOW);
    }

    #[tokio::test]
    async fn it_ends_when_dropped() {
        let site = DemoSite::start().await.unwrap();
        let address = site.address;
        // A connection that is left open must not keep the server alive.
        let mut idle = TcpStream::connect(address).await.unwrap();
        idle.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        idle.readable().await.unwrap();
        drop(site);
        let mut rest = Vec::new();
        tokio::time::timeout(Duration::from_secs(5), idle.read_to_end(&mut rest))
            .await
            .unwrap()
            .unwrap();
        tokio::time::timeout(Duration::from_secs(5), async {
            while TcpStream::connect(address).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await
        .unwrap();
    }
}
