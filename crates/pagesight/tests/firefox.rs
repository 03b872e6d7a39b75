//! Whole path with Firefox: MCP client → program → Firefox → page, and back. What Chromium shows, Firefox shows in the same
//! words; what it cannot do yet it says. One browser for all of it, since Firefox starts slowly.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::json;
use support::{Client, Reply, Site, no_firefox};

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
    every_action(&site).await;
}

/// What each action leaves behind in the page, wherever it is done.
async fn every_action(site: &Site) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("photo.txt"), "smile").unwrap();
    let root = folder.path().to_str().unwrap();
    let client = Client::start(&["--browser", "firefox", "--allow-evaluate", "--upload-root", root]).await;
    client.ok("browser_navigate", json!({ "url": site.url("actions.html") })).await;
    let look = client.ok("inspect_tab", json!({ "fold": false, "max_tokens": 20000 })).await;
    let records = async |kinds: &[&str]| {
        let all =
            json!({ "expression": "new Promise(done => setTimeout(() => done(records.splice(0)), 50))" });
        let all: Vec<String> =
            serde_json::from_value(client.ok("browser_evaluate", all).await.json()).unwrap();
        let kind = |record: &String| record.split(' ').nth(1).unwrap().trim_end_matches('!').to_owned();
        all.into_iter().filter(|record| kinds.contains(&kind(record).as_str())).collect::<Vec<_>>()
    };
    for place in ["plain", "open", "closed", "same", "other"] {
        for (words, action, line, recorded) in [
            ("button: Press", json!({ "type": "click" }), "clicked", vec!["click press"]),
            ("checkbox: Agree", json!({ "type": "check" }), "checked", vec!["input agree", "change agree"]),
            ("switch: Dark", json!({ "type": "check" }), "checked", vec!["click dark"]),
            ("textbox: Name", json!({ "type": "fill", "text": "é👩‍👩‍👧" }), "= \"é👩‍👩‍👧\"", vec!["input name"]),
            ("textbox: Name", json!({ "type": "fill", "text": "" }), "= \"\"", vec!["input name"]),
            (
                "textbox: Name",
                json!({ "type": "type", "text": "aB" }),
                "= \"aB\"",
                vec!["input name", "input name"],
            ),
            ("slider: Volume", json!({ "type": "fill", "text": "8" }), "= \"8\"", vec!["input volume"]),
            (
                "combobox: Colour",
                json!({ "type": "select", "values": ["Blue"] }),
                "= \"Blue\"",
                vec!["input colour"],
            ),
            (
                "listbox: Toppings",
                json!({ "type": "select", "values": ["Ham", "Onion"] }),
                "Ham, Onion",
                vec!["input toppings"],
            ),
            (
                "combobox: City",
                json!({ "type": "select", "values": ["Oslo"] }),
                "\"Oslo\"",
                vec!["click city", "click Oslo"],
            ),
            (
                "region: Box",
                json!({ "type": "scroll", "dy": 200 }),
                "down 200 px — 340 px left",
                vec!["wheel box"],
            ),
            (
                "button: Photo",
                json!({ "type": "upload", "paths": ["photo.txt"] }),
                "uploaded",
                vec!["input photo"],
            ),
        ] {
            records(&[]).await;
            let mut action = action;
            action["element"] = json!(look.number(&format!("{words} {place}")));
            let reply = client.call("browser_interact", json!({ "actions": [action] })).await;
            assert!(!reply.is_error && reply.text.contains(line), "{place} {words}: {}", reply.text);
            let mut kinds: Vec<&str> =
                recorded.iter().map(|record| record.split(' ').next().unwrap()).collect();
            kinds.dedup();
            let expected: Vec<String> = recorded.iter().map(|record| format!("{place} {record}")).collect();
            let left = |record: &String| record.ends_with("change name");
            let heard: Vec<String> =
                records(&kinds).await.into_iter().filter(|record| !left(record)).collect();
            assert_eq!(heard, expected, "{place} {words}");
        }
    }
    client.close().await;
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
    assert!(download.contains("no new page") && download.contains("\ndownloaded file.zip"), "{download}");

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
        let button =
            Reply { text, changes: String::new(), is_error: false, image: None }.number("button: Check");
        let clicked = json!({ "actions": [{ "type": "click", "element": button }] });
        let verdict = client.ok("browser_interact", clicked).await.text;
        assert_eq!(verdict.trim_end(), format!("clicked [{button}] button: Check"), "{frame}");
        let now = client.ok("inspect_tab", json!({})).await.text;
        assert!(now[now.find(frame).unwrap()..].contains("status: pressed"), "{now}");
    }

    // A page that asks for a name and password, a download, and questions that are answered with no.
    client.ok("browser_navigate", json!({ "url": site.url("outcomes.html") })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let click = |words: &str| json!({ "actions": [{ "type": "click", "element": look.number(words) }] });
    let kept = client.ok("browser_interact", click("link: Report")).await.text;
    // The second of that name; Firefox counts in its own way.
    assert!(kept.contains(" — downloaded file(1).zip (16 B) to "), "{kept}");
    client.ok("browser_interact", click("button: Where am I")).await;
    assert!(client.ok("inspect_tab", json!({})).await.text.contains("no place 1"));
    let members = client.ok("browser_interact", click("link: Members")).await.text;
    assert!(members.contains("navigated to /login (401)"), "{members}");
}
