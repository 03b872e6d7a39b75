//! Tests connecting to the user's own browser by its name: waiting for the user, refusals, several
//! browsers, files that outlived their browser, and what is done with the user's tabs.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::lifetime::Theirs;
use crate::support::{Client, Site, alive, has, outside_ci};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

#[derive(Clone, Copy, PartialEq)]
enum Press {
    Nothing,
    Allow,
    Cancel,
    /// The browser ends, or the dialog goes away without an answer.
    Drop,
}

/// Stands between pagesight and a browser, and holds each upgrade until the user answers.
struct Asking {
    port: u16,
    press: watch::Sender<Press>,
    questions: Arc<AtomicUsize>,
}

impl Asking {
    /// `to`: the port of a browser, if there is one.
    async fn start(to: Option<u16>) -> Asking {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (press, pressed) = watch::channel(Press::Nothing);
        let questions = Arc::new(AtomicUsize::new(0));
        let count = questions.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(hold(stream, to, pressed.clone(), count.clone()));
            }
        });
        Asking { port, press, questions }
    }

    /// Writes the file that names the port.
    fn announce(&self, folder: &Path, path: &str) {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("DevToolsActivePort"), format!("{}\n{path}", self.port))
            .unwrap();
    }
}

async fn hold(
    mut stream: TcpStream,
    to: Option<u16>,
    mut pressed: watch::Receiver<Press>,
    count: Arc<AtomicUsize>,
) {
    let mut request = vec![0; 4096];
    let length = stream.read(&mut request).await.unwrap_or_default();
    if length == 0 {
        // Only the port was tried.
        return;
    }
    count.fetch_add(1, Ordering::SeqCst);
    let press = *pressed.wait_for(|press| *press != Press::Nothing).await.unwrap();
    match (press, to) {
        (Press::Allow, Some(port)) => {
            // The browser accepts its own address only.
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            let own = stream.local_addr().unwrap().port().to_string();
            let mut browser = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
            let request = request.replacen(&format!(":{own}"), &format!(":{port}"), 1);
            browser.write_all(request.as_bytes()).await.unwrap();
            let _ = tokio::io::copy_bidirectional(&mut stream, &mut browser).await;
        }
        (Press::Drop, _) => {}
        _ => {
            let answer = "HTTP/1.1 403 Forbidden\r\nContent-Length: 19\r\n\r\nConnection rejected";
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    }
}

/// How long the question stays open. Clients with a time-out of 30 s must still get the browser.
const HELD: Duration = Duration::from_secs(40);

const LIST: &str = r#"{"action":"list"}"#;

fn list() -> serde_json::Value {
    serde_json::from_str(LIST).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_wait_for_the_user_and_leave_the_tabs_alone() {
    let site = Site::start().await;
    let theirs = Theirs::start(&site.url("dashboard.html"), "Dashboard - MyApp");
    let file = std::fs::read_to_string(theirs.profile.path().join("DevToolsActivePort")).unwrap();
    let (port, path) = file.trim().split_once('\n').unwrap();
    let asking = Asking::start(port.parse().ok()).await;
    let folder = tempfile::tempdir().unwrap();
    asking.announce(&folder.path().join("chromium"), path);
    let client = Client::start_in(folder.path(), &["--connect", "auto"]).await;

    let asked = Instant::now();
    for _ in 0..2 {
        let begun = Instant::now();
        let waiting = client.fails("browser_tabs", list()).await;
        has(&waiting, "waiting for you to press Allow in Chromium");
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    }
    // The user takes a while, and presses it while a call waits.
    tokio::time::sleep(HELD.saturating_sub(asked.elapsed())).await;
    let (tabs, _) = tokio::join!(client.ok("browser_tabs", list()), async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        asking.press.send(Press::Allow).unwrap();
    });
    let tabs = tabs.text;
    assert!(tabs.starts_with("t1 \"Dashboard - MyApp\" http://127.0.0.1:"), "{tabs}");
    assert!(tabs.ends_with(" — not chosen\n") && !tabs.contains("dashboard.html"), "{tabs}");
    assert_eq!(asking.questions.load(Ordering::SeqCst), 1, "one question");

    // A page of the user is not left unless the user's tab was chosen.
    client.ok("browser_navigate", json!({ "url": site.url("done.html") })).await;
    let tabs = client.ok("browser_tabs", list()).await.text;
    assert!(
        tabs.contains("t1 \"Dashboard - MyApp\"") && tabs.contains("done.html — active"),
        "{tabs}"
    );
    let look = client.ok("inspect_tab", json!({ "tab": "t1" })).await;
    has(&look.text, "heading 1: Dashboard");
    let fill = json!({ "tab": "t1", "actions": [{ "type": "fill", "element": look.number("Search projects"), "text": "Mercury" }] });
    let filled = client.ok("browser_interact", fill).await.text;
    assert!(!filled.contains("did not finish loading"), "it was loaded before: {filled}");
    let tabs = client.ok("browser_tabs", list()).await.text;
    assert!(tabs.contains("dashboard.html"), "a chosen tab is listed with its address: {tabs}");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_missing_and_several_browsers_are_reported() {
    let asking = Asking::start(None).await;
    asking.press.send(Press::Cancel).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = "/devtools/browser/2971be2e-70b7-45ba-8794-9e95fd3b06f3";
    asking.announce(&folder.path().join("google-chrome"), path);
    // It outlived its browser.
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    std::fs::create_dir_all(folder.path().join("microsoft-edge")).unwrap();
    let stale = folder.path().join("microsoft-edge/DevToolsActivePort");
    std::fs::write(stale, format!("{closed}\n{path}")).unwrap();

    let client = Client::start_in(folder.path(), &["--connect", "auto"]).await;
    let refused = client.fails("browser_tabs", list()).await;
    has(&refused, "Chrome refused the connection: Allow was not pressed");
    // The next call asks again; now nobody answers, and the connection is lost.
    asking.press.send(Press::Drop).unwrap();
    let dropped = client.fails("browser_tabs", list()).await;
    assert!(!dropped.contains("waiting for you") && dropped.contains("Chrome"), "{dropped}");
    assert_eq!(asking.questions.load(Ordering::SeqCst), 2, "each call asked once");
    asking.press.send(Press::Cancel).unwrap();
    let second = Asking::start(None).await;
    second.announce(&folder.path().join("chromium"), path);
    let several = client.fails("browser_tabs", list()).await;
    assert!(several.contains("chrome (") && several.contains("; chromium ("), "{several}");
    client.close().await;
    let edge = Client::start_in(folder.path(), &["--connect", "edge"]).await;
    let none = edge.fails("browser_tabs", list()).await;
    assert!(none.contains("no running Edge") && none.contains("edge://inspect/"), "{none}");
    edge.close().await;

    let doctor = outside_ci()
        .arg("doctor")
        .env("CHROME_CONFIG_HOME", folder.path())
        .env("HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let listed = String::from_utf8_lossy(&doctor.stdout).into_owned();
    let line = listed.lines().find(|line| line.starts_with("running, with remote debugging: "));
    let line = line.unwrap_or_else(|| panic!("{listed}"));
    assert!(line.contains(": chrome (") && line.contains("; chromium ("), "{line}");
    assert!(!line.contains("edge"), "its file outlived it: {line}");

    for (arguments, words) in [
        (vec!["--connect", "chrome"], "Chrome refused the connection"),
        (vec!["--connect", "chrom"], "auto, chrome, edge, brave, chromium"),
        (
            vec!["--connect", "chrome", "--browser", "firefox"],
            "only Chrome, Edge, Brave and Chromium",
        ),
        (vec!["--connect", "auto", "--headed"], "--headed has no effect on a running browser"),
        (
            vec!["--connect", "auto", "--profile", "p"],
            "--profile has no effect on a running browser",
        ),
        (vec!["--connect", "auto", "--connect", "edge"], "is given twice; leave one of them out"),
        (vec!["--connect"], "needs a value"),
    ] {
        let output = outside_ci()
            .args(["look", "about:blank"])
            .args(&arguments)
            .env("CHROME_CONFIG_HOME", folder.path())
            .env("HOME", folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_ended_in_a_browser_of_the_users() {
    let site = Site::start().await;
    let block = "<title>Theirs</title><button onclick='setTimeout(() => { const request = new XMLHttpRequest(); request.open(\"GET\", \"/never\", false); request.send() })'>Block</button>";
    let theirs = Theirs::start(&site.page(block), "Theirs");
    let client = Client::start(&["--connect", &theirs.address]).await;
    let button = client.ok("inspect_tab", json!({})).await.number("Block");
    let click = json!({ "actions": [{ "type": "click", "element": button }] });
    let hung = client.call("browser_interact", click).await.text;
    has(&hung, "the page has not answered since ");
    let begun = Instant::now();
    let refused = client.fails("browser_navigate", json!({ "url": site.url("done.html") })).await;
    has(&refused, "in the user's browser nothing is ended");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let tabs = client.ok("browser_tabs", json!({ "action": "list" })).await.text;
    assert!(tabs.starts_with("t1 ") && tabs.lines().count() == 1, "{tabs}");
    client.close().await;
    assert!(alive(theirs.pid()), "it runs on");
}
