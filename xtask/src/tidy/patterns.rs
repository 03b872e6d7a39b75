//! Helpers of the rules that search with regular expressions.

use regex::Regex;

/// Compiles a pattern of a rule.
pub fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of the rules are constants")
}

/// Returns what the first group of a pattern matches, for each match.
pub fn captured<'t>(pattern: &Regex, text: &'t str) -> impl Iterator<Item = &'t str> {
    pattern.captures_iter(text).filter_map(|found| Some(found.get(1)?.as_str()))
}

/// Returns the number of the line of a byte.
pub fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count()
}
