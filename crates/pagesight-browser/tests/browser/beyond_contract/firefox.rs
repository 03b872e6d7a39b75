//! Behaviour that only Firefox has.

use std::time::{Duration, Instant};

use pagesight_browser::*;

use crate::contract::share;
use crate::support::*;

/// A delayed acknowledgement would cost 40 ms in each round; the fastest round is compared, so that
/// a busy machine does not matter.
#[test]
fn long_answers_are_acknowledged_at_once() {
    share(Engine::Firefox, async |contract| {
        let tab = contract.tab().await;
        let fastest = async |length: usize| {
            let mut fastest = LIMIT;
            for _ in 0..20 {
                let began = Instant::now();
                assert_eq!(tab.eval(&format!("'x'.repeat({length})")).await.len(), length + 2);
                fastest = fastest.min(began.elapsed());
            }
            fastest
        };
        let (short, long) = (fastest(1).await, fastest(50_000).await);
        assert!(long < short + Duration::from_millis(30), "{short:?}, {long:?}");
        tab.tab.close().await.unwrap();
    });
}

#[test]
fn the_mouse_reaches_the_corners_of_a_tab_of_any_size() {
    share(Engine::Firefox, async |contract| {
        let mut tab = contract.tab().await;
        tab.open(&page(INPUT_PAGE)).await;
        for (width, height) in [(1280, 720), (1600, 1400), (400, 900), (2000, 3000), (1280, 720)] {
            tab.tab.resize(Viewport { width, height }).await.unwrap();
            tab.click(f64::from(width) - 3.0, f64::from(height) - 3.0).await;
            let log = tab.eval("read()").await;
            assert!(log.contains("mousedown 1 true, mouseup 1 true"), "{width}x{height}: {log}");
        }
        tab.tab.close().await.unwrap();
    });
}

#[test]
fn a_value_that_contains_itself_is_an_error() {
    share(Engine::Firefox, async |contract| {
        let tab = contract.tab().await;
        let cycle = tab.tab.evaluate("(() => { const o = {}; o.o = o; return o })()", LIMIT).await;
        assert!(
            matches!(&cycle, Err(BrowserError::Script(message)) if message.contains("itself")),
            "{cycle:?}"
        );
        tab.tab.close().await.unwrap();
    });
}

/// There is no request and no failure, only the error page.
#[test]
fn a_port_that_firefox_blocks_is_an_error() {
    share(Engine::Firefox, async |contract| {
        let mut tab = contract.tab().await;
        let denied = tab.tab.navigate("http://127.0.0.1:1/", LIMIT).await;
        assert!(matches!(denied, Err(BrowserError::LoadFailed { .. })), "{denied:?}");
        let events = tab.until("the error page", |event| *event == TabEvent::ErrorPage).await;
        assert!(names(&events).contains(&"failed deniedPortAccess".to_owned()), "{events:?}");
        tab.tab.close().await.unwrap();
    });
}

/// Keys are sent to a frame, not to the window, so the frame must be the right one. The document
/// around it must not get them, even if it does not answer when it is asked where the focus is.
#[test]
fn keys_for_a_frame_reach_no_other_document() {
    share(Engine::Firefox, async |contract| {
        let mut tab = contract.tab().await;
        let other = contract.server.replace("127.0.0.1", "localhost");
        tab.open(&format!("{}/a", contract.server)).await;
        tab.eval(&format!(
            "new Promise(done => {{
                document.body.innerHTML = '<input id=own style=\"position:absolute;left:0;top:0\">';
                heard = [];
                addEventListener('keydown', event => heard.push(event.key), true);
                const frame = document.createElement('iframe');
                frame.style = 'position:absolute;left:0;top:100px;border:0';
                frame.onload = () => done(0);
                frame.src = '{other}/field';
                document.body.append(frame);
            }})"
        ))
        .await;
        let walk = tab.script("walk", "[{}]").await.unwrap();
        let walk: serde_json::Value = serde_json::from_str(&walk).unwrap();
        let node = walk["frames"][0].as_u64().unwrap() as usize;
        let element = walk["nodes"]["id"][node].as_u64().unwrap() as u32;
        let frame = tab.tab.frames_of(None, &[element], LIMIT).await.unwrap().remove(0).unwrap();
        let typed = |text: &str| Gesture::Type {
            text: text.to_owned(),
            target: KeyTarget::Frame(Some(frame.clone())),
        };
        let heard = "JSON.stringify([heard, own.value])";

        tab.click(20.0, 110.0).await;
        tab.gesture(&typed("a")).await;
        for busy in [700, 1500] {
            tab.eval(&format!(
                "setTimeout(() => {{
                    for (const end = Date.now() + {busy}; Date.now() < end;);
                }}), 0"
            ))
            .await;
            tab.gesture(&typed("b")).await;
        }
        assert_eq!(tab.eval(heard).await, r#""[[],\"\"]""#);
        let inside = async |function: &str, arguments: &str| -> serde_json::Value {
            let answer = tab.tab.script(Some(&frame), function, arguments, LIMIT).await.unwrap();
            serde_json::from_str(&answer).unwrap()
        };
        let field = inside("focusedElement", "[]").await["id"].clone();
        assert_eq!(inside("fieldValue", &format!("[{field}]")).await["value"], "abb");

        tab.click(20.0, 10.0).await;
        let elsewhere = tab.tab.gesture(&typed("c")).await;
        assert_eq!(elsewhere, Err(BrowserError::FocusElsewhere));
        assert_eq!(tab.eval(heard).await, r#""[[],\"\"]""#);
        tab.tab.close().await.unwrap();
    });
}

