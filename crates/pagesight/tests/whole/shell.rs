//! Tests a session in the shell: commands that use one browser, which stays between them; and
//! `mcp --shared`, which uses the same process.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use pagesight_browser::discover::find_chromium;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::lifetime::Theirs;
use crate::support::shop::gone;
use crate::support::{Site, browser_of, command, descendants, has, kill, lacks, processes};

/// Runs a command and returns its exit code, its output and its messages.
pub async fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    ended(command(folder).args(arguments)).await
}

/// Waits until a command ends, and returns the same.
pub async fn ended(command: &mut Command) -> (i32, String, String) {
    let running = command.output();
    let output = tokio::time::timeout(Duration::from_secs(60), running).await.unwrap().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// The processes that the commands of this test started.
fn servers(folder: &Path) -> Vec<u32> {
    let mine = |pid: &u32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment)
            .contains(&format!("XDG_RUNTIME_DIR={}", folder.display()))
    };
    processes("--socket-only").into_iter().filter(mine).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_share_a_page_and_nothing_stays() {
    let (site, place) = (Site::start().await, tempfile::tempdir().unwrap());
    let folder = place.path();
    let url = site.url("forms.html");
    let open = |session: &'static str| {
        let arguments = ["open", &url, "-s", session].map(str::to_owned);
        async move { run(folder, &arguments.each_ref().map(String::as_str)).await }
    };
    // Two at once start one process.
    let (one, two) = tokio::join!(open("one"), open("two"));
    assert_eq!((one.0, two.0), (0, 0), "{one:?} {two:?}");
    let started = servers(folder);
    assert_eq!(started.len(), 1);
    let everything: Vec<u32> = started.iter().flat_map(|pid| descendants(*pid)).collect();
    let look = run(folder, &["look", "-s", "one"]).await;
    assert!(look.1.contains("[1] "), "{look:?}");

    // The same text as MCP, and the exit code of what happened.
    let (code, listed, _) = run(folder, &["sessions"]).await;
    assert_eq!((code, listed.lines().count()), (0, 2), "{listed}");
    let (code, said, _) = run(folder, &["act", "click 9999", "-s", "one"]).await;
    assert_eq!(code, 1, "{said}");
    assert!(said.starts_with("failed: no element has the number 9999"), "{said}");
    let (code, _, said) = run(folder, &["look", "-s", "one", "--headed"]).await;
    assert_eq!(code, 2, "{said}");
    has(&said, "was started without --headed");
    let picture = folder.join("p.png").display().to_string();
    assert_eq!(run(folder, &["shot", &picture, "-s", "one"]).await.0, 0);
    assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG"));

    // The process ends with its last session.
    assert_eq!(run(folder, &["close", "-s", "one"]).await.1, "closed the session\n");
    assert_eq!(run(folder, &["look", "-s", "two"]).await.0, 0);
    assert_eq!(run(folder, &["close", "-s", "two"]).await.0, 0);
    assert!(gone(&started).await && gone(&everything).await);
    assert_eq!(run(folder, &["sessions"]).await.1, "no sessions\n");
    assert_eq!(servers(folder), Vec::<u32>::new(), "asking starts nothing");
}

