//! What the tests with a real Chromium share: a browser that can be found among the processes, a small web server,
//! and events with a time limit.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use pagesight_browser::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc::UnboundedReceiver;

pub const LIMIT: Duration = Duration::from_secs(10);

/// Whether there is no Chromium on this machine; then the test cannot run, and `./test` is told.
pub fn no_chromium() -> bool {
    let missing = find::find_chromium().err();
    if let (Some(error), Ok(file)) = (&missing, std::env::var("PAGESIGHT_TEST_SKIPS")) {
        let mut skips = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        std::io::Write::write_all(&mut skips, format!("tests with a real Chromium: {error}\n").as_bytes())
            .unwrap();
    }
    missing.is_some()
}

/// A browser of a test's own, with a mark on its command line.
pub struct Fixture {
    pub browser: Arc<dyn Browser>,
    pub events: UnboundedReceiver<BrowserEvent>,
    pub mark: String,
}

pub fn new_mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("--pagesight-mark={}-{}-", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

pub async fn start() -> Fixture {
    let mark = new_mark();
    let options = LaunchOptions { args: vec![mark.clone()], ..LaunchOptions::default() };
    let Connected { browser, events } = launch(&options).await.unwrap();
    Fixture { browser, events, mark }
}

impl Fixture {
    pub async fn tab(&self) -> Watched {
        Watched::new(self.browser.open_tab(Viewport::default()).await.unwrap())
    }

    pub async fn next(&mut self) -> BrowserEvent {
        tokio::time::timeout(LIMIT, self.events.recv())
            .await
            .expect("a browser event in time")
            .expect("a browser event")
    }

    /// Ends the browser and checks that nothing of it is left.
    pub async fn end(self) {
        let profile = profile_of(&self.mark).expect("a profile");
        let began = Instant::now();
        self.browser.close().await;
        assert!(began.elapsed() < Duration::from_secs(5), "close took {:?}", began.elapsed());
        assert_eq!(processes(&self.mark), Vec::<u32>::new(), "orphans");
        assert!(!profile.exists(), "{} is left", profile.display());
    }
}

/// A tab and everything it has reported.
pub struct Watched {
    pub tab: Arc<dyn Tab>,
    pub events: UnboundedReceiver<TabEvent>,
    pub seen: Vec<TabEvent>,
}

impl Watched {
    pub fn new(opened: OpenedTab) -> Self {
        Watched { tab: opened.tab, events: opened.events, seen: Vec::new() }
    }

    /// Waits for an event; answers with everything since the last wait, the event included.
    pub async fn until(&mut self, what: &str, wanted: impl Fn(&TabEvent) -> bool) -> Vec<TabEvent> {
        let mut events = Vec::new();
        loop {
            match tokio::time::timeout(LIMIT, self.events.recv()).await {
                Ok(Some(event)) => {
                    events.push(event.clone());
                    if wanted(&event) {
                        return events;
                    }
                }
                other => panic!("no {what} ({other:?}) after {events:#?}"),
            }
        }
    }

    pub async fn loaded(&mut self) -> Vec<TabEvent> {
        self.until("Loaded", |event| *event == TabEvent::Loaded).await
    }

    pub async fn open(&mut self, url: &str) -> Vec<TabEvent> {
        assert_eq!(self.tab.navigate(url, LIMIT).await, Ok(Begun::NewDocument));
        self.loaded().await
    }

    pub async fn eval(&self, expression: &str) -> String {
        self.tab.evaluate(expression, LIMIT).await.unwrap()
    }

    pub async fn click(&self, x: f64, y: f64) {
        self.tab.gesture(&Gesture::Click { x, y, button: MouseButton::Left, count: 1 }).await.unwrap();
    }

    pub async fn press(&self, chord: &str) {
        self.tab.gesture(&Gesture::Press(chord.parse().unwrap())).await.unwrap();
    }

    /// Events that came already, without waiting.
    pub fn pending(&mut self) -> Vec<TabEvent> {
        std::iter::from_fn(|| self.events.try_recv().ok()).collect()
    }
}

pub fn page(body: &str) -> String {
    let escaped = body.replace('%', "%25").replace('#', "%23").replace('\n', " ");
    format!("data:text/html,<!doctype html><meta charset=utf-8><body style=margin:0>{escaped}")
}

/// The processes that have `mark` on their command line.
pub fn processes(mark: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if pid != std::process::id() && String::from_utf8_lossy(&line).contains(mark) {
            found.push(pid);
        }
    }
    found
}

/// The browser's own process: the one that has the mark, is no child of the kind `--type=…` and no shell.
pub fn main_process(mark: &str) -> u32 {
    let is_main = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        !line.contains("--type=") && !line.starts_with("/bin/sh")
    };
    processes(mark).into_iter().find(is_main).expect("the browser's process")
}

/// The profile of the browser with that mark.
pub fn profile_of(mark: &str) -> Option<PathBuf> {
    processes(mark).into_iter().find_map(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).into_owned();
        let value = line.split('\0').find_map(|argument| argument.strip_prefix("--user-data-dir="))?;
        Some(PathBuf::from(value))
    })
}

pub fn signal(pid: u32, signal: &str) {
    let sent = std::process::Command::new("kill").arg(signal).arg(pid.to_string()).status().unwrap();
    assert!(sent.success());
}

/// Waits until a condition holds.
pub async fn eventually(what: &str, limit: Duration, condition: impl Fn() -> bool) -> Duration {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < limit, "{what} within {limit:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    began.elapsed()
}

/// A process that a test started by hand; it ends with the test, also when the test fails.
pub struct Child(pub std::process::Child);

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A web server on a port of its own; answers with its address.
pub async fn serve() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = Vec::new();
                while !request.windows(4).any(|end| end == b"\r\n\r\n") {
                    let mut piece = [0; 4096];
                    match stream.read(&mut piece).await {
                        Ok(length @ 1..) => request.extend_from_slice(&piece[..length]),
                        _ => return,
                    }
                }
                let text = String::from_utf8_lossy(&request).into_owned();
                let path = text.split(' ').nth(1).unwrap_or("/").to_owned();
                let (head, body) = answer(&path).await;
                let length = body.len();
                let whole =
                    format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
                let _ = stream.write_all(whole.as_bytes()).await;
            });
        }
    });
    address
}

async fn answer(path: &str) -> (&'static str, String) {
    let html = "200 OK\r\nContent-Type: text/html";
    match path.split('?').next().unwrap_or_default() {
        "/a" => (
            html,
            "<!doctype html><title>A</title><a style='position:absolute;left:0;top:0' href=/b>to b</a>"
                .into(),
        ),
        "/b" => (html, "<!doctype html><title>B</title><script src=/script.js></script><p>b".into()),
        "/script.js" => {
            ("200 OK\r\nContent-Type: text/javascript", "fetch('/data.json').then(r => r.json())".into())
        }
        "/data.json" => ("200 OK\r\nContent-Type: application/json", "{\"a\": 1}".into()),
        "/redirect" => ("302 Found\r\nLocation: /a", String::new()),
        "/missing" => ("404 Not Found\r\nContent-Type: text/html", "<title>none</title>".into()),
        "/204" => ("204 No Content", String::new()),
        "/file" => (
            "200 OK\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment",
            "file".into(),
        ),
        "/slow" => {
            tokio::time::sleep(Duration::from_secs(3)).await;
            (html, "<title>slow</title>".into())
        }
        _ => ("404 Not Found", String::new()),
    }
}
