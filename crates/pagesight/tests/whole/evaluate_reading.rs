//! Tests `browser_evaluate` with expressions that may only read: what works, what is refused, what
//! is masked, what ends, and the ways around all of that which were tried.

use serde_json::{Value, json};

use crate::support::{Client, Reply, Site, has, outside_ci};

const PAGE: &str = "<!doctype html><title>Accounts</title><table>\
    <tr><th>Name<th>State<tr><td>Ada<td>failed<tr><td>Bo<td>paid<tr><td>Cy<td>failed</table>\
    <form id=login><label>User <input id=user value=ada></label>\
    <label>Password <input id=pw type=password value=swordfish1></label></form>\
    <button onclick=\"this.textContent = 'Pressed'\">Press</button>\
    <p data-copy=swordfish1>Your password is swordfish1.</p><iframe srcdoc='<p>Inner</p>\
    <input type=password value=frameword2>'></iframe>\
    <script async>document.cookie = 'sid=cookieword3'; localStorage.token = 'storeword4'; \
    Array.prototype.map = () => 'patched'; Element.prototype.getBoundingClientRect = () => 'patched';\
    Object.defineProperty(document, 'title', { get: () => 'patched' })</script>";

/// A browser with the page, in which expressions may only read.
async fn open(site: &Site) -> Client {
    let client = Client::start(&[]).await;
    client.ok("browser_navigate", json!({ "url": site.page(PAGE) })).await;
    client
}

async fn evaluate(client: &Client, expression: &str) -> Reply {
    client.call("browser_evaluate", json!({ "expression": expression })).await
}

async fn value(client: &Client, expression: &str) -> Value {
    client.ok("browser_evaluate", json!({ "expression": expression })).await.json()
}

#[tokio::test(flavor = "multi_thread")]
async fn expressions_that_only_read_are_evaluated_by_default() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    let tools = client.tools().await;
    let tool = tools.iter().find(|tool| tool.name == "browser_evaluate").unwrap();
    assert_eq!(tool.annotations.as_ref().unwrap().read_only_hint, Some(true));
    client.ok("browser_navigate", json!({ "url": site.page(PAGE) })).await;
    for (expression, expected) in [
        (
            "[...document.querySelectorAll('tr')].filter(r => r.textContent.includes('failed')).length",
            json!(2),
        ),
        (
            "Array.from(document.querySelectorAll('td'), td => td.textContent.replace('a', 'o')).sort()[0]",
            json!("Ado"),
        ),
        ("JSON.stringify({ a: [1, 2].map(n => n * 2) })", json!("{\"a\":[2,4]}")),
        ("document.querySelector('table').getBoundingClientRect().width > 0", json!(true)),
        ("getComputedStyle(document.body).display", json!("block")),
        (
            "let n = 0; for (const row of document.querySelectorAll('tr')) n += row.children.length; n",
            json!(8),
        ),
        ("const rows = [3, 1];\nrows.sort()\n", json!([1, 3])),
        ("{ a: 1, b: undefined }", json!({ "a": 1 })),
        ("if (true) return 'returned'", json!("returned")),
        ("document.title", json!("Accounts")),
        ("frames[0].document.querySelector('p').textContent", json!("Inner")),
        ("document.querySelectorAll('script[async]').length + 'async'.length", json!(6)),
        ("[[1, [2]], 3].flat(2).concat(new Map([[4, 5]]).get(4))", json!([1, 2, 3, 5])),
        ("'ab'.repeat(2).replaceAll('a', '-').padEnd(6, '.')", json!("-b-b..")),
        ("10n ** 20n", json!("100000000000000000000")),
        ("undefined", Value::Null),
    ] {
        assert_eq!(value(&client, expression).await, expected, "{expression}");
    }
    for (expression, says) in [
        ("document.nothing.here", "TypeError: Cannot read properties of undefined"),
        ("1 +", "SyntaxError"),
        ("throw new Error('boom')", "the script failed: Error: boom"),
    ] {
        has(&client.fails("browser_evaluate", json!({ "expression": expression })).await, says);
    }
    let cut = client.ok("browser_evaluate", json!({ "expression": "Array(9999).fill('word')" }));
    let cut = cut.await.json();
    assert!(cut["truncated"] == true && cut["tokens"].as_u64() > Some(1_000), "{cut}");
    let cut = value(&client, "'x'.repeat(500000)").await;
    assert_eq!(cut["truncated"], true, "{cut}");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expression_gets_its_element() {
    let site = Site::start().await;
    let client = open(&site).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let button = look.number("button: Press");
    for expression in ["el => el.textContent", "element.textContent"] {
        let arguments = json!({ "expression": expression, "element": button });
        assert_eq!(client.ok("browser_evaluate", arguments).await.json(), json!("Press"));
    }
    let remove = json!({ "expression": "el => el.remove()", "element": button });
    has(&client.fails("browser_evaluate", remove).await, "the expression was refused");
    // The next expression is not about the element.
    assert_eq!(value(&client, "typeof element").await, json!("undefined"));
    client.close().await;
}

