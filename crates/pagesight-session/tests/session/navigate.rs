//! Tests navigations: where they end and why the wait stopped.

use pagesight_browser::BrowserError;
use pagesight_core::settle::Reason;
use pagesight_session::{Destination, Feature, SessionError, Step, WaitOutcome};
use std::time::Duration;

use crate::case::{Case, click, on, with};
use crate::site::Page;

async fn go(
    case: &Case,
    tab: &std::sync::Arc<pagesight_session::TabRecord>,
    url: &str,
) -> Result<pagesight_session::Navigated, SessionError> {
    case.session.navigate(tab, &case.session.address(url).unwrap(), None).await
}

#[test]
fn a_page_is_opened() {
    let shop = Page::html("/shop", "<title>Shop</title><h1>Shop</h1>");
    with("navigate", vec![Page::html("/", "x"), shop]).run(async |case, tab| {
        let there = go(case, tab, &case.url("/shop")).await.unwrap();
        assert_eq!((there.title.as_str(), there.status), ("Shop", Some(200)));
        assert_eq!((there.url, there.trouble), (case.url("/shop"), None));
        assert_eq!(there.outcome, WaitOutcome::Settled(Reason::Ready));
        assert!(there.outcome.is_ready());
    });
}

#[test]
fn a_page_script_that_fails_does_not_say_that_the_page_is_ready() {
    for function in ["script activityNow", "script nextChange"] {
        let shop = Page::html("/shop", "<title>Shop</title><h1>Shop</h1>");
        let pages = vec![Page::html("/", "x"), shop];
        with("navigate", pages).failing(function).run(async |case, tab| {
            let there = go(case, tab, &case.url("/shop")).await.unwrap();
            // News only end the wait earlier; the pulse decides.
            assert_eq!(
                there.outcome.is_ready(),
                function == "script nextChange",
                "{}",
                there.outcome
            );
        });
    }
}

#[test]
fn a_page_that_loads_more_is_waited_for() {
    let page = "<h1>Orders</h1><p id=p>Empty</p><script>fetch('/late').then((r)=>r.text()).then((t)=>{p.textContent=t})</script>";
    let late = Page::html("/late", "Come at last").late(900);
    let orders = Page::html("/orders", page);
    with("navigate_waits", vec![Page::html("/", "x"), orders, late]).run(async |case, tab| {
        let there = go(case, tab, &case.url("/orders")).await.unwrap();
        assert_eq!(there.outcome, WaitOutcome::Settled(Reason::Ready));
        assert!(there.waited >= Duration::from_millis(900), "{:?}", there.waited);
        assert!(case.outline(tab).await.contains("Come at last"));
    });
}

#[test]
fn an_endless_request_is_named() {
    let page = "<h1>Orders</h1><script>fetch('/never')</script>";
    let never = Page::html("/never", "").late(60_000);
    let pages = vec![Page::html("/", "x"), Page::html("/orders", page), never];
    with("navigate_pending", pages).run(async |case, tab| {
        let there = go(case, tab, &case.url("/orders")).await.unwrap();
        assert_eq!(there.outcome.to_string(), "still pending: GET /never");
        assert!(!there.outcome.is_ready());
    });
}

#[test]
fn a_page_that_does_not_come_times_out_and_the_old_one_stays() {
    let never = Page::html("/never", "").late(60_000);
    let pages = vec![Page::html("/", "<h1>Old</h1>"), never];
    with("navigate_late", pages).run(async |case, tab| {
        let address = case.session.address(&case.url("/never")).unwrap();
        let limit = Some(Duration::from_millis(800));
        let there = case.session.navigate(tab, &address, limit).await.unwrap();
        assert!(
            there.outcome.to_string().starts_with("timed out: 1 request pending: GET /never"),
            "{}",
            there.outcome
        );
        assert!(case.outline(tab).await.contains("heading 1: Old"));
    });
}

#[test]
fn a_host_that_is_not_there_is_an_error() {
    on("navigate_refused", "<h1>Old</h1>").run(async |case, tab| {
        let error = go(case, tab, "http://127.0.0.1:1/").await.unwrap_err();
        assert!(
            matches!(&error, SessionError::Browser(BrowserError::LoadFailed { .. })),
            "{error:?}"
        );
    });
}

#[test]
fn a_response_without_content_is_not_a_new_page() {
    let nothing = Page::html("/nothing", "").status(204);
    let pages = vec![Page::html("/", "<h1>Old</h1>"), nothing];
    with("navigate_nothing", pages).run(async |case, tab| {
        let there = go(case, tab, &case.url("/nothing")).await.unwrap();
        assert!(there.outcome.to_string().starts_with("no new page: "), "{}", there.outcome);
        assert!(case.outline(tab).await.contains("heading 1: Old"));
    });
}

