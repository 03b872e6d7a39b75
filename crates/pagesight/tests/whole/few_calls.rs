//! Tests what saves an agent calls: several fields or elements per call, and checks of a whole
//! batch before its first action runs.

use crate::support::{Client, Site};
use serde_json::json;

const FORM: &str = "<title>Form</title><main>
    <label>First <input></label> <label>Second <input></label> <label>Third <input readonly></label>
    <label>Fourth <input></label> <button onclick='count.textContent = ++this.n || (this.n = 1)'>Press</button>
    <p id=count>0</p></main>";

#[tokio::test(flavor = "multi_thread")]
async fn one_fill_takes_several_fields() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = client.ok("browser_navigate", json!({ "url": site.page(FORM) })).await;
    let field = |name: &str, text: &str| json!({ "element": page.number(name), "text": text });
    let fill =
        |fields: serde_json::Value| json!({ "actions": [{ "type": "fill", "fields": fields }] });
    let two = fill(json!([field("First", "one"), field("Second", "two")]));
    let reply = client.ok("browser_interact", two).await.text;
    let lines: Vec<&str> = reply.lines().collect();
    assert!(lines[0].ends_with("textbox: First = \"one\""), "{reply}");
    assert!(lines[1].ends_with("textbox: Second = \"two\""), "{reply}");
    // It stops at the first field that cannot be filled.
    let three = json!([field("First", "1"), field("Third", "3"), field("Fourth", "4")]);
    let reply = client.call("browser_interact", fill(three)).await;
    assert!(reply.is_error && reply.text.contains("textbox: First = \"1\"\nfailed: "), "{reply:?}");
    assert!(reply.text.contains("1 action was not run"), "{reply:?}");
    let look = client.ok("inspect_tab", json!({})).await.text;
    assert!(look.contains("textbox: Fourth = \"\""), "{look}");
    client.close().await;
}

