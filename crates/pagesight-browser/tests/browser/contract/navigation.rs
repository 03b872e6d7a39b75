//! Navigation: redirects, links, the history, same-document changes, and calls while a document
//! changes.

use std::time::{Duration, Instant};

use pagesight_browser::*;

use super::Contract;
use crate::support::*;

both_engines!(crate::contract::share: documents, leaving_under_a_call);

fn committed(event: &TabEvent) -> bool {
    matches!(event, TabEvent::Committed { .. })
}

async fn documents(contract: &mut Contract) {
    let server = &contract.server;
    let mut tab = contract.tab().await;
    let events = tab.open(&format!("{server}/redirect")).await;
    assert_eq!(names(&events), ["started", "answered 200", "committed", "dom", "loaded"]);
    let answered = TabEvent::Answered { status: 200, url: format!("{server}/a"), refreshes: false };
    assert!(events.contains(&answered), "{events:#?}");
    let token = doc_token(&tab).await;

    tab.click(5.0, 5.0).await;
    let fetched = |event: &TabEvent| matches!(event, TabEvent::RequestStarted { kind: RequestKind::Fetch, url, method, .. } if url.ends_with("/data.json") && method == "GET");
    let mut events = tab.until("the fetch", fetched).await;
    assert_eq!(names(&events)[0], "started");
    if !events.contains(&TabEvent::Loaded) {
        events.extend(tab.loaded().await);
    }
    assert_ne!(doc_token(&tab).await, token);

    // Going back restores the document from the back/forward cache.
    assert_eq!(tab.tab.step(HistoryStep::Back).await, Ok(NavigationStart::NewDocument));
    let events = tab.until("Committed", committed).await;
    assert_eq!(names(&events), ["started", "restored"]);
    let restored = TabEvent::Committed { url: format!("{server}/a"), restored: true };
    assert_eq!(events.last(), Some(&restored));
    assert!(tab.walk().await.contains("to b"));
    assert_eq!(tab.tab.step(HistoryStep::Forward).await, Ok(NavigationStart::NewDocument));
    tab.until("Committed", committed).await;
    assert_eq!(tab.tab.step(HistoryStep::Forward).await, Ok(NavigationStart::Nothing));

    // Navigation within the document.
    let token = doc_token(&tab).await;
    tab.script("waitForQuiet", "[200, 5000]").await.unwrap();
    tab.pending();
    let fragment = tab.tab.navigate(&format!("{server}/b#x"), LIMIT).await;
    assert_eq!(fragment, Ok(NavigationStart::SameDocument));
    tab.eval("history.pushState(0, '', '/pushed')").await;
    let pushed = |event: &TabEvent| matches!(event, TabEvent::SameDocument { url } if url.ends_with("/pushed"));
    let events = tab.until("pushState", pushed).await;
    assert_eq!(names(&events), ["within b#x", "within pushed"]);
    assert_eq!(tab.tab.step(HistoryStep::Back).await, Ok(NavigationStart::SameDocument));
    assert_eq!(doc_token(&tab).await, token);

    tab.tab.reload().await.unwrap();
    tab.loaded().await;
    assert_ne!(doc_token(&tab).await, token);
    tab.tab.close().await.unwrap();
}

/// A call in a document that goes away fails at once, and no call sees a half-loaded document.
async fn leaving_under_a_call(contract: &mut Contract) {
    let server = &contract.server;
    let mut tab = contract.tab().await;
    tab.open(&format!("{server}/a")).await;
    let waiting = tab.tab.script(None, "waitForQuiet", "[60000, 60000]", LIMIT);
    let leaving = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        tab.tab.navigate(&format!("{server}/b"), LIMIT).await
    };
    let (waited, _) = tokio::join!(waiting, leaving);
    assert_eq!(waited, Err(BrowserError::Navigated));
    for round in 0..5 {
        let to = if round % 2 == 0 { "a" } else { "b" };
        tab.eval(&format!("location.href = '/{to}'; 0")).await;
        let deadline = Instant::now() + LIMIT;
        loop {
            match tab.script("walk", "[{}]").await {
                Ok(walk) => {
                    let walk: serde_json::Value = serde_json::from_str(&walk).unwrap();
                    let url = walk["url"].as_str().unwrap();
                    assert!(url.starts_with(server), "a capture of {url}");
                    if url.ends_with(to) {
                        break;
                    }
                }
                Err(BrowserError::Navigated) => {}
                Err(error) => panic!("{error}"),
            }
            assert!(Instant::now() < deadline);
        }
    }
    tab.tab.close().await.unwrap();
}