/// Each is refused before it changes anything, also later: `title` and the log would show it.
const CHANGES: &[&str] = &[
    "fetch('/evil')",
    "new Image().src = '/evil'",
    "new XMLHttpRequest()",
    "navigator.sendBeacon('/evil')",
    "new WebSocket('ws://127.0.0.1:1/evil')",
    "new Worker('/evil')",
    "document.createElement('p')",
    "document.title = 'evil'",
    "document.body.innerHTML = 'evil'",
    "document.querySelector('p').textContent = 'evil'",
    "pw.value = 'evil'",
    "localStorage.evil = 1",
    "document.cookie = 'evil=1'",
    "location = '/evil'",
    "location.hash = 'evil'",
    "open('/evil')",
    "history.pushState({}, '', '/evil')",
    "import('/evil')",
    "eval('1')",
    "(0, eval)('1')",
    "new Function('1')",
    "(() => {}).constructor('1')",
    "(function* () {}).constructor('1')",
    "setTimeout(() => {}, 0)",
    "setTimeout('1')",
    "queueMicrotask(() => {})",
    "Promise.resolve(1)",
    "new Promise(() => {})",
    "Array.fromAsync([1])",
    "addEventListener('click', () => {})",
    "document.querySelector('button').click()",
    "document.querySelector('input').focus()",
    "console.log('evil')",
    "alert('evil')",
    "evil = 1",
    "Array.prototype.evil = 1",
    "Object.prototype.then = () => {}",
    "Object.assign(document, { title: 'evil' })",
    "Reflect.set(document, 'title', 'evil')",
    "Object.getOwnPropertyDescriptor(Document.prototype, 'title').set.call(document, 'evil')",
    "try { document.title = 'evil' } catch {} finally { document.title = 'evil' }",
    // Getters, proxies, iterators, `toString` and their like, in the value and in what is thrown.
    "({ get a() { document.title = 'evil' } })",
    "({ toJSON() { document.title = 'evil' } })",
    "new Proxy({}, { get() { document.title = 'evil' }, ownKeys() { document.title = 'evil' } })",
    "const d = new Date(); d.toJSON = () => { document.title = 'evil' }; d",
    "const e = new Error(''); Object.defineProperty(e, 'stack', { get() { document.title = 'evil' } }); e",
    "const e = {}; Object.defineProperty(e, 'message', { get() { document.title = 'evil' } }); throw e",
    "throw { toString() { document.title = 'evil' } }",
    "throw new Proxy({}, { get() { document.title = 'evil' } })",
    "[...{ *[Symbol.iterator]() { document.title = 'evil'; yield 1 } }]",
    "`${{ toString() { document.title = 'evil' } }}`",
    "(s => { document.title = 'evil' })`a`",
    "'a'.replace(/a/, () => { document.title = 'evil' })",
    "JSON.parse('[1]', () => { document.title = 'evil' })",
    // The engine would call `then` later, without its check.
    "(async () => ({ then(r) { document.title = 'evil' } }))()",
    "({ async 'm'() { return { then() { document.title = 'evil' } } } }).m()",
    "(async/**/function () { return { then() { document.title = 'evil' } } })()",
    "new FinalizationRegistry(() => { document.title = 'evil' }).register({}, 1)",
    // A function that was compiled for an object of its own must not store in a different one.
    "const f = (o, v) => { o.title = v }; for (let i = 0; i < 9999; i++) f({}, i); f(document, 'evil')",
    // The script that runs the expression.
    "pagesightReading.prepare('document.title = 1', [], 9)",
    "pagesightReading.take(document.body)",
    "pagesightReading.run = null",
];

