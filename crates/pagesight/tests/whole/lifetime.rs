//! Tests the lifetime of the browser: it ends with pagesight, and pagesight survives its end.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{
    Client, Site, alive, browser_of, descendants, environment, has, is_firefox, kill, notes,
    outside_ci, processes, profile_of,
};
use serde_json::json;

fn gone_within(pids: &[u32], limit: Duration) -> bool {
    let end = Instant::now() + limit;
    while Instant::now() < end {
        if pids.iter().all(|pid| !alive(*pid)) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}

both_engines!(the_browser_ends_with_us_and_its_profile_is_deleted);
async fn the_browser_ends_with_us_and_its_profile_is_deleted() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("done.html") })).await;
    let (profile, pids) = (profile_of(client.pid), descendants(client.pid));
    assert!(profile.exists() && pids.len() > 2);
    client.close().await;
    assert!(
        gone_within(&pids, Duration::from_secs(30)),
        "left: {:?}",
        processes(&profile.to_string_lossy())
    );
    assert!(!profile.exists());
}

both_engines!(the_browser_gets_no_variable_that_it_does_not_need);
async fn the_browser_gets_no_variable_that_it_does_not_need() {
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut variables = vec![("EXTRA", "wanted"), ("LC_TIME", "C")];
    let secrets = [("GITHUB_TOKEN", "ghp_secret"), ("SHOP_PASSWORD", "swordfish")];
    variables.extend(secrets);
    let flags = ["--secret", "SHOP_PASSWORD=https://shop.example", "--browser-env", "EXTRA"];
    let client = Client::start_logged(folder.path(), &flags, &variables, &log).await;
    client.ok("browser_navigate", json!({ "url": site.url("done.html") })).await;
    let own = environment(client.pid);
    has(&own, "GITHUB_TOKEN=ghp_secret");
    for pid in descendants(client.pid) {
        let theirs = environment(pid);
        for (name, value) in secrets {
            assert!(!theirs.contains(name) && !theirs.contains(value), "{pid}: {name}");
        }
    }
    let browser = environment(browser_of(client.pid));
    for passed in ["EXTRA=wanted\n", "LC_TIME=C\n", "PATH=", "HOME="] {
        has(&browser, passed);
    }
    // One line says that root's Chromium has no sandbox, and nothing else is written.
    let is_root =
        std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()) == 0;
    let said = std::fs::read_to_string(&log).unwrap();
    let expected = if is_root && !is_firefox() {
        "Chromium runs without its sandbox, because pagesight runs as root; run it as a different user\n"
    } else {
        ""
    };
    assert_eq!(said, expected);
    client.close().await;
}

both_engines!(the_browser_ends_when_we_are_killed);
async fn the_browser_ends_when_we_are_killed() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("done.html") })).await;
    let (profile, pids) = (profile_of(client.pid), descendants(client.pid));
    kill(client.pid);
    assert!(
        gone_within(&pids, Duration::from_secs(30)),
        "left: {:?}",
        processes(&profile.to_string_lossy())
    );
    let end = Instant::now() + Duration::from_secs(30);
    while profile.exists() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!profile.exists(), "the profile is deleted too");
}

both_engines!(a_browser_that_died_is_replaced_and_reported);
async fn a_browser_that_died_is_replaced_and_reported() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("dashboard.html") })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let kill_browser = || kill(browser_of(client.pid));
    kill_browser();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let reply = client.ok("browser_navigate", json!({ "url": site.url("done.html") })).await.text;
    assert!(reply.starts_with("the browser had ended; a new one was started"), "{reply}");
    has(&reply, "Thank you");
    let action = json!({ "actions": [{ "type": "click", "element": look.number("Refresh") }] });
    let old = client.fails("browser_interact", action).await;
    assert!(old.contains("its tab is closed"), "an old number never means a new element: {old}");
    kill_browser();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let info = client.ok("get_page_info", json!({})).await.json();
    assert!(
        info["notice"].as_str().is_some_and(|notice| notice.starts_with("the browser had ended")),
        "{info}"
    );
    client.close().await;
}

/// A browser that pagesight did not start, with a page open.
pub(crate) struct Theirs {
    process: std::process::Child,
    pub(crate) address: String,
    pub(crate) profile: tempfile::TempDir,
}

impl Theirs {
    pub(crate) fn start(page: &str, title: &str) -> Theirs {
        Theirs::start_with(page, title, &[])
    }

