//! Tests tabs: names, numbers, pop-ups, sizes, and how they are closed.

use pagesight_browser::{BrowserError, Viewport};
use pagesight_session::SessionError;

use crate::case::{click, on, with};
use crate::site::Page;

const PAGE: &str = "<h1>First</h1><button>Stay</button>";

#[test]
fn a_tab_has_a_name_and_a_number() {
    on("tab_names", PAGE).run(async |case, tab| {
        let session = &case.session;
        assert_eq!((tab.id.as_str(), tab.name()), ("t1", None));
        session.name_tab(tab, "shop").unwrap();
        assert_eq!(session.tab(Some("shop")).await.unwrap().id, "t1");
        assert_eq!(session.tab(Some("t1")).await.unwrap().label(), "shop");
        let unknown = session.tab(Some("nope")).await.err().unwrap().to_string();
        assert!(unknown.starts_with("unknown tab \"nope\": the open tabs are shop"), "{unknown}");
        for wrong in ["", "t7", "a\nb", &"x".repeat(61)] {
            let error = session.name_tab(tab, wrong).unwrap_err().to_string();
            assert!(error.contains("is not a valid name for a tab"), "{error}");
        }
        session.name_tab(tab, "shop").unwrap();
    });
}

#[test]
fn a_new_tab_is_the_active_one_until_it_is_closed() {
    on("tab_active", PAGE).run(async |case, tab| {
        let session = &case.session;
        let second = session.open_tab(Some("second")).await.unwrap();
        assert_eq!(session.tab(None).await.unwrap().id, "t2");
        let taken = session.name_tab(tab, "second").unwrap_err().to_string();
        assert!(taken.contains("a tab called \"second\" is open already (t2)"), "{taken}");
        let listed = session.tabs().await.unwrap();
        let active: Vec<bool> = listed.iter().map(|tab| tab.active).collect();
        assert_eq!(active, [false, true]);
        assert_eq!(listed[0].url, case.url("/"));
        session.select_tab(tab);
        assert_eq!(session.tab(None).await.unwrap().id, "t1");
        session.select_tab(&second);
        session.close_tab(&second).await.unwrap();
        assert_eq!(session.tab(None).await.unwrap().id, "t1");
        let closed = session.look(&second, Default::default()).await.err().unwrap();
        assert_eq!(closed, SessionError::Browser(BrowserError::TabClosed));
    });
}

#[test]
fn references_belong_to_their_tab() {
    on("tab_references", PAGE).run(async |case, tab| {
        let stay = case.find(tab, "Stay").await;
        let second = case.session.open_tab(None).await.unwrap();
        case.open(&second, "/").await;
        let line = case.refusal(&second, click(&stay)).await;
        assert!(line.contains("belongs to another tab (t1)"), "{line}");
        case.line(tab, click(&stay)).await;
    });
}

#[test]
fn a_pop_up_is_reported_and_stays_in_the_background() {
    let first = Page::html("/", "<button onclick=\"window.open('/pop')\">Open</button>");
    let pop = Page::html("/pop", "<h1>Pop</h1><button onclick=window.close()>Close</button>");
    with("tab_popup", vec![first, pop]).run(async |case, tab| {
        let open = case.find(tab, "Open").await;
        let line = case.line(tab, click(&open)).await;
        assert!(line.contains(&format!(" — opened tab t2 {}", case.url("/pop"))), "{line}");
        assert_eq!(case.session.tab(None).await.unwrap().id, "t1");
        let popped = case.session.tab(Some("t2")).await.unwrap();
        let close = case.find(&popped, "Close").await;
        let line = case.line(&popped, click(&close)).await;
        assert!(line.ends_with(" — the tab closed itself"), "{line}");
        assert_eq!(case.session.tabs().await.unwrap().len(), 1);
    });
}

#[test]
fn a_tab_is_resized_within_reason() {
    on("tab_resize", PAGE).run(async |case, tab| {
        case.session.resize_tab(tab, Viewport { width: 500, height: 400 }).await.unwrap();
        let info = case.session.page_info(tab).await.unwrap();
        assert_eq!(info.viewport[..2], [500.0, 400.0]);
        let wrong = Viewport { width: 5, height: 5 };
        let error = case.session.resize_tab(tab, wrong).await.unwrap_err().to_string();
        assert!(error.starts_with("a viewport of 5x5 cannot be set"), "{error}");
    });
}

#[test]
fn a_call_waits_for_its_turn() {
    on("tab_turns", PAGE).run(async |case, tab| {
        // Two concurrent calls run one after the other, and both are answered.
        let (one, two) = tokio::join!(case.session.page_info(tab), case.session.page_info(tab));
        assert_eq!(one.unwrap().url, two.unwrap().url);
    });
}
