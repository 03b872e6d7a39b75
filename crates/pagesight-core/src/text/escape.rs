//! Makes page text safe to print, so that it cannot be taken for pagesight's own words. A text that
//! contains one of pagesight's marks is printed as a JSON string, control characters are removed,
//! and the length is limited.

use std::borrow::Cow;

use crate::page::role::Role;

/// The longest name that is printed.
pub const NAME_LIMIT: usize = 160;
/// The longest plain text that is printed.
pub const TEXT_LIMIT: usize = 2_000;

/// Returns a name or a text of the page, safe inside a printed line.
pub fn safe(text: &str, limit: usize) -> String {
    let clean = bounded(&clean(text), limit);
    if looks_like_ours(&clean) { quoted(&clean) } else { clean }
}

/// Returns a text of the page, safe as a whole line: a leading role word must not look like one of
/// pagesight's lines.
pub fn safe_line(text: &str, limit: usize) -> String {
    let clean = bounded(&clean(text), limit);
    if looks_like_ours(&clean) || begins_like_a_line(&clean) { quoted(&clean) } else { clean }
}

/// Returns a value of the page as a JSON string.
pub fn value(text: &str, limit: usize) -> String {
    quoted(&bounded(text, limit))
}

/// Returns a text of the page as a JSON string with its spaces, without control, bidirectional or
/// zero-width characters; a cut text ends with `…`.
pub fn text(text: &str, limit: usize) -> String {
    // The most common texts need no look at each character.
    let as_it_is = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
    if text.len() <= limit && text.bytes().all(as_it_is) {
        let mut out = String::with_capacity(text.len() + 2);
        out.push('"');
        out.push_str(text);
        out.push('"');
        return out;
    }
    let plain = |c: char| if c.is_whitespace() && c != '\n' && c != '\t' { ' ' } else { c };
    let shows = |c: &char| matches!(c, '\n' | '\t') || !is_invisible(*c);
    let mut left = text.chars().filter(shows).map(plain);
    let mut out: String = left.by_ref().take(limit).collect();
    if left.next().is_some() {
        out.push('…');
    }
    quoted(&out)
}

/// Returns a word of the page without quotes, such as a tag; quoted if it is not written like a
/// word.
pub fn word(word: &str, limit: usize) -> Cow<'_, str> {
    let like_a_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    let comment = word == crate::page::COMMENT;
    if comment || (!word.is_empty() && word.len() <= limit && word.chars().all(like_a_word)) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(self::text(word, limit))
}

/// Returns a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns a text as one line, with white space collapsed and without control, bidirectional or
/// zero-width characters.
pub fn clean(text: &str) -> String {
    if is_clean(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            gap = true;
        } else if !is_invisible(c) {
            if gap && !out.is_empty() {
                out.push(' ');
            }
            gap = false;
            out.push(c);
        }
    }
    out
}

/// Whether there is nothing to clean; only recognises the most common texts.
fn is_clean(text: &str) -> bool {
    let plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    plain && !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ")
}

fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Cuts a text to at most `limit` characters; a cut text ends with `…`.
pub fn bounded(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
    }
}

/// What separates the parts of pagesight's lines.
const MARKS: [&str; 5] = [" — ", " → ", " · ", "(+", "since the last answer"];

fn looks_like_ours(text: &str) -> bool {
    text.starts_with(['+', '-', '~', '…', '"', '('])
        || MARKS.iter().any(|mark| text.contains(mark))
        || text.ends_with(" —")
        || text.starts_with("— ")
        || text.contains(" = \"")
        || text.contains('\n')
        || has_reference(text)
}

/// Whether the text contains something like `[9]`.
fn has_reference(text: &str) -> bool {
    text.match_indices('[').any(|(at, _)| {
        let digits = text[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && text[at + 1 + digits..].starts_with(']')
    })
}

/// Words that begin pagesight's own lines and are not roles.
const OWN_WORDS: [&str; 11] = [
    "changes",
    "columns",
    "clicked",
    "failed",
    "filled",
    "iframe",
    "options",
    "pressed",
    "scrollable",
    "video",
    "canvas",
];

/// Whether the text begins like one of pagesight's lines: with a role or one of its words, then
/// nothing, a level, a colon or a count.
fn begins_like_a_line(text: &str) -> bool {
    let word = text.split([' ', ':']).next().unwrap_or_default();
    let rest = &text[word.len()..];
    let rest = rest
        .strip_prefix(' ')
        .map_or(rest, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let shaped = rest.is_empty() || rest.starts_with(':') || rest.starts_with('(');
    let counted = text.starts_with(|c: char| c.is_ascii_digit())
        && [" withheld", " not entered", " were read", " was read"]
            .iter()
            .any(|end| text.ends_with(end));
    counted
        || text.starts_with("nothing matches ")
        || shaped && (Role::parse(word) != Role::None || OWN_WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_stays_as_it_is() {
        for text in [
            "Save",
            "Terms & conditions",
            "5 items",
            "Main Street",
            "a - b",
            "x=1",
            "array[i]",
            "note that",
        ] {
            assert_eq!(safe_line(text, 100), text);
        }
    }

    #[test]
    fn our_marks_are_quoted() {
        for text in [
            "Save — disabled",
            "x = \"y\"",
            "[9] button: Buy",
            "see [12]",
            "+ added",
            "- gone",
            "~ new",
            "… 3 more",
            "\"q\"",
        ] {
            assert!(safe(text, 100).starts_with('"'), "{text}");
        }
    }

    #[test]
    fn a_text_cannot_pass_for_a_line() {
        for text in [
            "main",
            "button: Save",
            "heading 1: Welcome",
            "list (5)",
            "3 invisible texts withheld",
            "options: A",
            "clicked: x",
        ] {
            assert!(safe_line(text, 100).starts_with('"'), "{text}");
        }
        assert_eq!(safe("main", 100), "main", "harmless as a name after a role");
    }

    #[test]
    fn line_breaks_and_invisible_characters_do_not_pass() {
        assert_eq!(safe("a\n[9] button: b", 100), "\"a [9] button: b\"");
        assert_eq!(safe("pay\u{202e}pal\u{200b}\u{0}", 100), "paypal");
        assert_eq!(safe(&"x".repeat(500), 10), format!("{}…", "x".repeat(10)));
    }
}
