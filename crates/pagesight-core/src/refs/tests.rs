//! Tests the lifetime of references, with pages that are drawn as text.

use std::sync::Arc;

use super::*;
use crate::page::test_page::{page, page_in};
use crate::page::{NodeId, Page};
use crate::render::Numbers;

const TAB: u32 = 1;

fn shown(references: &mut References, page: &Page, name: &str) -> u32 {
    references.observe(TAB, &Arc::new(page.clone()));
    let id = named(page, name);
    references.numbering(page).number(id)
}

fn named(page: &Page, name: &str) -> NodeId {
    page.nodes()
        .find(|node| !node.is_text() && node.name() == name)
        .expect("the picture has it")
        .id()
}

fn found(references: &mut References, page: &Page, number: u32) -> Result<String, RefError> {
    references.observe(TAB, &Arc::new(page.clone()));
    let reference = references.resolve(TAB, &number.to_string(), |key| Some(format!("t{key}")))?;
    references.find(&reference, page).map(|id| page.node(id).name().to_owned())
}

#[test]
fn references_are_read_in_every_form() {
    for given in ["12", "[12]", " [12] ", "1_12", "[1_12]"] {
        assert_eq!(parse(given).unwrap().1, 12, "{given}");
    }
    assert_eq!(parse("3_12").unwrap().0, Some(3));
    for bad in
        ["", "0", "-1", "1.5", "abc", "[12", "12]", "1_", "_1", "99999999999", "٣", "+3", "1_2_3"]
    {
        assert!(matches!(parse(bad), Err(RefError::Malformed { .. })), "{bad}");
    }
}

#[test]
fn an_element_keeps_its_number_and_numbers_are_never_used_twice() {
    let mut references = References::default();
    let first = page("button button \"Save\" @5 usable\nbutton button \"Cancel\" @6 usable");
    let save = shown(&mut references, &first, "Save");
    let cancel = shown(&mut references, &first, "Cancel");
    assert_ne!(save, cancel);
    let moved =
        page("div @9\n  button button \"Cancel\" @6 usable\n  button button \"Save\" @5 usable");
    assert_eq!(shown(&mut references, &moved, "Save"), save);
    let other = page_in("next", "button button \"Save\" @5 usable");
    assert!(
        shown(&mut references, &other, "Save") > cancel,
        "another document's element gets a new number"
    );
    assert_eq!(references.uid(save).as_deref(), Some("1_1"));
    assert_eq!(references.uid(3).as_deref(), Some("2_3"));
}

#[test]
fn references_of_the_document_before_are_stale_until_it_comes_back() {
    let mut references = References::default();
    let first = page("button button \"Save\" @5 usable");
    let save = shown(&mut references, &first, "Save");
    let second = page_in("next", "button button \"Save\" @5 usable");
    assert_eq!(found(&mut references, &second, save), Err(RefError::Navigated { number: save }));
    assert_eq!(found(&mut references, &first, save).as_deref(), Ok("Save"));
}

#[test]
fn foreign_forged_and_unknown_references_have_different_errors() {
    let mut references = References::default();
    let save = shown(&mut references, &page("button button \"Save\" @5 usable"), "Save");
    let resolve =
        |tab: u32, given: &str| references.resolve(tab, given, |key| Some(format!("t{key}")));
    assert!(matches!(resolve(2, "1"), Err(RefError::Foreign { .. })));
    assert!(matches!(resolve(TAB, "7_1"), Err(RefError::Forged { .. })));
    assert_eq!(resolve(TAB, "99").unwrap_err(), RefError::Unknown { number: 99 });
    assert_eq!(resolve(TAB, "1_1").unwrap().number, save);
}

#[test]
fn an_equal_node_takes_the_number_over_only_without_doubt() {
    let before = "main main\n  p @8\n    'Apollo'\n  button button \"Save\" @5 usable id=save";
    let take = |after: &str| {
        let mut references = References::default();
        let number = shown(&mut references, &page(before), "Save");
        found(&mut references, &page(after), number)
    };
    assert_eq!(
        take("main main\n  p @18\n    'Apollo'\n  button button \"Save\" @15 usable id=save")
            .as_deref(),
        Ok("Save")
    );
    for other in [
        // Different text around it, a different id, role or name, or two of them.
        "main main\n  p @18\n    'Gemini'\n  button button \"Save\" @15 usable id=save",
        "main main\n  p @18\n    'Apollo'\n  button button \"Save\" @15 usable id=other",
        "main main\n  p @18\n    'Apollo'\n  a link \"Save\" @15 usable id=save",
        "main main\n  p @18\n    'Apollo'\n  button button \"Store\" @15 usable id=save",
        "main main\n  p @18\n    'Apollo'\n  button button \"Save\" @15 usable id=save\n  button button \"Save\" @16 usable id=save",
        "main main\n  p @18\n    'Apollo'",
    ] {
        assert!(matches!(take(other), Err(RefError::Gone { .. })), "{other}");
    }
}

