//! Commands that a CI system reads from the log of a step. GitHub obeys `::name::` at the start of
//! a line and `##[name]` anywhere, Azure `##vso[…]`, TeamCity `##teamcity[…]`. Text of a page must
//! not contain them when it is printed.

use std::borrow::Cow;

/// Whether a text contains what such a command begins with.
pub(super) fn has_command(text: &str) -> bool {
    // Most texts have neither, and need no look at each line.
    (text.contains("::") || text.contains("##")) && marks(text).next().is_some()
}

/// Returns the text with a space inside of each mark: `# #[error]`, `: :error::`.
pub(super) fn broken(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for at in marks(text) {
        out.push_str(&text[copied..=at]);
        out.push(' ');
        copied = at + 1;
    }
    if copied == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[copied..]) }
}

/// Returns where the marks are: the position of the first of their last two `#`, or of their first
/// `:`.
fn marks(text: &str) -> impl Iterator<Item = usize> {
    let mut start = 0;
    let starts = text.split_inclusive('\n').filter_map(move |line| {
        let at = start + line.len() - line.trim_start().len();
        start += line.len();
        line.trim_start().starts_with("::").then_some(at)
    });
    let mut all: Vec<usize> = starts.chain(bracketed(text)).collect();
    all.sort_unstable();
    all.into_iter()
}

/// Returns the position of each `##[` or `##word[`.
pub(super) fn bracketed(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let is_mark = |at: &usize| {
        bytes[*at..].starts_with(b"##")
            && bytes[at + 2..].iter().find(|byte| !byte.is_ascii_alphanumeric()) == Some(&b'[')
    };
    text.match_indices('#').map(|(at, _)| at).filter(move |at| is_mark(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_broken_and_stay_readable() {
        for (text, expected) in [
            ("##[error]x", "# #[error]x"),
            ("a ###[group]x", "a ## #[group]x"),
            ("##vso[task.x]", "# #vso[task.x]"),
            ("##teamcity[x '##teamcity[y", "# #teamcity[x '# #teamcity[y"),
            ("::error::x", ": :error::x"),
            ("a\n \u{a0}::set-env::x", "a\n \u{a0}: :set-env::x"),
            (":::x", ": ::x"),
        ] {
            assert_eq!(broken(text), expected);
            assert!(!has_command(&broken(text)), "{expected}");
        }
    }

    #[test]
    fn ordinary_text_stays_as_it_is() {
        for text in ["std::vec", "a ::before", "## Title", "##", "a[##]", "# [x]", "x: : y", "#[x]"]
        {
            assert!(matches!(broken(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
