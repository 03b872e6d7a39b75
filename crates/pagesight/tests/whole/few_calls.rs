//! Tests what saves an agent calls: several fields or elements per call, and late changes in the
//! next answer.

use crate::support::{Client, Site, has, lacks};
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
    has(&look, "textbox: Fourth = \"\"");
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
async fn several_elements_are_described_in_one_call() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = client.ok("browser_navigate", json!({ "url": site.page(FORM) })).await;
    let (first, press) = (page.number("First"), page.number("Press"));
    let list = json!({ "elementId": [press, 987_654, format!("[{first}]")] });
    let all = client.ok("expand_dom_selector", list).await.json();
    assert_eq!(all[0]["role"], "button", "{all}");
    assert_eq!(all[1]["elementId"], "987654", "{all}");
    assert!(
        all[1]["error"].as_str().unwrap().starts_with("no element has the number 987654"),
        "{all}"
    );
    assert_eq!(all[2]["name"], "First", "{all}");
    assert_eq!(all.as_array().unwrap().len(), 3);
    let one = client.ok("expand_dom_selector", json!({ "elementId": [first] })).await.json();
    assert_eq!(one[0]["tag"], "input", "a list of one is answered by a list: {one}");
    client.close().await;
}

/// A page on which a message appears when a page of the same site asks for it.
const LATE: &str = "<title>Late</title><main><h1>Orders</h1><p id=clock></p><div id=place></div></main><script>
    const channel = new BroadcastChannel('late');
    channel.onmessage = () => { place.innerHTML = '<p role=alert>Saved late</p>'; channel.postMessage(1) };
    setInterval(() => { clock.textContent = new Date().toISOString().slice(11, 19) }, 200)</script>";

#[tokio::test(flavor = "multi_thread")]
async fn late_changes_open_the_next_answer() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let other = json!({ "action": "new", "name": "other", "url": site.url("done.html") });
    client.ok("browser_tabs", other).await;
    client.ok("browser_tabs", json!({ "action": "new" })).await;
    let change = async || {
        client.ok("browser_navigate", json!({ "url": site.page(LATE) })).await;
        let expression = "new Promise((done) => { const channel = new BroadcastChannel('late');
            channel.onmessage = () => done(1); channel.postMessage(1) })";
        let ask = json!({ "expression": expression, "tab": "other" });
        client.ok("browser_evaluate", ask).await;
    };
    let saved = "alert: Saved late";
    change().await;
    let look = client.ok("inspect_tab", json!({})).await.text;
    let first = look.lines().next().unwrap();
    assert!(first.starts_with("since the last answer: + [") && first.ends_with(saved), "{look}");
    // It is reported once, and the clock is not reported.
    let look = client.ok("inspect_tab", json!({})).await.text;
    lacks(&look, "since the last answer");
    for tool in ["get_page_info", "get_dom_fingerprint"] {
        change().await;
        let answer = client.ok(tool, json!({})).await.json();
        assert!(answer["since_last"].as_str().unwrap().ends_with(saved), "{answer}");
    }
    change().await;
    let left = client.ok("browser_navigate", json!({ "url": site.page("<h1>Next</h1>") })).await;
    assert!(left.text.starts_with("since the last answer: + ["), "{}", left.text);
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
    has(&back, "] navigation: Sidebar — as before\n");
    has(&back, "heading 1: First");
    // A look shows all of it.
    assert!(client.ok("inspect_tab", json!({})).await.text.contains("link: Three"));
    client.close().await;
}
