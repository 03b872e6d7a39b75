//! Tests `browser_interact`: the lines it answers, real input, and calls that are cancelled.

mod tabs;
mod targets;
mod wrong_input;

use crate::support::{self, Client, Site, has, lacks, until};
use serde_json::{Value, json};

async fn open(client: &Client, site: &Site, page: &str) -> support::Reply {
    client.ok("browser_navigate", json!({ "url": site.url(page) })).await;
    client.ok("inspect_tab", json!({})).await
}

fn click(element: &str) -> Value {
    json!({ "actions": [{ "type": "click", "element": element }] })
}

both_engines!(each_action_answers_with_a_verdict);
async fn each_action_answers_with_a_verdict() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let look = open(&client, &site, "dashboard.html").await;
    let act = async |words: &str| {
        let number = look.number(words);
        let line = client.ok("browser_interact", click(&number)).await.text;
        let line = line.strip_prefix(&format!("clicked [{number}] ")).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{words} was not clicked"))
    };
    assert_eq!(act("New Project").await, "button: New Project\n");
    let idle = act("Refresh").await;
    assert!(idle.starts_with("button: Refresh — no visible change within "), "{idle}");
    let before = client.ok("browser_tabs", json!({ "action": "list" })).await.text;
    let popup = act("Terms").await;
    assert!(popup.starts_with("link: Terms — opened tab t"), "{popup}");
    let tabs = client.ok("browser_tabs", json!({ "action": "list" })).await.text;
    assert!(tabs.starts_with(&before), "the active tab stays: {tabs}");

    let opened = act("Delete").await;
    assert_eq!(opened, "button: Delete — opened dialog (confirm): \"Delete it?\"\n");
    for (tool, arguments) in [
        ("inspect_tab", json!({})),
        ("get_page_info", json!({})),
        ("take_screenshot", json!({})),
        ("expand_dom_selector", json!({ "elementId": look.number("Delete") })),
        ("browser_navigate", json!({ "url": site.url("done.html") })),
        ("browser_interact", click(&look.number("Refresh"))),
    ] {
        let error = client.fails(tool, arguments).await;
        assert!(
            error
                .contains("dialog open (confirm): \"Delete it?\"; answer it with browser_interact"),
            "{tool}: {error}"
        );
    }
    let accept = json!({ "actions": [{ "type": "dialog", "accept": true }] });
    let accepted = client.ok("browser_interact", accept).await.text;
    assert_eq!(accepted, "accepted dialog (confirm): \"Delete it?\"\n");
    assert!(client.ok("inspect_tab", json!({})).await.text.contains("status: Deleted"));

    let done = act("Done").await;
    assert_eq!(done, "link: Done — navigated to /done.html \"Thank you\" (200)\n");
    client.close().await;
}

both_engines!(fields_are_filled_with_real_input);
async fn fields_are_filled_with_real_input() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let look = open(&client, &site, "forms.html").await;
    let fill = async |words: &str, text: &str| {
        let action =
            json!({ "actions": [{ "type": "fill", "element": look.number(words), "text": text }] });
        client.call("browser_interact", action).await
    };
    let name = look.number("textbox: Name");
    let filled = fill("textbox: Name", "Ada").await.text;
    assert_eq!(filled, format!("filled [{name}] textbox: Name = \"Ada\"\n"));
    let counts =
        client.ok("browser_evaluate", json!({ "expression": "window.counts" })).await.json();
    assert_eq!(
        (&counts["input"], &counts["input*"]),
        (&json!(1), &json!(null)),
        "one trusted event: {counts}"
    );
    let enter = json!({ "actions": [{ "type": "press", "key": "Enter", "element": name }] });
    let pressed = client.ok("browser_interact", enter).await.text;
    assert_eq!(pressed, format!("pressed Enter in [{name}] textbox: Name\n"));
    assert!(client.ok("inspect_tab", json!({})).await.text.contains("entered Ada"));
    assert!(
        fill("textbox: Name", "").await.text.contains("= \"\""),
        "an empty text empties the field"
    );
    assert!(fill("Short", "abcdef").await.text.contains("= \"abc\" — not what was given"));
    assert!(fill("Day", "2026-03-01").await.text.contains("= \"2026-03-01\""));
    assert!(fill("Notes", "two\nlines").await.text.contains("= \"two\\nlines\""));
    assert!(fill("Rich", "new text").await.text.contains("= \"new text\""));
    let secret = fill("Secret", "1234").await.text;
    assert!(secret.contains("= \"•••\"") && !secret.contains("1234"), "{secret}");
    let typed =
        json!({ "actions": [{ "type": "type", "element": look.number("Secret"), "text": "xy" }] });
    let typed = client.ok("browser_interact", typed).await.text;
    assert!(typed.contains("typed 2 characters in") && typed.contains("= \"•••\""), "{typed}");
    lacks(&typed, "xy");
    let fixed = fill("Fixed", "x").await;
    assert!(fixed.is_error && fixed.text.contains("is read-only"), "{}", fixed.text);
    let select = fill("Colour", "Red").await;
    assert!(select.is_error && select.text.contains("is not a field"), "{}", select.text);
    let slider = "<div role=slider tabindex=0 aria-label=Knob aria-valuenow=3>knob</div>";
    client.ok("browser_navigate", json!({ "url": site.page(slider) })).await;
    let fill = json!({ "actions": [{ "type": "fill", "target": "Knob", "text": "7" }] });
    has(&client.call("browser_interact", fill).await.text, "press ArrowRight or ArrowLeft on it");
    client.close().await;
}

