//! Tests saved states: cookies and localStorage that one browser saves and a fresh one starts with.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::support::shop::{ended, said};
use crate::support::{Client, Site, engine, has, lacks, notes, outside_ci};

const VALUE: &str = "Tr0ub4dor";

/// Runs the program in a folder.
async fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = tokio::process::Command::from(outside_ci());
    command.current_dir(folder).env("XDG_DATA_HOME", folder).args(arguments);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.output().await.unwrap()
}

fn written(origin: &str) -> Value {
    let cookie = |name: &str, expires: i64| {
        json!({ "name": name, "value": VALUE, "domain": "127.0.0.1", "path": "/",
            "expires": expires, "httpOnly": true, "secure": false, "sameSite": "Lax" })
    };
    json!({
        "cookies": [cookie("session", -1), cookie("kept", 4_000_000_000), cookie("old", 5)],
        "origins": [{ "origin": origin, "localStorage": [{ "name": "token", "value": VALUE }] }],
    })
}

both_engines!(a_state_is_loaded_before_the_first_page_and_saved_again);
async fn a_state_is_loaded_before_the_first_page_and_saved_again() {
    let site = Site::start().await;
    let origin = site.url("").trim_end_matches('/').to_owned();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("state.json"), written(&origin).to_string()).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(at("state.json"), std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .unwrap();
    let arguments = ["--state", &at("state.json"), "--profile", &at("profile"), "--allow-evaluate"];
    let log = folder.path().join("stderr.log");
    let client = Client::start_logged(folder.path(), &arguments, &[], &log).await;
    // The first script of the page sees it.
    let html = "<title>x</title><script>document.title = localStorage.token.length</script>";
    let went = client.ok("browser_navigate", json!({ "url": site.page(html) })).await.text;
    has(&went, "  \"9\"  200");
    client.ok("browser_navigate", json!({ "url": site.url("cookies") })).await;
    let sent = client.ok("inspect_tab", json!({})).await.text;
    has(&sent, "kept, session");
    client.close().await;
    let open = match cfg!(unix) {
        true => {
            format!("--state: {0} can be read by others; run chmod 600 {0}\n", at("state.json"))
        }
        false => String::new(),
    };
    let said = notes(&std::fs::read(&log).unwrap());
    assert_eq!(said, format!("{open}--state: 1 cookie is expired and not loaded\n"));

    // The profile keeps all but the session cookie, and gives it back.
    std::fs::write(at("saved.json"), "old").unwrap();
    let done = run(
        folder.path(),
        &[
            "state",
            "save",
            "saved.json",
            "--browser",
            engine().id(),
            "--profile",
            &at("profile"),
            "--origin",
            &origin,
        ],
    )
    .await;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(0), "{said}");
    has(&said, "wrote 1 cookie and the localStorage of 1 origin");
    assert!(!said.contains(VALUE) && done.stdout.is_empty(), "{said}");
    let saved: Value = serde_json::from_slice(&std::fs::read(at("saved.json")).unwrap()).unwrap();
    let mut expected = written(&origin);
    let mut shown = saved.clone();
    expected["cookies"] = json!([expected["cookies"][1]]);
    let expires = shown["cookies"][0]["expires"].as_f64().unwrap();
    assert!(expires > 1_800_000_000.0, "{expires}: browsers limit it to about 400 days");
    shown["cookies"][0]["expires"] = expected["cookies"][0]["expires"].clone();
    assert_eq!(shown, expected);
    #[cfg(unix)]
    {
        let mode = std::fs::metadata(at("saved.json")).unwrap().permissions();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777, 0o600);
    }
}

