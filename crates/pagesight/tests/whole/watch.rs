//! Tests `pagesight watch` through the whole program: a page is re-rendered in place and by reload,
//! and its server goes down and comes back.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::support::{alive, descendants, outside_ci};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::Html;
use axum::routing::get;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Longer than any message may take, also on a busy machine.
const LONG: Duration = Duration::from_secs(30);
const PAGE: &str = "<!doctype html><title>App</title><main>CONTENT</main><script>
    new EventSource('/events').onmessage = ({ data }) => {
      if (data === 'patch') fetch('/content').then((it) => it.text()).then((it) => { document.querySelector('main').innerHTML = it });
      if (data === 'reload') location.reload();
      if (data === 'later') fetch('/content').then(() => setTimeout(() => location.reload(), 3000));
    }</script>";
const CONTENT: &str =
    "<h1>Orders</h1><button>Save</button><button>Delete</button><p>Three orders</p>";

/// The content that the development server serves, and the pages that listen to it.
#[derive(Default)]
struct App {
    content: Mutex<String>,
    clients: Mutex<Vec<UnboundedSender<String>>>,
    /// When the content was last requested.
    served: Mutex<Option<Instant>>,
}

impl App {
    fn edit(&self, content: &str, event: &str) {
        *self.content.lock().unwrap() = content.to_owned();
        self.clients.lock().unwrap().retain(|client| client.send(event.to_owned()).is_ok());
    }

    /// Edits the content, and waits until the page has asked for it.
    fn edit_and_serve(&self, content: &str, event: &str) {
        *self.served.lock().unwrap() = None;
        self.edit(content, event);
        let sent = Instant::now();
        while self.served.lock().unwrap().is_none() {
            assert!(sent.elapsed() < LONG, "the page does not listen");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn serve(&self) -> String {
        *self.served.lock().unwrap() = Some(Instant::now());
        self.content.lock().unwrap().clone()
    }
}

/// A development server that can be stopped with all its connections.
struct Server {
    runtime: Option<tokio::runtime::Runtime>,
    address: SocketAddr,
}

impl Server {
    fn start(app: &Arc<App>, address: &str) -> Server {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind(address)).unwrap();
        let address = listener.local_addr().unwrap();
        let (page, content, events) = (app.clone(), app.clone(), app.clone());
        let routes = Router::new()
            .route("/", get(async move || Html(PAGE.replace("CONTENT", &page.serve()))))
            .route("/content", get(async move || Html(content.serve())))
            .route(
                "/events",
                get(async move || {
                    let (to, from) = unbounded_channel();
                    events.clients.lock().unwrap().push(to);
                    ([(header::CONTENT_TYPE, "text/event-stream")], Body::new(Events(from)))
                }),
            );
        runtime.spawn(async move { axum::serve(listener, routes).await });
        Server { runtime: Some(runtime), address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.runtime.take().unwrap().shutdown_background();
    }
}

struct Events(UnboundedReceiver<String>);

impl http_body::Body for Events {
    type Data = Bytes;
    type Error = std::convert::Infallible;
    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, Self::Error>>> {
        let event = self.0.poll_recv(context);
        event.map(|event| {
            event.map(|event| Ok(http_body::Frame::data(format!("data: {event}\n\n").into())))
        })
    }
}

/// The program while it watches.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(folder: &Path, arguments: &[&str]) -> Watch {
        Watch::spawn(&mut command(folder, arguments))
    }

    /// Starts it in the log of a GitHub action.
    fn start_on_github(folder: &Path, arguments: &[&str]) -> Watch {
        Watch::spawn(command(folder, arguments).env("GITHUB_ACTIONS", "true"))
    }

