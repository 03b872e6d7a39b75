//! Finds imports between the files of each Rust crate: which file uses something of which other
//! file. Reads paths that begin with `crate`, `super` or `self`, and paths into a file's own
//! modules.

use std::collections::{BTreeMap, BTreeSet};

use super::circles::Imports;
use super::rust_tokens::tokens;
use super::tree::Tree;

/// Returns which file imports which, in every crate of the product and in the tools.
pub fn edges(tree: &Tree) -> Imports {
    let mut crates: BTreeMap<String, BTreeMap<Vec<String>, File>> = BTreeMap::new();
    let is_source = |path: &str| path.ends_with(".rs") && !path.starts_with("lab/");
    for (path, text) in tree.files().filter(|(path, _)| is_source(path)) {
        if let Some((folder, rest)) = path.split_once("/src/") {
            let file = File { path: path.to_owned(), tokens: tokens(text) };
            crates.entry(folder.to_owned()).or_default().insert(module_of(rest), file);
        }
    }
    let mut edges = Imports::new();
    for mut modules in crates.into_values() {
        leave_out_tests(&mut modules, tree);
        for (module, file) in &modules {
            for target in targets(module, file, &modules) {
                edges.insert((file.path.clone(), modules[&target].path.clone()));
            }
        }
    }
    edges
}

struct File {
    path: String,
    tokens: Vec<String>,
}

/// Returns the path of a module from the crate's root; empty for the root itself.
fn module_of(file: &str) -> Vec<String> {
    let mut parts: Vec<String> =
        file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    let is_root = parts.len() == 1 && (parts[0] == "lib" || parts[0] == "main");
    if is_root || parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// Removes files whose `mod` declaration is for tests only, and the files below them.
fn leave_out_tests(modules: &mut BTreeMap<Vec<String>, File>, tree: &Tree) {
    let mut gone: BTreeSet<Vec<String>> = BTreeSet::new();
    for (module, file) in modules.iter() {
        let text = tree.get(&file.path).unwrap_or_default();
        let mut for_tests = false;
        for line in text.lines().map(str::trim) {
            let name = line.strip_suffix(';').and_then(|line| line.rsplit_once("mod "));
            if let (true, Some((_, name))) = (for_tests, name) {
                gone.insert([module.as_slice(), &[name.to_owned()]].concat());
            }
            for_tests = line == "#[cfg(test)]" || (for_tests && line.starts_with("#["));
        }
    }
    modules.retain(|module, _| !gone.iter().any(|gone| module.starts_with(gone)));
}

/// Returns the modules that a file uses something of.
fn targets(
    module: &[String],
    file: &File,
    modules: &BTreeMap<Vec<String>, File>,
) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    let mut at = 0;
    while at < file.tokens.len() {
        let begins = at == 0 || file.tokens[at - 1] != "::";
        let path_follows = file.tokens.get(at + 1).is_some_and(|token| token == "::");
        if begins
            && path_follows
            && let Some(base) = base(module, &file.tokens[at], modules)
        {
            let mut paths = Vec::new();
            at = read_paths(&file.tokens, at + 1, base, &mut paths);
            found.extend(paths.iter().filter_map(|path| longest_module(path, modules)));
        } else {
            at += 1;
        }
    }
    found.remove(module);
    found
}

/// Returns where a path that begins with this word starts.
fn base(
    module: &[String],
    word: &str,
    modules: &BTreeMap<Vec<String>, File>,
) -> Option<Vec<String>> {
    match word {
        "crate" => Some(Vec::new()),
        "super" => Some(module.split_last()?.1.to_vec()),
        "self" => Some(module.to_vec()),
        word => {
            let child = [module, &[word.to_owned()]].concat();
            modules.contains_key(&child).then_some(child)
        }
    }
}

