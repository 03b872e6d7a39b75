//! Tests comparisons of what is more than structure: prices and other numbers, texts that must stay
//! equal, and what fields ask for.

use super::*;
use crate::fingerprint::{ExactTarget, FingerprintOptions, extract};
use crate::page::test_page::page;
use crate::targets::{TargetQuery, named};

const SHOP: &str = "main main @2 block
  h1 heading \"Summer sale: 20 % off\" @3 level=1
    'Summer sale: 20 % off'
  article article @4 block
    h2 heading \"Lamp\" @5 level=2
      'Lamp'
    span @6
      '199.00 EUR'
    button button \"Buy\" @7 usable
  article article @8 block
    h2 heading \"Chair\" @9 level=2
      'Chair'
    span @10 block
      '$29'
  div status \"Total\" @11 block
    'Total: $228'
  p @12 block
    'Cart (3), 12 visitors'
  form @20 id=f
    input textbox \"Email\" @21 usable maxlength=20
  table table \"Fees\" @30
    tr row @31
      th columnheader \"Fund\" @32
        'Fund'
      th columnheader \"Fee\" @33
        'Fee'
    tr row @34
      td cell @35
        'Alpha'
      td cell @36
        '0.5 %'";

fn read(picture: &str, numbers: bool, targets: &[&str]) -> Fingerprint {
    let page = page(picture);
    let exact: Vec<ExactTarget> = targets
        .iter()
        .map(|target| {
            let nodes = match TargetQuery::parse(target) {
                Ok(TargetQuery::Line(query)) => named(&page, &query),
                Ok(TargetQuery::Css(selector)) => {
                    crate::page::css_query::all(&page, &selector).unwrap()
                }
                other => panic!("{other:?}"),
            };
            ExactTarget { target: (*target).to_owned(), nodes }
        })
        .collect();
    let options = FingerprintOptions { numbers, exact: &exact, ..FingerprintOptions::default() };
    extract(&page, &options)
}

fn sentences(comparison: &Comparison, kind: ChangeType) -> Vec<&str> {
    let of_kind = comparison.changes.iter().filter(|change| change.kind == kind);
    of_kind.map(|change| change.description.as_str()).collect()
}

fn numbers(after: &str) -> Comparison {
    compare(&read(SHOP, true, &[]), &read(after, true, &[]), &IgnoreRules::default())
}

#[test]
fn prices_and_other_numbers_with_a_unit() {
    for (was, now, sentence) in [
        ("199.00 EUR", "1.99 EUR", "'Lamp': '199.00 EUR' is now '1.99 EUR'"),
        ("'$29'", "'$2900'", "'Chair': '$29' is now '$2900'"),
        ("0.5 %", "5 %", "'Alpha · Fee': '0.5 %' is now '5 %'"),
    ] {
        let found = numbers(&SHOP.replace(was, now));
        assert_eq!(sentences(&found, ChangeType::NumberChanged), [sentence]);
        assert_eq!(found.changes[0].severity, Severity::Info);
        assert_eq!(found.changes.len(), 1, "{:?}", found.changes);
    }
    let sale = numbers(&SHOP.replace("20 %", "70 %"));
    assert_eq!(sentences(&sale, ChangeType::NumberChanged).len(), 1, "{:?}", sale.changes);
    // Counters are no amounts.
    assert_eq!(numbers(&SHOP.replace("(3), 12", "(4), 15")).changes, []);
}

#[test]
fn prices_belong_to_their_things() {
    let swapped =
        SHOP.replace("199.00 EUR", "X").replace("$29'", "199.00 EUR'").replace('X', "$29");
    assert_eq!(sentences(&numbers(&swapped), ChangeType::NumberChanged).len(), 2);
    // The order of the cards does not matter.
    let (head, rest) = SHOP.split_at(SHOP.find("  article").unwrap());
    let (cards, rest) = rest.split_at(rest.find("  div status").unwrap());
    let second = cards.rfind("  article").unwrap();
    let turned = [head, &cards[second..], &cards[..second], rest].concat();
    assert_eq!(sentences(&numbers(&turned), ChangeType::NumberChanged), [""; 0]);
    let gone = numbers(&SHOP.replace("    span @6\n      '199.00 EUR'\n", ""));
    assert_eq!(
        sentences(&gone, ChangeType::NumberChanged),
        ["Number '199.00 EUR' of 'Lamp' is no longer there"]
    );
}

#[test]
fn texts_that_must_stay_equal() {
    let targets = ["status: Total", "css=article", "button: Nowhere"];
    let compared = |after: &str| {
        let (was, now) = (read(SHOP, false, &targets), read(after, false, &targets));
        compare(&was, &now, &IgnoreRules::default())
    };
    assert_eq!(compared(SHOP).changes, []);
    let total = compared(&SHOP.replace("$228", "$22"));
    assert_eq!(total.severity(), Some(Severity::Error));
    assert_eq!(
        sentences(&total, ChangeType::TextChanged),
        ["status: Total: 'Total: $228' is now 'Total: $22'"]
    );
    let gone = compared(&SHOP.replace("div status \"Total\" @11 block", "div @11 block"));
    assert_eq!(
        sentences(&gone, ChangeType::TextChanged),
        ["status: Total: 'Total: $228' is missing"]
    );
    let card = compared(&SHOP.replace("'$29'", "'$2900'"));
    assert_eq!(sentences(&card, ChangeType::TextChanged).len(), 1, "{:?}", card.changes);
}

#[test]
fn what_older_fingerprints_do_not_have_is_not_compared() {
    let older = |picture| {
        let mut older = read(picture, false, &[]);
        older.structure.has_limits = false;
        older
    };
    let now = read(&SHOP.replace("199.00", "1.99"), true, &["status: Total"]);
    let comparison = compare(&older(SHOP), &now, &IgnoreRules::default());
    assert_eq!((comparison.changes.len(), comparison.status), (0, Status::Unchanged));
    assert_eq!(
        comparison.uncompared,
        [
            "the limits of fields",
            "prices and other numbers with a unit",
            "the text of 'status: Total'"
        ]
    );
    assert!(comparison.has_news());
    // The other way round, nothing is asked for.
    let back = compare(&now, &older(SHOP), &IgnoreRules::default());
    assert!(!back.has_news(), "{back:?}");
    assert_eq!(older(SHOP).hash, read(SHOP, true, &["status: Total"]).hash);
}

#[test]
fn what_a_field_asks_for() {
    for (now, sentence) in [
        ("usable required maxlength=20", "Input 'Email' is now required"),
        ("usable read-only maxlength=20", "Input 'Email' is now read-only"),
        ("usable maxlength=5", "Input 'Email' has maxlength '5' (was '20')"),
        ("usable", "Input 'Email' no longer has maxlength '20'"),
        ("usable maxlength=20 pattern=[a-z]+", "Input 'Email' now has pattern '[a-z]+'"),
    ] {
        let found = numbers(&SHOP.replace("usable maxlength=20", now));
        assert_eq!(sentences(&found, ChangeType::FieldChanged), [sentence]);
        assert_eq!(found.severity(), Some(Severity::Warning));
    }
}

#[test]
fn a_page_of_many_numbers_is_read_to_a_limit() {
    let row = |n: usize| format!("      td cell @{}\n        '$1'\n", n * 2 + 10);
    let cells: String = (0..6_000).map(row).collect();
    let wide = format!("main main @2 block\n  table table @3\n    tr row @4\n{cells}");
    let structure = read(&wide, true, &[]).structure;
    assert_eq!(structure.numbers.map(|numbers| numbers.len()), Some(5_000));
}
