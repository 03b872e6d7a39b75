//! Tests that no error and no notice of the workspace can be imitated by text of a page. The errors
//! are searched here independently of the table that the quoting uses.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use pagesight_core::text::escape::safe_line;
use pagesight_core::text::own_lines;
use regex::Regex;

/// The word for a value in a sample.
const VALUE: &str = "77777";

fn is_quoted(text: &str) -> bool {
    safe_line(text, 2_000).starts_with('"')
}

/// Returns the Rust files below a folder.
fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_sentence_is_quoted_as_page_text() {
    for form in own_lines::sentences() {
        let text = form.replace('*', VALUE);
        assert!(is_quoted(&text), "{text}");
        assert!(is_quoted(&format!("{text} and more")), "{text}");
        let wide: String = text
            .chars()
            .map(|c| match c {
                '!'..='~' => char::from_u32(u32::from(c) + 0xfee0).unwrap(),
                c => c,
            })
            .collect();
        assert!(is_quoted(&wide) || !text.is_ascii(), "{wide}");
    }
}

#[test]
fn every_error_is_quoted_as_page_text() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(crates).unwrap() {
        rust_files(&entry.unwrap().path().join("src"), &mut files);
    }
    let errors = Regex::new(r#"#\[error\(\s*"((?:[^"\\]|\\.)*)""#).unwrap();
    let value = Regex::new(r"\{[^{}]*\}").unwrap();
    let mut seen = 0;
    for file in files {
        // `{{` is a brace.
        let source = std::fs::read_to_string(&file).unwrap();
        let source = source.replace("{{", "\u{1}").replace("}}", "\u{2}");
        for error in errors.captures_iter(&source) {
            // A sentence that begins with a value has no beginning of its own; two words with a
            // value, such as "it answered 404", are common in pages.
            let count = |text: &str| text.split_whitespace().count();
            let own: Vec<&str> = value.split(&error[1]).collect();
            if count(own[0]) < 2 || own.iter().copied().map(count).sum::<usize>() < 3 {
                continue;
            }
            let text = value.replace_all(&error[1], VALUE).replace("\\\"", "\"");
            let text = text.replace('\u{1}', "{").replace('\u{2}', "}");
            assert!(is_quoted(&text), "{text}: run cargo xtask docs");
            seen += 1;
        }
    }
    assert!(seen > 150, "{seen} errors were found");
}
