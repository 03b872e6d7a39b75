//! Globs of paths and names: `*` is any text without `/`, `**` any text, `?` one character, and
//! `**/` any folders or none.

/// A glob that was read.
#[derive(Clone, Debug)]
pub struct Glob(Vec<GlobToken>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum GlobToken {
    Plain(char),
    /// One character except `/`.
    One,
    /// Any text without `/`.
    Star,
    All,
    /// The next two tokens may be left out.
    Optional,
}

impl Glob {
    /// Reads a glob. Every text is one.
    pub fn new(pattern: &str) -> Glob {
        let mut tokens = Vec::new();
        let mut rest = pattern;
        while let Some(first) = rest.chars().next() {
            let begins = tokens.last().is_none_or(|last| *last == GlobToken::Plain('/'));
            let length = match first {
                _ if rest.starts_with("**/") && begins => {
                    tokens.extend([GlobToken::Optional, GlobToken::All, GlobToken::Plain('/')]);
                    3
                }
                _ if rest.starts_with("**") => {
                    tokens.push(GlobToken::All);
                    2
                }
                '*' => {
                    tokens.push(GlobToken::Star);
                    1
                }
                '?' => {
                    tokens.push(GlobToken::One);
                    1
                }
                plain => {
                    tokens.push(GlobToken::Plain(plain));
                    plain.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        Glob(tokens)
    }

    /// Reports whether it matches all of a text. Takes time in proportion to the text.
    pub fn matches(&self, text: &str) -> bool {
        let mut states = vec![false; self.0.len() + 1];
        states[0] = true;
        self.close(&mut states);
        for c in text.chars() {
            let mut next = vec![false; states.len()];
            for (at, token) in self.0.iter().enumerate().filter(|(at, _)| states[*at]) {
                match token {
                    GlobToken::Plain(plain) if *plain == c => next[at + 1] = true,
                    GlobToken::One if c != '/' => next[at + 1] = true,
                    GlobToken::Star if c != '/' => next[at] = true,
                    GlobToken::All => next[at] = true,
                    _ => {}
                }
            }
            self.close(&mut next);
            states = next;
        }
        states[self.0.len()]
    }

    /// Adds the states that are reached without a character.
    fn close(&self, states: &mut [bool]) {
        for (at, token) in self.0.iter().enumerate() {
            if states[at] {
                match token {
                    GlobToken::Star | GlobToken::All => states[at + 1] = true,
                    GlobToken::Optional => (states[at + 1], states[at + 3]) = (true, true),
                    _ => {}
                }
            }
        }
    }
}

pub(crate) fn all(patterns: &[String]) -> Vec<Glob> {
    patterns.iter().map(|pattern| Glob::new(pattern)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stop_at_slashes_and_double_stars_do_not() {
        for (pattern, text, expected) in [
            ("src/cart/**", "src/cart/a/b.ts", true),
            ("src/cart/**", "src/cart", false),
            ("src/*.ts", "src/a.ts", true),
            ("src/*.ts", "src/a/b.ts", false),
            ("**/*.css", "a.css", true),
            ("**/*.css", "x/y/a.css", true),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true),
            ("a/**/b", "a/xb", false),
            ("cart*", "cart-full", true),
            ("cart?", "cart", false),
            ("", "", true),
            ("größe?", "größen", true),
            ("**", "anything/at/all", true),
        ] {
            assert_eq!(Glob::new(pattern).matches(text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn many_stars_take_no_long_time() {
        let glob = Glob::new(&"*a".repeat(30));
        assert!(!glob.matches(&format!("{}b", "a".repeat(2_000))));
    }
}
