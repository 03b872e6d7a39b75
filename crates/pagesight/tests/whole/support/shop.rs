//! A shop whose pages can be broken, and helpers that run `pagesight check` on it. Shared by the
//! whole-path tests of a check.

#[path = "shop_pages.rs"]
pub mod pages;

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Path as Route, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde_json::Value;

use crate::support::{alive, outside_ci, until};

pub const PAGES: usize = 8;

#[derive(Default)]
pub struct Shop {
    /// Pages that are broken, and how.
    pub broken: BTreeMap<usize, usize>,
    /// How often each page was requested.
    pub visits: BTreeMap<String, usize>,
    pub log_ins: usize,
    /// The page at `/any`.
    pub any: String,
}

pub type Shared = Arc<Mutex<Shop>>;

/// A shop on 127.0.0.1 whose pages can be broken.
pub struct Served {
    pub address: SocketAddr,
    pub shop: Shared,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub async fn serve() -> Served {
    let shop = Shared::default();
    let numbered = |State(shop): State<Shared>, Route(number): Route<usize>| async move {
        Html(pages::page(number, shop.lock().unwrap().broken.get(&number).copied()))
    };
    let slow = |State(shop): State<Shared>, Route(number): Route<usize>| async move {
        *shop.lock().unwrap().visits.entry(format!("slow{number}")).or_default() += 1;
        tokio::time::sleep(Duration::from_millis(700)).await;
        Html(pages::page(number, None))
    };
    let unsteady = |State(shop): State<Shared>| async move {
        let mut shop = shop.lock().unwrap();
        let visits = shop.visits.entry("unsteady".to_owned()).or_default();
        *visits += 1;
        Html(pages::page(5, (*visits == 2).then_some(0)))
    };
    let any = |State(shop): State<Shared>| async move { Html(shop.lock().unwrap().any.clone()) };
    let log_in = |State(shop): State<Shared>, body: String| async move {
        if body.contains("hunter22") {
            shop.lock().unwrap().log_ins += 1;
        }
        ([(header::SET_COOKIE, "in=yes; Path=/")], Redirect::to("/private")).into_response()
    };
    let private = |headers: HeaderMap| async move {
        let known = headers
            .get(header::COOKIE)
            .is_some_and(|cookie| cookie.as_bytes().starts_with(b"in=yes"));
        let reported = "<title>Account</title><main><h1>Account</h1><p>Signed in with hunter22</p><h2>Hello hunter22</h2><button>Sign out</button></main>";
        if known { Html(reported).into_response() } else { Redirect::to("/login").into_response() }
    };
    // Answers only with the user name and password, which the address has.
    let guarded = |State(shop): State<Shared>, headers: HeaderMap| async move {
        let known = headers
            .get(header::AUTHORIZATION)
            // ci:hunter22
            .is_some_and(|login| login.as_bytes() == b"Basic Y2k6aHVudGVyMjI=");
        if !known {
            let wanted = [(header::WWW_AUTHENTICATE, "Basic realm=shop")];
            return (StatusCode::UNAUTHORIZED, wanted).into_response();
        }
        let mut shop = shop.lock().unwrap();
        let visits = shop.visits.entry("guarded".to_owned()).or_default();
        *visits += 1;
        Html(format!(
            "<title>Guarded</title><main><h1>Visit {} of hunter22</h1>\
             <a href='http://ci:hunter22@127.0.0.1:1/x?access_token=hunter22'>Other</a>\
             <iframe title=Inner src='//ci:hunter22@127.0.0.1:1/f?token=hunter22'></iframe></main>\
             <script>fetch('/no?access_token=hunter22'); console.error(location.href)</script>",
            if *visits == 1 { "one" } else { "two" }
        ))
        .into_response()
    };
    let form = "<title>Log in</title><form method=post><label>Name <input name=name></label><label>Password <input type=password name=password></label><button>Log in</button></form>";
    let nested = "<title>Nested</title><main><h1>Nested</h1><button onclick=\"this.after('Again')\">Twice</button><button onclick=\"this.after('Pressed')\">Twice</button>
        <iframe title=Inner srcdoc=\"<button onclick='this.replaceWith(`Opened`)'>Open inside</button>\"></iframe><div id=host></div>
        <script>host.attachShadow({mode: 'open'}).innerHTML = '<button class=deep>Deep</button>'; host.shadowRoot.querySelector('button').onclick = () => host.after(Object.assign(document.createElement('h2'), {textContent: 'Reached'}))</script>";
    let late = "<title>Late</title><main><h1>Late</h1></main><script>setTimeout(() => { document.querySelector('main').innerHTML =
        '<h1>Late</h1><button class=go onclick=\"this.after(`Gone on`)\">Go</button><button onclick=\"this.after(`Named`)\">Name</button>' }, 6500)</script>";
    let moody = move |State(shop): State<Shared>| async move {
        let mut shop = shop.lock().unwrap();
        let visits = shop.visits.entry("moody".to_owned()).or_default();
        *visits += 1;
        let status = if *visits == 1 { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
        (status, Html(form)).into_response()
    };
    let patient = |Route(seconds): Route<u64>| async move {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        Html(pages::page(1, None))
    };
    let app = Router::new()
        .route("/late", get(move || async move { Html(late) }))
        .route("/moody", get(moody).post(log_in))
        .route("/patient/{seconds}", get(patient))
        .route("/p/{number}", get(numbered))
        .route("/slow/{number}", get(slow))
        .route("/unsteady", get(unsteady))
        .route("/login", get(move || async move { Html(form) }))
        .route("/login", post(log_in))
        .route("/private", get(private))
        .route("/nested", get(move || async move { Html(nested) }))
        .route(
            "/alert",
            get(|| async {
                Html("<title>Alert</title><h1>Alert</h1><script>alert('Hello')</script>")
            }),
        )
        .route(
            "/missing",
            get(|| async { (StatusCode::NOT_FOUND, Html("<h1>Not found</h1>")).into_response() }),
        )
        .route("/guarded", get(guarded))
        .route("/any", get(any))
        .route("/never", get(never))
        .with_state(shop.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    Served { address, shop, task }
}

async fn never() -> Response {
    tokio::time::sleep(Duration::from_secs(60)).await;
    "too late".into_response()
}

pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = outside_ci();
    command.arg("check").args(arguments).current_dir(folder);
    command
}

