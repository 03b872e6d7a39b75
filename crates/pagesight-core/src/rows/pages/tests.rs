//! Tests how rows of several pages are brought together.

use super::keys::RowKeys;
use super::overlap::{PageOverlap, overlap};
use super::*;
use crate::page::test_page::{page, page_in};
use crate::page::{Page, Scope};
use crate::rows::{RowTable, rows};

/// Draws a table; a row is its key attribute and its cells.
fn table_of(rows: &[(&str, &[&str])]) -> Page {
    let mut picture = "table table \"T\" @5 block\n".to_owned();
    let row = |role: &str, key: &str, cells: &[&str]| {
        let cell = |text: &&str| format!("    td {role} block\n      '{text}'\n");
        format!("  tr row block {key}\n{}", cells.iter().map(cell).collect::<String>())
    };
    picture += &row("columnheader", "", &["Name", "State"]);
    for (key, cells) in rows {
        picture += &row("cell", key, cells);
    }
    page(&picture)
}

fn read(page: &Page) -> RowTable {
    rows(page, Scope::Full).unwrap()
}

/// Adds pages one after the other, and returns the names of all rows.
fn merged(origin: PageOrigin, pages: &[&[(&str, &[&str])]]) -> Vec<String> {
    let mut reading: Option<RowsReading> = None;
    for rows in pages {
        let page = table_of(rows);
        let table = read(&page);
        let reading = reading.get_or_insert_with(|| RowsReading::of(&table));
        reading.add(&page, &table, origin, usize::MAX);
    }
    let mut reading = reading.unwrap();
    let table = reading.table();
    table.rows.iter().map(|row| table.cell(row, 0).to_owned()).collect()
}

use PageOrigin::{NextPage, Scrolled};

#[test]
fn overlaps_are_the_longest_ones() {
    assert_eq!(overlap(&[1, 2, 3, 4], &[3, 4, 5]), PageOverlap::Start(2));
    assert_eq!(overlap(&[1, 2, 3], &[4, 5]), PageOverlap::Start(0));
    assert_eq!(overlap(&[1, 2, 3, 4], &[2, 3]), PageOverlap::Inside(1));
    assert_eq!(overlap(&[1, 2], &[1, 2, 3]), PageOverlap::Start(2));
    assert_eq!(overlap(&[7, 7, 1, 7, 7], &[7, 7, 7]), PageOverlap::Start(2));
    assert_eq!(overlap(&[], &[1]), PageOverlap::Start(0));
    assert_eq!(overlap(&[1], &[]), PageOverlap::Start(0));
    // Linear, also where rows repeat.
    let many = vec![7; 200_000];
    assert_eq!(overlap(&many[1..], &many), PageOverlap::Start(199_999));
}

#[test]
fn equal_rows_with_different_keys_both_count() {
    let same: &[&str] = &["Same", "open"];
    for origin in [Scrolled, NextPage] {
        let first: &[(&str, &[&str])] = &[("data-row-key=1", same), ("data-row-key=2", same)];
        let second: &[(&str, &[&str])] = &[("data-row-key=2", same), ("data-row-key=3", same)];
        assert_eq!(merged(origin, &[first, second]), ["Same"; 3]);
    }
    let keys = |numbers: std::ops::Range<u32>| -> Vec<String> {
        numbers.map(|number| format!("aria-rowindex={number}")).collect()
    };
    let (first, second) = (keys(1..9), keys(5..13));
    let rows = |keys: &'static [String]| -> Vec<(&'static str, &'static [&'static str])> {
        keys.iter().map(|key| (key.as_str(), ["Same", "open"].as_slice())).collect()
    };
    let (first, second) = (rows(first.leak()), rows(second.leak()));
    assert_eq!(merged(Scrolled, &[&first, &second]).len(), 12);
}

