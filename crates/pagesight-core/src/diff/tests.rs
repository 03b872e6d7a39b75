//! Tests the printed diffs of pages that are drawn as text.

use super::*;
use crate::hint::Wording;
use crate::page::NodeId;
use crate::page::test_page::{page, page_in};

/// Checks the printed diff of two pages; numbers are the local ids.
pub(super) fn check(before: &str, after: &str, expected: &str) {
    check_in(before, after, &Circumstances::default(), expected);
}

fn check_in(before: &str, after: &str, circumstances: &Circumstances, expected: &str) {
    let (before, after) = (page(before), page(after));
    assert_eq!(
        printed(&diff_in(&before, &after, circumstances), 1_000).trim_end(),
        expected.trim()
    );
}

/// Numbers elements by their local ids.
pub(crate) struct Local<'p>(pub(crate) &'p Page);

impl crate::render::Numbers for Local<'_> {
    fn number(&mut self, node: NodeId) -> u32 {
        let node = self.0.node(node);
        if node.is_text() { node.parent().map_or(0, |parent| parent.local()) } else { node.local() }
    }
}

pub(super) fn printed(diff: &Diff<'_>, max_tokens: usize) -> String {
    let (before, after) = (diff.old.page, diff.new.page);
    diff.render(max_tokens, Wording::PLAIN, &mut Local(after), &|node| {
        Some(before.node(node).local())
    })
}

#[test]
fn confidence_is_printed_only_below_one() {
    let before = page("main main\n  button button \"Save\" @4 usable");
    let mut after = page("main main\n  button button \"Save\" @4 usable disabled");
    let change = "~ [4] button: Save — now disabled\n";
    assert_eq!(printed(&diff(&before, &after), 1000), format!("changes:\n{change}"));
    after.deaf = true;
    after.elements += 2;
    assert_eq!(
        printed(&diff(&before, &after), 1000),
        format!("changes (confidence 0.95, 2 elements more):\n{change}")
    );
}

#[test]
fn the_example_of_the_interface() {
    let before = "main main @2
  button button \"Save\" @14 usable
  p @30 block
    '4 items'
  table table \"Orders\" @88 block
    tr row @89 block
      td cell @90
        '1041 Zeus'
dialog dialog \"Edit project\" @22 block
  button button \"Close\" @23 usable";
    let after = "div alert @161 block
  'Project saved'
main main @2
  button button \"Save\" @14 usable disabled
  p @30 block
    '5 items'
  table table \"Orders\" @88 block
    tr row @89 block
      td cell @90
        '1041 Zeus'
    tr row @191 block
      td cell @192
        '1042 Apollo'";
    check(
        before,
        after,
        "changes (1 element more):
+ [161] alert: Project saved
+ [191] row: 1042 Apollo in table: Orders
~ [14] button: Save — now disabled
~ [30] \"4 items\" → \"5 items\"
- [22] dialog: Edit project",
    );
}

#[test]
fn new_elements_are_printed_with_their_content() {
    check(
        "main main @2\n  button button \"Edit\" @3 usable",
        "main main @2\n  button button \"Edit\" @3 usable\ndialog dialog \"Edit project\" @10 block\n  input textbox \"Name\" @11 usable value=Apollo\n  button button \"Save\" @12 usable",
        "changes (3 elements more):
+ [10] dialog: Edit project
    [11] textbox: Name = \"Apollo\"
    [12] button: Save",
    );
}

#[test]
fn revealed_hidden_and_gone_have_different_words() {
    check(
        "main main @2\n  section region \"More\" @5 block hidden\n  button button \"A\" @7 usable\n  button button \"B\" @8 usable",
        "main main @2\n  section region \"More\" @5 block\n    'Text'\n  button button \"A\" @7 usable hidden",
        "changes (1 element fewer):
+ [5] region: More — revealed
    Text
- [7] button: A — hidden
- [8] button: B",
    );
    // An element that is known only by its number, because it was pruned while it was hidden.
    check(
        "main main @2\n  p @9 block\n    'Here'",
        "main main @2\n  p @9 block\n    'Here'\n  p @5 block\n    'There'",
        "changes (1 element more):
+ [5] There — revealed",
    );
}