    /// Starts it with more arguments.
    pub(crate) fn start_with(page: &str, title: &str, arguments: &[&str]) -> Theirs {
        let profile = tempfile::tempdir().unwrap();
        let program = pagesight_browser::discover::find_chromium().unwrap();
        let process = Command::new(program)
            .args(["--headless", "--no-sandbox", "--remote-debugging-port=0", "--no-first-run"])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(arguments)
            .arg(page)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let port_file = profile.path().join("DevToolsActivePort");
        let end = Instant::now() + Duration::from_secs(20);
        let port = loop {
            let text = std::fs::read_to_string(&port_file).unwrap_or_default();
            if let Some(port) = text.lines().next().filter(|_| text.lines().count() > 1) {
                break port.to_owned();
            }
            assert!(Instant::now() < end, "the browser did not start");
            std::thread::sleep(Duration::from_millis(50));
        };
        // The browser listens before its page is open.
        while !listed_pages(&port).contains(&format!("\"title\": \"{title}\"")) {
            assert!(Instant::now() < end, "the page did not open");
            std::thread::sleep(Duration::from_millis(50));
        }
        Theirs { process, address: format!("http://127.0.0.1:{port}"), profile }
    }

    /// The id of its process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }
}

/// Returns the list of pages of the browser at a port.
fn listed_pages(port: &str) -> String {
    use std::io::{Read, Write};
    let Ok(mut stream) = std::net::TcpStream::connect(format!("127.0.0.1:{port}")) else {
        return String::new();
    };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(2)));
    let _ =
        write!(stream, "GET /json/list HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
    let mut text = String::new();
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut bytes) {
        text.push_str(&String::from_utf8_lossy(&bytes[..count]));
        if text.trim_end().ends_with(']') {
            break;
        }
    }
    text
}

impl Drop for Theirs {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_of_the_users_stays_as_it_was() {
    let site = Site::start().await;
    let mut theirs = Theirs::start(&site.url("dashboard.html"), "Dashboard - MyApp");
    let client = Client::start(&["--connect", &theirs.address]).await;
    let look = client.ok("inspect_tab", json!({})).await;
    assert!(
        look.text.contains("heading 1: Dashboard"),
        "their tab is the active one: {}",
        look.text
    );
    let tabs = client.ok("browser_tabs", json!({ "action": "list" })).await.text;
    assert!(
        tabs.contains("t1 http://127.0.0.1") && tabs.contains("dashboard.html — active"),
        "{tabs}"
    );
    let refused = client.fails("browser_tabs", json!({ "action": "close", "tab": "t1" })).await;
    has(&refused, "the user's own");
    client.ok("browser_tabs", json!({ "action": "new", "url": site.url("done.html") })).await;
    client.close().await;