#[test]
fn rows_without_keys_are_matched_by_their_order() {
    let (a, b, c): (&[&str], &[&str], &[&str]) = (&["A", "1"], &["B", "1"], &["C", "1"]);
    // Two equal rows in a run are two.
    let first: &[(&str, &[&str])] = &[("", a), ("", b), ("", b)];
    let second: &[(&str, &[&str])] = &[("", b), ("", b), ("", c)];
    assert_eq!(merged(Scrolled, &[first, second]), ["A", "B", "B", "C"]);
    // Rows at the border of two pages are counted once.
    assert_eq!(merged(NextPage, &[first, second]), ["A", "B", "B", "C"]);
    // A row in the middle of a different page is a row of its own.
    let next: &[(&str, &[&str])] = &[("", c), ("", a)];
    assert_eq!(merged(NextPage, &[first, next]), ["A", "B", "B", "C", "A"]);
    // A list that grew, at both ends.
    let grown: &[(&str, &[&str])] = &[("", c), ("", a), ("", b), ("", b), ("", a)];
    assert_eq!(merged(Scrolled, &[first, grown]), ["A", "B", "B", "C", "A"]);
    let more: &[(&str, &[&str])] = &[("", a), ("", b), ("", b), ("", c)];
    assert_eq!(merged(NextPage, &[first, more]), ["A", "B", "B", "C"]);
}

#[test]
fn keys_that_begin_again_or_belong_to_places_are_not_trusted() {
    let (a, b, c, d): (&[&str], &[&str], &[&str], &[&str]) =
        (&["A", "1"], &["B", "1"], &["C", "1"], &["D", "1"]);
    // Positions of each page.
    let first: &[(&str, &[&str])] = &[("data-index=0", a), ("data-index=1", b)];
    let second: &[(&str, &[&str])] = &[("data-index=0", b), ("data-index=1", c)];
    let third: &[(&str, &[&str])] = &[("data-index=0", d)];
    assert_eq!(merged(NextPage, &[first, second, third]), ["A", "B", "C", "D"]);
    // Elements that are used again for other rows.
    let first: &[(&str, &[&str])] = &[("id=s0", a), ("id=s1", b)];
    let second: &[(&str, &[&str])] = &[("id=s0", b), ("id=s1", c)];
    assert_eq!(merged(Scrolled, &[first, second]), ["A", "B", "C"]);
    // Half of them, or only one.
    let first: &[(&str, &[&str])] = &[("id=s0", a), ("id=s1", b), ("id=s2", c)];
    let second: &[(&str, &[&str])] = &[("id=s1", b), ("id=s2", c), ("id=s0", d)];
    assert_eq!(merged(Scrolled, &[first, second]), ["A", "B", "C", "D"]);
    let first: &[(&str, &[&str])] = &[("id=s0", a), ("id=s1", b)];
    let second: &[(&str, &[&str])] = &[("id=s1", b), ("id=s0", c)];
    assert_eq!(merged(Scrolled, &[first, second]), ["A", "B", "C"]);
    // A row with a position that changed is the same row: a clock, or a text that came late.
    let changed: &[(&str, &[&str])] = &[("data-index=1", c), ("data-index=2", d)];
    let first: &[(&str, &[&str])] = &[("data-index=0", a), ("data-index=1", b)];
    assert_eq!(merged(Scrolled, &[first, changed]), ["A", "C", "D"]);
}

#[test]
fn a_page_that_passes_rows_over_does_not_go_on() {
    let (a, b, c): (&[&str], &[&str], &[&str]) = (&["A", "1"], &["B", "1"], &["C", "1"]);
    let goes_on = |now: &[(&str, &[&str])]| {
        let first = table_of(&[("", a), ("", b)]);
        let mut reading = RowsReading::of(&read(&first));
        reading.add(&first, &read(&first), Scrolled, usize::MAX);
        let page = table_of(now);
        reading.goes_on(&page, &read(&page))
    };
    assert!(goes_on(&[("", b), ("", c)]));
    assert!(!goes_on(&[("", c)]));
    let page_at = |first: u32| {
        table_of(&[
            (&*format!("aria-rowindex={first}").leak(), a),
            (&*format!("aria-rowindex={}", first + 1).leak(), b),
        ])
    };
    let first = page_at(1);
    let mut reading = RowsReading::of(&read(&first));
    reading.add(&first, &read(&first), Scrolled, usize::MAX);
    assert!(reading.goes_on(&page_at(3), &read(&page_at(3))));
    assert!(!reading.goes_on(&page_at(4), &read(&page_at(4))));
}

