//! Finds words that STYLE.md rules out.

use std::sync::LazyLock;

use regex::Regex;

use super::patterns::regex;
use super::tree::Tree;

/// Words to avoid, and what to write instead.
const AVOIDED: [(&str, &str); 7] = [
    ("told", "reported, printed"),
    ("anew", "again"),
    ("in vain", "without result"),
    ("mend", "fix"),
    ("as bad as", "at or above the severity"),
    ("is another", "differs"),
    ("by itself", "on its own, separately"),
];
/// Files that list these words.
const LISTS: [&str; 2] = ["STYLE.md", "xtask/src/tidy/words.rs"];

/// One pattern per entry: whole words, also in `snake_case` and `camelCase`, and over line ends.
static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let pattern = |(avoided, _): &(&str, &str)| {
        let any_case = avoided.replace(' ', r"[\s/#*!_-]*");
        let (first, rest) = any_case.split_at(1);
        let capital = first.to_uppercase();
        regex(&format!("(?:(?:^|[^A-Za-z])(?i:{any_case})|[a-z]{capital}(?i:{rest}))(?:[^a-z]|$)"))
    };
    AVOIDED.iter().map(pattern).collect()
});

/// Checks every file of the tree.
pub fn check(tree: &Tree) -> Vec<String> {
    let files = tree.files().filter(|(path, _)| !LISTS.contains(path));
    files.flat_map(|(path, text)| in_file(path, &prose(path, text))).collect()
}

fn in_file(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for ((avoided, instead), pattern) in AVOIDED.iter().zip(PATTERNS.iter()) {
        for place in pattern.find_iter(text) {
            // The first character may be the end of the line before.
            let before = &text.as_bytes()[..=place.start()];
            let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
            found.push(format!("{path}:{line}: \"{avoided}\"; write {instead}"));
        }
    }
    found
}

/// Returns the text of a file without code, and a changelog only up to the end of its first entry.
fn prose(path: &str, text: &str) -> String {
    let later = text.match_indices("\n## ").nth(1).filter(|_| path == "CHANGELOG.md");
    let text = &text[..later.map_or(text.len(), |(at, _)| at)];
    let is_code = path.ends_with(".rs") || path.ends_with("s");
    let is_comment = |line: &str| ["//", "*", "/*"].iter().any(|start| line.starts_with(start));
    let lines =
        text.lines().map(|line| if is_code && !is_comment(line.trim()) { "" } else { line });
    lines.map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_and_over_line_ends() {
        let text = "//! It is told in\n//! vain.\n// untold, mended, by-\n// itself, wasToldTo\n";
        let found = check(&Tree::of(&[("crates/a/src/b.rs", text), ("STYLE.md", "told")]));
        assert_eq!(
            found,
            [
                "crates/a/src/b.rs:1: \"told\"; write reported, printed",
                "crates/a/src/b.rs:4: \"told\"; write reported, printed",
                "crates/a/src/b.rs:1: \"in vain\"; write without result",
                "crates/a/src/b.rs:3: \"by itself\"; write on its own, separately",
            ]
        );
    }

    #[test]
    fn old_entries_of_the_changelog_stay() {
        let text = "# Changelog\n\n## 2\n\nmend\n\n## 1\n\ntold\n";
        let found = check(&Tree::of(&[("CHANGELOG.md", text)]));
        assert_eq!(found, ["CHANGELOG.md:5: \"mend\"; write fix"]);
    }
}
