//! Tests waiting through the whole program: a page that is reported as ready is ready, and anything
//! still pending is named. The pages set the times, so a busy machine does not change the result.

use crate::support::{Client, Site, has, is_firefox, lacks};
use serde_json::json;

const SHOW: &str = "<div id=app></div><script>const get = (ms, name) => fetch('/delay/' + ms + '/' + name);
const app = document.getElementById('app'); const show = () => { app.innerHTML = '<button>Done at last</button>' };</script>";

async fn navigate(client: &Client, url: &str) -> String {
    let reply = client.ok("browser_navigate", json!({ "url": url })).await.text;
    let reason = reply.lines().nth(1).unwrap_or_default();
    reason.rsplit_once(" after ").map_or(reason, |(reason, _)| reason).to_owned()
}

both_engines!(ready_means_ready);
async fn ready_means_ready() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    for script in [
        "get(600, 'a').then(() => get(700, 'b')).then(() => get(300, 'c')).then(show)",
        "app.innerHTML = '<p role=status>Loading orders…</p>'; setTimeout(show, 1500)",
        "app.innerHTML = '<progress></progress>'; setTimeout(show, 1400)",
        // Workers run, and what they send is waited for.
        "new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(1), 250)']))).onmessage = show",
        "const text = `new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))).onmessage = () => postMessage(1)`; new Worker(URL.createObjectURL(new Blob([text]))).onmessage = show",
        "new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule(URL.createObjectURL(new Blob(['0'], { type: 'text/javascript' }))).then(show)",
        "app.setAttribute('aria-busy', 'true'); app.textContent = '…'; setTimeout(() => { app.ariaBusy = 'false'; show() }, 1300)",
        "onload = () => setTimeout(() => { const end = Date.now() + 1200; while (Date.now() < end); setTimeout(show, 30) }, 50)",
        "setInterval(() => { document.title = Date.now() }, 50); get(900, 'a').then(show)",
        "const clock = document.createElement('p'); document.body.append(clock); setInterval(() => { clock.textContent = Date.now() }, 50); get(900, 'a').then(show)",
        "location.search.includes('%26there') ? get(400, 'a').then(show) : location.replace(location.href + '%26there')",
        "const f = document.createElement('iframe'); f.src = '/delay/900/frame'; f.onload = show; get(300, 'a').then(() => document.body.append(f))",
        // The page becomes busy again when it is asked whether it is idle: the news of that and the
        // answer arrive together.
        "const burn = (ms) => { const end = Date.now() + ms; while (Date.now() < end); }; (async () => { for (let n = 0; n < 4; n++) { burn(250); await new Promise((on) => setTimeout(on, 90)) } show() })()",
        // Cross-site frames that are removed before they are loaded: the browser does not report
        // the end of their requests.
        "const slot = document.createElement('div'); document.body.append(slot); setInterval(() => { slot.innerHTML = `<iframe src=\"${location.origin.replace('127.0.0.1', 'localhost')}/delay/1500/ad${Math.random()}\"></iframe>` }, 240); get(900, 'a').then(show)",
        // The same, inside a frame that is loaded.
        "const slot = document.createElement('div'); document.body.append(slot); setInterval(() => { slot.innerHTML = `<iframe srcdoc='<iframe src=\"${location.origin.replace('127.0.0.1', 'localhost')}/delay/1500/ad${Math.random()}\"></iframe>'></iframe>` }, 240); get(900, 'a').then(show)",
    ] {
        let reason =
            navigate(&client, &site.page(&format!("{SHOW}<script>{script}</script>"))).await;
        assert_eq!(reason, "ready", "{script}");
        let look = client.ok("inspect_tab", json!({})).await.text;
        assert!(look.contains("button: Done at last"), "{script}:\n{look}");
    }
    client.close().await;
}

