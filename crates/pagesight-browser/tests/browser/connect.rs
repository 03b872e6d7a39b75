//! Connecting to browsers that we did not start: they can be captured, their tabs stay as they are,
//! and they keep running. Also tests addresses without a browser.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use pagesight_browser::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::{Notify, mpsc};
use tokio_tungstenite::tungstenite::Message;

use crate::support::*;

both_engines!(crate::support::run: somebody_elses_browser, garbage);

fn options(engine: Engine) -> LaunchOptions {
    LaunchOptions { engine, ..LaunchOptions::default() }
}

/// Starts a browser as a user would; returns its port and the path of its socket.
async fn theirs(
    engine: Engine,
    mark: &str,
    folder: &Path,
    their_page: &str,
) -> (Child, String, String) {
    let mut command = Command::new(discover::find(engine).unwrap());
    command.env("TMPDIR", folder).stdout(Stdio::null());
    match engine {
        Engine::Chromium => {
            command.args([
                "--headless=new",
                "--no-sandbox",
                "--remote-debugging-port=0",
                "--no-first-run",
            ]);
            command.arg(format!("--user-data-dir={}", folder.display()));
            let child =
                Child(command.args([mark, their_page]).stderr(Stdio::null()).spawn().unwrap());
            let file = folder.join("DevToolsActivePort");
            eventually("a port", || {
                std::fs::read_to_string(&file).is_ok_and(|text| text.contains('\n'))
            })
            .await;
            let text = std::fs::read_to_string(&file).unwrap();
            let (port, path) = text.trim().split_once('\n').unwrap();
            (child, port.to_owned(), path.to_owned())
        }
        Engine::Firefox => {
            command
                .args(["--headless", "--no-remote", "--remote-debugging-port=0", "--profile"])
                .arg(folder);
            let mut child =
                Child(command.args([mark, their_page]).stderr(Stdio::piped()).spawn().unwrap());
            let mut lines = BufReader::new(child.0.stderr.take().unwrap()).lines();
            let port = loop {
                let line = lines.next().expect("a line that names the port").unwrap();
                if let Some((_, port)) = line.split_once("listening on ws://127.0.0.1:") {
                    break port.trim().to_owned();
                }
            };
            std::thread::spawn(move || lines.for_each(drop));
            (child, port, "/session".to_owned())
        }
    }
}

