//! Tests dialogs that make the rest of the page inert: the diff shows the dialog first and as a
//! whole, and the rest as one line; looks say `inert`; actions name the dialog.

use serde_json::json;

use crate::support::{Client, Site, has, lacks};

both_engines!(a_dialog_comes_first_and_the_page_behind_is_one_line);
async fn a_dialog_comes_first_and_the_page_behind_is_one_line() {
    let site = Site::start().await;
    let client = Client::shared(&[]).await;
    client.ok("browser_navigate", json!({ "url": site.url("dialogs.html") })).await;
    let click = async |element: String| {
        let actions = json!([{ "type": "click", "element": element }]);
        client.ok("browser_interact", json!({ "actions": actions })).await.changes
    };
    for (opener, state) in [
        ("Native", "inert"),
        ("Attribute", "inert"),
        ("Hidden from readers", ""),
        ("Clicks fall through", "disabled"),
        ("Veiled", "covered by ["),
    ] {
        let look = client.ok("inspect_tab", json!({ "fold": false })).await;
        let light = look.number("button: Light 3");
        let opened = click(look.number(&format!("button: {opener}"))).await;
        let lines: Vec<&str> = opened.lines().collect();
        assert!(lines[1].starts_with("+ ") && lines[1].contains("dialog: Ecobee"), "{opened}");
        has(&opened, "Cool to 24");
        has(&opened, "] textbox: Name = \"Hall\"");
        has(&opened, "] button: Close");
        has(&opened, "\nthe page behind is inert");
        lacks(&opened, "Light");
        lacks(&opened, "disabled");

        let look = client.ok("inspect_tab", json!({ "fold": false })).await;
        let line =
            look.text.lines().find(|line| line.ends_with("Light 3") || line.contains("Light 3 —"));
        let line = line.unwrap_or_default();
        assert!(line.contains(state) && (state.is_empty() != line.contains(" — ")), "{line}");
        let close = look.number("button: Close");
        if state == "inert" {
            let element = json!({ "elementId": light });
            let element = client.ok("expand_dom_selector", element).await.json();
            has(&element["state"].to_string(), "\"inert\"");
            lacks(&element["state"].to_string(), "disabled");
            for action in [
                json!({ "type": "click", "element": light }),
                json!({ "type": "press", "element": light, "key": "Enter" }),
            ] {
                let refused =
                    client.fails("browser_interact", json!({ "actions": [action] })).await;
                has(&refused, &format!("[{light}] button: Light 3 is inert because of ["));
                has(&refused, "] dialog: Ecobee");
            }
            let named = json!([{ "type": "click", "target": "Light 3", "timeout_ms": 100 }]);
            let refused = client.fails("browser_interact", json!({ "actions": named })).await;
            has(&refused, &format!("so nothing was done: [{light}] button: Light 3 ("));
            has(&refused, ") is inert because of [");
            has(&refused, "] dialog: Ecobee");
        }
        let closed = click(close).await;
        has(&closed, "\nthe page behind is active again");
        has(&closed, "- [");
        lacks(&closed, "Light");
    }
}
