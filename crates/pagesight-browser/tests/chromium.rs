//! The whole crate against a real Chromium. Every test starts a browser of its own and ends it, and
//! looks for what is left of it. Linux only: it looks into `/proc`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod common;

use std::time::{Duration, Instant};

use common::*;
use pagesight_browser::*;

#[tokio::test]
async fn pages_scripts_and_figures() {
    if no_chromium() {
        return;
    }
    let began = Instant::now();
    let browser = start().await;
    let launched = began.elapsed();
    assert!(browser.browser.product().starts_with("Chromium 1"), "{}", browser.browser.product());
    let began = Instant::now();
    let mut tab = browser.tab().await;
    let opened = began.elapsed();
    assert_eq!(
        tab.eval("[innerWidth, innerHeight, devicePixelRatio, document.hasFocus()]").await,
        "[1280,720,1,true]"
    );

    let events = tab.open(&page("<title>T</title><button>Press</button>")).await;
    assert_eq!(names(&events), ["started", "answered 200", "committed", "dom", "loaded"]);
    let walk = tab.tab.script(None, "walk", "[{}]", LIMIT).await.unwrap();
    assert!(walk.contains("Press"), "{walk}");
    // The page sees nothing of the script, and the script nothing of the page's globals.
    assert_eq!(tab.eval("typeof pagesight").await, "\"undefined\"");
    assert!(matches!(
        tab.tab.script(None, "nothing", "[]", LIMIT).await,
        Err(BrowserError::Script(_))
    ));
    assert!(matches!(
        tab.tab.script(None, "walk(1);x", "[]", LIMIT).await,
        Err(BrowserError::Script(_))
    ));

    assert_eq!(tab.eval("undefined").await, "null");
    assert_eq!(tab.eval("NaN").await, "null");
    assert_eq!(tab.eval("({a: [1, 'x']})").await, r#"{"a":[1,"x"]}"#);
    assert_eq!(tab.eval("Promise.resolve(12n)").await, "\"12\"");
    assert_eq!(tab.eval("'é\\ud83d\\n\\x00'").await, "\"é\u{fffd}\\n\\u0000\"");
    let thrown = tab.tab.evaluate("(() => { throw new TypeError('no\\nmore') })()", LIMIT).await;
    assert_eq!(thrown, Err(BrowserError::Script("TypeError: no".to_owned())));
    let limit = Duration::from_millis(300);
    let endless = tab.tab.evaluate("for (;;);", limit).await;
    assert!(matches!(endless, Err(BrowserError::TimedOut { .. })), "{endless:?}");
    let never = tab.tab.evaluate("new Promise(() => {})", limit).await;
    assert!(matches!(never, Err(BrowserError::TimedOut { .. })), "{never:?}");
    assert_eq!(tab.eval("1 + 1").await, "2");

    tab.pending();
    tab.eval(
        "console.error('bad', 7, new Error('inner')); setTimeout(() => { throw new Error('later\\ud83d') })",
    )
    .await;
    let events = tab
        .until(
            "the exception",
            |event| matches!(event, TabEvent::ConsoleError { text } if text.contains("later")),
        )
        .await;
    assert_eq!(names(&events), ["error bad 7 Error: inner", "error Error: later\u{fffd}"]);

    let mut trips: Vec<Duration> = Vec::new();
    for _ in 0..50 {
        let began = Instant::now();
        tab.tab.script(None, "find", "[\"button\"]", LIMIT).await.unwrap();
        trips.push(began.elapsed());
    }
    trips.sort();
    let began = Instant::now();
    let large = tab.eval("'x'.repeat(10_000_000)").await;
    let took = began.elapsed();
    assert_eq!(large.len(), 10_000_002);
    println!(
        "launch {launched:?}, first tab {opened:?}, script round trip {:?} median, 10 MB {took:?}",
        trips[25]
    );
    browser.end().await;
}

#[tokio::test]
async fn navigation() {
    if no_chromium() {
        return;
    }
    let browser = start().await;
    let server = serve().await;
    let mut tab = browser.tab().await;

    let events = tab.open(&format!("{server}/redirect")).await;
    assert_eq!(names(&events), ["started", "answered 200", "committed", "dom", "loaded"]);
    let answered = TabEvent::Answered { status: 200, url: format!("{server}/a") };
    assert!(events.contains(&answered), "{events:#?}");
    let token = doc_token(&tab).await;

    // A click on a link: the navigation is known of when the gesture returns.
    tab.click(5.0, 5.0).await;
    let mut events = tab.pending();
    assert_eq!(names(&events)[0], "started");
    let fetched = |event: &TabEvent| matches!(event, TabEvent::RequestStarted { kind: RequestKind::Fetch, url, method, .. } if url.ends_with("/data.json") && method == "GET");
    if !events.iter().any(fetched) {
        events.extend(tab.until("the fetch", fetched).await);
    }
    if !events.contains(&TabEvent::Loaded) {
        events.extend(tab.loaded().await);
    }
    let other = doc_token(&tab).await;
    assert_ne!(token, other);

    // Back out of the cache: the same document, and the script's world with everything it knew.
    assert_eq!(tab.tab.step(HistoryStep::Back).await, Ok(NavigationStart::NewDocument));
    let events = tab.until("Committed", |event| matches!(event, TabEvent::Committed { .. })).await;
    assert_eq!(names(&events), ["started", "restored"]);
    assert_eq!(doc_token(&tab).await, token);
    assert_eq!(tab.tab.step(HistoryStep::Forward).await, Ok(NavigationStart::NewDocument));
    tab.until("Committed", |event| matches!(event, TabEvent::Committed { .. })).await;
    assert_eq!(doc_token(&tab).await, other);
    assert_eq!(tab.tab.step(HistoryStep::Forward).await, Ok(NavigationStart::Nothing));

    // Within the document.
    tab.pending();
    assert_eq!(
        tab.tab.navigate(&format!("{server}/b#x"), LIMIT).await,
        Ok(NavigationStart::SameDocument)
    );
    tab.eval("history.pushState(0, '', '/pushed')").await;
    let events = tab
        .until(
            "pushState",
            |event| matches!(event, TabEvent::SameDocument { url } if url.ends_with("/pushed")),
        )
        .await;
    assert_eq!(names(&events), ["within b#x", "within pushed"]);
    assert_eq!(tab.tab.step(HistoryStep::Back).await, Ok(NavigationStart::SameDocument));
    assert_eq!(doc_token(&tab).await, other);

    tab.tab.reload().await.unwrap();
    tab.loaded().await;
    assert_ne!(doc_token(&tab).await, other);

    // An error page of the server is a page; what is no document is told.
    let events = tab.open(&format!("{server}/missing")).await;
    assert_eq!(names(&events), ["started", "answered 404", "committed", "dom", "loaded"]);
    for path in ["/204", "/file"] {
        assert_eq!(
            tab.tab.navigate(&format!("{server}{path}"), LIMIT).await,
            Ok(NavigationStart::NewDocument)
        );
        let events =
            tab.until("failure", |event| matches!(event, TabEvent::NavigationFailed { .. })).await;
        assert_eq!(
            names(&events).last().map(String::as_str),
            Some("failed net::ERR_ABORTED"),
            "{path}"
        );
    }
    tab.eval("location.href = '/a'; window.stop()").await;
    tab.until("called off", |event| matches!(event, TabEvent::NavigationFailed { .. })).await;

    let began = Instant::now();
    assert_eq!(
        tab.tab.navigate(&format!("{server}/slow"), Duration::from_millis(200)).await,
        Ok(NavigationStart::NewDocument)
    );
    assert!(began.elapsed() < LIMIT / 2, "it was waited for");
    tab.tab.stop().await.unwrap();
    tab.until("stopped", |event| matches!(event, TabEvent::NavigationFailed { .. })).await;

    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let refused = tab.tab.navigate(&format!("http://{closed}/"), LIMIT).await;
    assert!(
        matches!(&refused, Err(BrowserError::LoadFailed { reason, .. }) if reason == "net::ERR_CONNECTION_REFUSED"),
        "{refused:?}"
    );
    assert!(matches!(
        tab.tab.navigate("garbage", LIMIT).await,
        Err(BrowserError::LoadFailed { .. })
    ));

    // A document that goes away under a call.
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
    browser.end().await;
}

#[tokio::test]
async fn input() {
    if no_chromium() {
        return;
    }
    let browser = start().await;
    let mut tab = browser.tab().await;
    tab.open(&page(
        "<button style='position:absolute;left:100px;top:100px;width:100px;height:40px'>B</button>
         <form onsubmit='log.push(`submit`); return false'><input style='position:absolute;left:0;top:200px;width:300px'></form>
         <script>log = [];
         for (const type of ['click', 'dblclick', 'contextmenu', 'mousedown', 'mouseup', 'mousemove', 'keydown', 'keyup'])
           addEventListener(type, e => log.push(`${type} ${e.key ?? e.detail} ${e.isTrusted}`), true);
         read = () => { const text = log.join(', '); log = []; return text }</script>",
    ))
    .await;
    tab.click(150.0, 120.0).await;
    assert_eq!(
        tab.eval("read()").await,
        "\"mousemove 0 true, mousedown 1 true, mouseup 1 true, click 1 true\""
    );
    tab.tab
        .gesture(&Gesture::Click {
            x: 150.0,
            y: 120.0,
            button: MouseButton::Left,
            count: 2,
            adds: false,
        })
        .await
        .unwrap();
    let log = tab.eval("read()").await;
    assert!(
        log.ends_with(
            "click 1 true, mousedown 2 true, mouseup 2 true, click 2 true, dblclick 2 true\""
        ),
        "{log}"
    );
    tab.tab
        .gesture(&Gesture::Click {
            x: 150.0,
            y: 120.0,
            button: MouseButton::Right,
            count: 1,
            adds: false,
        })
        .await
        .unwrap();
    let log = tab.eval("read()").await;
    assert!(log.contains("contextmenu") && !log.contains(" click"), "{log}");
    tab.tab.gesture(&Gesture::Move { x: 1.0, y: 1.0 }).await.unwrap();
    assert_eq!(tab.eval("read()").await, "\"mousemove 0 true\"");

    tab.click(50.0, 210.0).await;
    tab.tab
        .gesture(&Gesture::InsertText { text: "Grüße 👋".to_owned(), frame: None })
        .await
        .unwrap();
    assert_eq!(tab.eval("document.querySelector('input').value").await, "\"Grüße 👋\"");
    tab.eval("read()").await;
    tab.press("Control+A").await;
    assert_eq!(
        tab.eval("read()").await,
        "\"keydown Control true, keydown a true, keyup a true, keyup Control true\""
    );
    for key in ["a", "B", "Space", "+", "1", "ArrowLeft", "Backspace", "é"] {
        tab.press(key).await;
    }
    assert_eq!(tab.eval("document.querySelector('input').value").await, "\"aB é1\"");
    tab.eval("read()").await;
    tab.press("Enter").await;
    assert_eq!(tab.eval("read()").await, "\"keydown Enter true, submit, keyup Enter true\"");
    let odd = KeyChord {
        key: "Nonsense".to_owned(),
        control: false,
        shift: false,
        alt: false,
        meta: false,
    };
    let unknown = tab.tab.gesture(&Gesture::Press(odd)).await;
    assert!(matches!(unknown, Err(BrowserError::UnknownKey(_))), "{unknown:?}");

    // Two tabs side by side: both draw, and both take input.
    let second = browser.tab().await;
    for tab in [&tab, &second] {
        let frame =
            "new Promise(done => requestAnimationFrame(() => done(document.visibilityState)))";
        assert_eq!(tab.eval(frame).await, "\"visible\"");
    }
    tab.eval("read()").await;
    tab.click(150.0, 120.0).await;
    assert!(tab.eval("read()").await.contains("click 1 true"));
    tab.click(50.0, 210.0).await;
    for key in ["Control+A", "x"] {
        tab.press(key).await;
    }
    assert_eq!(tab.eval("document.querySelector('input').value").await, "\"x\"");
    browser.end().await;
}

#[tokio::test]
async fn dialogs() {
    if no_chromium() {
        return;
    }
    let browser = start().await;
    let server = serve().await;
    let mut tab = browser.tab().await;
    tab.open(&format!("{server}/a")).await;
    tab.eval("document.onclick = () => { said = confirm('Delete \\x22it\\x22?') }; 0").await;
    tab.eval("document.body.innerHTML = ''").await;
    let began = Instant::now();
    tab.click(5.0, 5.0).await;
    assert!(began.elapsed() < LIMIT / 2, "the gesture waited for the dialog");
    let events =
        tab.until("the dialog", |event| matches!(event, TabEvent::DialogOpened { .. })).await;
    assert_eq!(names(&events).last().map(String::as_str), Some("dialog confirm Delete \"it\"?"));

    let began = Instant::now();
    let shut = Err(BrowserError::DialogOpen {
        kind: "confirm".to_owned(),
        message: "Delete \"it\"?".to_owned(),
    });
    assert_eq!(tab.tab.script(None, "info", "[]", LIMIT).await, shut);
    assert_eq!(tab.tab.evaluate("1", LIMIT).await, shut);
    assert!(matches!(
        tab.tab.screenshot(ShotArea::Viewport, ImageFormat::Png).await,
        Err(BrowserError::DialogOpen { .. })
    ));
    assert!(matches!(
        tab.tab.navigate("about:blank", LIMIT).await,
        Err(BrowserError::DialogOpen { .. })
    ));
    assert!(began.elapsed() < LIMIT / 2, "it was waited for");
    let sentence = tab.tab.evaluate("1", LIMIT).await.expect_err("a dialog").to_string();
    assert_eq!(
        sentence,
        r#"dialog open (confirm): "Delete \"it\"?"; answer it with browser_interact"#
    );

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
    tab.eval("onbeforeunload = e => e.preventDefault(); document.onclick = null").await;
    tab.click(100.0, 100.0).await;
    let leaving = tab.tab.navigate(&format!("{server}/b"), LIMIT).await;
    assert!(
        matches!(&leaving, Err(BrowserError::DialogOpen { kind, .. }) if kind == "beforeunload"),
        "{leaving:?}"
    );
    tab.tab.answer_dialog(false, None).await.unwrap();
    tab.until("called off", |event| matches!(event, TabEvent::NavigationFailed { .. })).await;
    assert!(tab.tab.script(None, "info", "[]", LIMIT).await.is_ok());
    // Closing asks nobody.
    tab.tab.close().await.unwrap();
    tab.until("Closed", |event| *event == TabEvent::Closed).await;
    browser.end().await;
}

#[tokio::test]
async fn pictures() {
    if no_chromium() {
        return;
    }
    let browser = start().await;
    let mut tab = browser.tab().await;
    tab.open(&page("<div style='height:3000px;background:red'></div>")).await;
    let size = |png: &[u8]| {
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        (number(16), number(20))
    };
    let shot = |area| tab.tab.screenshot(area, ImageFormat::Png);
    assert_eq!(size(&shot(ShotArea::Viewport).await.unwrap()), (1280, 720));
    // As wide as the page is: the scroll bar keeps its place.
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
    let blue = tab
        .tab
        .screenshot(ShotArea::Box { x: 0.0, y: 150.0, width: 8.0, height: 8.0 }, ImageFormat::Png)
        .await
        .unwrap();
    let white = tab
        .tab
        .screenshot(ShotArea::Box { x: 0.0, y: 10.0, width: 8.0, height: 8.0 }, ImageFormat::Png)
        .await
        .unwrap();
    assert_ne!(blue, white);
    tab.eval("document.body.innerHTML = '<div style=\"height:40000px\"></div>'").await;
    assert_eq!(size(&shot(ShotArea::FullPage).await.unwrap()).1, 16384);
    browser.end().await;
}

#[tokio::test]
async fn tabs_that_open_by_themselves() {
    if no_chromium() {
        return;
    }
    let mut browser = start().await;
    let server = serve().await;
    let mut tab = browser.tab().await;
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
    assert!(second.tab.script(None, "walk", "[{}]", LIMIT).await.is_ok());
    assert_eq!(second.eval("innerWidth").await, "1280");

    tab.eval("onclick = () => window.open('about:blank').document.body.innerHTML = '<p>written'; document.body.innerHTML = ''").await;
    tab.click(5.0, 5.0).await;
    let BrowserEvent::TabOpened { opened, opener } = browser.next().await else { panic!("no tab") };
    assert_eq!(opener.as_deref(), Some(tab.tab.id()));
    let third = Watched::new(opened);
    let walk = third.tab.script(None, "walk", "[{}]", LIMIT).await.unwrap();
    assert!(walk.contains("written"), "{walk}");

    // Ours are never reported, however many are opened at once.
    let (one, two, three) = tokio::join!(browser.tab(), browser.tab(), browser.tab());
    assert!(browser.events.try_recv().is_err());
    for mut tab in [one, two, three, second] {
        tab.tab.close().await.unwrap();
        tab.until("Closed", |event| *event == TabEvent::Closed).await;
        assert!(tab.events.recv().await.is_none());
        assert_eq!(tab.tab.script(None, "info", "[]", LIMIT).await, Err(BrowserError::TabClosed));
        assert_eq!(tab.tab.close().await, Ok(()));
    }

    // The page closes itself under a call; the browser stays when its last tab is gone.
    let waited = third.tab.evaluate("new Promise(() => setTimeout(close, 50))", LIMIT).await;
    assert_eq!(waited, Err(BrowserError::TabClosed));
    tab.tab.close().await.unwrap();
    let mut last = browser.tab().await;
    last.open(&page("again")).await;
    browser.end().await;
}
