//! Tests that every wrong input of a command is one sentence with exit code 2, which says what to
//! do. Most of them start neither a browser nor a process.

use std::path::Path;
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use crate::shell::run;
use crate::support::{Site, command, has, program, until};

/// Runs commands that are wrong in a folder.
async fn refused(folder: &Path, commands: &[(&[&str], &str)]) {
    for (arguments, says) in commands {
        let (code, out, error) = run(folder, arguments).await;
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {error}");
        has(&error, says);
        assert_eq!(error.trim_end().lines().count(), 1, "{arguments:?}: {error}");
    }
    let socket = folder.join("pagesight/pagesight.sock");
    assert!(!socket.exists(), "a process was started");
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses() {
    let place = tempfile::tempdir().unwrap();
    refused(
        place.path(),
        &[
            (&["open", "/orders"], "/orders: there is no such file; for a page of a server give its address, such as http://localhost:3000/orders"),
            (&["open", "./index.html"], "./index.html: there is no such file"),
            (&["open", "."], ". is a folder; give a file in it, such as ./index.html"),
            (&["open", "missing.html"], "missing.html: there is no such file"),
            (&["watch", "/orders", "--against", "home"], "/orders: there is no such file"),
            (&["init", "/orders"], "/orders: there is no such file"),
        ],
    )
    .await;
    std::fs::write(place.path().join("index.html"), "<h1>Here</h1>").unwrap();
    let shown = place.path().join("index.html").display().to_string();
    let says = format!("\"file://{shown}\" cannot be opened: file: is off; add --allow-file");
    refused(place.path(), &[(&["watch", "./index.html", "--against", "home"], &says)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("broken.json"), "{").unwrap();
    refused(
        place.path(),
        &[
            (
                &["open", "localhost:1", "--upload-root", "none"],
                "--upload-root: none is not a directory",
            ),
            (
                &["open", "localhost:1", "--secret", "WORD"],
                "--secret: the secret WORD has no origin",
            ),
            (
                &["open", "localhost:1", "--secret-file", "none"],
                "--secret-file: none is not used; add --secret",
            ),
            (
                &["open", "localhost:1", "--state", "none.json"],
                "--state: there is no file none.json",
            ),
            (
                &["open", "localhost:1", "--state", "broken.json"],
                "--state: broken.json cannot be used",
            ),
            (&["look", "--state", "broken.json"], "--state: broken.json cannot be used"),
            (&["act", "click 1", "--viewport", "9x9"], "--viewport"),
            (
                &["act", "click 1", "--viewport", "390x844"],
                "--viewport: only open changes the size",
            ),
            (&["act", "fill 1"], "\"fill 1\": fill needs a text; write fill N|NAME TEXT"),
            (&["act", "clik 1"], "clik is not an action; did you mean click?"),
            (&["open", "localhost:1", "-s", "a b"], "-s: \"a b\" is not a valid name"),
            (
                &["state", "save", "a.json"],
                "a new browser has no state; give -s NAME, --connect URL or --profile DIR",
            ),
            (
                &["state", "save", "a.json", "-s", "none"],
                "-s: there is no session none; pagesight sessions lists the open ones",
            ),
            (&["state", "save", "a.json", "-s", "a", "--origin", "x"], "--origin"),
            (
                &["state", "save", "a.json", "--profile", "none"],
                "--profile: there is no folder none",
            ),
        ],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn flags_and_settings() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    std::fs::create_dir(folder.join(".git")).unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let in_use = format!("port {port} is in use by ");
    let listen = format!("127.0.0.1:{port}");
    refused(
        folder,
        &[
            (&["check"], "There is no pages.toml here. Create one: pagesight init URL"),
            (&["check", "web/a.toml"], "There is no web/a.toml here. Create one"),
            (&["check", "--jobs", "0"], "--jobs must be 1 to 64, not 0"),
            (&["look", "--filter", "some"], "--filter must be all or interactive, not \"some\""),
            (&["look", "--since", "last"], "there is no flag --since here"),
            (
                &["close", "--viewport", "1x1"],
                "there is no flag --viewport here; --help lists them",
            ),
            (&["sessions", "--headed"], "there is no flag --headed here"),
            (&["look", "--quiet", "--verbose"], "--quiet cannot be used with --verbose"),
            (&["look", "--json"], "there is no flag --json here; did you mean --output json?"),
            (&["--headed", "look"], "--headed belongs after the command: pagesight COMMAND"),
            (&["state", "load"], "there is no command state load; pagesight state --help"),
            (&["look", "none.page.json"], "there is no file none.page.json"),
            (&["diff", "a.page.json", "b.page.json"], "there is no file a.page.json"),
            (&["baselines", "import", "none.json"], "there is no file none.json"),
            (&["act", "{\"type\": \"clik\"}"], "act: unknown `clik`; did you mean `click`?"),
            (&["look", "http://localhost:1", "--max-tokens", "9"], "max_tokens"),
            (&["rows", "http://localhost:1", "--to", "a.xls"], "a.xls"),
            (&["snapshot", "http://localhost:1", "--pipeline", "{\"x\": 1}"], "`x`"),
            (
                &["fingerprint", "http://localhost:1", "--save", "a b"],
                "\"a b\" is not a valid name",
            ),
            (&["resize", "wide"], "<WxH|DEVICE>: \"wide\" cannot be used; give width and height"),
            (&["demo", "--serve", "--port", &port], &in_use),
            (
                &["watch", "http://localhost:1/", "--against", "home", "--files", "none/*"],
                "--files: no file below ",
            ),
            (&["serve", "--listen", &listen], &in_use),
        ],
    )
    .await;
    for (settings, says) in [
        ("ignored = []", ".pagesight.toml:1: unknown `ignored`; did you mean `ignore`?"),
        ("jobs = 0", "jobs must be 1 to 64, not 0"),
        ("viewport = \"9x9\"", "viewport = \"9x9\": give width and height"),
        ("browser = \"safari\"", ".pagesight.toml:1: unknown `safari`"),
    ] {
        std::fs::write(folder.join(".pagesight.toml"), settings).unwrap();
        refused(folder, &[(&["look"], says), (&["check"], says)]).await;
    }
    // What needs no setting works all the same.
    let (code, out, _) = run(folder, &["serve", "token"]).await;
    assert_eq!((code, out.trim().len()), (0, 64), "{out}");
    assert_eq!(run(folder, &["serve", "token"]).await.1, out, "it is kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_do_not_load() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (url, says) in [
        (
            format!("{closed}"),
            "nothing listens there (net::ERR_CONNECTION_REFUSED); start the server",
        ),
        (
            "http://127.0.0.1:1/".to_owned(),
            "browsers block this port (net::ERR_UNSAFE_PORT); serve the page",
        ),
        ("no-such-host.invalid".to_owned(), "; check "),
    ] {
        let (code, _, error) = run(folder, &["open", &url]).await;
        assert_eq!(code, 2, "{url}: {error}");
        has(&error, " could not be loaded: ");
        has(&error, says);
    }
    assert_eq!(run(folder, &["close", "--all"]).await.0, 0);
}

/// Starts a server with a self-signed certificate; returns it and its port. `None` without openssl.
async fn self_signed(folder: &Path) -> Option<(Child, u16)> {
    let openssl = |arguments: &str| {
        let mut command = Command::new("openssl");
        command.args(arguments.split(' ')).current_dir(folder).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let request = "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 \
        -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1";
    let words: Vec<&str> = request.split_whitespace().collect();
    if let Err(error) = openssl(&words.join(" ")).status().await {
        if let Ok(file) = std::env::var("PAGESIGHT_TEST_SKIPS") {
            let line = format!("a self-signed certificate: openssl: {error}\n");
            let mut skips = std::fs::OpenOptions::new().append(true).create(true).open(file);
            std::io::Write::write_all(skips.as_mut().unwrap(), line.as_bytes()).unwrap();
        }
        return None;
    }
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let serve = format!("s_server -accept 127.0.0.1:{free} -key key.pem -cert cert.pem -www");
    let server = openssl(&serve).spawn().unwrap();
    let connected = async || TcpStream::connect(("127.0.0.1", free)).await.ok();
    until("the server with the certificate", connected).await;
    Some((server, free))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_self_signed_certificate_has_its_own_sentence() {
    let place = tempfile::tempdir().unwrap();
    let Some((_server, port)) = self_signed(place.path()).await else { return };
    let (code, out, error) =
        run(place.path(), &["look", &format!("https://127.0.0.1:{port}/")]).await;
    assert_eq!((code, out.as_str()), (2, ""), "{error}");
    has(&error, "could not be loaded: its certificate is self-signed or of an unknown authority");
    has(&error, "; make the system trust its authority, or use http");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_on_a_terminal_says_that_it_waits_for_an_agent() {
    let place = tempfile::tempdir().unwrap();
    let mut terminal = Command::new("script");
    let line = format!("{} mcp", program().display());
    terminal.args(["-qec", &line, "/dev/null"]).current_dir(place.path()).kill_on_drop(true);
    let mut terminal =
        terminal.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("util-linux is here");
    let mut lines = BufReader::new(terminal.stdout.take().unwrap()).lines();
    let mut line = async || lines.next_line().await.unwrap().expect("a line");
    let says = "waiting for an agent on standard input; add pagesight to your agent with: pagesight install";
    while !line().await.contains(says) {}
    // The input stays open, as that of a terminal does.
    let mut input = terminal.stdin.take().unwrap();
    input.write_all(b"look\n").await.unwrap();
    while !line().await.contains("\"look\" is not JSON-RPC: pagesight mcp talks to an agent") {}
    assert_eq!(terminal.wait().await.unwrap().code(), Some(2));
    drop(input);
}

#[tokio::test(flavor = "multi_thread")]
async fn words_on_the_input_of_the_server() {
    let place = tempfile::tempdir().unwrap();
    let mut process = command(place.path());
    process.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = process.spawn().unwrap();
    // The input stays open, as that of a terminal does.
    let mut input = process.stdin.take().unwrap();
    input.write_all(b"look https://example.com\n").await.unwrap();
    let output = process.wait_with_output().await.unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{error}");
    has(&error, "\"look https://example.com\" is not JSON-RPC: pagesight mcp talks to an agent");
    drop(input);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_of_a_project_and_a_log() {
    let (site, place) = (Site::start().await, tempfile::tempdir().unwrap());
    let folder = place.path();
    std::fs::create_dir(folder.join(".git")).unwrap();
    std::fs::write(folder.join(".pagesight.toml"), "viewport = \"390x844\"\n").unwrap();
    let mut serving = command(folder);
    serving.args(["serve", "--log", "--listen", "127.0.0.1:0"]).stderr(Stdio::piped());
    let mut serving = serving.spawn().unwrap();
    let mut lines = BufReader::new(serving.stderr.take().unwrap()).lines();
    let mut line = async || lines.next_line().await.unwrap().unwrap();
    while !line().await.contains("the token is in ") {}
    let page = site.url("done.html");
    assert_eq!(run(folder, &["open", &page, "-s", "a", "--quiet"]).await.0, 0);
    assert_eq!(run(folder, &["eval", "innerWidth", "-s", "a"]).await.1, "390\n");
    for says in ["  a  opened", "  a  shell  open  ", "  a  shell  eval  "] {
        let mut found = line().await;
        while !found.contains("  a  ") {
            found = line().await;
        }
        has(&found, says);
    }
    serving.start_kill().unwrap();
    serving.wait().await.unwrap();
}
