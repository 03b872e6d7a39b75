//! Tests `browser_interact`: the lines it answers, how long references are valid, and real input.

mod tabs;
mod wrong_input;

use crate::support::{self, Client, Site};
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
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    let look = open(&client, &site, "dashboard.html").await;
    let act = async |element: &str| client.ok("browser_interact", click(element)).await.text;
    assert_eq!(act(&look.number("New Project")).await, "clicked [5] button: New Project\n");
    let idle = act(&look.number("Refresh")).await;
    assert!(idle.starts_with("clicked [6] button: Refresh — no visible change within "), "{idle}");
    let popup = act(&look.number("Terms")).await;
    assert!(
        popup.starts_with("clicked [9] link: Terms — opened tab t2 http://127.0.0.1"),
        "{popup}"
    );
    let tabs = client.ok("browser_tabs", json!({ "action": "list" })).await.text;
    assert!(
        tabs.lines().any(|line| line.starts_with("t1 ") && line.ends_with("— active")),
        "the active tab stays: {tabs}"
    );

    let opened = act(&look.number("Delete")).await;
    assert_eq!(opened, "clicked [7] button: Delete — opened dialog (confirm): \"Delete it?\"\n");
    for (tool, arguments) in [
        ("inspect_tab", json!({})),
        ("get_page_info", json!({})),
        ("take_screenshot", json!({})),
        ("expand_dom_selector", json!({ "elementId": 7 })),
        ("browser_navigate", json!({ "url": site.url("done.html") })),
        ("browser_interact", click("6")),
    ] {
        let begun = std::time::Instant::now();
        let error = client.fails(tool, arguments).await;
        assert!(
            error
                .contains("dialog open (confirm): \"Delete it?\"; answer it with browser_interact"),
            "{tool}: {error}"
        );
        assert!(begun.elapsed().as_secs() < 5, "{tool} answers at once");
    }
    let accept = json!({ "actions": [{ "type": "dialog", "accept": true }] });
    let accepted = client.ok("browser_interact", accept).await.text;
    assert_eq!(accepted, "accepted dialog (confirm): \"Delete it?\"\n");
    assert!(client.ok("inspect_tab", json!({})).await.text.contains("status: Deleted"));

    let done = act(&look.number("Done")).await;
    assert_eq!(done, "clicked [10] link: Done — navigated to /done.html \"Thank you\" (200)\n");
    client.close().await;
}

