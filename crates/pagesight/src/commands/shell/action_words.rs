//! Splits an action of `pagesight act` into words.

/// A word, and whether it was quoted.
pub(super) struct Word {
    pub(super) text: String,
    pub(super) quoted: bool,
}

/// Splits at white space. Quotes keep words together; in double quotes, a backslash keeps the next
/// character.
pub(super) fn split(given: &str) -> Result<Vec<Word>, String> {
    let mut words = Vec::new();
    let mut characters = given.chars().peekable();
    while let Some(first) = characters.peek().copied() {
        if first.is_whitespace() {
            characters.next();
            continue;
        }
        let mut word = Word { text: String::new(), quoted: false };
        while let Some(next) = characters.peek().copied().filter(|next| !next.is_whitespace()) {
            characters.next();
            // Only a quote at the beginning of a word quotes: don't is a word.
            if !(next == '"' || next == '\'') || !word.text.is_empty() || word.quoted {
                word.text.push(next);
                continue;
            }
            word.quoted = true;
            loop {
                match characters.next() {
                    None => return Err(format!("the quote {next} is not closed")),
                    Some(end) if end == next => break,
                    Some('\\') if next == '"' => match characters.next() {
                        Some('n') => word.text.push('\n'),
                        Some('t') => word.text.push('\t'),
                        Some(kept) => word.text.push(kept),
                        None => return Err(format!("the quote {next} is not closed")),
                    },
                    Some(other) => word.text.push(other),
                }
            }
        }
        words.push(word);
    }
    Ok(words)
}

impl Word {
    /// Whether it is a reference: `12`, `[12]`, `1_12`.
    pub(super) fn is_reference(&self) -> bool {
        let inner = self.text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let inner = inner.unwrap_or(&self.text);
        !self.quoted
            && inner.starts_with(|c: char| c.is_ascii_digit())
            && inner.chars().all(|c| c.is_ascii_digit() || c == '_')
    }

    /// Whether it names an element: a quoted word, or a CSS selector.
    pub(super) fn is_target(&self) -> bool {
        (self.quoted && !self.text.trim().is_empty()) || self.text.starts_with("css=")
    }

    /// Returns it as a point, such as `120,80`.
    pub(super) fn point(&self) -> Option<(f64, f64)> {
        let (x, y) = self.text.split_once(',').filter(|_| !self.quoted)?;
        Some((x.parse().ok()?, y.parse().ok()?))
    }
}
