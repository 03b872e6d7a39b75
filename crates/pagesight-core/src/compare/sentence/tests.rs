//! Tests the sentences that people read, on pages that are drawn as text.

use super::super::{IgnoreRules, compare};
use super::worded;
use crate::fingerprint::{Fingerprint, FingerprintOptions, extract};
use crate::page::test_page::page;

const PAGE: &str = "header banner @2 block
  search search @3 block
    input textbox \"Find\" @4 usable
main main @7 block
  h1 heading \"Tasks\" @8 level=1
  h2 heading \"Team\" @9 level=2
  ul list @10 block class=people
    li listitem @11
      'Ann'
    li listitem @12
      'Ben, smith'
    li listitem @13
      'Cy'
  table table \"Tasks\" @30
    tr row @31
      th columnheader \"Id\" @32
      th columnheader \"Due\" @33
    tr row @34
      td cell @35
        'A'
    tr row @36
      td cell @37
        'B'
  a link \"Help\" @40 usable href=/help
  button button \"Save\" @41 usable
  button button \"Delete\" @42 usable
  button button \"Delete\" @43 usable
  button button @44 usable id=more
  img image \"Logo\" @45 src=/logo.png";

fn taken(picture: &str) -> Fingerprint {
    extract(&page(picture), &FingerprintOptions::default())
}

fn sentences(before: &str, after: &str) -> Vec<String> {
    let changes = compare(&taken(before), &taken(after), &IgnoreRules::default()).changes;
    worded(changes.iter().enumerate()).into_iter().map(|worded| worded.sentence).collect()
}

fn check(after: &str, expected: &[&str]) {
    assert_eq!(sentences(PAGE, after), expected);
}

