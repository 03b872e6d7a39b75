//! Tabs that pages open, tabs that we open, and their end.

use pagesight_browser::*;

use super::Contract;
use crate::support::*;

both_engines!(crate::contract::share: opened_and_closed);

async fn opened_and_closed(contract: &mut Contract) {
    let server = contract.server.clone();
    let mut tab = contract.tab().await;
    let browser = &mut contract.browser;
    tab.open(&format!("{server}/a")).await;
    tab.eval(&format!("document.body.innerHTML = '<a style=\"position:absolute;left:0;top:0\" target=_blank href=\"{server}/b\">new tab</a>'")).await;
    tab.click(5.0, 5.0).await;
    let BrowserEvent::TabOpened { opened, opener } = browser.next().await else { panic!("no tab") };
    assert_eq!(opener.as_deref(), Some(tab.tab.id()));
    let mut second = Watched::new(opened);
    let events = second.loaded().await;
    let answered = TabEvent::Answered { status: 200, url: format!("{server}/b"), refreshes: false };
    assert!(events.contains(&answered), "{events:#?}");
    assert!(second.script("walk", "[{}]").await.is_ok());
    assert_eq!(second.eval("innerWidth").await, "1280");

    tab.eval("onclick = () => window.open('about:blank').document.body.innerHTML = '<p>written'; document.body.innerHTML = ''").await;
    tab.click(5.0, 5.0).await;
    let BrowserEvent::TabOpened { opened, opener } = browser.next().await else { panic!("no tab") };
    assert_eq!(opener.as_deref(), Some(tab.tab.id()));
    let third = Watched::new(opened);
    let walk = third.walk().await;
    assert!(walk.contains("written"), "{walk}");
    for tab in [&tab, &second, &third] {
        assert_eq!(tab.eval(NEXT_FRAME).await, "\"visible\"");
    }

    // The page that opened a window can change it, so the window never proves that it is at rest.
    tab.eval("onclick = () => window.open('/a'); document.body.innerHTML = ''").await;
    tab.click(5.0, 5.0).await;
    let BrowserEvent::TabOpened { opened, .. } = browser.next().await else { panic!("no tab") };
    let mut window = Watched::new(opened);
    window.loaded().await;
    let mut own = browser.tab().await;
    own.open(&format!("{server}/a")).await;
    assert!(proves_rest(&own, 100).await, "the page itself can prove it");
    assert!(!proves_rest(&window, 3).await);
    window.tab.close().await.unwrap();
    own.tab.close().await.unwrap();

    // Our own tabs are never reported, however many are opened at once.
    let (one, two, three) = tokio::join!(browser.tab(), browser.tab(), browser.tab());
    assert!(browser.events.try_recv().is_err());
    for mut tab in [one, two, three, second] {
        tab.tab.close().await.unwrap();
        tab.until("Closed", |event| *event == TabEvent::Closed).await;
        assert!(tab.events.recv().await.is_none());
        assert_eq!(tab.script("pageInfo", "[]").await, Err(BrowserError::TabClosed));
        assert_eq!(tab.tab.close().await, Ok(()));
    }

    // A page that closes itself during a call.
    let closed = third.tab.evaluate("new Promise(() => setTimeout(close, 50))", LIMIT).await;
    assert_eq!(closed, Err(BrowserError::TabClosed));

    // The browser stays when its last tab is gone.
    tab.tab.close().await.unwrap();
    let mut last = browser.tab().await;
    last.open(&page("again")).await;
    assert!(last.walk().await.contains("again"));
}

/// Whether a page proves that it is at rest within this many waits of 250 ms.
async fn proves_rest(tab: &Watched, waits: usize) -> bool {
    for _ in 0..waits {
        if tab.script("nextChange", "[250]").await.unwrap().contains("\"atRest\":true") {
            return true;
        }
    }
    false
}
