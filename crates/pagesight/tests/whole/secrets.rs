//! Tests secrets that an agent types by name: they reach the page, only in the given origins, and
//! nothing that is written contains them, whatever the page does with them.

use std::path::Path;

use serde_json::json;

use crate::support::{Client, Reply, Site, has, lacks, outside_ci};

/// The value has characters that every encoding writes differently.
const VALUE: &str = "Tr0ub4dor&\"3ä/x <y>";
/// The part of it that all encodings write the same way.
const CORE: &str = "Tr0ub4dor";

/// Fields, a frame of a different origin, and a button that repeats the value wherever it can.
const PAGE: &str = r#"<title>Login</title><h1>Login</h1>
<label>User <input id=user></label><label>Password <input id=password type=password></label>
<label>Notes <textarea id=notes></textarea></label><label>Day <input id=day type=date></label>
<div id=rich contenteditable role=textbox aria-label=Rich>old</div>
<button id=check>Check</button> <button id=echo>Echo</button> <button id=alert>Alert</button>
<a id=go href=/>Go</a> <p role=status id=arrived>nothing</p><main id=out></main>
<iframe name=other src="OTHER" width=400 height=100></iframe>
<script>
const expected = new TextDecoder().decode(Uint8Array.from(atob('BASE64'), (c) => c.charCodeAt(0)));
const field = (id) => document.getElementById(id);
let kept = '';
field('check').onclick = () => {
  const got = [field('user').value, field('password').value, field('rich').textContent];
  const notes = field('notes').value === 'x ' + expected + ' ${OTHER} ${';
  field('arrived').textContent = got.every((one) => one === expected) && notes ? 'all arrived' : 'wrong';
  kept = field('password').value;
};
field('echo').onclick = () => {
  for (const id of ['user', 'password', 'notes']) field(id).value = '';
  field('rich').textContent = '';
  const coded = encodeURIComponent(kept), html = kept.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const add = (tag, set) => { const el = document.createElement(tag); set(el); field('out').append(el); };
  add('h2', (el) => el.textContent = 'Hello ' + kept);
  add('p', (el) => el.textContent = JSON.stringify({ password: kept, again: JSON.stringify(kept) }));
  add('p', (el) => el.textContent = html + ' and ' + coded + ' and ' + encodeURIComponent(coded));
  add('button', (el) => { el.ariaLabel = 'Log out ' + kept; el.title = kept; el.dataset.user = kept; });
  add('a', (el) => { el.textContent = 'link'; el.href = '/x/' + coded + '?next=' + coded + '#' + coded; });
  add('select', (el) => el.append(new Option('Option ' + kept, kept)));
  add('input', (el) => { el.value = 'v ' + kept; el.placeholder = kept; el.id = 'id-' + coded; });
  add('label', (el) => el.append(Object.assign(document.createElement('input'), { type: 'checkbox' }), 'Keep ' + kept));
  add('p', (el) => el.textContent = 'x'.repeat(300) + kept);
  add('div', (el) => el.attachShadow({ mode: 'closed' }).textContent = 'shadow ' + kept);
  add('iframe', (el) => { el.srcdoc = '<p>frame ' + html + '</p><p>' + html; el.title = kept; });
  document.title = 'Title ' + kept;
  history.pushState(null, '', '?user=' + coded + '#/' + coded);
  console.error('failed for', kept, { kept });
  console.error(new Error('thrown ' + kept));
  setTimeout(() => { throw new Error('later ' + kept); });
  fetch('/status/404?user=' + coded, { method: 'POST', body: kept });
  fetch('/nowhere/' + coded);
  setTimeout(() => add('p', (el) => el.textContent = 'late ' + kept), 1500);
};
field('alert').onclick = () => alert('Alert ' + kept);
field('go').onclick = (event) => {
  event.preventDefault();
  location.href = '/page?html=' + encodeURIComponent('<title>' + kept + '</title><h1>' + kept.replaceAll('<', '&lt;'));
};
</script>"#;

/// A value with a letter that nothing else has.
const SPREAD: &str = "Tr0ub4dЖr-é567";