/// Only pages in Chromium know what their scripts have scheduled. Nothing else in these pages shows
/// that they go on.
#[tokio::test]
async fn what_is_scheduled_is_waited_for() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let frame = "const f = document.createElement('iframe'); document.body.append(f)";
    for script in [
        "setTimeout(show, 850)",
        "setTimeout(() => setTimeout(() => setTimeout(show, 300), 350), 400)",
        "scheduler.postTask(show, { delay: 850 })",
        "setTimeout(show, 850); setTimeout(() => { throw 1 }, 50)",
        &format!("{frame}; f.contentWindow.setTimeout(show, 850)"),
    ] {
        let page = site.page(&format!("{SHOW}<script>onload = () => {{ {script} }}</script>"));
        assert_eq!(navigate(&client, &page).await, "ready", "{script}");
        has(&client.ok("inspect_tab", json!({})).await.text, "button: Done at last");
    }
    let page = format!("{SHOW}<button onclick='setTimeout(show, 600)'>Later</button>");
    client.ok("browser_navigate", json!({ "url": site.page(&page) })).await;
    let element = client.ok("inspect_tab", json!({})).await.number("Later");
    let click = json!({ "actions": [{ "type": "click", "element": element }] });
    client.ok("browser_interact", click).await;
    has(&client.ok("inspect_tab", json!({})).await.text, "button: Done at last");
    client.close().await;
}

/// Hooks observe a page and change nothing in it. In Firefox they also find listeners.
#[tokio::test]
async fn fingerprints_are_the_same_without_hooks() {
    let site = Site::start().await;
    let with = Client::shared(&[]).await;
    let without = Client::start(&["--no-hooks"]).await;
    for page in ["accounts", "actions", "covered", "dashboard", "forms", "frames", "menus"] {
        let mut hashes = Vec::new();
        for client in [&with, &without] {
            client
                .ok("browser_navigate", json!({ "url": site.url(&format!("{page}.html")) }))
                .await;
            let fingerprint = client.ok("get_dom_fingerprint", json!({})).await.json();
            hashes.push(fingerprint["hash"].as_str().expect(page).to_owned());
        }
        assert_eq!(hashes[0], hashes[1], "{page}");
    }
    with.close().await;
    without.close().await;
}

/// The body of an answer that nobody reads has no end in Chromium.
#[tokio::test]
async fn a_body_that_nobody_reads_is_not_called_pending() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = site.page("<p>A</p><script>fetch('/unread', { method: 'POST' })</script>");
    assert_eq!(navigate(&client, &page).await, "ready");
    has(&client.ok("page_log", json!({})).await.text, "200 body not read");
    client.close().await;
}

both_engines!(a_page_that_seems_to_have_no_script_is_waited_for);
/// Pages that have no script in them when they are loaded, and change 450 ms later nevertheless.
async fn a_page_that_seems_to_have_no_script_is_waited_for() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let late = "setTimeout(() => { document.body.append(Object.assign(document.createElement(`button`), { textContent: `Done at last` })) }, 450)";
    for html in [
        format!("<p>A</p><script>onload = () => {late}; document.currentScript.remove()</script>"),
        format!("<body onload='{late}'><p>A</p>"),
        format!("<p>A</p><img src='data:,' onerror='this.remove(); {late}'>"),
        format!("<p>A</p><svg><script>addEventListener('load', () => {late})</script></svg>"),
        format!(
            "<p>A</p><div><template shadowrootmode=open><script>addEventListener('load', () => {late})</script></template></div>"
        ),
        // Closed roots, which the page script cannot see: one whose host shows its children, one
        // that empties itself, and one whose host removes itself.
        format!(
            "<div><p>A</p><template shadowrootmode=closed><slot></slot><script>addEventListener('load', () => {late})</script></template></div>"
        ),
        format!(
            "<p>A</p><div><template shadowrootmode=closed><img src='data:,' onerror='this.getRootNode().innerHTML = ``; {late}'></template></div>"
        ),
        format!(
            "<p>A</p><div><template shadowrootmode=closed><img src='data:,' onerror='this.getRootNode().host.remove(); {late}'></template></div>"
        ),
        // One in an open root.
        format!(
            "<div><template shadowrootmode=open><p>A</p><span><template shadowrootmode=closed>B<script>addEventListener('load', () => {late})</script></template></span></template></div>"
        ),
    ] {
        assert_eq!(navigate(&client, &site.page(&html)).await, "ready", "{html}");
        let look = client.ok("inspect_tab", json!({})).await.text;
        assert!(look.contains("button: Done at last"), "{html}:\n{look}");
    }
    // A header lets the browser load a different page.
    assert_eq!(navigate(&client, &site.url("refresh")).await, "ready");
    let look = client.ok("inspect_tab", json!({})).await.text;
    assert!(look.starts_with("Thank you"), "{look}");
    client.close().await;
}

