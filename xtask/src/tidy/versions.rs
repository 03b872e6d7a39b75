//! Checks that every file that states the version of pagesight states the version of the workspace.
//! `server.json` is generated, with the version.

use super::patterns::{captured, regex};
use super::tree::Tree;

/// Files with a version, and what is before it.
const PLACES: [(&str, &str); 6] = [
    ("Cargo.toml", r"(?m)^pagesight-(.*)"),
    ("lab/Cargo.toml", r"(?m)^version = (.*)"),
    ("plugin/.claude-plugin/plugin.json", r#""version": (.*)"#),
    ("plugin/start.sh", r"--package=pagesight(@?\S*)"),
    ("action/action.yml", r"to install from npm.*\n +default: (.*)"),
    ("docs/scale.md", r"uses: pagesight/pagesight/action@(.*)"),
];

pub fn check(tree: &Tree) -> Vec<String> {
    let manifest = tree.get("Cargo.toml").unwrap_or_default();
    let Some(version) = captured(&regex(r#"(?m)^version = "(.*)""#), manifest).next() else {
        return vec!["Cargo.toml: the workspace has no version".to_owned()];
    };
    let mut found = Vec::new();
    for (path, pattern) in PLACES {
        let pattern = regex(pattern);
        let mut stated = captured(&pattern, tree.get(path).unwrap_or_default()).peekable();
        let states = |text: &str| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || ".-+".contains(c);
            text.split(|c| !is_part(c)).any(|word| word.trim_start_matches('v') == version)
        };
        if stated.peek().is_none() || !stated.all(states) {
            found.push(format!("{path}: the version must be {version}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(workspace: &str, crates: &str, lab: &str, plugin: &str) -> usize {
        let manifest = format!(
            "version = \"{workspace}\"\npagesight-core = {{ version = \"1.2.3\" }}\n\
             pagesight-browser = {{ path = \"x\", version = \"{crates}\" }}\n"
        );
        let tree = Tree::of(&[
            ("Cargo.toml", &manifest),
            ("lab/Cargo.toml", &format!("version = \"{lab}\"\n")),
            ("plugin/.claude-plugin/plugin.json", &format!("{{\"version\": \"{plugin}\"}}")),
            ("plugin/start.sh", &format!("npx --package=pagesight@{plugin} \\\n")),
            (
                "action/action.yml",
                &format!("    d: to install from npm\n    default: \"{plugin}\"\n"),
            ),
            ("docs/scale.md", &format!("- uses: pagesight/pagesight/action@v{plugin}\n")),
        ]);
        check(&tree).len()
    }

    #[test]
    fn every_version_that_differs_is_found() {
        assert_eq!(found("1.2.3", "1.2.3", "1.2.3", "1.2.3"), 0);
        assert_eq!(found("1.2.4", "1.2.3", "1.2.3", "1.2.3"), 6);
        assert_eq!(found("1.2.3", "1.2.4", "1.2.3", "1.2.3"), 1);
        assert_eq!(found("1.2.3", "1.2.3", "1.2.4", "1.2.4"), 5);
        assert_eq!(found("1.2.3", "1.2.3", "1.2.3", "11.2.3"), 4);
        assert_eq!(found("1.2.3", "1.2.3", "1.2.3", "latest"), 4);
        assert_eq!(check(&Tree::of(&[("Cargo.toml", "version = \"1\"\n")])).len(), 6);
        assert_eq!(check(&Tree::of(&[])).len(), 1);
    }
}
