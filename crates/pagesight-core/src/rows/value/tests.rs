//! Tests the values that texts are recognised as.

use std::cmp::Ordering;

use super::*;

fn number(text: &str, language: &str) -> String {
    match Value::of(text, Locale::of(language)) {
        Value::Number(number, NumberUnit::None) => number.to_string(),
        Value::Number(number, NumberUnit::Percent) => format!("{number} %"),
        Value::Number(number, NumberUnit::Currency(sign)) => format!("{number} {sign}"),
        other => format!("{other:?}"),
    }
}

#[test]
fn numbers_are_read_as_their_language_writes_them() {
    for (text, language, read) in [
        ("1,234", "en", "1234"),
        ("1,234", "de", "1.234"),
        ("1.234", "de-AT", "1234"),
        ("1.234,50", "", "1234.50"),
        ("1,234.50", "", "1234.50"),
        ("1,234", "", "Doubtful"),
        ("1.234", "", "Doubtful"),
        ("0.125", "", "0.125"),
        ("12,5", "", "12.5"),
        ("1 234 567", "fr", "1234567"),
        ("1’234.50", "de-CH", "1234.50"),
        ("12,34,567", "en-IN", "1234567"),
        ("-12", "", "-12"),
        ("−3.5", "en", "-3.5"),
        ("(42)", "en", "-42"),
        ("$1,000.50", "en", "1000.50 $"),
        ("-$5", "en", "-5 $"),
        ("€ 12,30", "de", "12.30 €"),
        ("12,30 €", "de", "12.30 €"),
        ("99 kr", "sv", "99 kr"),
        ("45 %", "en", "45 %"),
        ("45.5%", "en", "45.5 %"),
        ("v1.2", "en", "Text"),
        ("1.2.3", "en", "Text"),
        ("12 34", "en", "Text"),
        ("555-1234", "en", "Text"),
        ("#12", "en", "Text"),
        ("99999999999999999999999", "en", "Text"),
    ] {
        assert_eq!(number(text, language), read, "{text} in {language}");
    }
}

#[test]
fn a_column_says_what_its_language_does_not() {
    let locale = |texts: &[&str]| Locale::of("").or(Locale::of_texts(texts.iter().copied()));
    let value = |texts: &[&str]| Value::of(texts[0], locale(texts));
    assert_eq!(value(&["1,234", "5.5"]), Value::of("1234", Locale::of("")));
    assert_eq!(value(&["1,234", "1,234,567"]), Value::of("1234", Locale::of("")));
    assert_eq!(value(&["1.234", "7,25"]), Value::of("1234", Locale::of("")));
    assert_eq!(value(&["1,234"]), Value::Doubtful);
    assert_eq!(value(&["3/4/2024", "3/14/2024"]), Value::Date(2024, 3, 4, 0));
    assert_eq!(value(&["3/4/2024", "14/3/2024"]), Value::Date(2024, 4, 3, 0));
    assert_eq!(value(&["3-4-2024", "3-14-2024"]), Value::Date(2024, 3, 4, 0));
}

#[test]
fn dates_are_read() {
    for (text, language, read) in [
        ("2024-05-03", "", Value::Date(2024, 5, 3, 0)),
        ("2024-05-03 12:30", "", Value::Date(2024, 5, 3, 45_000)),
        ("2024-05-03T12:30:05Z", "", Value::Date(2024, 5, 3, 45_005)),
        ("2024-05-03T12:30:05+02:00", "", Value::Date(2024, 5, 3, 45_005)),
        ("03.05.2024", "de", Value::Date(2024, 5, 3, 0)),
        ("3.5.24", "de", Value::Date(2024, 5, 3, 0)),
        ("5/3/2024", "en-US", Value::Date(2024, 5, 3, 0)),
        ("5/3/2024", "en-GB", Value::Date(2024, 3, 5, 0)),
        ("5/3/2024", "en", Value::Doubtful),
        ("25/3/2024", "en", Value::Date(2024, 3, 25, 0)),
        ("3-5-2024", "nl", Value::Date(2024, 5, 3, 0)),
        ("5-3-2024", "en-US", Value::Date(2024, 5, 3, 0)),
        ("3-5-2024", "", Value::Doubtful),
        ("3-14-2024", "", Value::Date(2024, 3, 14, 0)),
        ("May 3, 2024", "en", Value::Date(2024, 5, 3, 0)),
        ("Sept. 3, 2024, 4:05 p.m.", "en", Value::Date(2024, 9, 3, 57_900)),
        ("3. Mai 2024", "de", Value::Date(2024, 5, 3, 0)),
        ("3 juillet 2024", "fr", Value::Date(2024, 7, 3, 0)),
        ("3 juin 2024", "fr", Value::Date(2024, 6, 3, 0)),
        ("3 maj 2024", "sv", Value::Date(2024, 5, 3, 0)),
        ("3 września 2024", "pl", Value::Date(2024, 9, 3, 0)),
        ("2024年5月3日", "ja", Value::Date(2024, 5, 3, 0)),
        ("40.05.2024", "de", Value::Text),
    ] {
        assert_eq!(Value::of(text, Locale::of(language)), read, "{text} in {language}");
    }
}

#[test]
fn durations_are_read() {
    for (text, read) in [
        ("90 min", Value::Duration(5_400_000)),
        ("1h 30m", Value::Duration(5_400_000)),
        ("1:30:00", Value::Duration(5_400_000)),
        ("3:45", Value::Duration(225_000)),
        ("500 ms", Value::Duration(500)),
        ("1.5 s", Value::Duration(1_500)),
        ("2 days", Value::Duration(172_800_000)),
        ("30m 1h", Value::Text),
        ("5 apples", Value::Text),
    ] {
        assert_eq!(Value::of(text, Locale::of("")), read, "{text}");
    }
}

#[test]
fn values_of_one_kind_are_compared() {
    let value = |text: &str| Value::of(text, Locale::of("en-US"));
    let compared = |one: &str, two: &str| value(one).compare(&value(two));
    assert_eq!(compared("9.50", "$10"), Some(Ordering::Less));
    assert_eq!(compared("$10", "10.00"), Some(Ordering::Equal));
    assert_eq!(compared("$10", "€10"), None);
    assert_eq!(compared("May 3, 2024", "2024-05-04"), Some(Ordering::Less));
    assert_eq!(compared("90 min", "2h"), Some(Ordering::Less));
    assert_eq!(compared("12", "n/a"), None);
}