#[test]
fn limits_keep_the_first_rows_and_count_the_rest() {
    let (a, b, c): (&[&str], &[&str], &[&str]) = (&["A", "1"], &["B", "1"], &["C", "1"]);
    let page = table_of(&[("", a), ("", b), ("", c)]);
    let table = read(&page);
    let mut reading = RowsReading::of(&table);
    assert_eq!(reading.add(&page, &table, Scrolled, 2), Added { rows: 2, left: 1 });
    // The same page again, with more room.
    assert_eq!(reading.add(&page, &table, Scrolled, 9), Added { rows: 1, left: 0 });
    assert_eq!(reading.len(), 3);
}

#[test]
fn columns_that_come_late_stand_where_the_page_has_them() {
    let card = |parts: &[(&str, &str)]| {
        let part = |(tag, text): &(&str, &str)| match *tag {
            "h3" => format!("    h3 heading \"{text}\" level=3 block by-content\n      '{text}'\n"),
            tag => format!("    {tag} block\n      '{text}'\n"),
        };
        format!("  article article block\n{}", parts.iter().map(part).collect::<String>())
    };
    let cards = |cards: Vec<String>| page(&format!("main main block\n{}", cards.concat()));
    let plain = |name: &str| card(&[("h3", name), ("p", "Bern")]);
    let first = cards(vec![plain("A"), plain("B"), plain("C")]);
    let rated = |name: &str| card(&[("h3", name), ("em", "5 of 5"), ("p", "Chur")]);
    let second = cards(vec![rated("D"), rated("E"), plain("F")]);
    let mut reading = RowsReading::of(&read(&first));
    reading.add(&first, &read(&first), NextPage, usize::MAX);
    reading.add(&second, &read(&second), NextPage, usize::MAX);
    let table = reading.table();
    assert_eq!(table.columns, ["heading", "text 2", "text"]);
    let said = |row: usize| -> Vec<&str> {
        (0..3).map(|column| table.cell(&table.rows[row], column)).collect()
    };
    assert_eq!(said(0), ["A", "", "Bern"]);
    assert_eq!(said(3), ["D", "5 of 5", "Chur"]);
    assert_eq!(said(5), ["F", "", "Bern"]);
}

#[test]
fn controls_are_those_of_the_page_that_is_there() {
    let row = |name: &str, local: u32| {
        format!(
            "  tr row block\n    td cell block\n      '{name}'\n    td cell block\n      button button \"Go\" @{local} usable\n        'Go'\n"
        )
    };
    let first = page(&format!("table table @5 block\n{}{}", row("A", 11), row("B", 12)));
    let second = page(&format!("table table @5 block\n{}{}", row("B", 13), row("C", 14)));
    let mut reading = RowsReading::of(&read(&first));
    reading.add(&first, &read(&first), Scrolled, usize::MAX);
    reading.add(&second, &read(&second), Scrolled, usize::MAX);
    let table = reading.table();
    let controls = |row: usize| -> Vec<u32> {
        table.rows[row].controls.iter().map(|node| second.node(*node).local()).collect()
    };
    assert_eq!((controls(0), controls(1), controls(2)), (vec![], vec![13], vec![14]));
}

#[test]
fn keys_must_be_there_and_differ() {
    let a: &[&str] = &["A", "1"];
    let keys = |one, other| {
        let page = table_of(&[(one, a), (other, a)]);
        RowKeys::of(&page, &read(&page)).map(|keys| keys.range())
    };
    assert_eq!(keys("data-index=4", "data-index=7"), Some(Some((4, 7))));
    assert_eq!(keys("data-index=4", "data-index=4 data-id=x"), None);
    assert_eq!(keys("data-id=4", "data-id=7"), Some(None));
    assert_eq!(keys("", "data-index=4"), None);
}

