//! Checks that the demo page is served, with and without its faults.

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
        ("/plans", "text/html", "$29.00"),
        ("/plans?fault=price", "text/html", "$2900"),
        ("/app.js", "text/javascript", "/api/tasks"),
        ("/style.css", "text/css", "prefers-color-scheme"),
    ] {
        let (head, body) = get(&site, path).await;
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        assert!(head.contains(&format!("content-type: {kind}; charset=utf-8")), "{path}: {head}");
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
fn every_fault_of_the_prices_changes_the_page() {
    for (fault, ..) in PLAN_FAULTS {
        assert_ne!(plans(fault), plans(""), "{fault}");
    }
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    for text in [
        include_str!("../site/index.html"),
        include_str!("../site/plans.html"),
        include_str!("../site/app.js"),
        include_str!("../site/style.css"),
    ] {
        // A namespace is a name, not a URL that is fetched.
        let text = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("url(//"));
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
