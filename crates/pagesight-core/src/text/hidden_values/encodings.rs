//! Finds a value in a text whichever way it is encoded: as it is, for a URL (`%40`), for HTML
//! (`&amp;`) or for JSON (`\"`), also in a mixture of these. [`Decoded`] removes one level of
//! encoding, for texts that are encoded several times. The text is one that [`super::folding`]
//! made, and so is the value, except for its single spaces, which need not be in the text.

use super::folding::{is_left_out, plain_forms};

/// Names of characters in HTML.
const ENTITIES: [(&str, char); 6] = [
    ("&amp;", '&'),
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&quot;", '"'),
    ("&apos;", '\''),
    ("&nbsp;", ' '),
];
/// Letters of characters in JSON.
const ESCAPES: [(char, char); 8] = [
    ('\\', '\\'),
    ('"', '"'),
    ('/', '/'),
    ('n', '\n'),
    ('r', '\r'),
    ('t', '\t'),
    ('b', '\u{8}'),
    ('f', '\u{c}'),
];
/// The most digits of a character in HTML.
const MOST_DIGITS: usize = 7;

/// How far a value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The whole value is there and ends here.
    Whole(usize),
    /// The text was cut (`…`) within the value.
    Cut {
        /// Where the cut is.
        end: usize,
        /// How many characters of the value are there.
        shown: usize,
    },
    /// The text ends within the value.
    AtTheEnd {
        /// How many characters of the value are there.
        shown: usize,
    },
}

/// Returns where a value ends that begins at the start of a folded text; `None` if none begins
/// there.
pub(super) fn end_of(value: &[char], text: &str) -> Option<Ending> {
    let (mut at, mut shown) = (0, 0);
    while let Some(wanted) = value.get(shown) {
        let here = &text[at..];
        if let Some((length, characters)) = read(&value[shown..], here) {
            at += length;
            shown += characters;
        } else if let Some((_, length)) = escape(here).filter(|(c, _)| shown > 0 && is_left_out(*c))
        {
            at += length;
        } else if *wanted == ' ' {
            // White space of the value, which the text has encoded or not at all.
            at += usize::from(here.starts_with('+'));
            shown += 1;
        } else if shown == 0 {
            return None;
        } else if here.starts_with('…') {
            return Some(Ending::Cut { end: at, shown });
        } else if here.is_empty() {
            return Some(Ending::AtTheEnd { shown });
        } else {
            return None;
        }
    }
    (at > 0).then_some(Ending::Whole(at))
}

/// Reads a character at the start of a text, in any encoding, if a value begins with it. Returns
/// its length and the number of characters of the value, which are more than one if it has accents.
fn read(value: &[char], text: &str) -> Option<(usize, usize)> {
    let first = text.chars().next()?;
    let fits = |c: char| {
        let mut forms = 0;
        let mut fits = true;
        plain_forms(c, |form| {
            fits &= value.get(forms) == Some(&form);
            forms += 1;
        });
        (fits && forms > 0).then_some(forms)
    };
    let encoded = escape(text).and_then(|(c, length)| Some((length, fits(c)?)));
    encoded.or_else(|| (first == *value.first()?).then(|| (first.len_utf8(), 1)))
}

/// Reads the escape at the start of a text: its character and its length.
fn escape(text: &str) -> Option<(char, usize)> {
    match text.as_bytes().first()? {
        b'%' => in_address(text),
        b'&' => in_html(text),
        b'\\' => in_json(text),
        _ => None,
    }
}

fn in_address(text: &str) -> Option<(char, usize)> {
    let code = |at: usize| {
        let digits = text.get(at..at + 3)?.strip_prefix('%')?;
        let digits = Some(digits).filter(|digits| !digits.starts_with('+'))?;
        u8::from_str_radix(digits, 16).ok()
    };
    let mut bytes = Vec::new();
    for length in 1..=4 {
        bytes.push(code((length - 1) * 3)?);
        if let Ok(text) = std::str::from_utf8(&bytes) {
            return Some((text.chars().next()?, length * 3));
        }
    }
    None
}

/// Reads `&amp;`, `&#39;` and `&#x27;`.
fn in_html(text: &str) -> Option<(char, usize)> {
    if let Some((name, c)) = ENTITIES.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((*c, name.len()));
    }
    let digits = text.strip_prefix("&#")?;
    // Not further, so that a text of many such beginnings is not read again and again.
    let end = digits.bytes().take(MOST_DIGITS + 1).position(|byte| byte == b';')?;
    let digits = &digits[..end];
    let number = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    Some((number.ok().and_then(char::from_u32)?, digits.len() + 3))
}

/// Reads `\"` and `\u00e9`.
fn in_json(text: &str) -> Option<(char, usize)> {
    let letter = text[1..].chars().next()?;
    if let Some((_, c)) = ESCAPES.iter().find(|(known, _)| *known == letter) {
        return Some((*c, 1 + letter.len_utf8()));
    }
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let first = unit(0)?;
    if let Some(c) = char::from_u32(first.into()) {
        return Some((c, 6));
    }
    let c = char::decode_utf16([first, unit(6)?]).next()?.ok()?;
    Some((c, 12))
}

/// A text without one level of encoding.
pub(super) struct Decoded {
    pub(super) text: String,
    /// Where each of its bytes begins in the original text, and where that ends.
    places: Vec<usize>,
}

impl Decoded {
    /// Decodes all escapes of a text once; none if there are none. `before` is how the text itself
    /// was decoded.
    pub(super) fn of(text: &str, before: Option<&Decoded>) -> Option<Decoded> {
        let first = text.bytes().position(|byte| matches!(byte, b'%' | b'&' | b'\\'))?;
        let place = |at: usize| before.map_or(at, |before| before.places[at]);
        let mut decoded = Decoded { text: text[..first].to_owned(), places: Vec::new() };
        decoded.places.extend((0..first).map(place));
        let (mut at, mut found) = (first, false);
        while at < text.len() {
            let read = escape(&text[at..]);
            found |= read.is_some();
            let plain = || text[at..].chars().next().map(|c| (c, c.len_utf8()));
            let Some((c, length)) = read.or_else(plain) else { break };
            decoded.text.push(c);
            decoded.places.extend((0..c.len_utf8()).map(|_| place(at)));
            at += length;
        }
        decoded.places.push(place(text.len()));
        found.then_some(decoded)
    }

    /// Returns the range of the original text that a range of this text was read from.
    pub(super) fn original(&self, start: usize, end: usize) -> (usize, usize) {
        (self.places[start], self.places[end])
    }
}