#[test]
fn a_list_is_found_again_on_a_different_page() {
    let list = |class: &str, items: usize| {
        let item = "    li listitem block\n      'x'\n".repeat(items);
        format!("  ul list class={class} block\n{item}")
    };
    let main = |token: &str, lists: &[String]| {
        page_in(token, &format!("main main block\n{}", lists.concat()))
    };
    let first = main("one", &[list("menu", 3), list("hits", 5)]);
    let structure = RowsStructure::of(&first, &read(&first));
    // The last page has fewer hits than a menu has items.
    let last = main("two", &[list("menu", 3), list("hits", 1)]);
    let found = rows_again(&last, crate::page::NodeId::ROOT, &structure).unwrap();
    assert_eq!(last.node(found.node).attribute("class"), Some("hits"));
    let none = page_in("three", "main main block\n  p paragraph block\n    'Nothing'\n");
    assert!(rows_again(&none, crate::page::NodeId::ROOT, &structure).is_none());
}

#[test]
fn the_control_for_the_next_page_is_found() {
    let found = |controls: &str| {
        let row = "    tr row block\n      td cell block\n        'x'\n      td cell block\n        button button \"Next\" @99 usable\n";
        let page = page(&format!("main main block\n  table table @5 block\n{row}{row}{controls}"));
        match next_control(&page, &read(&page)) {
            NextControl::Usable(id) => Some(page.node(id).local()),
            NextControl::Disabled => Some(0),
            NextControl::None => None,
        }
    };
    let pager = "  nav navigation class=pagination block\n";
    for (controls, expected) in [
        // A control in a row is not one.
        ("", None),
        ("  a link \"Next\" @10 usable\n", Some(10)),
        ("  a link \"Next ›\" @10 usable\n", Some(10)),
        ("  button button \"Nächste Seite\" @10 usable\n", Some(10)),
        ("  button button \"次へ\" @10 usable\n", Some(10)),
        ("  button button \"ถัดไป\" @10 usable\n", Some(10)),
        ("  button button \"Próxima página\" @10 usable\n", Some(10)),
        ("  button button \"Next 50\" @10 usable\n", Some(10)),
        ("  button button \"Next month\" @10 usable\n", None),
        ("  a link \"3\" rel=next @10 usable\n", Some(10)),
        ("  a link \"Continue\" @10 usable\n", None),
        // An arrow alone needs a group of page numbers around it.
        ("  button button \"›\" @10 usable\n", None),
        ("  button button \"Load more\" @10 usable\n", Some(10)),
        ("  a link \"Show more\" @10 usable\n", None),
        ("  button button \"More\" @10 usable\n", None),
        ("  button button \"Next\" @10 disabled\n", Some(0)),
        ("  li listitem class=disabled block\n    a link \"Next\" @10 usable\n", Some(0)),
    ] {
        assert_eq!(found(controls), expected, "{controls}");
    }
    for (controls, expected) in [
        ("    a link \"›\" @10 usable\n    a link \"»\" @11 usable\n", Some(10)),
        ("    a link \"1\" @9 usable\n    a link \">\" @10 usable\n", Some(10)),
        ("    a link \"»\" @11 usable\n", Some(11)),
        ("    span class=next @11\n      'Next'\n", Some(0)),
        ("    button button class=page-next @12 usable\n", Some(12)),
    ] {
        assert_eq!(found(&format!("{pager}{controls}")), expected, "{controls}");
    }
    // Numbers alone: the one after the current one.
    let number = |at: u32, how: &str| {
        format!(
            "    li listitem {how} block\n      a link \"{at}\" @{} usable\n        '{at}'\n",
            20 + at
        )
    };
    let text = |at: u32| format!("    strong none @{}\n      '{at}'\n", 20 + at);
    for (controls, expected) in [
        (number(1, "class=active") + &number(2, "") + &number(9, ""), Some(22)),
        (number(1, "") + &text(2) + &number(3, ""), Some(23)),
        (number(1, "") + &number(2, "class=page-current"), Some(0)),
        // Nothing says which one is the current one.
        (number(1, "") + &number(2, ""), None),
        (text(1), None),
        // An arrow is better.
        (number(1, "class=active") + &number(2, "") + "    a link \"›\" @10 usable\n", Some(10)),
        // This often leads to the last page.
        (number(1, "class=active") + &number(2, "") + "    a link \"»\" @11 usable\n", Some(22)),
    ] {
        assert_eq!(found(&format!("{pager}{controls}")), expected, "{controls}");
    }
    // The one of the group wins over one elsewhere.
    let both = format!("  a link \"Next\" @10 usable\n{pager}    a link \"Next\" @11 usable\n");
    assert_eq!(found(&both), Some(11));
}

