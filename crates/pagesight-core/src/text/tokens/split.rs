//! Splits text into the pieces that o200k encodes separately. The pattern, of which the first
//! alternative that matches wins:
//!
//! ```text
//! [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+CONTRACTION?
//! [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*CONTRACTION?
//! \p{N}{1,3}
//!  ?[^\s\p{L}\p{N}]+[\r\n/]*
//! \s*[\r\n]+
//! \s+(?!\S)
//! \s+
//! ```
//!
//! CONTRACTION is `(?i:'s|'t|'re|'ve|'m|'ll|'d)`.
//!
//! Every character is in one of the classes, so the pieces cover the text. A word is scanned at
//! most twice, and so is a run of white space: the time is linear.

use super::classes::{ASCII, CharClass};
use super::table::TokenTable;

/// The pieces of a text, each as where it begins and ends.
pub(super) struct Pieces<'t> {
    text: &'t str,
    table: &'t TokenTable<'t>,
    at: usize,
}

/// A word without what may precede it.
struct Word {
    end: usize,
    /// Whether the word has the second part, as the first alternative requires.
    has_second_part: bool,
}

impl<'t> Pieces<'t> {
    /// Returns the pieces of `text`.
    pub(super) fn of(text: &'t str, table: &'t TokenTable<'t>) -> Pieces<'t> {
        Pieces { text, table, at: 0 }
    }

    /// Returns the class of the character at `at` and where it ends. `None` at the end of the text.
    #[inline]
    fn class(&self, at: usize) -> Option<(CharClass, usize)> {
        let byte = *self.text.as_bytes().get(at)?;
        match ASCII.get(usize::from(byte)) {
            Some(class) => Some((*class, at + 1)),
            None => self.class_beyond_ascii(at),
        }
    }

    fn class_beyond_ascii(&self, at: usize) -> Option<(CharClass, usize)> {
        let character = self.text.get(at..)?.chars().next()?;
        Some((self.table.class(character), at + character.len_utf8()))
    }

    /// Returns where the run of characters that are `wanted` ends.
    #[inline]
    fn run(&self, mut at: usize, wanted: impl Fn(CharClass) -> bool) -> usize {
        while let Some((class, end)) = self.class(at) {
            if !wanted(class) {
                break;
            }
            at = end;
        }
        at
    }

    /// Returns where the piece that begins with this character ends.
    fn piece(&self, class: CharClass, end: usize) -> usize {
        match class {
            CharClass::Upper | CharClass::Lower | CharClass::Caseless => {
                self.contraction(self.word(self.at).end)
            }
            CharClass::Number => self.numbers(end),
            CharClass::LineEnd => self.white_space(),
            CharClass::Mark | CharClass::Space | CharClass::Other => {
                self.word_after(class, end).unwrap_or_else(|| self.no_word(class, end))
            }
        }
    }

    /// Returns where the word ends that has this character before its first letter.
    fn word_after(&self, class: CharClass, start: usize) -> Option<usize> {
        let (next, _) = self.class(start)?;
        if !next.is_first_part() && !next.is_second_part() {
            return None;
        }
        let word = self.word(start);
        // A mark may also be the whole second part. That is still the first alternative, so it is
        // tried before a word without a second part.
        let is_mark_alone = class == CharClass::Mark && !word.has_second_part;
        Some(self.contraction(if is_mark_alone { start } else { word.end }))
    }

    /// Returns where a word ends whose first character is known to be a letter or a mark.
    #[inline]
    fn word(&self, start: usize) -> Word {
        let (mut at, mut after_caseless) = (start, None);
        while let Some((class, end)) = self.class(at) {
            match class {
                CharClass::Upper => {}
                CharClass::Caseless | CharClass::Mark => after_caseless = Some(end),
                CharClass::Lower => {
                    // Most letters are these; they need no look at their class.
                    let rest = self.text.as_bytes().get(end..).unwrap_or_default();
                    let plain = rest.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
                    let end = self.run(end + plain, CharClass::is_second_part);
                    return Word { end, has_second_part: true };
                }
                _ => break,
            }
            at = end;
        }
        // Without a lower-case letter, the first part gives back characters until the second part
        // has one: the last one that can be in both.
        match after_caseless {
            Some(end) => Word { end, has_second_part: true },
            None => Word { end: at, has_second_part: false },
        }
    }

    /// Returns where the piece ends if a contraction may follow the word.
    #[inline]
    fn contraction(&self, end: usize) -> usize {
        let bytes = self.text.as_bytes();
        if bytes.get(end) != Some(&b'\'') {
            return end;
        }
        let letter = |at: usize| bytes.get(end + at).map_or(0, u8::to_ascii_lowercase);
        end + match (letter(1), letter(2)) {
            (b's' | b't' | b'm' | b'd', _) => 2,
            (b'r' | b'v', b'e') | (b'l', b'l') => 3,
            // U+017F, the long s, is an s in a different case.
            (0xc5, 0xbf) => 3,
            _ => 0,
        }
    }

    /// Returns where up to three numbers end, after the first.
    fn numbers(&self, mut end: usize) -> usize {
        for _ in 0..2 {
            match self.class(end) {
                Some((CharClass::Number, after)) => end = after,
                _ => break,
            }
        }
        end
    }

    /// Returns where the piece ends if its first character is not before a word.
    fn no_word(&self, class: CharClass, end: usize) -> usize {
        let space = self.text.as_bytes().get(self.at) == Some(&b' ');
        match class {
            // A mark is a word; no letter follows it.
            CharClass::Mark => self.contraction(end),
            CharClass::Other => self.signs(end),
            _ if space && self.class(end).is_some_and(|(next, _)| next.is_sign()) => {
                self.signs(end)
            }
            _ => self.white_space(),
        }
    }

    /// Returns where a run of signs and the line ends and slashes after it end.
    fn signs(&self, at: usize) -> usize {
        let mut end = self.run(at, CharClass::is_sign);
        while let Some(b'\r' | b'\n' | b'/') = self.text.as_bytes().get(end) {
            end += 1;
        }
        end
    }

    /// Returns where a piece of white space ends: after the last line end of the run; without line
    /// ends before the last character, which belongs to what follows; at the end of the text if
    /// nothing follows.
    fn white_space(&self) -> usize {
        let (mut at, mut last, mut after_line_end) = (self.at, self.at, None);
        while let Some((class, end)) = self.class(at) {
            if !class.is_white_space() {
                break;
            }
            if class == CharClass::LineEnd {
                after_line_end = Some(end);
            }
            (last, at) = (at, end);
        }
        match after_line_end {
            Some(end) => end,
            None if at == self.text.len() || last == self.at => at,
            None => last,
        }
    }
}

impl Iterator for Pieces<'_> {
    type Item = (usize, usize);

    #[inline]
    fn next(&mut self) -> Option<(usize, usize)> {
        let start = self.at;
        let (class, end) = self.class(start)?;
        self.at = self.piece(class, end);
        Some((start, self.at))
    }
}
