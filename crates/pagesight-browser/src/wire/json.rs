//! Decoding of browser messages. JavaScript strings may hold lone surrogates, which a browser sends
//! as escapes (`"\ud83d"`) and Rust strings cannot hold. Here they become U+FFFD, so that no page
//! can make a message unreadable.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// Reads a value out of raw JSON, and repairs lone surrogates.
pub(crate) fn decode<T: DeserializeOwned>(raw: &RawValue) -> serde_json::Result<T> {
    decode_text(raw.get())
}

/// Like [`decode`], but from text.
pub(crate) fn decode_text<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    serde_json::from_str(text).or_else(|error| match repair(text) {
        Cow::Borrowed(_) => Err(error),
        Cow::Owned(repaired) => serde_json::from_str(&repaired),
    })
}

/// Replaces escapes of lone surrogates in JSON text by `\ufffd`.
pub(crate) fn repair(json: &str) -> Cow<'_, str> {
    let bytes = json.as_bytes();
    let mut repaired: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == b'\\') {
        at += found;
        let step = match unit(bytes, at) {
            None => 2,
            Some(0xD800..=0xDBFF) if matches!(unit(bytes, at + 6), Some(0xDC00..=0xDFFF)) => 12,
            Some(0xD800..=0xDFFF) => {
                let target = repaired.get_or_insert_with(|| bytes.to_vec());
                target[at + 2..at + 6].copy_from_slice(b"fffd");
                6
            }
            Some(_) => 6,
        };
        at = (at + step).min(bytes.len());
    }
    match repaired.map(String::from_utf8) {
        Some(Ok(text)) => Cow::Owned(text),
        _ => Cow::Borrowed(json),
    }
}

/// Replaces escapes of non-ASCII characters (`"Gr\u00fc\u00dfe"`) by the characters, and repairs
/// lone surrogates.
pub(crate) fn plain(json: &str) -> String {
    let mut plain = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let bytes = rest.as_bytes();
        let length = match (unit(bytes, 0), unit(bytes, 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(_), _) => 6,
            // A backslash and one ASCII character, if this is JSON at all.
            (None, _) => {
                if rest.is_char_boundary(2) {
                    2.min(rest.len())
                } else {
                    rest.len()
                }
            }
        };
        let (escape, after) = rest.split_at(length);
        let units = [unit(bytes, 0), unit(bytes, 6).filter(|_| length == 12)];
        match char::decode_utf16(units.into_iter().flatten()).next() {
            Some(Ok(character)) if character >= '\u{a0}' => plain.push(character),
            Some(Err(_)) => plain.push(char::REPLACEMENT_CHARACTER),
            _ => plain.push_str(escape),
        }
        rest = after;
    }
    plain.push_str(rest);
    plain
}

/// Returns the UTF-16 unit of the escape `\uXXXX` that begins at `at`, if one does.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates() {
        let check = |given: &str, expected: &str| {
            assert_eq!(repair(given), expected, "{given}");
            let read: std::result::Result<String, _> = decode_text(given);
            assert!(read.is_ok(), "{given}");
        };
        check(r#""plain""#, r#""plain""#);
        check(r#""\ud83d\ude00""#, r#""\ud83d\ude00""#);
        check(r#""a\ud83d""#, r#""a\ufffd""#);
        check(r#""\ude00b""#, r#""\ufffdb""#);
        check(r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#);
        check(r#""\\ud83d""#, r#""\\ud83d""#);
        check(r#""\\\ud83d\n""#, r#""\\\ufffd\n""#);
        check(r#""é\uD83D""#, r#""é\ufffd""#);
    }

    #[test]
    fn plain_text() {
        let check = |given: &str, expected: &str| assert_eq!(plain(given), expected, "{given}");
        check(r#"{"a":[1,"Gr\u00fc\u00dfe \ud83d\udc4b"]}"#, r#"{"a":[1,"Grüße 👋"]}"#);
        check(r#""\u0000\n\"\\u00fc\u0022""#, r#""\u0000\n\"\\u00fc\u0022""#);
        check(r#""a\ud83d""#, "\"a\u{fffd}\"");
        check("\"\\", "\"\\");
        check("\\é", "\\é");
    }

    #[test]
    fn broken_json_stays_broken() {
        for text in ["\"\\", "\"\\u", "\"\\ud8", "{", "\\ud83d"] {
            let read: std::result::Result<String, _> = decode_text(text);
            assert!(read.is_err(), "{text}");
        }
    }
}
