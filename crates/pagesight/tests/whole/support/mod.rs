//! What whole-path tests share: a server for the fixtures, and a real MCP client that talks to the
//! real program.

pub mod shop;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::get;
use pagesight_browser::{Engine, discover};
use rmcp::model::{CallToolRequestParams, ContentBlock, Tool};
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt};
use serde_json::Value;

/// The program under test.
pub fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_pagesight"))
}

#[derive(serde::Deserialize)]
struct Page {
    html: String,
}

/// Whether there is no Firefox on this machine; then the test cannot run, and `./test` is told.
pub fn no_firefox() -> bool {
    let told = std::env::var("PAGESIGHT_TEST_NO_FIREFOX").ok();
    let missing =
        told.or_else(|| discover::find(Engine::Firefox).err().map(|error| error.to_string()));
    if let (Some(error), Ok(file)) = (&missing, std::env::var("PAGESIGHT_TEST_SKIPS")) {
        let mut skips = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        std::io::Write::write_all(
            &mut skips,
            format!("whole path with Firefox: {error}\n").as_bytes(),
        )
        .unwrap();
    }
    missing.is_some()
}

/// Serves the fixtures on 127.0.0.1 until it is dropped.
pub struct Site {
    address: SocketAddr,
    task: tokio::task::JoinHandle<()>,
}

