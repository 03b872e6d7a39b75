//! Finds which file imports which, in the Rust crates and in the page script, and checks that the
//! page script's folders import only from earlier folders.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::circles::Imports;
use super::patterns::{captured, regex};
use super::source::code_without_tests;
use super::tree::{Tree, relative_to};

static TEST_MODULE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"#\[cfg\((?:test|all\(test, \w+\))\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\(\w+\))? )?mod (\w+);",
    )
});
static USE: LazyLock<Regex> = LazyLock::new(|| regex(r"\buse\s+([^;]+);"));
static RENAMED: LazyLock<Regex> = LazyLock::new(|| regex(r"\s+as\s+\w+|\s+"));
static PATH: LazyLock<Regex> = LazyLock::new(|| regex(r"\b\w+(?:::\w+)+"));
static PAGE_IMPORT: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"\b(?:from|import)\s*["'](\.[^"']+)["']"#));

const PAGE: &str = "page/src/";
/// The folders of the page script in the order of the data flow; `start` and `api` are the files at
/// the top; `schedule` and `reading` are scripts of their own.
const PAGE_ORDER: [&str; 11] = [
    "dom",
    "semantics",
    "visibility",
    "capture",
    "waiting",
    "actions",
    "inspect",
    "start",
    "api",
    "schedule",
    "reading",
];

/// The files by their modules, which are named as folders: `crates/a/src/b` is b/mod.rs or b.rs.
type Modules<'a> = BTreeMap<&'a str, (&'a str, &'a str)>;

/// Returns the Rust files of every crate of the product and of the tools, with their texts, without
/// modules that are for tests only.
pub fn rust_modules(tree: &Tree) -> Modules<'_> {
    let is_source = |path: &str| path.contains("/src/") && !path.starts_with("lab/");
    let sources = || tree.below("", ".rs").filter(|(path, _)| is_source(path));
    let tests: Vec<String> = sources()
        .flat_map(|(path, text)| {
            captured(&TEST_MODULE, text).map(move |name| format!("{}/{name}", module(path)))
        })
        .collect();
    sources()
        .map(|(path, text)| (module(path), (path, text)))
        .filter(|(module, _)| !tests.iter().any(|test| Path::new(module).starts_with(test)))
        .collect()
}

/// Returns which file imports which, in every crate of the product and in the tools.
pub fn in_rust(tree: &Tree) -> Imports {
    let files = rust_modules(tree);
    let mut edges = Imports::new();
    for (module, (path, text)) in &files {
        for name in paths(&code_without_tests(path, text)) {
            if let Some(target) = target(module, &name, &files) {
                edges.insert(((*path).to_owned(), files[target].0.to_owned()));
            }
        }
    }
    edges.retain(|(from, to)| from != to);
    edges
}

/// Returns the module of a file: its path without `.rs`, or its folder.
fn module(path: &str) -> &str {
    let path = path.trim_end_matches(".rs");
    let is_folder = ["/mod", "/src/lib", "/src/main"].iter().any(|end| path.ends_with(end));
    path.rsplit_once('/').filter(|_| is_folder).map_or(path, |(folder, _)| folder)
}

/// Returns every path that code names, with the groups of `use` written out.
fn paths(code: &str) -> Vec<String> {
    let mut found: Vec<String> = captured(&USE, code)
        .flat_map(|tree| expanded("", &RENAMED.replace_all(tree, "")))
        .collect();
    found.extend(PATH.find_iter(&USE.replace_all(code, "")).map(|path| path.as_str().to_owned()));
    found
}

/// Writes out the groups of a path: `a::{b, c::{self, D}}` is `a::b`, `a::c::self` and `a::c::D`.
fn expanded(before: &str, tree: &str) -> Vec<String> {
    let mut depth = 0;
    let parts = tree.split(|character| {
        depth += i32::from(character == '{') - i32::from(character == '}');
        character == ',' && depth == 0
    });
    parts
        .flat_map(|part| match part.split_once('{') {
            Some((path, group)) => {
                expanded(&format!("{before}{path}"), group.strip_suffix('}').unwrap_or(group))
            }
            None => vec![format!("{before}{part}")],
        })
        .collect()
}

