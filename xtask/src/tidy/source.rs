//! Blanks what is not code in Rust and TypeScript files, so that rules can search the rest with
//! regular expressions. Lines stay where they are.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::patterns::regex;

/// Comments, strings and character literals of Rust.
static RUST: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r####"(?xs) //[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\])*" | '(?:\\.[^']*|[^\\'])'
            | \br"[^"]*" | \br\#".*?"\# | \br\#\#".*?"\#\# | \br\#\#\#+".*?"\#\#\#+"####,
    )
});
/// Comments, strings, templates and patterns of TypeScript. A pattern is a slash after something
/// that has no value; what is before the slash is kept.
static TYPESCRIPT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?xs) //[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | `(?:\\.|[^`\\])*`
            | (?:[(\[{,;=:!?&|>]|\breturn)\s*/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[\n])+/"#,
    )
});
/// Code inside a template, which may contain an object.
static IN_TEMPLATE: LazyLock<Regex> = LazyLock::new(|| regex(r"\$\{((?:[^{}`]|\{[^{}`]*\})*)\}"));

/// Returns the code of a file, with spaces instead of comments, strings and patterns.
pub fn code(path: &str, text: &str) -> String {
    let not_code = if path.ends_with(".rs") { &RUST } else { &TYPESCRIPT };
    let blanked = not_code.replace_all(text, |found: &Captures<'_>| {
        let found = &found[0];
        let kept = match found.as_bytes()[0] {
            b'`' => {
                let code = IN_TEMPLATE.captures_iter(found).filter_map(|inside| inside.get(1));
                code.map(|code| code.range()).collect()
            }
            b'/' | b'"' | b'\'' | b'r' if !found.starts_with("return") => Vec::new(),
            _ => found.find('/').map(|slash| 0..slash).into_iter().collect(),
        };
        let is_kept = |at: usize, character: char| {
            character == '\n' || kept.iter().any(|range| range.contains(&at))
        };
        let characters = found.char_indices();
        characters.map(|(at, c)| if is_kept(at, c) { c } else { ' ' }).collect::<String>()
    });
    blanked.into_owned()
}

/// Returns the code of a Rust file without items that are for tests only. rustfmt's indentation
/// shows where an item ends.
pub fn code_without_tests(path: &str, text: &str) -> String {
    let code = code(path, text);
    let mut kept = String::new();
    for (line, is_test) in code.lines().zip(test_lines(&code)) {
        kept.push_str(if is_test { "" } else { line.trim_end() });
        kept.push('\n');
    }
    kept
}

/// Returns the strings of a Rust file as they are written, without those of items that are for
/// tests only.
pub fn strings_without_tests(path: &str, text: &str) -> Vec<String> {
    let tests = test_lines(&code(path, text));
    let strings = RUST.find_iter(text).filter(|found| {
        let line = text[..found.start()].matches('\n').count();
        found.as_str().starts_with('"') && !tests.get(line).copied().unwrap_or_default()
    });
    strings.map(|found| found.as_str().trim_matches('"').to_owned()).collect()
}

/// Returns for each line of code whether it is part of an item that is for tests only.
fn test_lines(code: &str) -> Vec<bool> {
    let mut left_out = None;
    let is_test = |line: &str| {
        let line = line.trim_end();
        let indentation = line.len() - line.trim_start().len();
        if ["#[cfg(test)]", "#[cfg(all(test,"]
            .iter()
            .any(|test| line[indentation..].starts_with(test))
        {
            left_out = Some(indentation);
        }
        let is_test = left_out.is_some();
        if left_out == Some(indentation) && line.ends_with(['}', ';', ',']) {
            left_out = None;
        }
        is_test
    };
    code.lines().map(is_test).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_rust_code_is_blank() {
        let text = r####"
// crate::no
/* crate::no */ use crate::yes; let s = "crate::no \" crate::no"; let r = r#"crate::no "no""#;
let c = '"'; let d = '\''; fn g<'x>(a: &'x str, b: crate::yes) {}
#[cfg(test)]
mod tests {
    use crate::no;
}
#[cfg(all(test, unix))]
use crate::{
    no,
};
use crate::yes;
"####;
        let code = code_without_tests("a.rs", text);
        assert_eq!(code.matches("crate::yes").count(), 3, "{code}");
        assert!(!code.contains("no"), "{code}");
        assert_eq!(code.lines().count(), text.lines().count());
    }

    #[test]
    fn what_is_not_typescript_code_is_blank() {
        let text = "a(/x.y[/]/, 'b.c', `d.e${f.g}`); // h.i\n/* j.k */ l / m.n\nreturn /o.p/;\n";
        let code = code("a.ts", text);
        let dots: Vec<&str> = code.split_whitespace().filter(|word| word.contains('.')).collect();
        assert_eq!(dots, ["f.g", "m.n"]);
        assert!(code.lines().count() == 3 && code.contains("return "), "{code}");
    }
}
