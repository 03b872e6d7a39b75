//! Tests which rows are read of pages that are drawn as text.

use super::*;
use crate::page::Scope;
use crate::page::test_page::page;

/// Returns a table as lines: its name, its columns, its rows with the number of controls.
fn lines(table: &RowTable) -> Vec<String> {
    let row = |row: &Row| {
        let cells: Vec<&str> = (0..table.columns.len()).map(|at| table.cell(row, at)).collect();
        let controls = "*".repeat(row.controls.len());
        format!("{} {controls}", cells.join(" | ")).trim_end().to_owned()
    };
    let mut out = vec![format!("{}: {}", table.kind.word(), table.name), table.columns.join(" | ")];
    out.extend(table.rows.iter().map(row));
    out.extend(table.footer.iter().map(|foot| format!("footer: {}", row(foot))));
    out
}

fn read_whole(picture: &str) -> Vec<String> {
    lines(&rows(&page(picture), Scope::Full).unwrap())
}

fn text_row(role: &str, cells: &[&str]) -> String {
    let cell = |text: &&str| format!("    td {role} block\n      '{text}'\n");
    format!("  tr row block\n{}", cells.iter().map(cell).collect::<String>())
}

#[test]
fn a_table_with_a_head_and_controls_is_read() {
    let picture = format!(
        "table table \"Accounts\" block\n{}  tr row block\n    td cell block\n      a link \"Apollo\" href=/a usable by-content\n        'Apollo'\n    td cell block\n      'failed'\n    td cell block\n      button button \"Retry\" usable\n        'Retry'\n      input checkbox \"Select\" usable checked\n{}",
        text_row("columnheader", &["Name", "State", "Actions"]),
        text_row("cell", &["Gemini", "open", "-"]),
    );
    assert_eq!(
        read_whole(&picture),
        [
            "table: Accounts",
            "Name | Name target | State | Actions",
            "Apollo | /a | failed | Retry checked ***",
            "Gemini |  | open | -",
        ]
    );
}

#[test]
fn cells_that_span_are_in_every_row_and_column() {
    let picture = "table table block
  thead rowgroup block
    tr row block
      th columnheader block rowspan=2
        'Region'
      th columnheader block colspan=2
        'Sales'
    tr row block
      th columnheader block
        'Q1'
      th columnheader block
        'Q2'
  tbody rowgroup block
    tr row block
      th rowheader block rowspan=2
        'North'
      td cell block
        '1'
      td cell block
        '2'
    tr row block
      td cell block
        '3'
      td cell block rowspan=9
        '4'
    tr row block
      td cell block colspan=2
        'South'
    tr row block
      td cell block colspan=3
        'no data'
  tfoot rowgroup block
    tr row block
      td cell block
        'Total'
      td cell block
        '4'
      td cell block
        '6'";
    assert_eq!(
        read_whole(picture),
        [
            "table: ",
            "Region | Sales / Q1 | Sales / Q2",
            "North | 1 | 2",
            "North | 3 | 4",
            "South | South | 4",
            "no data |  |",
            "footer: Total | 4 | 6",
        ]
    );
}

#[test]
fn hidden_rows_and_columns_are_left_out() {
    let picture = "table table block
  tr row block
    th columnheader block
      'A'
    th columnheader block hidden
      'secret'
  tr row block
    td cell block
      '1'
    td cell block hidden
      'x'
  tr row block hidden
    td cell block hidden
      '2'
  tr row block clipped
    td cell block clipped
      '3'
    td cell block clipped
      'y'";
    assert_eq!(read_whole(picture), ["table: ", "A", "1"]);
}

#[test]
fn the_parts_of_a_grid_row_are_one_row() {
    let picture = "div grid block
  div rowgroup block
    div row block aria-rowindex=1
      div columnheader block aria-colindex=1
        'Id'
  div rowgroup block
    div row block aria-rowindex=1
      div columnheader block aria-colindex=3
        'Price'
  div rowgroup block
    div row block aria-rowindex=3
      div gridcell block usable aria-colindex=1
        'b'
    div row block aria-rowindex=2
      div gridcell block usable aria-colindex=1
        'a'
  div rowgroup block
    div row block aria-rowindex=2
      div gridcell block aria-colindex=3
        '10'
    div row block aria-rowindex=3
      div gridcell block aria-colindex=3
        '20'";
    assert_eq!(read_whole(picture), ["grid: ", "Id | Price", "a | 10", "b | 20"]);
}

#[test]
fn the_rows_of_a_tree_grid_have_a_depth() {
    let row = |level: u8, name: &str| {
        format!("  tr row block aria-level={level}\n    td gridcell block\n      '{name}'\n")
    };
    let picture = format!(
        "table treegrid \"Files\" block\n{}{}{}",
        text_row("columnheader", &["Name"]),
        row(1, "src"),
        row(2, "main.rs")
    );
    assert_eq!(read_whole(&picture), ["treegrid: Files", "level | Name", "1 | src", "2 | main.rs"]);
}

