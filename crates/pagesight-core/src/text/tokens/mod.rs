//! Counts tokens. `count` is exact (o200k); it reads the vocabulary where it lies in the program.
//! `estimate` is fast and errs on the high side; it decides what to fold before the exact count.
//!
//! The vocabulary (`o200k.bin`) is made by `cargo xtask tokens`; NOTICE says where it comes from.

mod bpe;
mod classes;
#[cfg(test)]
mod make_table;
mod repeats;
mod split;
mod table;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use repeats::Repeats;
use split::Pieces;
use table::TokenTable;

/// The vocabulary, as `cargo xtask tokens` wrote it.
static BYTES: &[u8] = include_bytes!("o200k.bin");
/// `None` only if the committed file is damaged, which a test rules out.
static TABLE: LazyLock<Option<TokenTable<'static>>> = LazyLock::new(|| TokenTable::read(BYTES));

/// Returns the exact number of o200k tokens.
pub fn count(text: &str) -> usize {
    let Some(table) = TABLE.as_ref() else { return estimate(text) };
    let bytes = text.as_bytes();
    let mut repeats = Repeats::default();
    Pieces::of(text, table)
        .map(|(start, end)| match end - start {
            1 => 1,
            length if table.rank(bytes, start, length).is_some() => 1,
            2 => 2,
            length => {
                repeats.count(bytes, start, length, || bpe::merged(table, bytes, start, length))
            }
        })
        .sum()
}

/// Returns a fast estimate of the number of o200k tokens, calibrated to be a little high for page
/// text.
pub fn estimate(text: &str) -> usize {
    let mut hundredths = 0u64;
    let mut chars = text.chars().peekable();
    while let Some(first) = chars.next() {
        match kind(first) {
            CharKind::Letter => {
                let (mut length, mut vowels, mut humps) = (1u64, u64::from(is_vowel(first)), 0u64);
                let mut accents = u64::from(!first.is_ascii());
                let mut previous = first;
                while let Some(next) = chars.next_if(|c| kind(*c) == CharKind::Letter) {
                    length += 1;
                    vowels += u64::from(is_vowel(next));
                    accents += u64::from(!next.is_ascii());
                    humps += u64::from(previous.is_ascii_lowercase() && next.is_ascii_uppercase());
                    previous = next;
                }
                hundredths += word(length, vowels) + humps * 60 + accents * 45;
            }
            CharKind::Digit => {
                let mut length = 1u64;
                while chars.next_if(char::is_ascii_digit).is_some() {
                    length += 1;
                }
                hundredths += length.div_ceil(3) * 100;
            }
            CharKind::Space => {
                let mut length = 1u64;
                while chars.next_if_eq(&' ').is_some() {
                    length += 1;
                }
                // One space belongs to the word after it; more are one token.
                hundredths += if length > 1 { 100 } else { 3 };
            }
            CharKind::Line => hundredths += 100,
            CharKind::Mark => {
                let mut length = 1u64;
                while chars.next_if(|c| kind(*c) == CharKind::Mark).is_some() {
                    length += 1;
                }
                hundredths += 100 + (length - 1) * 55;
            }
            CharKind::Alphabet => hundredths += 40,
            CharKind::Ideograph => hundredths += 90,
            CharKind::Other => hundredths += first.len_utf8() as u64 * 75,
        }
    }
    hundredths.div_ceil(100) as usize
}

/// Returns hundredths of a token for a run of Latin letters; unpronounceable words cost more.
fn word(length: u64, vowels: u64) -> u64 {
    if length > 4 && vowels * 6 < length {
        return length * 48;
    }
    match length {
        0..=5 => 103,
        6..=8 => 122,
        9..=12 => 152,
        _ => length * 19,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharKind {
    Letter,
    Digit,
    Space,
    Line,
    Mark,
    Alphabet,
    Ideograph,
    Other,
}

fn kind(c: char) -> CharKind {
    match c {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => CharKind::Letter,
        '0'..='9' => CharKind::Digit,
        ' ' => CharKind::Space,
        '\n' | '\r' | '\t' => CharKind::Line,
        '!'..='~' => CharKind::Mark,
        '–' | '—' | '…' | '’' | '‘' | '“' | '”' | '•' | '·' => CharKind::Mark,
        '\u{370}'..='\u{6ff}' => CharKind::Alphabet,
        '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' => {
            CharKind::Ideograph
        }
        _ => CharKind::Other,
    }
}

fn is_vowel(c: char) -> bool {
    !c.is_ascii() || matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}
