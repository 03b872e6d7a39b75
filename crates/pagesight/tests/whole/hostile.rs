//! Tests pages that interfere with pagesight: tampered prototypes, endless changes, a document that
//! replaces itself all the time. Every call returns a correct answer or a clear error.

use std::time::{Duration, Instant};

use crate::support::{Client, Site};
use serde_json::json;

both_engines!(tampering_changes_nothing);
async fn tampering_changes_nothing() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("hostile.html") })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let expected = format!(
        "Hostile  {}\nheading 1: Hostile\n[1] button: Honest button\n[2] textbox: Field = \"\"\n",
        site.url("hostile.html")
    );
    assert_eq!(look.text, expected);
    let actions = json!([{ "type": "click", "element": "1" }, { "type": "fill", "element": "2", "text": "x" }]);
    let acted = client.ok("browser_interact", json!({ "actions": actions })).await.text;
    assert!(acted.starts_with("clicked [1] button: Honest button"), "{acted}");
    assert!(acted.contains("filled [2] textbox: Field = \"x\""), "{acted}");
    let again = client.ok("inspect_tab", json!({})).await.text;
    // A title that begins like the line of an action is quoted.
    assert!(again.starts_with("\"pressed\"  "), "{again}");
    client.close().await;
}

both_engines!(changes_without_end_are_told);
async fn changes_without_end_are_told() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client
        .ok("browser_navigate", json!({ "url": site.url("restless.html"), "timeout_ms": 2000 }))
        .await;
    let mut reported = false;
    // A single look may happen between two changes.
    for _ in 0..30 {
        let begun = Instant::now();
        let look = client.ok("inspect_tab", json!({})).await.text;
        assert!(look.contains("button: Still here"), "{look}");
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
        reported |= look.contains("still changing while");
        if reported {
            break;
        }
    }
    assert!(reported, "that it changes was never reported");
    client.close().await;
}

both_engines!(a_document_that_goes_while_it_is_looked_at);
async fn a_document_that_goes_while_it_is_looked_at() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client
        .call("browser_navigate", json!({ "url": site.url("fleeting.html"), "timeout_ms": 500 }))
        .await;
    let mut seen = 0;
    let mut looks = 0;
    let beginning = Instant::now();
    while looks < 30 || (seen == 0 && beginning.elapsed() < Duration::from_secs(60)) {
        looks += 1;
        let begun = Instant::now();
        let reply = client.call("inspect_tab", json!({})).await;
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        if reply.is_error {
            assert!(reply.text.contains("navigated away"), "{}", reply.text);
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
    assert!(gone.contains("stale reference"), "{gone}");
    client.close().await;
}

both_engines!(a_password_that_the_page_shows_is_masked);
/// A field that was a password field is masked as long as its document exists: also if the page
/// shows its value while it loads, has no origin of its own, or comes back from the back/forward
/// cache.
async fn a_password_that_the_page_shows_is_masked() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let html = "<h1>Sign in</h1><input type=password aria-label=Word value=swordfish1><script>document.querySelector('input').type = 'text'</script>";
    let hidden = |text: String| {
        assert!(text.contains("Word") && !text.contains("swordfish"), "{text}");
    };
    for url in [site.sandboxed(html), site.page(html)] {
        hidden(client.ok("browser_navigate", json!({ "url": url })).await.text);
    }
    client.ok("browser_navigate", json!({ "url": site.url("done.html") })).await;
    hidden(client.ok("browser_navigate", json!({ "action": "back" })).await.text);
    hidden(client.ok("inspect_tab", json!({})).await.text);
    client.close().await;
}
