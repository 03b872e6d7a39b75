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
