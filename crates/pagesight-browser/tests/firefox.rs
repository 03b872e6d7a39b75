//! The whole crate against a real Firefox. Firefox starts slowly, so one browser serves all that
//! does not end it. Linux only: it looks into `/proc`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod common;

use std::time::{Duration, Instant};

use common::*;
use pagesight_browser::*;

async fn firefox() -> Fixture {
    start_engine(Engine::Firefox).await
}

#[tokio::test]
async fn the_whole_of_a_browser() {
    if no_firefox() {
        return;
    }
    let began = Instant::now();
    let mut browser = firefox().await;
    println!("launch {:?}", began.elapsed());
    assert!(browser.browser.product().starts_with("Firefox 1"), "{}", browser.browser.product());
    let server = serve().await;
    let began = Instant::now();
    let mut tab = browser.tab().await;
    println!("first tab {:?}", began.elapsed());
    scripts(&mut tab).await;
    isolation(&mut tab).await;
    navigation(&mut tab, &server).await;
    failures(&mut tab, &server).await;
    dialogs(&mut tab, &server).await;
    pictures(&mut tab).await;
    input(&mut tab).await;
    frames(&mut tab, &server).await;
    tabs(&mut browser, tab, &server).await;
    browser.end().await;
}

async fn scripts(tab: &mut Watched) {
    assert_eq!(tab.eval("[innerWidth, innerHeight, devicePixelRatio]").await, "[1280,720,1]");
    let events = tab.open(&page("<title>T</title><button>Press</button>")).await;
    assert_eq!(names(&events), ["started", "answered 200", "committed", "dom", "loaded"]);
    let walk = tab.script("walk", "[{}]").await.unwrap();
    assert!(walk.contains("Press"), "{walk}");
    // The page sees nothing of the script, and the script nothing of the page's globals.
    assert_eq!(tab.eval("typeof pagesight").await, "\"undefined\"");
    assert!(matches!(tab.script("nothing", "[]").await, Err(BrowserError::Script(_))));
    assert!(matches!(tab.script("walk(1);x", "[]").await, Err(BrowserError::Script(_))));

    assert_eq!(tab.eval("undefined").await, "null");
    assert_eq!(tab.eval("NaN").await, "null");
    assert_eq!(
        tab.eval("({b: 1, a: [1, 'x', undefined], u: undefined})").await,
        r#"{"b":1,"a":[1,"x",null]}"#
    );
    assert_eq!(tab.eval("Promise.resolve(12n)").await, "\"12\"");
    assert_eq!(tab.eval("'é\\ud83d\\n\\x00'").await, "\"é\u{fffd}\\n\\u0000\"");
    let itself = tab.tab.evaluate("(() => { const o = {}; o.o = o; return o })()", LIMIT).await;
    assert!(
        matches!(&itself, Err(BrowserError::Script(message)) if message.contains("itself")),
        "{itself:?}"
    );
    let thrown = tab.tab.evaluate("(() => { throw new TypeError('no\\nmore') })()", LIMIT).await;
    assert_eq!(thrown, Err(BrowserError::Script("TypeError: no".to_owned())));
    let never = tab.tab.evaluate("new Promise(() => {})", Duration::from_millis(300)).await;
    assert!(matches!(never, Err(BrowserError::TimedOut { .. })), "{never:?}");

    tab.pending();
    tab.eval("console.error('bad', 7, new Error('inner')); setTimeout(() => { throw new Error('later') })")
        .await;
    let later = |event: &TabEvent| matches!(event, TabEvent::ConsoleError { text } if text.contains("later"));
    let events = tab.until("the exception", later).await;
    assert_eq!(names(&events), ["error bad 7 Error: inner", "error Error: later"]);

    let mut trips: Vec<Duration> = Vec::new();
    for _ in 0..50 {
        let began = Instant::now();
        tab.script("find", "[\"button\"]").await.unwrap();
        trips.push(began.elapsed());
    }
    trips.sort();
    let mut middling: Vec<Duration> = Vec::new();
    for _ in 0..20 {
        let began = Instant::now();
        assert_eq!(tab.eval("'x'.repeat(50_000)").await.len(), 50_002);
        middling.push(began.elapsed());
    }
    middling.sort();
    let began = Instant::now();
    assert_eq!(tab.eval("'x'.repeat(10_000_000)").await.len(), 10_000_002);
    println!(
        "round trip {:?} median, 50 kB {:?} median, 10 MB {:?}",
        trips[25],
        middling[10],
        began.elapsed()
    );
    // A delayed acknowledgement would cost 40 ms; leave room for a busy machine.
    assert!(middling[10] < trips[25] + Duration::from_millis(30), "{middling:?}");
}

