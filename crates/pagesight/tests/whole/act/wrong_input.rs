//! Tests that wrong input is answered with one sentence.

use serde_json::{Value, json};

use super::open;
use crate::support::{Client, Site};

fn one_sentence(what: &Value, error: &str, words: &str) {
    assert!(error.contains(words), "{what}: expected {words:?} in {error:?}");
    assert!(
        error.trim_end().lines().count() == 1 && error.len() < 500,
        "{what}: one sentence, not {error:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_action_is_one_sentence() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let look = open(&client, &site, "dashboard.html").await;
    let (field, button) = (&look.number("Search projects"), &look.number("New Project"));
    let long = "x".repeat(20_000);
    let huge = "x".repeat(1_000_001);
    let far = json!({ "x": 9999, "y": 1 });
    for (action, words) in [
        (json!({ "type": "dance" }), "unknown variant `dance`"),
        (json!({ "type": "click" }), "needs element, or x and y"),
        (json!({ "type": "click", "x": -5, "y": 2 }), "outside of the viewport"),
        (
            json!({ "type": "click", "fields": [{ "element": field, "text": "x" }] }),
            "takes no fields",
        ),
        (
            json!({ "type": "type", "element": field, "text": long }),
            "cannot be typed; give 1 to 10000",
        ),
        (json!({ "type": "type", "text": "" }), "cannot be typed"),
        (json!({ "type": "type" }), "action 1 (type) needs text"),
        (json!({ "type": "check" }), "action 1 (check) needs element, or x and y"),
        (
            json!({ "type": "check", "element": button }),
            "is not a checkbox, radio button or switch; click it",
        ),
        (json!({ "type": "select", "element": field }), "action 1 (select) needs values"),
        (json!({ "type": "select", "values": ["x"] }), "needs element"),
        (json!({ "type": "scroll" }), "needs element, dx or dy"),
        (json!({ "type": "scroll", "dy": "far" }), "see the tool's schema"),
        (json!({ "type": "drag", "from": button }), "needs from and to"),
        (json!({ "type": "drag", "from": { "x": 1 }, "to": button }), "see the tool's schema"),
        (json!({ "type": "drag", "from": button, "to": far }), "lies outside of the viewport"),
        (json!({ "type": "upload", "element": field }), "needs paths"),
        (
            json!({ "type": "upload", "element": field, "paths": ["/etc/passwd"] }),
            "start pagesight with --upload-root DIR",
        ),
        (
            json!({ "type": "fill", "element": field, "fields": [] }),
            "action 1 (fill) has fields, and element or text as well",
        ),
        (json!({ "type": "fill", "fields": [] }), "needs at least one field"),
        (json!({ "type": "fill", "fields": [{ "text": "x" }] }), "missing field `element`"),
        (json!({ "type": "click", "target": "a", "element": field }), "has element and target"),
        (json!({ "type": "click", "target": "a", "x": 1, "y": 1 }), "needs element, or x and y"),
        (json!({ "type": "click", "target": "" }), "a target must not be empty"),
        (json!({ "type": "click", "target": "css=" }), "css= needs a selector"),
        (json!({ "type": "click", "target": 12 }), "see the tool's schema"),
        (json!({ "type": "click", "element": field, "in": "a" }), "has in, but no target"),
        (json!({ "type": "click", "target": "a", "in": "" }), "a target must not be empty"),
        (json!({ "type": "wait", "ms": 1, "target": "a" }), "takes no target or in"),
        (json!({ "type": "drag", "from": field, "to": field, "target": "a" }), "in from and to"),
        (
            json!({ "type": "fill", "target": "a", "fields": [{ "element": field, "text": "x" }] }),
            "give them in each field",
        ),
        (json!({ "type": "click", "element": button, "times": 1 }), "times is 2 to 50, not 1"),
        (json!({ "type": "press", "key": "Tab", "times": 51 }), "times is 2 to 50, not 51"),
        (json!({ "type": "hover", "element": button, "times": 2 }), "takes no times"),
        (
            json!({ "type": "repeat", "actions": [{ "type": "press", "key": "Tab" }] }),
            "needs until",
        ),
        (json!({ "type": "repeat", "until": { "text": "a" } }), "at least one action in actions"),
        (
            json!({ "type": "repeat", "until": { "target": "a" }, "actions": [{ "type": "press", "key": "Tab" }] }),
            "needs one of text, gone, or target with value or state",
        ),
        (
            json!({ "type": "repeat", "until": { "target": "a", "state": "red" }, "actions": [{ "type": "press", "key": "Tab" }] }),
            "has an unknown state",
        ),
        (
            json!({ "type": "repeat", "until": { "text": "a" }, "max": 201, "actions": [{ "type": "press", "key": "Tab" }] }),
            "max is 1 to 200, not 201",
        ),
        (
            json!({ "type": "if", "then": [{ "type": "press", "key": "Tab" }] }),
            "exactly one of exists",
        ),
        (json!({ "type": "if", "text": "a" }), "at least one action in then or else"),
        (json!({ "type": "click", "element": button, "max": 3 }), "takes no actions, until or max"),
        (json!({ "type": "click", "element": button, "exists": "a" }), "takes no exists"),
        (json!({ "type": "click", "target": "a", "timeout_ms": 30_000 }), "25000 ms is the most"),
        (json!({ "type": "fill", "element": field, "text": huge }), "the limit is 1000000"),
        (json!({ "type": "press", "key": "Hyper+Q" }), "Hyper"),
        (json!({ "type": "press", "key": "Q".repeat(9_000) }), "unknown key"),
        (json!({ "type": "press" }), "action 1 (press) needs key; give one such as \"Enter\""),
        (json!({ "type": "wait", "ms": 60_000 }), "25000 ms is the most"),
        (json!({ "type": "dialog", "accept": true }), "no dialog is open"),
    ] {
        let error = client.fails("browser_interact", json!({ "actions": [action] })).await;
        one_sentence(&action, &error, words);
    }
    // Actions that others hold count, too, and may be two levels deep.
    let tab = json!({ "type": "press", "key": "Tab" });
    let hold = |actions: Value| json!({ "type": "repeat", "until": { "text": "Dashboard" }, "actions": actions });
    let choose = |actions: Value| json!({ "type": "if", "text": "Dashboard", "then": actions });
    for (wrong, words) in [
        (hold(json!(vec![tab.clone(); 100])), "101"),
        (hold(json!([choose(json!([hold(json!([tab]))]))])), "only 2 levels deep"),
        (
            json!({ "type": "click", "element": button, "timeout_ms": 1, "times": 2, "in": 4 }),
            "has in",
        ),
    ] {
        let error = client.fails("browser_interact", json!({ "actions": [wrong] })).await;
        one_sentence(&wrong, &error, words);
    }
    let deep = hold(json!([choose(json!([tab]))]));
    client.ok("browser_interact", json!({ "actions": [deep] })).await;
    // A batch is checked before its first action.
    let press = json!({ "type": "click", "element": button });
    for (wrong, words) in [
        (json!({ "type": "press", "key": "Hyper+Q" }), "Hyper"),
        (json!({ "type": "wait", "text": "x", "timeout_ms": 30_000 }), "25000 ms is the most"),
        (json!({ "type": "fill", "element": field, "text": 5 }), "see the tool's schema"),
    ] {
        let both = json!({ "actions": [press, wrong] });
        let error = client.fails("browser_interact", both).await;
        assert!(error.contains(words) && !error.contains("clicked"), "{words}: {error}");
    }
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_argument_is_one_sentence() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let look = open(&client, &site, "dashboard.html").await;
    let field = look.number("Search projects");
    let long_url = format!("http://127.0.0.1:1/{}", "x".repeat(9_000));
    for (tool, arguments, words) in [
        (
            "browser_navigate",
            json!({ "url": "nonsense" }),
            "it has no scheme; give a URL such as http://localhost:3000/",
        ),
        ("browser_navigate", json!({ "url": "javascript:alert(1)" }), "only http"),
        ("browser_navigate", json!({ "url": "file:///etc/passwd" }), "--allow-file"),
        ("browser_navigate", json!({}), "needs either url or action"),
        (
            "browser_navigate",
            json!({ "url": "http://no-such-host.invalid/" }),
            "could not be loaded",
        ),
        ("browser_navigate", json!({ "url": long_url }), "could not be loaded"),
        ("inspect_tab", json!({ "tab": "nope" }), "unknown tab \"nope\": the open tabs are t"),
        ("inspect_tab", json!({ "scope": "[98765]" }), "no element has the number 98765"),
        ("inspect_tab", json!({ "scope": "main[" }), "selector"),
        ("inspect_tab", json!({ "scope": "]".repeat(9_000) }), "selector"),
        ("inspect_tab", json!({ "scope": "#no-such-thing" }), "nothing visible matches"),
        ("inspect_tab", json!({ "max_tokens": 10 }), "give 200 or more"),
        ("inspect_tab", json!({ "colour": "red" }), "unknown field `colour`"),
        ("expand_dom_selector", json!({}), "needs elementId, or x and y"),
        ("expand_dom_selector", json!({ "elementId": "abc" }), "\"abc\" is not a reference"),
        ("expand_dom_selector", json!({ "elementId": "98765_3" }), "unknown reference 98765_3"),
        ("expand_dom_selector", json!({ "elementId": [] }), "takes 1 to 20 references"),
        (
            "expand_dom_selector",
            json!({ "elementId": (1..=21).collect::<Vec<_>>() }),
            "takes 1 to 20 references per call, not 21",
        ),
        (
            "expand_dom_selector",
            json!({ "elementId": field, "max_tokens": 100 }),
            "give 200 or more",
        ),
        ("expand_dom_selector", json!({ "x": 99999, "y": 5 }), "nothing is at 99999,5"),
        ("browser_interact", json!({ "actions": [] }), "takes 1 to 100 actions"),
        ("browser_tabs", json!({ "action": "name", "name": "a\nb" }), "not a valid name for a tab"),
        ("browser_tabs", json!({ "action": "resize", "width": 5, "height": 5 }), "cannot be set"),
        ("take_screenshot", json!({ "scope": "title" }), "nothing visible matches"),
    ] {
        let error = client.fails(tool, arguments.clone()).await;
        one_sentence(&json!([tool, arguments]), &error, words);
    }
    client.close().await;
}
