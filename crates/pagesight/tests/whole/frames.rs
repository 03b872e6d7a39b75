//! Tests frames, closed shadow roots and listeners through the whole program: additions and
//! removals are seen, and frames that cannot be entered are counted.

use crate::support::{self, Client, Reply, Site, has, lacks, until};
use serde_json::json;

async fn act(client: &Client, action: serde_json::Value) -> String {
    client.ok("browser_interact", json!({ "actions": [action] })).await.text.trim_end().to_owned()
}

/// Returns the number of the first line with `words` after `place`.
fn after(look: &Reply, place: &str, words: &str) -> String {
    let start = look.text.find(place).unwrap_or_else(|| panic!("no {place:?} in\n{}", look.text));
    Reply {
        text: look.text[start..].to_owned(),
        changes: String::new(),
        is_error: false,
        image: None,
    }
    .number(words)
}

async fn evaluate(client: &Client, expression: &str) {
    client.ok("browser_evaluate", json!({ "expression": expression })).await;
}

both_engines!(fields_and_buttons_in_frames);
async fn fields_and_buttons_in_frames() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("frames.html") })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    for (frame, way) in
        [("iframe: Same site", "iframe#same"), ("iframe: Other site", "iframe[name=\"other\"]")]
    {
        let field = after(&look, frame, "textbox: Card holder");
        let filled =
            act(&client, json!({ "type": "fill", "element": field, "text": "Ada Lovelace" })).await;
        assert_eq!(filled, format!("filled [{field}] textbox: Card holder = \"Ada Lovelace\""));
        act(&client, json!({ "type": "press", "key": "Enter", "element": field })).await;
        let look = client.ok("inspect_tab", json!({})).await;
        let place = look.text.find(frame).unwrap();
        assert!(look.text[place..].contains("status: sent Ada Lovelace"), "{}", look.text);
        let button = after(&look, frame, "button: Check");
        let clicked = act(&client, json!({ "type": "click", "element": button })).await;
        assert_eq!(clicked, format!("clicked [{button}] button: Check"));
        let again = act(&client, json!({ "type": "click", "element": button })).await;
        let unchanged = format!("clicked [{button}] button: Check — no visible change within ");
        assert!(again.starts_with(&unchanged), "{again}");
        let expanded =
            client.ok("expand_dom_selector", json!({ "elementId": button })).await.json();
        assert_eq!(
            (expanded["frame"].as_str(), expanded["name"].as_str()),
            (Some(way), Some("Check"))
        );
        // The point in the middle of its box hits that button, in the frame too.
        let side = |at: usize| expanded["box"][at].as_f64().unwrap();
        let point = json!({ "x": side(0) + side(2) / 2.0, "y": side(1) + side(3) / 2.0 });
        let hit = client.ok("expand_dom_selector", point).await.json();
        assert_eq!(hit["elementId"], json!(button), "{hit}");
    }
    // A scope may name a frame, and a selector is also matched in frames.
    let scoped = client.ok("inspect_tab", json!({ "scope": "iframe[name=other]" })).await.text;
    assert!(scoped.contains("button: Check") && !scoped.contains("heading"), "{scoped}");
    let status = client.ok("inspect_tab", json!({ "scope": "#out" })).await.text;
    has(&status, "status: pressed");
    client.close().await;
}

both_engines!(what_comes_and_goes_without_a_trace_is_seen);
async fn what_comes_and_goes_without_a_trace_is_seen() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("frames.html") })).await;
    let look = || async { client.ok("inspect_tab", json!({})).await };
    let first = look().await;
    assert!(
        !first.text.contains("Attached late") && !first.text.contains("clickable"),
        "{}",
        first.text
    );
    // A closed root is attached to an existing element, with a slot for its children.
    evaluate(&client, "attach()").await;
    let second = look().await.text;
    // Firefox does not report closed roots that only slot their host's children.
    if !support::is_firefox() {
        assert!(
            second.contains("light\n[") && second.contains("button: Attached late"),
            "{second}"
        );
    }
    // A listener is added and removed again.
    evaluate(&client, "$('quiet').addEventListener('click', heard)").await;
    let third = look().await;
    let quiet = third.number("clickable: Quiet text");
    let expanded = client.ok("expand_dom_selector", json!({ "elementId": quiet })).await.json();
    assert_eq!(expanded["listeners"], json!(["click"]));
    evaluate(&client, "$('quiet').removeEventListener('click', heard)").await;
    let fourth = look().await.text;
    has(&fourth, "\nQuiet text\n");
    lacks(&fourth, "] clickable: Quiet text\n");
    // References in a removed frame are stale.
    let check = after(&first, "iframe: Same site", "button: Check");
    evaluate(&client, "$('same').remove()").await;
    let action = json!({ "actions": [{ "type": "click", "element": check }] });
    let stale = client.fails("browser_interact", action).await;
    has(&stale, &format!("stale reference [{check}]"));
    client.close().await;
}

both_engines!(a_frame_that_hangs_is_counted);
async fn a_frame_that_hangs_is_counted() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("frames.html") })).await;
    evaluate(&client, "hang()").await;
    let look = until("a frame is not entered", async || {
        let look = client.ok("inspect_tab", json!({})).await.text;
        look.contains("not entered").then_some(look)
    });
    let look = look.await;
    has(&look, "iframe: Hung — not entered\n");
    has(&look, "\n1 frame not entered");
    has(&look, "button: Check");
    client.close().await;
}

both_engines!(a_frame_that_was_touched_while_it_was_empty);
/// A new document may reuse the window of an empty first document. The state that the page script
/// kept for the first one is then invalid.
async fn a_frame_that_was_touched_while_it_was_empty() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let html = "<h1>Outer</h1><script>
        const frame = document.createElement('iframe');
        frame.title = 'Late'; frame.src = '/done.html';
        document.body.append(frame);
        frame.contentWindow.touched = frame.contentDocument.body;
    </script>";
    client.ok("browser_navigate", json!({ "url": site.page(html) })).await;
    let look = client.ok("inspect_tab", json!({})).await.text;
    assert!(look.contains("iframe: Late\n") && look.contains("Thank you"), "{look}");
    client.close().await;
}