#[test]
fn lists_and_definitions_are_rows() {
    let list = "h2 heading \"Projects\" level=2
ul list block
  li listitem block
    a link \"Apollo\" href=/1 usable by-content
      'Apollo'
    div block
      '3 issues'
  li listitem block
    a link \"Gemini\" href=/2 usable by-content
      'Gemini'";
    assert_eq!(
        read_whole(list),
        [
            "list: Projects",
            "link | link target | text",
            "Apollo | /1 | 3 issues *",
            "Gemini | /2 |  *"
        ]
    );
    let definitions = "dl block
  dt term block
    'Host'
  dd definition block
    'localhost'
  dt term block
    'Port'
  dd definition block
    '80'
  dd definition block
    '443'";
    assert_eq!(
        read_whole(definitions),
        ["definition list: ", "term | definition", "Host | localhost", "Port | 80; 443"]
    );
}

#[test]
fn repeated_cards_are_rows_with_columns_by_label_and_position() {
    let card = |name: &str, price: &str, badge: &str| {
        let badge = match badge {
            "" => String::new(),
            text => format!("    div badge block class=badge\n      '{text}'\n"),
        };
        format!(
            "  div card block class=card\n{badge}    h3 heading \"{name}\" level=3 block\n      '{name}'\n    div block class=price\n      'Price: {price}'\n    div block class=stock\n      span block\n        'Stock:'\n      span block\n        '3'\n    button button \"Buy\" usable\n      'Buy'\n"
        )
    };
    let picture = format!(
        "nav navigation block\n  ul list block\n    li listitem block\n      'Home'\nmain main block\n{}{}{}",
        card("Lamp", "12", ""),
        card("Desk", "99", "New"),
        card("Sofa", "450", "")
    );
    assert_eq!(
        read_whole(&picture),
        [
            "cards: ",
            "text | heading | Price | Stock | button",
            " | Lamp | 12 | 3 | Buy *",
            "New | Desk | 99 | 3 | Buy *",
            " | Sofa | 450 | 3 | Buy *",
        ]
    );
}

#[test]
fn a_scope_chooses_and_a_part_of_a_row_means_its_table() {
    let picture = format!(
        "main main block\n  table table \"A\" @2 block\n{}  table table \"B\" @3 block\n{}",
        indented(&text_row("cell", &["1", "2"])),
        indented(&text_row("cell", &["3", "4", "5"]))
    );
    let page = page(&picture);
    let named = |local| {
        let node = page.find("doc", local).unwrap();
        rows(&page, Scope::Node(node)).unwrap().name
    };
    assert_eq!((named(2), named(3)), ("A".to_owned(), "B".to_owned()));
    assert_eq!(rows(&page, Scope::Full).unwrap().name, "B", "the larger one");
    let cell = page.nodes().find(|node| node.name() == "2").unwrap().parent().unwrap();
    assert_eq!(rows(&page, Scope::Node(cell.id())).unwrap().name, "A");
    let empty = crate::page::test_page::page("p paragraph block\n  'x'");
    assert_eq!(rows(&empty, Scope::Full).unwrap_err(), RowsError::NoRows);
}

fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("  {line}\n")).collect()
}

/// Tables that claim to be much larger than they are, and tables in tables, are read in time.
#[test]
fn hostile_tables_are_bounded() {
    let mut spans = String::from("table table block\n");
    for _ in 0..3_000 {
        spans.push_str("  tr row block\n    td cell block colspan=1000 rowspan=65534\n      'x'\n");
        spans.push_str("    td cell block colspan=99999999999\n      'y'\n");
    }
    let table = rows(&page(&spans), Scope::Full).unwrap();
    assert_eq!((table.rows.len(), table.columns.len()), (3_000, 256));
    assert!(table.columns_left > 700, "{}", table.columns_left);
    let mut nested = String::new();
    for depth in 0..300 {
        let by = " ".repeat(depth * 3);
        nested
            .push_str(&format!("{by}table table block\n{by} tr row block\n{by}  td cell block\n"));
    }
    nested.push_str(&format!("{}'deep'\n", " ".repeat(900)));
    let table = rows(&page(&nested), Scope::Full).unwrap();
    assert_eq!((table.rows.len(), table.cell(&table.rows[0], 0)), (1, "deep"));
    let deep: String =
        (0..3_000).map(|n| format!("{}div a{n} link usable block\n", " ".repeat(n))).collect();
    let same: String =
        (0..30_000).map(|_| "    div block\n      'a'\n      b block\n        'b'\n").collect();
    let cards = rows(&page(&format!("{deep}div block\n{same}")), Scope::Full).unwrap();
    assert_eq!(cards.rows.len(), 30_000);
}

#[test]
fn cells_with_line_breaks_are_one_line_and_forged_heads_are_cells() {
    let picture = format!(
        "table table block\n{}  tr row block\n    td cell block\n      div block\n        'one'\n      br\n      'two'\n    td cell block\n      'table: Orders — 9 rows'\n",
        text_row("columnheader", &["A", "A"])
    );
    assert_eq!(read_whole(&picture), ["table: ", "A | A 2", "one two | table: Orders — 9 rows"]);
}

