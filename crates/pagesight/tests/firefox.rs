//! Whole path with Firefox: MCP client → program → Firefox → page, and back. What Chromium shows, Firefox shows in the same
//! words; what it cannot do yet it says. One browser for all of it, since Firefox starts slowly.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use pagesight_browser::{Engine, find};
use serde_json::json;
use support::{Client, Reply, Site};

/// Whether there is no Firefox on this machine; then the test cannot run, and `./test` is told.
fn no_firefox() -> bool {
    let told = std::env::var("PAGESIGHT_TEST_NO_FIREFOX").ok();
    let missing = told.or_else(|| find::find(Engine::Firefox).err().map(|error| error.to_string()));
    if let (Some(error), Ok(file)) = (&missing, std::env::var("PAGESIGHT_TEST_SKIPS")) {
        let mut skips = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        std::io::Write::write_all(&mut skips, format!("whole path with Firefox: {error}\n").as_bytes())
            .unwrap();
    }
    missing.is_some()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_sees_the_same_in_firefox() {
    if no_firefox() {
        return;
    }
    let site = Site::start().await;
    let (chromium, firefox) = (Client::start(&[]).await, Client::start(&["--browser", "firefox"]).await);
    for fixture in [
        "dashboard.html",
        "shop.html",
        "forms.html",
        "rows.html",
        "covered.html",
        "verdicts.html",
        "frames.html",
    ] {
        let mut seen = Vec::new();
        for client in [&chromium, &firefox] {
            let went = client.ok("browser_navigate", json!({ "url": site.url(fixture) })).await.text;
            assert!(went.contains("  200\nready after "), "{fixture}: {went}");
            seen.push(client.ok("inspect_tab", json!({})).await.text);
        }
        assert_eq!(seen[1], seen[0], "{fixture}: Firefox, then Chromium");
    }
    chromium.close().await;
    navigation(&firefox, &site).await;
    acting(&firefox, &site).await;
    firefox.close().await;
}

async fn navigation(client: &Client, site: &Site) {
    let missing = client.ok("browser_navigate", json!({ "url": site.url("status/404") })).await.text;
    assert!(missing.contains("404\nready"), "{missing}");
    let pending = json!({ "url": site.url("pending.html"), "timeout_ms": 1500 });
    let slow = client.ok("browser_navigate", pending).await.text;
    assert!(slow.contains("timed out: 1 request pending: GET /never"), "{slow}");
    assert!(client.ok("inspect_tab", json!({})).await.text.contains("heading 1: Half"));
    let refused = client.fails("browser_navigate", json!({ "url": "http://127.0.0.1:1/" })).await;
    assert!(refused.contains("could not be loaded"), "{refused}");
    let download =
        client.ok("browser_navigate", json!({ "url": site.url("file.zip"), "timeout_ms": 3000 })).await.text;
    assert!(download.contains("no new page"), "{download}");

    client.ok("browser_navigate", json!({ "url": site.url("dashboard.html") })).await;
    client.ok("browser_navigate", json!({ "url": site.url("done.html") })).await;
    for (action, words) in [("back", "Dashboard - MyApp"), ("forward", "Thank you"), ("reload", "Thank you")]
    {
        let went = client.ok("browser_navigate", json!({ "action": action })).await.text;
        assert!(went.contains(words) && went.contains("\nready after"), "{action}: {went}");
    }
    let nowhere = client.fails("browser_navigate", json!({ "action": "forward" })).await;
    assert!(nowhere.contains("nothing to go forward to"), "{nowhere}");
}

async fn acting(client: &Client, site: &Site) {
    client.ok("browser_navigate", json!({ "url": site.url("dashboard.html") })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let expanded =
        client.ok("expand_dom_selector", json!({ "elementId": look.number("button: New") })).await.json();
    assert_eq!(expanded["selectors"][0], "#new");
    let shot = client.ok("take_screenshot", json!({ "annotate": true })).await.image.expect("an image");
    assert!(shot.starts_with("iVBOR"), "a PNG");

    let click = |words: &str| json!({ "actions": [{ "type": "click", "element": look.number(words) }] });
    let asked = client.ok("browser_interact", click("button: Delete")).await.text;
    assert!(asked.contains("opened dialog (confirm)"), "{asked}");
    let answered = json!({ "actions": [{ "type": "dialog", "accept": false }] });
    client.ok("browser_interact", answered).await;
    let done = client.ok("browser_interact", click("link: Done")).await.text;
    assert!(done.contains("navigated to") && done.contains("\"Thank you\" (200)"), "{done}");

    // In frames, of the same site and of another: the first is above the fold, the second has to be scrolled to.
    client.ok("browser_navigate", json!({ "url": site.url("frames.html") })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    for frame in ["iframe: Same site", "iframe: Other site"] {
        let text = look.text[look.text.find(frame).expect("the frame")..].to_owned();
        let button = Reply { text, is_error: false, image: None }.number("button: Check");
        let clicked = json!({ "actions": [{ "type": "click", "element": button }] });
        let verdict = client.ok("browser_interact", clicked).await.text;
        assert_eq!(verdict.trim_end(), format!("clicked [{button}] button: Check"), "{frame}");
        let now = client.ok("inspect_tab", json!({})).await.text;
        assert!(now[now.find(frame).unwrap()..].contains("status: pressed"), "{now}");
    }

    // What is not there yet is one sentence that says what to do.
    client.ok("browser_navigate", json!({ "url": site.url("dashboard.html") })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let fill = json!({ "type": "fill", "element": look.number("textbox: Search"), "text": "x" });
    let failed = client.fails("browser_interact", json!({ "actions": [fill] })).await;
    assert!(failed.contains("is not supported in Firefox yet; use --browser chromium"), "{failed}");
}