/// A page that has changed everything it can reach.
async fn isolation(tab: &mut Watched) {
    let tampered = page(
        "<script>
         for (const name of ['querySelectorAll', 'getAttribute', 'getBoundingClientRect', 'attachShadow'])
           Element.prototype[name] = () => { throw new Error('seen ' + name) };
         Object.defineProperty(Node.prototype, 'childNodes', { get() { throw new Error('seen childNodes') } });
         Array.prototype.push = Array.prototype.map = JSON.stringify = WeakMap.prototype.get = () => { throw new Error('seen') };
         window.getComputedStyle = null; window.pagesight = { walk: () => 'tampered' };
         </script><button>Still here</button>",
    );
    let events = tab.open(&tampered).await;
    let walk = tab.script("walk", "[{}]").await.unwrap();
    assert!(walk.contains("Still here") && !walk.contains("error"), "{walk}");
    let heard: Vec<String> =
        names(&events).into_iter().filter(|name| name.contains("seen")).collect();
    assert_eq!(heard, Vec::<String>::new());
    let globals = "Object.keys(window).filter(name => name === 'pagesight').length";
    assert_eq!(tab.eval(globals).await, "1", "only the page's own");
}

async fn navigation(tab: &mut Watched, server: &str) {
    let events = tab.open(&format!("{server}/redirect")).await;
    assert_eq!(names(&events), ["started", "answered 200", "committed", "dom", "loaded"]);
    let answered = TabEvent::Answered { status: 200, url: format!("{server}/a") };
    assert!(events.contains(&answered), "{events:#?}");
    let token = doc_token(tab).await;

    tab.eval("document.querySelector('a').click()").await;
    let fetched = |event: &TabEvent| matches!(event, TabEvent::RequestStarted { kind: RequestKind::Fetch, url, method, .. } if url.ends_with("/data.json") && method == "GET");
    let mut events = tab.until("the fetch", fetched).await;
    assert_eq!(names(&events)[0], "started");
    if !events.contains(&TabEvent::Loaded) {
        events.extend(tab.loaded().await);
    }
    let other = doc_token(tab).await;
    assert_ne!(token, other);

    // Back out of the cache: told, though Firefox says nothing of it.
    assert_eq!(tab.tab.step(HistoryStep::Back).await, Ok(NavigationStart::NewDocument));
    let events = tab.until("Committed", |event| matches!(event, TabEvent::Committed { .. })).await;
    assert_eq!(names(&events), ["started", "restored"]);
    let url = TabEvent::Committed { url: format!("{server}/a"), restored: true };
    assert_eq!(events.last(), Some(&url));
    assert!(tab.script("walk", "[{}]").await.unwrap().contains("to b"));
    assert_eq!(tab.tab.step(HistoryStep::Forward).await, Ok(NavigationStart::NewDocument));
    tab.until("Committed", |event| matches!(event, TabEvent::Committed { .. })).await;
    assert_eq!(tab.tab.step(HistoryStep::Forward).await, Ok(NavigationStart::Nothing));
    let other = doc_token(tab).await;

    // Within the document. It may have been loaded anew: whether a page is kept is for Firefox to
    // say.
    tab.script("quiet", "[200, 5000]").await.unwrap();
    tab.pending();
    assert_eq!(
        tab.tab.navigate(&format!("{server}/b#x"), LIMIT).await,
        Ok(NavigationStart::SameDocument)
    );
    tab.eval("history.pushState(0, '', '/pushed')").await;
    let pushed = |event: &TabEvent| matches!(event, TabEvent::SameDocument { url } if url.ends_with("/pushed"));
    let events = tab.until("pushState", pushed).await;
    assert_eq!(names(&events), ["within b#x", "within pushed"]);
    assert_eq!(tab.tab.step(HistoryStep::Back).await, Ok(NavigationStart::SameDocument));
    assert_eq!(doc_token(tab).await, other);

    tab.tab.reload().await.unwrap();
    tab.loaded().await;
    assert_ne!(doc_token(tab).await, other);

    // A document that goes away under a call; what comes next is never seen half.
    tab.open(&format!("{server}/a")).await;
    let waiting = tab.tab.script(None, "quiet", "[60000, 60000]", LIMIT);
    let leaving = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        tab.tab.navigate(&format!("{server}/b"), LIMIT).await
    };
    let began = Instant::now();
    let (waited, _) = tokio::join!(waiting, leaving);
    assert_eq!(waited, Err(BrowserError::Navigated));
    assert!(began.elapsed() < LIMIT / 2, "it was waited for");
    for round in 0..5 {
        let to = if round % 2 == 0 { "a" } else { "b" };
        tab.eval(&format!("location.href = '/{to}'; 0")).await;
        let deadline = Instant::now() + LIMIT;
        loop {
            match tab.script("walk", "[{}]").await {
                Ok(walk) => {
                    let walk: serde_json::Value = serde_json::from_str(&walk).unwrap();
                    let url = walk["url"].as_str().unwrap();
                    assert!(url.starts_with(server), "a look at {url}");
                    if url.ends_with(to) {
                        break;
                    }
                }
                Err(BrowserError::Navigated) => {}
                Err(error) => panic!("{error}"),
            }
            assert!(Instant::now() < deadline);
        }
    }
    tab.script("quiet", "[200, 5000]").await.unwrap();
    tab.pending();
}

