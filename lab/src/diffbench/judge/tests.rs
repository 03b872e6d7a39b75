//! The judge can fail: a wrong mark, a wrong text, a missing line, one too many, a wrong count.

use serde_json::{Value, json};

use super::*;
use crate::diffbench::claims::read;
use crate::product::UNPROMPTED_CHANGES;

fn judged(lines: &str, truth: Value) -> DiffVerdict {
    let truth: Vec<TruthEntry> = serde_json::from_value(truth).unwrap();
    judge(&read(&format!("clicked\nchanges:\n{lines}\n")), &truth)
}

/// True lines, lines, what was found, what there was.
fn score(lines: &str, truth: Value) -> (usize, usize, f64, f64) {
    let verdict = judged(lines, truth);
    (verdict.right, verdict.lines, verdict.found, verdict.weight)
}

#[test]
fn what_came_and_went() {
    let saved = json!([{ "mark": "+", "role": "alert", "text": "Saved it" }]);
    assert_eq!(score("+ [5] alert: Saved it", saved.clone()), (1, 1, 1.0, 1.0));
    assert_eq!(score("- [5] alert: Saved it", saved.clone()), (0, 1, 0.0, 1.0), "another mark");
    assert_eq!(score("+ [5] alert: Saved", saved.clone()), (0, 1, 0.0, 1.0), "another text");
    assert_eq!(score("+ [5] status: Saved it", saved.clone()), (0, 1, 0.0, 1.0), "another role");
    assert_eq!(
        score("+ [5] alert: Saved it — revealed", saved.clone()),
        (0, 1, 0.0, 1.0),
        "not hidden before"
    );
    assert_eq!(score("", saved.clone()), (0, 0, 0.0, 1.0), "a missing line");
    assert_eq!(
        score("+ [5] alert: Saved it\n- [6] button: Undo", saved.clone()),
        (1, 2, 1.0, 1.0),
        "one too many"
    );
    assert_eq!(
        score("+ [5] alert: Saved it\n+ [6] alert: Saved it", saved.clone()),
        (1, 2, 1.0, 1.0),
        "twice"
    );
    assert_eq!(
        score(&format!("{UNPROMPTED_CHANGES}[5] alert: Saved it"), saved).2,
        0.0,
        "unprompted"
    );
    let gone = json!([{ "mark": "-", "role": "dialog", "text": "Edit", "hidden": true }]);
    assert_eq!(score("- [5] dialog: Edit — hidden", gone.clone()).0, 1);
    assert_eq!(score("- [5] dialog: Edit", gone), (0, 1, 0.0, 1.0));
    let quoted = json!([{ "mark": "+", "text": "a — b" }]);
    assert_eq!(score("+ [5] \"a — b\"", quoted).0, 1);
}

#[test]
fn its_content_is_reported_with_it() {
    let truth = json!([
        { "mark": "+", "role": "dialog", "text": "Edit" },
        { "mark": "+", "role": "textbox", "text": "Name", "value": "Ann", "of": "Edit" },
        { "mark": "+", "role": "button", "text": "Save", "states": ["disabled"], "of": "Edit" }
    ]);
    let all = "+ [1] dialog: Edit\n    [2] textbox: Name = \"Ann\" — focused\n    [3] button: Save — disabled";
    assert_eq!(score(all, truth.clone()), (3, 3, 3.0, 3.0));
    assert_eq!(score("+ [1] dialog: Edit", truth.clone()), (1, 1, 1.0, 3.0));
    assert_eq!(score(&all.replace("Ann", "Bob"), truth.clone()), (2, 3, 2.0, 3.0), "another value");
    assert_eq!(
        score(&all.replace(" — disabled", ""), truth),
        (2, 3, 2.0, 3.0),
        "a state that was not reported"
    );
}

