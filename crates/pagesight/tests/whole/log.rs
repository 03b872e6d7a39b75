//! Tests `page_log` and `pagesight log`: what the console and the network of a page said, at its
//! original place, without secrets.

use crate::support::{Client, Site, has, is_firefox, lacks, outside_ci};
use serde_json::json;

const PAGE: &str = "<title>Log</title><h1>Log</h1>
    <button onclick='save()'>Save</button><button onclick='fail()'>Fail</button>
    <script>
    console.log('ready', {user: 'ann', tags: [1, 2]}); console.warn('slow'); console.debug('detail');
    for (let n = 0; n < 40; n++) console.error('TypeError: x is undefined');
    async function save() {
        await fetch('/api/echo?page=2&token=s3cr3t-param', {method: 'POST',
            headers: {'content-type': 'application/json', authorization: 'Bearer s3cr3t-header', 'x-api-key': 's3cr3t-key'},
            body: JSON.stringify({name: 'Apollo', password: 's3cr3t-field', items: [{id: 1}, {id: 2}]})});
        console.info('saved with /api/echo?token=s3cr3t-text and Bearer s3cr3t-logged-1');
        console.log({authorization: 'Bearer s3cr3t-member', sessionToken: 's3cr3t-object'});
    }
    function fail() { fetch('/status/500'); }
    </script>";

/// Checks that the output about a page with secrets contains none of them.
fn without_secrets(text: &str) {
    lacks(text, "s3cr3t");
}

both_engines!(console_and_network_are_listed_errors_first);
async fn console_and_network_are_listed_errors_first() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let opened = client.ok("browser_navigate", json!({ "url": site.page(PAGE) })).await;
    let line = opened.text.lines().nth(2).unwrap();
    let id = line.split(['[', ']']).nth(1).unwrap_or_default();
    assert_eq!(line, format!("40 console errors: [{id}] TypeError: x is undefined"));
    let log = client.ok("page_log", json!({})).await.text;
    let lines: Vec<&str> = log.lines().collect();
    let error = format!("[{id}] error: TypeError: x is undefined  page:5 (×40)");
    assert_eq!(lines[0], error, "{log}");
    let find = |words: &str| lines.iter().find(|line| line.contains(words)).is_some();
    assert!(find("] log: ready {user: \"ann\", tags: "), "{log}");
    assert!(find("] warning: slow  page:4"), "{log}");
    assert!(find("] GET /page?html=… 200 "), "{log}");
    // Since the last answer there is nothing, until something happens.
    let last = async |more: serde_json::Value| {
        let mut arguments = json!({ "since": "last" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.ok("page_log", arguments).await.text
    };
    assert_eq!(last(json!({})).await, "no log entries since the log was last read\n");
    let click = json!({ "actions": [{ "type": "click", "element": opened.number("Fail") }] });
    let reply = client.ok("browser_interact", click).await.text;
    let failed = reply.lines().find(|line| line.starts_with("1 failed request: ")).unwrap();
    assert!(failed.ends_with("] GET /status/500 500"), "{reply}");
    let log = last(json!({})).await;
    let place = if is_firefox() { "" } else { " from page:13" };
    has(&log, "] GET /status/500 500 ");
    has(&log, &format!("  fetch{place}\n"));
    // Entries are chosen.
    let all = client.ok("page_log", json!({ "kind": "console", "level": "warning" })).await.text;
    assert!(all.lines().count() == 2 && all.contains("slow"), "{all}");
    let all = client.ok("page_log", json!({ "match": "STATUS/" })).await.text;
    assert!(all.lines().count() == 1 && all.contains("/status/500"), "{all}");
    let info = client.ok("get_page_info", json!({})).await.json();
    let problems = info["problems"].as_str().unwrap();
    assert!(problems.starts_with(&format!("40 console errors: [{id}] ")), "{problems}");
    for (wrong, words) in [
        (json!({ "request": "7" }), "\"7\" is not an entry of the log"),
        (json!({ "request": "r9999" }), "there is no entry [r9999]"),
        (json!({ "request": "r1", "kind": "network" }), "leave out kind, level, match and since"),
        (json!({ "max_tokens": 20 }), "max_tokens 20 is too small"),
        (json!({ "level": "fatal" }), "fatal"),
    ] {
        let text = client.fails("page_log", wrong).await;
        has(&text, words);
    }
    client.close().await;
}

both_engines!(a_request_is_described_without_secrets);
async fn a_request_is_described_without_secrets() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let opened = client.ok("browser_navigate", json!({ "url": site.page(PAGE) })).await;
    let click = json!({ "actions": [{ "type": "click", "element": opened.number("Save") }] });
    without_secrets(&client.ok("browser_interact", click).await.text);
    let log = client.ok("page_log", json!({ "since": "start", "max_tokens": 4000 })).await.text;
    without_secrets(&log);
    has(&log, "info: saved with /api/echo?token=… and Bearer •••");
    let line =
        log.lines().find(|line| line.contains("POST /api/echo?page=…&token=… 200 ")).unwrap();
    let id = line.split(['[', ']']).nth(1).unwrap();
    let detail = client.ok("page_log", json!({ "request": id })).await.text;
    without_secrets(&detail);
    let lower = detail.to_lowercase();
    for expected in [
        "url: http://127.0.0.1:",
        "timing: ",
        "\n  authorization: •••\n",
        "\n  x-api-key: •••\n",
        "\n  set-cookie: sid=•••; path=/; httponly\n",
        "\nrequest body: ",
        "\n    name: \"apollo\"\n    password: \"•••\"\n    items: list of 2 items\n",
        "\nresponse body: ",
        "\n    accesstoken: \"•••\"\n",
        "\n    orders: list of 30 items\n      first: object of 2 members\n",
    ] {
        assert!(lower.contains(expected), "{expected:?} in {detail}");
    }
    // The cookie is sent with the next request, and a redirect is followed.
    let again = client.ok("browser_navigate", json!({ "url": site.url("api/moved") })).await.text;
    without_secrets(&again);
    let log = client.ok("page_log", json!({ "kind": "network" })).await.text;
    without_secrets(&log);
    let moved = "] GET /api/moved 307 → /cookies?code=… 200 ";
    let line = log.lines().find(|line| line.contains(moved)).unwrap_or_else(|| panic!("{log}"));
    let id = line.split(['[', ']']).nth(1).unwrap();
    let detail = client.ok("page_log", json!({ "request": format!("[{id}]") })).await.text;
    without_secrets(&detail);
    has(&detail, "\nredirected: 307 → /cookies?code=…\n");
    has(&detail, "response body: ");
    client.close().await;
}