async fn failures(tab: &mut Watched, server: &str) {
    // An error page of the server is a page; what is no document is told.
    let events = tab.open(&format!("{server}/missing")).await;
    assert_eq!(names(&events), ["started", "answered 404", "committed", "dom", "loaded"]);
    for path in ["/204", "/file"] {
        assert_eq!(
            tab.tab.navigate(&format!("{server}{path}"), LIMIT).await,
            Ok(NavigationStart::NewDocument)
        );
        let failed =
            |event: &TabEvent| matches!(event, TabEvent::NavigationFailed { aborted: true, .. });
        tab.until("the end of it", failed).await;
    }
    tab.eval("location.href = '/a'; window.stop()").await;
    tab.until("called off", |event| matches!(event, TabEvent::NavigationFailed { .. })).await;

    let began = Instant::now();
    let limit = Duration::from_millis(200);
    assert_eq!(
        tab.tab.navigate(&format!("{server}/slow"), limit).await,
        Ok(NavigationStart::NewDocument)
    );
    assert!(began.elapsed() < LIMIT / 2, "it was waited for");
    tab.tab.stop().await.unwrap();
    tab.until("stopped", |event| matches!(event, TabEvent::NavigationFailed { .. })).await;

    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let refused = tab.tab.navigate(&format!("http://{closed}/"), LIMIT).await;
    let words = "NS_ERROR_CONNECTION_REFUSED";
    assert!(
        matches!(&refused, Err(BrowserError::LoadFailed { reason, .. }) if reason == words),
        "{refused:?}"
    );
    tab.until("the error page", |event| *event == TabEvent::ErrorPage).await;
    // A port that Firefox does not go to: no request, no failure, only the page about it.
    let denied = tab.tab.navigate("http://127.0.0.1:1/", LIMIT).await;
    assert!(matches!(denied, Err(BrowserError::LoadFailed { .. })), "{denied:?}");
    let events = tab.until("the error page", |event| *event == TabEvent::ErrorPage).await;
    assert!(names(&events).contains(&"failed deniedPortAccess".to_owned()), "{events:?}");
    assert!(matches!(
        tab.tab.navigate("garbage", LIMIT).await,
        Err(BrowserError::LoadFailed { .. })
    ));
}

