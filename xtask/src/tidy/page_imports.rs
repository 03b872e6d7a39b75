//! Reads which files of the page script import which, and checks that folders import only from
//! earlier folders.

use super::circles::Imports;
use super::tree::Tree;

const SOURCE: &str = "page/src/";
/// The folders in the order of the data flow; `start` and `api` are the files at the top.
const ORDER: [&str; 9] =
    ["dom", "semantics", "visibility", "capture", "waiting", "actions", "inspect", "start", "api"];

/// Returns which file of the page script imports which.
pub fn edges(tree: &Tree) -> Imports {
    let mut edges = Imports::new();
    for (path, text) in tree.below(SOURCE, ".ts") {
        for module in modules(text) {
            edges.insert((path.to_owned(), resolve(path, module)));
        }
    }
    edges
}

/// Finds folders that import from a later one.
pub fn folder_order(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (from, to) in edges(tree) {
        match (place(&from), place(&to)) {
            (Some(before), Some(after)) if after > before => {
                found.push(format!("{from} imports from {to}, a later folder"));
            }
            (None, _) => found.push(format!(
                "{from} is in none of the page script's folders ({})",
                ORDER.join(", ")
            )),
            _ => {}
        }
    }
    found.dedup();
    found
}

fn place(path: &str) -> Option<usize> {
    let rest = path.strip_prefix(SOURCE)?;
    let folder = rest.split_once('/').map_or(rest.trim_end_matches(".ts"), |(folder, _)| folder);
    ORDER.iter().position(|known| *known == folder)
}

/// Returns the relative modules that a file imports or re-exports from.
fn modules(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '\'']).zip(text.split(['"', '\'']).skip(1)).filter_map(|(before, quoted)| {
        let before = before.trim_end();
        let is_import = before.ends_with("from") || before.ends_with("import");
        (is_import && quoted.starts_with('.')).then_some(quoted)
    })
}

/// Resolves a module that a file names relative to itself.
fn resolve(from: &str, module: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in module.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    let path = parts.join("/");
    let path = path.strip_suffix(".ts").or(path.strip_suffix(".js")).unwrap_or(&path);
    format!("{path}.ts")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::circles;

    #[test]
    fn a_folder_may_not_import_from_a_later_one() {
        let tree = Tree::of(&[
            ("page/src/dom/a.ts", "// Why.\nimport { b } from \"../capture/b\";\n"),
            ("page/src/capture/b.ts", "// Why.\nimport type {\n  C,\n} from '../dom/c.js';\n"),
        ]);
        assert_eq!(
            folder_order(&tree),
            ["page/src/dom/a.ts imports from page/src/capture/b.ts, a later folder"]
        );
    }

    #[test]
    fn circles_of_the_page_script_are_found() {
        let tree = Tree::of(&[
            ("page/src/dom/a.ts", "// Why.\nimport { b } from \"./b\";\n"),
            ("page/src/dom/b.ts", "// Why.\nexport * from \"./a\";\n"),
        ]);
        let found = circles::check(&edges(&tree));
        assert_eq!(
            found,
            ["import circle: page/src/dom/a.ts → page/src/dom/b.ts → page/src/dom/a.ts"]
        );
    }

    #[test]
    fn a_file_outside_of_the_folders_is_found() {
        let tree = Tree::of(&[("page/src/odd/a.ts", "// Why.\nimport \"../dom/b\";\n")]);
        assert_eq!(folder_order(&tree).len(), 1);
    }
}
