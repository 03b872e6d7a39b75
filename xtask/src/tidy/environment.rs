//! Finds environment variables that the program reads and docs/environment.md does not list.

use std::sync::LazyLock;

use regex::Regex;

use super::patterns::{captured, line_of, regex};
use super::tree::Tree;

/// The page that lists the variables.
const PAGE: &str = "docs/environment.md";
/// How names begin that are not read from the user's environment: set by cargo at compile time, set
/// for Firefox, errors of Firefox, and variables of tests.
const OTHERS: [&str; 4] = ["CARGO_", "MOZ_", "NS_", "PAGESIGHT_TEST_"];

/// A string that can only be the name of a variable, or one that is looked up as such.
static READ: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?x) "[A-Z][A-Z0-9]*_[A-Z0-9_]+"
            | \b(?:var|var_os|environment|variable|set|plain|given|try_from_env)\("[A-Z][A-Z0-9_]+""#,
    )
});
static NAME: LazyLock<Regex> = LazyLock::new(|| regex(r#""([A-Z0-9_]+)""#));
static LISTED: LazyLock<Regex> = LazyLock::new(|| regex(r"`([A-Z][A-Z0-9_]+)`"));

/// Checks the sources of the product.
pub fn check(tree: &Tree) -> Vec<String> {
    let Some(page) = tree.get(PAGE) else { return vec![format!("{PAGE} is missing")] };
    let listed: Vec<&str> = captured(&LISTED, page).collect();
    let sources = tree.below("crates/", ".rs").filter(|(path, _)| is_product(path));
    sources.flat_map(|(path, text)| missing(path, text, &listed)).collect()
}

fn is_product(path: &str) -> bool {
    path.contains("/src/") && !path.ends_with("/tests.rs") && !path.contains("/tests/")
}

fn missing(path: &str, text: &str, listed: &[&str]) -> Vec<String> {
    let code = text.split("\n#[cfg(test)]").next().unwrap_or_default();
    let mut found = Vec::new();
    for read in READ.find_iter(code) {
        for name in captured(&NAME, read.as_str()) {
            if !listed.contains(&name) && !OTHERS.iter().any(|other| name.starts_with(other)) {
                let line = line_of(text, read.start());
                found.push(format!("{path}:{line}: {PAGE} does not list {name}"));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_is_not_listed_is_found() {
        let source = "const NEW: &str = \"PAGESIGHT_NEW\";\nlet ci = std::env::var(\"CI\");\n\
                      arg(\"FILE\"); env!(\"CARGO_PKG_VERSION\");\nvar(\"HOME\");\n\
                      #[cfg(test)]\nmod tests { var(\"TESTS_ONLY\"); }\n";
        let tree = Tree::of(&[
            ("crates/a/src/a.rs", source),
            ("crates/a/tests/b.rs", "var(\"NOT_PRODUCT\")"),
            (PAGE, "| `HOME` | the home folder |\n"),
        ]);
        assert_eq!(
            check(&tree),
            [
                "crates/a/src/a.rs:1: docs/environment.md does not list PAGESIGHT_NEW",
                "crates/a/src/a.rs:2: docs/environment.md does not list CI",
            ]
        );
    }
}
