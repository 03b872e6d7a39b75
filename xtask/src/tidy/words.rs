//! Finds words that STYLE.md rules out, in prose, names, scripts and settings, and doc comments
//! that begin with a question word.

use std::sync::LazyLock;

use regex::Regex;

use super::patterns::{line_of, regex};
use super::tree::Tree;

/// Words to avoid, and what to write instead.
const AVOIDED: [(&str, &str); 9] = [
    ("tell", "report, print"),
    ("tells", "reports, prints"),
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
        regex(&format!(
            "(?:(?:^|[^A-Za-z])(?i:{any_case})|[a-z]{capital}(?i:{rest}))(?:[^A-Za-z]|[A-Z][a-z]|$)"
        ))
    };
    AVOIDED.iter().map(pattern).collect()
});
/// The first line of a doc comment: the line before it is not a comment.
static QUESTION: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)(?:\A|^\s*(?:[^/\s].*)?\n)\s*/(?://|/!|\*\*) (?:What|Who)\b"));

/// Checks every file of the tree.
pub fn check(tree: &Tree) -> Vec<String> {
    let files = tree.files().filter(|(path, _)| !LISTS.contains(path));
    files.flat_map(|(path, text)| in_file(path, present(path, text))).collect()
}

/// Returns a changelog up to the end of its first entry; older entries are not checked.
fn present<'a>(path: &str, text: &'a str) -> &'a str {
    let older = text.match_indices("\n## ").nth(1).filter(|_| path == "CHANGELOG.md");
    &text[..older.map_or(text.len(), |(at, _)| at)]
}

fn in_file(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for ((avoided, instead), pattern) in AVOIDED.iter().zip(PATTERNS.iter()) {
        for place in pattern.find_iter(text) {
            // The first character may be the end of the line before.
            let line = line_of(text, place.start() + 1);
            found.push(format!("{path}:{line}: \"{avoided}\"; write {instead}"));
        }
    }
    for place in QUESTION.find_iter(text) {
        let line = line_of(text, place.end());
        found.push(format!("{path}:{line}: a doc comment begins with a verb or a noun phrase"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_in_names_and_over_line_ends() {
        let text = "//! It is told in\n//! vain.\nfn untold_TELLING_by_itself() { wasToldTo() }\n";
        let found = check(&Tree::of(&[("crates/a/src/b.rs", text), ("STYLE.md", "told")]));
        assert_eq!(
            found,
            [
                "crates/a/src/b.rs:1: \"told\"; write reported, printed",
                "crates/a/src/b.rs:3: \"told\"; write reported, printed",
                "crates/a/src/b.rs:1: \"in vain\"; write without result",
                "crates/a/src/b.rs:3: \"by itself\"; write on its own, separately",
            ]
        );
        assert_eq!(check(&Tree::of(&[("test", "# anew\n"), ("a.yml", "name: mend\n")])).len(), 2);
    }

    #[test]
    fn doc_comments_do_not_begin_with_a_question_word() {
        for (text, count) in [
            ("//! What it is.\n", 1),
            ("use a;\n\n/// Who did it.\nfn a() {}\n", 1),
            ("x;\n    /** What it is. */\n", 1),
            ("/// Returns\n/// What it is.\n// What it is.\n/// Whatever.\n", 0),
        ] {
            assert_eq!(check(&Tree::of(&[("a.rs", text)])).len(), count, "{text}");
        }
    }

    #[test]
    fn old_entries_of_the_changelog_stay() {
        let text = "# Changelog\n\n## 2\n\nmend\n\n## 1\n\ntold\n";
        let found = check(&Tree::of(&[("CHANGELOG.md", text)]));
        assert_eq!(found, ["CHANGELOG.md:5: \"mend\"; write fix"]);
    }
}