#[test]
fn heads_in_a_table_of_their_own_name_the_columns() {
    let head = text_row("columnheader", &["Name", "State", ""]);
    let body = |words: &str| {
        format!(
            "div block\n  table table block\n{}{words}div block\n  table table block\n{}",
            indented(&head),
            indented(&text_row("cell", &["Apollo", "open"]))
        )
    };
    assert_eq!(read_whole(&body("")), ["table: ", "Name | State", "Apollo | open"]);
    // A table around both.
    let around = format!("div table \"Orders\" block\n{}", indented(&body("")));
    let rows = "\n      tr row block\n        td cell";
    let inner =
        around.replace(&format!("table table block{rows}"), &format!("table none block{rows}"));
    assert_ne!(inner, around);
    assert_eq!(read_whole(&inner)[..2], ["table: Orders", "Name | State"]);
    // Words between them, or a different number of columns: two tables.
    let apart = read_whole(&body("p paragraph block\n  'Orders'\n"));
    assert_eq!(apart[1], "column 1 | column 2");
    let narrow = body("").replacen("'State'", "''", 1).replacen("columnheader", "none", 1);
    assert_eq!(read_whole(&narrow)[1], "column 1 | column 2");
}

/// Returns the rows of six cards that stand two by two in three elements: beside each other, or
/// below each other.
fn shelves(beside: bool) -> Vec<String> {
    let card = |at: usize| {
        let (one, two) = (at % 2 * 100, at / 2 * 50);
        let (x, y) = if beside { (one, two) } else { (two, one) };
        format!(
            "    div none block class=card box={x},{y},90,40\n      h3 heading \"C{at}\" level=3 block\n        'C{at}'\n      p paragraph block\n        'about {at}'\n"
        )
    };
    let shelf = |at: usize| format!("  div none block\n{}{}", card(2 * at), card(2 * at + 1));
    read_whole(&format!("div none block\n{}{}{}", shelf(0), shelf(1), shelf(2)))
}

#[test]
fn cards_that_stand_in_several_rows_are_one_structure() {
    let rows = shelves(true);
    assert_eq!((rows.len(), rows[1].as_str()), (8, "heading | text"));
    assert_eq!((rows[2].as_str(), rows[7].as_str()), ("C0 | about 0", "C5 | about 5"));
    // What stands below each other is a part of a card.
    let rows = shelves(false);
    assert_eq!((rows.len(), rows[1].as_str()), (5, "heading | text | heading 2 | text 2"));
}

#[test]
fn a_label_beside_its_field_is_no_text_of_a_card() {
    let card = |count: u8| {
        format!(
            "  div none block\n    h3 heading \"C{count}\" level=3 block\n      'C{count}'\n    label none block\n      'Quantity:'\n      input spinbutton \"Quantity\" usable value={count}\n"
        )
    };
    let picture = format!("div none block\n{}{}{}", card(1), card(2), card(3));
    assert_eq!(read_whole(&picture)[1..3], ["heading | Quantity", "C1 | 1 *"]);
}

#[test]
fn an_icon_says_something_where_nothing_else_does() {
    let cell = |inside: &str| format!("    td cell block\n{inside}");
    let picture = format!(
        "table table block\n{}  tr row block\n{}{}{}",
        text_row("columnheader", &["A", "B", "C"]),
        cell("      i none class=fa-check\n"),
        cell("      i none title=Deleted class=x\n"),
        cell("      i none class=fa-clock\n      '5 min'\n"),
    );
    assert_eq!(read_whole(&picture)[2], "check icon | Deleted | 5 min");
}

#[test]
fn a_relative_time_is_compared_by_the_moment_that_it_means() {
    let row = |text: &str, moment: &str| {
        format!(
            "  tr row block\n    td cell block\n      '{text}'\n    td cell block\n      time none datetime={moment}\n        '{text} ago'\n"
        )
    };
    let picture = format!(
        "table table block\n{}{}{}{}",
        text_row("columnheader", &["Name", "Changed"]),
        row("2 days", "2024-05-03T10:00:00+02:00"),
        row("1 year", "2023-05-03T10:00:00Z"),
        row("3 hours", "2024-05-05")
    );
    let table = rows(&page(&picture), Scope::Full).unwrap();
    let asked = |filter: Option<&str>, order_by: Option<&str>| {
        let question = query::RowsQuery {
            filter: filter.map(str::to_owned),
            order_by: order_by.map(str::to_owned),
            ..query::RowsQuery::default()
        };
        query::select(&table, &question).unwrap().rows
    };
    assert_eq!(asked(Some("Changed < 2024-05-01"), None), [1]);
    assert_eq!(asked(Some("Changed = 1 year ago"), None), [1]);
    assert_eq!(asked(None, Some("Changed desc")), [2, 0, 1]);
}
