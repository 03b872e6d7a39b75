//! Reads a file of the page script as code: comments, strings and patterns become spaces, so that
//! rules can look at the rest by its characters. Places and line numbers stay.

/// The code of a file, and the lines with a comment that says that a list is short.
pub struct PageCode {
    /// One byte for each byte of the file.
    pub bytes: Vec<u8>,
    bounded: Vec<usize>,
}

impl PageCode {
    pub fn read(text: &str) -> PageCode {
        let bounded = text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.contains("// bounded:"))
            .map(|(at, _)| at + 1)
            .collect();
        let mut reader = Reader { text: text.as_bytes(), at: 0, out: Vec::new() };
        reader.code(None);
        PageCode { bytes: reader.out, bounded }
    }

    /// Returns the number of the line of a byte.
    pub fn line(&self, at: usize) -> usize {
        1 + self.bytes[..at].iter().filter(|byte| **byte == b'\n').count()
    }

    /// Returns whether a comment on this line, or on the line before, says why a list is short.
    pub fn is_bounded(&self, line: usize) -> bool {
        self.bounded.iter().any(|at| *at == line || *at + 1 == line)
    }

    /// Returns the name that ends before a byte.
    pub fn name_before(&self, end: usize) -> &str {
        let from =
            self.bytes[..end].iter().rposition(|byte| !is_name(*byte)).map_or(0, |at| at + 1);
        std::str::from_utf8(&self.bytes[from..end]).unwrap_or_default()
    }

    /// Returns the name that starts at a byte.
    pub fn name_at(&self, from: usize) -> &str {
        let rest = &self.bytes[from..];
        let length = rest.iter().position(|byte| !is_name(*byte)).unwrap_or(rest.len());
        std::str::from_utf8(&rest[..length]).unwrap_or_default()
    }

    /// Returns the place after the last byte before `end` that is not white space.
    pub fn trimmed(&self, end: usize) -> usize {
        self.bytes[..end]
            .iter()
            .rposition(|byte| !byte.is_ascii_whitespace())
            .map_or(0, |at| at + 1)
    }
}

/// Returns whether a byte is part of a name.
pub fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    out: Vec<u8>,
}

impl Reader<'_> {
    /// Reads code up to the end, or up to the brace that closes an expression in a template.
    fn code(&mut self, closing: Option<u8>) {
        let mut depth = 0;
        while let Some(&byte) = self.text.get(self.at) {
            match (byte, self.text.get(self.at + 1)) {
                (b'/', Some(b'/')) => self.blank_until(|rest| rest.starts_with(b"\n"), 0),
                (b'/', Some(b'*')) => self.blank_until(|rest| rest.starts_with(b"*/"), 2),
                (b'"' | b'\'', _) => self.quoted(byte),
                (b'`', _) => self.template(),
                (b'/', _) if self.pattern_may_start() => self.quoted(b'/'),
                (b'{', _) => {
                    depth += 1;
                    self.keep();
                }
                (b'}', _) if closing.is_some() && depth == 0 => return,
                (b'}', _) => {
                    depth -= 1;
                    self.keep();
                }
                _ => self.keep(),
            }
        }
    }

    fn keep(&mut self) {
        self.out.push(self.text[self.at]);
        self.at += 1;
    }

    fn blank(&mut self) {
        self.out.push(if self.text[self.at] == b'\n' { b'\n' } else { b' ' });
        self.at += 1;
    }

    fn blank_until(&mut self, ends: impl Fn(&[u8]) -> bool, more: usize) {
        while self.at < self.text.len() && !ends(&self.text[self.at..]) {
            self.blank();
        }
        for _ in 0..more.min(self.text.len() - self.at) {
            self.blank();
        }
    }

    /// Reads a string or a pattern; its quotes stay, so that it still counts as a value.
    fn quoted(&mut self, quote: u8) {
        self.out.push(b'"');
        self.at += 1;
        let mut in_class = false;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\\' if self.at + 1 < self.text.len() => self.blank(),
                b'[' if quote == b'/' => in_class = true,
                b']' => in_class = false,
                _ if byte == quote && !in_class => {
                    self.out.push(b'"');
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.blank();
        }
    }

    fn template(&mut self) {
        self.out.push(b'"');
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at) {
            match (byte, self.text.get(self.at + 1)) {
                (b'\\', Some(_)) => self.blank(),
                (b'`', _) => {
                    self.out.push(b'"');
                    self.at += 1;
                    return;
                }
                (b'$', Some(b'{')) => {
                    self.blank();
                    self.blank();
                    self.code(Some(b'}'));
                    if self.at >= self.text.len() {
                        return;
                    }
                }
                _ => {}
            }
            self.blank();
        }
    }

    /// Returns whether a slash starts a pattern: nothing that has a value is before it.
    fn pattern_may_start(&self) -> bool {
        let before = self.out.iter().rposition(|byte| !byte.is_ascii_whitespace());
        match before.map(|at| (at, self.out[at])) {
            None => true,
            Some((at, byte)) if is_name(byte) => self.out[..=at].ends_with(b"return"),
            Some((_, byte)) => !matches!(byte, b')' | b']' | b'"'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_code_is_blank() {
        let code = PageCode::read("a(/x.y[/]/, 'b.c', `d.e${f.g}`); // h.i\n/* j.k */ l / m.n\n");
        let text = String::from_utf8(code.bytes).expect("spaces replace what is not code");
        let dots: Vec<&str> = text.split_whitespace().filter(|word| word.contains('.')).collect();
        assert_eq!(dots, ["f.g", "m.n"]);
        assert_eq!(text.lines().count(), 2);
    }
}
