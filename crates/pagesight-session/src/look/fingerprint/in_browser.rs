//! Tests fingerprints of live tabs: calls at the same time share one capture, and the kind of
//! capture makes no difference. Runs a real Chromium.

use pagesight_core::fingerprint::Depth;

use super::*;
use crate::session::options::Options;

/// Elements that are hidden in every possible way, beside visible ones.
const PAGE: &str = "data:text/html,<!doctype html><title>Hidden</title><style>.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}</style>\
    <header><h1>Shop</h1><nav aria-label=Main><a href=/a>Home</a><ul hidden><li><a href=/b>Later</a></ul></nav></header>\
    <main><!-- a note --><div role=alert>Failed to load<span hidden> and a stack trace</span><span style='font-size:0'> unseen</span></div>\
    <div class=error-message>Offline<p style='display:none'>since noon</p></div><div class=toast>Saved<i style='visibility:hidden'>!</i></div>\
    <ul class=things><li>Apple<b style='display:none'>Pear</b><li hidden>Plum<li>Fig<span class=sr>more</span></ul><ul hidden><li>x<ul><li>y</ul></ul>\
    <table><tr><th>Id<tr><td>A<span hidden>B</span><tr hidden><td>C</table><div hidden><table><tr><td>z</table><img alt=Chart src=data:,x><dl><dt>k<dd>v</dl></div>\
    <details><summary>More</summary><ul><li>in</ul><button>Inside</button></details><dialog aria-label=Edit><form><input aria-label=Name></form></dialog>\
    <div role=tabpanel aria-label=Later hidden><button>Third</button></div><dl style='visibility:hidden'><dt>k<dd>v</dl>\
    <section hidden><h2>Gone</h2><form><input aria-label=Old></form></section><img alt='' width=0 height=0 src='data:,y'></main><noscript>none</noscript>";

async fn opened(session: &Session) -> Arc<TabRecord> {
    let tab = session.open_tab(None).await.unwrap();
    session.navigate(&tab, &session.address(PAGE).unwrap(), None).await.unwrap();
    tab
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_at_once_shares_one_capture() {
    let session = Session::new(Options::default());
    let tab = opened(&session).await;
    let plain = FingerprintRequest::default();
    let size = session.fingerprint(&tab, &plain).await.unwrap().viewport;
    let ruled =
        FingerprintRequest { ignore: vec![".toast".into()], ..FingerprintRequest::default() };
    let sized = FingerprintRequest { viewport: Some(size), ..FingerprintRequest::default() };
    for request in [&plain, &ruled, &sized] {
        // All three wait for the turn; only then does a capture begin that can be shared.
        let turn = tab.turn().await.unwrap();
        let (one, two, three, ()) = tokio::join!(
            session.fingerprint(&tab, request),
            session.fingerprint(&tab, request),
            session.fingerprint(&tab, request),
            async { drop(turn) }
        );
        let (one, two, three) = (one.unwrap(), two.unwrap(), three.unwrap());
        assert!(Arc::ptr_eq(&one, &two) && Arc::ptr_eq(&two, &three), "{request:?}");
    }
    // A different kind of fingerprint needs its own capture, and so does a later call.
    let (one, other) =
        tokio::join!(session.fingerprint(&tab, &plain), session.fingerprint(&tab, &ruled));
    assert!(!Arc::ptr_eq(one.as_ref().unwrap(), other.as_ref().unwrap()));
    session.evaluate(&tab, "document.querySelector('h1').textContent = 'Store'").await.unwrap();
    let later = session.fingerprint(&tab, &plain).await.unwrap();
    assert_eq!(later.structure.headings[0].text, "Store");
    // In a different viewport, and back.
    let small = FingerprintRequest {
        viewport: Some(Size { width: 700, height: 500 }),
        ..FingerprintRequest::default()
    };
    let (one, other) =
        tokio::join!(session.fingerprint(&tab, &small), session.fingerprint(&tab, &plain));
    assert_eq!((one.unwrap().viewport.width, other.unwrap().viewport), (700, size));
    let wrong = FingerprintRequest {
        viewport: Some(Size { width: 3, height: 0 }),
        ..FingerprintRequest::default()
    };
    let error = session.fingerprint(&tab, &wrong).await.unwrap_err().to_string();
    assert!(error.contains("3x0"), "{error}");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_with_a_selector_changes_nothing_but_what_it_matches() {
    let session = Session::new(Options::default());
    let tab = opened(&session).await;
    for depth in [Depth::Minimal, Depth::Standard, Depth::Detailed] {
        let plain = session
            .fingerprint(&tab, &FingerprintRequest { depth, ..FingerprintRequest::default() })
            .await
            .unwrap();
        let ruled = FingerprintRequest {
            depth,
            ignore: vec!["#no-such-thing".into()],
            ..FingerprintRequest::default()
        };
        let ruled = session.fingerprint(&tab, &ruled).await.unwrap();
        assert_eq!(content(&plain), content(&ruled));
        assert_eq!(plain.hash, ruled.hash);
    }
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_does_not_change_the_layout() {
    let session = Session::new(Options::default());
    let tab = session.open_tab(None).await.unwrap();
    let long = "data:text/html,<title>Long</title><h1>Shop</h1><p style='height: 3000px'>";
    session.navigate(&tab, &session.address(long).unwrap(), None).await.unwrap();
    let request = FingerprintRequest { layout: true, ..FingerprintRequest::default() };
    let plain = session.fingerprint(&tab, &request).await.unwrap();
    for _ in 0..2 {
        let pictured = session.fingerprint_with_picture(&tab, &request).await.unwrap();
        assert_eq!(pictured.fingerprint.structure.layout, plain.structure.layout);
    }
    session.close().await;
}

/// Returns everything except how signs are recognised: only a full capture has every class.
fn content(fingerprint: &Fingerprint) -> String {
    let mut structure = fingerprint.structure.clone();
    let state = &mut structure.state;
    for signs in [&mut state.error_elements, &mut state.notifications, &mut state.modals_open] {
        signs.iter_mut().for_each(|sign| sign.selector.clear());
    }
    serde_json::to_string_pretty(&structure).unwrap()
}
