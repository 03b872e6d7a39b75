//! Tests that values are found in every form, and that nothing else is touched.

use serde_json::json;

use super::across::{CellKind, hidden_across};
use super::*;

fn of(values: &[(&str, &str)]) -> HiddenValues {
    let mut hidden = HiddenValues::default();
    for (name, value) in values {
        hidden.add(name, value);
    }
    hidden
}

#[test]
fn values_are_hidden_in_every_encoding() {
    let hidden = of(&[("X", "p&\"ä /1")]);
    for text in [
        "p&\"ä /1",
        "p%26%22%C3%A4%20%2F1",
        "p%26%22%c3%a4+%2f1",
        "p%2526%2522%25C3%25A4%2520%252F1",
        "%70&%22ä%20/1",
        "p&amp;&quot;ä /1",
        "p%26amp%3B%2522&auml; /1".replace("&auml;", "ä").as_str(),
        "p&amp;amp;&amp;quot;ä /1",
        "p&#38;&#x22;&#228; /1",
        "p&\\\"\\u00e4 \\/1",
        "p\\u0026\\\"ä /1",
        "p&\\\\\\\"\\\\u00e4 /1",
    ] {
        assert_eq!(hidden.hide(format!("a {text} b")), "a ${X} b", "{text}");
    }
    let slash = of(&[("S", "a\\b\"c")]);
    for text in ["a\\b\"c", "a\\\\b\\\"c", "a\\b%22c"] {
        assert_eq!(slash.hide(text.to_owned()), "${S}", "{text}");
    }
    for text in ["p&\"", "p%26%22", "p&#;", "p\\", "%7", "%", "%25", "%252", "%+1"] {
        assert_eq!(hidden.hide(text.to_owned()), text);
    }
}

#[test]
fn a_cut_value_is_hidden() {
    let hidden = of(&[("X", "hunter22-hunter22")]);
    assert_eq!(hidden.hide("typed \"hunter22-hu…\" into".to_owned()), "typed \"${X}…\" into");
    assert_eq!(hidden.hide("a hun…".to_owned()), "a hun…", "too short to be recognised");
    assert_eq!(hidden.hide("the hunter".to_owned()), "the hunter", "not cut");
}

#[test]
fn white_space_may_be_collapsed_and_an_address_taken_apart() {
    let hidden = of(&[("X", " two  words "), ("U", "https://ci:hunter22@staging/")]);
    assert_eq!(hidden.hide("say two words".to_owned()), "say ${X}");
    assert_eq!(hidden.hide("logged in with hunter22".to_owned()), "logged in with ${U}");
    assert_eq!(hidden.hide("twowords".to_owned()), "${X}");
}

