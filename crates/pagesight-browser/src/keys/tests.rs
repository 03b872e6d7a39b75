//! Tests of chords, keys and the US layout.

use super::*;

fn check(given: &str, key: &str, modifiers: &str) {
    let chord: KeyChord = given.parse().unwrap_or_else(|error| panic!("{given}: {error}"));
    let mut held = String::new();
    for (on, letter) in
        [(chord.control, 'C'), (chord.shift, 'S'), (chord.alt, 'A'), (chord.meta, 'M')]
    {
        if on {
            held.push(letter);
        }
    }
    assert_eq!((chord.key.as_str(), held.as_str()), (key, modifiers), "{given}");
    assert!(Key::of(&chord.key).is_ok(), "{given}");
}

#[test]
fn chords() {
    check("Enter", "Enter", "");
    check("enter", "Enter", "");
    check("a", "a", "");
    check("A", "A", "");
    check("Control+A", "a", "C");
    check("ctrl+a", "a", "C");
    check("Control+Shift+a", "A", "CS");
    check("Shift+Tab", "Tab", "S");
    check("Meta+Alt+ArrowUp", "ArrowUp", "AM");
    check("Cmd+c", "c", "M");
    check("ControlOrMeta+A", "a", if cfg!(target_os = "macos") { "M" } else { "C" });
    check("+", "+", "");
    check("Control++", "+", "C");
    check("Control+-", "-", "C");
    check(" ", "Space", "");
    check("Space", "Space", "");
    check("F5", "F5", "");
    check("f12", "F12", "");
    check("é", "é", "");
    check("Control + c", "c", "C");
    check("Shift", "Shift", "");
}

#[test]
fn what_is_no_key() {
    for given in
        ["", "Control+", "Foo", "Foo+a", "F0", "F25", "F01", "a+b", "\n", "++a", "Control+++"]
    {
        let error = given.parse::<KeyChord>().expect_err(given);
        assert_eq!(error.given, given);
    }
    let sentence = "Foo".parse::<KeyChord>().expect_err("Foo").to_string();
    assert!(sentence.contains("\"Foo\"") && sentence.contains("ArrowDown"), "{sentence}");
}

#[test]
fn layout() {
    let check = |name: &str, code: &str, virtual_key: u32, text: Option<&str>, shifted: bool| {
        let key = Key::of(name).expect(name);
        assert_eq!(
            (key.code.as_str(), key.virtual_key, key.text.as_deref(), key.shifted),
            (code, virtual_key, text, shifted)
        );
    };
    check("a", "KeyA", 65, Some("a"), false);
    check("A", "KeyA", 65, Some("A"), true);
    check("?", "Slash", 191, Some("?"), true);
    check("7", "Digit7", 55, Some("7"), false);
    check("Enter", "Enter", 13, Some("\r"), false);
    check("Tab", "Tab", 9, None, false);
    check("Space", "Space", 32, Some(" "), false);
    check("F5", "F5", 116, None, false);
    check("Shift", "ShiftLeft", 16, None, false);
    check("日", "", 0, Some("日"), false);
    assert_eq!(Key::of("1").map(|key| key.with_shift().key), Ok("!".to_owned()));
}