#[test]
fn what_changed() {
    let truth = json!([{ "mark": "~", "role": "button", "text": "Saved", "was": "Save", "states": ["now disabled"] }]);
    assert_eq!(
        score("~ [7] button: \"Save\" → \"Saved\" — now disabled", truth.clone()),
        (1, 1, 1.0, 1.0)
    );
    assert_eq!(
        score("~ [7] button: \"Save\" → \"Saved\"", truth.clone()),
        (1, 1, 0.0, 1.0),
        "half of it"
    );
    assert_eq!(
        score("~ [7] button: \"Save\" → \"Saved\" — now disabled, now checked", truth.clone()).0,
        0
    );
    assert_eq!(
        score("~ [7] button: \"Saved\" → \"Save\" — now disabled", truth).0,
        0,
        "the wrong way round"
    );
    let value =
        json!([{ "mark": "~", "role": "textbox", "text": "Name", "old": "a", "value": "b" }]);
    assert_eq!(score("~ [7] textbox: Name = \"a\" → \"b\"", value.clone()), (1, 1, 1.0, 1.0));
    assert_eq!(score("~ [7] textbox: Name = \"a\" → \"c\"", value.clone()), (0, 1, 0.0, 1.0));
    assert_eq!(score("~ [7] textbox: Other = \"a\" → \"b\"", value), (0, 1, 0.0, 1.0));
    let cell = json!([{ "mark": "~", "text": "6", "was": "5", "or": [{ "mark": "~", "role": "row", "text": "A 6", "was": "A 5" }] }]);
    assert_eq!(score("~ [7] row: \"A 5\" → \"A 6\"", cell.clone()), (1, 1, 1.0, 1.0));
    assert_eq!(score("~ [7] row: \"A 5\" → \"A 6\"\n~ [8] \"5\" → \"6\"", cell), (2, 2, 1.0, 1.0));
    let long = format!("{} one {}", "a ".repeat(60), "b ".repeat(60));
    let long = json!([{ "mark": "~", "was": long, "text": long.replace("one", "two") }]);
    assert_eq!(
        score("~ [7] \"… a a a one b b b …\" → \"… a a a two b b b …\"", long.clone()).2,
        1.0
    );
    assert_eq!(score("~ [7] \"… a a a one b b b …\" → \"… a a a six b b b …\"", long).2, 0.0);
}

#[test]
fn runs_are_counted() {
    let row = |n: u32| json!({ "mark": "+", "role": "row", "text": format!("{n} Apollo"), "holder": "Orders", "group": "rows" });
    let truth: Value = (0..20).map(row).collect();
    let reported = |count: u32, table: &str, first: &str| {
        format!("+ {count} rows in [88] table: {table}, first [91] row: {first}")
    };
    assert_eq!(
        score(&reported(20, "Orders", "0 Apollo"), truth.clone()),
        (1, 1, 1.0000000000000002, 1.0000000000000002)
    );
    assert_eq!(
        score(&reported(21, "Orders", "0 Apollo"), truth.clone()).0,
        0,
        "more than there were"
    );
    assert!(
        score(&reported(10, "Orders", "0 Apollo"), truth.clone()).2 < 0.51,
        "fewer than there were"
    );
    assert_eq!(score(&reported(20, "People", "0 Apollo"), truth.clone()).0, 0, "elsewhere");
    assert_eq!(score(&reported(20, "Orders", "77 Zeus"), truth.clone()).0, 0, "none of them");
    assert_eq!(
        score("+ 20 items in [88] table: Orders, first [91] row: 0 Apollo", truth).0,
        0,
        "something else"
    );
}

#[test]
fn places_are_reported() {
    let truth =
        json!([{ "mark": "~", "role": "listitem", "order": [["a", "b", "c"], ["b", "c", "a"]] }]);
    assert_eq!(score("~ [1] a — moved behind [3] c", truth.clone()), (1, 1, 1.0, 1.0));
    assert_eq!(score("~ [1] a — moved behind [2] b", truth.clone()), (0, 1, 0.0, 1.0), "not there");
    assert_eq!(
        score("~ [2] b — moved to the top of [9] list", truth.clone()),
        (1, 1, 0.0, 1.0),
        "c moved too"
    );
    assert_eq!(
        score("~ 3 items in [9] list — re-ordered, first now [2] b", truth.clone()),
        (1, 1, 1.0, 1.0)
    );
    assert_eq!(
        score("~ 3 items in [9] list — re-ordered, first now [1] a", truth),
        (0, 1, 0.0, 1.0)
    );
}

#[test]
fn a_region_is_judged_by_what_it_shows() {
    let row = |mark: &str, n: u32| json!({ "mark": mark, "role": "row", "text": format!("{n} Apollo"), "holder": "Orders" });
    let truth: Value = (1..5).map(|n| row("-", n)).chain((5..9).map(|n| row("+", n))).collect();
    let shown = "~ [8] table: Orders (4 rows) — re-rendered\n    row: 5 Apollo\n    row: 6 Apollo\n    … 2 more rows in [8] table: Orders";
    assert_eq!(score(shown, truth.clone()), (4, 4, 8.0, 8.0));
    let other = shown.replace("Orders", "People");
    assert_eq!(score(&other, truth.clone()).2, 2.0, "another table");
    let wrong = shown.replace("Apollo", "Zeus").replace("2 more", "9 more");
    assert_eq!(score(&wrong, truth.clone()), (0, 4, 0.0, 8.0), "none of it is there");
    assert_eq!(score("~ [8] table: Orders (4 rows) — re-rendered", truth).0, 0, "nothing is shown");
}