#[test]
fn an_alert_that_was_empty_appears() {
    check(
        "main main @2\n  div alert @5 block",
        "main main @2\n  div alert @5 block\n    'Saved'",
        "changes:\n+ [5] alert: Saved",
    );
}

#[test]
fn values_states_names_and_links_are_printed() {
    let before = "main main @2
  input textbox \"Name\" @3 usable value=Ann
  input checkbox \"Agree\" @4 usable
  button button \"Menu\" @5 usable collapsed
  a link \"Next\" @6 usable href=/2
  button button \"Save\" @7 usable disabled
  h1 heading \"One\" @8 block level=1";
    let after = "main main @2
  input textbox \"Name\" @3 usable value=Bob
  input checkbox \"Agree\" @4 usable checked
  button button \"Menu\" @5 usable expanded
  a link \"Next\" @6 usable href=/3
  button button \"Saved\" @7 usable
  h1 heading \"Two\" @8 block level=1";
    check(
        before,
        after,
        "changes:
~ [3] textbox: Name = \"Ann\" → \"Bob\"
~ [4] checkbox: Agree — now checked
~ [5] button: Menu — now expanded
~ [6] link: Next — now leads to /3
~ [7] button: \"Save\" → \"Saved\" — now enabled
~ [8] heading 1: \"One\" → \"Two\"",
    );
}

#[test]
fn a_moved_focus_is_printed_except_on_the_acted_element() {
    let before =
        "main main @2\n  input textbox \"A\" @3 usable focused\n  input textbox \"B\" @4 usable";
    let after =
        "main main @2\n  input textbox \"A\" @3 usable\n  input textbox \"B\" @4 usable focused";
    check(before, after, "changes:\n~ [4] textbox: B — now focused");
    let acted = |local| Circumstances {
        acted: vec![("doc".to_owned(), local)],
        ..Circumstances::default()
    };
    // A field that was entered is reported as focused; a field that was filled or a button that was
    // pressed is not.
    check_in(before, after, &acted(4), "changes:\n~ [4] textbox: B — now focused");
    let filled = after.replace("\"B\" @4 usable", "\"B\" @4 usable value=x");
    check_in(before, &filled, &acted(4), "changes:\n~ [4] textbox: B = \"\" → \"x\"");
    let pressed = |picture: &str| picture.replace("input textbox \"B\"", "button button \"B\"");
    check_in(&pressed(before), &pressed(after), &acted(4), "no visible change in text or controls");
}

#[test]
fn long_runs_are_folded() {
    let rows = |ids: std::ops::Range<u32>| -> String {
        ids.map(|id| {
            format!("    tr row @{id}0 block\n      td cell @{id}1\n        'Order {id}'\n")
        })
        .collect()
    };
    let table = |rows: &str| format!("main main @2\n  table table \"Orders\" @8 block\n{rows}");
    check(
        &table(&rows(100..103)),
        &table(&rows(100..123)),
        "changes (40 elements more):\n+ 20 rows in [8] table: Orders, first [1030] row: Order 103",
    );
    check(
        &table(&rows(100..123)),
        &table(&rows(100..103)),
        "changes (40 elements fewer):\n- 20 rows in [8] table: Orders, first [1030] row: Order 103",
    );
    let boxes = |state: &str| -> String {
        (10..30).map(|id| format!("  input checkbox \"Row {id}\" @{id} usable {state}\n")).collect()
    };
    check(
        &format!("main main @2\n{}", boxes("")),
        &format!("main main @2\n{}", boxes("checked")),
        "changes:\n~ 20 checkboxes — now checked, first [10] checkbox: Row 10",
    );
}

/// Regression test: the days of a date picker without a frame were one line, `+ 30 clickables`, so
/// the caller had to look again.
#[test]
fn short_things_that_appear_are_listed_if_there_is_room() {
    let picker = |days: u32, name: &str| {
        let day = |day: u32| format!("  span clickable \"{name}{day}\" @{} usable\n", 100 + day);
        page(&format!(
            "input textbox \"Day\" @2 usable\ndiv @3 block\n{}",
            (1..=days).map(day).collect::<String>()
        ))
    };
    let opened = |days: u32, name: &str, limit: usize| {
        printed(&diff(&picker(0, ""), &picker(days, name)), limit)
    };
    let text = opened(30, "", 1_000);
    assert!(
        text.contains("+ [101] clickable: 1\n") && text.ends_with("+ [130] clickable: 30\n"),
        "{text}"
    );
    let folded = "+ 30 clickables, first [101] clickable: ";
    assert!(opened(30, "", 400).contains(folded), "in a small budget");
    assert!(
        opened(30, "A much longer name of a day, which takes many tokens ", 1_000).contains(folded)
    );
    assert!(opened(49, "", 2_000).contains("+ 49 clickables"));
}