/// Reads the rest of a path after its first part, from the `::` on: `::a::B`, `::{a::B, c}`, `::*`.
/// Adds every full path, and returns where it ends.
fn read_paths(
    tokens: &[String],
    from: usize,
    mut base: Vec<String>,
    paths: &mut Vec<Vec<String>>,
) -> usize {
    let mut at = from;
    while tokens.get(at).is_some_and(|token| token == "::") {
        match tokens.get(at + 1).map(String::as_str) {
            Some("{") => return read_group(tokens, at + 2, &base, paths),
            Some("super") => {
                base.pop();
                at += 2;
            }
            Some(word) if word.starts_with(|first: char| first.is_alphabetic() || first == '_') => {
                base.push(word.to_owned());
                at += 2;
            }
            _ => break,
        }
    }
    paths.push(base);
    at
}

/// Reads the paths between braces, from after the opening one.
fn read_group(
    tokens: &[String],
    from: usize,
    base: &[String],
    paths: &mut Vec<Vec<String>>,
) -> usize {
    let mut at = from;
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            "}" => return at + 1,
            "," => at += 1,
            "self" => {
                paths.push(base.to_vec());
                at += 1;
            }
            // `as name`
            "as" => at += 2,
            word => {
                let start = [base, &[word.to_owned()]].concat();
                at = read_paths(tokens, at + 1, start, paths);
            }
        }
    }
    at
}

/// Returns the module with the longest path that is a prefix of this path.
fn longest_module(path: &[String], modules: &BTreeMap<Vec<String>, File>) -> Option<Vec<String>> {
    (0..=path.len()).rev().map(|end| path[..end].to_vec()).find(|part| modules.contains_key(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::circles;

    fn edges_of(files: &[(&str, &str)]) -> Vec<String> {
        edges(&Tree::of(files)).into_iter().map(|(from, to)| format!("{from} → {to}")).collect()
    }

    #[test]
    fn every_way_to_write_a_path_is_an_edge() {
        let others = [
            ("c/src/lib.rs", "mod a;\nmod b;\nmod d;\n"),
            ("c/src/b/mod.rs", "mod e;\npub use e::E;\n"),
            ("c/src/b/e.rs", "pub struct E;\n"),
            ("c/src/d.rs", ""),
        ];
        for (text, expected) in [
            ("use crate::b::E;", "c/src/b/mod.rs"),
            ("use crate::b::e::E;", "c/src/b/e.rs"),
            ("use crate::{b::e::{self, E as F}, std::X};", "c/src/b/e.rs"),
            ("use super::d::*;", "c/src/d.rs"),
            ("fn f() { crate::d::g(); }", "c/src/d.rs"),
            ("pub use crate::d as other;", "c/src/d.rs"),
        ] {
            let files = [&[("c/src/a.rs", text)][..], &others].concat();
            let found = edges_of(&files);
            let edge = format!("c/src/a.rs → {expected}");
            assert!(found.contains(&edge), "{text}: {found:?}");
            assert!(found.contains(&"c/src/b/mod.rs → c/src/b/e.rs".to_owned()), "{found:?}");
        }
    }

    #[test]
    fn tests_and_declarations_are_not_edges() {
        let files = [
            ("c/src/main.rs", "mod a;\n"),
            ("c/src/a.rs", "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod x { use crate::y; }\n"),
            ("c/src/a/tests.rs", "use super::*;\nuse crate::a::Z;\n"),
        ];
        assert_eq!(edges_of(&files), Vec::<String>::new());
    }

    #[test]
    fn a_circle_between_files_is_found() {
        let files = [
            ("c/src/lib.rs", "mod a;\nmod b;\n"),
            ("c/src/a.rs", "use crate::b::B;\n"),
            ("c/src/b.rs", "fn f() { super::a::g() }\n"),
        ];
        let found = circles::check(&edges(&Tree::of(&files)));
        assert_eq!(found, ["import circle: c/src/a.rs → c/src/b.rs → c/src/a.rs"]);
    }
}