#[test]
fn one_of_two_equal_nodes_is_never_taken_over() {
    let mut references = References::default();
    let before =
        page("main main\n  button button \"Add\" @5 usable\n  button button \"Add\" @6 usable");
    let number = shown(&mut references, &before, "Add");
    let after = page("main main\n  button button \"Add\" @7 usable");
    let error = found(&mut references, &after, number).unwrap_err();
    let RefError::Gone { nearest, .. } = error else { panic!("{error}") };
    assert!(nearest.contains("button: Add"), "the candidate is named, not acted on: {nearest}");
}

/// Shows an icon of a toolbar, has the toolbar replaced, and returns the local id of the node that
/// the number then leads to.
fn taken_over(before: &str, local: u32, after: &str) -> Result<u32, RefError> {
    let toolbar = |buttons: &str| page(&format!("main main\n  p @90\n    'Notes'\n{buttons}"));
    let (before, after) = (toolbar(before), toolbar(after));
    let mut references = References::default();
    references.observe(TAB, &Arc::new(before.clone()));
    let node = before.nodes().find(|node| node.local() == local).expect("the picture has it");
    let number = references.numbering(&before).number(node.id());
    references.observe(TAB, &Arc::new(after.clone()));
    let reference = references.resolve(TAB, &number.to_string(), |key| Some(format!("t{key}")))?;
    references.find(&reference, &after).map(|id| after.node(id).local())
}

#[test]
fn an_icon_without_a_name_is_taken_over_by_the_same_icon() {
    let icon = |local: u32, icon: &str| {
        format!("  button button @{local} usable clue:icon+class=fa+fa-{icon}\n")
    };
    let two = icon(5, "plus") + &icon(6, "trash");
    // All of them are replaced, in any order, or only one is left.
    assert_eq!(taken_over(&two, 6, &(icon(15, "plus") + &icon(16, "trash"))), Ok(16));
    assert_eq!(taken_over(&two, 6, &(icon(15, "trash") + &icon(16, "plus"))), Ok(15));
    assert_eq!(taken_over(&two, 5, &icon(15, "plus")), Ok(15));
    for (before, after) in [
        // A different icon in its place, no icon, or two equal ones before or after.
        (icon(5, "plus"), icon(15, "trash")),
        (icon(5, "plus"), "  button button @15 usable\n".to_owned()),
        (icon(5, "plus"), icon(15, "plus") + &icon(16, "plus")),
        (icon(5, "plus") + &icon(6, "plus"), icon(15, "plus")),
        // A different drawing, though both have no known name.
        (
            "  button button @5 usable clue:drawing=aaaa\n".to_owned(),
            "  button button @15 usable clue:drawing=bbbb\n".to_owned(),
        ),
    ] {
        let taken = taken_over(&before, 5, &after);
        assert!(matches!(taken, Err(RefError::Gone { .. })), "{before}{after}: {taken:?}");
    }
}

#[test]
fn an_element_that_is_gone_for_a_moment_keeps_its_number() {
    let card = |local: u32| {
        page(&format!("main main\n  p @8\n    'Hall'\n  button button \"Lights\" @{local} usable"))
    };
    let without = page("main main\n  p @8\n    'Hall'");
    let mut references = References::default();
    let number = shown(&mut references, &card(5), "Lights");
    let reference =
        references.resolve(TAB, &number.to_string(), |_| None).expect("it was shown just now");
    assert!(!references.is_gone(&reference, &card(5)));
    assert!(matches!(found(&mut references, &without, number), Err(RefError::Gone { .. })));
    assert!(references.is_gone(&reference, &without));
    assert_eq!(found(&mut references, &card(15), number).as_deref(), Ok("Lights"));
    assert!(!references.is_gone(&reference, &card(15)));
    // Not after a long time.
    for _ in 0..20 {
        references.observe(TAB, &Arc::new(without.clone()));
    }
    assert!(matches!(found(&mut references, &card(25), number), Err(RefError::Gone { .. })));
}