both_engines!(an_error_in_a_bundle_is_reported_at_its_original_line);
async fn an_error_in_a_bundle_is_reported_at_its_original_line() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    for bundle in ["bundled-external.js", "bundled-inline.js"] {
        let page = site.page(&format!("<h1>Shop</h1><script src=/{bundle}></script>"));
        client.ok("browser_navigate", json!({ "url": page })).await;
        let log = client.ok("page_log", json!({})).await.text;
        let error = log.lines().next().unwrap();
        assert!(error.contains("] error: TypeError: "), "{bundle}: {log}");
        assert!(error.ends_with("  bundled-src/cart.ts:10"), "{bundle}: {log}");
        has(&log, "bundle loaded");
        let id = error.split(['[', ']']).nth(1).unwrap();
        let detail = client.ok("page_log", json!({ "request": id })).await.text;
        let stack = "called from: bundled-src/cart.ts:10 in t, bundled-src/app.ts:7";
        assert!(detail.contains(stack), "{bundle}: {detail}");
    }
    client.close().await;
}

#[test]
fn the_command_line_prints_the_log() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let site = runtime.block_on(Site::start());
    let run = |arguments: &[&str]| {
        let mut command = outside_ci();
        command.args(arguments);
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.code())
    };
    let page = site.page(PAGE);
    let (out, _, code) = run(&["log", &page, "--level", "error"]);
    assert_eq!(
        (out.as_str(), code),
        ("[e4] error: TypeError: x is undefined  page:5 (×40)\n", Some(0))
    );
    let (out, _, _) = run(&["log", &page, "--output", "json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let first = &json["lines"][0];
    assert_eq!(
        (&first["id"], &first["count"], &first["level"]),
        (&json!("e4"), &json!(40), &json!("error"))
    );
    assert_eq!(first["position"]["line"], 5, "{out}");
    let (out, _, _) = run(&["info", &page]);
    has(&out, "40 console errors: [e4] TypeError: x is undefined");
    assert!(!out.contains('{'), "{out}");
    for (wrong, words) in [
        (
            ["log", &page, "--level", "fatal"].as_slice(),
            "--level must be error, warning, info or debug, not \"fatal\"",
        ),
        (&["log", &page, "--request", "x"], "is not an entry of the log"),
        (&["log", &page, "--request", "r1", "--kind", "network"], "cannot be used with"),
        (
            &["log", &page, "--kind", "all", "--kind", "all"],
            "is given twice; leave one of them out",
        ),
        (&["log", &page, "--max-tokens", "5"], "max_tokens 5 is too small"),
        (&["log", "x.page.json"], "x.page.json"),
    ] {
        let (out, error, code) = run(wrong);
        assert!(out.is_empty() && error.contains(words) && code == Some(2), "{wrong:?}: {error}");
    }
}
