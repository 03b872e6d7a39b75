//! Tests that values are found in every form, and that nothing else is touched.

use serde_json::json;

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
