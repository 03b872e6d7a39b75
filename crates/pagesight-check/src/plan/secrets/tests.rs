//! Tests that values from the environment do not leave.

use super::*;

fn environment(name: &str) -> Option<String> {
    (name == "PASSWORD").then(|| "hunter22".to_owned())
}

#[test]
fn values_come_from_the_environment_and_do_not_leave() {
    let mut secrets = CheckSecrets::default();
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
            .to_string()
            .contains("variable NO_SUCH is not set")
    );
    assert!(
        secrets
            .expand("${PASSWORD", Slot::Text, &environment)
            .unwrap_err()
            .to_string()
            .contains("no }")
    );
    let shown = Fingerprint { title: "Hello hunter22".to_owned(), ..Fingerprint::default() };
    assert_eq!(secrets.hide_in(&shown).unwrap().title, "Hello ${PASSWORD}");
}

#[test]
fn no_value_breaks_what_it_is_hidden_in() {
    // One ends with a quotation mark, one is a number, one is a key of the file format, and one is
    // part of another.
    let values =
        [("A", "pass\""), ("B", "1280"), ("C", "title"), ("D", "hunter"), ("E", "hunter22")];
    let mut secrets = CheckSecrets::default();
    for (name, value) in values {
        secrets.0.add(name, value);
    }
    let mut shown =
        Fingerprint { title: "pass\" 1280 title hunter22".to_owned(), ..Fingerprint::default() };
    shown.viewport.width = 1280;
    let hidden = secrets.hide_in(&shown).unwrap();
    assert_eq!((hidden.title.as_str(), hidden.viewport.width), ("${A} ${B} ${C} ${E}", 1280));
}

#[test]
fn the_address_of_a_page_stays_until_it_is_printed() {
    let mut secrets = CheckSecrets::default();
    for (name, value) in [("BASE", "https://ci:hunter22@staging"), ("PATH", "/orders")] {
        secrets.0.add(name, value);
    }
    let text = || "https://staging/orders hunter22".to_owned();
    assert_eq!(secrets.in_pages().hide(text()), "https://staging/orders ${BASE}");
    assert_eq!(secrets.hide(text()), "https://staging${PATH} ${BASE}");
}

#[test]
fn a_value_in_an_address_is_encoded_where_it_would_end_the_address() {
    let mut secrets = CheckSecrets::default();
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
