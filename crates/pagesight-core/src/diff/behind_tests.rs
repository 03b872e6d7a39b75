//! Tests the lines about the page behind a dialog or an overlay.

use super::tests::{check, printed};
use super::*;
use crate::page::test_page::page;

/// A page of 80 buttons with this state, and what follows.
fn board(state: &str, after: &str) -> String {
    let buttons: String = (10..90)
        .map(|id| format!("  button button \"Light {id}\" @{id} usable in-view {state}\n"))
        .collect();
    format!("main main @2\n{buttons}{after}")
}

/// A dialog with 20 fields and buttons.
fn dialog(flags: &str) -> String {
    let fields: String = (0..20)
        .map(|at| format!("  input textbox \"Field {at}\" @{} usable in-view value=v\n", 100 + at))
        .collect();
    format!("div dialog \"Ecobee\" @99 block {flags}\n  p @98\n    'Cool to 24'\n{fields}")
}

/// Checks that the dialog comes first and whole, and the rest is one line.
fn opens(before: &str, after: &str) -> String {
    let (before, mut after) = (page(before), page(after));
    after.block_behind_dialogs();
    let text = printed(&diff(&before, &after), 1_000);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "+ [99] dialog: Ecobee", "{text}");
    assert!(lines[2].contains("Cool to 24"), "{text}");
    assert!(text.contains("[119] textbox: Field 19 = \"v\"\nthe page behind is inert\n"), "{text}");
    assert!(!text.contains("disabled") && !text.contains("more change"), "{text}");
    text
}

#[test]
fn whatever_makes_the_rest_inert_is_one_line() {
    let plain = board("", "");
    let under = |id: u32| format!("under={}", 90 - id);
    let covered: String = board("", "")
        .lines()
        .map(|line| {
            let id = line.split('@').nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
            id.filter(|id: &u32| *id >= 10)
                .map_or(line.to_owned(), |id| format!("{line} {}", under(id)))
                + "\n"
        })
        .collect();
    let modal = dialog("modal pagesight:modal=true");
    for after in [
        board("", &modal),
        board("inert", &dialog("")),
        board("aria-hidden", &dialog("")),
        board("disabled pagesight:fault=unclickable", &dialog("")),
        format!("{covered}{}", dialog("")),
    ] {
        let text = opens(&plain, &after);
        assert_eq!(text.lines().count(), 24, "{text}");
        // Closed again.
        let (mut open, closed) = (page(&after), page(&plain));
        open.block_behind_dialogs();
        assert_eq!(
            printed(&diff(&open, &closed), 1_000),
            "changes (22 elements fewer):\nthe page behind is active again\n- [99] dialog: Ecobee\n"
        );
    }
}

/// Regression test: an overlay without a role was not noticed beside a scroll bar, and the line
/// stood before the content of one that was noticed.
#[test]
fn an_overlay_without_a_role_is_noticed_beside_a_scroll_bar() {
    let covered = |width: u32| {
        let lights: String = (10..90)
            .map(|id| {
                format!("  button button \"Light {id}\" @{id} usable in-view under={}\n", 90 - id)
            })
            .collect();
        format!(
            "main main @2\n{lights}div @99 block box=0,0,{width},720\n  p @98 block\n    'Cool to 24'\n  button button \"Close\" @97 usable in-view"
        )
    };
    let plain = page(&board("", ""));
    for (width, line) in [(1265, "the page behind is inert\n"), (1200, "")] {
        let text = printed(&diff(&plain, &page(&covered(width))), 1_000);
        let expected =
            format!("changes (3 elements more):\n+ [98] Cool to 24\n+ [97] button: Close\n{line}");
        assert_eq!(text, expected, "{width}");
    }
}

