//! Finds unused dependencies: entries of the workspace that no crate uses, and entries of a crate
//! that its sources do not name.

use std::collections::BTreeSet;

use super::tree::Tree;

pub fn check(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    let mut taken = BTreeSet::new();
    for (path, text) in tree.files().filter(|(path, _)| path.ends_with("Cargo.toml")) {
        let folder = path.trim_end_matches("Cargo.toml");
        if folder.is_empty() {
            continue;
        }
        for name in entries(text, |table| table.ends_with("dependencies]")) {
            if !is_named(tree, folder, &name) {
                found.push(format!("{path}: {name} is not used"));
            }
            taken.insert(name);
        }
    }
    let root = tree.get("Cargo.toml").unwrap_or_default();
    for name in entries(root, |table| table == "[workspace.dependencies]") {
        if !taken.contains(&name) {
            found.push(format!("Cargo.toml: no crate of the workspace uses {name}"));
        }
    }
    found
}

/// Returns the keys in the tables that `is_wanted` accepts.
fn entries(manifest: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut wanted = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        let is_key = line.starts_with(|first: char| first.is_alphanumeric());
        if line.starts_with('[') {
            wanted = is_wanted(line.trim());
        } else if wanted && is_key {
            let name = line.split(['=', '.', ' ']).next().unwrap_or_default();
            names.push(name.to_owned());
        }
    }
    names
}

/// Whether a source file below `folder` names the crate.
fn is_named(tree: &Tree, folder: &str, name: &str) -> bool {
    let name = name.replace('-', "_");
    tree.below(folder, ".rs").any(|(_, text)| {
        text.match_indices(&name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = &text[at + name.len()..];
            let is_whole = before.is_none_or(|before| !before.is_alphanumeric() && before != '_');
            is_whole && [":", ";", " as ", "!", ","].iter().any(|next| after.starts_with(next))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_dependencies_are_found() {
        let root = "[workspace.dependencies]\nused = \"1\"\nnobody-s = \"1\"\n";
        let tree = Tree::of(&[
            ("Cargo.toml", root),
            ("crates/a/Cargo.toml", "[dependencies]\nused.workspace = true\nidle-one = \"2\"\n"),
            ("crates/a/src/lib.rs", "//! Why.\nuse used::Thing;\nlet unused_idle_one = 1;\n"),
        ]);
        assert_eq!(
            check(&tree),
            [
                "crates/a/Cargo.toml: idle-one is not used",
                "Cargo.toml: no crate of the workspace uses nobody-s"
            ]
        );
    }
}
