//! Parts of a browser: cookies, storage, tabs and downloads of one are unknown to the others.

use pagesight_browser::*;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::support::*;

both_engines!(crate::support::run: parts);

struct Part {
    browser: std::sync::Arc<dyn Browser>,
    events: UnboundedReceiver<BrowserEvent>,
    tab: Watched,
}

async fn part(shared: &SharedBrowser, url: &str) -> Part {
    let Connected { browser, events } = shared.part().await.unwrap();
    let mut tab = Watched::new(browser.open_tab(Viewport::default()).await.unwrap());
    tab.open(url).await;
    Part { browser, events, tab }
}

/// Opens a tab from a page, and returns it.
async fn pop_up(part: &mut Part, url: &str) -> Watched {
    part.tab.eval(&format!("document.body.innerHTML = '<a style=\"position:absolute;left:0;top:0\" target=_blank rel=noopener href=\"{url}\">new tab</a>'")).await;
    part.tab.click(5.0, 5.0).await;
    let event = tokio::time::timeout(LIMIT, part.events.recv()).await.unwrap();
    let Some(BrowserEvent::TabOpened { opened, .. }) = event else { panic!("no tab") };
    Watched::new(opened)
}

/// Has a browser of its own, because a shared one gets all events.
async fn parts(engine: Engine) {
    let url = format!("{}/a", serve().await);
    let mut fixture = start_engine(engine).await;
    let (_, none) = tokio::sync::mpsc::unbounded_channel();
    let events = std::mem::replace(&mut fixture.events, none);
    let connected = Connected { browser: fixture.browser.clone(), events };
    let shared = SharedBrowser::new(connected, Sharing::Separate);
    let (mut one, mut two) = tokio::join!(part(&shared, &url), part(&shared, &url));
    let store = "document.cookie = 'mark=one', localStorage.mark = 'one'";
    one.tab.eval(store).await;
    let stored = "`${document.cookie} ${localStorage.mark}`";
    assert_eq!(one.tab.eval(stored).await, "\"mark=one one\"");
    assert_eq!(two.tab.eval(stored).await, "\" undefined\"");
    let names = |cookies: Vec<StoredCookie>| -> Vec<String> {
        cookies.into_iter().map(|cookie| cookie.name).collect()
    };
    assert_eq!(names(one.browser.cookies().await.unwrap()), ["mark"]);
    assert!(names(two.browser.cookies().await.unwrap()).is_empty());
    let host = "127.0.0.1".to_owned();
    let given =
        StoredCookie { name: "given".into(), domain: host, path: "/".into(), ..one_hour_cookie() };
    two.browser.set_cookie(&given).await.unwrap();
    assert_eq!(two.tab.eval("document.cookie").await, "\"given=x\"");
    assert_eq!(one.tab.eval("document.cookie").await, "\"mark=one\"");

    // A pop-up belongs to the part that opened it, and has its size.
    let opened = pop_up(&mut one, &url).await;
    assert!(two.events.try_recv().is_err());
    assert_eq!(opened.eval("innerWidth").await, "1280");
    let mut other = pop_up(&mut two, &url).await;
    assert!(one.events.try_recv().is_err());

    // Closing a part closes its tabs, and no others.
    one.browser.close().await;
    one.tab.until("Closed", |event| *event == TabEvent::Closed).await;
    assert!(!one.browser.is_alive() && two.browser.is_alive());
    assert!(one.browser.open_tab(Viewport::default()).await.is_err());
    assert_eq!(two.tab.eval("document.cookie").await, "\"given=x\"");
    two.browser.close().await;
    other.until("Closed", |event| *event == TabEvent::Closed).await;

    // Parts that share cookies have their own tabs.
    let connected = {
        let (_, none) = tokio::sync::mpsc::unbounded_channel();
        Connected { browser: fixture.browser.clone(), events: none }
    };
    let shared = SharedBrowser::new(connected, Sharing::Cookies);
    let (mut one, two) = tokio::join!(part(&shared, &url), part(&shared, &url));
    one.tab.eval(store).await;
    assert_eq!(two.tab.eval(stored).await, "\"mark=one one\"");
    one.browser.close().await;
    one.tab.until("Closed", |event| *event == TabEvent::Closed).await;
    assert_eq!(two.tab.eval("1 + 1").await, "2");
    two.browser.close().await;
    fixture.end().await;
}

fn one_hour_cookie() -> StoredCookie {
    StoredCookie { value: "x".into(), expires: -1.0, ..StoredCookie::default() }
}