async fn dialogs(tab: &mut Watched, server: &str) {
    tab.open(&format!("{server}/a")).await;
    tab.eval("setTimeout(() => { said = confirm('Delete \\x22it\\x22?') })").await;
    let events =
        tab.until("the dialog", |event| matches!(event, TabEvent::DialogOpened { .. })).await;
    assert_eq!(names(&events).last().map(String::as_str), Some("dialog confirm Delete \"it\"?"));
    let began = Instant::now();
    let shut = Err(BrowserError::DialogOpen {
        kind: "confirm".to_owned(),
        message: "Delete \"it\"?".to_owned(),
    });
    assert_eq!(tab.script("info", "[]").await, shut);
    assert_eq!(tab.tab.evaluate("1", LIMIT).await, shut);
    assert!(matches!(
        tab.tab.navigate("about:blank", LIMIT).await,
        Err(BrowserError::DialogOpen { .. })
    ));
    assert!(began.elapsed() < LIMIT / 2, "it was waited for");
    tab.tab.answer_dialog(true, None).await.unwrap();
    assert_eq!(tab.eval("said").await, "true");
    assert_eq!(names(&tab.pending()), ["answered dialog"]);

    // One that opens in the middle of a call.
    let opened = tab.tab.evaluate("said = prompt('Name?', 'x')", LIMIT).await;
    assert!(
        matches!(&opened, Err(BrowserError::DialogOpen { kind, .. }) if kind == "prompt"),
        "{opened:?}"
    );
    tab.tab.answer_dialog(true, Some("Ada")).await.unwrap();
    assert_eq!(tab.eval("said").await, "\"Ada\"");
    assert!(tab.tab.answer_dialog(true, None).await.is_err());

    // Leaving a page that does not want to be left.
    tab.eval("onbeforeunload = e => e.preventDefault(); 0").await;
    tab.click(100.0, 100.0).await;
    let leaving = tab.tab.navigate(&format!("{server}/b"), LIMIT).await;
    let asked = |kind: &str| kind == "beforeunload";
    assert!(
        matches!(&leaving, Err(BrowserError::DialogOpen { kind, .. }) if asked(kind)),
        "{leaving:?}"
    );
    tab.tab.answer_dialog(false, None).await.unwrap();
    tab.until("called off", |event| matches!(event, TabEvent::NavigationFailed { .. })).await;
    assert!(tab.script("info", "[]").await.is_ok());
    tab.eval("onbeforeunload = null; 0").await;
}

async fn pictures(tab: &mut Watched) {
    tab.open(&page("<div style='height:3000px;background:red'></div>")).await;
    let size = |png: &[u8]| {
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        (number(16), number(20))
    };
    let shot = |area| tab.tab.screenshot(area, ImageFormat::Png);
    assert_eq!(size(&shot(ShotArea::Viewport).await.unwrap()), (1280, 720));
    let (width, height) = size(&shot(ShotArea::FullPage).await.unwrap());
    assert!((1200..=1280).contains(&width) && height == 3000, "{width} × {height}");
    let part = ShotArea::Box { x: 10.0, y: 700.0, width: 100.0, height: 50.0 };
    assert_eq!(size(&shot(part).await.unwrap()), (100, 50));
    let jpeg = tab.tab.screenshot(ShotArea::Viewport, ImageFormat::Jpeg).await.unwrap();
    assert_eq!(&jpeg[..3], b"\xff\xd8\xff");
    let webp = tab.tab.screenshot(part, ImageFormat::Webp).await.unwrap();
    assert_eq!(&webp[..4], b"RIFF");
    tab.tab.resize(Viewport { width: 400, height: 300 }).await.unwrap();
    assert_eq!(size(&shot(ShotArea::Viewport).await.unwrap()), (400, 300));
    // Boxes are of the viewport, wherever the page is scrolled to.
    tab.eval("document.body.innerHTML = '<div style=\"height:1000px\"></div><div style=\"height:1000px;background:blue\"></div>'; scrollTo(0, 900)")
        .await;
    let spot = |y| ShotArea::Box { x: 0.0, y, width: 8.0, height: 8.0 };
    assert_ne!(shot(spot(150.0)).await.unwrap(), shot(spot(10.0)).await.unwrap());
    tab.eval("document.body.innerHTML = '<div style=\"height:40000px\"></div>'").await;
    assert_eq!(size(&shot(ShotArea::FullPage).await.unwrap()).1, 16384);
    tab.tab.resize(Viewport::default()).await.unwrap();
}

