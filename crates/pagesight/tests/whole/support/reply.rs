//! What a tool answered, and where an answer's parts begin.

use serde_json::Value;

/// What a tool answered.
#[derive(Debug)]
pub struct Reply {
    /// What it said; of `browser_interact` only the lines of the actions.
    pub text: String,
    /// What the actions changed.
    pub changes: String,
    pub is_error: bool,
    pub image: Option<String>,
}

impl Reply {
    /// The number of the first line that holds these words.
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

/// Where the lines of the actions end and what they changed begins: a diff, or the outline of
/// another page.
pub(super) fn verdicts_end(text: &str) -> usize {
    let begins = |line: &str| {
        [
            "changes (",
            "no visible change in text",
            "diff confidence",
            "what changed could",
            "by itself: ",
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