/// The user's Firefox does not have the preference that sends the mouse through the window.
async fn feels_the_mouse_in_a_frame_of_another_site(tab: &mut Watched, site: &str) {
    tab.open(&format!("{site}/a")).await;
    let other = site.replace("127.0.0.1", "localhost");
    let add = format!(
        "const frame = document.createElement('iframe'); window.loads = 0; frame.onload = () => loads++;
         frame.style = 'position:fixed;left:300px;top:200px;width:400px;height:200px;border:0';
         frame.src = '{other}/a'; document.body.append(frame); 1"
    );
    tab.eval(&add).await;
    let loads = async |count: &str| {
        for _ in 0..100 {
            if tab.eval("loads").await == count {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        false
    };
    assert!(loads("1").await || loads("1").await, "the frame did not load");
    // The link leads to a different page. A frame that is not drawn yet gets no mouse events.
    for _ in 0..5 {
        tab.click(310.0, 208.0).await;
        if loads("2").await {
            return;
        }
    }
    panic!("the frame did not feel the mouse");
}

async fn somebody_elses_browser(engine: Engine) {
    let mark = new_mark();
    let folder = tempfile::tempdir().unwrap();
    let site = serve().await;
    let (mut child, port, path) = theirs(engine, &mark, folder.path(), &format!("{site}/a")).await;
    for url in [
        format!("http://localhost:{port}"),
        format!("http://127.0.0.1:{port}/"),
        format!("ws://127.0.0.1:{port}{path}"),
    ] {
        let Connected { browser, events } = connect(&options(engine), &url).await.unwrap();
        let mut fixture = Fixture { browser, events, mark: mark.clone() };
        let BrowserEvent::TabFound(found) = fixture.next().await else { panic!("no tab") };
        let theirs = Watched::new(fixture.browser.attach_tab(&found.id).await.unwrap());
        // It may still be loading.
        for _ in 0..100 {
            if theirs.eval("location.pathname").await == "\"/a\"" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let walk = theirs.tab.script(None, "walk", "[{}]", LIMIT).await.unwrap();
        assert!(walk.contains("to b"), "{walk}");
        let size = theirs.eval("[innerWidth, innerHeight]").await;
        assert_ne!(size, "[1280,720]", "their tab was resized");

        let mut ours = fixture.tab().await;
        ours.open(&page("ours")).await;
        assert_eq!(ours.eval("[innerWidth, innerHeight]").await, "[1280,720]");
        let large = ours.eval("'x'.repeat(10_000_000)").await;
        assert_eq!(large.len(), 10_000_002);
        feels_the_mouse_in_a_frame_of_another_site(&mut ours, &site).await;
        ours.tab.close().await.unwrap();
        fixture.browser.close().await;
        assert!(!fixture.browser.is_alive());
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(child.0.try_wait().unwrap().is_none(), "their browser was ended");
    }
    // Firefox has one session: the first client keeps it until it disconnects, then the next gets
    // it.
    let url = format!("ws://127.0.0.1:{port}{path}");
    let first = connect(&options(engine), &url).await.unwrap();
    if engine == Engine::Firefox {
        let error = connect(&options(engine), &url).await.err().unwrap().to_string();
        assert!(error.contains("another client"), "{error}");
    }
    drop(first);
    let next = tokio::time::timeout(LIMIT, async {
        loop {
            match connect(&options(engine), &url).await {
                Ok(connected) => return connected,
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    });
    next.await.expect("the next client").browser.close().await;
    if engine == Engine::Chromium {
        let page_address = format!("ws://127.0.0.1:{port}/devtools/page/x");
        let refused = connect(&options(engine), &page_address).await;
        assert!(matches!(refused, Err(BrowserError::NotConnected { .. })));
    }
    signal(main_process(&mark), "-TERM");
    child.0.wait().unwrap();
}

/// Messages that no browser sends, or about things that do not exist.
const GARBAGE: [&str; 9] = [
    "garbage",
    "",
    "null",
    "[1, 2, 3]",
    "{\"id\": 1e99, \"result\": {}}",
    "{\"id\": 4000000000, \"type\": \"success\", \"result\": {\"x\": 1}}",
    "{\"type\": \"event\", \"method\": \"browsingContext.load\", \"params\": {\"context\": 7}}",
    "{\"method\": \"Target.attachedToTarget\", \"params\": {\"sessionId\": null}}",
    "{\"method\": \"Page.frameNavigated\", \"sessionId\": \"nobody\", \"params\": {\"frame\": {\"id\": \"\\ud800\"}}}",
];

/// A proxy between us and a browser that sends garbage before each message. `cut` ends it in the
/// middle of a message.
async fn garbling(target: String, cut: Arc<Notify>) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("ws://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let (mut to_us, mut from_us) =
            tokio_tungstenite::accept_async(stream).await.unwrap().split();
        let (theirs, _) = tokio_tungstenite::connect_async(target).await.unwrap();
        let (mut to_them, mut from_them) = theirs.split();
        let mut garbage = GARBAGE.iter().cycle();
        loop {
            tokio::select! {
                Some(Ok(message)) = from_us.next() => to_them.send(message).await.unwrap(),
                Some(Ok(message)) = from_them.next() => {
                    for text in garbage.by_ref().take(2) {
                        to_us.send(Message::text(*text)).await.unwrap();
                    }
                    to_us.send(Message::binary(vec![0xff, 0, 0x80])).await.unwrap();
                    to_us.send(message).await.unwrap();
                }
                () = cut.notified() => {
                    let _ = to_us.send(Message::text("{\"id\": 3, \"resu")).await;
                    return;
                }
                else => return,
            }
        }
    });
    address
}

/// Garbage does not break the connection, and an end in the middle of a message is reported at
/// once.
async fn garbage(engine: Engine) {
    let mark = new_mark();
    let folder = tempfile::tempdir().unwrap();
    let server = serve().await;
    let (mut child, port, path) =
        theirs(engine, &mark, folder.path(), &format!("{server}/a")).await;
    let cut = Arc::new(Notify::new());
    let address = garbling(format!("ws://127.0.0.1:{port}{path}"), cut.clone()).await;
    let Connected { browser, events } = connect(&options(engine), &address).await.unwrap();
    let fixture = Fixture { browser, events, mark: mark.clone() };
    let mut ours = fixture.tab().await;
    ours.open(&format!("{server}/a")).await;
    assert!(ours.tab.script(None, "walk", "[{}]", LIMIT).await.unwrap().contains("to b"));
    assert_eq!(ours.eval("6 * 7").await, "42");

    let forever = ours.tab.evaluate("new Promise(() => {})", LIMIT);
    let (ended, ()) = tokio::join!(forever, async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        cut.notify_one();
    });
    assert!(matches!(ended, Err(BrowserError::Disconnected)), "{ended:?}");
    assert!(!fixture.browser.is_alive());
    assert!(child.0.try_wait().unwrap().is_none(), "their browser was ended");
    signal(main_process(&mark), "-TERM");
    child.0.wait().unwrap();
}

#[tokio::test]
async fn addresses_without_a_browser() {
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = (silent.local_addr().unwrap(), silent);
    let server = serve().await;
    let web_socket = server.replace("http", "ws");
    let addresses = [
        "garbage".to_owned(),
        String::new(),
        "ftp://x".to_owned(),
        format!("http://{closed}"),
        format!("ws://{closed}/x"),
        server,
        web_socket,
        format!("http://{}", silent.0),
        format!("ws://{}", silent.0),
    ];
    for engine in [Engine::Chromium, Engine::Firefox] {
        for url in &addresses {
            let options = options(engine);
            let connected = tokio::time::timeout(LIMIT, connect(&options, url)).await;
            let error = connected.expect("an answer in time").err().expect("an error");
            assert!(matches!(&error, BrowserError::NotConnected { .. }), "{error}");
        }
    }
}

/// A driver that reports when it has to start a browser, starts it when `go` is notified, and
/// reports which session it has to end.
async fn slow_driver(go: Arc<Notify>) -> (String, mpsc::UnboundedReceiver<String>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, asked) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (sender, go) = (sender.clone(), go.clone());
            tokio::spawn(async move {
                let mut request = vec![0; 65536];
                let length = stream.read(&mut request).await.unwrap_or_default();
                let request = String::from_utf8_lossy(&request[..length]).into_owned();
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                let body = match request.split(' ').next() {
                    Some("POST") => {
                        let _ = sender.send(path);
                        go.notified().await;
                        r#"{"value":{"sessionId":"x","capabilities":{"webSocketUrl":"ws://127.0.0.1:1/session/x"}}}"#
                    }
                    Some("DELETE") => {
                        let _ = sender.send(path);
                        r#"{"value":null}"#
                    }
                    _ => r#"{"value":{"ready":true}}"#,
                };
                let answer =
                    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
                let _ = stream.write_all(answer.as_bytes()).await;
            });
        }
    });
    (address, asked)
}

/// A driver may allow only one session; a session that is left behind would block the next caller.
#[tokio::test]
async fn whoever_does_not_wait_for_a_driver_leaves_no_session() {
    let go = Arc::new(Notify::new());
    let (address, mut asked) = slow_driver(go.clone()).await;
    let options = options(Engine::Firefox);
    tokio::select! {
        connected = connect(&options, &address) => panic!("{:?}", connected.err()),
        path = asked.recv() => assert_eq!(path.as_deref(), Some("/session")),
    }
    go.notify_one();
    let session = tokio::time::timeout(LIMIT, asked.recv()).await;
    assert_eq!(session.expect("it was never ended").as_deref(), Some("/session/x"));
}