#[test]
fn answers_of_the_page_script_stay_whole() {
    let hidden = of(&[
        ("A", "pass\""),
        ("B", "1280"),
        ("C", "title"),
        ("D", "button"),
        ("E", "a\",\"b"),
        ("F", "hunter22"),
        ("G", "covered"),
    ]);
    let answer = json!({
        "title": "my pass\" title", "box": [1280, 720], "strings": ["a", "b", "button", "a\",\"b"],
        "attributes": { "data-hunter22": "{\"pw\":\"hunter22\"}" }, "reason": "covered",
        "cut": format!("{} hunte", "x".repeat(60)), "short": "hunte",
    });
    let out = hidden.hidden_in_answer(&answer.to_string()).unwrap();
    let read: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        read,
        json!({
            "title": "my ${A} ${C}", "box": [1280, 720], "strings": ["a", "b", "button", "${E}"],
            "attributes": { "data-${F}": "{\"pw\":\"${F}\"}" }, "reason": "covered",
            "cut": format!("{} ${{F}}", "x".repeat(60)), "short": "hunte",
        })
    );
    assert_eq!(hidden.hidden_in_answer(r#"{"same":"hunter22"}"#), None);
    // A half of a surrogate pair is not valid Unicode.
    let broken = r#"{"a":"\ud800 hunter22 \" x"}"#;
    assert_eq!(hidden.hidden_in_answer(broken).unwrap(), r#"{"a":"\ud800 ${F} \" x"}"#);
    for odd in ["", "\"", "{\"a", "\"\\", "\"a\\\""] {
        assert_eq!(hidden.hidden_in_answer(odd), None, "{odd}");
    }
}

#[test]
fn values_of_the_page_are_hidden_wherever_they_are() {
    let hidden = of(&[("N", "123456"), ("W", "hunter22")]);
    let mut value = json!({ "hunter22": [123456, -1.5, true, null], "kind": "hunter22" });
    hidden.hide_in_value(&mut value);
    assert_eq!(value, json!({ "${W}": ["${N}", -1.5, true, null], "kind": "${W}" }));
}

#[test]
fn values_are_not_printed() {
    let hidden = of(&[("PASSWORD", "hunter22"), ("TINY", "abc")]);
    assert_eq!(format!("{hidden:?}"), "[\"PASSWORD\"]");
    assert!(hidden.is_hidden_in("log out ${PASSWORD}") && !hidden.is_hidden_in("${TINY}"));
}

#[test]
fn no_part_of_a_value_stays_where_a_text_is_cut() {
    let hidden = of(&[("X", "hunter22hunter22")]);
    for length in 60..200 {
        for shown in SHORTEST..16 {
            let text = format!("{}{}", "x".repeat(length), &"hunter22hunter22"[..shown]);
            let answer = json!([text, format!("{text}…")]).to_string();
            let out = hidden.hidden_in_answer(&answer).unwrap();
            assert!(!out.contains("xh"), "{out}");
        }
    }
}

#[test]
fn a_value_is_found_however_it_is_written() {
    let hidden = of(&[("X", "Hünter-22"), ("K", "ﾊﾟ12スワ"), ("S", "ab1c")]);
    for text in [
        "H\u{200b}ünter\u{ad}-22",
        "Hu\u{308}nter-22",
        "Ｈｕ\u{308}ｎｔｅｒ－２２",
        "H ü n t e r - 2 2",
        "Hünter\n\u{feff} -22",
        "H&shy;&#8203;ünter%E2%80%8B-%2022".replace("&shy;", "&#xad;").as_str(),
        "H%C3%BCnter%2D22",
        "Hu%CC%88nter-22",
    ] {
        assert_eq!(hidden.hide(format!("a {text} b")), "a ${X} b", "{text}");
    }
    assert_eq!(hidden.hide("é パ１２スワ\u{200d}".to_owned()), "é ${K}\u{200d}");
    assert_eq!(hidden.hide("a\u{200b}b１c".to_owned()), "${S}", "not seen");
    for text in ["ab 1c", "Hünter-2 3", "H", "Hünter-", "…"] {
        assert_eq!(hidden.hide(text.to_owned()), text);
    }
    let two = of(&[("A", "ộ-marks-12")]);
    let order = "o\u{302}\u{323}-marks-12 o\u{323}\u{302}-marks-12";
    assert_eq!(two.hide(order.to_owned()), "${A} ${A}", "accents in any order");
    let spaced = of(&[("P", "a b c")]);
    assert_eq!(spaced.hide("abc a b c a+b+c".to_owned()), "abc ${P} ${P}");
}

#[test]
fn a_value_is_found_across_texts() {
    let hidden = of(&[("X", "hunter22"), ("Y", "swordfish"), ("S", "ab1c")]);
    let across = |texts: &[&str], kind: CellKind| {
        let strings: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let cells: Vec<_> = (0..texts.len() as u32).map(|at| (kind, at)).collect();
        let mut shown = strings.clone();
        for (at, text) in hidden_across(&hidden, &cells, &strings) {
            shown[at] = text;
        }
        shown
    };
    let letters = ["h", "u", "n", "", " t ", "e", "r", "2\u{200b}", "2", "!"];
    let expected = ["${X}", "", "", "", "", "", "", "", "", "!"];
    assert_eq!(across(&letters, CellKind::Text), expected);
    let named = across(&["x h", "unter2", "2 y"], CellKind::Name);
    assert_eq!(named, ["x ${X}", "${X}", "${X} y"]);
    let both = across(&["a hun", "ter22 sword", "fish hunter22"], CellKind::Text);
    assert_eq!(both, ["a ${X}", " ${Y}", " ${X}"]);
    assert_eq!(across(&["ab", "1c", "hunter", "23"], CellKind::Text), ["ab", "1c", "hunter", "23"]);
    assert_eq!(across(&["a", "hunter22", "b"], CellKind::Text), ["a", "${X}", "b"]);
    let cells = [(CellKind::Text, 0), (CellKind::Name, 1), (CellKind::Text, 2)];
    let mixed = hidden_across(&hidden, &cells, &["hunt", "x", "er22"]);
    assert_eq!(mixed, [(0, "${X}".to_owned()), (2, String::new())]);
}

proptest::proptest! {
    #[test]
    fn no_split_shows_a_value(
        cuts in proptest::collection::vec(0usize..14, 0..8),
        gap in proptest::sample::select(vec!["", " ", "\n", "\u{200b}", "\u{ad}", "\u{3000}"]),
        wide: bool,
    ) {
        let value = "Tr0ub4dor-4567";
        let hidden = of(&[("X", value)]);
        let mut cuts = [cuts, vec![0, value.len()]].concat();
        cuts.sort_unstable();
        let widen = |c: char| char::from_u32(u32::from(c) + if wide { 0xfee0 } else { 0 }).unwrap();
        let parts: Vec<String> = cuts
            .windows(2)
            .filter(|cut| cut[0] < cut[1])
            .map(|cut| value[cut[0]..cut[1]].chars().map(widen).collect::<String>() + gap)
            .collect();
        let cells: Vec<_> = (0..parts.len() as u32).map(|at| (CellKind::Text, at)).collect();
        let mut shown = parts.clone();
        for (at, text) in hidden_across(&hidden, &cells, &parts) {
            shown[at] = text;
        }
        let shown = shown.concat().replace(gap, "");
        proptest::prop_assert_eq!(shown, "${X}");
        let joined = hidden.hide(parts.concat());
        proptest::prop_assert_eq!(joined.strip_suffix(gap), Some("${X}"));
    }
}
