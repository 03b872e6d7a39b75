//! Tests pages whose main thread does not answer, pages that keep the caller with dialogs, and
//! calls that are cancelled. Loops of the test pages end on their own, after the limit of a call.

use std::time::{Duration, Instant};

use crate::support::{Client, Reply, Site, has, is_firefox, lacks, outside_ci};
use serde_json::{Value, json};

/// A button whose script keeps the page busy for a while, after a delay in milliseconds.
fn busy(seconds: u32, delay: u32) -> String {
    format!(
        "<title>Busy</title><h1>Busy</h1><button onclick='setTimeout(() => {{ const end = Date.now() + {seconds}000; while (Date.now() < end); }}, {delay})'>Work</button>"
    )
}

fn click(element: &str) -> Value {
    json!({ "actions": [{ "type": "click", "element": element }] })
}

async fn open(client: &Client, site: &Site, html: &str) -> Reply {
    client.ok("browser_navigate", json!({ "url": site.page(html) })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_hangs_is_reported_and_left() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    let work = open(&client, &site, &busy(120, 0)).await.number("button: Work");
    // An action may first wait as long as smart waiting does.
    let hung = client.call("browser_interact", click(&work)).await;
    assert!(hung.is_error && hung.text.contains("the page has not answered since "), "{hung:?}");
    assert!(hung.text.contains("s ago") && hung.text.contains("close the tab"), "{hung:?}");
    for (tool, arguments, words) in [
        ("inspect_tab", json!({}), "the page has not answered since "),
        ("get_dom_fingerprint", json!({}), "the page has not answered since "),
        ("get_page_info", json!({}), "the page has not answered since "),
        ("browser_interact", click(&work), "the page has not answered since "),
        ("take_screenshot", json!({}), "the page has not drawn since "),
    ] {
        let reply = client.call(tool, arguments).await;
        assert!(reply.is_error && reply.text.contains(words), "{tool}: {}", reply.text);
    }
    let away = json!({ "url": site.url("done.html") });
    let left = client.call("browser_navigate", away.clone()).await.text;
    has(&left, "Thank you\"  200\nready");

    // The first call that meets the page that hangs may be one that leaves it, or closes its tab.
    for leaving in ["navigate", "close"] {
        let work = open(&client, &site, &busy(120, 1500)).await.number("button: Work");
        client.ok("browser_interact", click(&work)).await;
        tokio::time::sleep(Duration::from_millis(2000)).await;
        let reply = match leaving {
            "navigate" => client.call("browser_navigate", away.clone()).await,
            _ => client.call("browser_tabs", json!({ "action": "close" })).await,
        };
        assert!(!reply.is_error, "{leaving}: {}", reply.text);
    }
    let after = client.ok("browser_navigate", away).await.text;
    has(&after, "Thank you\"  200\nready");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_answers_again_is_usable_again() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    let work = open(&client, &site, &busy(8, 0)).await.number("button: Work");
    let hung = client.call("browser_interact", click(&work)).await;
    has(&hung.text, "the page has not answered since ");
    let begun = Instant::now();
    while client.call("inspect_tab", json!({})).await.is_error {
        assert!(begun.elapsed() < Duration::from_secs(20), "it never became usable");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let look = client.ok("inspect_tab", json!({})).await;
    assert_eq!(look.number("button: Work"), work, "it is the same document");
    client.close().await;
}

both_engines!(a_page_that_keeps_the_browser_busy_is_left);
/// Each entry of the history is a message to the browser itself, so that Firefox does not even open
/// a tab.
async fn a_page_that_keeps_the_browser_busy_is_left() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("dashboard.html") })).await;
    let html = "<button>Plain</button><script>let n = 0; setInterval(() => { for (let i = 0; i < 40; i++) { try { history.pushState(0, '', '#' + n++) } catch {} } }, 20)</script>";
    let storm = json!({ "action": "new", "url": site.page(html), "name": "storm" });
    client.call("browser_tabs", storm).await;
    let away = json!({ "url": site.url("done.html"), "tab": "storm" });
    let left = client.call("browser_navigate", away).await.text;
    has(&left, "Thank you\"  200\nready");
    let looked = client.call("inspect_tab", json!({ "tab": "t1" })).await.text;
    assert!(looked.contains("Dashboard") || left.contains("tab t1"), "{left}\n{looked}");
    client.close().await;
}

