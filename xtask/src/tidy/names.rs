//! Rules about names: public type names of the product are unique, so that a name means one thing,
//! and only the program names its tools, because the crates below do not know which tools their
//! reader has.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::patterns::{captured, line_of, regex};
use super::source::code_without_tests;
use super::tree::Tree;

static PUBLIC_TYPE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\bpub(?:\([^)]*\))?\s+(?:struct|enum|trait|union)\s+(\w+)"));
static TOOL: LazyLock<Regex> = LazyLock::new(|| regex(r#"const NAME: &'static str = "(\w+)""#));

/// Files with structs of the browsers' protocols, which are named as in the protocol.
const PROTOCOL: [&str; 2] = [
    "crates/pagesight-browser/src/chromium/protocol",
    "crates/pagesight-browser/src/bidi/protocol",
];
/// The program, which may name its tools.
const PROGRAM: &str = "crates/pagesight/";

/// Finds types that are visible outside of their file and have the same name as one of a different
/// file.
pub fn types(tree: &Tree) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (path, text) in tree.below("crates/", ".rs").filter(|(path, _)| path.contains("/src/")) {
        if !PROTOCOL.iter().any(|protocol| path.starts_with(protocol)) {
            for name in captured(&PUBLIC_TYPE, &code_without_tests(path, text)) {
                places.entry(name.to_owned()).or_default().push(path);
            }
        }
    }
    places.retain(|_, places| places.len() > 1);
    let found = places.into_iter();
    found
        .map(|(name, places)| format!("type {name} is declared in {}", places.join(" and ")))
        .collect()
}

/// Finds names of tools in the sources below the program.
pub fn tools(tree: &Tree) -> Vec<String> {
    let declarations = tree.below("crates/pagesight/src/tools/", ".rs");
    let names: Vec<&str> = declarations.flat_map(|(_, text)| captured(&TOOL, text)).collect();
    if names.is_empty() {
        return vec!["crates/pagesight/src/tools: no tool is declared".to_owned()];
    }
    // A call or a declaration with the same name is not the tool.
    let named = regex(&format!(r"\b(?:{})\b(?:[^(]|$)", names.join("|")));
    let is_below = |path: &str| {
        path.contains("/src/")
            && !path.starts_with(PROGRAM)
            && (path.starts_with("crates/") || path.starts_with("page/"))
    };
    let mut found = Vec::new();
    for (path, text) in tree.files().filter(|(path, _)| is_below(path)) {
        for tool in named.find_iter(text) {
            let line = line_of(text, tool.start());
            let name = tool.as_str().trim_end_matches(|end: char| !end.is_alphanumeric());
            found.push(format!("{path}:{line}: only the program names its tools ({name})"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_name_is_declared_once() {
        let tree = Tree::of(&[
            ("crates/a/src/x.rs", "pub struct Found; struct Kind; pub(crate) enum Side { A }"),
            ("crates/b/src/y.rs", "pub(crate) struct Found(u8); struct Kind; // pub struct Side"),
            ("crates/pagesight-browser/src/bidi/protocol.rs", "pub struct Found;"),
            ("crates/b/tests/z.rs", "pub struct Side;"),
        ]);
        assert_eq!(
            types(&tree),
            ["type Found is declared in crates/a/src/x.rs and crates/b/src/y.rs"]
        );
    }

    #[test]
    fn a_tool_is_named_in_the_program_only() {
        let tree = Tree::of(&[
            ("crates/pagesight/src/tools/a.rs", "const NAME: &'static str = \"take_shot\";"),
            ("crates/pagesight/src/hints.rs", "\"call take_shot\""),
            ("crates/pagesight-core/src/a.rs", "\n\"call take_shot\""),
            ("crates/pagesight-session/src/a.rs", "fn take_shot() { retake_shot(take_shots) }"),
            ("page/src/a.ts", "// for take_shot"),
        ]);
        assert_eq!(
            tools(&tree),
            [
                "crates/pagesight-core/src/a.rs:2: only the program names its tools (take_shot)",
                "page/src/a.ts:1: only the program names its tools (take_shot)",
            ]
        );
        assert_eq!(tools(&Tree::of(&[])).len(), 1);
    }
}