#[test]
fn a_field_that_replaces_a_field_is_a_new_field() {
    check(
        "main main @2\n  input textbox \"Name\" @3 usable value=Ann",
        "main main @2\n  input textbox \"Street\" @9 usable value=High",
        "changes:\n+ [9] textbox: Street = \"High\"\n- [3] textbox: Name",
    );
}

#[test]
fn moves_are_no_removals() {
    let list = |ids: &[u32]| -> String {
        let items: String = ids
            .iter()
            .map(|id| format!("    li listitem @{id} block\n      'Item {id}'\n"))
            .collect();
        format!("main main @2\n  ul list \"Todo\" @3 block\n{items}")
    };
    check(
        &list(&[11, 12, 13, 14]),
        &list(&[12, 13, 11, 14]),
        "changes:\n~ [11] Item 11 — moved behind [13] Item 13",
    );
    check(
        &list(&[11, 12, 13, 14]),
        &list(&[14, 11, 12, 13]),
        "changes:\n~ [14] Item 14 — moved to the top of [3] list: Todo",
    );
    let twenty: Vec<u32> = (20..40).collect();
    let turned: Vec<u32> = (20..40).rev().collect();
    check(
        &list(&twenty),
        &list(&turned),
        "changes:\n~ 19 items in [3] list: Todo — re-ordered, first now [39] Item 39",
    );
}

#[test]
fn rerender_with_equal_content_is_not_a_change() {
    let form = |base: u32, count: &str| {
        format!(
            "main main @2\n  section region \"Cart\" @{} block\n    p @{} block\n      '{count} items'\n    button button \"Pay\" @{} usable",
            base + 1,
            base + 2,
            base + 3
        )
    };
    // A number that was not taken over is reported. Here no number is taken over, because numbers
    // are local ids.
    let new_number = "re-rendered: [13] is now [23] button: Pay";
    check(
        &form(10, "4"),
        &form(20, "4"),
        &format!("no visible change in text or controls\n{new_number}"),
    );
    let printed = format!("changes:\n~ [22] \"4 items\" → \"5 items\"\n{new_number}");
    check(&form(10, "4"), &form(20, "5"), &printed);
    // The same in a different document, as with two page files.
    let (before, after) = (page_in("a", &form(10, "4")), page_in("b", &form(20, "4")));
    assert!(diff(&before, &after).is_empty());
}

#[test]
fn insertion_among_equal_siblings_is_one_line() {
    let list = |ids: &[u32]| -> String {
        let items: String =
            ids.iter().map(|id| format!("    li listitem @{id} block\n      'Same'\n")).collect();
        format!("main main @2\n  ul list \"L\" @3 block\n{items}")
    };
    let hundred: Vec<u32> = (100..200).collect();
    let mut more = hundred.clone();
    more.insert(50, 500);
    check(&list(&hundred), &list(&more), "changes (1 element more):\n+ [500] Same in list: L");
    check(&list(&more), &list(&hundred), "changes (1 element fewer):\n- [500] Same");
}

#[test]
fn a_container_that_only_got_a_line_is_no_change() {
    check(
        "main main @2\n  ul list @3 block\n    li listitem @4 block\n      a link \"A\" @5 usable",
        "main main @2\n  ul list @3 block\n    li listitem @4 block\n      a link \"A\" @5 usable\n    li listitem @8 block\n      a link \"B\" @9 usable",
        "changes (2 elements more):\n+ [9] link: B",
    );
}

#[test]
fn elements_that_became_usable_are_printed() {
    check(
        "main main @2\n  a @5\n    'Previous'",
        "main main @2\n  a link \"Previous\" @5 usable by-content\n    'Previous'",
        "changes:\n~ [5] link: Previous — now usable",
    );
}

