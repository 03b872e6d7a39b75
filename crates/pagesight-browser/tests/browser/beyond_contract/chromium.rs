//! Behaviour that only Chromium has.

use std::time::Duration;

use pagesight_browser::*;

use crate::contract::share;
use crate::support::*;

#[test]
fn an_endless_script_is_ended_and_the_page_goes_on() {
    share(Engine::Chromium, async |contract| {
        let tab = contract.tab().await;
        assert_eq!(tab.eval("document.hasFocus()").await, "true");
        let endless = tab.tab.evaluate("for (;;);", Duration::from_millis(300)).await;
        assert!(matches!(endless, Err(BrowserError::TimedOut { .. })), "{endless:?}");
        assert_eq!(tab.eval("1 + 1").await, "2");
        tab.tab.close().await.unwrap();
    });
}

#[test]
fn a_navigation_that_a_click_begins_is_known_when_the_gesture_returns() {
    share(Engine::Chromium, async |contract| {
        let mut tab = contract.tab().await;
        tab.open(&format!("{}/a", contract.server)).await;
        let first = doc_token(&tab).await;
        tab.click(5.0, 5.0).await;
        let mut events = tab.pending();
        assert_eq!(names(&events)[0], "started");
        if !events.contains(&TabEvent::Loaded) {
            events.extend(tab.loaded().await);
        }
        let second = doc_token(&tab).await;

        // A document restored from the back/forward cache still has its script world, with its
        // state.
        for (step, token) in [(HistoryStep::Back, first), (HistoryStep::Forward, second)] {
            assert_eq!(tab.tab.step(step).await, Ok(NavigationStart::NewDocument));
            tab.until("Committed", |event| matches!(event, TabEvent::Committed { .. })).await;
            assert_eq!(doc_token(&tab).await, token);
        }
        tab.tab.close().await.unwrap();
    });
}

#[test]
fn the_page_gets_each_event_of_a_gesture_once() {
    share(Engine::Chromium, async |contract| {
        let mut tab = contract.tab().await;
        tab.open(&page(INPUT_PAGE)).await;
        tab.click(150.0, 120.0).await;
        let once = "\"mousemove 0 true, mousedown 1 true, mouseup 1 true, click 1 true\"";
        assert_eq!(tab.eval("read()").await, once);
        tab.gesture(&click(150.0, 120.0, MouseButton::Left, 2)).await;
        let log = tab.eval("read()").await;
        let second =
            "click 1 true, mousedown 2 true, mouseup 2 true, click 2 true, dblclick 2 true\"";
        assert!(log.ends_with(second), "{log}");
        tab.gesture(&Gesture::Move { x: 1.0, y: 1.0, via: vec![] }).await;
        assert_eq!(tab.eval("read()").await, "\"mousemove 0 true\"");
        tab.tab.close().await.unwrap();
    });
}
