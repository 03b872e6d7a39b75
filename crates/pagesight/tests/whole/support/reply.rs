//! The answer of a tool, split into its parts.

use serde_json::Value;

/// The answer of a tool.
#[derive(Debug)]
pub struct Reply {
    /// The text; for `browser_interact` only the lines of the actions.
    pub text: String,
    /// The changes that the actions caused.
    pub changes: String,
    pub is_error: bool,
    pub image: Option<String>,
}

impl Reply {
    /// Returns the number of the first line that contains these words.
    pub fn number(&self, words: &str) -> String {
        let line = self
            .text
            .lines()
            .find(|line| line.contains(words))
            .unwrap_or_else(|| panic!("no {words:?} in\n{}", self.text));
        let (_, rest) = line.split_once('[').unwrap_or_else(|| panic!("no number in {line:?}"));
        rest.split_once(']').unwrap().0.to_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

/// Fails unless a text contains these words.
#[track_caller]
pub fn has(text: &str, words: &str) {
    assert!(text.contains(words), "{words:?} is not in\n{text}");
}

/// Fails if a text contains these words.
#[track_caller]
pub fn lacks(text: &str, words: &str) {
    assert!(!text.contains(words), "{words:?} is in\n{text}");
}

/// Returns where the lines of the actions end and the changes begin: a diff, or the outline of a
/// new page.
pub(super) fn verdicts_end(text: &str) -> usize {
    let begins = |line: &str| {
        [
            "changes:",
            "changes (",
            "no visible change in text",
            "diff confidence",
            "the changes could not",
            "in the background: ",
            "http://",
        ]
        .iter()
        .any(|start| line.starts_with(start))
            || line.contains("  http://")
            || line.contains("  about:blank")
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if begins(line) {
            return at;
        }
        at += line.len();
    }
    at
}