/// Between two fields nothing is waited for if the page does not react. What it does later is
/// waited for once, at the end.
#[tokio::test(flavor = "multi_thread")]
async fn late_effects_of_a_batch_are_waited_for_at_its_end() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = site.page(
        "<input aria-label=One><input aria-label=Two><input aria-label=Three oninput='setTimeout(() => fetch(`/delay/700/a`).then(() => { out.textContent = `Checked ` + this.value }), 60)'><input aria-label=Four readonly><p id=out>Nothing</p>",
    );
    // If the last field cannot be filled, the effects of those before it are still waited for.
    for last in [None, Some("Four")] {
        let look = client.ok("browser_navigate", json!({ "url": page })).await;
        let field = |name: &str, text: &str| json!({ "element": look.number(&format!("textbox: {name}")), "text": text });
        let mut fields = vec![field("One", "a"), field("Two", "b"), field("Three", "c")];
        fields.extend(last.map(|name| field(name, "d")));
        let actions = json!({ "actions": [{ "type": "fill", "fields": fields }] });
        let reply = client.call("browser_interact", actions).await;
        assert_eq!(reply.is_error, last.is_some(), "{reply:?}");
        for line in ["One = \"a\"\n", "Two = \"b\"\n", "Three = \"c\"\n"] {
            assert!(reply.text.contains(line), "{line}: {reply:?}");
        }
        assert!(reply.changes.contains("\"Checked c\""), "{reply:?}");
    }
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_checked_before_its_first_action() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = client.ok("browser_navigate", json!({ "url": site.page(FORM) })).await;
    let press = json!({ "type": "click", "element": page.number("Press") });
    for (wrong, words) in [
        (json!({ "type": "click", "element": 987_654 }), "unknown reference [987654]"),
        (json!({ "type": "press", "key": "Hyper+Q" }), "Hyper"),
        (json!({ "type": "type", "text": "x".repeat(10_001) }), "give 1 to 10000"),
        (json!({ "type": "wait", "ms": 25_001 }), "25000 ms is the most"),
        (json!({ "type": "wait", "text": "x", "timeout_ms": 30_000 }), "25000 ms is the most"),
        (
            json!({ "type": "upload", "element": page.number("First"), "paths": ["x"] }),
            "--upload-root",
        ),
        (
            json!({ "type": "fill", "element": page.number("First"), "text": 5 }),
            "see the tool's schema",
        ),
    ] {
        let reply = client.call("browser_interact", json!({ "actions": [press, wrong] })).await;
        assert!(reply.is_error && reply.text.contains(words), "{words}: {reply:?}");
        assert!(!reply.text.contains("clicked"), "{reply:?}");
    }
    let look = client.ok("inspect_tab", json!({})).await.text;
    assert!(look.contains("\n  0\n"), "nothing was pressed: {look}");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_in_the_schema() {
    let client = Client::shared(&[]).await;
    let tools = client.tools().await;
    let schema = |name: &str| {
        let tool = tools.iter().find(|tool| tool.name == name).unwrap();
        serde_json::Value::Object(tool.input_schema.as_ref().clone())
    };
    let interact = schema("browser_interact");
    let actions = &interact["properties"]["actions"];
    assert_eq!((&actions["minItems"], &actions["maxItems"]), (&json!(1), &json!(100)));
    let action = &actions["items"]["properties"];
    assert_eq!(action["ms"]["maximum"], 25_000, "{action}");
    assert_eq!(action["timeout_ms"]["maximum"], 25_000, "{action}");
    assert_eq!(action["fields"]["items"]["required"], json!(["element", "text"]), "{action}");
    let expand = schema("expand_dom_selector");
    assert_eq!(expand["properties"]["elementId"]["maxItems"], 20, "{expand}");
    for tool in ["inspect_tab", "take_snapshot", "expand_dom_selector"] {
        assert_eq!(schema(tool)["properties"]["max_tokens"]["minimum"], 200, "{tool}");
    }
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_elements_are_described_in_one_call() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = client.ok("browser_navigate", json!({ "url": site.page(FORM) })).await;
    let (first, press) = (page.number("First"), page.number("Press"));
    let list = json!({ "elementId": [press, 987_654, format!("[{first}]")] });
    let all = client.ok("expand_dom_selector", list).await.json();
    assert_eq!(all[0]["role"], "button", "{all}");
    assert_eq!(all[1]["elementId"], "987654", "{all}");
    assert!(all[1]["error"].as_str().unwrap().starts_with("unknown reference [987654]"), "{all}");
    assert_eq!(all[2]["name"], "First", "{all}");
    assert_eq!(all.as_array().unwrap().len(), 3);
    let one = client.ok("expand_dom_selector", json!({ "elementId": [first] })).await.json();
    assert_eq!(one[0]["tag"], "input", "a list of one is answered by a list: {one}");
    client.close().await;
}

/// A page on which a message appears half a second after it was loaded, or after a click.
const LATE: &str = "<title>Late</title><main><h1>Orders</h1><button onclick='later()'>Save</button>
    <p id=clock></p><div id=place></div></main><script>
    function later() { setTimeout(() => { place.innerHTML = '<p role=alert>Saved late</p>' }, 1500) }
    setInterval(() => { clock.textContent = new Date().toISOString().slice(11, 19) }, 200)</script>";