async fn input(tab: &mut Watched) {
    tab.open(&page(
        "<button style='position:absolute;left:100px;top:100px;width:100px;height:40px'>B</button>
         <form onsubmit='log.push(`submit`); return false'><input style='position:absolute;left:0;top:200px;width:300px'></form>
         <script>log = [];
         for (const type of ['click', 'dblclick', 'contextmenu', 'mousedown', 'mouseup', 'mousemove', 'keydown', 'keyup'])
           addEventListener(type, e => log.push(`${type} ${e.key ?? e.detail} ${e.isTrusted}`), true);
         read = () => { const text = log.join(', '); log = []; return text }</script>",
    ))
    .await;
    // Up to the last corner, whatever the size.
    for (width, height) in [(1280, 720), (1600, 1400), (400, 900), (2000, 3000), (1280, 720)] {
        tab.tab.resize(Viewport { width, height }).await.unwrap();
        tab.click(f64::from(width) - 3.0, f64::from(height) - 3.0).await;
        let log = tab.eval("read()").await;
        assert!(log.contains("mousedown 1 true, mouseup 1 true"), "{width}x{height}: {log}");
    }
    tab.click(150.0, 120.0).await;
    let log = tab.eval("read()").await;
    assert!(log.ends_with("mousedown 1 true, mouseup 1 true, click 1 true\""), "{log}");
    let twice =
        Gesture::Click { x: 150.0, y: 120.0, button: MouseButton::Left, count: 2, adds: false };
    tab.tab.gesture(&twice).await.unwrap();
    let log = tab.eval("read()").await;
    assert!(log.contains("click 2 true, dblclick"), "{log}");
    let right =
        Gesture::Click { x: 150.0, y: 120.0, button: MouseButton::Right, count: 1, adds: false };
    tab.tab.gesture(&right).await.unwrap();
    let log = tab.eval("read()").await;
    assert!(log.contains("contextmenu") && !log.contains(" click"), "{log}");
    tab.tab.gesture(&Gesture::Move { x: 1.5, y: 1.0 }).await.unwrap();
    assert!(tab.eval("read()").await.starts_with("\"mousemove"));

    tab.click(50.0, 210.0).await;
    tab.eval("read()").await;
    for key in ["a", "B", "Space", "+", "1", "ArrowLeft", "Backspace", "é"] {
        tab.press(key).await;
    }
    assert_eq!(tab.eval("document.querySelector('input').value").await, "\"aB é1\"");
    tab.eval("read()").await;
    tab.press("Control+A").await;
    let chord = "\"keydown Control true, keydown a true, keyup a true, keyup Control true\"";
    assert_eq!(tab.eval("read()").await, chord);
    tab.press("x").await;
    assert_eq!(tab.eval("document.querySelector('input').value").await, "\"x\"");
    tab.eval("read()").await;
    tab.press("Enter").await;
    assert_eq!(tab.eval("read()").await, "\"keydown Enter true, submit, keyup Enter true\"");

    tab.press("Control+A").await;
    let text = Gesture::InsertText { text: "Grüße 👋".to_owned(), frame: None };
    tab.tab.gesture(&text).await.unwrap();
    assert_eq!(tab.eval("document.querySelector('input').value").await, "\"Grüße 👋\"");
    tab.tab.gesture(&Gesture::Type("!é".to_owned())).await.unwrap();
    assert_eq!(tab.eval("document.querySelector('input').value").await, "\"Grüße 👋!é\"");

    // What is not there yet says so.
    assert!(matches!(tab.tab.interrupt().await, Err(BrowserError::Unsupported { .. })));
}

async fn frames(tab: &mut Watched, server: &str) {
    let other = server.replace("127.0.0.1", "localhost");
    tab.open(&format!("{server}/a")).await;
    tab.eval(&format!("new Promise(done => {{ let left = 2; for (const src of ['/b', '{other}/b']) {{ const f = document.createElement('iframe'); f.onload = () => --left || done(); f.src = src; document.body.append(f) }} }})")).await;
    let walk = tab.script("walk", "[{}]").await.unwrap();
    let walk: serde_json::Value = serde_json::from_str(&walk).unwrap();
    let elements: Vec<u32> = walk["frames"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| walk["nodes"]["id"][node.as_u64().unwrap() as usize].as_u64().unwrap() as u32)
        .collect();
    assert_eq!(elements.len(), 2, "{walk}");
    let frames = tab.tab.frames_of(None, &elements, LIMIT).await.unwrap();
    for (frame, address) in frames.iter().zip([server, &other]) {
        let frame = frame.as_deref().expect("a frame");
        let inside = tab.tab.script(Some(frame), "walk", "[{}]", LIMIT).await.unwrap();
        assert!(inside.contains(&format!("{address}/b")), "{inside}");
    }
    let gone = tab.tab.script(Some("nowhere"), "walk", "[{}]", LIMIT).await;
    assert_eq!(gone, Err(BrowserError::Navigated));
    let waiting = tab.tab.script(frames[0].as_deref(), "quiet", "[60000, 60000]", LIMIT);
    let leaving = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        tab.eval("document.querySelector('iframe').src = '/a'; 0").await
    };
    let began = Instant::now();
    let (waited, _) = tokio::join!(waiting, leaving);
    assert_eq!(waited, Err(BrowserError::Navigated));
    assert!(began.elapsed() < LIMIT / 2, "it was waited for");
}

