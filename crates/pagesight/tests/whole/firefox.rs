//! Tests that Firefox shows the same text as Chromium. `./test` runs the other whole-path tests in
//! Firefox too.

use crate::support::{Client, Site, no_firefox};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_sees_the_same_in_firefox() {
    if no_firefox() {
        return;
    }
    let site = Site::start().await;
    let (chromium, firefox) =
        (Client::start(&[]).await, Client::start(&["--browser", "firefox"]).await);
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
            let went =
                client.ok("browser_navigate", json!({ "url": site.url(fixture) })).await.text;
            assert!(went.contains("  200\nready after "), "{fixture}: {went}");
            seen.push(client.ok("inspect_tab", json!({})).await.text);
        }
        assert_eq!(seen[1], seen[0], "{fixture}: Firefox, then Chromium");
    }
    chromium.close().await;
    firefox.close().await;
}
