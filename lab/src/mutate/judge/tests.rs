//! The judge fails where it should: a wrong type, a wrong element, an alarm, too few runs.

use crate::product::{ChangeType, Facts, Severity};

use super::*;

fn mutation(effective: bool) -> Mutation {
    Mutation { effective, name: "Save".into(), text: String::new() }
}

fn reported(kind: ChangeType, severity: Severity, text: &str) -> Comparison {
    let element = Subject { text: Some(text.into()), ..Subject::default() };
    let change = Change {
        kind,
        severity,
        element: Some(element),
        location: String::new(),
        was: None,
        now: None,
        description: format!("'{text}'"),
        facts: Facts::default(),
        was_at: None,
        now_at: None,
    };
    Comparison { changes: vec![change], ..Comparison::default() }
}

const LEAST: RequiredCounts = RequiredCounts { mutations: 1, reloads: 1 };

/// One mutation of this kind that was reported so, and one reload that was quiet.
fn judged(kind: &str, compared: &Comparison) -> MutationTallies {
    let mut tallies = MutationTallies::default();
    tallies.judge("page", kind, &mutation(true), compared);
    tallies.reloaded("page", true, true, &Comparison::default());
    tallies
}

#[test]
fn it_fails_where_it_should() {
    let missing = reported(ChangeType::ElementMissing, Severity::Error, "Save");
    let hidden = reported(ChangeType::ElementHidden, Severity::Error, "Save");
    assert!(judged("remove button", &missing).enough(LEAST).is_ok());
    assert!(judged("css opacity 0", &hidden).enough(LEAST).is_ok());
    assert!(judged("no-op classes", &Comparison::default()).enough(LEAST).is_ok());
    for (kind, compared, word) in [
        ("remove button", &hidden, "structural"),
        (
            "remove button",
            &reported(ChangeType::ElementMissing, Severity::Error, "Delete"),
            "structural",
        ),
        ("css opacity 0", &missing, "style"),
        ("no-op classes", &missing, "no-op"),
    ] {
        let error = judged(kind, compared).enough(LEAST).unwrap_err().to_string();
        assert!(error.starts_with(word), "{error}");
    }
    // Fewer than asked for.
    let few = judged("remove button", &missing);
    assert!(
        few.enough(RequiredCounts { mutations: 2, reloads: 1 })
            .unwrap_err()
            .to_string()
            .contains("1 mutations")
    );
    assert!(
        few.enough(RequiredCounts { mutations: 1, reloads: 2 })
            .unwrap_err()
            .to_string()
            .contains("1 reloads")
    );
    // An alarm of a reload, whether the page was ready or not.
    for ready in [true, false] {
        let mut tallies = judged("remove button", &missing);
        tallies.reloaded("page", ready, false, &missing);
        assert!(tallies.enough(LEAST).unwrap_err().to_string().contains("1 of 2 plain reloads"));
        assert!(tallies.table().contains("2 plain reloads"));
    }
}

#[test]
fn what_has_no_name_is_known_by_its_text() {
    let nav = reported(ChangeType::LandmarkMissing, Severity::Error, "nav");
    let of = |text: &str| Mutation { effective: true, name: String::new(), text: text.into() };
    let found = |mutation: &Mutation| names(&nav.changes[0], mutation);
    assert!(found(&of("nav")) && !found(&of("main")));
    assert!(found(&of("")), "nothing to know it by");
}