#[tokio::test(flavor = "multi_thread")]
async fn late_changes_open_the_next_answer() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = client.ok("browser_navigate", json!({ "url": site.page(LATE) })).await;
    let save = json!({ "type": "click", "element": page.number("Save") });
    let late = "since the last answer: + [";
    let saved = "alert: Saved late";
    let wait = || tokio::time::sleep(std::time::Duration::from_millis(2_500));
    let click = async || {
        client.ok("browser_navigate", json!({ "action": "reload" })).await;
        let number = client.ok("inspect_tab", json!({ "query": "Save" })).await.number("Save");
        let click = json!({ "actions": [{ "type": "click", "element": number }] });
        let reply = client.ok("browser_interact", click).await;
        assert!(!reply.text.contains("Saved late") && !reply.changes.contains("Saved late"));
        wait().await;
    };
    let reply = client.ok("browser_interact", json!({ "actions": [save] })).await;
    assert!(!reply.text.contains(saved) && !reply.changes.contains(saved), "{reply:?}");
    wait().await;
    let look = client.ok("inspect_tab", json!({})).await.text;
    assert!(look.starts_with(late) && look.lines().next().unwrap().ends_with(saved), "{look}");
    // It is reported once, and the clock is not reported.
    wait().await;
    let look = client.ok("inspect_tab", json!({})).await.text;
    assert!(!look.contains("since the last answer"), "{look}");
    click().await;
    let info = client.ok("get_page_info", json!({})).await.json();
    assert!(info["since_last"].as_str().unwrap().ends_with(saved), "{info}");
    click().await;
    let print = client.ok("get_dom_fingerprint", json!({})).await.json();
    assert!(print["since_last"].as_str().unwrap().ends_with(saved), "{print}");
    click().await;
    let left = client.ok("browser_navigate", json!({ "url": site.page("<h1>Next</h1>") })).await;
    assert!(left.text.starts_with(late), "{}", left.text);
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn problems_are_reported_once() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let html = "<h1>Page</h1><script>for (const path of ['a', 'b', 'c']) fetch('/status/404?secret=' + path)</script>
        <img src='http://no-such-host.invalid/x.png'><button onclick='console.error(\"Oops\")'>Oops</button>";
    let url = site.page(html);
    let first = client.ok("browser_navigate", json!({ "url": url })).await;
    let line = first.text.lines().nth(2).unwrap();
    assert!(line.contains("3 failed requests: [r"), "{}", first.text);
    assert!(line.contains("] GET /status/404?secret=… 404"), "{}", first.text);
    assert!(line.ends_with("1 failure of other sites"), "{line}");
    let again = client.ok("browser_navigate", json!({ "action": "reload" })).await;
    assert_eq!(again.text.lines().nth(2).unwrap(), "the same 4 problems as before", "{again:?}");
    let oops = json!({ "actions": [{ "type": "click", "element": again.number("Oops") }] });
    let reply = client.ok("browser_interact", oops.clone()).await;
    assert!(reply.text.ends_with("] Oops\n"), "{reply:?}");
    assert!(reply.text.contains("\n1 console error: [e"), "{reply:?}");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_reference_names_its_successor() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let html = "<main><button onclick='n = (window.n || 0) + 1; box.innerHTML = `<p>Draft ${n}</p><button>Publish</button>`'>Edit</button>
        <div id=box><p>Draft 0</p><button>Publish</button></div></main>";
    let page = client.ok("browser_navigate", json!({ "url": site.page(html) })).await;
    let (edit, publish) = (page.number("Edit"), page.number("Publish"));
    let click = |element: &str| json!({ "type": "click", "element": element });
    let both = json!({ "actions": [click(&edit), click(&publish)] });
    let reply = client.call("browser_interact", both).await;
    let now = client.ok("inspect_tab", json!({})).await.number("Publish");
    if now == publish {
        // The new button is equal in everything and took over the number.
        assert!(!reply.is_error, "{reply:?}");
    } else {
        let stale = format!("stale reference [{publish}]: re-rendered as [{now}]");
        assert!(reply.text.contains(&stale), "{stale} in {reply:?}");
    }
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn regions_of_the_previous_page_are_one_line() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = |title: &str, next: &str| {
        format!(
            "<nav aria-label=Sidebar><a href=/1>One</a> <a href=/2>Two</a> <a href=/3>Three</a></nav>
            <main><h1>{title}</h1>{next}</main>"
        )
    };
    let second = site.page(&page("Second", ""));
    let first = site.page(&page("First", &format!("<a href='{second}'>Next</a>")));
    let before = client.ok("browser_navigate", json!({ "url": first })).await;
    assert!(before.text.contains("link: Three"), "{before:?}");
    let next = json!({ "actions": [{ "type": "click", "element": before.number("Next") }] });
    let clicked = client.ok("browser_interact", next).await;
    assert!(clicked.changes.contains("] navigation: Sidebar — as before\n"), "{clicked:?}");
    let back = client.ok("browser_navigate", json!({ "action": "back" })).await.text;
    assert!(back.contains("] navigation: Sidebar — as before\n"), "{back}");
    assert!(back.contains("heading 1: First"), "{back}");
    // A look shows all of it.
    assert!(client.ok("inspect_tab", json!({})).await.text.contains("link: Three"));
    client.close().await;
}