both_engines!(pages_with_streams_can_be_left_again_and_again);
/// A page that is left may stay in the back/forward cache with its stream, and a browser opens six
/// connections to a site.
async fn pages_with_streams_can_be_left_again_and_again() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    for number in 0..9 {
        let html = format!("<h1>{number}</h1><script>new EventSource('/stream')</script>");
        assert_eq!(navigate(&client, &site.page(&html)).await, "ready", "{number}");
    }
    let back = client.ok("browser_navigate", json!({ "action": "back" })).await.text;
    has(&back, "heading 1: 7");
    client.close().await;
}

both_engines!(what_is_not_ready_is_named);
async fn what_is_not_ready_is_named() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    for (script, expected) in [
        ("fetch('/never'); show()", "still pending: GET /never"),
        (
            "app.innerHTML = '<progress aria-label=\"All orders\"></progress>'",
            "still loading: progressbar: All orders",
        ),
    ] {
        let reason =
            navigate(&client, &site.page(&format!("{SHOW}<script>{script}</script>"))).await;
        assert_eq!(reason, expected, "{script}");
    }
    let reply = client
        .ok("browser_navigate", json!({ "url": site.url("never"), "timeout_ms": 900 }))
        .await
        .text;
    has(&reply, "timed out: 1 request pending: GET /never after");
    client.close().await;
}

both_engines!(an_action_is_followed_to_its_end);
async fn an_action_is_followed_to_its_end() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = format!(
        "{SHOW}<button onclick=\"get(900, 'a').then(() => get(500, 'b')).then(show)\">Load</button>
         <button onclick=\"history.pushState({{}}, '', '/orders'); get(700, 'a').then(show)\">Route</button>"
    );
    let open = async || {
        client.ok("browser_navigate", json!({ "url": site.page(&page) })).await;
        client.ok("inspect_tab", json!({})).await
    };
    let click = async |name: &str| {
        let element = open().await.number(name);
        client
            .ok("browser_interact", json!({ "actions": [{ "type": "click", "element": element }] }))
            .await
            .text
    };
    for name in ["Load", "Route"] {
        let reported = click(name).await;
        lacks(&reported, "still");
        let look = client.ok("inspect_tab", json!({})).await.text;
        assert!(look.contains("button: Done at last"), "{name}: {reported}\n{look}");
    }
    client.close().await;
}

both_engines!(a_page_without_scripts_waits_for_its_pictures);
/// A page without scripts is ready when it is loaded; what it waits for is named. A page with
/// scripts does not wait for its pictures.
async fn a_page_without_scripts_waits_for_its_pictures() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let go = async |html: &str| {
        client.ok("browser_navigate", json!({ "url": site.page(html) })).await.text
    };
    let picture = "<!doctype html><title>Shop</title><p>A</p><img src=/never width=9 height=9>";
    let went = go(picture).await;
    has(&went, "\nstill loading: pictures or fonts");
    let went = go(&format!("{picture}<script>1</script>")).await;
    has(&went, "\nready after ");
    client.close().await;
}

