//! Finds a value in a text whichever way it is encoded: as it is, for a URL (`%40`), for HTML
//! (`&amp;`) or for JSON (`\"`), also in a mixture of these.

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
    ('"', '"'),
    ('\\', '\\'),
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
pub(crate) enum Ending {
    /// The whole value is there and ends here.
    Whole(usize),
    /// The text was cut (`…`) within the value.
    Cut {
        /// Where the cut is.
        end: usize,
        /// How many characters of the value are there.
        shown: usize,
    },
}

/// Returns where a value ends that begins at the start of a text; `None` if none begins there.
pub(crate) fn end_of(value: &str, text: &str) -> Option<Ending> {
    let mut at = 0;
    for (shown, wanted) in value.chars().enumerate() {
        match read(wanted, &text[at..]) {
            Some(length) => at += length,
            None if shown > 0 && text[at..].starts_with('…') => {
                return Some(Ending::Cut { end: at, shown });
            }
            None => return None,
        }
    }
    (at > 0).then_some(Ending::Whole(at))
}

/// Returns the length of a character at the start of a text, in any encoding.
fn read(wanted: char, text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let encoded = match first {
        '%' => in_address(wanted, text),
        '+' => (wanted == ' ').then_some(1),
        '&' => in_html(wanted, text),
        '\\' => in_json(wanted, text),
        _ => None,
    };
    encoded.or_else(|| (first == wanted).then(|| first.len_utf8()))
}

/// Reads `%C3%A9`.
fn in_address(wanted: char, text: &str) -> Option<usize> {
    let mut bytes = [0; 4];
    let bytes = wanted.encode_utf8(&mut bytes).as_bytes();
    let codes = text.as_bytes().get(..bytes.len() * 3)?;
    let (codes, _) = codes.as_chunks::<3>();
    let same = |(code, byte): (&[u8; 3], &u8)| {
        let digits = std::str::from_utf8(&code[1..]).ok();
        code[0] == b'%' && digits.and_then(|d| u8::from_str_radix(d, 16).ok()) == Some(*byte)
    };
    codes.iter().zip(bytes).all(same).then_some(bytes.len() * 3)
}

/// Reads `&amp;`, `&#39;` and `&#x27;`.
fn in_html(wanted: char, text: &str) -> Option<usize> {
    let named = ENTITIES.iter().find(|(name, c)| *c == wanted && text.starts_with(name));
    if let Some((name, _)) = named {
        return Some(name.len());
    }
    let digits = text.strip_prefix("&#")?;
    let (digits, end) = digits.split_once(';').map(|(digits, _)| (digits, digits.len() + 3))?;
    let number = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits.get(..).filter(is_short)?, 16),
        None => digits.get(..).filter(is_short)?.parse(),
    };
    (number.ok().and_then(char::from_u32) == Some(wanted)).then_some(end)
}

fn is_short(digits: &&str) -> bool {
    digits.len() <= MOST_DIGITS
}

/// Reads `\"` and `\u00e9`.
fn in_json(wanted: char, text: &str) -> Option<usize> {
    let letter = text[1..].chars().next()?;
    if ESCAPES.contains(&(letter, wanted)) {
        return Some(1 + letter.len_utf8());
    }
    let mut units = [0; 2];
    let units = wanted.encode_utf16(&mut units);
    let mut at = 0;
    for unit in units.iter() {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        (u16::from_str_radix(digits, 16).ok()? == *unit).then_some(())?;
        at += 6;
    }
    Some(at)
}