/// Other users of the machine can read the arguments of a process.
#[tokio::test(flavor = "multi_thread")]
async fn the_token_of_an_address_is_in_no_argument() {
    let (site, place) = (Site::start().await, tempfile::tempdir().unwrap());
    let folder = place.path();
    let theirs = Theirs::start(&site.url("dashboard.html"), "Dashboard - MyApp");
    let (url, address) = (site.url("done.html"), format!("{}/?token=hush", theirs.address));
    let (code, said, error) = run(folder, &["open", &url, "--connect", &address]).await;
    assert_eq!(code, 0, "{error}");
    has(&said, "Thank you");
    let started = servers(folder);
    assert_eq!(started.len(), 1);
    assert!(!started.iter().any(|pid| processes("hush").contains(pid)), "in the arguments");
    assert_eq!(run(folder, &["look", "--connect", &address]).await.0, 0, "the same address");
    let other = format!("{address}-other");
    let (code, _, error) = run(folder, &["look", "--connect", &other]).await;
    assert_eq!(code, 2, "{error}");
    has(&error, &format!("was started with --connect {}/?token=…", theirs.address));
    lacks(&error, "hush");
    assert_eq!(run(folder, &["close", "--all"]).await.0, 0);
    assert!(gone(&started).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_process_is_replaced_and_reported() {
    let (site, place) = (Site::start().await, tempfile::tempdir().unwrap());
    let folder = place.path();
    let url = site.url("done.html");
    assert_eq!(run(folder, &["open", &url]).await.0, 0);
    let started = servers(folder);
    let browser: Vec<u32> = started.iter().flat_map(|pid| descendants(*pid)).collect();
    assert!(!browser.is_empty());
    started.iter().for_each(|pid| kill(*pid));
    assert!(gone(&browser).await, "the browser ends with the process");
    let (code, said, note) = run(folder, &["open", &url]).await;
    assert_eq!(code, 0, "{note}");
    has(&said, "Thank you");
    has(&note, "references are new");
    assert_eq!(run(folder, &["close", "--all"]).await.1, "closed all sessions\n");
    assert!(gone(&servers(folder)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_cannot_be_restarted_is_reported_as_ended() {
    let (site, place) = (Site::start().await, tempfile::tempdir().unwrap());
    let folder = place.path();
    // The process inherits the name of the browser, which can be taken away.
    let (program, browser) = (find_chromium().unwrap(), folder.join("browser"));
    std::fs::write(&browser, format!("#!/bin/sh\nexec '{}' \"$@\"\n", program.display())).unwrap();
    std::fs::set_permissions(&browser, PermissionsExt::from_mode(0o755)).unwrap();
    let url = site.url("done.html");
    let opened = command(folder).env("PAGESIGHT_BROWSER", &browser).args(["open", &url]).output();
    assert!(opened.await.unwrap().status.success());
    std::fs::remove_file(&browser).unwrap();
    let ended = browser_of(servers(folder)[0]);
    kill(ended);
    assert!(gone(&[ended]).await);
    // The process may learn of the end only while a call runs; the next call finds out the rest.
    let (mut code, _, mut said) = run(folder, &["look"]).await;
    while said.contains("the next call starts a new one") {
        (code, _, said) = run(folder, &["look"]).await;
    }
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("(the browser had ended; its tabs and references are gone)"), "{said}");
    assert_eq!(run(folder, &["close", "--all"]).await.0, 0);
}

/// The names of tools, which no answer of a command contains.
const TOOLS: [&str; 14] = [
    "browser_navigate",
    "inspect_tab",
    "browser_interact",
    "expand_dom_selector",
    "take_snapshot",
    "get_dom_fingerprint",
    "compare_dom_fingerprint",
    "dom_baselines",
    "take_screenshot",
    "get_page_info",
    "page_log",
    "browser_tabs",
    "experimental_features",
    "browser_evaluate",
];

#[tokio::test(flavor = "multi_thread")]
async fn answers_name_commands_and_never_tools() {
    let (site, place) = (Site::start().await, tempfile::tempdir().unwrap());
    let folder = place.path();
    std::fs::create_dir(folder.join(".git")).unwrap();
    let rows: String = (0..300).map(|n| format!("<li><a href='#{n}'>Item {n}</a></li>")).collect();
    let page = site.page(&format!(
        "<title>List</title><button onclick=\"confirm('Sure?')\">Ask</button><ul>{rows}</ul>\
         <script>for (let n = 0; n < 99; n++) console.error('broken ' + n + ' '.repeat(9) + 'x'.repeat(99));</script>"
    ));
    let mut answers = Vec::new();
    for (arguments, code) in [
        (&["look"][..], 0),
        (&["open", &page], 0),
        (&["look"], 0),
        (&["look", "--max-tokens", "200"], 0),
        (&["look", "--scope", "no-such"], 2),
        (&["look", "--scope", "9999"], 1),
        (&["look", "--max-tokens", "5"], 2),
        (&["element", "button"], 0),
        (&["element", "9999"], 1),
        (&["element", "x y z"], 2),
        (&["snapshot", "--max-tokens", "300"], 0),
        (&["snapshot", "--metrics"], 0),
        (&["info"], 0),
        (&["log", "--max-tokens", "200"], 0),
        // No list of links has to be in a landmark.
        (&["audit", "--max-tokens", "200"], 1),
        (&["audit", "--scope", "9999"], 1),
        (&["log", "--request", "r999"], 2),
        (&["compare", "--against", "none"], 2),
        (&["compare", "--against", "last"], 2),
        (&["fingerprint", "--save", "home"], 0),
        (&["compare", "--against", "home"], 0),
        (&["tabs"], 0),
        (&["tabs", "select", "none"], 2),
        (&["act", "click 9999"], 1),
        (&["act", "{\"type\": \"click\", \"element\": {}}"], 2),
        (&["act", "jump 3"], 2),
        (&["act", "click No such button"], 1),
        (&["resize", "390x844"], 0),
        (&["eval", "document.title = 'x'"], 2),
        (&["eval", "document.title"], 0),
        (&["eval", "1", "--max-tokens", "5"], 2),
        (&["log", "--since", "start"], 0),
        (&["act", "click 1"], 0),
        (&["look"], 2),
        (&["act", "dialog accept"], 0),
        (&["act", "upload 1 a.txt"], 1),
        (&["shot", "--scope", "9999"], 1),
        (&["open", "http://127.0.0.1:1/"], 2),
        (&["open", "file:///etc/hosts"], 2),
        (&["tabs", "new", "http://127.0.0.1:1/"], 2),
        (&["back"], 0),
        (&["forward"], 0),
        (&["reload"], 0),
    ] {
        for output in ["text", "json"] {
            let again = [arguments, &["--output", output]].concat();
            // A dialog opens and closes once, and the numbers are those of one page.
            let steers = ["act", "open", "back", "forward", "reload"];
            if output == "json" && steers.contains(&arguments[0]) {
                continue;
            }
            let (ended, out, error) = run(folder, &again).await;
            assert_eq!(ended, code, "{again:?}: {out}{error}");
            let named = TOOLS.iter().find(|tool| out.contains(*tool) || error.contains(*tool));
            assert_eq!(named, None, "{again:?}: {out}{error}");
            if output == "json" && code == 0 {
                let data: Value = serde_json::from_str(&out).unwrap();
                assert!(data.get("content").is_none(), "{again:?}: {out}");
            } else if output == "text" {
                assert!(!out.starts_with(['{']), "{again:?}: {out}");
            }
            answers.push(out + &error);
        }
    }
    let all = answers.join("\n");
    has(&all, " — pagesight look --scope ");
    has(&all, "answer it with pagesight act 'dialog accept'");
    assert_eq!(run(folder, &["close", "--all"]).await.0, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn data_of_a_session_has_one_form() {
    let (site, place) = (Site::start().await, tempfile::tempdir().unwrap());
    let folder = place.path();
    let page = site.page(
        "<title>Form</title><h1>Sign up</h1><input aria-label=Name>\
         <button onclick=\"document.querySelector('p').textContent = 'Saved'\">Save</button>\
         <p role=status></p>",
    );
    let data = async |arguments: &[&str]| {
        let arguments = [arguments, &["--output", "json"]].concat();
        let (code, out, error) = run(folder, &arguments).await;
        assert_eq!(code, 0, "{arguments:?}: {out}{error}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    let lines = json!([
        {"depth": 0, "role": "heading", "level": 1, "name": "Sign up", "states": []},
        {"number": 1, "depth": 0, "role": "textbox", "name": "Name", "value": "", "states": []},
        {"number": 2, "depth": 0, "role": "button", "name": "Save", "states": []},
    ]);
    for answer in [data(&["open", &page]).await, data(&["look"]).await] {
        assert_eq!((&answer["version"], &answer["title"]), (&json!(1), &json!("Form")), "{answer}");
        assert_eq!(answer["lines"], lines, "{answer}");
        assert_eq!((&answer["problems"], &answer["changes"]), (&json!([]), &json!([])), "{answer}");
        has(answer["text"].as_str().unwrap(), "[2] button: Save");
    }
    let acted = data(&["act", "fill 1 Ada", "click 2"]).await;
    assert_eq!((&acted["title"], &acted["lines"]), (&json!("Form"), &json!([])), "{acted}");
    assert!(acted["url"].as_str().is_some_and(|url| !url.is_empty()), "{acted}");
    has(&acted["changes"].to_string(), "status: Saved");
    let look = data(&["look", "name"]).await;
    assert_eq!(look["lines"][0]["value"], "Ada", "{look}");
    let tabs = data(&["tabs"]).await;
    assert_eq!(tabs["tabs"][0]["active"], true, "{tabs}");
    assert_eq!(data(&["info"]).await["title"], "Form");
    assert_eq!(run(folder, &["close", "--all"]).await.0, 0);
}

/// Sends a request to the process as a program of version 0.0.1 would, and returns the answer.
async fn ask_as_older(folder: &Path) -> Value {
    let socket = folder.join("pagesight/pagesight.sock");
    let stream = tokio::net::UnixStream::connect(socket).await.unwrap();
    let mut stream = BufReader::new(stream);
    let request = json!({"protocol": 1, "version": "0.0.1", "options": {}, "ask": "list"});
    stream.write_all(format!("{request}\n").as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_line(&mut answer).await.unwrap();
    serde_json::from_str(&answer).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_of_a_different_version_is_replaced_if_nobody_uses_it() {
    let (site, place) = (Site::start().await, tempfile::tempdir().unwrap());
    let folder = place.path();
    let url = site.url("done.html");
    let open = ["open", &url];
    assert_eq!(run(folder, &open).await.0, 0);
    let started = servers(folder);
    // In use: it says so and stays.
    let answer = ask_as_older(folder).await;
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(answer, json!({"version": {"version": version, "idle": false}}));
    assert_eq!(run(folder, &["look"]).await.0, 0);
    assert_eq!(servers(folder), started);
    // Idle: it ends and leaves its place.
    assert_eq!(run(folder, &["close"]).await.0, 0);
    assert_eq!(ask_as_older(folder).await["version"]["idle"], true);
    assert!(gone(&started).await);

    // The other side: the process is of a different version, in use first and then not.
    let socket = folder.join("pagesight/pagesight.sock");
    for idle in [false, true] {
        let listener = tokio::net::UnixListener::bind(&socket).unwrap();
        let path = socket.clone();
        let older = tokio::spawn(async move {
            // A command first tries whether anybody listens.
            let mut stream = loop {
                let mut stream = BufReader::new(listener.accept().await.unwrap().0);
                if stream.read_line(&mut String::new()).await.unwrap() > 0 {
                    break stream;
                }
            };
            let answer = json!({"version": {"version": "9.9.9", "idle": idle}});
            stream.write_all(format!("{answer}\n").as_bytes()).await.unwrap();
            std::fs::remove_file(path).unwrap();
        });
        let (code, said, messages) = run(folder, &open).await;
        older.await.unwrap();
        if idle {
            assert_eq!(code, 0, "{messages}");
            has(&said, "Thank you");
            continue;
        }
        assert_eq!(code, 2, "{said}");
        has(&messages, "a pagesight 9.9.9 is running and in use");
        assert_eq!(servers(folder), Vec::<u32>::new());
    }
    assert_eq!(run(folder, &["close", "--all"]).await.0, 0);
}

/// A client of `mcp --shared`.
struct SharedClient {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl SharedClient {
    async fn start(folder: &Path) -> SharedClient {
        let mut command = command(folder);
        command.args(["mcp", "--shared"]);
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut process = command.spawn().unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut client = SharedClient { process, input, output };
        let info = json!({"name": "test", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        client.ask("initialize", params).await;
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        client.input.write_all(format!("{done}\n").as_bytes()).await.unwrap();
        client
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        self.input.write_all(format!("{request}\n").as_bytes()).await.unwrap();
        let answer = tokio::time::timeout(Duration::from_secs(60), self.output.next_line());
        serde_json::from_str(&answer.await.unwrap().unwrap().unwrap()).unwrap()
    }

    /// Calls a tool and returns all of its text.
    async fn call(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        let blocks = answer["result"]["content"].as_array().unwrap_or_else(|| panic!("{answer}"));
        blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn shared_clients_have_private_workspaces_in_one_browser() {
    let (site, place) = (Site::start().await, tempfile::tempdir().unwrap());
    let folder = place.path();
    let mut one = SharedClient::start(folder).await;
    let mut two = SharedClient::start(folder).await;
    assert_eq!(servers(folder), Vec::<u32>::new(), "a handshake starts nothing");
    let open = |path: &str| json!({ "url": site.url(path) });
    let opened = one.call("browser_navigate", open("done.html")).await;
    has(&opened, "Thank you");
    two.call("browser_navigate", open("forms.html")).await;
    assert_eq!(servers(folder).len(), 1);
    let tabs = one.call("browser_tabs", json!({"action": "list"})).await;
    assert!(tabs.contains("done.html") && !tabs.contains("forms.html"), "{tabs}");

    // The process is killed: the next call starts a new one and says so.
    let killed = servers(folder);
    killed.iter().for_each(|pid| kill(*pid));
    assert!(gone(&killed).await);
    // Its threads may take a moment longer to leave the socket.
    let socket = folder.join("pagesight/pagesight.sock");
    while std::os::unix::net::UnixStream::connect(&socket).is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let again = one.call("browser_navigate", open("done.html")).await;
    assert!(again.starts_with("the pagesight process had ended"), "{again}");
    let look = one.call("inspect_tab", json!({})).await;
    assert!(!look.contains("had ended") && look.contains("Thank you"), "{look}");

    // A private workspace ends with its client, also if the client is killed.
    let (_, listed, _) = run(folder, &["sessions"]).await;
    assert_eq!(listed.lines().count(), 1, "{listed}");
    let started = servers(folder);
    let everything: Vec<u32> = started.iter().flat_map(|pid| descendants(*pid)).collect();
    one.process.start_kill().unwrap();
    two.process.start_kill().unwrap();
    assert!(gone(&started).await && gone(&everything).await);
}