both_engines!(a_verdict_never_claims_what_did_not_happen);
async fn a_verdict_never_claims_what_did_not_happen() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let look = open(&client, &site, "verdicts.html").await;
    let fails =
        async |words: &str| client.fails("browser_interact", click(&look.number(words))).await;
    let shy = fails("button: Shy").await;
    assert!(shy.contains("no click") || shy.contains("did not get the click"), "{shy}");
    let fleeting = fails("button: Fleeting").await;
    has(&fleeting, "got the press but no click");
    let blush = client.ok("browser_interact", click(&look.number("button: Blush"))).await.text;
    assert!(!blush.contains("no visible change"), "it turned red: {blush}");
    let still = client.ok("browser_interact", click(&look.number("button: Still"))).await.text;
    has(&still, "no visible change");

    for field in ["Thief", "Later"] {
        let fill = json!({ "actions": [{ "type": "fill", "element": look.number(field), "text": "hunter2" }] });
        let verdict = client.call("browser_interact", fill).await;
        assert!(
            verdict.is_error || verdict.text.contains("= \"hunter2\""),
            "no claim without the value: {}",
            verdict.text
        );
        let after = client.ok("inspect_tab", json!({})).await.text;
        assert!(
            !after.contains("hunter2") || field == "Later" && after.contains("Later = \"hunter2\""),
            "{field}: {after}"
        );
        assert!(
            !after.contains("Victim = \"hunter2\""),
            "what was typed never lands elsewhere: {after}"
        );
    }

    let stolen =
        json!({ "actions": [{ "type": "press", "key": "z", "element": look.number("Thief") }] });
    let stolen = client.fails("browser_interact", stolen).await;
    has(&stolen, "does not take or keep the focus");
    assert!(
        client.ok("inspect_tab", json!({})).await.text.contains("Victim = \"\""),
        "no key lands elsewhere"
    );
    let download = client.ok("browser_interact", click(&look.number("link: Download"))).await.text;
    has(&download, " — downloaded file.zip (16 B) to ");
    let refused = client.call("browser_interact", click(&look.number("link: Refused"))).await.text;
    let failed = if support::is_firefox() {
        "a navigation ended without a page ("
    } else {
        "the navigation failed (net::ERR_"
    };
    has(&refused, failed);
    assert!(!refused.contains("200"), "no status was ever answered: {refused}");
    client.close().await;
}

both_engines!(what_shrinks_under_the_mouse_is_waited_for);
/// Regression test: an icon whose hover picture is not loaded yet has no size for a moment, and the
/// press hit the element below it.
async fn what_shrinks_under_the_mouse_is_waited_for() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("verdicts.html") })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let reply = client.call("browser_interact", click(&look.number("button: Pale"))).await.text;
    assert!(reply.starts_with("clicked") && reply.contains("button: Pale"), "{reply}");
    let after = client.ok("inspect_tab", json!({})).await.text;
    assert!(after.lines().any(|line| line.trim() == "pale"), "{after}");
    client.close().await;
}

both_engines!(keys_that_scroll_or_move_the_focus_change_something);
async fn keys_that_scroll_or_move_the_focus_change_something() {
    let (site, client) = (Site::start().await, Client::shared(&["--viewport", "800x300"]).await);
    let look = open(&client, &site, "verdicts.html").await;
    let press = async |key: &str| {
        client
            .ok("browser_interact", json!({ "actions": [{ "type": "press", "key": key }] }))
            .await
            .text
    };
    assert_eq!(press("PageDown").await, "pressed PageDown\n", "the page scrolled");
    let at = client
        .ok("expand_dom_selector", json!({ "elementId": look.number("button: Blush") }))
        .await
        .json();
    assert!(at["box"][1].as_f64().is_some_and(|top| top < 0.0), "it is scrolled away: {at}");
    assert_eq!(press("Tab").await, "pressed Tab\n", "the focus moved");
    client.close().await;
}

/// Until the first click has happened, a tab of the same site is asked for its trace.
#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_batch_ends_between_two_actions() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let html = "<button onclick='localStorage.first = 1; this.textContent += \" done\"'>First</button><button onclick='this.textContent += \" done\"'>Second</button>";
    let witness = json!({ "action": "new", "name": "witness", "url": site.url("done.html") });
    client.ok("browser_tabs", witness).await;
    client.ok("browser_tabs", json!({ "action": "new" })).await;
    let page = client.ok("browser_navigate", json!({ "url": site.page(html) })).await;
    let actions = json!([
        { "type": "click", "element": page.number("First") },
        { "type": "wait", "text": "never", "timeout_ms": 20_000 },
        { "type": "click", "element": page.number("Second") },
    ]);
    let first_click = until("the first click", async || {
        let trace = json!({ "expression": "localStorage.first", "tab": "witness" });
        (client.call("browser_evaluate", trace).await.text.trim() == "\"1\"").then_some(())
    });
    client.cancel_when("browser_interact", json!({ "actions": actions }), first_click).await;
    let look = client.ok("inspect_tab", json!({})).await.text;
    assert!(look.contains("First done") && !look.contains("Second done"), "{look}");
    client.close().await;
}