#[test]
fn the_page_number_is_the_current_one() {
    let current = |picture: &str| current_page(&page(picture));
    assert_eq!(current("a link \"Page 7\" aria-current=page usable\n"), Some(7));
    assert_eq!(current("li listitem aria-current=true block\n  '12'\n"), Some(12));
    assert_eq!(current("a link \"Home\" aria-current=page usable\n"), None);
    assert_eq!(current("a link \"3\" usable\n"), None);
    let pager =
        "nav navigation class=pager block\n  a link \"3\" usable\n    '3'\n  b none\n    '4'\n";
    assert_eq!(current(pager), Some(4));
}

#[test]
fn a_list_is_scrolled_until_its_last_row_is_the_first_in_view() {
    let row = |y: i32| format!("    div listitem block box=0,{y},300,30\n      'x'\n");
    let rows_at =
        |first: i32, count: i32| -> String { (0..count).map(|at| row(first + at * 30)).collect() };
    let list = |rows: &str| {
        page(&format!("div none @4 block box=0,100,300,400\n  div list @5 block\n{rows}"))
    };
    let step = |rows: &str| {
        let page = list(rows);
        let scroller = page.find("doc", 4);
        step_down(&page, &read(&page), scroller)
    };
    // Twenty rows: the last one is at 70 + 19 * 30.
    assert_eq!(step(&rows_at(70, 20)), 540.0);
    // A row that fills the view.
    assert_eq!(step(&rows_at(100, 1)), 320.0);
}

#[test]
fn room_for_rows_that_are_not_drawn_is_noticed() {
    let row = |y: i32| format!("box=0,{y},300,30\n          'x'\n");
    // Ten rows from 100 on, in a list in a box of 400 px.
    let check = |room: &str, list: &str, after: &str, expected: bool| {
        let rows: String = (0..10)
            .map(|at| format!("        div listitem block {}", row(100 + at * 30)))
            .collect();
        let page = page(&format!(
            "div none @4 block box=0,100,300,400 {room}\n  div none block {list}\n    \
             div list @5 block {list}\n{rows}{after}"
        ));
        let table = read(&page);
        assert_eq!(table.rows.len(), 10);
        assert_eq!(is_drawn_in_part(&page, &table), expected, "{room} {list} {after}");
    };
    let whole = "box=0,100,300,300";
    check("", whole, "", false);
    // The list has room for a hundred rows, or the box for as many as can be scrolled.
    check("room=0,2600", "box=0,100,300,3000", "", true);
    check("room=0,2600", whole, "", true);
    // The other rows are above.
    check("room=2700,0", "box=0,-2500,300,2900", "", true);
    // Padding, and a box that is higher than its rows need.
    check("", "box=0,100,300,340", "", false);
    // Under the rows is something else.
    let pager = "    div none block box=0,400,300,2000\n      button button \"Next\" usable box=0,400,99,30\n";
    check("room=0,2600", whole, pager, false);
}

#[test]
fn a_line_at_the_end_that_goes_away_is_not_a_row() {
    let [a, b, c, d, more]: [&[&str]; 5] =
        [&["A", "1"], &["B", "1"], &["C", "1"], &["D", "1"], &["Loading…", ""]];
    let first: &[(&str, &[&str])] = &[("", a), ("", b), ("", more)];
    // It moves on, or goes away when rows come, or at the end.
    let second: &[(&str, &[&str])] = &[("", a), ("", b), ("", c), ("", more)];
    let third: &[(&str, &[&str])] = &[("", a), ("", b), ("", c), ("", d)];
    assert_eq!(merged(Scrolled, &[first, second, third]), ["A", "B", "C", "D"]);
    assert_eq!(merged(Scrolled, &[first, &first[..2]]), ["A", "B"]);
    assert_eq!(merged(Scrolled, &[first, third]), ["A", "B", "C", "D"]);
    assert_eq!(merged(Scrolled, &[first, first]), ["A", "B", "Loading…"]);
}