impl Site {
    pub async fn start() -> Site {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new()
            .route(
                "/status/{code}",
                get(|Path(code): Path<u16>| async move {
                    (
                        StatusCode::from_u16(code).unwrap(),
                        Html(format!("<title>{code}</title><h1>Error {code}</h1>")),
                    )
                }),
            )
            .route(
                "/never",
                get(|| async {
                    tokio::time::sleep(Duration::from_secs(120)).await;
                    "too late"
                }),
            )
            .route(
                "/pending.html",
                get(|| async { Html("<title>Pending</title><h1>Half</h1><script src=/never></script>") }),
            )
            .route(
                "/file.zip",
                get(|| async {
                    ([(header::CONTENT_DISPOSITION, "attachment; filename=file.zip")], "not really a zip")
                }),
            )
            .route(
                "/delay/{ms}/{name}",
                get(|Path((ms, _)): Path<(u64, String)>| async move {
                    tokio::time::sleep(Duration::from_millis(ms)).await;
                    "late"
                }),
            )
            .route("/nothing", get(|| async { StatusCode::NO_CONTENT }))
            .route(
                "/worker.js",
                get(|| async {
                    let script = "onactivate = (event) => event.waitUntil(clients.claim());
                        onfetch = (event) => { if (event.request.url.endsWith('/by-worker')) event.respondWith(new Promise((done) => setTimeout(() => done(new Response('from the worker')), 900))) }";
                    ([(header::CONTENT_TYPE, "text/javascript")], script)
                }),
            )
            .route("/round", get(|| async { Redirect::temporary("/round") }))
            .route("/page", get(|Query(Page { html }): Query<Page>| async move { Html(html) }))
            .route(
                "/slow.zip",
                get(|| async {
                    let bytes = futures_body();
                    ([(header::CONTENT_DISPOSITION, "attachment; filename=slow.zip")], bytes)
                }),
            )
            .route(
                "/login",
                get(|| async {
                    let challenge = [(header::WWW_AUTHENTICATE, "Basic realm=\"Members\"")];
                    (StatusCode::UNAUTHORIZED, challenge, Html("<h1>Members only</h1>"))
                }),
            )
            .route("/{file}", get(fixture));
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Site { address, task }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// The address of a page that says just this.
    pub fn page(&self, html: &str) -> String {
        let coded: String = html.bytes().map(|byte| format!("%{byte:02X}")).collect();
        self.url(&format!("page?html={coded}"))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A body that begins and does not end for a long time.
fn futures_body() -> axum::body::Body {
    struct Slow(bool);
    impl http_body::Body for Slow {
        type Data = axum::body::Bytes;
        type Error = std::convert::Infallible;
        fn poll_frame(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<http_body::Frame<Self::Data>, Self::Error>>> {
            if std::mem::replace(&mut self.0, true) {
                return std::task::Poll::Pending;
            }
            let bytes = axum::body::Bytes::from(vec![0; 64 * 1024]);
            std::task::Poll::Ready(Some(Ok(http_body::Frame::data(bytes))))
        }
    }
    axum::body::Body::new(Slow(false))
}

async fn fixture(Path(file): Path<String>) -> impl IntoResponse {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    match std::fs::read_to_string(folder.join(&file)) {
        Ok(text) => Html(text).into_response(),
        Err(_) => (StatusCode::NOT_FOUND, Html("<title>Not found</title><h1>Not found</h1>"))
            .into_response(),
    }
}

/// What a tool answered.
#[derive(Debug)]
pub struct Reply {
    /// What it said; of `browser_interact` only the lines of the actions.
    pub text: String,
    /// What the actions changed.
    pub changes: String,
    pub is_error: bool,
    pub image: Option<String>,
}

impl Reply {
    /// The number of the first line that holds these words.
    pub fn number(&self, words: &str) -> String {
        let line = self
            .text
            .lines()
            .find(|line| line.contains(words))
            .unwrap_or_else(|| panic!("no {words:?} in\n{}", self.text));
        let (_, rest) = line.split_once('[').unwrap_or_else(|| panic!("no number in {line:?}"));
        rest.split_once(']').unwrap().0.to_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

/// A real MCP client, connected to the program over standard input and output.
pub struct Client {
    service: RunningService<RoleClient, ()>,
    pub pid: u32,
}

/// The browser that this run of the tests is about: `PAGESIGHT_TEST_ENGINE=firefox` runs them all
/// in Firefox.
pub fn engine() -> Engine {
    match std::env::var("PAGESIGHT_TEST_ENGINE").as_deref() {
        Ok("firefox") => Engine::Firefox,
        Err(_) | Ok("chromium") => Engine::Chromium,
        Ok(other) => panic!("there is no browser called {other}"),
    }
}

/// Whether this run is about Firefox, for the few things that are its own.
pub fn is_firefox() -> bool {
    engine() == Engine::Firefox
}

/// The browser that a program is started with, unless the test itself says which.
fn browser(arguments: &[&str]) -> Vec<String> {
    let said = arguments.iter().any(|argument| ["--browser", "--connect"].contains(argument));
    if said { Vec::new() } else { vec!["--browser".to_owned(), engine().name().to_lowercase()] }
}

impl Client {
    pub async fn start(arguments: &[&str]) -> Client {
        let mut command = tokio::process::Command::new(program());
        command.arg("mcp").args(browser(arguments)).args(arguments);
        let process = TokioChildProcess::new(command).unwrap();
        let pid = process.id().unwrap();
        Client { service: ().serve(process).await.unwrap(), pid }
    }

    /// The same in a folder of its own, which also holds what would be the user's.
    pub async fn start_in(folder: &std::path::Path, arguments: &[&str]) -> Client {
        let mut command = tokio::process::Command::new(program());
        command
            .arg("mcp")
            .args(browser(arguments))
            .args(arguments)
            .current_dir(folder)
            .env("XDG_DATA_HOME", folder);
        let process = TokioChildProcess::new(command).unwrap();
        let pid = process.id().unwrap();
        Client { service: ().serve(process).await.unwrap(), pid }
    }

    pub async fn tools(&self) -> Vec<Tool> {
        self.service.list_all_tools().await.unwrap()
    }

    pub async fn call(&self, tool: &str, arguments: Value) -> Reply {
        let reply = self.call_once(tool, arguments.clone()).await;
        // On a busy machine a browser may be too slow to start; nothing was done then, and the next
        // call starts another.
        let late = reply.is_error && reply.text.contains("did not start: it did not answer within");
        if late { self.call_once(tool, arguments).await } else { reply }
    }

    async fn call_once(&self, tool: &str, arguments: Value) -> Reply {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let result =
            tokio::time::timeout(Duration::from_secs(70), self.service.call_tool(request)).await;
        let result = result.expect("nothing hangs").expect("the protocol works");
        let is_error = result.is_error == Some(true);
        let mut reply =
            Reply { text: String::new(), changes: String::new(), is_error, image: None };
        for block in result.content {
            match block {
                ContentBlock::Text(text) => reply.text.push_str(&text.text),
                ContentBlock::Image(image) => reply.image = Some(image.data),
                _ => {}
            }
        }
        if tool == "browser_interact" {
            reply.changes = reply.text.split_off(verdicts_end(&reply.text));
        }
        reply
    }

    /// A call that must succeed.
    pub async fn ok(&self, tool: &str, arguments: Value) -> Reply {
        let reply = self.call(tool, arguments).await;
        assert!(!reply.is_error, "{tool}: {}", reply.text);
        reply
    }

    /// A call that must fail.
    pub async fn fails(&self, tool: &str, arguments: Value) -> String {
        let reply = self.call(tool, arguments).await;
        assert!(reply.is_error, "{tool} should have failed: {}", reply.text);
        reply.text
    }

    pub async fn close(self) {
        self.service.cancel().await.unwrap();
    }
}

/// Where the lines of the actions end and what they changed begins: a diff, or the outline of
/// another page.
fn verdicts_end(text: &str) -> usize {
    let begins = |line: &str| {
        [
            "changes (",
            "no visible change in text",
            "diff confidence",
            "what changed could",
            "by itself: ",
            "http://",
        ]
        .iter()
        .any(|start| line.starts_with(start))
            || line.contains("  http://")
            || line.contains("  about:blank")
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if begins(line) {
            return at;
        }
        at += line.len();
    }
    at
}

/// Processes whose command line holds `words`, from /proc.
pub fn processes(words: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).replace('\0', " ").contains(words) {
            found.push(pid);
        }
    }
    found
}

fn command_line(pid: u32) -> String {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).into_owned()
}

/// The browser that a program has started: its first process, not the guard over it.
pub fn browser_of(pid: u32) -> u32 {
    let first = |pid: &u32| {
        let line = command_line(*pid);
        let (port, inner) = if is_firefox() {
            ("--remote-debugging-port", "-contentproc")
        } else {
            ("--remote-debugging-pipe", "--type=")
        };
        line.contains(port) && !line.contains(inner) && !line.starts_with("/bin/sh")
    };
    descendants(pid).into_iter().find(first).expect("a browser runs below it")
}

/// The processes that pages live in.
pub fn page_processes(pid: u32) -> Vec<u32> {
    let is_one = |pid: &u32| {
        let line = command_line(*pid);
        if is_firefox() {
            line.contains("-contentproc") && line.trim_end_matches('\0').ends_with("tab")
        } else {
            line.contains("--type=renderer")
        }
    };
    descendants(pid).into_iter().filter(is_one).collect()
}

/// The profile folder of the browser below a process.
pub fn profile_of(pid: u32) -> PathBuf {
    let line = command_line(browser_of(pid));
    let mut words = line.split('\0');
    let named = |word: &str| word.strip_prefix("--user-data-dir=").map(Into::into);
    let folder = if is_firefox() {
        words.skip_while(|word| *word != "--profile").nth(1).map(Into::into)
    } else {
        words.find_map(named)
    };
    folder.expect("it has a profile")
}

/// Ends a process by force.
pub fn kill(pid: u32) {
    std::process::Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();
}

/// Whether a process runs; one that only waits to be buried does not.
pub fn alive(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
    })
}

/// All processes that descend from `pid`.
pub fn descendants(pid: u32) -> Vec<u32> {
    let parent_of = |pid: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let mut all = Vec::new();
    for candidate in processes("") {
        let mut at = candidate;
        while let Some(parent) = parent_of(at) {
            if parent == pid {
                all.push(candidate);
                break;
            }
            if parent <= 1 {
                break;
            }
            at = parent;
        }
    }
    all
}
