//! Checks that only the program names its tools: the crates below do not know which tools their
//! reader has.

use super::tree::Tree;

/// The crates that may not name a tool.
const BELOW: [&str; 4] = [
    "crates/pagesight-core/src",
    "crates/pagesight-browser/src",
    "crates/pagesight-session/src",
    "page/src",
];

/// Checks the sources below the program for the names of tools.
pub fn check(tree: &Tree) -> Vec<String> {
    let names = names(tree);
    let below =
        tree.files().filter(|(path, _)| BELOW.iter().any(|crate_| path.starts_with(crate_)));
    let mut found = Vec::new();
    for (path, text) in below {
        for (at, line) in text.lines().enumerate() {
            if let Some(name) = names.iter().find(|name| contains_word(line, name)) {
                found.push(format!("{path}:{}: only the program names its tools ({name})", at + 1));
            }
        }
    }
    found
}

/// Returns the names of the tools, from their declarations.
fn names(tree: &Tree) -> Vec<String> {
    let declarations = tree.below("crates/pagesight/src/tools/", ".rs");
    let named =
        declarations.flat_map(|(_, text)| text.split("const NAME: &'static str = \"").skip(1));
    named.filter_map(|rest| rest.split_once('"')).map(|(name, _)| name.to_owned()).collect()
}

fn contains_word(line: &str, word: &str) -> bool {
    let inside =
        |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        // A call or a declaration with the same name is not the tool.
        let after = line[at + word.len()..].chars().next();
        !inside(line[..at].chars().next_back()) && !inside(after) && after != Some('(')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            check(&tree),
            [
                "crates/pagesight-core/src/a.rs:2: only the program names its tools (take_shot)",
                "page/src/a.ts:1: only the program names its tools (take_shot)",
            ]
        );
    }

    #[test]
    fn the_tools_are_found() {
        let names = names(&Tree::read(&crate::project::root()).unwrap());
        assert!(names.len() >= 12 && names.contains(&"inspect_tab".to_owned()), "{names:?}");
    }
}
