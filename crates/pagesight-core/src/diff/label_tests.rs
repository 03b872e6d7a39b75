//! Tests the words by which a diff names elements: labels with their values, and icons.

use super::tests::check;

#[test]
fn a_label_and_its_value_are_compared_apart_and_printed_together() {
    let row = |label: &str, value: &str| {
        format!(
            "dl @2 block\n  dt term @3 block\n    '{label}'\n  dd definition @4 block\n    '{value}'\ndiv @5 block\n  p @6 block\n    '{label}'\n  input slider @7 usable value={value}"
        )
    };
    check(
        &row("Size", "1"),
        &row("Size", "2"),
        "changes:\n~ [4] definition: \"1\" → \"2\"\n~ [7] slider (Size) = \"1\" → \"2\"",
    );
    check(
        &row("Size", "1"),
        &row("Width", "1"),
        "changes:\n~ [3] term: \"Size\" → \"Width\"\n~ [6] \"Size\" → \"Width\"",
    );
    check(
        "main main @2",
        &format!(
            "main main @2\n  section region \"S\" @200 block\n{}",
            row("Size", "1")
                .replace("@", "@30")
                .lines()
                .map(|l| format!("    {l}\n"))
                .collect::<String>()
        ),
        "changes (7 elements more):\n+ [200] region: S\n    Size · 1\n    [307] slider (Size) = \"1\"",
    );
}

#[test]
fn elements_without_a_name_are_known_by_their_icons() {
    let before = "main main @2
  button button @3 usable clue:icon=play
  button button @4 usable clue:icon=trash
  button button @5 usable clue:icon=star";
    let after = "main main @2
  button button @3 usable clue:icon=pause
  button button @14 usable clue:icon=star disabled";
    check(
        before,
        after,
        "changes (1 element fewer):
~ [3] button (pause icon) — was (play icon)
~ [14] button (star icon) — now disabled
- [4] button (trash icon)",
    );
}
