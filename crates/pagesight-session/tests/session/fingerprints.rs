//! Tests fingerprints: what is reused, what is ignored, and the viewport they are taken in.

use pagesight_core::fingerprint::{Depth, Size};
use pagesight_session::FingerprintRequest;
use std::sync::Arc;

use crate::case::on;

const PAGE: &str = "<!doctype html><title>Shop</title><h1>Shop</h1><p>Text</p><div class=toast>Saved</div><button>Buy</button>";

#[test]
fn calls_that_wait_for_the_same_turn_share_one() {
    on("print_shared", PAGE).run(async |case, tab| {
        let request = FingerprintRequest::default();
        let (one, two) = tokio::join!(
            case.session.fingerprint(tab, &request),
            case.session.fingerprint(tab, &request)
        );
        assert!(Arc::ptr_eq(&one.unwrap(), &two.unwrap()));
    });
}

#[test]
fn a_page_that_did_not_change_is_not_read_again() {
    on("print_again", PAGE).run(async |case, tab| {
        let at = |time: &str| FingerprintRequest {
            captured_at: time.into(),
            ..FingerprintRequest::default()
        };
        let one = case.session.fingerprint(tab, &at("10:00")).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        let two = case.session.fingerprint(tab, &at("11:00")).await.unwrap();
        assert_eq!((&one.hash, one.captured_at.as_str()), (&two.hash, "10:00"));
        assert_eq!(two.captured_at, "11:00", "only the time is a new one");
    });
}

#[test]
fn a_change_gives_a_new_hash() {
    on("print_changed", PAGE).run(async |case, tab| {
        let one = case.session.fingerprint(tab, &FingerprintRequest::default()).await.unwrap();
        case.session
            .evaluate(tab, "document.querySelector('h1').textContent = 'Store'")
            .await
            .unwrap();
        let two = case.session.fingerprint(tab, &FingerprintRequest::default()).await.unwrap();
        assert_ne!(one.hash, two.hash);
        assert_eq!(two.structure.headings[0].text, "Store");
    });
}

#[test]
fn another_depth_is_taken_for_itself() {
    on("print_depths", PAGE).run(async |case, tab| {
        let request = |depth| FingerprintRequest { depth, ..FingerprintRequest::default() };
        let one = case.session.fingerprint(tab, &request(Depth::Minimal)).await.unwrap();
        let two = case.session.fingerprint(tab, &request(Depth::Detailed)).await.unwrap();
        assert_eq!((one.depth, two.depth), (Depth::Minimal, Depth::Detailed));
    });
}

#[test]
fn a_rule_that_cannot_be_read_is_an_error() {
    on("print_rules", PAGE).run(async |case, tab| {
        let ruled = |rule: &str| FingerprintRequest {
            ignore: vec![rule.into()],
            ..FingerprintRequest::default()
        };
        case.session.fingerprint(tab, &ruled(".toast")).await.unwrap();
        let error = case.session.fingerprint(tab, &ruled("p[")).await.unwrap_err().to_string();
        assert!(error.starts_with("an ignore rule cannot be used: "), "{error}");
    });
}

#[test]
fn a_fingerprint_is_taken_in_its_viewport_and_the_tab_gets_its_own_back() {
    on("print_viewport", PAGE).run(async |case, tab| {
        let sized = |width, height| FingerprintRequest {
            viewport: Some(Size { width, height }),
            ..FingerprintRequest::default()
        };
        let small = case.session.fingerprint(tab, &sized(700, 500)).await.unwrap();
        assert_eq!((small.viewport.width, small.viewport.height), (700, 500));
        let own = case.session.fingerprint(tab, &FingerprintRequest::default()).await.unwrap();
        assert_eq!((own.viewport.width, own.viewport.height), (1280, 720));
        let wrong = case.session.fingerprint(tab, &sized(3, 0)).await.unwrap_err().to_string();
        assert!(wrong.contains("a viewport of 3x0, which cannot be set"), "{wrong}");
    });
}

#[test]
fn a_fingerprint_comes_with_a_picture_of_the_same_moment() {
    on("fingerprint_with_picture", PAGE).run(async |case, tab| {
        let taken = case
            .session
            .fingerprint_with_picture(tab, &FingerprintRequest::default())
            .await
            .unwrap();
        assert!(taken.png.is_some_and(|png| !png.is_empty()));
        assert_eq!((taken.size.width, taken.fingerprint.title.as_str()), (1280, "Shop"));
    });
}
