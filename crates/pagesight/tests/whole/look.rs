//! Tests the tools that look at a page: MCP client → program → browser → page, and back.

use crate::support::{Client, Site, has, lacks};
use serde_json::json;

fn tokens(text: &str) -> usize {
    pagesight_core::text::tokens::count(text)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tool_list_is_small_and_annotated() {
    let client = Client::start(&[]).await;
    let tools = client.tools().await;
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(
        names,
        [
            "browser_navigate",
            "inspect_tab",
            "browser_interact",
            "expand_dom_selector",
            "read_rows",
            "take_snapshot",
            "get_dom_fingerprint",
            "compare_dom_fingerprint",
            "dom_baselines",
            "take_screenshot",
            "get_page_info",
            "page_log",
            "browser_tabs",
            "experimental_features",
            "browser_evaluate"
        ]
    );
    assert!(
        tools.iter().all(|tool| tool
            .annotations
            .as_ref()
            .is_some_and(|hints| hints.read_only_hint.is_some()))
    );
    let size = tokens(&serde_json::to_string(&tools).unwrap());
    assert!(size <= 2_400, "{size} tokens");
    let text = serde_json::to_string(&tools).unwrap();
    assert!(!text.contains("$ref") && !text.contains("$schema"), "{text}");
    client.close().await;
    let client = Client::start(&["--allow-evaluate"]).await;
    assert!(client.tools().await.iter().any(|tool| tool.name == "browser_evaluate"));
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_navigation_answers_with_a_short_outline() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let url = site.url("dashboard.html");
    let open = async |more: serde_json::Value| {
        let mut arguments = json!({ "url": url });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.ok("browser_navigate", arguments).await.text
    };
    let text = open(json!({})).await;
    assert!(text.contains("button: New Project\n") && text.contains("\nmain\n"), "{text}");
    assert_eq!(text.matches("Dashboard - MyApp").count(), 1, "the title is printed once: {text}");
    assert!(tokens(&text) < 500, "{text}");
    let number = text
        .lines()
        .find_map(|line| line.trim().strip_suffix("] button: New Project")?.strip_prefix('['));
    let click = json!({ "actions": [{ "type": "click", "element": number.unwrap() }] });
    client.ok("browser_interact", click).await;
    assert!(!open(json!({ "max_tokens": 0 })).await.contains("button:"));
    let found = open(json!({ "query": "refresh" })).await;
    assert!(found.contains("button: Refresh") && !found.contains("New Project"), "{found}");
    let again = client.ok("browser_navigate", json!({ "action": "reload" })).await.text;
    has(&again, "button: New Project");
    let missing = client.ok("browser_navigate", json!({ "url": site.url("missing.html") })).await;
    has(&missing.text, "  404\n");
    let small = client.fails("browser_navigate", json!({ "url": url, "max_tokens": 150 })).await;
    has(&small, "max_tokens 150 is too small");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_looks_at_a_page() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    let reply = client.ok("browser_navigate", json!({ "url": site.url("dashboard.html") })).await;
    has(&reply.text, "\"Dashboard - MyApp\"  200\nready after ");
    let look = client.ok("inspect_tab", json!({})).await;
    let expected = format!(
        "Dashboard - MyApp  {}
banner
  navigation: Main
    [1] link: Home
    [2] link: Projects
main
  heading 1: Dashboard
  [3] textbox: Search projects = \"\"
  [4] textbox: Password = \"•••\"
  [5] button: New Project
  [6] button: Refresh
  [7] button: Delete
  [8] button: Archive — disabled
  [9] link: Terms
  [10] link: Done
  list: Recent Projects (2)
    [11] link: Apollo
    [12] link: Gemini
1 invisible text withheld
",
        site.url("dashboard.html")
    );
    assert_eq!(look.text, expected);
    let again = client.ok("inspect_tab", json!({ "filter": "interactive", "scope": "main" })).await;
    assert!(again.text.contains("[5] button: New Project"), "numbers stay: {}", again.text);
    lacks(&again.text, "heading");

    let expanded = client.ok("expand_dom_selector", json!({ "elementId": 5 })).await.json();
    assert_eq!(expanded["selectors"][0], "#new");
    assert_eq!(expanded["selector_matches"][0], 1);
    assert_eq!(expanded["uid"], "1_5");
    assert_eq!(expanded["playwright"], "getByRole('button', { name: 'New Project', exact: true })");
    assert_eq!(expanded["xpath"], "/html/body/main/button[1]");
    let (x, y) =
        (expanded["box"][0].as_f64().unwrap() + 5.0, expanded["box"][1].as_f64().unwrap() + 5.0);
    let at = client.ok("expand_dom_selector", json!({ "x": x, "y": y })).await.json();
    assert_eq!(at["elementId"], "5");
    let secret = client.ok("expand_dom_selector", json!({ "elementId": "[4]" })).await.text;
    lacks(&secret, "hunter2");

    let info = client.ok("get_page_info", json!({})).await.json();
    assert_eq!(
        (info["title"].as_str(), info["forms"].as_u64()),
        (Some("Dashboard - MyApp"), Some(1))
    );
    for arguments in
        [json!({}), json!({ "annotate": true, "full_page": true }), json!({ "scope": "5" })]
    {
        let shot = client.ok("take_screenshot", arguments).await.image.expect("an image");
        assert!(shot.starts_with("iVBOR"), "a PNG");
    }
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_not_touched() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("watcher.html") })).await;
    let html = "document.documentElement.outerHTML + host.shadowRoot.innerHTML";
    let before = client.ok("browser_evaluate", json!({ "expression": html })).await.text;
    for _ in 0..2 {
        let look = client.ok("inspect_tab", json!({})).await;
        for words in ["button: One", "button: Inside"] {
            client.ok("expand_dom_selector", json!({ "elementId": look.number(words) })).await;
        }
        client.ok("take_screenshot", json!({ "annotate": true })).await;
        client.ok("get_page_info", json!({})).await;
    }
    assert_eq!(client.ok("browser_evaluate", json!({ "expression": html })).await.text, before);
    let seen = client.ok("browser_evaluate", json!({ "expression": "window.seen" })).await.text;
    assert_eq!(seen, "[]", "the page's own observers saw nothing");
    let globals = "Object.getOwnPropertyNames(window).filter((n) => n !== 'globalsBefore').sort().join() === globalsBefore";
    assert_eq!(client.ok("browser_evaluate", json!({ "expression": globals })).await.text, "true");
    client.close().await;
}