    fn spawn(command: &mut Command) -> Watch {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let (to, lines) = channel();
        let out = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let _ = to.send(line);
            }
        });
        Watch { child, lines }
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(LONG).expect("something is reported")
    }

    /// Returns the lines of one message in which GitHub obeys no commands.
    fn block(&self) -> Vec<String> {
        unwrapped(&mut std::iter::from_fn(|| Some(self.line())))
    }

    fn result_of(&self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// Sends Ctrl-C. Returns the lines that are printed then, and the exit code.
    fn end(mut self) -> (Vec<String>, Option<i32>) {
        let children = descendants(self.child.id());
        assert!(!children.is_empty());
        let sent =
            Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let since = Instant::now();
        let code = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status.code(),
                None => assert!(since.elapsed() < LONG, "it does not end"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        while children.iter().any(|pid| alive(*pid)) {
            assert!(since.elapsed() < LONG, "a process of its own outlived it");
            std::thread::sleep(Duration::from_millis(50));
        }
        (self.lines.iter().collect(), code)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the lines between `::stop-commands::WORD` and `::WORD::`.
fn unwrapped(lines: &mut dyn Iterator<Item = String>) -> Vec<String> {
    let first = lines.next().unwrap();
    let word = first.strip_prefix("::stop-commands::").expect(&first);
    let end = format!("::{word}::");
    lines.take_while(|line| *line != end).collect()
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = outside_ci();
    command
        .args(arguments)
        .current_dir(folder)
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("HOME", folder)
        .env_remove("GITHUB_ACTIONS");
    command
}

fn save(folder: &Path, url: &str) {
    let arguments = ["fingerprint", url, "--save", "home"];
    let saved = command(folder, &arguments).output().unwrap();
    assert!(saved.status.success(), "{saved:?}");
}

/// Serves the app, and saves its page as the baseline "home".
fn saved_app() -> (tempfile::TempDir, Arc<App>, Server, String) {
    let folder = tempfile::tempdir().unwrap();
    let app = Arc::new(App::default());
    app.edit(CONTENT, "");
    let server = Server::start(&app, "127.0.0.1:0");
    let url = format!("http://{}/", server.address);
    save(folder.path(), &url);
    (folder, app, server, url)
}

#[test]
fn one_edit_is_one_message_however_the_page_is_rendered() {
    let (folder, app, server, url) = saved_app();
    let address = server.address.to_string();
    let arguments = ["watch", &url, "--against", "home", "--output", "json"];
    let watch = Watch::start(folder.path(), &arguments);
    let first = watch.result_of();
    assert_eq!(
        (&first["event"], &first["status"]),
        (&"watching".into(), &"unchanged".into()),
        "{first}"
    );

    // In place.
    app.edit("<h1>Orders</h1><button>Delete</button><p>Three orders</p>", "patch");
    let missing = watch.result_of();
    assert_eq!(missing["changes"][0]["type"], "element_missing", "{missing}");
    assert_eq!(missing["changes"].as_array().unwrap().len(), 1, "{missing}");

    // By reload: only new changes are printed.
    app.edit("<h1>Invoices</h1><button>Delete</button><p>Three orders</p>", "reload");
    let renamed = watch.result_of();
    assert_eq!(renamed["changes"][0]["type"], "heading_changed", "{renamed}");
    assert_eq!(renamed["changes"].as_array().unwrap().len(), 1, "{renamed}");
    assert_eq!(renamed["left"], 2);
    // A render without changes prints nothing: the next line is that of the next change.
    app.edit_and_serve("<h1>Invoices</h1><button>Delete</button><p>Three orders</p>", "patch");

    // The server goes down while the page reloads, and comes back with the original content.
    app.edit_and_serve(CONTENT, "later");
    // The response has to arrive, too.
    std::thread::sleep(Duration::from_millis(500));
    drop(server);
    assert_eq!(watch.result_of()["event"], "unreachable");
    let _server = Server::start(&app, &address);
    assert_eq!(watch.result_of()["event"], "back");
    let again = watch.result_of();
    assert_eq!((&again["status"], &again["left"]), (&"unchanged".into(), &0.into()), "{again}");
    assert_eq!(again["resolved"].as_array().unwrap().len(), 2, "{again}");

    app.edit("<h1>Orders</h1><button>Delete</button><p>Three orders</p>", "patch");
    assert_eq!(watch.result_of()["left"], 1);
    let (lines, code) = watch.end();
    let ended: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    assert_eq!((&ended["event"], &ended["failed"]), (&"ended".into(), &true.into()), "{ended}");
    assert_eq!(ended["changes"][0]["description"], "Interactive button 'Save' is no longer there");
    assert_eq!(code, Some(1));
}

#[test]
fn people_read_the_time_and_get_a_summary() {
    let (folder, app, _server, url) = saved_app();
    let watch = Watch::start_on_github(folder.path(), &["watch", &url, "--against", "home"]);
    let first = watch.block().remove(0);
    assert!(first.ends_with(&format!("watching {url} against home: no changes")), "{first}");
    assert_eq!(first.as_bytes()[2], b':', "{first}");
    app.edit(&CONTENT.replace("Orders", "Invoices ##[error]x"), "patch");
    let message = watch.block();
    let [head, line] = message.as_slice() else { panic!("{message:?}") };
    assert!(head.ends_with("  1 warning"), "{head}");
    let now = "Heading 'Orders' is now 'Invoices # #[error]x'.";
    assert!(line.contains("heading_changed") && line.contains(now), "{line}");
    let (lines, code) = watch.end();
    let lines = unwrapped(&mut lines.into_iter());
    assert!(lines[0].contains("ended after 0 min") && lines[0].contains("checks"), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("Invoices")), "{lines:?}");
    assert_eq!(code, Some(0), "a warning is no error");
}

#[test]
fn what_cannot_be_watched_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let app = Arc::new(App::default());
    let server = Server::start(&app, "127.0.0.1:0");
    let url = format!("http://{}/", server.address);
    for (page, says) in [
        (url.as_str(), "there is no baseline \"home\""),
        ("http://127.0.0.1:1/", "127.0.0.1:1"),
        ("x.page.json", "a page file does not change"),
    ] {
        let ended = command(folder.path(), &["watch", page, "--against", "home"]).output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{ended:?}");
        assert!(String::from_utf8_lossy(&ended.stderr).contains(says), "{ended:?}");
    }
}

#[test]
fn files_that_change_reload_a_page_that_does_not() {
    let (folder, app, _server, url) = saved_app();
    let file = folder.path().join("site/page.html");
    std::fs::create_dir(folder.path().join("site")).unwrap();
    std::fs::write(&file, "1").unwrap();
    let watch = ["watch", &url, "--against", "home", "--output", "json", "--files"];
    let watch = Watch::start(folder.path(), &[&watch[..], &["site/**"]].concat());
    assert_eq!(watch.result_of()["event"], "watching");
    app.edit(&CONTENT.replace("Orders", "Invoices"), "nothing");
    std::fs::write(&file, "longer").unwrap();
    let reloaded = watch.result_of();
    assert_eq!(reloaded["event"], "reloaded", "{reloaded}");
    assert_eq!(reloaded["text"], "\"site/page.html\" changed; the page was reloaded", "{reloaded}");
    let changed = watch.result_of();
    assert_eq!(changed["changes"][0]["type"], "heading_changed", "{changed}");
    assert_eq!(watch.end().1, Some(0));
}

#[test]
fn a_static_page_that_changes_on_its_server_is_reported_once() {
    let (folder, app, _server, url) = saved_app();
    let arguments = ["watch", &url, "--against", "home", "--output", "json"];
    let watch = Watch::start(folder.path(), &arguments);
    assert_eq!(watch.result_of()["event"], "watching");

    // A page that reloads itself shows what its server has.
    app.edit(&CONTENT.replace("Orders", "Invoices"), "reload");
    assert_eq!(watch.result_of()["event"], "changed");
    std::thread::sleep(Duration::from_secs(5));

    app.edit(CONTENT, "nothing");
    let unseen = watch.result_of();
    assert_eq!(unseen["event"], "unseen", "{unseen}");
    let text = unseen["text"].as_str().unwrap();
    assert!(text.starts_with("\"/\" changed and the page did not reload"), "{text}");
    assert!(text.contains("give --files GLOB"), "{text}");
    app.edit("<h1>Nobody sees it</h1>", "nothing");
    std::thread::sleep(Duration::from_secs(5));
    assert_eq!(watch.end().0.len(), 1, "only the end: it is said once");
}
