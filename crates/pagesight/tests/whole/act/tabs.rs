//! Tests tabs, dialogs, and pages that hang or crash.

use serde_json::json;

use super::{click, open};
use crate::support::{self, Client, Site, has, until};

both_engines!(a_page_that_hangs_can_be_left);
async fn a_page_that_hangs_can_be_left() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    open(&client, &site, "dashboard.html").await;
    let late = client
        .ok("browser_navigate", json!({ "url": site.url("never"), "timeout_ms": 800 }))
        .await
        .text;
    has(&late, "timed out: 1 request pending: GET /never");
    let old = client.ok("inspect_tab", json!({})).await.text;
    assert!(
        old.contains("heading 1: Dashboard"),
        "the page that was there can still be looked at: {old}"
    );

    client
        .ok("browser_navigate", json!({ "url": site.url("hang.html"), "timeout_ms": 2000 }))
        .await;
    let hung = client.fails("inspect_tab", json!({})).await;
    has(&hung, "has not answered since ");
    let left = client.ok("browser_navigate", json!({ "url": site.url("done.html") })).await.text;
    // Firefox may report the status later than the new tab is ready.
    has(&left, "\"Thank you\"");
    has(&left, "\nready after ");
    client.close().await;
}

both_engines!(a_tab_in_the_background_can_be_pictured);
async fn a_tab_in_the_background_can_be_pictured() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    for name in ["one", "two", "three"] {
        let new = json!({ "action": "new", "name": name, "url": site.url("done.html") });
        client.ok("browser_tabs", new).await;
    }
    for name in ["one", "two", "three", "one"] {
        assert!(client.ok("take_screenshot", json!({ "tab": name })).await.image.is_some());
    }
    client.close().await;
}

both_engines!(a_tab_that_crashed_with_a_dialog_open_can_be_left);
async fn a_tab_that_crashed_with_a_dialog_open_can_be_left() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    let look = open(&client, &site, "dashboard.html").await;
    client.ok("browser_interact", click(&look.number("button: Delete"))).await;
    for pid in support::page_processes(client.pid) {
        support::kill(pid);
    }
    // Until then, the dialog is open.
    until("the crash is noticed", async || {
        client.fails("inspect_tab", json!({})).await.contains("crashed").then_some(())
    })
    .await;
    let back = client.ok("browser_navigate", json!({ "url": site.url("done.html") })).await.text;
    has(&back, "Thank you");
    client.close().await;
}

both_engines!(a_prompt_is_accepted_with_what_it_proposes);
/// Regression test: without `text`, a prompt was answered with an empty text.
async fn a_prompt_is_accepted_with_what_it_proposes() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = site.page(
        "<button onclick=\"out.textContent = 'got ' + prompt('Name?', 'Ada')\">Ask</button><p id=out>nothing",
    );
    client.ok("browser_navigate", json!({ "url": page })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    for (answer, got) in [
        (json!({ "type": "dialog", "accept": true }), "got Ada"),
        (json!({ "type": "dialog", "accept": true, "text": "Grace" }), "got Grace"),
        (json!({ "type": "dialog", "accept": true, "text": "" }), "got"),
        (json!({ "type": "dialog", "accept": false }), "got null"),
    ] {
        client.ok("browser_interact", click(&look.number("Ask"))).await;
        client.ok("browser_interact", json!({ "actions": [answer] })).await;
        let after = client.ok("inspect_tab", json!({})).await.text;
        assert!(after.lines().any(|line| line.trim_end().ends_with(got)), "{got}: {after}");
    }
    client.close().await;
}

both_engines!(two_tabs_are_closed_at_once);
/// Regression test: Firefox does not close its last tab, and each of two calls assumed that the
/// other tab stays.
async fn two_tabs_are_closed_at_once() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let done = json!({ "url": site.url("done.html") });
    client.ok("browser_navigate", done.clone()).await;
    client.ok("browser_tabs", json!({ "action": "name", "name": "first" })).await;
    client.ok("browser_tabs", json!({ "action": "new", "name": "second" })).await;
    let close = |tab: &str| client.call("browser_tabs", json!({ "action": "close", "tab": tab }));
    let (first, second) = tokio::join!(close("first"), close("second"));
    assert!(!first.is_error && !second.is_error, "{}{}", first.text, second.text);
    client.ok("browser_navigate", done).await;
    client.close().await;
}