/// A page that shows a value in every way except as it is. The base64 of it is in its address.
const SPREAD_PAGE: &str = r#"<h1>Spread</h1><main id=out></main><script>
const kept = new TextDecoder().decode(Uint8Array.from(atob('BASE64'), (c) => c.charCodeAt(0)));
const out = document.getElementById('out');
const add = (tag, parts, set) => {
  const el = document.createElement(tag);
  el.append(...parts);
  set?.(el);
  return el;
};
const letters = (tag, set) => [...kept].map((letter) => add(tag, [letter], (el) => set?.(el, letter)));
const wbr = () => add('wbr', []);
out.append(
  add('p', [kept.slice(0, 4), wbr(), kept.slice(4, 9), wbr(), kept.slice(9)]),
  add('button', [kept.slice(0, 7), wbr(), kept.slice(7)]),
  add('p', letters('b')), add('div', letters('div')), add('ul', letters('li')),
  add('div', letters('button')), add('div', letters('h3')),
  add('p', letters('i', (el, letter) => { el.title = letter; el.dataset.char = letter; })),
  add('p', letters('input', (el, letter) => { el.value = letter; el.ariaLabel = letter; })),
  add('p', [[...kept].join('\u200b')]), add('p', [[...kept].join('\u00ad')]),
  add('p', [kept.normalize('NFD')]),
  add('button', [kept.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))]),
);
document.title = 'T ' + [...kept].join(' ');
console.error([...kept].join(' '), ...kept);
setTimeout(() => out.append(add('p', letters('b'))), 800);
</script>"#;

/// Everything that was answered.
#[derive(Default)]
struct Answers(String);

impl Answers {
    fn add(&mut self, reply: Reply) -> String {
        let text = format!("{}{}", reply.text, reply.changes);
        lacks(&text, CORE);
        self.0 += &text;
        text
    }
}

/// Fails if a file below a folder contains the value.
fn search(folder: &Path) -> usize {
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            count += search(&path);
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let found = bytes.windows(CORE.len()).position(|part| part == CORE.as_bytes());
        let around = found.map(|at| {
            let part = &bytes[at.saturating_sub(200)..(at + 200).min(bytes.len())];
            String::from_utf8_lossy(part).into_owned()
        });
        assert_eq!(around, None, "{}", path.display());
        count += 1;
    }
    count
}

/// Returns the number of the element in whose line a text is.
fn number(outline: &str, text: &str) -> u32 {
    let line = outline.lines().find(|line| line.contains(text));
    let line = line.unwrap_or_else(|| panic!("no {text} in {outline}"));
    line.trim_start().strip_prefix('[').unwrap().split(']').next().unwrap().parse().unwrap()
}

fn page(site: &Site) -> String {
    use base64::Engine;
    let other = site.page("<label>Code <input></label>").replace("127.0.0.1", "localhost");
    let value = base64::engine::general_purpose::STANDARD.encode(VALUE);
    site.page(&PAGE.replace("OTHER\"", &format!("{other}\"")).replace("BASE64", &value))
}