both_engines!(wherever_a_navigation_ends);
/// Tests every way in which a navigation may end.
async fn wherever_a_navigation_ends() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let go = async |url: String| client.ok("browser_navigate", json!({ "url": url })).await.text;
    assert!(go("about:blank".to_owned()).await.starts_with("about:blank\nready after "));
    assert!(go(site.url("status/404")).await.contains("\"404\"  404\nready after "));
    assert!(go("data:text/html,<title>Data</title>x".to_owned()).await.contains("\nready after "));
    let first = go(site.url("dashboard.html")).await;
    has(&first, "200\nready after ");
    let look = client.ok("inspect_tab", json!({})).await;
    let none = go(site.url("nothing")).await;
    has(&none, "no new page: ");
    assert!(
        client.ok("inspect_tab", json!({})).await.text.contains("heading 1: Dashboard"),
        "the page stays"
    );
    // Going back restores the document from the back/forward cache, and its references are valid
    // again.
    assert!(go(site.url("done.html")).await.contains("\nready after "));
    let back = client.ok("browser_navigate", json!({ "action": "back" })).await.text;
    assert!(back.contains("\"Dashboard - MyApp\"") && back.contains("\nready after "), "{back}");
    let search =
        json!({ "actions": [{ "type": "fill", "element": look.number("textbox"), "text": "x" }] });
    assert!(client.ok("browser_interact", search).await.text.starts_with("filled "));
    // A service worker answers late, and no request leaves the browser. Firefox reports such a
    // request only after it is answered.
    let worker = "<p id=p>Empty</p><script>(async () => { await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready; if (!navigator.serviceWorker.controller) await new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done }); p.textContent = await (await fetch('/by-worker')).text() })()</script>";
    let reported = go(site.page(worker)).await;
    has(&reported, "\nready after ");
    if is_firefox() {
        let wait = json!({ "actions": [{ "type": "wait", "text": "from the worker" }] });
        client.ok("browser_interact", wait).await;
    }
    let look = client.ok("inspect_tab", json!({})).await.text;
    has(&look, "from the worker");
    // A tab that closes itself is not waited for.
    let opener = "<button onclick=\"window.open('/page?html=%3Cbutton%20onclick%3D%22window.close()%22%3EClose%3C%2Fbutton%3E')\">Open</button>";
    go(site.page(opener)).await;
    let open = client.ok("inspect_tab", json!({})).await.number("button: Open");
    let reported = client
        .ok("browser_interact", json!({ "actions": [{ "type": "click", "element": open }] }))
        .await
        .text;
    let tab = reported
        .split("opened tab ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .unwrap_or_else(|| panic!("{reported}"));
    let close = client.ok("inspect_tab", json!({ "tab": tab })).await.number("button: Close");
    let click = json!({ "tab": tab, "actions": [{ "type": "click", "element": close }] });
    let reported = client.ok("browser_interact", click).await.text;
    has(&reported, "the tab closed itself");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_call_sets_one_feature() {
    let client = Client::shared(&[]).await;
    for wrong in [
        json!({}),
        json!({ "page_diffing": true, "smart_waiting": true }),
        json!({ "telepathy": true }),
        json!({ "smart_waiting": 1 }),
    ] {
        let reply = client.call("experimental_features", wrong.clone()).await;
        assert!(
            reply.is_error && reply.text.contains("page_diffing, smart_waiting"),
            "{wrong}: {}",
            reply.text
        );
    }
    for (value, shown) in [(false, "off"), (true, "on")] {
        let set = json!({ "smart_waiting": value });
        let features = client.ok("experimental_features", set).await.text;
        assert_eq!(features, format!("page_diffing: on\nsmart_waiting: {shown}\n"));
    }
    client.close().await;
}

both_engines!(a_form_on_a_data_page_leads_nowhere);
/// Browsers do not let pages navigate to `data:` addresses; Firefox does not report that.
async fn a_form_on_a_data_page_leads_nowhere() {
    let client = Client::shared(&[]).await;
    let html = "data:text/html,<form><button>Go</button></form>";
    let page = client.ok("browser_navigate", json!({ "url": html })).await;
    let click = json!({ "actions": [{ "type": "click", "element": page.number("button: Go") }] });
    let reply = client.call("browser_interact", click).await;
    has(&reply.text, "a navigation ended without a page");
    client.close().await;
}
