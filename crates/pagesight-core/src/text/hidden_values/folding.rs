//! The form of texts in which values are searched: without white space and characters that cannot
//! be seen, and with the plain forms of all characters. A value is found in it where a page spreads
//! it over lines or elements, has zero-width characters in it, or writes it in full width.

use unicode_normalization::char::{canonical_combining_class, decompose_compatible};

use crate::text::printable::is_unprintable;

/// Whether a character does not count when values are compared.
pub(super) fn is_left_out(c: char) -> bool {
    c.is_whitespace() || is_unprintable(c)
}

/// Reports the plain forms of a character: letter and accents separately, `ａ` as `a`. An ellipsis
/// stays, because it marks where a text was cut.
pub(super) fn plain_forms(c: char, mut report: impl FnMut(char)) {
    match c {
        _ if c.is_ascii() || c == '…' => report(c),
        _ => decompose_compatible(c, report),
    }
}

/// Returns the plain forms of a value, with one space for each run of white space inside of it.
pub(super) fn folded_value(value: &str) -> Vec<char> {
    let words = value.split_whitespace().map(|word| {
        let mut chars: Vec<(char, usize)> = Vec::new();
        word.chars().filter(|c| !is_left_out(*c)).for_each(|c| push(&mut chars, c, 0));
        chars.into_iter().map(|(c, _)| c).collect::<Vec<_>>()
    });
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(&' ')
}

/// Adds the plain forms of a character of a text, with its place. Accents of one letter get an
/// order that does not depend on how they were typed.
fn push(chars: &mut Vec<(char, usize)>, c: char, place: usize) {
    plain_forms(c, |form| {
        let class = canonical_combining_class(form);
        let comes_later = |(before, _): &&(char, usize)| canonical_combining_class(*before) > class;
        let later = chars.iter().rev().take_while(comes_later).count();
        chars.insert(chars.len() - if class == 0 { 0 } else { later }, (form, place));
    });
}

/// A folded text.
pub(super) struct Folded {
    pub(super) text: String,
    /// The place in the original text of the character that each byte is a form of.
    places: Vec<u32>,
}

impl Folded {
    pub(super) fn of(original: &str) -> Folded {
        let mut folded = Folded { text: String::with_capacity(original.len()), places: Vec::new() };
        // The accents of a letter are put in order with it.
        let mut letter: Vec<(char, usize)> = Vec::new();
        for (at, c) in original.char_indices().filter(|(_, c)| !is_left_out(*c)) {
            if c.is_ascii() || canonical_combining_class(c) == 0 {
                folded.add(&mut letter);
            }
            push(&mut letter, c, at);
        }
        folded.add(&mut letter);
        folded
    }

    fn add(&mut self, letter: &mut Vec<(char, usize)>) {
        for (form, place) in letter.drain(..) {
            self.text.push(form);
            self.places.extend((0..form.len_utf8()).map(|_| place as u32));
        }
    }

    /// Returns the range of the original text that a range of the folded text was made of.
    pub(super) fn original(&self, original: &str, start: usize, end: usize) -> (usize, usize) {
        let range = &self.places[start..end];
        let first = range.iter().min().copied().unwrap_or_default() as usize;
        let last = range.iter().max().copied().unwrap_or_default() as usize;
        (first, last + original[last..].chars().next().map_or(0, char::len_utf8))
    }
}
