//! Rules about single files: a header, a limited length, limited line widths, and what a crate may
//! name.

use std::sync::LazyLock;

use regex::Regex;

use super::patterns::{captured, regex};
use super::source::code_without_tests;
use super::tree::Tree;

/// The longest source file.
const LONGEST: usize = 600;
/// The widest line of a comment or of prose.
const WIDEST: usize = 100;
/// Names that core may not use: it is pure.
static IMPURE: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"\b(std::(?:fs|net|process|thread|env)|Instant|SystemTime|tokio|async fn)\b")
});
/// Protocol methods, which only the browser crate may name.
static PROTOCOL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?x)"((?:Page|Runtime|Target|Input|Network|DOM|browsingContext|session)\.
            |script\.evaluate|input\.performActions)"#,
    )
});

/// Checks every file of the tree.
pub fn check(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.files() {
        if [".rs", ".ts", ".js"].iter().any(|ending| path.ends_with(ending)) {
            found.extend(header(path, text));
            found.extend(length(path, text));
            found.extend(wide_comments(path, text));
        }
        if path.ends_with(".md") {
            found.extend(wide_prose(path, text));
        }
        found.extend(forbidden_words(path, text));
    }
    found
}

fn header(path: &str, text: &str) -> Option<String> {
    // A script may name its interpreter first.
    let first = text.lines().find(|line| !line.starts_with("#!/")).unwrap_or_default();
    let says = ["//!", "// ", "/*"].iter().any(|start| first.starts_with(start));
    (!says).then(|| format!("{path}: the first line does not say why the file exists"))
}

fn length(path: &str, text: &str) -> Option<String> {
    let lines = text.lines().count();
    (lines > LONGEST)
        .then(|| format!("{path}: {lines} lines, more than {LONGEST}; look for a second concept"))
}

/// Finds comments that are too wide, because the formatters do not wrap comments.
fn wide_comments(path: &str, text: &str) -> Option<String> {
    let is_wide = |line: &str| {
        let comment = line.trim_start();
        comment.starts_with("//") && !comment.contains("://") && is_wide(line)
    };
    let at = text.lines().position(is_wide)?;
    Some(format!("{path}:{}: a comment wider than {WIDEST} columns", at + 1))
}

/// Finds prose that is too wide. Tables, code and URLs may be wider.
fn wide_prose(path: &str, text: &str) -> Option<String> {
    let mut in_code = false;
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        let exempt = in_code || line.trim_start().starts_with('|') || line.contains("://");
        if !exempt && is_wide(line) {
            return Some(format!("{path}:{}: a line wider than {WIDEST} columns", at + 1));
        }
    }
    None
}

fn is_wide(line: &str) -> bool {
    line.chars().count() > WIDEST
}

fn forbidden_words(path: &str, text: &str) -> Option<String> {
    if path.starts_with("crates/pagesight-core/src/") && path.ends_with(".rs") {
        let used = captured(&IMPURE, &code_without_tests(path, text)).next()?.to_owned();
        return Some(format!("{path}: core is pure, but this uses {used}"));
    }
    let is_above = path.starts_with("crates/") && !path.starts_with("crates/pagesight-browser");
    let product = text.split("#[cfg(test)]").next().filter(|_| is_above && path.ends_with(".rs"));
    let used = captured(&PROTOCOL, product?).next()?;
    Some(format!("{path}: only the browser crate names protocol methods ({used})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(path: &str, text: &str, words: &str) {
        let found = check(&Tree::of(&[(path, text)])).join("\n");
        assert!(found.contains(words), "{words:?} is not in {found:?}");
    }

    #[test]
    fn each_rule_finds_what_breaks_it() {
        let long = format!("//! Why.\n{}", "\n".repeat(600));
        finds("crates/a/src/long.rs", &long, "601 lines, more than 600");
        finds("page/src/dom/long.ts", &long.replace("//!", "//"), "601 lines, more than 600");
        finds("crates/a/src/b.rs", "use std::fs;\n", "does not say why the file exists");
        finds("crates/a/src/b.rs", &format!("//! {}", "x".repeat(97)), "b.rs:1: a comment wider");
        finds("docs/a.md", &format!("Hi\n\n{}", "x ".repeat(51)), "a.md:3: a line wider");
        finds("crates/pagesight-core/src/a.rs", "//! Why.\nuse std::fs;\n", "core is pure");
        finds("crates/pagesight/src/a.rs", "//! Why.\nconst A: &str = \"Page.x\";", "protocol");
    }

    #[test]
    fn what_may_be_wide_is_not_found() {
        let wide = "x ".repeat(60);
        let text = format!("| {wide}|\n```\n{wide}\n```\n[a](https://example.com/{wide})\n");
        let files = [("docs/a.md", text.as_str()), ("crates/a/src/b.rs", "//! Why.\n")];
        assert_eq!(check(&Tree::of(&files)), Vec::<String>::new());
    }
}