/// A service worker could answer with its page instead, whose scripts would change what is saved.
/// In Firefox it answers; see docs/login.md.
#[tokio::test(flavor = "multi_thread")]
async fn a_service_worker_is_not_asked_for_the_state_of_its_origin() {
    let site = Site::start().await;
    let origin = site.url("").trim_end_matches('/').to_owned();
    let folder = tempfile::tempdir().unwrap();
    let profile = folder.path().join("profile").display().to_string();
    let arguments = ["--profile", &profile, "--allow-evaluate"];
    let client = Client::start(&arguments).await;
    let html = "<p id=p>Empty</p><script>(async () => { await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready; localStorage.own = 1; p.textContent = 'Registered' })()</script>";
    client.ok("browser_navigate", json!({ "url": site.page(html) })).await;
    let wait = json!({ "actions": [{ "type": "wait", "text": "Registered" }] });
    client.ok("browser_interact", wait).await;
    client.close().await;

    let save = ["state", "save", "saved.json", "--profile", &profile];
    let done = run(folder.path(), &[&save[..], &["--origin", &origin]].concat()).await;
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let saved = std::fs::read(folder.path().join("saved.json")).unwrap();
    let saved: Value = serde_json::from_slice(&saved).unwrap();
    let stored = &saved["origins"][0]["localStorage"];
    assert_eq!(*stored, json!([{ "name": "own", "value": "1" }]), "{saved}");

    // It was there, and answers pages.
    let client = Client::start(&arguments).await;
    client.ok("browser_navigate", json!({ "url": origin })).await;
    let by = client.ok("browser_evaluate", json!({ "expression": "localStorage.by" })).await.text;
    assert_eq!(by, "\"1\"");
    client.close().await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_browser_of_the_users_gives_its_state() {
    let site = Site::start().await;
    let origin = site.url("").trim_end_matches('/').to_owned();
    let html = format!(
        "<title>In</title><script>localStorage.token = '{VALUE}'; document.cookie = 'sid={VALUE}'</script>"
    );
    let theirs = crate::lifetime::Theirs::start(&site.page(&html), "In");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saved.json");
    let words = ["state", "save", "saved.json", "--connect", &theirs.address, "--origin", &origin];
    let done = run(folder.path(), &words).await;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(0), "{said}");
    has(&said, "wrote 1 cookie and the localStorage of 1 origin");
    let saved: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(saved["cookies"][0]["name"], "sid", "{saved}");
    assert_eq!(saved["origins"][0]["localStorage"], json!([{ "name": "token", "value": VALUE }]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_starts_with_the_state_of_its_file() {
    let site = Site::start().await;
    let origin = site.url("").trim_end_matches('/').to_owned();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let page = format!("[[page]]\nname = \"in\"\nurl = \"{}\"\n", site.url("cookies"));
    let with_state = format!("state = \"state.json\"\n{page}");
    std::fs::write(at("state.json"), written(&origin).to_string()).unwrap();
    std::fs::write(at("pages.toml"), &with_state).unwrap();
    let check = ["check", "--fail-on", "info"];
    let saved = run(folder.path(), &check).await;
    assert_eq!(saved.status.code(), Some(0), "{}", said(&saved));
    std::fs::write(at("pages.toml"), &page).unwrap();
    let without = ended(1, run(folder.path(), &check).await);
    has(&said(&without), "kept, session");
    assert!(!said(&without).contains(VALUE));
}

/// A partitioned cookie is loaded and saved with its partition. Firefox does not say which one it
/// is in.
#[tokio::test(flavor = "multi_thread")]
async fn partitions_of_cookies_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let cookie = json!({ "name": "part", "value": VALUE, "domain": "embedded.example", "path": "/",
        "expires": 4_000_000_000_u32, "httpOnly": true, "secure": true, "sameSite": "None",
        "partitionKey": "https://top.example", "_crHasCrossSiteAncestor": true });
    let state = json!({ "cookies": [cookie], "origins": [] });
    std::fs::write(folder.path().join("state.json"), state.to_string()).unwrap();
    let arguments = ["--state", "state.json", "--profile", "profile"];
    let client = Client::start_in(folder.path(), &arguments).await;
    client.ok("browser_navigate", json!({ "url": "about:blank" })).await;
    client.close().await;
    let words = ["state", "save", "saved.json", "--profile", "profile"];
    let done = run(folder.path(), &words).await;
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let saved = std::fs::read(folder.path().join("saved.json")).unwrap();
    let mut saved: Value = serde_json::from_slice(&saved).unwrap();
    saved["cookies"][0]["expires"] = state["cookies"][0]["expires"].clone();
    assert_eq!(saved, state);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_states_are_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("broken.json"), format!("{{\"cookies\": {VALUE}")).unwrap();
    std::fs::write(at("huge.json"), vec![b' '; (16 << 20) + 1]).unwrap();
    std::fs::write(at("fine.json"), written("https://a.example").to_string()).unwrap();
    std::fs::write(at("pages.toml"), "state = \"none.json\"\n[[page]]\nurl = \"http://a/\"\n")
        .unwrap();
    for (arguments, says) in [
        (&["mcp", "--state", "none.json"][..], "--state: there is no file none.json"),
        (&["mcp", "--state", "broken.json"], "--state: broken.json cannot be used: it is not"),
        (&["look", "about:blank", "--state", "huge.json"], "is larger than 16 MiB"),
        (
            &["mcp", "--state", "fine.json", "--connect", "ws://127.0.0.1:1"],
            "--state: the browser at --connect has its own cookies",
        ),
        (&["state", "save", "x.json"], "give -s NAME, --connect URL or --profile DIR"),
        (&["login", "http://a.example/"], "give --state FILE"),
        (
            &["login", "http://a.example/", "--state", "x", "--connect", "http://127.0.0.1:1"],
            "login opens a window of its own",
        ),
        (&["login", "http://a.example/", "--state", "x", "--headed"], "leave it out"),
        (&["login", "http://a.example/", "--state", "x"], "there is no display"),
        (&["login", "http://a.example/", "--state", "no/x"], "no is not a folder"),
        (&["login", "http://a.example/", "--state", "x", "--until-url", ""], "is not empty"),
        (
            &["login", "http://a.example/", "--until-url", "a", "--until-text", "b"],
            "give one of them",
        ),
        (
            &["state", "save", "x.json", "--profile", "p", "--origin", "a.example"],
            "--origin: \"a.example\" is not an origin",
        ),
        (&["check"], "state: there is no file none.json"),
    ] {
        let done = run(folder.path(), arguments).await;
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(says) && said.trim().lines().count() == 1, "{arguments:?}: {said}");
        lacks(&said, VALUE);
        assert!(!at("x.json").exists());
    }
}

both_engines!(a_kept_profile_is_written_before_its_browser_ends);
/// The browser writes cookies and localStorage some seconds after they were set, or when it ends.
async fn a_kept_profile_is_written_before_its_browser_ends() {
    let (site, folder) = (Site::start().await, tempfile::tempdir().unwrap());
    let profile = folder.path().join("profile").display().to_string();
    let arguments = ["--profile", &profile, "--allow-evaluate"];
    let evaluate = async |expression: &str| {
        let client = Client::start(&arguments).await;
        client.ok("browser_navigate", json!({ "url": site.url("done.html") })).await;
        let value = client.ok("browser_evaluate", json!({ "expression": expression })).await.text;
        client.close().await;
        value
    };
    evaluate("localStorage.kept = 'a'; document.cookie = 'kept=b; max-age=9999'; 1").await;
    assert_eq!(evaluate("localStorage.kept + ' ' + document.cookie").await, "\"a kept=b\"");
}