async fn tabs(browser: &mut Fixture, mut tab: Watched, server: &str) {
    tab.open(&format!("{server}/a")).await;
    tab.eval(&format!("document.body.innerHTML = '<a style=\"position:absolute;left:0;top:0\" target=_blank href=\"{server}/b\">new tab</a>'")).await;
    tab.click(5.0, 5.0).await;
    let BrowserEvent::TabOpened { opened, opener } = browser.next().await else { panic!("no tab") };
    assert_eq!(opener.as_deref(), Some(tab.tab.id()));
    let mut second = Watched::new(opened);
    let events = second.loaded().await;
    assert!(
        events.contains(&TabEvent::Answered { status: 200, url: format!("{server}/b") }),
        "{events:#?}"
    );
    assert!(second.script("walk", "[{}]").await.is_ok());
    assert_eq!(second.eval("innerWidth").await, "1280");

    tab.eval("onclick = () => window.open('about:blank').document.body.innerHTML = '<p>written'; document.body.innerHTML = ''").await;
    tab.click(5.0, 5.0).await;
    let BrowserEvent::TabOpened { opened, opener } = browser.next().await else { panic!("no tab") };
    assert_eq!(opener.as_deref(), Some(tab.tab.id()));
    let third = Watched::new(opened);
    let walk = third.script("walk", "[{}]").await.unwrap();
    assert!(walk.contains("written"), "{walk}");

    // Side by side: all draw.
    for tab in [&tab, &second, &third] {
        let frame =
            "new Promise(done => requestAnimationFrame(() => done(document.visibilityState)))";
        assert_eq!(tab.eval(frame).await, "\"visible\"");
    }

    // Ours are never reported, however many are opened at once.
    let began = Instant::now();
    let (one, two) = tokio::join!(browser.tab(), browser.tab());
    println!("two more tabs {:?}", began.elapsed());
    assert!(browser.events.try_recv().is_err());
    for mut tab in [one, two, second] {
        tab.tab.close().await.unwrap();
        tab.until("Closed", |event| *event == TabEvent::Closed).await;
        assert!(tab.events.recv().await.is_none());
        assert_eq!(tab.script("info", "[]").await, Err(BrowserError::TabClosed));
        assert_eq!(tab.tab.close().await, Ok(()));
    }

    // A page that never ends its script: the call ends, and the tab can be closed.
    let endless = third.tab.evaluate("for (;;);", Duration::from_millis(300)).await;
    assert!(matches!(endless, Err(BrowserError::TimedOut { .. })), "{endless:?}");
    let leaving = third.tab.navigate("about:blank", Duration::from_millis(500)).await;
    assert!(matches!(leaving, Err(BrowserError::Unsupported { .. })), "{leaving:?}");
    third.tab.close().await.unwrap();

    // The browser stays when its last tab is gone, and the next comes at once.
    tab.tab.close().await.unwrap();
    let mut last = browser.tab().await;
    last.open(&page("again")).await;
    assert!(last.script("walk", "[{}]").await.unwrap().contains("again"));
}

/// The process that is killed in the next test: it starts a browser, opens a tab and says so.
#[tokio::test]
async fn victim() {
    let Ok(mark) = std::env::var("PAGESIGHT_TEST_MARK") else { return };
    let options =
        LaunchOptions { engine: Engine::Firefox, args: vec![mark], ..LaunchOptions::default() };
    let connected = launch(&options).await.unwrap();
    let _tab = connected.browser.open_tab(Viewport::default()).await.unwrap();
    std::fs::write(std::env::var("PAGESIGHT_TEST_FILE").unwrap(), "ready").unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
}