both_engines!(a_download_is_not_stored_under_a_secret);
async fn a_download_is_not_stored_under_a_secret() {
    let word = format!("{CORE}-22");
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let secret = format!("LOGIN={}", site.url("").trim_end_matches('/'));
    let log = folder.path().join("stderr.log");
    let arguments = ["--secret", &secret];
    let client = Client::start_logged(folder.path(), &arguments, &[("LOGIN", &word)], &log).await;
    let html = format!("<a download='of {word}.txt' href='data:text/plain,x'>Save</a>");
    let mut seen = client.ok("browser_navigate", json!({ "url": site.page(&html) })).await.text;
    let save = json!({ "type": "click", "element": number(&seen, "link: Save") });
    seen = client.ok("browser_interact", json!({ "actions": [save] })).await.text;
    while !seen.contains("downloaded ") {
        seen = client.ok("inspect_tab", json!({})).await.text;
    }
    lacks(&seen, CORE);
    has(&seen, "downloaded of ${LOGIN}.txt (1 B) to ");
    let path = seen.split(" (1 B) to ").nth(1).and_then(|rest| rest.lines().next()).unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), "x", "{path}");
    let stored = std::fs::read_dir(Path::new(path).parent().unwrap()).unwrap();
    let names: Vec<_> = stored.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["of __LOGIN_.txt"]);
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_reaches_its_page_and_nothing_else() {
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let origin = site.url("").trim_end_matches('/').to_owned();
    let secret = format!("LOGIN={origin}");
    let log = folder.path().join("stderr.log");
    let client = Client::start_logged(
        folder.path(),
        &["--allow-evaluate", "--secret", &secret],
        &[("LOGIN", VALUE), ("PAGESIGHT_LOG", "debug")],
        &log,
    )
    .await;
    let mut all = Answers::default();
    all.add(client.ok("browser_navigate", json!({ "url": page(&site) })).await);
    let seen = all.add(client.ok("inspect_tab", json!({})).await);
    let (user, password) = (number(&seen, "textbox: User"), number(&seen, "textbox: Password"));
    let (notes, rich) = (number(&seen, "textbox: Notes"), number(&seen, "textbox: Rich"));

    // A document of a different origin gets nothing, and neither does a date.
    let code = number(&seen, "textbox: Code");
    for kind in ["fill", "type"] {
        let action = json!({ "type": kind, "element": code, "text": "a${LOGIN}" });
        let refused = client.fails("browser_interact", json!({ "actions": [action] })).await;
        let elsewhere = origin.replace("127.0.0.1", "localhost");
        let words = format!(
            "failed: [{code}] textbox: Code is in a document of {elsewhere}, and ${{LOGIN}} may be typed only in {origin}; nothing was typed"
        );
        assert!(refused.starts_with(&words), "{refused}");
    }
    let day = json!({ "type": "fill", "element": number(&seen, ": Day"), "text": "${LOGIN}" });
    let refused = client.fails("browser_interact", json!({ "actions": [day] })).await;
    has(&refused, "is not a text field, so ${LOGIN} was not typed");
    let code_line = all.add(client.ok("inspect_tab", json!({ "query": "Code" })).await);
    assert!(
        code_line.contains("textbox: Code = \"\"") || !code_line.contains(" = "),
        "{code_line}"
    );

    let filled = client
        .ok(
            "browser_interact",
            json!({ "actions": [
                { "type": "fill", "fields": [
                    { "element": user, "text": "${LOGIN}" },
                    { "element": password, "text": "${LOGIN}" },
                    { "element": rich, "text": "${LOGIN}" },
                ] },
                { "type": "type", "element": notes, "text": "x ${LOGIN} ${OTHER} ${" },
                { "type": "click", "element": number(&seen, "button: Check") },
            ] }),
        )
        .await;
    let filled = all.add(filled);
    for line in [
        format!("filled [{user}] textbox: User = \"•••\""),
        format!("filled [{password}] textbox: Password = \"•••\""),
        format!("typed \"x ${{LOGIN}} ${{OTHER}} ${{\" in [{notes}] textbox: Notes = \"•••\""),
        "all arrived".to_owned(),
    ] {
        assert!(filled.contains(&line), "{line}: {filled}");
    }

    let echo = json!([{ "type": "click", "element": number(&seen, "button: Echo") }]);
    let echoed = all.add(client.ok("browser_interact", json!({ "actions": echo })).await);
    has(&echoed, "Hello");
    look_at_everything(&client, &mut all).await;
    let late = json!([{ "type": "wait", "text": "late" }]);
    all.add(client.ok("browser_interact", json!({ "actions": late })).await);
    look_at_everything(&client, &mut all).await;

    // An element is usable although its name is hidden.
    let seen = all.add(client.ok("inspect_tab", json!({})).await);
    let hidden = number(&seen, "button: Log out ");
    let click = json!([{ "type": "click", "element": hidden }]);
    all.add(client.ok("browser_interact", json!({ "actions": click })).await);
    let keep = number(&seen, "checkbox: Keep ");
    for kind in ["check", "uncheck"] {
        let action = json!([{ "type": kind, "element": keep }]);
        let ticked = all.add(client.ok("browser_interact", json!({ "actions": action })).await);
        assert!(ticked.starts_with(&format!("{kind}ed [{keep}] checkbox: Keep ")), "{ticked}");
    }

    let alert = json!([{ "type": "click", "element": number(&seen, "button: Alert") }]);
    let opened = all.add(client.ok("browser_interact", json!({ "actions": alert })).await);
    has(&opened, "opened dialog (alert): \"Alert ${LOGIN}\"");
    all.add(client.call("inspect_tab", json!({})).await);
    let accept = json!([{ "type": "dialog", "accept": true }]);
    all.add(client.ok("browser_interact", json!({ "actions": accept })).await);

    // The next document does not know the fields; the session knows the value.
    let go = json!([{ "type": "click", "element": number(&seen, "link: Go") }]);
    let went = all.add(client.ok("browser_interact", json!({ "actions": go })).await);
    assert!(went.contains("\"${LOGIN}\"") || went.contains("${LOGIN}"), "{went}");
    look_at_everything(&client, &mut all).await;
    all.add(client.ok("browser_navigate", json!({ "action": "reload" })).await);
    let seen = all.add(client.ok("inspect_tab", json!({})).await);
    has(&seen, "heading 1: ${LOGIN}");

    // In an expression a name is plain text.
    let plain = json!({ "expression": "'${LOGIN}'.length" });
    assert_eq!(all.add(client.ok("browser_evaluate", plain).await), "8");
    client.close().await;
    assert!(search(folder.path()) >= 2, "the log and the baselines are there");
    let logged = std::fs::read_to_string(&log).unwrap();
    assert!(!logged.is_empty(), "debug messages are logged");
}

