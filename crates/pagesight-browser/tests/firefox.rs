//! Tests of behaviour that only Firefox has; tests for every engine are in `contract/`. Linux only,
//! because they read `/proc`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod common;

use std::time::Duration;

use common::*;
use pagesight_browser::*;

#[tokio::test]
async fn beyond_the_contract() {
    if missing(Engine::Firefox) {
        return;
    }
    let browser = start_engine(Engine::Firefox).await;
    let mut tab = browser.tab().await;
    answers_in_time(&mut tab).await;
    corners(&mut tab).await;

    // A value that contains itself cannot be written as JSON.
    let cycle = tab.tab.evaluate("(() => { const o = {}; o.o = o; return o })()", LIMIT).await;
    assert!(
        matches!(&cycle, Err(BrowserError::Script(message)) if message.contains("itself")),
        "{cycle:?}"
    );
    assert!(matches!(tab.tab.interrupt().await, Err(BrowserError::Unsupported { .. })));

    // A port that Firefox blocks: there is no request and no failure, only the error page.
    let denied = tab.tab.navigate("http://127.0.0.1:1/", LIMIT).await;
    assert!(matches!(denied, Err(BrowserError::LoadFailed { .. })), "{denied:?}");
    let events = tab.until("the error page", |event| *event == TabEvent::ErrorPage).await;
    assert!(names(&events).contains(&"failed deniedPortAccess".to_owned()), "{events:?}");

    // A script that never ends: the call ends, and the tab can be closed.
    let endless = tab.tab.evaluate("for (;;);", Duration::from_millis(300)).await;
    assert!(matches!(endless, Err(BrowserError::TimedOut { .. })), "{endless:?}");
    let leaving = tab.tab.navigate("about:blank", Duration::from_millis(500)).await;
    assert!(matches!(leaving, Err(BrowserError::Unsupported { .. })), "{leaving:?}");
    tab.tab.close().await.unwrap();
    browser.end().await;
}

/// A delayed acknowledgement of a long answer would cost 40 ms; the limit leaves room for a busy
/// machine.
async fn answers_in_time(tab: &mut Watched) {
    tab.open(&page("<button>Press</button>")).await;
    let short = median(50, async || drop(tab.script("find", "[\"button\"]").await.unwrap())).await;
    let long = median(20, async || {
        assert_eq!(tab.eval("'x'.repeat(50_000)").await.len(), 50_002);
    });
    let long = long.await;
    println!("script round trip {short:?} median, 50 kB {long:?} median");
    assert!(long < short + Duration::from_millis(30), "{long:?}");
}

/// The mouse reaches the corners of a tab of any size.
async fn corners(tab: &mut Watched) {
    tab.open(&page(INPUT_PAGE)).await;
    for (width, height) in [(1280, 720), (1600, 1400), (400, 900), (2000, 3000), (1280, 720)] {
        tab.tab.resize(Viewport { width, height }).await.unwrap();
        tab.click(f64::from(width) - 3.0, f64::from(height) - 3.0).await;
        let log = tab.eval("read()").await;
        assert!(log.contains("mousedown 1 true, mouseup 1 true"), "{width}x{height}: {log}");
    }
}
