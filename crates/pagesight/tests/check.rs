//! `pagesight check` by the whole path: saved, unchanged, broken, updated; log-ins, retries, dead browsers, killed runs, exit codes.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs, unreachable_pub, reason = "tests")]

#[path = "../../../xtask/src/sitecheck/pages.rs"]
mod pages;
mod support;

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
use support::{descendants, program};

const PAGES: usize = 12;

#[derive(Default)]
struct Shop {
    /// Pages that are broken, and how.
    broken: BTreeMap<usize, usize>,
    /// How often each page was asked for.
    visits: BTreeMap<String, usize>,
    log_ins: usize,
}

type Shared = Arc<Mutex<Shop>>;

/// A shop on 127.0.0.1 that can be broken.
struct Served {
    address: SocketAddr,
    shop: Shared,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve() -> Served {
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
    let log_in = |State(shop): State<Shared>, body: String| async move {
        if body.contains("hunter22") {
            shop.lock().unwrap().log_ins += 1;
        }
        ([(header::SET_COOKIE, "in=yes; Path=/")], Redirect::to("/private")).into_response()
    };
    let private = |headers: HeaderMap| async move {
        let known =
            headers.get(header::COOKIE).is_some_and(|cookie| cookie.as_bytes().starts_with(b"in=yes"));
        let told = "<title>Account</title><main><h1>Account</h1><p>Signed in with hunter22</p><h2>Hello hunter22</h2><button>Sign out</button></main>";
        if known { Html(told).into_response() } else { Redirect::to("/login").into_response() }
    };
    let form = "<title>Log in</title><form method=post><label>Name <input name=name></label><label>Password <input type=password name=password></label><button>Log in</button></form>";
    let nested = "<title>Nested</title><main><h1>Nested</h1><button onclick=\"this.after('Again')\">Twice</button><button onclick=\"this.after('Pressed')\">Twice</button>
        <iframe title=Inner srcdoc=\"<button onclick='this.replaceWith(`Opened`)'>Open inside</button>\"></iframe><div id=host></div>
        <script>host.attachShadow({mode: 'open'}).innerHTML = '<button class=deep>Deep</button>'; host.shadowRoot.querySelector('button').onclick = () => host.after(Object.assign(document.createElement('h2'), {textContent: 'Reached'}))</script>";
    let app = Router::new()
        .route("/p/{number}", get(numbered))
        .route("/slow/{number}", get(slow))
        .route("/unsteady", get(unsteady))
        .route("/login", get(move || async move { Html(form) }))
        .route("/login", post(log_in))
        .route("/private", get(private))
        .route("/nested", get(move || async move { Html(nested) }))
        .route(
            "/alert",
            get(|| async { Html("<title>Alert</title><h1>Alert</h1><script>alert('Hello')</script>") }),
        )
        .route(
            "/missing",
            get(|| async { (StatusCode::NOT_FOUND, Html("<h1>Not found</h1>")).into_response() }),
        )
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

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.arg("check").args(arguments).current_dir(folder);
    for name in ["CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"] {
        command.env_remove(name);
    }
    command
}

async fn run(command: Command) -> Output {
    let mut command = tokio::process::Command::from(command);
    let output = tokio::time::timeout(Duration::from_secs(120), command.kill_on_drop(true).output());
    output.await.expect("nothing hangs").unwrap()
}

async fn check(folder: &Path, arguments: &[&str]) -> Output {
    run(command(folder, arguments)).await
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn told(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// A folder with a file for the numbered pages.
fn project(served: &Served, more: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut text = format!("base_url = \"http://{}\"\n{more}\n", served.address);
    for number in 0..PAGES {
        text.push_str(&format!("[[page]]\nroute = \"/p/{number}\"\n"));
    }
    std::fs::write(folder.path().join("pages.toml"), text).unwrap();
    folder
}

/// A folder with a file of its own.
fn folder_with(served: &Served, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("base_url = \"http://{}\"\n{text}", served.address);
    std::fs::write(folder.path().join("pages.toml"), text).unwrap();
    folder
}

fn baselines(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder.join("pages.baselines")).into_iter().flatten().flatten();
    // What is being written goes under its name only when it is whole.
    let whole = entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    whole
        .filter_map(|entry| {
            Some((entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).ok()?))
        })
        .collect()
}

fn names(told: &Value, result: &str) -> BTreeSet<String> {
    let pages = told["pages"].as_array().unwrap().iter().filter(|page| page["result"] == result);
    pages.map(|page| page["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn saved_unchanged_broken_updated() {
    let served = serve().await;
    let folder = project(&served, "");
    let at = folder.path();

    let mut in_ci = command(at, &[]);
    in_ci.env("CI", "true");
    let missing = run(in_ci).await;
    assert_eq!(missing.status.code(), Some(2), "{}", said(&missing));
    assert!(said(&missing).contains("12 pages: 12 no baseline"), "{}", said(&missing));
    assert!(baselines(at).is_empty(), "nothing is saved in CI");

    let first = check(at, &[]).await;
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    assert!(said(&first).starts_with("12 pages: 12 saved in "), "{}", said(&first));
    let saved = baselines(at);
    assert_eq!(saved.len(), 2 * PAGES, "{:?}", saved.keys());
    assert!(
        saved.contains_key("p-3@chromium-1280x720.json") && saved.contains_key("p-3@chromium-1280x720.png")
    );

    let second = check(at, &["--output", "json"]).await;
    assert_eq!(second.status.code(), Some(0), "{}", said(&second));
    assert_eq!(told(&second)["counts"]["unchanged"], 12);
    assert!(baselines(at) == saved, "an unchanged page's files are left alone");

    // Each of the ten ways on a page of its own; two stay whole.
    served.shop.lock().unwrap().broken = (0..pages::FAULTS.len()).map(|fault| (fault + 1, fault)).collect();
    let third = check(
        at,
        &["--output", "json", "--junit", "junit.xml", "--report", "report.html", "--fail-on", "warning"],
    )
    .await;
    assert_eq!(third.status.code(), Some(1), "{}", said(&third));
    let third = told(&third);
    assert_eq!(names(&third, "changed"), (1..=10).map(|number| format!("p-{number}")).collect(), "{third:#}");
    assert_eq!(names(&third, "unchanged"), BTreeSet::from(["p-0".to_owned(), "p-11".to_owned()]));
    for (fault, (name, kind)) in pages::FAULTS.iter().enumerate() {
        let page = &third["pages"][fault + 1];
        let kinds: Vec<&str> = page["changes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|change| change["type"].as_str().unwrap())
            .collect();
        assert!(kinds.contains(kind), "{name}: {kinds:?}");
        assert_eq!(page["tries"], 2, "what differs is looked at again: {page}");
    }
    let junit = std::fs::read_to_string(at.join("junit.xml")).unwrap();
    assert!(junit.contains("tests=\"12\" failures=\"10\" errors=\"0\""), "{junit}");
    let report = std::fs::read_to_string(at.join("report.html")).unwrap();
    let pictures = report.matches("data:image/png;base64,").count();
    assert_eq!(pictures, 2 * pages::FAULTS.len(), "of each page that changed, before and after");
    assert!(report.contains("Save Tea"), "what is missing is named");
    assert!(baselines(at) == saved);

    let mut on_github = command(at, &["--only", "p-1", "--only", "p-0"]);
    on_github
        .env("CI", "true")
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", at.join("summary.md"));
    let github = run(on_github).await;
    assert_eq!(github.status.code(), Some(1), "{}", said(&github));
    assert!(
        said(&github)
            .contains("::error file=pages.toml,line=5,title=p-1 (chromium 1280x720)%3A changed::error: "),
        "{}",
        said(&github)
    );
    assert!(said(&github).contains("'Save Tea' is no longer there"), "{}", said(&github));
    assert!(
        std::fs::read_to_string(at.join("summary.md"))
            .unwrap()
            .contains("| p-1 (chromium 1280x720) | **changed** |")
    );

    let update = check(at, &["--update"]).await;
    assert_eq!(update.status.code(), Some(0), "{}", said(&update));
    assert!(
        said(&update).contains("'Save Tea' is no longer there") && said(&update).contains("10 updated"),
        "{}",
        said(&update)
    );
    let again = check(at, &[]).await;
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));
    assert!(said(&again).starts_with("12 pages: 12 unchanged"), "{}", said(&again));
    // A button less is a line less for whoever reviews it.
    let lines = |files: &BTreeMap<String, Vec<u8>>| -> BTreeSet<String> {
        String::from_utf8_lossy(&files["p-1@chromium-1280x720.json"])
            .lines()
            .map(|line| line.trim_end_matches(',').to_owned())
            .collect()
    };
    let (before, after) = (lines(&saved), lines(&baselines(at)));
    assert_eq!(
        before.symmetric_difference(&after).count(),
        1,
        "{:?}",
        before.symmetric_difference(&after).collect::<Vec<_>>()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_in_is_done_once_and_its_secret_stays_one() {
    let served = serve().await;
    let text = r#"
[setup]
route = "/login"
actions = [
  { type = "fill", element = { role = "textbox", name = "Password" }, text = "${SHOP_PASSWORD}" },
  { type = "click", element = { role = "button", name = "Log in" } },
  { type = "wait", url = "/private" },
]
[[page]]
route = "/private"
depth = "detailed"
viewports = ["1280x720", "390x844"]
[[page]]
name = "nested"
route = "/nested"
actions = [
  { type = "click", element = { role = "button", name = "Open inside" } },
  { type = "click", element = { role = "button", name = "Twice", nth = 2 } },
  { type = "click", element = ".deep" },
  { type = "wait", text = "Reached" },
]
[[page]]
name = "alert"
route = "/alert"
actions = [{ type = "dialog", accept = true }]
[[page]]
name = "several"
route = "/nested"
retries = 0
actions = [{ type = "click", element = { role = "button", name = "Twice" } }]
[[page]]
name = "none"
route = "/nested"
retries = 0
actions = [{ type = "click", element = { role = "button", name = "Thrice" } }]
"#;
    let folder = folder_with(&served, text);
    let at = folder.path();
    let without = check(at, &[]).await;
    assert_eq!(without.status.code(), Some(2));
    assert!(said(&without).contains("the environment has no SHOP_PASSWORD"), "{}", said(&without));

    let mut with = command(at, &[]);
    with.env("SHOP_PASSWORD", "hunter22");
    let with = run(with).await;
    assert_eq!(with.status.code(), Some(2), "{}", said(&with));
    assert!(said(&with).contains("6 pages: 4 saved, 2 failed"), "{}", said(&with));
    assert!(said(&with).contains("there are 2 of button: Twice; add nth = 1"), "{}", said(&with));
    assert!(
        said(&with).contains("there is no button: Thrice; there is Twice, Twice, Open inside"),
        "{}",
        said(&with)
    );
    assert_eq!(served.shop.lock().unwrap().log_ins, 1, "once for all pages");
    assert!(!said(&with).contains("hunter22"));
    let files = baselines(at);
    let account = String::from_utf8_lossy(&files["private@chromium-390x844.json"]).into_owned();
    assert!(account.contains("Hello ${SHOP_PASSWORD}"), "{account}");
    assert!(
        files
            .iter()
            .filter(|(name, _)| name.ends_with("json"))
            .all(|(_, text)| !String::from_utf8_lossy(text).contains("hunter22"))
    );
    let nested = String::from_utf8_lossy(&files["nested@chromium-1280x720.json"]).into_owned();
    assert!(nested.contains("\"Reached\""), "{nested}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_does_not_stop_the_rest_and_retries_are_told() {
    let served = serve().await;
    let text = "
[[page]]
route = \"/never\"
timeout_s = 2
[[page]]
route = \"/p/1\"
[[page]]
route = \"/missing\"
retries = 0
[[page]]
name = \"meant\"
route = \"/missing\"
status = 404
[[page]]
route = \"/unsteady\"
[[page]]
name = \"away\"
url = \"http://127.0.0.1:9/\"
";
    let folder = folder_with(&served, text);
    let at = folder.path();
    let first = check(at, &["--jobs", "2"]).await;
    let text = said(&first);
    assert_eq!(first.status.code(), Some(2), "{text}");
    assert!(text.contains("6 pages: 3 saved, 3 failed"), "{text}");
    assert!(text.contains("it took longer than 2 s") || text.contains("did not load"), "{text}");
    assert!(text.contains("try 1 failed: "), "{text}");
    assert!(text.contains("it answered 404, which makes no baseline"), "{text}");
    assert!(text.contains("could not be loaded: net::ERR_"), "{text}");

    served.shop.lock().unwrap().visits.insert("unsteady".to_owned(), 1);
    let second = check(at, &["--only", "unsteady", "--only", "p-1"]).await;
    let text = said(&second);
    assert_eq!(second.status.code(), Some(0), "{text}");
    assert!(text.contains("unsteady   unsteady (chromium 1280x720)"), "{text}");
    assert!(
        text.contains("look 1 said something else: error: ") && text.contains("1 of them unsteady"),
        "{text}"
    );

    // A file that cannot be understood is refused, whatever is asked for.
    let damaged = at.join("pages.baselines/p-1@chromium-1280x720.json");
    std::fs::write(&damaged, "<<<<<<< HEAD\n").unwrap();
    std::fs::write(at.join("pages.baselines/old@chromium-1280x720.json"), "{}").unwrap();
    let third = check(at, &["--only", "p-1", "--update"]).await;
    assert_eq!(third.status.code(), Some(2), "{}", said(&third));
    assert!(
        said(&third).contains("was left as it is") && said(&third).contains("no page uses "),
        "{}",
        said(&third)
    );
    assert_eq!(std::fs::read_to_string(&damaged).unwrap(), "<<<<<<< HEAD\n");
    let unknown = check(at, &["--only", "p-9"]).await;
    assert_eq!(unknown.status.code(), Some(2));
    assert!(said(&unknown).contains("there is no page called \"p-9\""), "{}", said(&unknown));
}

fn slow_project(served: &Served) -> tempfile::TempDir {
    let pages: String = (0..PAGES).map(|number| format!("[[page]]\nroute = \"/slow/{number}\"\n")).collect();
    folder_with(served, &pages)
}

/// Waits until some baselines are there.
async fn until_some(folder: &Path) {
    let end = Instant::now() + Duration::from_secs(60);
    while baselines(folder).keys().filter(|name| name.ends_with("json")).count() < 2 {
        assert!(Instant::now() < end, "nothing was saved");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn begin(folder: &Path, arguments: &[&str]) -> tokio::process::Child {
    let mut command = command(folder, arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    tokio::process::Command::from(command).kill_on_drop(true).spawn().unwrap()
}

fn signal(name: &str, pid: u32) {
    Command::new("kill").args([name, &pid.to_string()]).status().unwrap();
}

/// Whether none of them runs soon.
async fn gone(pids: &[u32]) -> bool {
    let alive = |pid: &u32| {
        std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
            stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
        })
    };
    let end = Instant::now() + Duration::from_secs(30);
    while Instant::now() < end {
        if !pids.iter().any(alive) {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_in_the_middle_and_begun_again_nothing_is_lost() {
    let served = serve().await;
    let folder = slow_project(&served);
    let at = folder.path();
    let mut child = begin(at, &["--jobs", "2"]);
    let pid = child.id().unwrap();
    until_some(at).await;
    let browsers = descendants(pid);
    signal("-KILL", pid);
    child.wait().await.unwrap();
    assert!(gone(&browsers).await, "no browser is left");
    let kept = baselines(at);
    let done = kept.keys().filter(|name| name.ends_with("json") && !name.starts_with('.')).count();
    assert!((2..PAGES).contains(&done), "{:?}", kept.keys());

    let again = check(at, &[]).await;
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));
    assert!(
        said(&again).contains(&format!("{PAGES} pages: {done} unchanged, {} saved", PAGES - done)),
        "{}",
        said(&again)
    );
    let now = baselines(at);
    assert!(kept.iter().filter(|(name, _)| name.ends_with("json")).all(|(name, text)| now[name] == *text));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_ends_it_calmly_with_what_is_done() {
    let served = serve().await;
    let folder = slow_project(&served);
    let at = folder.path();
    let child = begin(at, &["--jobs", "2", "--output", "json"]);
    let pid = child.id().unwrap();
    until_some(at).await;
    let browsers = descendants(pid);
    signal("-INT", pid);
    let output = tokio::time::timeout(Duration::from_secs(60), child.wait_with_output())
        .await
        .expect("it ends")
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let told = told(&output);
    let (saved, failed) = (names(&told, "saved").len(), names(&told, "failed").len());
    assert!(saved >= 2 && saved + failed == PAGES, "{told}");
    assert!(told.to_string().contains("not checked: ended by a signal"), "{told}");
    assert!(gone(&browsers).await, "no browser is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_dies_costs_no_page() {
    let served = serve().await;
    let folder = slow_project(&served);
    let at = folder.path();
    let child = begin(at, &["--jobs", "2"]);
    let pid = child.id().unwrap();
    until_some(at).await;
    let all = descendants(pid);
    let browser = all.iter().copied().find(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        line.contains("--remote-debugging-pipe") && !line.contains("--type=") && !line.starts_with("/bin/sh")
    });
    signal("-KILL", browser.expect("a browser runs"));
    let output = tokio::time::timeout(Duration::from_secs(120), child.wait_with_output())
        .await
        .expect("it ends")
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let text = said(&output);
    assert!(text.contains(&format!("{PAGES} pages: {PAGES} saved")), "{text}");
    assert!(text.contains("the browser ended; a new one was started and the page begun again"), "{text}");
    assert!(gone(&all).await, "no browser is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn both_browsers_have_baselines_of_their_own() {
    if support::no_firefox() {
        return;
    }
    let served = serve().await;
    let folder = folder_with(&served, "browsers = [\"chromium\", \"firefox\"]\n[[page]]\nroute = \"/p/4\"\n");
    let at = folder.path();
    let first = check(at, &[]).await;
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    assert_eq!(baselines(at).len(), 4);
    served.shop.lock().unwrap().broken = BTreeMap::from([(4, 0)]);
    let second = check(at, &[]).await;
    assert_eq!(second.status.code(), Some(1), "{}", said(&second));
    assert!(said(&second).contains("p-4 (firefox 1280x720)"), "{}", said(&second));
    assert!(said(&second).contains("2 changed"), "{}", said(&second));
}