both_engines!(fields_are_filled_with_real_input);
async fn fields_are_filled_with_real_input() {
    let (site, client) = (Site::start().await, Client::start(&["--allow-evaluate"]).await);
    let look = open(&client, &site, "forms.html").await;
    let fill = async |words: &str, text: &str| {
        let action =
            json!({ "actions": [{ "type": "fill", "element": look.number(words), "text": text }] });
        client.call("browser_interact", action).await
    };
    assert!(
        fill("textbox: Name", "Ada").await.text.starts_with("filled [1] textbox: Name = \"Ada\"\n")
    );
    let counts =
        client.ok("browser_evaluate", json!({ "expression": "window.counts" })).await.json();
    assert_eq!(
        (&counts["input"], &counts["input*"]),
        (&json!(1), &json!(null)),
        "one trusted event: {counts}"
    );
    let enter = json!({ "actions": [{ "type": "press", "key": "Enter", "element": look.number("textbox: Name") }] });
    assert_eq!(
        client.ok("browser_interact", enter).await.text,
        "pressed Enter in [1] textbox: Name\n"
    );
    assert!(client.ok("inspect_tab", json!({})).await.text.contains("entered Ada"));
    assert!(
        fill("textbox: Name", "").await.text.contains("= \"\""),
        "an empty text empties the field"
    );
    assert!(fill("Short", "abcdef").await.text.contains("= \"abc\" — not what was given"));
    assert!(fill("Day", "2026-03-01").await.text.contains("= \"2026-03-01\""));
    assert!(fill("Day", "tomorrow").await.is_error);
    assert!(fill("Notes", "two\nlines").await.text.contains("= \"two\\nlines\""));
    assert!(fill("Rich", "new text").await.text.contains("= \"new text\""));
    let secret = fill("Secret", "1234").await.text;
    assert!(secret.contains("= \"•••\"") && !secret.contains("1234"), "{secret}");
    let typed =
        json!({ "actions": [{ "type": "type", "element": look.number("Secret"), "text": "56" }] });
    let typed = client.ok("browser_interact", typed).await.text;
    assert!(typed.contains("typed 2 characters in") && typed.contains("= \"•••\""), "{typed}");
    assert!(!typed.contains("56"), "{typed}");
    let fixed = fill("Fixed", "x").await;
    assert!(fixed.is_error && fixed.text.contains("is read-only"), "{}", fixed.text);
    let select = fill("Colour", "Red").await;
    assert!(select.is_error && select.text.contains("is not a field"), "{}", select.text);
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn references_never_act_on_a_wrong_element() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let look = open(&client, &site, "rows.html").await;
    let delete = look.number("button: Delete");
    client.ok("browser_interact", click(&look.number("Recycle"))).await;
    let refused = client.fails("browser_interact", click(&delete)).await;
    assert!(refused.contains("a different row (Gemini"), "{refused}");
    assert!(
        !client.ok("inspect_tab", json!({})).await.text.contains("deleted"),
        "nothing was done"
    );
    client.ok("browser_interact", click(&delete)).await;
    assert!(
        client.ok("inspect_tab", json!({})).await.text.contains("deleted Gemini"),
        "reported once, then done"
    );

    let save = look.number("button: Save");
    client.ok("browser_interact", click(&look.number("Re-render"))).await;
    let survived = client.ok("browser_interact", click(&save)).await.text;
    assert!(
        survived.starts_with(&format!("clicked [{save}] button: Save")),
        "an equal node took over: {survived}"
    );
    // A change in an answer counts as seen by the caller; a change in no answer does not.
    let features =
        async |on: bool| client.ok("experimental_features", json!({ "page_diffing": on })).await;
    features(false).await;
    client.ok("browser_interact", click(&look.number("Rename"))).await;
    let renamed = client.fails("browser_interact", click(&save)).await;
    assert!(renamed.contains("it was button: Save and is now"), "{renamed}");
    features(true).await;

    let covered = open(&client, &site, "covered.html").await;
    let buy = covered.number("button: Buy");
    let marked =
        format!("[{buy}] button: Buy — covered by [{}]", covered.number("dialog: Cookies"));
    assert!(covered.text.contains(&marked), "{}", covered.text);
    let hidden = client.fails("browser_interact", click(&buy)).await;
    let dialog = hidden
        .split("is covered by [")
        .nth(1)
        .and_then(|rest| rest.split(']').next())
        .unwrap_or_default();
    assert_eq!(
        hidden,
        format!("failed: [{buy}] button: Buy is covered by [{dialog}] dialog: Cookies\n")
    );

    let stale = client.fails("browser_interact", click(&save)).await;
    assert!(stale.contains(&format!("stale reference [{save}]: it belonged to the page before the last navigation; call inspect_tab again")), "{stale}");
    client.ok("browser_navigate", json!({ "action": "back" })).await;
    let revived = client.ok("expand_dom_selector", json!({ "elementId": save })).await.json();
    assert_eq!(revived["name"], "Store", "the document came back, and its references with it");
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
    assert!(fleeting.contains("got the press but no click"), "{fleeting}");
    let blush = client.ok("browser_interact", click(&look.number("button: Blush"))).await.text;
    assert!(!blush.contains("no visible change"), "it turned red: {blush}");
    let still = client.ok("browser_interact", click(&look.number("button: Still"))).await.text;
    assert!(still.contains("no visible change"), "{still}");

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
    assert!(stolen.contains("does not take or keep the focus"), "{stolen}");
    assert!(
        client.ok("inspect_tab", json!({})).await.text.contains("Victim = \"\""),
        "no key lands elsewhere"
    );
    let download = client.ok("browser_interact", click(&look.number("link: Download"))).await.text;
    assert!(download.contains(" — downloaded file.zip (16 B) to "), "{download}");
    let refused = client.call("browser_interact", click(&look.number("link: Refused"))).await.text;
    let failed = if support::is_firefox() {
        "a navigation ended without a page ("
    } else {
        "the navigation failed (net::ERR_"
    };
    assert!(refused.contains(failed), "{refused}");
    assert!(!refused.contains("200"), "no status was ever answered: {refused}");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_lies_under_a_sticky_header_is_scrolled_clear() {
    let (site, client) = (Site::start().await, Client::shared(&["--viewport", "800x300"]).await);
    client.ok("browser_navigate", json!({ "url": site.url("verdicts.html") })).await;
    let look = client.ok("inspect_tab", json!({ "fold": false })).await;
    for n in [20, 12, 30, 25, 3, 40, 38, 36, 33] {
        let row = format!("button: Row {n}");
        let reply = client.ok("browser_interact", click(&look.number(&row))).await.text;
        assert!(reply.starts_with("clicked"), "{reply}");
        assert!(
            client
                .ok("inspect_tab", json!({ "query": format!("row {n}") }))
                .await
                .text
                .contains(&format!("row {n}"))
        );
    }
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