#[test]
fn background_changes_are_listed_separately() {
    let at = |time: &str, items: &str, price: &str| {
        format!(
            "main main @2\n  p @3 block\n    '{time}'\n  p @4 block\n    '{items} items'\n  p @5 block\n    b @6\n      '{price}'"
        )
    };
    let watched =
        Circumstances { restless: vec![("doc".to_owned(), 6)], ..Circumstances::default() };
    check_in(
        &at("12:00:01", "4", "7.11"),
        &at("12:00:02", "5", "9.23"),
        &watched,
        "changes:\n~ [4] \"4 items\" → \"5 items\"\nin the background: [3] \"12:00:01\" → \"12:00:02\"; [6] \"7.11\" → \"9.23\"",
    );
    check_in(
        &at("12:00:01", "4", "7.11"),
        &at("12:00:02", "4", "9.23"),
        &watched,
        "no visible change except in the background\nin the background: [3] \"12:00:01\" → \"12:00:02\"; [6] \"7.11\" → \"9.23\"",
    );
}

#[test]
fn equal_lines_are_printed_with_their_surroundings() {
    let rows = |state: &str| {
        format!(
            "main main @2\n  table table \"T\" @3 block\n    tr row @4 block\n      td cell @5\n        'One'\n      button button \"Delete\" @6 usable\n    tr row @7 block\n      td cell @8\n        'Two'\n      button button \"Delete\" @9 usable {state}"
        )
    };
    check(
        &rows(""),
        &rows("disabled"),
        "changes:\n~ [9] button: Delete — now disabled in row: Two",
    );
}

#[test]
fn a_region_does_not_echo_its_heading() {
    let titled = |title: &str| {
        format!(
            "main main @2\n  section region \"{title}\" @3 block\n    h2 heading \"{title}\" @4 block level=2\n    button button \"Go\" @5 usable"
        )
    };
    check(&titled("One"), &titled("Two"), "changes:\n~ [4] heading 2: \"One\" → \"Two\"");
}

#[test]
fn below_the_threshold_only_the_hint_is_printed() {
    let before = page("main main @2");
    let mut after = before.clone();
    after.roots_left_out = 12;
    assert_eq!(
        printed(&diff(&before, &after), 1_000),
        "diff confidence below threshold (65%): 12 shadow roots not entered; look at the page\n"
    );
}

#[test]
fn page_text_cannot_pass_for_ours() {
    check(
        "main main @2\n  p @3 block\n    'x'",
        "main main @2\n  p @3 block\n    'x'\n  p @9 block\n    '- [3] button: Save'",
        "changes (1 element more):\n+ [9] \"- [3] button: Save\"",
    );
}

#[test]
fn a_panel_that_shows_instead_of_another_is_not_that_one_renamed() {
    check(
        "main main @2\n  div tabpanel \"A\" @5 block\n    'Figures of one'\n  div tabpanel \"B\" @7 block hidden",
        "main main @2\n  div tabpanel \"A\" @5 block hidden\n  div tabpanel \"B\" @7 block\n    'Figures of two'",
        "changes:
+ [7] tabpanel: B — revealed
    Figures of two
- [5] tabpanel: A — hidden",
    );
    // The same if hidden elements are not sent: the old number shows that the element existed.
    check(
        "main main @2\n  p @9 block\n    'First pane'",
        "main main @2\n  p @5 block\n    'Second pane'",
        "changes:\n+ [5] Second pane — revealed\n- [9] First pane",
    );
}

#[test]
fn column_headers_are_not_the_first_of_a_sorted_table() {
    let table = |ids: Vec<u32>| -> String {
        let rows: String = ids
            .iter()
            .map(|id| {
                format!("    tr row @{id} block\n      td cell @{}\n        'Row {id}'\n", id + 100)
            })
            .collect();
        format!(
            "main main @2\n  table table \"Stock\" @3 block\n    tr row @4 block\n      th columnheader \"Name\" @5\n        'Name'\n{rows}"
        )
    };
    check(
        &table((20..30).collect()),
        &table((20..30).rev().collect()),
        "changes:\n~ 9 rows in [3] table: Stock — re-ordered, first now [29] row: Row 29",
    );
}

#[test]
fn the_container_of_the_acted_element_is_not_printed_as_focused() {
    let acted = Circumstances { acted: vec![("doc".to_owned(), 6)], ..Circumstances::default() };
    let frame = |state: &str, button: &str| {
        format!(
            "main main @2\n  div group \"Inner\" @5 block{state}\n    button button \"Pay\" @6 usable{button}"
        )
    };
    let expected = "changes:\n~ [6] button: Pay — now disabled";
    check_in(&frame("", ""), &frame(" focused", " disabled"), &acted, expected);
}