/// Calls every tool that reads.
async fn look_at_everything(client: &Client, all: &mut Answers) {
    for (tool, arguments) in [
        ("inspect_tab", json!({ "fold": false, "max_tokens": 8000 })),
        ("inspect_tab", json!({ "query": "Hello link option" })),
        ("inspect_tab", json!({ "max_tokens": 200 })),
        ("take_snapshot", json!({})),
        ("take_snapshot", json!({ "format": "json", "metrics": true })),
        ("get_dom_fingerprint", json!({ "depth": "detailed", "save_as": "home" })),
        ("compare_dom_fingerprint", json!({ "against": "home" })),
        ("dom_baselines", json!({ "action": "show", "name": "home" })),
        ("get_page_info", json!({})),
        ("browser_tabs", json!({ "action": "list" })),
        ("browser_evaluate", json!({ "expression": "document.documentElement.outerHTML" })),
        (
            "browser_evaluate",
            json!({ "expression": "({ url: location.href, [document.title]: [document.title] })" }),
        ),
        ("browser_evaluate", json!({ "expression": "throw new Error(document.title)" })),
        ("take_screenshot", json!({ "annotate": true })),
        (
            "browser_interact",
            json!({ "actions": [{ "type": "wait", "text": "no such text", "timeout_ms": 50 }] }),
        ),
        ("inspect_tab", json!({ "scope": "no-such-element" })),
    ] {
        all.add(client.call(tool, arguments).await);
    }
    let seen = client.ok("inspect_tab", json!({ "fold": false })).await;
    let seen = all.add(seen);
    let numbers: Vec<&str> = seen
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('[')?.split(']').next())
        .collect();
    for number in numbers {
        all.add(client.call("expand_dom_selector", json!({ "elementId": number })).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_writes_no_secret() {
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let steps = format!(
        r##"[[page]]
name = "echo"
url = '{}'
actions = [
  {{ type = "fill", element = "#user", text = "${{LOGIN}}" }},
  {{ type = "fill", element = "#password", text = "${{LOGIN}}" }},
  {{ type = "click", element = "#check" }},
  {{ type = "click", element = "#echo" }},
  {{ type = "wait", text = "late" }},
]
"##,
        page(&site)
    );
    std::fs::write(folder.path().join("pages.toml"), steps).unwrap();
    for (run, update) in [("first", false), ("second", true)] {
        let mut command = tokio::process::Command::from(outside_ci());
        command.current_dir(folder.path()).env("XDG_DATA_HOME", folder.path().join("data"));
        command.env("LOGIN", VALUE).env("PAGESIGHT_LOG", "debug");
        command.args(["check", "--report", "report.html", "--junit", "junit.xml"]);
        command.args(["--output", "json"]);
        if update {
            command.arg("--update");
        }
        let done = command.output().await.unwrap();
        for (stream, bytes) in [("stdout", &done.stdout), ("stderr", &done.stderr)] {
            let text = String::from_utf8_lossy(bytes);
            assert!(!text.contains(CORE), "{run} {stream}: {text}");
        }
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{run}: {said}");
    }
    let text = std::fs::read_to_string(folder.path().join("junit.xml")).unwrap();
    has(&text, "echo");
    // The configuration has the name only; reports and baselines have nothing.
    assert!(search(folder.path()) >= 4);
}

/// Fails if a text or a file below a folder has a part of the value that nothing else has.
fn lacks_spread(text: &str, folder: &Path) {
    let letter = "Ж";
    lacks(text, letter);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            lacks_spread("", &path);
        } else {
            let bytes = std::fs::read(&path).unwrap();
            assert!(!String::from_utf8_lossy(&bytes).contains(letter), "{}", path.display());
        }
    }
}