#[test]
fn history_goes_back_and_forward() {
    let pages = vec![Page::html("/", "<h1>First</h1>"), Page::html("/b", "<h1>Second</h1>")];
    with("history", pages).run(async |case, tab| {
        let none = case.session.step(tab, Step::Forward, None).await.unwrap_err().to_string();
        assert!(none.starts_with("there is nothing to go forward to"), "{none}");
        case.open(tab, "/b").await;
        let back = case.session.step(tab, Step::Back, None).await.unwrap();
        assert_eq!(back.url, case.url("/"));
        assert!(case.outline(tab).await.contains("First"));
        let forward = case.session.step(tab, Step::Forward, None).await.unwrap();
        assert_eq!(forward.url, case.url("/b"));
        let again = case.session.step(tab, Step::Reload, None).await.unwrap();
        assert_eq!((again.url, again.status), (case.url("/b"), Some(200)));
    });
}

#[test]
fn an_address_of_the_same_document_is_not_a_new_page() {
    on("same_document", "<h1>Page</h1><a href=%23x>Down</a>").run(async |case, tab| {
        let there = go(case, tab, &case.url("/#part")).await.unwrap();
        assert_eq!(there.url, case.url("/#part"));
        assert!(there.outcome.is_ready());
    });
}

#[test]
fn without_smart_waiting_a_navigation_ends_with_load() {
    let page = "<p id=p>Empty</p><script>setTimeout(()=>{p.textContent='Late'},700)</script>";
    let pages = vec![Page::html("/", "x"), Page::html("/slow", page)];
    with("navigate_load", pages).run(async |case, tab| {
        case.session.turn_off(Feature::SmartWaiting);
        let there = go(case, tab, &case.url("/slow")).await.unwrap();
        assert_eq!(there.outcome, WaitOutcome::Loaded);
    });
}

#[test]
fn a_download_is_reported_instead_of_a_page() {
    let file = Page::html("/file", "not really a zip").headers(
        "content-type: application/zip\r\ncontent-disposition: attachment; filename=file.zip\r\n",
    );
    let pages = vec![Page::html("/", "<a href=/file>Report</a>"), file];
    with("download", pages).run(async |case, tab| {
        let there = go(case, tab, &case.url("/file")).await.unwrap();
        assert!(matches!(there.outcome, WaitOutcome::NoDocument(_)), "{}", there.outcome);
        let lines = case.session.expected_downloads(tab).await;
        assert!(lines[0].starts_with("downloaded file.zip (16 B) to "), "{lines:?}");
        assert_eq!(case.session.downloads(tab).await, Vec::<String>::new(), "only once");
        let report = case.find(tab, "Report").await;
        let line = case.line(tab, click(&report)).await;
        assert!(line.contains("link: Report — downloaded file.zip (16 B) to "), "{line}");
    });
}

#[test]
fn an_action_follows_a_new_address_of_the_same_document() {
    let page = "<title>App</title><button onclick=\"history.pushState({},'','/orders');p.textContent='Orders'\">Orders</button><p id=p>Start</p>";
    on("push_state", page).run(async |case, tab| {
        let orders = case.find(tab, "button: Orders").await;
        let line = case.line(tab, click(&orders)).await;
        assert!(line.contains(" — navigated to /orders \"App\""), "{line}");
    });
}

#[test]
fn a_page_that_hangs_can_be_left() {
    let hang = Page::html("/hang", "<h1>Hang</h1><script>setTimeout(()=>{for(;;);},300)</script>");
    let pages = vec![Page::html("/", "x"), hang, Page::html("/done", "<title>Done</title>")];
    with("navigate_hang", pages).run(async |case, tab| {
        let address = case.session.address(&case.url("/hang")).unwrap();
        let limit = Some(Duration::from_millis(1500));
        let _ = case.session.navigate(tab, &address, limit).await;
        for _ in 0..2 {
            let hung = case.session.page_info(tab).await.unwrap_err();
            assert!(matches!(hung, SessionError::Browser(BrowserError::Hangs { .. })), "{hung}");
        }
        let done = case.session.address(&case.url("/done")).unwrap();
        let there = case.session.leave(tab.clone(), Destination::Url(&done), None).await.unwrap();
        assert_eq!(there.removed, None, "a script can be ended in this engine");
        assert_eq!(there.navigated.title, "Done");
    });
}
