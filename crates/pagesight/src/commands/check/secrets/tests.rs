//! Tests that values from the environment do not leave.

use pagesight_core::page::Scope;
use pagesight_session::{Taking, of_page};

use super::*;

fn environment(name: &str) -> Option<String> {
    (name == "PASSWORD").then(|| "hunter22".to_owned())
}

/// Returns secrets with one value.
fn secret(value: &str) -> Secrets {
    let mut secrets = Secrets::default();
    secrets.expand("${X}", Slot::Text, &|_| Some(value.to_owned())).unwrap();
    secrets
}

#[test]
fn values_come_from_the_environment_and_do_not_leave() {
    let mut secrets = Secrets::default();
    assert_eq!(
        secrets.expand("a ${PASSWORD}b $${x}", Slot::Text, &environment).unwrap(),
        "a hunter22b ${x}"
    );
    assert_eq!(secrets.hide("filled hunter22".to_owned()), "filled ${PASSWORD}");
    assert!(!format!("{secrets:?}").contains("hunter22"));
    assert!(
        secrets
            .expand("${NO_SUCH}", Slot::Text, &environment)
            .unwrap_err()
            .contains("variable NO_SUCH is not set")
    );
    assert!(secrets.expand("${PASSWORD", Slot::Text, &environment).unwrap_err().contains("no }"));
    let shown = Fingerprint { title: "Hello hunter22".to_owned(), ..Fingerprint::default() };
    assert_eq!(secrets.hide_in(&shown).unwrap().title, "Hello ${PASSWORD}");
}

#[test]
fn no_value_breaks_what_it_is_hidden_in() {
    // One ends with a quotation mark, one is a number, one is a key of the file format, and one is
    // part of another.
    let values =
        [("A", "pass\""), ("B", "1280"), ("C", "title"), ("D", "hunter"), ("E", "hunter22")];
    let mut secrets = Secrets::default();
    for (name, _) in values {
        let known = |wanted: &str| {
            values.iter().find(|(name, _)| *name == wanted).map(|(_, v)| (*v).to_owned())
        };
        secrets.expand(&format!("${{{name}}}"), Slot::Text, &known).unwrap();
    }
    let mut shown =
        Fingerprint { title: "pass\" 1280 title hunter22".to_owned(), ..Fingerprint::default() };
    shown.viewport.width = 1280;
    let hidden = secrets.hide_in(&shown).unwrap();
    assert_eq!((hidden.title.as_str(), hidden.viewport.width), ("${A} ${B} ${C} ${E}", 1280));
}

#[test]
fn values_are_hidden_in_every_encoding() {
    let secrets = secret("p&\"ä /1");
    for text in [
        "p&\"ä /1",
        "p%26%22%C3%A4%20%2F1",
        "p%26%22%c3%a4+%2f1",
        "%70&%22ä%20/1",
        "p&amp;&quot;ä /1",
        "p&#38;&#x22;&#228; /1",
        "p&\\\"\\u00e4 \\/1",
        "p\\u0026\\\"ä /1",
    ] {
        assert_eq!(secrets.hide(format!("a {text} b")), "a ${X} b", "{text}");
    }
    for text in ["p&\"", "p%26%22", "p&#;", "p\\", "%7"] {
        assert_eq!(secrets.hide(text.to_owned()), text);
    }
}

#[test]
fn a_cut_value_is_hidden() {
    let secrets = secret("hunter22-hunter22");
    assert_eq!(secrets.hide("typed \"hunter22-hu…\" into".to_owned()), "typed \"${X}…\" into");
    assert_eq!(secrets.hide("a hun…".to_owned()), "a hun…", "too short to be recognised");
    assert_eq!(secrets.hide("the hunter".to_owned()), "the hunter", "not cut");
}

#[test]
fn the_password_of_an_address_is_a_secret_on_its_own() {
    let secrets = secret("https://ci:hunter22@staging/");
    assert_eq!(secrets.hide("logged in with hunter22".to_owned()), "logged in with ${X}");
}

#[test]
fn a_value_in_an_address_is_encoded_where_it_would_end_the_address() {
    let mut secrets = Secrets::default();
    let mut expand = |text: &str, value: &str| {
        secrets.expand(text, Slot::Address, &|_| Some(value.to_owned())).unwrap()
    };
    assert_eq!(
        expand("https://ci:${P}@a/", "p@s:s/w%rd%41"),
        "https://ci:p%40s%3As%2Fw%25rd%41@a/"
    );
    assert_eq!(expand("${BASE}/x", "https://ci:pw@a"), "https://ci:pw@a/x");
    assert_eq!(expand("/${PATH}?t=${PATH}", "a/b"), "/a/b?t=a/b");
}

#[test]
fn values_are_hidden_before_texts_are_cut() {
    // Wherever a text is cut, no part of the value stays.
    for before in 0..400 {
        let capture = serde_json::json!({
            "v": 1, "doc": "d", "url": "http://x/hunter22", "title": "T", "viewport": [9, 9, 1],
            "scroll": [0, 0], "size": [9, 9],
            "strings": ["", "html", "button", format!("{}hunter22hunter22", "x".repeat(before))],
            "nodes": { "size": [1, 0], "id": [1, 2], "tag": [1, 2], "role": [0, 2], "name": [0, 3],
                "box": [0, 0, 9, 9, 0, 0, 9, 9], "flags": [2, 3] },
        });
        let page = pagesight_core::wire::decode::decode(&capture.to_string()).unwrap();
        let secrets = secret("hunter22hunter22");
        let taking = Taking { filter: secrets.filter(), ..Taking::default() };
        let taken = of_page(&page, Scope::Full, &taking).unwrap();
        let text = serde_json::to_string(&secrets.hide_in(&taken).unwrap()).unwrap();
        assert!(!text.contains("xh"), "{before}: {text}");
    }
}