both_engines!(a_page_that_floods_the_network_is_left);
/// Reporting so many requests keeps Firefox itself busy, so it stops reporting them.
async fn a_page_that_floods_the_network_is_left() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    let html = "<button onclick='document.title = 1'>Plain</button><script>setInterval(() => { for (let i = 0; i < 20; i++) fetch('/none/' + Math.random()) }, 50)</script>";
    let waits = site.page("<title>Waits</title><h1>Waits</h1><script>fetch('/never')</script>");
    let flood = json!({ "action": "new", "url": site.page(html), "name": "flood" });
    let opened = client.call("browser_tabs", flood).await.text;
    lacks(&opened, "\nready");
    let click = json!({ "tab": "flood", "actions": [{ "type": "press", "key": "Tab" }] });
    if is_firefox() {
        let begun = Instant::now();
        let words = " requests per second: no longer watched";
        while !client.call("browser_interact", click.clone()).await.text.contains(words) {
            assert!(begun.elapsed() < Duration::from_secs(150), "the flood is not recognised");
        }
        // Other tabs are watched as before: a new one, and its requests.
        let other = json!({ "action": "new", "url": waits, "name": "other" });
        let other = client.call("browser_tabs", other).await.text;
        assert!(other.contains("GET /never") && !other.contains("watched"), "{other}");
    }
    let away = json!({ "url": site.url("done.html"), "tab": "flood" });
    let left = client.call("browser_navigate", away).await.text;
    has(&left, "Thank you\"  200\nready");
    // The requests of the next page are watched.
    let pending = json!({ "url": waits, "tab": "flood" });
    let pending = client.call("browser_navigate", pending).await.text;
    assert!(pending.contains("GET /never") && !pending.contains("watched"), "{pending}");
    client.close().await;
}

/// A request that blocks the page cannot be interrupted, so the process of the page is ended.
/// Firefox answers while such a request runs.
#[tokio::test(flavor = "multi_thread")]
async fn the_other_tabs_of_an_ended_process_are_named() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    let html = "<button onclick='window.open(\"/done.html\")'>Open</button><button onclick='setTimeout(() => { const request = new XMLHttpRequest(); request.open(\"GET\", \"/never\", false); request.send() })'>Block</button>";
    let page = open(&client, &site, html).await;
    client.ok("browser_interact", click(&page.number("button: Open"))).await;
    let hung = client.call("browser_interact", click(&page.number("button: Block"))).await;
    has(&hung.text, "the page has not answered since ");
    let away = json!({ "url": site.url("dashboard.html") });
    let left = client.call("browser_navigate", away).await.text;
    has(&left, "was ended, and with it tab t2; reload it\n");
    assert!(left.contains("so its process was ended\n") && left.contains("Dashboard"), "{left}");
    let reload = json!({ "action": "reload", "tab": "t2" });
    assert!(client.ok("browser_navigate", reload).await.text.contains("Thank you"));
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogs_do_not_keep_the_caller() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    let html = "<button onclick='prompt(1)'>Ask</button><button onclick='onbeforeunload = (event) => event.preventDefault()'>Guard</button><button onclick='for (let n = 1; ; n++) alert(n)'>Alerts</button>";
    let away = || json!({ "url": site.url("done.html") });
    for (button, kind) in [("Ask", "prompt"), ("Guard", "beforeunload")] {
        let page = open(&client, &site, html).await;
        client.ok("browser_interact", click(&page.number(button))).await;
        let refused = client.fails("browser_navigate", away()).await;
        has(&refused, &format!("dialog open ({kind})"));
        let left = client.ok("browser_navigate", away()).await.text;
        assert!(left.contains("Thank you"), "{kind}: {left}");
    }
    let page = open(&client, &site, html).await;
    client.ok("browser_interact", click(&page.number("Alerts"))).await;
    let accept = json!({ "actions": [{ "type": "dialog", "accept": true }] });
    for _ in 0..2 {
        client.ok("browser_interact", accept.clone()).await;
    }
    let left = client.call("browser_navigate", away()).await;
    assert!(!left.is_error && left.text.contains("Thank you"), "{}", left.text);
    client.close().await;
}

#[test]
fn a_batch_ends_when_its_client_leaves() {
    use std::io::{BufRead, BufReader, Write};
    let mut process = outside_ci()
        .arg("mcp")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut send = |message: Value| writeln!(input, "{message}").unwrap();
    let call = |id: u32, name: &str, arguments: Value| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name, "arguments": arguments } });
    send(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } }));
    output.next().unwrap().unwrap();
    send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    send(call(2, "browser_navigate", json!({ "url": "about:blank" })));
    output.next().unwrap().unwrap();
    let wait = json!({ "type": "wait", "ms": 20_000 });
    send(call(3, "browser_interact", json!({ "actions": [wait] })));
    std::thread::sleep(Duration::from_millis(1500));
    let begun = Instant::now();
    drop(input);
    let status = process.wait().unwrap();
    // The browser has to end, too. Without the stop, the program waited 5 s for the batch first.
    assert!(status.success() && begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}
