//! JavaScript dialogs: they block every other call until they are answered.

use pagesight_browser::*;

use super::Contract;
use crate::support::*;

both_engines!(crate::contract::share: answers);

async fn answers(contract: &mut Contract) {
    let server = &contract.server;
    let mut tab = contract.tab().await;
    tab.open(&format!("{server}/a")).await;
    tab.eval("document.onclick = () => { said = confirm('Delete \\x22it\\x22?') }; 0").await;
    tab.eval("document.body.innerHTML = ''").await;
    tab.click(5.0, 5.0).await;
    let events =
        tab.until("the dialog", |event| matches!(event, TabEvent::DialogOpened { .. })).await;
    assert_eq!(names(&events).last().map(String::as_str), Some("dialog confirm Delete \"it\"?"));

    let error = BrowserError::DialogOpen {
        kind: "confirm".to_owned(),
        message: "Delete \"it\"?".to_owned(),
    };
    assert_eq!(tab.script("pageInfo", "[]").await, Err(error.clone()));
    assert_eq!(tab.tab.evaluate("1", LIMIT).await, Err(error.clone()));
    let shot = tab.tab.screenshot(&ShotRequest::png(ShotArea::Viewport)).await;
    assert!(matches!(shot, Err(BrowserError::DialogOpen { .. })));
    let leaving = tab.tab.navigate("about:blank", LIMIT).await;
    assert!(matches!(leaving, Err(BrowserError::DialogOpen { .. })), "{leaving:?}");
    assert_eq!(error.to_string(), r#"dialog open (confirm): "Delete \"it\"?""#);

    tab.tab.answer_dialog(true, None).await.unwrap();
    assert_eq!(tab.eval("said").await, "true");
    assert_eq!(names(&tab.pending()), ["answered dialog"]);

    // One that opens in the middle of a call.
    let opened = tab.tab.evaluate("said = prompt('Name?', 'x')", LIMIT).await;
    assert!(
        matches!(&opened, Err(BrowserError::DialogOpen { kind, .. }) if kind == "prompt"),
        "{opened:?}"
    );
    tab.tab.answer_dialog(true, Some("Ada")).await.unwrap();
    assert_eq!(tab.eval("said").await, "\"Ada\"");
    assert!(tab.tab.answer_dialog(true, None).await.is_err());

    // Leaving a page with a `beforeunload` handler.
    tab.eval("onbeforeunload = e => e.preventDefault(); document.onclick = null; 0").await;
    tab.click(100.0, 100.0).await;
    let leaving = tab.tab.navigate(&format!("{server}/b"), LIMIT).await;
    assert!(
        matches!(&leaving, Err(BrowserError::DialogOpen { kind, .. }) if kind == "beforeunload"),
        "{leaving:?}"
    );
    tab.tab.answer_dialog(false, None).await.unwrap();
    tab.until("cancelled", |event| matches!(event, TabEvent::NavigationFailed { .. })).await;
    assert!(tab.script("pageInfo", "[]").await.is_ok());
    // Closing does not ask the page.
    tab.tab.close().await.unwrap();
    tab.until("Closed", |event| *event == TabEvent::Closed).await;
}
