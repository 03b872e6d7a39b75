//! Lines of a diff become the claims that they make.

use super::*;

fn one(line: &str) -> Claim {
    let reply = format!("clicked [1] button: Go\nchanges:\n{line}\n");
    read(&reply).claims.remove(0)
}

#[test]
fn a_line_is_taken_apart() {
    let claim = one("+ [61] alert: Project saved — revealed");
    assert_eq!((claim.mark, claim.body.as_str()), ('+', "alert: Project saved"));
    assert_eq!(claim.states, ["revealed"]);
    let claim = one("~ [7] button: \"Save\" → \"Saved\" — now enabled in row: 1 A");
    assert_eq!(claim.names, Some(("Save".to_owned(), "Saved".to_owned())));
    assert_eq!((claim.body.as_str(), claim.holder.as_deref()), ("button", Some("row: 1 A")));
    assert_eq!(claim.states, ["now enabled"]);
    let claim = one("~ [3] textbox: Name = \"Ann\" → \"Bob, — x\" — now valid");
    assert_eq!(claim.values, Some(("Ann".to_owned(), "Bob, — x".to_owned())));
    assert_eq!(claim.body, "textbox: Name");
    let claim = one("~ [3] textbox: Find — placeholder \"a\" → \"b\"");
    assert_eq!((claim.body.as_str(), claim.names, claim.states.len()), ("textbox: Find", None, 1));
    assert_eq!(one("- Gone for good — hidden").body, "Gone for good");
    assert_eq!(
        one("~ [4] Beta — moved behind [9] Delta, x").moved.as_deref(),
        Some("behind Delta, x")
    );
    assert_eq!(one("+ [8] \"a — b\" — revealed").body, "\"a — b\"");
}

#[test]
fn a_run_says_how_many_and_where() {
    let claim = one("+ 20 rows in [88] table: Orders, first [91] row: 1042 Apollo");
    assert_eq!(claim.run, Some((20, "rows".to_owned())));
    assert_eq!(claim.holder.as_deref(), Some("table: Orders"));
    assert_eq!(claim.body, "row: 1042 Apollo");
    let claim = one("~ 9 checkboxes in [2] form: F — now checked, first [3] checkbox: A");
    assert_eq!(
        (claim.states, claim.body.as_str()),
        (vec!["now checked".to_owned()], "checkbox: A")
    );
    let claim = one("~ 4 items in [2] list: L — re-ordered, first now [3] Beta");
    assert_eq!((claim.states, claim.body.as_str()), (vec!["re-ordered".to_owned()], "Beta"));
    let claim = one("~ 9 items in [2] list: L, first [3] \"a\" → \"b\"");
    assert_eq!(claim.names, Some(("a".to_owned(), "b".to_owned())));
    assert_eq!(one("- 5 items left").run, None);
}

#[test]
fn what_is_no_line_of_changes_is_known() {
    let reported = read(&format!(
        "clicked\nchanges:\n+ [1] dialog: D\n    [2] textbox: N = \"v\"\n    … 9 more rows in [3] table: T — inspect_tab scope=[3]\n… 3 more changes — inspect_tab\n{UNPROMPTED_CHANGES}[9] \"1\" → \"2\"\n"
    ));
    assert_eq!((reported.claims.len(), reported.left_out), (3, 3));
    assert!(reported.claims[1].inside && reported.claims[1].mark == '+');
    assert_eq!(reported.claims[2].run, Some((9, "rows".to_owned())));
    assert!(reported.unprompted.contains('2') && reported.block.starts_with("changes"));
    assert!(read("clicked [1] — no visible change\n").block.is_empty());
    assert!(read("clicked\ndiff confidence below threshold (65%): x\n").refused.is_some());
}
