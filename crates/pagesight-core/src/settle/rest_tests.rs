//! Tests waits that end with the proof that a page is at rest.

use super::tests::{ClockedTab, change, ended, ms, request};
use super::*;

/// A page that claims that it is at rest, and the confirmation of that.
fn proof(claimed: u64, confirmed: u64) -> Vec<(u64, Event)> {
    vec![(claimed, Event::RestClaimed), (confirmed, Event::AtRest)]
}

#[test]
fn a_proof_ends_the_wait() {
    let navigated = |script: Vec<Vec<(u64, Event)>>| {
        ClockedTab::page(script.concat()).run(SettleRules::NAVIGATION)
    };
    assert_eq!(navigated(vec![proof(130, 150)]), (150, Reason::Ready));
    assert_eq!(navigated(vec![proof(50, 60)]), (100, Reason::Ready), "not before it is complete");
    assert_eq!(navigated(vec![]), (500, Reason::Ready), "the rule without a proof");
    for half in proof(130, 130) {
        assert_eq!(navigated(vec![vec![half.clone()]]), (500, Reason::Ready), "{half:?}");
    }
    let pending = vec![vec![(110, request("1", "/a"))], proof(130, 130), vec![(900, ended("1"))]];
    assert_eq!(navigated(pending), (900, Reason::Ready), "a request is pending");
    let mut icon = request("1", "/favicon.ico");
    if let Event::Requested(request) = &mut icon {
        request.kind = RequestClass::Unawaited;
    }
    assert_eq!(navigated(vec![vec![(120, icon)], proof(130, 130)]), (130, Reason::Ready));
    let never = navigated(vec![vec![(60, request("1", "/a"))], proof(130, 130)]);
    assert!(matches!(never.1, Reason::StillPending(_)), "{never:?}");
    let rules = SettleRules { provable: false, ..SettleRules::NAVIGATION };
    assert_eq!(ClockedTab::page(proof(130, 130)).run(rules), (500, Reason::Ready), "not accepted");
}

#[test]
fn a_proof_holds_for_the_next_wait() {
    let calm = SettleRules { own: false, provable: true, ..SettleRules::ACTION };
    let proven = || {
        let mut tab = ClockedTab::page(proof(130, 150));
        assert_eq!(tab.run(SettleRules::NAVIGATION), (150, Reason::Ready));
        tab.activity.end();
        tab
    };
    assert_eq!(proven().run(calm), (150, Reason::Ready));
    let rule = SettleRules { provable: false, ..calm };
    assert_eq!(proven().run(rule), (300, Reason::Ready), "the rule without a proof");
    for event in [change(1), Event::Leaving(true), Event::Unwatched("flood".to_owned())] {
        let mut tab = proven();
        tab.activity.note(event.clone(), ms(150));
        assert!(tab.run(calm).0 >= 300, "{event:?}");
    }
    let mut acted = proven();
    acted.run(SettleRules::ACTION);
    acted.activity.end();
    acted.now = 150;
    assert_eq!(acted.run(calm).0, 300, "an action came between");
    let mut led = ClockedTab::page(proof(130, 150));
    led.activity.note(Event::Arrived { parsed: true }, ms(20));
    led.activity.begin(SettleRules::ACTION, ms(10), ms(30));
    (led.now, led.script) = (30, proof(130, 150));
    assert_eq!(led.run(SettleRules::NAVIGATION), (150, Reason::Ready), "it led to a new document");
    let mut scripted = proven();
    scripted.activity.doubt_rest();
    scripted.script = proof(150, 160);
    assert_eq!(scripted.run(calm).0, 300, "a script ran, and the page repeats its claim");
    scripted.activity.note(Event::Arrived { parsed: true }, ms(400));
    (scripted.now, scripted.script) = (400, proof(410, 420));
    assert_eq!(scripted.run(calm).0, 420, "a new document");
}

#[test]
fn a_proof_that_is_contradicted_does_not_count() {
    for (event, end) in [
        (change(1), 500),
        (request("1", "/a"), 5105),
        (Event::Leaving(true), 10_000),
        (Event::Arrived { parsed: true }, 500),
    ] {
        // The event comes after the proof, or between the claim and its confirmation. The document
        // is complete later.
        for confirmed in [50, 70] {
            let script = [proof(50, confirmed), vec![(60, event.clone())]].concat();
            let (ended, _) = ClockedTab::page(script).run(SettleRules::NAVIGATION);
            assert!(ended >= end - 100, "{event:?}: {ended}");
        }
    }
}