/// Regression test: the page was called active again when a dialog over a dialog was closed.
#[test]
fn a_dialog_over_a_dialog_leaves_the_page_inert() {
    let both = |question: &str| {
        let mut page =
            page(&board("", &format!("{}{question}", dialog("modal pagesight:modal=true"))));
        page.block_behind_dialogs();
        page
    };
    let asked = both(
        "dialog dialog \"Really?\" @200 modal pagesight:modal=true\n  button button \"No\" @201 usable in-view",
    );
    let answered = both("");
    let text = printed(&diff(&answered, &asked), 1_000);
    assert_eq!(
        text,
        "changes (2 elements more):\n+ [200] dialog: Really?\n    [201] button: No\nthe page behind is inert\n"
    );
    let text = printed(&diff(&asked, &answered), 1_000);
    assert_eq!(text, "changes (2 elements fewer):\n- [200] dialog: Really?\n");
}

#[test]
fn a_change_behind_an_open_dialog_is_listed_after_it() {
    let after = board("inert", &dialog("")).replace("Light 12", "Lamp 12");
    let text = opens(&board("", ""), &after);
    assert!(text.ends_with("inert\n~ [12] button: \"Light 12\" → \"Lamp 12\"\n"), "{text}");
}

#[test]
fn a_part_that_becomes_inert_is_not_the_page_behind() {
    check(
        "main main @2\n  button button \"One\" @3 usable in-view\n  button button \"Two\" @4 usable in-view",
        "main main @2\n  button button \"One\" @3 usable in-view inert\n  button button \"Two\" @4 usable in-view",
        "changes:\n~ [3] button: One — now inert",
    );
}

#[test]
fn a_menu_over_other_controls_is_not_an_overlay() {
    check(
        "main main @2\n  button button \"Menu\" @3 usable\n  button button \"Two\" @4 usable in-view",
        "main main @2\n  button button \"Menu\" @3 usable\n  button button \"Two\" @4 usable in-view under=1\nul menu @5 block\n  li menuitem \"Open\" @6 usable in-view",
        "changes (2 elements more):\n+ [5] menu\n    [6] menuitem: Open",
    );
}

#[test]
fn an_inert_control_that_was_disabled_is_both() {
    let text = printed(
        &diff(
            &page(
                "main main @2\n  button button \"One\" @3 usable disabled\n  button button \"Two\" @4 usable in-view",
            ),
            &page(
                "main main @2\n  button button \"One\" @3 usable disabled inert\n  button button \"Two\" @4 usable in-view",
            ),
        ),
        1_000,
    );
    assert!(text.ends_with("~ [3] button: One — now inert\n"), "{text}");
}

#[test]
fn what_is_new_is_shown_before_what_is_altered() {
    let boxes = |word: &str| -> String {
        let row = |id| format!("  button button \"{word} {id} of a long list\" @{id} usable\n");
        (200..260).map(row).collect()
    };
    let tools = |count: u32| -> String {
        let tool = |at| format!("    button button \"Tool {at}\" @{} usable\n", 300 + at);
        (0..count).map(tool).collect()
    };
    let before = page(&format!("main main @2\n{}", boxes("Old")));
    let after = |count: u32| {
        let tools = tools(count);
        page(&format!("main main @2\n{}div region \"Tools\" @299 block\n{tools}", boxes("New")))
    };
    let text = printed(&diff(&before, &after(9)), 1_000);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "+ [299] region: Tools", "{text}");
    assert!(lines[10].contains("[308] button: Tool 8"), "{text}");
    assert!(lines[11].starts_with("~ [2] main — re-rendered"), "{text}");
    // In a budget that does not hold the region, altered lines are only counted.
    let text = printed(&diff(&before, &after(9)), 100);
    assert!(text.contains("region: Tools") && !text.contains("\n~ "), "{text}");
}

#[test]
fn a_dialog_is_not_folded_while_it_fits() {
    let days: String = (1..=28)
        .map(|day| format!("  button button \"May {day}\" @{} usable\n", 100 + day))
        .collect();
    let after = format!("main main @2\ndiv dialog \"Day\" @99 block\n{days}");
    let text = printed(&diff(&page("main main @2"), &page(&after)), 1_000);
    assert_eq!(text.matches("button: May").count(), 28, "{text}");
    let text = printed(&diff(&page("main main @2"), &page(&after)), 100);
    assert!(text.contains("25 more buttons"), "{text}");
}