const ENDED: &str = "the expression was ended after 1 s";

#[tokio::test(flavor = "multi_thread")]
async fn an_expression_that_would_change_something_is_refused() {
    let site = Site::start().await;
    let client = open(&site).await;
    let html = "document.documentElement.outerHTML + localStorage.length + location.href";
    let before = value(&client, html).await;
    for expression in CHANGES {
        let reply = evaluate(&client, expression).await;
        // A busy machine may not get as far as the change.
        let refused = ["the expression was refused, because it would change", ENDED];
        let refused = refused.iter().any(|words| reply.text.starts_with(words));
        assert!(reply.is_error && refused, "{expression}: {}", reply.text);
    }
    for binary in ["new WebAssembly.Module(0)", "frames[0].WebAssembly.Module", "new Uint8Array(1)"]
    {
        assert!(evaluate(&client, binary).await.is_error, "{binary}");
    }
    assert_eq!(value(&client, html).await, before);
    let log = client.ok("page_log", json!({ "since": "start" })).await.text;
    assert!(!log.contains("evil"), "{log}");
    has(&client.ok("get_page_info", json!({})).await.text, "Accounts");
    client.close().await;
}

/// Each would run for ever, or nearly. The engine cannot interrupt the built-in functions.
const ENDLESS: &[&str] = &[
    "for (;;);",
    "try { for (;;); } finally { for (;;); }",
    "const f = () => { try { f() } finally { f() } }; f()",
    "/(a+)+$/.test('a'.repeat(40) + 'b')",
    "(2n ** (2n ** 24n)).toString()",
    "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; a",
    "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; String(a)",
    "Array(1e6).fill(Array(1e6)).flat()",
    "({ toString() { for (;;); } }) + ''",
    "throw { toString() { for (;;); } }",
    "[].indexOf.call({ length: 2 ** 53 - 1 }, 1)",
    "[].indexOf.call({ length: { valueOf: () => 2 ** 53 - 1 } }, 1)",
    "[].forEach.call({ length: 2 ** 53 - 1 }, x => x)",
    "frames[0].Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
    "Array.prototype.includes.apply({ length: '9007199254740991' }, [1])",
    "Array(4294967295).includes(1)",
    "Array(1e8).fill(0)",
    "Array.from({ length: 4294967294 })",
    "new Set(Array(4294967295))",
    "Array(4294967295) + ''",
    "'x'.repeat(2 ** 28).split('')",
    "Object.entries('x'.repeat(1e6))",
    // Memory.
    "const a = []; for (;;) a.push({ a: [1] })",
    "const a = []; for (;;) a.push('y'.repeat(2e6) + a.length)",
];

