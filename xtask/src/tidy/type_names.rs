//! Checks that public type names of the product are unique, so that a name means one thing.

use std::collections::BTreeMap;

use super::rust_tokens::tokens;
use super::tree::Tree;

/// Files with structs of the browsers' protocols, which are named as in the protocol.
const PROTOCOL: [&str; 2] = [
    "crates/pagesight-browser/src/chromium/protocol",
    "crates/pagesight-browser/src/bidi/protocol",
];

/// Checks the types that are visible outside of their file.
pub fn check(tree: &Tree) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (path, text) in tree.below("crates/", ".rs").filter(|(path, _)| path.contains("/src/")) {
        if PROTOCOL.iter().any(|protocol| path.starts_with(protocol)) {
            continue;
        }
        for name in public_types(&tokens(text)) {
            places.entry(name).or_default().push(path);
        }
    }
    places
        .into_iter()
        .filter(|(_, places)| places.len() > 1)
        .map(|(name, places)| format!("type {name} is declared in {}", places.join(" and ")))
        .collect()
}

fn public_types(tokens: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let declares = matches!(token.as_str(), "struct" | "enum" | "trait" | "union");
        let before = at.checked_sub(1).map(|at| tokens[at].as_str());
        // The end of `pub`, `pub(crate)`, `pub(super)` or `pub(in path)`.
        let public = match before {
            Some("pub") => true,
            Some(")") => tokens[..at].iter().rev().take(8).any(|token| token == "pub"),
            _ => false,
        };
        if let (true, true, Some(name)) = (declares, public, tokens.get(at + 1)) {
            names.push(name.clone());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_declared_once() {
        let tree = Tree::of(&[
            ("crates/a/src/x.rs", "pub struct Found; struct Kind; pub(crate) enum Side { A }"),
            ("crates/b/src/y.rs", "pub(crate) struct Found(u8); struct Kind; // pub struct Side"),
            ("crates/pagesight-browser/src/bidi/protocol.rs", "pub struct Found;"),
            ("crates/b/tests/z.rs", "pub struct Side;"),
        ]);
        assert_eq!(
            check(&tree),
            ["type Found is declared in crates/a/src/x.rs and crates/b/src/y.rs"]
        );
    }
}
