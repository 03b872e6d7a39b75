//! Helpers for the tests with real browsers: a browser that can be found in the process list, a
//! small web server, and events with a time limit.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use pagesight_browser::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;
use tokio::sync::mpsc::UnboundedReceiver;

/// How long an answer may take, on a busy machine, too.
pub const LIMIT: Duration = Duration::from_secs(30);

/// An expression that waits for the next frame and returns whether the page is visible.
pub const NEXT_FRAME: &str =
    "new Promise(done => requestAnimationFrame(() => done(document.visibilityState)))";

/// A page with a button at (150, 120) and a field at (50, 210) that logs its events; `read()`
/// returns the log and clears it.
pub const INPUT_PAGE: &str = "
    <button style='position:absolute;left:100px;top:100px;width:100px;height:40px'>B</button>
    <form onsubmit='log.push(`submit`); return false'>
      <input id=field style='position:absolute;left:0;top:200px;width:300px'></form>
    <script>log = [];
    for (const type of ['click', 'dblclick', 'contextmenu', 'mousedown', 'mouseup', 'mousemove', 'keydown', 'keyup'])
      addEventListener(type, e => log.push(`${type} ${e.key ?? e.detail} ${e.isTrusted}`), true);
    read = () => { const text = log.join(', '); log = []; return text }</script>";

/// Returns whether this machine does not have the browser. Then the test cannot run, and a line is
/// printed for `./test`.
pub fn missing(engine: Engine) -> bool {
    let given =
        std::env::var("PAGESIGHT_TEST_NO_FIREFOX").ok().filter(|_| engine == Engine::Firefox);
    let missing = given.or_else(|| discover::find(engine).err().map(|error| error.to_string()));
    if let (Some(error), Ok(file)) = (&missing, std::env::var("PAGESIGHT_TEST_SKIPS")) {
        let line = format!("tests with a real {}: {error}\n", engine.name());
        let mut skips = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        std::io::Write::write_all(&mut skips, line.as_bytes()).unwrap();
    }
    missing.is_some()
}

/// Makes two tests of each case, `NAME::chromium` and `NAME::firefox`. `$run` runs the case with an
/// engine.
macro_rules! both_engines {
    ($run:path: $($case:ident),+ $(,)?) => {$(
        mod $case {
            #[test]
            fn chromium() {
                $run(pagesight_browser::Engine::Chromium, super::$case);
            }

            #[test]
            fn firefox() {
                $run(pagesight_browser::Engine::Firefox, super::$case);
            }
        }
    )+};
}

/// Runs a case, unless the browser is missing.
pub fn run(engine: Engine, case: impl AsyncFnOnce(Engine)) {
    // Browsers outlive the test that started them, so all tests have one runtime.
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
    // Two Firefoxes at a time are too much for a small machine.
    static FIREFOX: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    if missing(engine) {
        return;
    }
    RUNTIME.block_on(async {
        let _turn = match engine {
            Engine::Chromium => None,
            Engine::Firefox => Some(FIREFOX.lock().await),
        };
        case(engine).await;
    });
}

/// A browser for one test, with a mark on its command line.
pub struct Fixture {
    pub browser: Arc<dyn Browser>,
    pub events: UnboundedReceiver<BrowserEvent>,
    pub mark: String,
}

pub fn new_mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("--pagesight-mark={}-{}-", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

pub async fn start_engine(engine: Engine) -> Fixture {
    let mark = new_mark();
    let options = LaunchOptions { engine, args: vec![mark.clone()], ..LaunchOptions::default() };
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
        let all = family(&self.mark);
        self.browser.close().await;
        // A killed process closes its files a moment before it disappears from the list.
        eventually("the end of the processes", || all.iter().all(|pid| !runs(*pid))).await;
        assert_eq!(processes(&self.mark), Vec::<u32>::new(), "orphans");
        assert!(all.len() > 1, "{all:?}");
        assert!(!profile.exists(), "{} is left", profile.display());
    }
}

/// A tab and its events.
pub struct Watched {
    pub tab: Arc<dyn Tab>,
    pub events: UnboundedReceiver<TabEvent>,
}

impl Watched {
    pub fn new(opened: OpenedTab) -> Self {
        Watched { tab: opened.tab, events: opened.events }
    }

    /// Waits for an event; returns all events since the last wait, including this one.
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
        assert_eq!(self.tab.navigate(url, LIMIT).await, Ok(NavigationStart::NewDocument));
        self.loaded().await
    }

    pub async fn script(&self, function: &str, arguments: &str) -> Result<String> {
        self.tab.script(None, function, arguments, LIMIT).await
    }

    /// Returns a capture of the page without its address, which in a `data:` page is the page
    /// itself.
    pub async fn walk(&self) -> String {
        let walk = self.script("walk", "[{}]").await.unwrap();
        let mut walk: serde_json::Value = serde_json::from_str(&walk).unwrap();
        walk.as_object_mut().unwrap().remove("url");
        walk.to_string()
    }

    pub async fn eval(&self, expression: &str) -> String {
        self.tab.evaluate(expression, LIMIT).await.unwrap()
    }

    pub async fn click(&self, x: f64, y: f64) {
        self.gesture(&click(x, y, MouseButton::Left, 1)).await;
    }

    pub async fn press(&self, chord: &str) {
        let (chord, target) = (chord.parse().unwrap(), KeyTarget::Focused);
        self.gesture(&Gesture::Press { chord, target }).await;
    }

    pub async fn gesture(&self, gesture: &Gesture) {
        self.tab.gesture(gesture).await.unwrap();
    }

    /// Returns the events that have already arrived, without waiting.
    pub fn pending(&mut self) -> Vec<TabEvent> {
        std::iter::from_fn(|| self.events.try_recv().ok()).collect()
    }
}

