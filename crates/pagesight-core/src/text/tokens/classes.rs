//! The classes of characters that o200k's pattern distinguishes.

/// The class of a character for the split. The numbers are those of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharClass {
    /// Neither a letter nor a mark, a number or white space.
    Other = 0,
    Upper = 1,
    Lower = 2,
    /// `\p{Lm}\p{Lo}`: letters without case.
    Caseless = 3,
    Mark = 4,
    Number = 5,
    /// `\s` without line ends.
    Space = 6,
    LineEnd = 7,
}

impl CharClass {
    /// Returns the class with this number.
    pub(super) fn of_number(number: u8) -> CharClass {
        match number {
            1 => CharClass::Upper,
            2 => CharClass::Lower,
            3 => CharClass::Caseless,
            4 => CharClass::Mark,
            5 => CharClass::Number,
            6 => CharClass::Space,
            7 => CharClass::LineEnd,
            _ => CharClass::Other,
        }
    }

    /// Returns the class of an ASCII character.
    const fn of_ascii(byte: u8) -> CharClass {
        match byte {
            b'A'..=b'Z' => CharClass::Upper,
            b'a'..=b'z' => CharClass::Lower,
            b'0'..=b'9' => CharClass::Number,
            b'\r' | b'\n' => CharClass::LineEnd,
            b' ' | b'\t' | 0x0b | 0x0c => CharClass::Space,
            _ => CharClass::Other,
        }
    }

    /// Whether the character can be in the first part of a word:
    /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`.
    pub(super) fn is_first_part(self) -> bool {
        matches!(self, CharClass::Upper | CharClass::Caseless | CharClass::Mark)
    }

    /// Whether the character can be in the second part of a word: `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`.
    pub(super) fn is_second_part(self) -> bool {
        matches!(self, CharClass::Lower | CharClass::Caseless | CharClass::Mark)
    }

    /// Whether the character can be in a run of signs: `[^\s\p{L}\p{N}]`.
    pub(super) fn is_sign(self) -> bool {
        matches!(self, CharClass::Other | CharClass::Mark)
    }

    /// Whether the character is white space.
    pub(super) fn is_white_space(self) -> bool {
        matches!(self, CharClass::Space | CharClass::LineEnd)
    }
}

/// The classes of ASCII, which need no look into the table.
pub(super) static ASCII: [CharClass; 128] = {
    let mut classes = [CharClass::Other; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = CharClass::of_ascii(byte as u8);
        byte += 1;
    }
    classes
};