    assert!(theirs.process.try_wait().unwrap().is_none(), "it runs on");
    let again = Client::start(&["--connect", &theirs.address]).await;
    let tabs = again.ok("browser_tabs", json!({ "action": "list" })).await.text;
    assert_eq!(
        tabs,
        format!("t1 \"Dashboard - MyApp\" {} — not chosen\n", site.url("").trim_end_matches('/')),
        "theirs is open and was not chosen, ours is closed"
    );
    again.close().await;
}

#[test]
fn the_command_line_works_and_exits_as_promised() {
    let run = |arguments: &[&str]| {
        let output = outside_ci().args(arguments).stdin(Stdio::null()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), notes(&output.stderr))
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.page.json");
    let file = file.to_str().unwrap();
    let page = "data:text/html,<title>T</title><main><h1>Hi</h1><button id=go class=primary>Go</button></main>";

    let (code, live, error) = run(&["look", page, "--save-page", file]);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{error}");
    has(&live, "[1] button: Go");
    let (code, from_file, _) = run(&["look", file]);
    assert_eq!((code, from_file), (Some(0), live.clone()), "a page file reads as the page did");
    let (_, scoped, _) = run(&["look", file, "--scope", "main > .primary"]);
    assert!(scoped.contains("button: Go") && !scoped.contains("heading"), "{scoped}");
    let (code, expanded, _) = run(&["element", file, "#go", "--output", "json"]);
    let expanded: serde_json::Value = serde_json::from_str(&expanded).unwrap();
    assert_eq!(
        (code, &expanded["selectors"][0], &expanded["selector_matches"]),
        (Some(0), &json!("#go"), &json!(null))
    );
    let (code, expanded, _) = run(&["element", page, "#go", "--output", "json"]);
    let expanded: serde_json::Value = serde_json::from_str(&expanded).unwrap();
    assert_eq!(
        (code, &expanded["selectors"][0], &expanded["selector_matches"][0]),
        (Some(0), &json!("#go"), &json!(1))
    );
    let shadow = "data:text/html,<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<p><button class=in>In</button></p>'</script>";
    let (_, saved, _) = run(&["look", shadow, "--save-page", file]);
    let (code, inside, error) = run(&["element", file, "button", "--output", "json"]);
    assert_eq!(code, Some(0), "{saved}{error}");
    let inside: serde_json::Value = serde_json::from_str(&inside).unwrap();
    assert_eq!(inside["shadow_path"], json!(["div#host"]));
    assert!(
        inside["selectors"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| !one.as_str().unwrap().contains("host")),
        "{inside}"
    );
    for at in [page, file] {
        let (_, lines, _) = run(&["element", at, "button"]);
        has(&lines, "\nrole: button\nname: ");
        assert!(!lines.starts_with('{') && !lines.contains("\":"), "{lines}");
    }
    let (code, json, _) = run(&["look", page, "--output", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, json["title"].as_str()), (Some(0), Some("T")));
    assert_eq!(
        json["lines"],
        json!([
            {"depth": 0, "role": "main", "states": []},
            {"depth": 1, "role": "heading", "level": 1, "name": "Hi", "states": []},
            {"number": 1, "depth": 1, "role": "button", "name": "Go", "states": []},
        ])
    );
    assert_eq!(
        (&json["version"], &json["problems"], &json["changes"], json["text"].as_str()),
        (&json!(1), &json!([]), &json!([]), Some(live.as_str()))
    );
    let picture = folder.path().join("x.png");
    let (code, _, error) = run(&["shot", page, picture.to_str().unwrap(), "--annotate"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(picture.metadata().unwrap().len() > 1_000);
    let picture = folder.path().join("x.jpg");
    let (code, said, error) = run(&["shot", page, picture.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{error}");
    has(&said, "JPEG picture, 1280x720 pixels");
    assert!(std::fs::read(&picture).unwrap().starts_with(b"\xff\xd8"), "{said}");

    for (arguments, words) in [
        (vec!["snapshot", "nonsense"], "it has no scheme; give a URL such as"),
        (vec!["look", "missing.page.json"], "there is no file missing.page.json"),
        (vec!["look", page, "--connect", "http://127.0.0.1:1"], "cannot connect to"),
        (vec!["look", page, "--viewport", "big"], "1280x720"),
        (vec!["look", page, "--browser-env", "A=b"], "--browser-env: \"A=b\" is not the name of"),
        (vec!["look", page, "--browser-env"], "--browser-env needs a value"),
        (
            vec!["look", page, "--browser-env", "PAGESIGHT_NONE"],
            "PAGESIGHT_NONE is not set; set it",
        ),
        (vec!["look", page, "--browser-env", "PATH"], "every browser gets PATH; leave it out"),
        (vec!["look", page, "--browser-env", "A,A"], "--browser-env: A is given twice"),
        (vec!["check", "--browser-env", "PATH"], "--browser-env: every browser gets PATH"),
        (
            vec!["check", "--browser-env", "A", "--connect", "http://grid:4444"],
            "--browser-env: the browser at --connect has an environment of its own",
        ),
        (vec!["look", page, "-s", "one"], "-s: a URL is opened in a browser of its own"),
        (vec!["look", "http://127.0.0.1:1/"], "127.0.0.1"),
        (vec!["element", page, "12"], "element: 12 is a number of a session"),
        (vec!["element", page], "element: give a CSS selector"),
        (vec!["shot", "x.page.json"], "shot needs a live page"),
        (vec!["shot", page, "x.bmp"], "shot: x.bmp is not the name of a picture; use .png, .jpg"),
        (
            vec!["shot", page, "x.pdf", "--format", "png"],
            "shot: x.pdf is not the name of a picture",
        ),
        (vec!["shot", page, "x.jpg", "--format", "png"], "shot: x.jpg is a JPEG by its name"),
        (vec!["inspect", page], "inspect is now called look"),
        (vec!["expand", page, "#go"], "expand is now called element"),
        (vec!["screenshot", page, "x.png"], "screenshot is now called shot"),
        (vec!["install", "claude", "--project"], "nothing was written"),
    ] {
        let output = outside_ci()
            .args(&arguments)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}
