//! JSON as it is printed: equal to any other JSON after it is parsed, but without characters that
//! cannot be seen and without commands of CI systems. Both are written as escapes.

use std::borrow::Cow;

use serde_json::Value;

use super::ci_commands::bracketed;
use super::printable::is_unprintable;

/// Returns a value as JSON in one line.
pub fn to_text(value: &Value) -> String {
    escaped_owned(value.to_string())
}

/// Returns a text as a JSON string.
pub fn string(text: &str) -> String {
    escaped_owned(Value::from(text).to_string())
}

fn escaped_owned(json: String) -> String {
    match escaped(&json) {
        Cow::Borrowed(_) => json,
        Cow::Owned(escaped) => escaped,
    }
}

/// Adds the escapes to serialized JSON. Outside of strings there is nothing to escape, and inside
/// of them each character may be written as an escape.
pub fn escaped(json: &str) -> Cow<'_, str> {
    let plain = |byte: u8| (b' '..=b'~').contains(&byte) || byte == b'\n';
    if json.bytes().all(plain) && !json.contains("##") && !json.contains("::") {
        return Cow::Borrowed(json);
    }
    let marks: Vec<usize> = bracketed(json).collect();
    let mut marks = marks.into_iter().peekable();
    let mut out = String::with_capacity(json.len() + 16);
    // Whether only white space came since a line of the text began.
    let mut begins = false;
    let mut rest = json.char_indices();
    while let Some((at, c)) = rest.next() {
        if c == '\\' {
            out.push(c);
            // In JSON, each backslash has a character after it.
            let Some((_, escape)) = rest.next() else { break };
            out.push(escape);
            begins = matches!(escape, 'n' | 'r' | 't' | 'f' | 'b');
            if escape == 'u' {
                out.extend(rest.by_ref().take(4).map(|(_, digit)| digit));
                begins = true;
            }
        } else if marks.next_if_eq(&at).is_some()
            || begins && json[at..].starts_with("::")
            || c != '\n' && is_unprintable(c)
        {
            push_escape(&mut out, c);
            begins = true;
        } else {
            out.push(c);
            begins = c == '"' || begins && c.is_whitespace();
        }
    }
    Cow::Owned(out)
}

fn push_escape(out: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        out.push_str(&format!("\\u{unit:04x}"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn it_is_equal_after_it_is_parsed_and_nothing_in_it_acts() {
        for text in [
            "plain",
            "::error::x",
            " \n::error::x ::warning::",
            "##[error]x ###vso[y \\##[z",
            "a\u{7f}\u{9b}31m\u{202e}b\u{e0041}\u{fe0f}\u{2028}::stop",
            "\u{85}::error::",
            "std::vec é 日本 😀",
        ] {
            let value = json!({ text: [text, 1, "##"], "a": {} });
            for printed in [to_text(&value), string(text)] {
                let parsed: Value = serde_json::from_str(&printed).unwrap();
                assert!(parsed == value || parsed == text, "{printed}");
                assert!(!printed.chars().any(|c| c != '\n' && is_unprintable(c)), "{printed}");
                assert_eq!(bracketed(&printed).count(), 0, "{printed}");
                assert!(!printed.contains("\"::") && !printed.contains("n::"), "{printed}");
                assert_eq!(escaped(&printed), printed, "a second time changes nothing");
            }
        }
    }

    #[test]
    fn escapes_are_only_written_where_they_are_needed() {
        assert_eq!(string("::a ##[b] c::d"), r#""\u003a:a \u0023#[b] c::d""#);
        assert_eq!(string("std::vec é 😀"), "\"std::vec é 😀\"");
        assert_eq!(string("\u{e0041}"), r#""\udb40\udc41""#);
    }
}
