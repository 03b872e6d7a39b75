//! Tests pages that interfere with pagesight: endless changes, questions of the browser, a document
//! that replaces itself all the time. Every call returns a correct answer or a clear error.

use std::time::{Duration, Instant};

use crate::support::{Client, Site, has};
use serde_json::json;

both_engines!(endless_changes_do_not_stop_a_look);
async fn endless_changes_do_not_stop_a_look() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client
        .ok("browser_navigate", json!({ "url": site.url("restless.html"), "timeout_ms": 2000 }))
        .await;
    let item = |text: &str| -> Option<u32> {
        let (_, rest) = text.split_once("item ")?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let mut first = Vec::new();
    for _ in 0..5 {
        let look = client.ok("inspect_tab", json!({ "max_tokens": 2000 })).await.text;
        has(&look, "button: Still here");
        first.push(item(&look).unwrap_or_else(|| panic!("no item in {look}")));
    }
    assert!(first.is_sorted() && first.first() < first.last(), "no look is an old one: {first:?}");
    client.close().await;
}

both_engines!(a_document_that_leaves_during_a_look_is_reported);
async fn a_document_that_leaves_during_a_look_is_reported() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client
        .call("browser_navigate", json!({ "url": site.url("fleeting.html"), "timeout_ms": 500 }))
        .await;
    let mut seen = 0;
    let mut looks = 0;
    let beginning = Instant::now();
    while looks < 30 || (seen == 0 && beginning.elapsed() < Duration::from_secs(60)) {
        looks += 1;
        let reply = client.call("inspect_tab", json!({})).await;
        if reply.is_error {
            has(&reply.text, "navigated away");
        } else {
            // Between two documents the page may be empty.
            seen += u32::from(reply.text.contains("button: Never for long"));
        }
    }
    assert!(seen > 0, "it was never seen");
    client.close().await;
}

both_engines!(what_the_browser_asks_its_user_does_not_stop_the_next_click);
/// Regression test: the screen sharing picker received every later click. Chromium opens it in
/// headless mode too, where it cannot be closed.
async fn what_the_browser_asks_its_user_does_not_stop_the_next_click() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("prompts.html") })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let names = [
        "Share the screen",
        "Use the camera",
        "Notify",
        "Locate",
        "Open a file",
        "Print",
        "Attach",
        "Ink",
    ];
    for (before, name) in names.iter().enumerate() {
        let actions = json!([{ "type": "click", "element": look.number(name) }, { "type": "click", "element": look.number("Probe") }]);
        let acted = client.call("browser_interact", json!({ "actions": actions })).await.text;
        assert!(acted.contains("button: Probe") && !acted.contains("failed"), "{name}: {acted}");
        let after = client.ok("inspect_tab", json!({})).await.text;
        assert!(after.contains(&format!("{} probes", before + 1)), "{name}: {after}");
    }
    client.close().await;
}

both_engines!(a_document_that_empties_itself_is_an_empty_page);
/// Regression test: a document without elements was always treated as a damaged capture.
async fn a_document_that_empties_itself_is_an_empty_page() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("emptied.html") })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let actions = json!([{ "type": "click", "element": look.number("Empty it") }]);
    client.ok("browser_interact", json!({ "actions": actions })).await;
    let empty = client.ok("inspect_tab", json!({})).await.text;
    assert!(empty.contains("emptied.html") && empty.contains("nothing to show"), "{empty}");
    client.ok("browser_interact", json!({ "actions": [{ "type": "press", "key": "Tab" }] })).await;
    let gone = client.fails("browser_interact", json!({ "actions": actions })).await;
    has(&gone, "stale reference");
    client.close().await;
}