#[tokio::test(flavor = "multi_thread")]
async fn an_expression_without_end_is_ended_and_the_page_stays_usable() {
    let site = Site::start().await;
    let client = open(&site).await;
    for expression in ENDLESS {
        let reply = evaluate(&client, expression).await;
        let ended = [ENDED, " is refused", "RangeError"];
        let ended = ended.iter().any(|words| reply.text.contains(words));
        assert!(reply.is_error && ended, "{expression}: {}", reply.text);
        assert_eq!(value(&client, "1 + 1").await, json!(2), "after {expression}");
    }
    let look = client.ok("inspect_tab", json!({})).await;
    let press = json!([{ "type": "click", "element": look.number("button: Press") }]);
    has(&client.ok("browser_interact", json!({ "actions": press })).await.changes, "Pressed");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_read_as_masked() {
    let site = Site::start().await;
    let client = open(&site).await;
    for expression in [
        "document.querySelector('#pw').value",
        "pw.defaultValue",
        "pw.getAttribute('value')",
        "pw.attributes.value.value",
        "pw.attributes.value.nodeValue",
        "login.elements.pw.value",
        "[...document.querySelectorAll('input')].map(i => i.value.split('').join('-'))",
        "pw.outerHTML.split('').join('-')",
        "document.body.innerHTML.split('').reverse().join('-')",
        "document.querySelector('p').textContent.split('').join('-')",
        "document.querySelector('p').firstChild.data.split('').join('-')",
        "document.querySelector('p').getAttribute('data-copy').split('').join('-')",
        "frames[0].document.querySelector('input').value",
        "Object.getOwnPropertyDescriptor(frames[0].HTMLInputElement.prototype, 'value').get.call(pw)",
        "document.cookie.split('').join('-')",
        "localStorage.token.split('').join('-')",
        "JSON.stringify(localStorage)",
        "localStorage.getItem('token').split('').join('-')",
        "frames[0].localStorage.token",
        "Object.values(localStorage)",
        "['sword', 'fish1'].join('')",
    ] {
        let text = client.ok("browser_evaluate", json!({ "expression": expression })).await.text;
        let plain = text.replace('-', "");
        assert!(plain.contains("•••"), "{expression}: {text}");
        for word in ["swordfish1", "1hsifdrows", "frameword2", "cookieword3", "storeword4"] {
            assert!(!plain.contains(word), "{expression}: {text}");
        }
    }
    // What is no secret stays: names of cookies and of what is stored, other fields.
    for (expression, expected) in [
        ("document.cookie", json!("sid=•••")),
        ("Object.keys(localStorage)", json!(["token"])),
        ("localStorage.length", json!(1)),
        ("localStorage.getItem('none')", Value::Null),
        ("user.value", json!("ada")),
    ] {
        assert_eq!(value(&client, expression).await, expected, "{expression}");
    }
    let guess = json!({ "expression": "document.querySelector('[value^=s]') !== null" });
    has(&client.fails("browser_evaluate", guess).await, "a selector that tests value is refused");
    // A field that shows its password now is known to the page script.
    let shown = site.page(
        "<!doctype html><title>Shown</title><input id=pw type=password value=swordfish1>\
        <script>pw.type = 'text'</script>",
    );
    client.ok("browser_navigate", json!({ "url": shown })).await;
    assert_eq!(value(&client, "pw.value.split('').join('-')").await, json!("•-•-•"));
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expression_sees_nothing_of_ours() {
    let site = Site::start().await;
    let client = open(&site).await;
    let ours = "[typeof pagesight, typeof pagesightStart, typeof frames[0].pagesight]";
    assert_eq!(value(&client, ours).await, json!(["undefined", "undefined", "undefined"]));
    assert_eq!(value(&client, "pagesightReading.secret").await, Value::Null);
    // An element of the page with the name of our script.
    let named = site.page("<!doctype html><title>N</title><i id=pagesightReading>x</i>");
    client.ok("browser_navigate", json!({ "url": named })).await;
    assert_eq!(value(&client, "document.querySelector('i').textContent").await, json!("x"));
    // A page that forbids scripts.
    let strict = site.page(
        "<!doctype html><title>S</title><meta http-equiv=Content-Security-Policy \
        content=\"script-src 'none'; require-trusted-types-for 'script'\"><i>y</i>",
    );
    client.ok("browser_navigate", json!({ "url": strict })).await;
    assert_eq!(value(&client, "document.querySelector('i').textContent").await, json!("y"));
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_something_is_the_users_only_the_flag_switches_it_on() {
    let is_offered = async |arguments: &[&str]| {
        let client = Client::start(arguments).await;
        let offered = client.tools().await.iter().any(|tool| tool.name == "browser_evaluate");
        client.close().await;
        offered
    };
    assert!(is_offered(&[]).await);
    assert!(is_offered(&["--allow-file", "--allow-evaluate=read"]).await);
    let secret = ["--secret", "PATH=http://localhost"];
    let endpoint = ["--connect", "http://127.0.0.1:1"];
    let folder = tempfile::tempdir().unwrap();
    let profile = ["--profile", folder.path().to_str().unwrap()];
    for off in [&["--allow-file"][..], &secret, &endpoint, &profile, &["--browser", "firefox"]] {
        assert!(!is_offered(off).await, "{off:?}");
    }
    for (arguments, says) in [
        (vec!["--browser", "firefox", "--allow-evaluate=read"], "Firefox cannot check that an"),
        (vec!["--allow-evaluate=write"], "--allow-evaluate must be read, not \"write\""),
        (vec!["--allow-evaluate="], "--allow-evaluate"),
        (vec!["--allow-evaluate", "--allow-evaluate"], "is given twice; leave one of them out"),
        (vec!["--shared", "--allow-evaluate=read"], "belong to the process"),
    ] {
        let output = outside_ci().arg("mcp").args(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        has(&String::from_utf8_lossy(&output.stderr), says);
    }
}