#[test]
fn a_recycled_node_is_refused_once_and_then_known() {
    let row = |text: &str| {
        page(&format!(
            "ul list\n  li listitem\n    '{text}'\n    button button \"Delete\" @5 usable\n  li listitem\n    'Other'"
        ))
    };
    let mut references = References::default();
    let number = shown(&mut references, &row("Apollo"), "Delete");
    assert_eq!(found(&mut references, &row("Apollo"), number).as_deref(), Ok("Delete"));
    let refused = found(&mut references, &row("Gemini"), number).unwrap_err();
    assert!(refused.to_string().contains("Gemini"), "{refused}");
    assert_eq!(
        found(&mut references, &row("Gemini"), number).as_deref(),
        Ok("Delete"),
        "the caller knows"
    );
}

#[test]
fn a_row_of_divs_is_a_row_too_and_a_ticking_number_is_not_another_row() {
    let card = |name: &str, price: &str, twin: &str| {
        page(&format!(
            "div\n  div\n    'stock {name}'\n    span\n      '{price}'\n    button button \"Buy\" @5 usable\n  div\n    'stock {twin}'\n    span\n      '9'\n    button button \"Buy\" @6 usable"
        ))
    };
    let mut references = References::default();
    let number = shown(&mut references, &card("Apple", "182.10", "Pear"), "Buy");
    assert_eq!(
        found(&mut references, &card("Apple", "183.55", "Pear"), number).as_deref(),
        Ok("Buy")
    );
    assert!(matches!(
        found(&mut references, &card("Plum", "183.55", "Pear"), number),
        Err(RefError::OtherRow { .. })
    ));
}

#[test]
fn a_row_is_recognised_by_its_number_wherever_it_stands() {
    for row in [
        "div\n  div\n    span\n      'Invoice'\n    span\n      '#N'\n    button button \"Delete\" @5 usable\n  div\n    span\n      'Invoice'\n    span\n      '#7'\n    button button \"Delete\" @6 usable",
        "ul list\n  li listitem\n    button button \"Delete\" @5 usable\n      'Delete'\n    ' Order N'",
        "table table\n  tr row\n    td cell\n      'Open'\n    td cell\n      'N'\n    td cell\n      button button \"Delete\" @5 usable",
        "article article\n  h3 heading \"Ticket N\" level=3\n    'Ticket '\n    b\n      'N'\n  button button \"Delete\" @5 usable",
    ] {
        let mut references = References::default();
        let number = shown(&mut references, &page(&row.replace('N', "1042")), "Delete");
        let refused = found(&mut references, &page(&row.replace('N', "1043")), number);
        assert!(matches!(refused, Err(RefError::OtherRow { .. })), "{row}: {refused:?}");
    }
}

/// Regression test: a field was refused because the help text of its row had gone.
#[test]
fn a_row_that_gains_or_loses_a_text_is_the_same_row() {
    let rows = |texts: &[&str]| {
        let texts: String = texts.iter().map(|text| format!("    '{text}'\n")).collect();
        page(&format!(
            "div\n  div @20 row\n{texts}    input textbox \"Value\" @5 usable\n  div @21 row\n    'Name'\n    'optional'\n    input textbox \"Value\" @6 usable"
        ))
    };
    let field = |first: &[&str], then: &[&str]| {
        let mut references = References::default();
        let number = shown(&mut references, &rows(first), "Value");
        found(&mut references, &rows(then), number)
    };
    let all = ["Limit", "optional", "Default value: 20"];
    assert!(field(&all, &all[..2]).is_ok(), "the help text went");
    assert!(field(&all[..1], &all[..2]).is_ok(), "a message came");
    for (first, then) in [
        // What is left is what every row has.
        (vec!["Limit", "optional"], vec!["optional"]),
        (vec!["optional"], vec!["optional", "Price"]),
        (vec!["Limit", "optional"], vec![]),
        (vec!["Report"], vec!["Report 2024"]),
        (vec!["Limit", "Default value: 20"], vec!["Limit", "optional"]),
    ] {
        let refused = field(&first, &then);
        assert!(
            matches!(refused, Err(RefError::OtherRow { .. })),
            "{first:?} {then:?}: {refused:?}"
        );
    }
}

