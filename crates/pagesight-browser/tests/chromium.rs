//! Tests of behaviour that only Chromium has; tests for every engine are in `contract/`. Linux
//! only, because they read `/proc`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod common;

use std::time::Duration;

use common::*;
use pagesight_browser::*;

#[tokio::test]
async fn beyond_the_contract() {
    if missing(Engine::Chromium) {
        return;
    }
    let browser = start_engine(Engine::Chromium).await;
    let server = serve().await;
    let mut tab = browser.tab().await;
    assert_eq!(tab.eval("document.hasFocus()").await, "true");
    let trip = median(50, async || drop(tab.script("find", "[\"body\"]").await.unwrap())).await;
    println!("script round trip {trip:?} median");

    // An endless loop is ended, and the page goes on.
    let endless = tab.tab.evaluate("for (;;);", Duration::from_millis(300)).await;
    assert!(matches!(endless, Err(BrowserError::TimedOut { .. })), "{endless:?}");
    assert_eq!(tab.eval("1 + 1").await, "2");

    // A navigation that a click begins is known when the gesture returns.
    tab.open(&format!("{server}/a")).await;
    let first = doc_token(&tab).await;
    tab.click(5.0, 5.0).await;
    let mut events = tab.pending();
    assert_eq!(names(&events)[0], "started");
    if !events.contains(&TabEvent::Loaded) {
        events.extend(tab.loaded().await);
    }
    let second = doc_token(&tab).await;

    // A document restored from the back/forward cache still has its script world, with its state.
    for (step, token) in [(HistoryStep::Back, first), (HistoryStep::Forward, second)] {
        assert_eq!(tab.tab.step(step).await, Ok(NavigationStart::NewDocument));
        tab.until("Committed", |event| matches!(event, TabEvent::Committed { .. })).await;
        assert_eq!(doc_token(&tab).await, token);
    }

    // The page gets each event of a gesture exactly once.
    tab.open(&page(INPUT_PAGE)).await;
    tab.click(150.0, 120.0).await;
    let click = "\"mousemove 0 true, mousedown 1 true, mouseup 1 true, click 1 true\"";
    assert_eq!(tab.eval("read()").await, click);
    let twice = Gesture::Click {
        x: 150.0,
        y: 120.0,
        via: vec![],
        button: MouseButton::Left,
        count: 2,
        adds: false,
    };
    tab.tab.gesture(&twice).await.unwrap();
    let log = tab.eval("read()").await;
    let second = "click 1 true, mousedown 2 true, mouseup 2 true, click 2 true, dblclick 2 true\"";
    assert!(log.ends_with(second), "{log}");
    tab.tab.gesture(&Gesture::Move { x: 1.0, y: 1.0, via: vec![] }).await.unwrap();
    assert_eq!(tab.eval("read()").await, "\"mousemove 0 true\"");
    browser.end().await;
}
