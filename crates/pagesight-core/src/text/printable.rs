//! Which characters of a page are printed. Characters that cannot be seen can carry a message to a
//! program, and those that move the cursor or the direction of writing can change what a person
//! sees.

/// Whether a character is never printed: control characters, characters that Unicode calls
/// default-ignorable (zero-width, bidirectional controls, fillers, variation selectors, tags),
/// annotation marks and noncharacters. An emoji loses the selector of its style.
pub fn is_unprintable(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || is_line_separator(c)
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fdd0}'..='\u{fdef}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

/// Whether a character ends a line in some programs, but not in JSON or in most logs.
pub(crate) fn is_line_separator(c: char) -> bool {
    matches!(c, '\u{b}' | '\u{c}' | '\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_not_printed_and_letters_are() {
        for c in "\u{7f}\u{80}\u{9b}\u{85}\u{2028}\u{2029}\u{202e}\u{2066}\u{e0041}\u{fe0f}\u{e0100}\u{fffe}\u{1ffff}\u{1b}".chars() {
            assert!(is_unprintable(c), "{:x}", u32::from(c));
        }
        for c in " aé\u{301}日م😀\u{a0}\u{3000}#:[\u{e000}".chars() {
            assert!(!is_unprintable(c), "{:x}", u32::from(c));
        }
    }
}