/// Regression test: an element of a snapshot was refused, because the snapshot's capture had the
/// hidden menu beside it and the look's had not.
#[test]
fn hidden_texts_do_not_make_another_row() {
    let cards = |menu: &str| {
        let card = |local: u32| {
            format!("  div @2{local}\n    i\n    span clickable \"More\" @{local} usable\n{menu}")
        };
        page(&format!("div\n{}{}", card(5), card(6)))
    };
    let menu = "    ul list hidden\n      li listitem hidden\n        'Share'\n";
    let mut references = References::default();
    let number = shown(&mut references, &cards(menu), "More");
    assert_eq!(found(&mut references, &cards(""), number).as_deref(), Ok("More"));
}

#[test]
fn a_number_does_not_go_over_to_another_section() {
    let sections = |a: &str, b: &str| {
        let go = |local: &str| {
            if local.is_empty() {
                String::new()
            } else {
                format!("    button button \"Go\" {local} usable\n")
            }
        };
        page(&format!(
            "main main\n  h2 heading \"A\" level=2\n    'A'\n  div @20 id=a\n{}  h2 heading \"B\" level=2\n    'B'\n  div @21 id=b\n{}",
            go(a),
            go(b)
        ))
    };
    let mut references = References::default();
    let number = shown(&mut references, &sections("@5", ""), "Go");
    assert!(matches!(
        found(&mut references, &sections("", "@6"), number),
        Err(RefError::Gone { .. })
    ));
}

/// Regression test: a mail of few words was not found again, because a message elsewhere on the
/// page had appeared.
#[test]
fn a_short_row_that_is_clicked_is_the_same_beside_other_text() {
    let inbox = |heading: &str, first: u32, from: &str, toast: &str| {
        page(&format!(
            "main main\n  h1 heading \"{heading}\" level=1\n  div @2\n    div clickable \"{from} Notes 9:00\" @{first} usable by-content\n      span\n        '{from}'\n      span\n        'Notes'\n      span\n        '9:00'\n      i clickable @{} usable clue:icon=star\n  p\n    '{toast}'",
            first + 1
        ))
    };
    let before = inbox("Inbox", 5, "Bob", "");
    for (after, same) in [
        (inbox("Inbox", 15, "Bob", "Moved to trash"), true),
        (inbox("Archive", 15, "Bob", "Moved to trash"), false),
        (inbox("Inbox", 15, "Ann", ""), false),
    ] {
        for local in [5, 6] {
            let mut references = References::default();
            references.observe(TAB, &Arc::new(before.clone()));
            let node = before.nodes().find(|node| node.local() == local).expect("it is there");
            let number = references.numbering(&before).number(node.id());
            references.observe(TAB, &Arc::new(after.clone()));
            let reference = references.resolve(TAB, &number.to_string(), |_| None).unwrap();
            let now = references.find(&reference, &after).map(|id| after.node(id).local());
            assert_eq!(now.ok(), same.then_some(local + 10), "{local}");
        }
    }
}

#[test]
fn a_hidden_row_is_hidden_not_another_row() {
    let row = |flag: &str| {
        page(&format!(
            "ul list\n  li listitem {flag}\n    'Ann'\n    button button \"Delete\" @5 usable {flag}"
        ))
    };
    let mut references = References::default();
    let number = shown(&mut references, &row(""), "Delete");
    assert_eq!(found(&mut references, &row("hidden"), number).as_deref(), Ok("Delete"));
}

#[test]
fn the_last_card_that_is_left_is_still_the_same_card() {
    let card = |name: &str, local: u32| {
        format!(
            "  div @{}\n    '{name}'\n    button button \"Delete {name}\" @{local} usable\n",
            local + 50
        )
    };
    let mut references = References::default();
    let two = page(&format!("div\n{}{}", card("Ann", 5), card("Bob", 6)));
    let number = shown(&mut references, &two, "Delete Bob");
    let one = page(&format!("div\n{}", card("Bob", 6)));
    assert_eq!(found(&mut references, &one, number).as_deref(), Ok("Delete Bob"));
}

#[test]
fn text_that_changes_beside_a_button_does_not_make_it_stale() {
    let state = |text: &str| {
        page(&format!("main main\n  button button \"Add\" @5 usable\n  p\n    '{text}'"))
    };
    let mut references = References::default();
    let number = shown(&mut references, &state("nothing yet"), "Add");
    assert_eq!(found(&mut references, &state("added one"), number).as_deref(), Ok("Add"));
}

#[test]
fn a_renamed_node_is_refused_with_its_new_line() {
    let mut references = References::default();
    let number = shown(&mut references, &page("button button \"Follow\" @5 usable"), "Follow");
    let error =
        found(&mut references, &page("button button \"Unfollow\" @5 usable"), number).unwrap_err();
    assert_eq!(
        error.to_string(),
        "stale reference [1]: it was button: Follow and is now [1] button: Unfollow; act again if that is what you want"
    );
}