#[test]
fn the_first_item_of_a_rerendered_list_is_not_new() {
    let item = |id: u32, name: &str| {
        format!(
            "    li listitem @{id} block\n      div @{} block\n        input checkbox \"Done\" @{} usable\n        button button \"{name}\" @{} usable\n      div @{} block\n        button button \"Drop\" @{} usable\n",
            id + 1,
            id + 2,
            id + 3,
            id + 4,
            id + 5
        )
    };
    let page = |items: &str| {
        format!(
            "main main @2\n  h1 heading \"todos\" @3 block level=1\n  ul list @4 block\n{items}"
        )
    };
    check(
        &page(&item(10, "Alpha")),
        &page(&(item(20, "Alpha") + &item(30, "Beta"))),
        "changes (6 elements more):
+ [30] listitem
    [32] checkbox: Done
    [33] button: Beta
    [35] button: Drop
re-rendered: [12] to [13] are now [22] to [23]; [15] is now [25] button: Drop",
    );
}

/// A list of news that a framework re-renders with new nodes each time.
fn news(first: u32, rows: &[(&str, &str)]) -> String {
    let mut picture = String::from("main main @2\n  ul list \"News\" @3 block\n");
    for (place, (link, likes)) in rows.iter().enumerate() {
        let at = first + 10 * place as u32;
        picture.push_str(&format!(
            "    li listitem @{at} block\n      a link \"{link}\" @{} usable\n      span @{}\n        '{likes}'\n",
            at + 1,
            at + 2
        ));
    }
    picture
}

#[test]
fn a_rerendered_row_is_recognised_by_its_subject() {
    let before = news(100, &[("Yara", "2 likes"), ("Atlas", "3 likes"), ("Juno", "4 likes")]);
    let after = news(200, &[("Yara", "2 likes"), ("Atlas", "13 likes"), ("Juno", "4 likes")]);
    check(
        &before,
        &after,
        "changes:
~ [210] listitem: \"3 likes\" → \"13 likes\"
re-rendered: [101] is now [201] link: Yara; [111] is now [211] link: Atlas; [121] is now [221] link: Juno",
    );
}

#[test]
fn a_row_is_not_known_by_a_link_that_every_row_has() {
    let before = news(100, &[("Open", "Yara"), ("Open", "Atlas"), ("Open", "Juno")]);
    let after = news(200, &[("Open", "Yara"), ("Open", "Juno"), ("Open", "Vesta")]);
    check(
        &before,
        &after,
        "changes:
+ [220] listitem: Vesta in list: News
    [221] link: Open
- [110] listitem: Atlas
re-rendered: [101] is now [201] link: Open; [121] is now [211] link: Open",
    );
}

#[test]
fn a_merged_line_shows_what_changes_in_either_element() {
    let pair = |outer: &str, inner: &str| {
        format!(
            "div tab \"A\" @5 usable box=0,0,90,30 {outer}\n  button button \"A\" @6 usable box=0,0,90,30 {inner}"
        )
    };
    check(
        &pair("", ""),
        &pair("selected", "disabled"),
        "changes:\n~ [5] tab: A — now disabled, now selected",
    );
    check(&pair("", ""), &pair("", "focused"), "changes:\n~ [5] tab: A — now focused");
    check(
        "main main @2\n  p @3 block\n    'Text'",
        &format!("main main @2\n  p @3 block\n    'Text'\n{}", pair("", "").replace("@", "@10")),
        "changes (2 elements more):\n+ [105] tab: A",
    );
}

#[test]
fn an_element_that_is_counted_by_a_named_one_is_compared() {
    let item = |state: &str, more: &str| {
        format!(
            "ul list \"L\" @2 block\n  li listitem @3 block\n    a link \"A\" @4 usable\n    button button @5 usable {state}\n{more}"
        )
    };
    check(&item("", ""), &item("disabled", ""), "changes:\n~ [5] button — now disabled");
    check(
        &item("", ""),
        &item("", "    span clickable @160 usable\n"),
        "changes (1 element more):\n+ [160] clickable",
    );
}
