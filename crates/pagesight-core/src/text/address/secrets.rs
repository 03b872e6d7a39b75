//! Recognises values that look like secrets: by the name of their parameter, or by their shape.

use crate::text::secret_names::{is_secret, name_words};

/// Words that are also in the names of harmless parameters, such as `country_code=DE`.
const AMBIGUOUS_WORDS: [&str; 4] = ["key", "code", "pass", "ticket"];

/// The shortest value of an ambiguous parameter that is a secret: with digits, and without.
const SHORTEST_WITH_DIGITS: usize = 6;
const SHORTEST_WORD: usize = 20;
/// The shortest value that is a secret under any name.
const SHORTEST_OPAQUE: usize = 24;
/// The shortest hexadecimal number that is a secret under any name. Shorter ones are mostly ids and
/// versions of files; signatures are longer.
const SHORTEST_HEXADECIMAL: usize = 64;
/// The least number of different characters in a random text.
const LEAST_DIFFERENT: usize = 12;

/// Whether the value of a parameter looks like a secret. The name is as written, the value is
/// decoded.
pub(crate) fn is_secret_value(name: &str, value: &str) -> bool {
    let words = name_words(name);
    let ambiguous = words.iter().any(|word| AMBIGUOUS_WORDS.contains(&word.as_str()));
    let has_digit = value.contains(|c: char| c.is_ascii_digit());
    let has_space = value.contains(char::is_whitespace);
    let shortest = if has_digit { SHORTEST_WITH_DIGITS } else { SHORTEST_WORD };
    is_secret(&words)
        || ambiguous && !has_space && value.len() >= shortest
        || is_web_token(value)
        || is_opaque(value)
}

/// Whether a text is a web token (JWT): two or three parts, of which the first two are JSON in
/// base64.
pub(super) fn is_web_token(text: &str) -> bool {
    let mut parts = text.split('.');
    let is_part = |part: &str| {
        part.len() >= 8 && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_=%".contains(&b))
    };
    parts.next().is_some_and(|head| head.starts_with("eyJ") && is_part(head))
        && parts.next().is_some_and(is_part)
}

/// Whether a text looks random: long, of letters of both cases and digits, without words.
fn is_opaque(text: &str) -> bool {
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || b"-_+/=.~:".contains(&byte);
    if text.len() < SHORTEST_OPAQUE || !text.bytes().all(fine) {
        return false;
    }
    let has = |wanted: fn(&u8) -> bool| text.bytes().any(|byte| wanted(&byte));
    if text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return text.len() >= SHORTEST_HEXADECIMAL;
    }
    // A random text changes between letters and digits often; a title with a year does not.
    let bytes = text.as_bytes();
    let kind = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    let changes = bytes.windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count();
    let mut seen = [false; 256];
    bytes.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    let different = seen.iter().filter(|seen| **seen).count();
    has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_digit)
        && changes * 4 >= bytes.len()
        && different >= LEAST_DIFFERENT
}