#[test]
fn a_node_that_has_a_number_takes_no_other_over() {
    let mut references = References::default();
    let before = page("main main\n  button button \"Save\" @5 usable id=a");
    let old = shown(&mut references, &before, "Save");
    // First a different element with its own number; then it becomes what the old one was.
    let both = page(
        "main main\n  button button \"Save\" @5 usable id=a\n  button button \"Other\" @6 usable id=b",
    );
    let other = shown(&mut references, &both, "Other");
    let after = page("main main\n  button button \"Save\" @6 usable id=a");
    assert!(matches!(found(&mut references, &after, old), Err(RefError::Gone { .. })));
    assert!(matches!(found(&mut references, &after, other), Err(RefError::Changed { .. })));
}

#[test]
fn a_stale_reference_names_its_successor() {
    let mut references = References::default();
    let draft = |n: u32, local: u32| {
        page(&format!(
            "section region \"Draft {n}\" @2 block\n  button button \"Publish {n}\" @{local} usable"
        ))
    };
    let (first, second, third) = (draft(1, 5), draft(2, 6), draft(3, 7));
    let was = shown(&mut references, &first, "Publish 1");
    references.observe(TAB, &Arc::new(second.clone()));
    references.succeed(&second, &[(was, named(&second, "Publish 2"), true)]);
    let now = shown(&mut references, &second, "Publish 2");
    let stale = |number, now, is_same| Err(RefError::Rerendered { number, now, is_same });
    assert_eq!(found(&mut references, &second, was), stale(was, now, true));
    // The successor of a successor is named too.
    references.observe(TAB, &Arc::new(third.clone()));
    references.succeed(&third, &[(now, named(&third, "Publish 3"), false)]);
    let last = shown(&mut references, &third, "Publish 3");
    assert_eq!(found(&mut references, &third, was), stale(was, last, false));
    // If the successor is gone as well, nothing is named.
    let empty = page("section region \"Draft\" @2 block\n  'nothing'");
    assert!(matches!(found(&mut references, &empty, was), Err(RefError::Gone { .. })));
}

/// A page of buttons with these local ids.
fn buttons(token: &str, locals: std::ops::Range<u32>) -> Page {
    let lines: Vec<String> =
        locals.map(|local| format!("button button \"B{local}\" @{local} usable")).collect();
    page_in(token, &lines.join("\n"))
}

fn show_all(references: &mut References, page: &Page) {
    references.observe(TAB, &Arc::new(page.clone()));
    let mut numbering = references.numbering(page);
    for node in page.nodes().filter(|node| !node.is_text()) {
        numbering.number(node.id());
    }
}

#[test]
fn details_of_elements_that_left_are_dropped_in_a_long_session() {
    let mut references = References::default();
    let stays = buttons("d", 10..12);
    show_all(&mut references, &stays);
    let first = references.known("d", 10).unwrap();
    for round in 1..=15_u32 {
        // Two buttons stay, all others are replaced.
        let from = round * 10_000;
        let lines: Vec<String> = [10, 11]
            .into_iter()
            .chain(from..from + 400)
            .map(|local| format!("button button \"B{local}\" @{local} usable"))
            .collect();
        let now = page_in("d", &lines.join("\n"));
        show_all(&mut references, &now);
        assert_eq!(references.known("d", 10), Some(first), "what is shown keeps its number");
    }
    assert!(references.detailed() <= 5_000 + 410, "{}", references.detailed());
    let last = buttons("d", 150_000..150_400);
    let gone = found(&mut references, &last, first + 5);
    assert!(matches!(gone, Err(RefError::Gone { .. })), "{gone:?}");
}

#[test]
fn details_of_documents_that_were_left_are_dropped() {
    let mut references = References::default();
    let first = buttons("first", 1..101);
    show_all(&mut references, &first);
    for n in 0..200 {
        show_all(&mut references, &buttons(&format!("d{n}"), 1..101));
    }
    assert!(references.detailed() <= 70 * 102, "{}", references.detailed());
    let other = buttons("d199", 1..101);
    let left = found(&mut references, &other, 5);
    assert!(matches!(left, Err(RefError::Navigated { .. })), "{left:?}");
    // A document that comes back after all: an old number never acts on it without a check.
    let back = found(&mut references, &first, 5);
    assert!(matches!(back, Err(RefError::Changed { .. })), "{back:?}");
}
