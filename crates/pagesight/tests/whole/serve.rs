//! Tests `pagesight serve`: many clients over HTTP, each in a workspace of its own, and what it
//! refuses.

use std::time::Duration;

use pagesight_session::private_files;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::support::{SERVE_LIMIT as LIMIT, Serving, Site, command, has, stateless};

/// A page that shows its mark, and stores it where other workspaces must not see it.
fn marked(site: &Site, mark: &str) -> String {
    let url = site.url("done.html");
    format!("{url}?{mark}")
}

#[tokio::test(flavor = "multi_thread")]
async fn each_client_has_its_own_workspace() {
    let (site, serving) = (Site::start().await, Serving::start(&["--allow-evaluate"]).await);
    let (one, two) = (serving.session().await, serving.session().await);
    let store = |mark: &str| json!({"expression": format!("document.cookie = 'mark={mark}', localStorage.mark = '{mark}', document.body.append('{mark}')")});
    let open = |mark: &str| json!({"url": marked(&site, mark)});
    serving.call(&one, "browser_navigate", open("alpha")).await;
    serving.call(&two, "browser_navigate", open("beta")).await;
    for (path, mark) in [("/mcp/gamma", "gamma"), ("/mcp", "delta")] {
        serving.call_stateless(path, "browser_navigate", open(mark)).await;
        serving.call_stateless(path, "browser_evaluate", store(mark)).await;
    }
    serving.call(&one, "browser_evaluate", store("alpha")).await;
    serving.call(&two, "browser_evaluate", store("beta")).await;
    let read = json!({"expression": "document.cookie + ' ' + localStorage.mark"});
    let seen = [
        ("alpha", serving.call(&one, "inspect_tab", json!({})).await),
        ("alpha", serving.call(&one, "browser_evaluate", read.clone()).await),
        ("alpha", serving.call(&one, "browser_tabs", json!({"action": "list"})).await),
        ("beta", serving.call(&two, "inspect_tab", json!({})).await),
        ("beta", serving.call(&two, "browser_evaluate", read.clone()).await),
        ("beta", serving.call(&two, "browser_tabs", json!({"action": "list"})).await),
        ("gamma", serving.call_stateless("/mcp/gamma", "browser_evaluate", read.clone()).await),
        ("delta", serving.call_stateless("/mcp", "inspect_tab", json!({})).await),
        ("delta", serving.call_stateless("/mcp/default", "browser_evaluate", read).await),
    ];
    for (mark, text) in &seen {
        let others = ["alpha", "beta", "gamma", "delta"].iter().filter(|other| *other != mark);
        assert!(text.contains(mark), "{mark}: {text}");
        for other in others {
            assert!(!text.contains(other), "{mark} sees {other}: {text}");
        }
    }
    // A client without a session does not reach the session of a different one by its name.
    let (mut headers, body) = stateless("inspect_tab", json!({}));
    headers.push(("mcp-session-id", one.clone()));
    let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let seen = serving.authorized("/mcp", &headers, &body).await.text();
    assert!(seen.contains("delta") && !seen.contains("alpha"), "{seen}");
    // A shell command sees them, and ends one.
    let listed = serving.shell(&["sessions"]).await;
    assert_eq!(listed.lines().count(), 4, "{listed}");
    has(&listed, "gamma  1 tab");
    serving.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_are_refused() {
    let serving = Serving::start(&[]).await;
    let token = format!("Bearer {}", serving.token);
    let good = ("authorization", token.as_str());
    let short = format!("Bearer {}", &serving.token[..63]);
    let longer = format!("{token}0");
    let port = serving.address.rsplit(':').next().unwrap().to_owned();
    let rebound = format!("pages.example:{port}");
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let status = async |path: &str, headers: &[(&str, &str)]| {
        serving.send(path, headers, &list).await.status()
    };
    assert_eq!(status("/mcp", &[]).await, 401, "no token");
    for wrong in ["Bearer x", &short, &longer, "Basic abc", "Bearer ", ""] {
        assert_eq!(status("/mcp", &[("authorization", wrong)]).await, 401, "{wrong}");
    }
    let secure = format!("https://{}", serving.address);
    for origin in ["https://pages.example", "null", "", "http://127.0.0.1:1", &secure] {
        assert_eq!(status("/mcp", &[good, ("origin", origin)]).await, 403, "{origin}");
    }
    let own = format!("http://{}", serving.address);
    assert_ne!(status("/mcp", &[good, ("origin", &own)]).await, 403, "its own origin");
    for host in [rebound.as_str(), "127.0.0.1", "127.0.0.1:1", "localhost.pages.example"] {
        assert_eq!(status("/mcp", &[good, ("host", host)]).await, 403, "{host}");
    }
    assert_ne!(status("/mcp", &[good, ("host", &format!("localhost:{port}"))]).await, 403);
    for (path, code) in [("/", 404), ("/mcp/", 400), ("/mcp/a%2fb", 400), ("/mcp/../x", 400)] {
        assert_eq!(status(path, &[good]).await, code, "{path}");
    }
    // The answer arrives, although the body comes later than the refusal.
    for _ in 0..5 {
        let mut late = TcpStream::connect(&serving.address).await.unwrap();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            serving.address,
            list.len()
        );
        late.write_all(head.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        late.write_all(list.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let mut answer = String::new();
        late.read_to_string(&mut answer).await.expect("the connection is not reset");
        assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    }
    let huge = "x".repeat(100 * 1024 * 1024);
    assert_eq!(serving.send("/mcp", &[good], &huge).await.status(), 413);

    // Many connections that say nothing do not keep a client out.
    let mut silent = Vec::new();
    for _ in 0..1000 {
        silent.extend(TcpStream::connect(&serving.address).await);
    }
    let session = serving.session().await;
    let tools = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let listed = serving.authorized("/mcp", &[("mcp-session-id", &session)], &tools).await;
    has(&listed.0, "inspect_tab");
    // A client that does not read its answer does not hold up others.
    let mut slow = TcpStream::connect(&serving.address).await.unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {}\r\nauthorization: {token}\r\nmcp-session-id: {session}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n{list}",
        serving.address,
        list.len()
    );
    slow.write_all(head.as_bytes()).await.unwrap();
    let session = serving.session().await;
    let listed = serving.authorized("/mcp", &[("mcp-session-id", &session)], &tools).await;
    has(&listed.0, "inspect_tab");
    drop((silent, slow));
    serving.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_port_and_the_token_stay() {
    let serving = Serving::start(&[]).await;
    let (address, token) = (serving.address.clone(), serving.token.clone());
    let folder = serving.folder.path().to_owned();
    // A second process is refused, and says who has the port.
    let second = tempfile::tempdir().unwrap();
    let refused =
        command(second.path()).args(["serve", "--listen", &address]).output().await.unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("is in use by pagesight ("), "{said}");
    let Serving { mut process, folder: kept, .. } = serving;
    process.start_kill().unwrap();
    process.wait().await.unwrap();
    let mut again = command(&folder);
    let mut again = again.arg("serve").stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(again.stderr.take().unwrap()).lines();
    let first = tokio::time::timeout(LIMIT, lines.next_line()).await.unwrap().unwrap().unwrap();
    has(&first, &address);
    let text = std::fs::read_to_string(folder.join("state/pagesight/serve.json")).unwrap();
    has(&text, &token);
    again.start_kill().unwrap();
    again.wait().await.unwrap();
    drop(kept);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_the_user_leaves_the_settings_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    private_files::write(&file, b"0123456789abcdef\n").unwrap();
    let mut command = command(folder.path());
    command.args(["serve", "--token-file"]).arg(&file);
    let mut process = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    for says in ["listening on http://", &format!("the token is in {}", file.display())] {
        let line = tokio::time::timeout(LIMIT, lines.next_line()).await.unwrap().unwrap().unwrap();
        assert!(line.starts_with(says), "{line}");
    }
    // `install --http` would hand out the token beside the port.
    assert!(!folder.path().join("state/pagesight/serve.json").exists());
    process.kill().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_values_of_serve() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty");
    private_files::write(&empty, b"short\n").unwrap();
    let empty = empty.display().to_string();
    let open = folder.path().join("open");
    std::fs::write(&open, "0123456789abcdef\n").unwrap();
    std::fs::set_permissions(&open, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    let open = open.display().to_string();
    for (arguments, says) in [
        (vec!["serve", "--listen", "0.0.0.0:0"], "--token-file"),
        (vec!["serve", "--listen", "nowhere"], "--listen"),
        (vec!["serve", "--idle", "0s"], "from 1s to 24h"),
        (vec!["serve", "--idle", "5m", "--idle", "6m"], "--idle"),
        (vec!["serve", "--token-file", "/nonexistent"], "--token-file: cannot read"),
        (vec!["serve", "--token-file", &empty], "16 to 1000"),
        (vec!["serve", "--token-file", &open], "can be read by others; run chmod 600"),
        (vec!["open"], "URL"),
        (vec!["look", "-s", "a/b"], "not a valid name"),
        (vec!["act", "jump 3"], "not an action"),
        (vec!["close", "--all", "-s", "x"], "cannot be used with"),
        (vec!["mcp", "-s", "x"], "--shared"),
        (vec!["mcp", "--shared", "--allow-evaluate"], "pagesight serve"),
    ] {
        let output = command(folder.path()).args(&arguments).output().await.unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
}
