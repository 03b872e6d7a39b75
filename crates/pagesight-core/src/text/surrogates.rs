//! Repairs JSON from JavaScript with half of a surrogate pair (`"\ud83d"`), which is not valid
//! Unicode. The half becomes U+FFFD, as in browsers.

/// Returns the text with every lone half replaced, or `None` if there is none.
pub(crate) fn repaired(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out: Option<String> = None;
    let (mut at, mut copied) = (0, 0);
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == b'\\') {
        at += found;
        match half(bytes, at) {
            None => at += 2,
            Some(Half::High) if half(bytes, at + 6) == Some(Half::Low) => at += 12,
            Some(_) => {
                let repaired = out.get_or_insert_with(|| String::with_capacity(text.len()));
                repaired.push_str(&text[copied..at]);
                repaired.push('\u{fffd}');
                at += 6;
                copied = at;
            }
        }
        if at >= bytes.len() {
            break;
        }
    }
    out.map(|repaired| repaired + &text[copied..])
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    High,
    Low,
}

/// Returns which half of a pair the escape at a position is, if it is one.
fn half(bytes: &[u8], at: usize) -> Option<Half> {
    let escape = bytes.get(at..at + 6)?;
    let hex = escape.strip_prefix(b"\\u").filter(|hex| hex.iter().all(u8::is_ascii_hexdigit))?;
    match (hex[0].to_ascii_lowercase(), hex[1].to_ascii_lowercase()) {
        (b'd', b'8'..=b'9' | b'a' | b'b') => Some(Half::High),
        (b'd', b'c'..=b'f') => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_replaced_and_pairs_are_kept() {
        assert_eq!(repaired(r#""a\ud83db\udc00""#).as_deref(), Some("\"a\u{fffd}b\u{fffd}\""));
        assert_eq!(repaired(r#""\ud83d\ude00 \\ud83d \n""#), None);
        assert_eq!(repaired(r#""\\\uD83D""#).as_deref(), Some("\"\\\\\u{fffd}\""));
        for cut in [r#""\ud8"#, r#""\"#, r#""\ud83d"#, ""] {
            let _ = repaired(cut);
        }
        assert_eq!(
            repaired(r#""\ud83d\ud83d\ude00""#).as_deref(),
            Some("\"\u{fffd}\\ud83d\\ude00\"")
        );
    }
}
