//! Tests that wrong input is answered with one sentence.

use serde_json::json;

use super::open;
use crate::support::{Client, Site};

#[tokio::test(flavor = "multi_thread")]
async fn wrong_input_is_one_sentence() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    open(&client, &site, "dashboard.html").await;
    let huge = "x".repeat(100 * 1024 * 1024);
    for (tool, arguments, words) in [
        (
            "browser_interact",
            json!({ "actions": [{ "type": "type", "element": 3, "text": "x".repeat(20_000) }] }),
            "cannot be typed; give 1 to 10000",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "type", "text": "" }] }),
            "cannot be typed",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "type" }] }),
            "action 1 (type) needs text",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "check" }] }),
            "action 1 (check) needs element, or x and y",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "check", "element": 5 }] }),
            "is not a checkbox, radio button or switch; click it",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "select", "element": 3 }] }),
            "action 1 (select) needs values",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "select", "values": ["x"] }] }),
            "needs element",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "scroll" }] }),
            "needs element, dx or dy",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "scroll", "dy": "far" }] }),
            "see the tool's schema",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "drag", "from": 5 }] }),
            "needs from and to",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "drag", "from": { "x": 1 }, "to": 5 }] }),
            "see the tool's schema",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "drag", "from": 5, "to": { "x": 9999, "y": 1 } }] }),
            "lies outside of the viewport",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "upload", "element": 3 }] }),
            "needs paths",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "upload", "element": 3, "paths": ["/etc/passwd"] }] }),
            "start pagesight with --upload-root DIR",
        ),
        ("browser_interact", json!({ "actions": [{ "type": "dance" }] }), "unknown variant"),
        (
            "browser_navigate",
            json!({ "url": "nonsense" }),
            "it has no scheme; did you mean http://nonsense?",
        ),
        ("browser_navigate", json!({ "url": "javascript:alert(1)" }), "only http"),
        ("browser_navigate", json!({ "url": "file:///etc/passwd" }), "--allow-file"),
        ("browser_navigate", json!({}), "needs either url or action"),
        (
            "browser_navigate",
            json!({ "url": "http://no-such-host.invalid/" }),
            "could not be loaded",
        ),
        ("inspect_tab", json!({ "tab": "nope" }), "unknown tab \"nope\": the open tabs are t1"),
        ("inspect_tab", json!({ "scope": "[99]" }), "unknown reference [99]"),
        ("inspect_tab", json!({ "scope": "main[" }), "selector"),
        ("inspect_tab", json!({ "scope": "#no-such-thing" }), "nothing visible matches"),
        ("inspect_tab", json!({ "max_tokens": 10 }), "give 200 or more"),
        ("inspect_tab", json!({ "colour": "red" }), "unknown field `colour`"),
        ("expand_dom_selector", json!({}), "needs elementId, or x and y"),
        ("expand_dom_selector", json!({ "elementId": "abc" }), "\"abc\" is not a reference"),
        ("expand_dom_selector", json!({ "elementId": "7_3" }), "unknown reference 7_3"),
        ("expand_dom_selector", json!({ "elementId": [] }), "takes 1 to 20 references"),
        (
            "expand_dom_selector",
            json!({ "elementId": (1..=21).collect::<Vec<_>>() }),
            "takes 1 to 20 references per call, not 21",
        ),
        ("expand_dom_selector", json!({ "elementId": 3, "max_tokens": 100 }), "give 200 or more"),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "fill", "element": 3, "fields": [] }] }),
            "action 1 (fill) has fields, and element or text as well",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "fill", "fields": [] }] }),
            "needs at least one field",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "click", "fields": [{ "element": 3, "text": "x" }] }] }),
            "takes no fields",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "fill", "fields": [{ "text": "x" }] }] }),
            "missing field `element`",
        ),
        ("expand_dom_selector", json!({ "x": 99999, "y": 5 }), "nothing is at 99999,5"),
        ("browser_interact", json!({ "actions": [] }), "takes 1 to 100 actions"),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "dance" }] }),
            "unknown variant `dance`",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "click" }] }),
            "needs element, or x and y",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "click", "x": -5, "y": 2 }] }),
            "outside of the viewport",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "press", "key": "Hyper+Q" }] }),
            "Hyper",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "press", "key": "Q".repeat(9_000) }] }),
            "unknown key",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "press" }] }),
            "action 1 (press) needs key; give one such as \"Enter\"",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "wait", "ms": 60_000 }] }),
            "25000 ms is the most",
        ),
        ("inspect_tab", json!({ "scope": "]".repeat(9_000) }), "selector"),
        (
            "browser_navigate",
            json!({ "url": format!("http://127.0.0.1:1/{}", "x".repeat(9_000)) }),
            "could not be loaded",
        ),
        ("browser_navigate", json!({ "url": "mailto:x@y.z" }), "only http"),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "dialog", "accept": true }] }),
            "no dialog is open",
        ),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "fill", "element": 3, "text": huge }] }),
            "the limit is 1000000",
        ),
        ("browser_tabs", json!({ "action": "name", "name": "a\nb" }), "not a valid name for a tab"),
        ("browser_tabs", json!({ "action": "resize", "width": 5, "height": 5 }), "cannot be set"),
        ("take_screenshot", json!({ "scope": "title" }), "nothing visible matches"),
    ] {
        let error = client.fails(tool, arguments).await;
        assert!(error.contains(words), "{tool}: expected {words:?} in {error:?}");
        assert!(
            error.trim_end().lines().count() == 1 && error.len() < 500,
            "{tool}: one sentence, not {error:?}"
        );
    }
    client.close().await;
}