/// Firefox lets local pages read other files while it is automated; our preferences forbid that.
#[test]
fn a_local_page_reads_no_other_file() {
    share(Engine::Firefox, async |contract| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("page.html"), "<!doctype html><p>page").unwrap();
        std::fs::write(folder.path().join("other.html"), "<!doctype html><p>other").unwrap();
        let mut tab = contract.tab().await;
        tab.open(&format!("file://{}/page.html", folder.path().display())).await;
        let asked = "new Promise(done => {
            const request = new XMLHttpRequest();
            request.onload = () => done(request.responseText);
            request.onerror = () => done('refused');
            request.open('GET', 'other.html');
            request.send();
        })";
        assert_eq!(tab.eval(asked).await, "\"refused\"");
        let framed = "new Promise(done => {
            const frame = document.createElement('iframe');
            frame.onload = () => done(frame.contentDocument?.body.textContent ?? 'refused');
            frame.src = 'other.html';
            document.body.append(frame);
        })";
        assert_eq!(tab.eval(framed).await, "\"refused\"");
        tab.tab.close().await.unwrap();
    });
}

#[test]
fn cookies_of_other_contexts_are_not_read() {
    share(Engine::Firefox, async |contract| {
        let browser = &contract.browser.browser;
        let other = browser.create_context().await.unwrap();
        let cookie = |name: &str| StoredCookie {
            name: name.to_owned(),
            value: "x".to_owned(),
            domain: "containers.example".to_owned(),
            path: "/".to_owned(),
            expires: -1.0,
            ..StoredCookie::default()
        };
        other.set_cookie(&cookie("theirs")).await.unwrap();
        browser.set_cookie(&cookie("ours")).await.unwrap();
        let names = async |browser: &dyn Browser| -> Vec<String> {
            let mut cookies = browser.cookies().await.unwrap();
            cookies.retain(|cookie| cookie.domain == "containers.example");
            cookies.into_iter().map(|cookie| cookie.name).collect()
        };
        assert_eq!(names(&**browser).await, ["ours"]);
        assert_eq!(names(&*other).await, ["theirs"]);
        other.close().await;
    });
}

/// Has a browser of its own, because other tabs may be in the process that hangs.
#[test]
fn an_endless_script_cannot_be_interrupted_but_its_tab_can_be_closed() {
    run(Engine::Firefox, async |engine| {
        let browser = start_engine(engine).await;
        let tab = browser.tab().await;
        assert!(matches!(tab.tab.interrupt().await, Err(BrowserError::Unsupported { .. })));
        let endless = tab.tab.evaluate("for (;;);", Duration::from_millis(300)).await;
        assert!(matches!(endless, Err(BrowserError::TimedOut { .. })), "{endless:?}");
        let leaving = tab.tab.navigate("about:blank", Duration::from_millis(500)).await;
        assert!(matches!(leaving, Err(BrowserError::Unsupported { .. })), "{leaving:?}");
        tab.tab.close().await.unwrap();
        browser.end().await;
    });
}
