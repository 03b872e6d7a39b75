//! Tests questions about rows.

use super::*;
use crate::page::Scope;
use crate::page::test_page::page;
use crate::rows::{RowTable, rows};

const ACCOUNTS: [[&str; 4]; 6] = [
    ["Apollo", "failed", "$1,200.50", "2024-05-03"],
    ["Gemini", "open", "$900", "2023-01-31"],
    ["Voyager", "Failed", "-$20", "2024-11-02"],
    ["Salyut and Mir", "open", "", "n/a"],
    ["Buran", "", "$1,000", "2022-02-02"],
    ["Skylab", "open", "$3.05", "2021-12-24"],
];

fn accounts() -> RowTable {
    let row = |role: &str, cells: [&str; 4]| {
        let cells = cells.map(|text| match text {
            "" => format!("    td {role} block\n"),
            text => format!("    td {role} block\n      '{text}'\n"),
        });
        format!("  tr row block\n{}", cells.concat())
    };
    let head = row("columnheader", ["Name", "State", "Net amount", "Due"]);
    let body = ACCOUNTS.map(|cells| row("cell", cells)).concat();
    rows(&page(&format!("table table block\n{head}{body}")), Scope::Full).unwrap()
}

fn names(answer: &RowsSelection) -> String {
    let names: Vec<&str> = answer.rows.iter().map(|row| ACCOUNTS[*row][0]).collect();
    names.join(" ")
}

fn filtered(filter: &str) -> Result<RowsSelection, RowsQueryError> {
    select(&accounts(), &RowsQuery { filter: Some(filter.into()), ..RowsQuery::default() })
}

#[test]
fn conditions_choose_rows() {
    for (filter, expected) in [
        ("State = failed", "Apollo Voyager"),
        ("state=FAILED", "Apollo Voyager"),
        ("State != failed", "Gemini Salyut and Mir Buran Skylab"),
        ("State is empty", "Buran"),
        ("State = \"\"", "Buran"),
        ("Net amount > 900", "Apollo Buran"),
        ("net amount >= $900 and State = open", "Gemini"),
        ("Net amount < 0", "Voyager"),
        ("\"Net amount\" <= 3.05", "Voyager Skylab"),
        ("Name contains UR", "Buran"),
        ("Name = 'salyut and mir'", "Salyut and Mir"),
        ("Name = 'salyut\u{a0}and  mir'", "Salyut and Mir"),
        ("Name contains \"and\" AND Net amount is empty", "Salyut and Mir"),
        ("Due >= 2024-01-01 and Due < \"Jun 1, 2024\"", "Apollo"),
        ("Net amount is empty", "Salyut and Mir"),
        ("Name = Apollo or Gemini", ""),
        ("Name = 'a or State = b'", ""),
    ] {
        assert_eq!(names(&filtered(filter).unwrap()), expected, "{filter}");
    }
}

#[test]
fn what_cannot_be_understood_is_one_sentence() {
    for (filter, words) in [
        (
            "Status = failed",
            "where: there is no column \"Status\"; the columns are \"Name\", \"State\"",
        ),
        ("State ~ failed", "where: \"State ~ failed\" has no operator; use =, !=, <"),
        ("State", "has no operator"),
        ("State = ", "a value is missing"),
        ("State = \"a", "the quotes in"),
        ("State = \"a\" b", "the quotes in"),
        ("State is empty or so", "has no operator"),
        ("", "where is empty"),
        ("State = open and", "Buran?"),
        ("State = open and Nme = x", "there is no column \"Nme\""),
        ("State = open or State = failed", "has a condition after or; only and joins"),
        ("Name = a OR net amount > 5", "has a condition after or"),
        ("State = open && Name = a", "has a condition after or"),
    ] {
        match filtered(filter) {
            Err(error) => assert!(error.to_string().contains(words), "{filter}: {error}"),
            // A last `and` without a condition is a part of the value.
            Ok(answer) => assert_eq!((words, names(&answer).as_str()), ("Buran?", "")),
        }
    }
}

#[test]
fn rows_are_sorted_by_what_they_mean() {
    let sorted = |order: &str| {
        let query = RowsQuery { order_by: Some(order.into()), ..RowsQuery::default() };
        select(&accounts(), &query)
    };
    let answer = sorted("Net amount desc").unwrap();
    assert_eq!(names(&answer), "Apollo Buran Gemini Skylab Voyager Salyut and Mir");
    assert!(answer.as_text.is_empty());
    let answer = sorted("Due").unwrap();
    assert_eq!(names(&answer), "Skylab Buran Gemini Apollo Voyager Salyut and Mir");
    assert_eq!(answer.as_text, [(3, 1)], "n/a is not a date");
    assert_eq!(
        names(&sorted("name ASC").unwrap()),
        "Apollo Buran Gemini Salyut and Mir Skylab Voyager"
    );
    assert!(sorted("Amount desc").is_err());
}

#[test]
fn rows_are_counted_and_added() {
    let amounts = |aggregate: &str, filter: Option<&str>| {
        let (aggregate, filter) = (Some(aggregate.into()), filter.map(str::to_owned));
        let query = RowsQuery { aggregate, filter, ..RowsQuery::default() };
        let groups = select(&accounts(), &query)?.groups.unwrap();
        let line =
            |group: Group| format!("{}:{}", group.by.unwrap_or_default(), group.amounts.join("/"));
        Ok::<_, RowsQueryError>(groups.into_iter().map(line).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(amounts("count", None).unwrap(), ":6");
    assert_eq!(amounts("COUNT by State", None).unwrap(), "failed:2 open:3 :1");
    assert_eq!(amounts("sum(Net amount)", None).unwrap(), ":3083.55 $");
    assert_eq!(
        amounts("sum( net amount ) by state", None).unwrap(),
        "failed:1180.50 $ open:903.05 $ :1000 $"
    );
    assert_eq!(amounts("sum(Net amount)", Some("State = x")).unwrap(), ":0");
    assert_eq!(amounts("count, sum(Net amount)", None).unwrap(), ":6/3083.55 $");
    assert_eq!(
        amounts("Sum(net amount) ,count by state", None).unwrap(),
        "failed:1180.50 $/2 open:903.05 $/3 :1000 $/1"
    );
    for wrong in [
        "max(State)",
        "sum State",
        "count State",
        "sum(Nothing)",
        "sum(State)",
        "",
        "count,",
        "count by State, count",
    ] {
        assert!(amounts(wrong, None).is_err(), "{wrong}");
    }
}

#[test]
fn columns_are_chosen_by_name() {
    let query = |columns: &[&str]| {
        let columns = columns.iter().map(|name| (*name).to_owned()).collect();
        select(&accounts(), &RowsQuery { columns, ..RowsQuery::default() })
    };
    assert_eq!(query(&["due", "NAME"]).unwrap().columns, [3, 0]);
    let error = query(&["Dew"]).unwrap_err().to_string();
    assert!(error.starts_with("columns: there is no column \"Dew\"; the columns are"), "{error}");
}
