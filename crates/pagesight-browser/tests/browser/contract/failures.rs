//! Loads that end without a document or with an error.

use std::time::Duration;

use pagesight_browser::*;

use super::Contract;
use crate::support::*;

both_engines!(crate::contract::share: responses, errors);

fn failed(event: &TabEvent) -> bool {
    matches!(event, TabEvent::NavigationFailed { .. })
}

/// Responses of a server that are not a page, or not in time.
async fn responses(contract: &mut Contract) {
    let server = &contract.server;
    let mut tab = contract.tab().await;
    let events = tab.open(&format!("{server}/missing")).await;
    assert_eq!(names(&events), ["started", "answered 404", "committed", "dom", "loaded"]);
    for path in ["/204", "/file"] {
        let started = tab.tab.navigate(&format!("{server}{path}"), LIMIT).await;
        assert_eq!(started, Ok(NavigationStart::NewDocument), "{path}");
        let events = tab.until("the end of it", failed).await;
        let last = events.last();
        assert!(
            matches!(last, Some(TabEvent::NavigationFailed { aborted: true, .. })),
            "{path}: {last:?}"
        );
    }
    tab.eval("location.href = '/a'; window.stop()").await;
    tab.until("cancelled", failed).await;

    let address = format!("{server}/never");
    let unanswered = tab.tab.navigate(&address, Duration::from_millis(200));
    let unanswered = tokio::time::timeout(LIMIT, unanswered).await;
    assert_eq!(unanswered.expect("it waits for the server"), Ok(NavigationStart::NewDocument));
    tab.tab.stop().await.unwrap();
    tab.until("stopped", failed).await;
    tab.tab.close().await.unwrap();
}

/// Addresses without a server.
async fn errors(contract: &mut Contract) {
    let mut tab = contract.tab().await;
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let refused = tab.tab.navigate(&format!("http://{closed}/"), LIMIT).await;
    let words = contract.by_engine("net::ERR_CONNECTION_REFUSED", "NS_ERROR_CONNECTION_REFUSED");
    assert!(
        matches!(&refused, Err(BrowserError::LoadFailed { reason, .. }) if reason == words),
        "{refused:?}"
    );
    tab.until("the error page", |event| *event == TabEvent::ErrorPage).await;
    let garbage = tab.tab.navigate("garbage", LIMIT).await;
    assert!(matches!(garbage, Err(BrowserError::LoadFailed { .. })), "{garbage:?}");
    tab.tab.close().await.unwrap();
}