fn spread_page(site: &Site) -> String {
    use base64::Engine;
    let value = base64::engine::general_purpose::STANDARD.encode(SPREAD);
    site.page(&SPREAD_PAGE.replace("BASE64", &value))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_a_page_spreads_is_in_no_answer_and_no_file() {
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let secret = format!("LOGIN={}", site.url("").trim_end_matches('/'));
    let log = folder.path().join("stderr.log");
    let variables = [("LOGIN", SPREAD), ("PAGESIGHT_LOG", "debug")];
    let client =
        Client::start_logged(folder.path(), &["--secret", &secret], &variables, &log).await;
    let mut said = String::new();
    let went = client.ok("browser_navigate", json!({ "url": spread_page(&site) })).await;
    said += &went.text;
    for wait in [1, 900] {
        let wait = json!([{ "type": "wait", "ms": wait }]);
        let waited = client.call("browser_interact", json!({ "actions": wait })).await;
        said += &format!("{}{}", waited.text, waited.changes);
        for (tool, arguments) in [
            ("inspect_tab", json!({ "fold": false, "max_tokens": 8000 })),
            ("inspect_tab", json!({ "query": "Spread" })),
            ("take_snapshot", json!({ "max_tokens": 8000 })),
            ("take_snapshot", json!({ "format": "json" })),
            ("get_dom_fingerprint", json!({ "depth": "detailed", "save_as": "home" })),
            ("dom_baselines", json!({ "action": "show", "name": "home" })),
            ("page_log", json!({})),
            ("browser_tabs", json!({ "action": "list" })),
            ("get_page_info", json!({})),
        ] {
            said += &client.ok(tool, arguments).await.text;
        }
        let seen = client.ok("inspect_tab", json!({ "fold": false })).await.text;
        for line in seen.lines().filter(|line| line.contains("${LOGIN}")) {
            let Some((number, _)) = line.trim_start()[1..].split_once(']') else { continue };
            said += &client.call("expand_dom_selector", json!({ "elementId": number })).await.text;
        }
        // An element is usable although its name is hidden.
        let hidden = number(&seen, "button: ${LOGIN}");
        let click = json!([{ "type": "click", "element": hidden }]);
        said += &client.ok("browser_interact", json!({ "actions": click })).await.text;
        said += &seen;
    }
    client.close().await;
    has(&said, "${LOGIN}");
    lacks_spread(&said, folder.path());

    let steps = format!(
        "[[page]]\nname = \"spread\"\nurl = '{}'\n[[page]]\nname = \"named\"\n\
         url = \"data:text/html,<h1>a${{LOGIN}}</h1>\"\n",
        spread_page(&site)
    );
    std::fs::write(folder.path().join("pages.toml"), steps).unwrap();
    let mut command = tokio::process::Command::from(outside_ci());
    command.current_dir(folder.path()).env("LOGIN", SPREAD);
    command.args(["check", "--update", "--report", "report.html", "--output", "json"]);
    let done = command.output().await.unwrap();
    lacks_spread(&String::from_utf8_lossy(&done.stdout), folder.path());
    let shown = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_secrets_are_one_sentence() {
    for (arguments, says) in [
        (&["--secret", "LOGIN"][..], "--secret: the secret LOGIN has no origin"),
        (&["--secret", "LOGIN=shop.example"], "--secret: \"shop.example\" is not an origin"),
        (&["--secret", "NO_SUCH_NAME=https://a"], "--secret: there is no value for NO_SUCH_NAME"),
        (&["--secret-file", "none"], "--secret-file: none is not used; add --secret NAME=ORIGIN"),
        (
            &["--secret", "LOGIN=https://a", "--secret-file", "none"],
            "--secret-file: cannot read none",
        ),
    ] {
        let mut command = tokio::process::Command::from(outside_ci());
        let done = command.arg("mcp").args(arguments).env("LOGIN", VALUE).output().await.unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(says) && said.trim().lines().count() == 1, "{arguments:?}: {said}");
        lacks(&said, CORE);
    }
}