pub fn click(x: f64, y: f64, button: MouseButton, count: u8) -> Gesture {
    Gesture::Click { x, y, via: vec![], button, count, adds: false }
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

/// The browser's own process: it has the mark, and is neither a child process (`--type=…`) nor a
/// shell.
pub fn main_process(mark: &str) -> u32 {
    let is_main = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        !line.contains("--type=") && !line.starts_with("/bin/sh") && !line.contains("crashhelper")
    };
    processes(mark).into_iter().find(is_main).expect("the browser's process")
}

/// The processes with this mark and all of their descendants: not every child has the mark.
pub fn family(mark: &str) -> Vec<u32> {
    let parent = |pid: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let mut all = processes(mark);
    let others: Vec<(u32, u32)> =
        processes("").into_iter().filter_map(|pid| Some((pid, parent(pid)?))).collect();
    loop {
        let more: Vec<u32> = others
            .iter()
            .filter(|(pid, parent)| all.contains(parent) && !all.contains(pid))
            .map(|(pid, _)| *pid)
            .collect();
        if more.is_empty() {
            return all;
        }
        all.extend(more);
    }
}

/// Returns whether a process exists and is not a zombie.
pub fn runs(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim().starts_with('Z'))
    })
}

/// The profile of the browser with that mark.
pub fn profile_of(mark: &str) -> Option<PathBuf> {
    processes(mark).into_iter().find_map(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).into_owned();
        let mut arguments = line.split('\0');
        let chromium =
            arguments.clone().find_map(|argument| argument.strip_prefix("--user-data-dir="));
        let firefox =
            || arguments.find(|argument| *argument == "--profile").and_then(|_| arguments.next());
        chromium.or_else(firefox).map(PathBuf::from)
    })
}

pub fn signal(pid: u32, signal: &str) {
    let sent =
        std::process::Command::new("kill").arg(signal).arg(pid.to_string()).status().unwrap();
    assert!(sent.success());
}

/// Waits until a condition holds.
pub async fn eventually(what: &str, condition: impl Fn() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < LIMIT, "{what} within {LIMIT:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A process that a test started directly; it ends with the test, even if the test fails.
pub struct Child(pub std::process::Child);

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a web server on a free port; returns its address.
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
                let whole = format!(
                    "HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
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
        "/field" => (html, "<!doctype html><body style=margin:0><input id=field>".into()),
        "/redirect" => ("302 Found\r\nLocation: /a", String::new()),
        "/missing" => ("404 Not Found\r\nContent-Type: text/html", "<title>none</title>".into()),
        "/204" => ("204 No Content", String::new()),
        "/file" => (
            "200 OK\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment",
            "file".into(),
        ),
        "/never" => std::future::pending().await,
        _ => ("404 Not Found", String::new()),
    }
}

/// Returns the important events, each in one or two words.
pub fn names(events: &[TabEvent]) -> Vec<String> {
    let word = |event: &TabEvent| match event {
        TabEvent::NavigationStarted => Some("started".to_owned()),
        TabEvent::Committed { restored, .. } => {
            Some(if *restored { "restored" } else { "committed" }.to_owned())
        }
        TabEvent::SameDocument { url } => {
            Some(format!("within {}", url.rsplit('/').next().unwrap_or_default()))
        }
        TabEvent::DomReady => Some("dom".to_owned()),
        TabEvent::Loaded => Some("loaded".to_owned()),
        TabEvent::Answered { status, .. } => Some(format!("answered {status}")),
        TabEvent::NavigationFailed { reason, .. } => Some(format!("failed {reason}")),
        TabEvent::ErrorPage => Some("error page".to_owned()),
        TabEvent::DialogOpened { kind, message } => Some(format!("dialog {kind} {message}")),
        TabEvent::DialogClosed => Some("answered dialog".to_owned()),
        TabEvent::Console(message) if message.level == ConsoleLevel::Error => {
            Some(format!("error {}", message.text))
        }
        TabEvent::Crashed => Some("crashed".to_owned()),
        TabEvent::Closed => Some("closed".to_owned()),
        TabEvent::Download(_)
        | TabEvent::Console(_)
        | TabEvent::WindowOpened
        | TabEvent::RequestStarted { .. }
        | TabEvent::RequestHeaders { .. }
        | TabEvent::Redirected { .. }
        | TabEvent::Responded { .. }
        | TabEvent::BodyProgressed { .. }
        | TabEvent::RequestFinished { .. }
        | TabEvent::RequestsUnwatched { .. }
        | TabEvent::RequestsWatched
        | TabEvent::RequestFailed { .. } => None,
    };
    events.iter().filter_map(word).collect()
}

/// The token of the document that a tab shows.
pub async fn doc_token(tab: &Watched) -> String {
    let text = tab.tab.script(None, "walk", "[{}]", LIMIT).await.unwrap();
    let walk: serde_json::Value = serde_json::from_str(&text).unwrap();
    walk["doc"].as_str().expect("a document token").to_owned()
}