/// Returns the page without the lines that contain one of these texts.
fn without(texts: &[&str]) -> String {
    let kept = |line: &&str| !texts.iter().any(|text| line.contains(text));
    PAGE.lines().filter(kept).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_missing_or_new_is_named() {
    check(&without(&["\"Save\""]), &["Button 'Save' is missing."]);
    check(&without(&["\"Logo\""]), &["Image 'Logo' is missing."]);
    check(&without(&["@8 "]), &["Heading 'Tasks' is missing."]);
    check(&without(&["@44"]), &["Button #more is missing."]);
    check(&without(&["@3 ", "@4 "]), &["The search area is missing; 1 control is out of reach."]);
    let banner = "header banner @60 block\n  p @61\n    'Sale! 20 % off until Friday'\n";
    check(&format!("{PAGE}\n{banner}"), &["New banner: 'Sale! 20 % off until Friday'."]);
    check(
        &PAGE.replace("  a link", "  a link \"Terms\" @50 usable href=/t\n  a link"),
        &["New link: 'Terms'."],
    );
}

#[test]
fn what_changed_is_named_with_both_sides() {
    check(&PAGE.replace("\"Save\"", "\"Store\""), &["Button 'Save' is now 'Store'."]);
    check(
        &PAGE.replace("href=/help", "href=/faq"),
        &["Link 'Help' leads to /faq now, not to /help."],
    );
    check(&PAGE.replace("@41 usable", "@41 usable disabled"), &["Button 'Save' is disabled now."]);
    check(&PAGE.replace("level=2", "level=3"), &["Heading 'Team' has level 3 now, not 2."]);
    check(&PAGE.replace("\"Team\" @9", "\"Crew\" @9"), &["Heading 'Team' is now 'Crew'."]);
    check(
        &PAGE.replace("src=/logo.png", "src=/logo.png pagesight:fault=broken"),
        &["Image 'Logo' is broken."],
    );
}

#[test]
fn what_is_hidden_says_how_and_what_is_lost_with_it() {
    let hidden =
        PAGE.replace("@3 block", "@3 block hidden").replace("@4 usable", "@4 usable hidden");
    check(&hidden, &["The search area is hidden (display: none); 1 control is out of reach."]);
    check(
        &PAGE.replace("@41 usable", "@41 usable hidden"),
        &["Button 'Save' is hidden (display: none)."],
    );
    check(
        &PAGE.replace("@41 usable", "@41 usable clipped"),
        &["Button 'Save' has no size or is cut off."],
    );
    check(
        &PAGE.replace("@9 level=2", "@9 level=2 hidden"),
        &["Heading 'Team' is hidden (display: none)."],
    );
}

#[test]
fn lists_and_tables_say_which_entries_changed() {
    check(
        &PAGE.replace("Ben, smith", "Ben, blacksmith"),
        &["List 'Team': 'Ben, smith' is now 'Ben, blacksmith'."],
    );
    check(&without(&["@12", "Ben"]), &["1 item is missing from list 'Team': 'Ben, smith'."]);
    let more = "    li listitem @13\n      'Di'\n    li listitem @14";
    check(&PAGE.replace("    li listitem @13", more), &["1 new item in list 'Team': 'Di'."]);
    check(&without(&["@34", "@35", "'A'"]), &["1 row is missing from table 'Tasks': 'A'."]);
    check(&PAGE.replace("'B'", "'X'"), &["Table 'Tasks': 'B' is now 'X'."]);
    check(&PAGE.replace("\"Due\"", "\"Date\""), &["Table 'Tasks': column 'Due' is now 'Date'."]);
    check(&without(&["\"Due\""]), &["Table 'Tasks': missing column: 'Due'."]);
    let rows = |count: usize| {
        let row = |at: usize| {
            format!(
                "    tr row\n      td cell\n        'Task {}'\n",
                ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"][at]
            )
        };
        let rows: String = (0..count).map(row).collect();
        format!("main main @2\n  table table \"Tasks\" @3\n{rows}")
    };
    assert_eq!(sentences(&rows(10), &rows(4)), ["6 rows are missing from table 'Tasks'."]);
    assert_eq!(sentences(&rows(4), &rows(10)), ["6 new rows in table 'Tasks'."]);
}

#[test]
fn equal_changes_are_one_sentence() {
    check(&without(&["\"Delete\""]), &["2 buttons 'Delete' are missing."]);
    // Two different ones are named one by one.
    check(
        &without(&["\"Save\"", "@42"]),
        &["Button 'Save' is missing.", "Button 'Delete' is missing."],
    );
    let links = |names: &[&str]| {
        let link = |name: &&str| format!("  a link \"{name}\" usable href=/{name}\n");
        format!(
            "main main @2\n  h1 heading \"Links\" level=1\n{}",
            names.iter().map(link).collect::<String>()
        )
    };
    let all = ["a", "b", "c", "d", "e", "f", "g"];
    assert_eq!(
        sentences(&links(&all), &links(&[])),
        ["7 links are missing: 'a', 'b', 'c', 'd', 'e' and 2 more.",]
    );
    let some = ["a", "b", "a", "b"];
    assert_eq!(sentences(&links(&some), &links(&[])), ["4 links are missing: 2 × 'a', 2 × 'b'."]);
    assert_eq!(sentences(&links(&[]), &links(&all[..3])), ["3 new links: 'a', 'b', 'c'."]);
}

#[test]
fn a_change_of_an_older_run_is_its_description() {
    let change = serde_json::json!({
        "type": "element_missing", "severity": "error", "description": "Button 'Save' is gone",
    });
    let change: super::super::Change = serde_json::from_value(change).unwrap();
    assert_eq!(change.sentence(), "Button 'Save' is gone.");
}

#[test]
fn programs_get_no_facts() {
    let (was, now) = (taken(PAGE), taken(&without(&["\"Save\""])));
    let comparison = compare(&was, &now, &IgnoreRules::default());
    let answer = super::super::answer(&comparison, super::super::Severity::Info);
    assert_eq!(answer["changes"][0]["description"], "Interactive button 'Save' is no longer there");
    assert_eq!(answer["changes"][0].get("facts"), None);
    assert_eq!(answer["summary"], "1 error change detected");
    // A run keeps them.
    let kept = serde_json::to_value(&comparison.changes[0]).unwrap();
    assert_eq!(kept["facts"]["called"], "'Save'");
}
