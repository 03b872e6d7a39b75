//! Checks the dependencies: each is used, and comes from crates.io under a licence that allows the
//! program to be distributed under its own. cargo-deny and cargo-machete do this where they are
//! installed; simpler checks replace them elsewhere.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::Context;
use serde_json::Value;

use super::patterns::{captured, regex};
use super::tree::Tree;

/// The only place that dependencies come from.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Runs a tool of cargo if it is installed, and returns what it found.
fn found_by(root: &Path, arguments: &[&str]) -> Option<Vec<String>> {
    let tool = format!("cargo-{}", arguments[0]);
    let output = Command::new(&tool).args(arguments).current_dir(root).output().ok()?;
    let printed = [output.stdout, output.stderr].concat();
    let broken = format!("{tool}:\n{}", String::from_utf8_lossy(&printed));
    Some(if output.status.success() { Vec::new() } else { vec![broken] })
}

/// Finds unused dependencies: entries of a crate that its sources do not name, and entries of the
/// workspace that no crate has.
pub fn unused(root: &Path, tree: &Tree) -> Vec<String> {
    let mut found = found_by(root, &["machete"]).unwrap_or_else(|| not_named(tree));
    let manifests = tree.below("", "/Cargo.toml");
    let taken: BTreeSet<&str> = manifests.flat_map(|(_, text)| entries(text)).collect();
    let workspace = tree.get("Cargo.toml").unwrap_or_default();
    for name in entries(workspace).filter(|name| !taken.contains(name)) {
        found.push(format!("Cargo.toml: no crate of the workspace uses {name}"));
    }
    found
}

fn not_named(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.below("", "/Cargo.toml") {
        let folder = path.trim_end_matches("Cargo.toml");
        for name in entries(text) {
            let named = regex(&format!(r"\b{}(?:[:;!,]| as )", name.replace('-', "_")));
            if !tree.below(folder, ".rs").any(|(_, text)| named.is_match(text)) {
                found.push(format!("{path}: {name} is not used"));
            }
        }
    }
    found
}

/// Returns the names in the tables of dependencies of a manifest.
fn entries(manifest: &str) -> impl Iterator<Item = &str> {
    let mut is_wanted = false;
    manifest.lines().filter_map(move |line| {
        if line.starts_with('[') {
            is_wanted = line.ends_with("dependencies]");
        }
        let is_key = is_wanted && line.starts_with(|first: char| first.is_alphanumeric());
        is_key.then(|| line.split(['=', '.', ' ']).next()).flatten()
    })
}

/// Checks sources and licences of the dependencies, on all platforms.
pub fn licences(root: &Path) -> anyhow::Result<Vec<String>> {
    if let Some(found) = found_by(root, &["deny", "check", "licenses", "sources"]) {
        return Ok(found);
    }
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root)
        .output()?;
    let message = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "cargo metadata: {}", message.trim());
    let settings = std::fs::read_to_string(root.join("deny.toml"))?;
    let allowed = captured(&regex(r"\ballow = \[([^\]]*)\]"), &settings).next();
    let allowed: Vec<&str> = allowed.into_iter().flat_map(|list| list.split('"')).collect();
    let metadata = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    Ok(refused(&metadata, &allowed))
}

fn refused(metadata: &Value, allowed: &[&str]) -> Vec<String> {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    if packages.is_empty() {
        return vec!["cargo metadata: no packages are listed".to_owned()];
    }
    let mut found = Vec::new();
    for package in packages {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let name = format!("{} {}", text("name"), text("version"));
        if !package["source"].is_null() && text("source") != CRATES_IO {
            found.push(format!("{name}: its source is {}, not crates.io", text("source")));
        }
        if !is_allowed(text("license"), allowed) {
            found.push(format!("{name}: its licence is not on the list: {:?}", text("license")));
        }
    }
    found
}

/// Whether each part of a licence offers an allowed choice. `/` is an old way to write `OR`.
/// Parentheses are ignored, which can refuse a licence, but never allows a wrong one.
fn is_allowed(licence: &str, allowed: &[&str]) -> bool {
    let flat = licence.replace(['(', ')'], "").replace('/', " OR ");
    let mut parts = flat.split(" AND ");
    parts.all(|choices| choices.split(" OR ").any(|choice| allowed.contains(&choice)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unused_dependencies_are_found() {
        let root = "[workspace.dependencies]\nused = \"1\"\nnobody-s = \"1\"\n";
        let tree = Tree::of(&[
            ("Cargo.toml", root),
            ("crates/a/Cargo.toml", "[dependencies]\nused.workspace = true\nidle-one = \"2\"\n"),
            ("crates/a/src/lib.rs", "//! Why.\nuse used::Thing;\nlet unused_idle_one = 1;\n"),
        ]);
        assert_eq!(not_named(&tree), ["crates/a/Cargo.toml: idle-one is not used"]);
        let found = unused(&crate::project::root(), &tree);
        assert!(found.contains(&"Cargo.toml: no crate of the workspace uses nobody-s".to_owned()));
    }

    #[test]
    fn other_sources_and_licences_are_found() {
        let package = |name, source: &str, license: Value| json!({"name": name, "version": "1.0.0", "source": source, "license": license});
        let metadata = json!({"packages": [
            {"name": "own", "version": "1.0.0", "source": null, "license": "MIT"},
            package("good", CRATES_IO, json!("MIT OR Apache-2.0")),
            package("fetched", "git+https://example.com/a.git", json!("MIT")),
            package("copyleft", CRATES_IO, json!("AGPL-3.0")),
            package("silent", CRATES_IO, Value::Null),
        ]});
        assert_eq!(
            refused(&metadata, &["MIT", "Unicode-3.0"]),
            [
                "fetched 1.0.0: its source is git+https://example.com/a.git, not crates.io",
                "copyleft 1.0.0: its licence is not on the list: \"AGPL-3.0\"",
                "silent 1.0.0: its licence is not on the list: \"\"",
            ]
        );
        assert_eq!(refused(&json!({}), &[]), ["cargo metadata: no packages are listed"]);
    }

    #[test]
    fn each_part_of_a_licence_offers_an_allowed_choice() {
        let is_allowed = |licence: &str| is_allowed(licence, &["MIT", "X WITH Y", "ISC"]);
        for allowed in ["MIT", "MIT/GPL-3.0", "(MIT OR GPL-3.0) AND ISC", "X WITH Y OR GPL-3.0"] {
            assert!(is_allowed(allowed), "{allowed}");
        }
        for refused in
            ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR ISC) AND GPL-3.0", "X", "MIT MIT"]
        {
            assert!(!is_allowed(refused), "{refused}");
        }
    }
}
