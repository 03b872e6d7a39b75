//! Finds words that STYLE.md rules out in comments, documentation and messages.

use super::prose::{self, Word};
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

/// The page that lists these words.
const STYLE: &str = "STYLE.md";

/// Checks every file of the tree.
pub fn check(tree: &Tree) -> Vec<String> {
    let files =
        tree.files().filter(|(path, _)| *path != STYLE && *path != "xtask/src/tidy/words.rs");
    files.flat_map(|(path, text)| in_file(path, present(path, text))).collect()
}

/// Returns a changelog up to the end of its first entry; older entries are not checked.
fn present<'a>(path: &str, text: &'a str) -> &'a str {
    let entries = text.match_indices("\n## ").nth(1);
    let end = entries.filter(|_| path == "CHANGELOG.md").map_or(text.len(), |(at, _)| at);
    &text[..end]
}

fn in_file(path: &str, text: &str) -> Vec<String> {
    let words = prose::words(path, text);
    let mut found = Vec::new();
    for (avoided, instead) in AVOIDED {
        let phrase: Vec<&str> = avoided.split(' ').collect();
        let matches = |window: &&[Word]| {
            window.iter().zip(&phrase).all(|(word, expected)| word.text == *expected)
        };
        for window in words.windows(phrase.len()).filter(matches) {
            found.push(format!("{path}:{}: \"{avoided}\"; write {instead}", window[0].line));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_and_over_line_ends() {
        let text = "//! It is told in\n//! vain.\nlet told = \"untold, mended\";\n";
        let found = check(&Tree::of(&[("crates/a/src/b.rs", text), ("STYLE.md", "told")]));
        assert_eq!(
            found,
            [
                "crates/a/src/b.rs:1: \"told\"; write reported, printed",
                "crates/a/src/b.rs:1: \"in vain\"; write without result",
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