#[tokio::test]
async fn however_it_ends() {
    if no_firefox() {
        return;
    }
    // The page's process is killed.
    let mut browser = firefox().await;
    let server = serve().await;
    let mut tab = browser.tab().await;
    tab.open(&page("<p>x")).await;
    let waiting = tab.tab.script(None, "quiet", "[60000, 60000]", LIMIT);
    let killing = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        for pid in family(&browser.mark) {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            if String::from_utf8_lossy(&line).contains("-isForBrowser") {
                signal(pid, "-KILL");
            }
        }
    };
    let (waited, ()) = tokio::join!(waiting, killing);
    assert!(
        matches!(waited, Err(BrowserError::TabCrashed | BrowserError::Navigated)),
        "{waited:?}"
    );
    tab.until("Crashed", |event| *event == TabEvent::Crashed).await;
    assert_eq!(tab.script("info", "[]").await, Err(BrowserError::TabCrashed));
    assert_eq!(
        tab.tab.gesture(&Gesture::Move { x: 1.0, y: 1.0 }).await,
        Err(BrowserError::TabCrashed)
    );
    tab.open(&format!("{server}/b")).await;
    assert!(tab.script("walk", "[{}]").await.is_ok());

    // The browser is killed.
    let profile = profile_of(&browser.mark).unwrap();
    let all = family(&browser.mark);
    let waiting = tab.tab.script(None, "quiet", "[60000, 60000]", LIMIT);
    let killing = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        signal(main_process(&browser.mark), "-KILL");
    };
    let (waited, ()) = tokio::join!(waiting, killing);
    assert_eq!(waited, Err(BrowserError::Disconnected));
    assert!(matches!(browser.next().await, BrowserEvent::Disconnected));
    assert!(!browser.browser.is_alive());
    assert_eq!(tab.script("info", "[]").await, Err(BrowserError::Disconnected));
    assert_eq!(
        browser.browser.open_tab(Viewport::default()).await.err(),
        Some(BrowserError::Disconnected)
    );
    eventually("clean-up after a killed browser", Duration::from_secs(5), || {
        all.iter().all(|pid| !runs(*pid)) && !profile.exists()
    })
    .await;
    browser.browser.close().await;

    // We are killed.
    let mark = new_mark();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ready");
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "victim", "--nocapture"])
        .env("PAGESIGHT_TEST_MARK", &mark)
        .env("PAGESIGHT_TEST_FILE", &file)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut child = Child(child);
    eventually("a victim", Duration::from_secs(30), || file.exists()).await;
    let profile = profile_of(&mark).unwrap();
    let all: Vec<u32> = family(&mark);
    assert!(profile.exists() && all.len() > 2, "{all:?}");
    signal(child.0.id(), "-KILL");
    child.0.wait().unwrap();
    let gone = || all.iter().all(|pid| !runs(*pid)) && !profile.exists();
    let took = eventually("clean-up after SIGKILL", Duration::from_secs(5), gone).await;
    println!("gone {took:?} after SIGKILL");
}

#[tokio::test]
async fn what_does_not_start() {
    if no_firefox() {
        return;
    }
    let check = async |options: LaunchOptions, words: &str| {
        let began = Instant::now();
        let options = LaunchOptions { engine: Engine::Firefox, ..options };
        let error = launch(&options).await.err().expect("an error").to_string();
        assert!(error.contains(words), "{error}");
        assert!(began.elapsed() < Duration::from_secs(12), "{error}: {:?}", began.elapsed());
    };
    check(
        LaunchOptions { program: Some("/nowhere/firefox".into()), ..Default::default() },
        "not found",
    )
    .await;
    check(
        LaunchOptions { program: Some("/bin/true".into()), ..Default::default() },
        "it ended at once",
    )
    .await;
    let nowhere = LaunchOptions { profile: Some("/proc/no/profile".into()), ..Default::default() };
    check(nowhere, "the profile /proc/no/profile").await;

    // A profile of the user's is kept, and its settings too; while it is in use nobody else gets
    // it.
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let mark = new_mark();
    let options = LaunchOptions {
        engine: Engine::Firefox,
        profile: Some(kept.clone()),
        args: vec![mark.clone()],
        ..Default::default()
    };
    let connected = launch(&options).await.unwrap();
    check(options.clone(), "in use").await;
    connected.browser.close().await;
    assert!(processes(&mark).is_empty());
    assert!(kept.join("prefs.js").exists());
}