pub async fn run(command: Command) -> Output {
    let mut command = tokio::process::Command::from(command);
    let output =
        tokio::time::timeout(Duration::from_secs(300), command.kill_on_drop(true).output());
    output.await.expect("nothing hangs").unwrap()
}

pub async fn check(folder: &Path, arguments: &[&str]) -> Output {
    run(command(folder, arguments)).await
}

pub fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Fails unless a command ended with this exit code.
#[track_caller]
pub fn ended(code: i32, output: Output) -> Output {
    assert_eq!(output.status.code(), Some(code), "{}", said(&output));
    output
}

pub fn result_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Creates a folder with a `pages.toml` for the numbered pages.
pub fn project(served: &Served, more: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut text = format!("base_url = \"http://{}\"\n{more}\n", served.address);
    for number in 0..PAGES {
        text.push_str(&format!("[[page]]\nroute = \"/p/{number}\"\n"));
    }
    std::fs::write(folder.path().join("pages.toml"), text).unwrap();
    folder
}

/// Creates a folder with a `pages.toml` of this text.
pub fn folder_with(served: &Served, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("base_url = \"http://{}\"\n{text}", served.address);
    std::fs::write(folder.path().join("pages.toml"), text).unwrap();
    folder
}

pub fn baselines(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder.join("pages.baselines")).into_iter().flatten().flatten();
    // An unfinished file has a temporary name.
    let whole = entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    whole
        .filter_map(|entry| {
            Some((
                entry.file_name().to_string_lossy().into_owned(),
                std::fs::read(entry.path()).ok()?,
            ))
        })
        .collect()
}

pub fn names(reported: &Value, result: &str) -> BTreeSet<String> {
    let pages =
        reported["pages"].as_array().unwrap().iter().filter(|page| page["result"] == result);
    pages.map(|page| page["name"].as_str().unwrap().to_owned()).collect()
}

pub fn slow_project(served: &Served) -> tempfile::TempDir {
    let pages: String =
        (0..PAGES).map(|number| format!("[[page]]\nroute = \"/slow/{number}\"\n")).collect();
    folder_with(served, &format!("pictures = false\n{pages}"))
}

/// Waits until some baselines are saved.
pub async fn until_some(folder: &Path) {
    until_saved(folder, 2).await;
}

/// Waits until this many baselines are saved.
pub async fn until_saved(folder: &Path, number: usize) {
    let saved = || baselines(folder).keys().filter(|name| name.ends_with("json")).count();
    until("baselines are saved", async || (saved() >= number).then_some(())).await;
}

pub fn begin(folder: &Path, arguments: &[&str]) -> tokio::process::Child {
    let mut command = command(folder, arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    tokio::process::Command::from(command).kill_on_drop(true).spawn().unwrap()
}

pub fn signal(name: &str, pid: u32) {
    Command::new("kill").args([name, &pid.to_string()]).status().unwrap();
}

/// Waits for the processes to end, and reports whether they did.
pub async fn gone(pids: &[u32]) -> bool {
    let end = Instant::now() + Duration::from_secs(30);
    while Instant::now() < end {
        if !pids.iter().any(|pid| alive(*pid)) {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}
