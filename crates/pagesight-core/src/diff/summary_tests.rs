//! Tests what a diff puts last, and its summary in one line.

use super::diff;
use super::tests::{Local, check};
use crate::page::test_page::page;

#[test]
fn minor_changes_come_last_in_one_line() {
    let picture = |drawn: &str, focused: &str, count: &str, state: &str| {
        format!(
            "main main @2
  canvas img \"Chart\" @3 usable pagesight:drawn={drawn}
  input textbox \"Name\" @4 usable {focused}
  p @5 block
    '{count}'
  button button \"Save\" @6 usable {state}"
        )
    };
    check(
        &picture("1", "", "12/200", ""),
        &picture("2", "focused", "13/200", "disabled"),
        "changes:
~ [6] button: Save — now disabled
~ [3] image: Chart — redrawn; [4] textbox: Name — now focused; [5] \"12/200\" → \"13/200\"",
    );
    // A single one has a line of its own.
    check(
        &picture("1", "", "12/200", ""),
        &picture("1", "", "13/200", ""),
        "changes:\n~ [5] \"12/200\" → \"13/200\"",
    );
}

#[test]
fn a_summary_is_one_short_line() {
    let before = page("main main @2\n  button button \"Save\" @3 usable\n  p @5 block\n    '3'");
    let many: String =
        (20..40).map(|id| format!("  button button \"Extra {id}\" @{id} usable\n")).collect();
    let after = page(&format!(
        "div alert @61 block\n  'Saved'\nmain main @2\n  button button \"Save\" @3 usable disabled\n{many}  p @5 block\n    '4'"
    ));
    let summary = |max_tokens: usize| {
        diff(&before, &after).summary(max_tokens, &mut Local(&after), &|_| None).unwrap()
    };
    assert_eq!(
        summary(80),
        "+ [61] alert: Saved; + 20 buttons, first [20] button: Extra 20; ~ [3] button: Save — now disabled"
    );
    assert_eq!(summary(15), "+ [61] alert: Saved; 21 more changes");
    let same = diff(&before, &before);
    assert_eq!(same.summary(80, &mut Local(&before), &|_| None), None);
    // A count alone is not worth a summary.
    let counted = page("main main @2\n  button button \"Save\" @3 usable\n  p @5 block\n    '4'");
    assert_eq!(diff(&before, &counted).summary(80, &mut Local(&counted), &|_| None), None);
}
