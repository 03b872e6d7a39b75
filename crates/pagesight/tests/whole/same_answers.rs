//! Tests that an agent reads the same in Firefox as in Chromium: outlines, snapshots and the hashes
//! of fingerprints. What is made of them does not depend on the engine, so most other tests run in
//! Chromium only.

use crate::support::{Client, Site, has, in_firefox};
use serde_json::{Value, json};

const FIXTURES: [&str; 9] = [
    "dashboard.html",
    "shop.html",
    "forms.html",
    "rows.html",
    "covered.html",
    "verdicts.html",
    "frames.html",
    "snapshot.html",
    "regressions.html",
];

/// Returns the outline, the snapshot and the hash of the fingerprint of a page.
async fn seen(client: &Client, url: &str) -> [String; 3] {
    let went = client.ok("browser_navigate", json!({ "url": url })).await.text;
    has(&went, "  200\nready after ");
    let outline = client.ok("inspect_tab", json!({})).await.text;
    let snapshot = client.ok("take_snapshot", json!({})).await.text;
    let fingerprint: Value = client.ok("get_dom_fingerprint", json!({})).await.json();
    [outline, snapshot, fingerprint["hash"].to_string()]
}

#[tokio::test(flavor = "multi_thread")]
async fn firefox_shows_what_chromium_shows() {
    let site = Site::start().await;
    let chromium = Client::start(&[]).await;
    in_firefox(async {
        let firefox = Client::start(&[]).await;
        for fixture in FIXTURES {
            let url = site.url(fixture);
            let (expected, found) = (seen(&chromium, &url).await, seen(&firefox, &url).await);
            assert_eq!(found, expected, "{fixture}: Firefox, then Chromium");
        }
        firefox.close().await;
    })
    .await;
    chromium.close().await;
}