#[test]
fn rows_that_are_not_loaded_are_left_for_the_next_step() {
    // A box of 400 px shows the rows B to E.
    let check = |texts: [&str; 8], expected: &str| {
        let row = |(at, text): (usize, &&str)| {
            let y = 70 + 100 * at as i32 - 60;
            let text = format!("      'row'\n      p none block\n        '{text}'\n");
            let text = if text.contains("''") { String::new() } else { text };
            format!("    div listitem block box=0,{y},300,100\n{text}")
        };
        let rows: String = texts.iter().enumerate().map(row).collect();
        let page = page(&format!(
            "div none @4 block box=0,110,300,400 room=100,900\n  div list @5 block\n{rows}"
        ));
        let mut table = read(&page);
        drop_placeholders(&page, &mut table);
        let last = table.columns.len() - 1;
        let names: String = table.rows.iter().map(|row| table.cell(row, last)).collect();
        assert_eq!(names, expected);
    };
    check(["A", "B", "C", "D", "E", "F", "G", "H"], "ABCDEFGH");
    check(["A", "B", "C", "D", "E", "…", "…", "…"], "BCDE");
    // Equal rows in view are rows.
    check(["A", "B", "B", "B", "E", "F", "G", "H"], "ABBBEFGH");
}

#[test]
fn keys_that_begin_again_on_a_page_that_is_scrolled_are_those_of_the_page() {
    let page_of = |names: &[(&str, &str)]| -> Page {
        let rows: Vec<(String, [&str; 2])> = names
            .iter()
            .map(|(at, name)| (format!("aria-rowindex={at}"), [*name, "open"]))
            .collect();
        let rows: Vec<(&str, &[&str])> =
            rows.iter().map(|(key, cells)| (key.as_str(), cells.as_slice())).collect();
        table_of(&rows)
    };
    let mut reading: Option<RowsReading> = None;
    for (origin, names) in [
        (NextPage, [("1", "A"), ("2", "B")]),
        (Scrolled, [("2", "B"), ("3", "C")]),
        (NextPage, [("1", "D"), ("2", "E")]),
        (Scrolled, [("2", "E"), ("3", "F")]),
    ] {
        let page = page_of(&names);
        let table = read(&page);
        let reading = reading.get_or_insert_with(|| RowsReading::of(&table));
        reading.add(&page, &table, origin, usize::MAX);
    }
    let mut reading = reading.unwrap();
    let table = reading.table();
    let names: Vec<&str> = table.rows.iter().map(|row| table.cell(row, 0)).collect();
    assert_eq!(names, ["A", "B", "C", "D", "E", "F"]);
}

#[test]
fn rows_are_in_the_order_in_which_they_are_seen() {
    let names = |rows: &[(&str, &str)]| -> Vec<String> {
        let row =
            |(key, name): &(&str, &str)| format!("    div listitem block {key}\n      '{name}'\n");
        let rows: String = rows.iter().map(row).collect();
        let page = page(&format!("div list @5 block\n{rows}"));
        let mut table = read(&page);
        sort_rows(&page, &mut table);
        table.rows.iter().map(|row| table.cell(row, 0).to_owned()).collect()
    };
    let at = |y: u32| -> &'static str { format!("box=0,{y},300,30").leak() };
    assert_eq!(names(&[(at(60), "C"), (at(0), "A"), (at(30), "B")]), ["A", "B", "C"]);
    let keyed = [("data-index=10", "B"), ("data-index=9", "A")];
    assert_eq!(names(&keyed), ["A", "B"]);
    // Beside each other.
    let beside = [("box=300,10,100,30", "A"), ("box=0,0,100,30", "B")];
    assert_eq!(names(&beside), ["A", "B"]);
}