/// Returns the module that a path leads to: the longest part of it that is a file.
fn target<'a>(
    module: &str,
    path: &str,
    files: &BTreeMap<&'a str, (&str, &str)>,
) -> Option<&'a str> {
    let (first, _) = path.split_once("::")?;
    let mut at = match first {
        "crate" => module[..module.find("/src")? + 4].to_owned(),
        "super" | "self" => module.to_owned(),
        child if files.contains_key(format!("{module}/{child}").as_str()) => module.to_owned(),
        _ => return None,
    };
    for part in path.split("::") {
        match part {
            "crate" | "self" => {}
            "super" => at.truncate(at.rfind('/')?),
            part => at.extend(["/", part]),
        }
    }
    loop {
        if let Some((module, _)) = files.get_key_value(at.as_str()) {
            return Some(module);
        }
        at.truncate(at.rfind('/')?);
    }
}

/// Returns which file of the page script imports which.
pub fn in_page_script(tree: &Tree) -> Imports {
    let files = tree.below(PAGE, ".ts");
    files
        .flat_map(|(path, text)| {
            // Data that the page script shares with core is not a file of it.
            let modules = captured(&PAGE_IMPORT, text).filter(|module| !module.ends_with(".json"));
            modules.map(move |module| {
                let target = relative_to(path, module);
                let target = target.trim_end_matches(".ts").trim_end_matches(".js");
                (path.to_owned(), format!("{target}.ts"))
            })
        })
        .collect()
}

/// Finds folders of the page script that import from a later one.
pub fn folder_order(imports: &Imports) -> Vec<String> {
    let place = |path: &str| {
        let folder = path.strip_prefix(PAGE)?.split(['/', '.']).next()?;
        PAGE_ORDER.iter().position(|known| *known == folder)
    };
    let mut found = Vec::new();
    for (from, to) in imports {
        match (place(from), place(to)) {
            (Some(before), Some(after)) if after <= before => {}
            (Some(_), Some(_)) => found.push(format!("{from} imports from {to}, a later folder")),
            _ => found.push(format!("{from} or {to} is in none of {}", PAGE_ORDER.join(", "))),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::circles;

    fn edges_of(files: &[(&str, &str)]) -> Vec<String> {
        in_rust(&Tree::of(files)).into_iter().map(|(from, to)| format!("{from} → {to}")).collect()
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
            ("use crate::{b::e::{self, E as F}};", "c/src/b/e.rs"),
            ("use super::d::*;", "c/src/d.rs"),
            ("fn f() { crate::d::g(); }", "c/src/d.rs"),
            ("pub use crate::d as other;", "c/src/d.rs"),
        ] {
            let files = [&[("c/src/a.rs", text)][..], &others].concat();
            let edges = ["c/src/b/mod.rs → c/src/b/e.rs", &format!("c/src/a.rs → {expected}")];
            let mut expected = edges.map(str::to_owned);
            expected.sort();
            assert_eq!(edges_of(&files), expected, "{text}");
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
    fn circles_are_found() {
        let tree = Tree::of(&[
            ("c/src/lib.rs", "mod a;\nmod b;\n"),
            ("c/src/a.rs", "use crate::b::B;\n"),
            ("c/src/b.rs", "fn f() { super::a::g() }\n"),
            ("page/src/dom/a.ts", "// Why.\nimport { b } from \"./b\";\n"),
            ("page/src/dom/b.ts", "// Why.\nexport * from \"./a.js\";\n"),
        ]);
        let rust = circles::check(&in_rust(&tree));
        assert_eq!(rust, ["import circle: c/src/a.rs → c/src/b.rs → c/src/a.rs"]);
        let page = circles::check(&in_page_script(&tree));
        assert_eq!(page.len(), 1, "{page:?}");
    }

    #[test]
    fn a_folder_may_not_import_from_a_later_one() {
        let tree = Tree::of(&[
            ("page/src/dom/a.ts", "// Why.\nimport { b } from \"../capture/b\";\n"),
            ("page/src/capture/b.ts", "// Why.\nimport type {\n  C,\n} from '../dom/c.js';\n"),
            ("page/src/odd/a.ts", "// Why.\nimport \"../dom/b\";\n"),
        ]);
        let found = folder_order(&in_page_script(&tree));
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(
            found[0],
            "page/src/dom/a.ts imports from page/src/capture/b.ts, a later folder"
        );
    }
}
