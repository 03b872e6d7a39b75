//! Makes the table of everything that pagesight says in words: how its errors and notices begin.
//! Core quotes page text that begins like one of them. The sentences are found in the strings of
//! all crates, so that a new one cannot be forgotten.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::tidy::imports::rust_modules;
use crate::tidy::patterns::regex;
use crate::tidy::source::strings_without_tests;
use crate::tidy::tree::Tree;

/// The table that core embeds.
pub(super) const PATH: &str = "crates/pagesight-core/src/text/own_lines/sentences.txt";

/// How many words of a beginning are kept; fewer are too common in texts of pages.
const MOST_WORDS: usize = 4;
/// The fewest words of a beginning, and the fewest before a value that ends it.
const FEWEST_WORDS: usize = 3;
const FEWEST_BEFORE_VALUE: usize = 2;
/// A beginning with such a word is common, so it needs as many words before a value as elsewhere.
const COMMON: [&str; 16] = [
    "a", "an", "has", "is", "it", "its", "left", "list", "more", "moved", "no", "nothing", "of",
    "since", "the", "to",
];

/// A value in a format string, and the line break of a long string.
static VALUE: LazyLock<Regex> = LazyLock::new(|| regex(r"\{[^{}]*\}"));
static CONTINUED: LazyLock<Regex> = LazyLock::new(|| regex(r"\\\n\s*"));

/// Returns the table: one beginning per line, with `*` for values.
pub(super) fn table(tree: &Tree) -> String {
    let modules = rust_modules(tree);
    let crates = modules.values().filter(|(path, _)| path.starts_with("crates/"));
    let strings = crates.flat_map(|(path, text)| strings_without_tests(path, text));
    let found: BTreeSet<String> = strings.flat_map(|string| beginnings(&string)).collect();
    found.into_iter().map(|form| form + "\n").collect()
}

/// Returns how the lines of a string begin, if they are sentences.
fn beginnings(string: &str) -> Vec<String> {
    let joined = CONTINUED.replace_all(string, "");
    // `{{` is a brace.
    let braced = joined.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let plain = VALUE.replace_all(&braced, "*").replace("\\\"", "\"");
    let plain = plain.replace('\u{1}', "{").replace('\u{2}', "}");
    plain.split("\\n").filter_map(beginning).collect()
}

/// Returns the first words of a line, up to the value that ends them.
fn beginning(line: &str) -> Option<String> {
    let tokens: Vec<&str> = line.split(' ').take_while(|token| !token.is_empty()).collect();
    let begins_with_value = tokens.first()?.contains('*');
    let mut form = if begins_with_value { vec!["*"] } else { Vec::new() };
    let fewest = match COMMON.contains(&tokens[0]) {
        true => FEWEST_WORDS,
        false => FEWEST_BEFORE_VALUE,
    };
    let (mut words, mut is_ended) = (0, false);
    for token in &tokens[form.len()..] {
        let is_value = token.contains('*');
        // In the table, `#` would stand for a number.
        if words == MOST_WORDS || begins_with_value && is_value || token.contains('#') {
            break;
        }
        let has_value = form.iter().any(|before| before.contains('*'));
        is_ended = is_value && words >= if has_value { FEWEST_WORDS } else { fewest };
        if is_ended {
            break;
        }
        form.push(token);
        words += usize::from(!is_value);
    }
    let is_sentence = tokens[0].starts_with(|c: char| c.is_ascii_lowercase() || c == '[');
    let is_long = match begins_with_value {
        true => words == MOST_WORDS,
        false => is_sentence && (words >= FEWEST_WORDS || is_ended),
    };
    // What is in the place of the last value does not matter.
    is_long.then(|| form.join(" ") + if is_ended { " *" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_of_sentences_are_found() {
        for (string, found) in [
            ("unknown tab {given:?}: the open tabs are {open}", "unknown tab *"),
            ("the {what} could not be read: {why}", "the * could not be"),
            ("this workspace had ended (unused)", "this workspace had ended"),
            ("no dialog \\\n        is open", "no dialog is open"),
            ("tab {tab} crashed; reload it in the browser", "tab * crashed; reload it"),
            ("{} exists and was kept; set overwrite", "* exists and was kept;"),
            ("{path}: {reason}", ""),
            ("{given} is not a {kind}", ""),
            ("two words", ""),
            ("it answered {status}", ""),
            ("the browser {name} did not start", "the browser * did not"),
            ("option {a} of {b} is disabled", "option * of * is disabled"),
            ("Not our style", ""),
            (" and more of it", ""),
            ("a ${{ has no }}; write", "a ${ has no"),
            ("no line is # 1 here", "no line is"),
            ("Usage\\nthere is no run", "there is no run"),
        ] {
            let found: Vec<&str> =
                Some(found).filter(|found| !found.is_empty()).into_iter().collect();
            assert_eq!(beginnings(string), found, "{string}");
        }
    }

    #[test]
    fn strings_of_tests_are_not_sentences() {
        let text = "const A: &str = \"the page is gone\";\n#[cfg(test)]\nmod tests {\n    \
            const B: &str = \"the test is gone\";\n}\n#[cfg(test)]\nmod more;\n";
        let more = "const C: &str = \"the rest is gone\";\n";
        let tree = Tree::of(&[("crates/a/src/lib.rs", text), ("crates/a/src/more.rs", more)]);
        assert_eq!(table(&tree), "the page is gone\n");
    }
}
