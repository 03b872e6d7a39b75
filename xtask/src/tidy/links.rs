//! Checks that relative links of Markdown pages lead to a file and, with a fragment, to a heading.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::patterns::{captured, line_of, regex};
use super::tree::{Tree, relative_to};

static CODE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?s)```.*?```|`[^`\n]*`"));
static LINK: LazyLock<Regex> = LazyLock::new(|| regex(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)"));
static HEADING: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^#+ +(.*)$"));
/// Characters that GitHub leaves out of the name of a heading.
static LEFT_OUT: LazyLock<Regex> = LazyLock::new(|| regex(r"[^\w -]"));

/// Returns the links that lead nowhere. `exists` says whether there is a file or folder.
pub fn check(tree: &Tree, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.below("", ".md") {
        let only_lines = |code: &Captures<'_>| "\n".repeat(code[0].matches('\n').count());
        let prose = CODE.replace_all(text, only_lines);
        for link in LINK.captures_iter(&prose).filter(|link| !link[1].contains("://")) {
            let leads_to =
                if link[1].is_empty() { path.to_owned() } else { relative_to(path, &link[1]) };
            let fragment = link.get(2).map(|fragment| fragment.as_str());
            let missing = match (fragment, tree.get(&leads_to)) {
                _ if !exists(&leads_to) => "file",
                (Some(fragment), Some(page)) if !has_heading(page, fragment) => "heading",
                _ => continue,
            };
            let line = line_of(&prose, link.get_match().start());
            found.push(format!(
                "{path}:{line}: {} leads to no {missing}",
                link[0].trim_matches(['(', ')', ']'])
            ));
        }
    }
    found
}

fn has_heading(page: &str, fragment: &str) -> bool {
    captured(&HEADING, page).any(|heading| {
        let name = heading.trim().to_lowercase();
        LEFT_OUT.replace_all(&name, "").replace(' ', "-") == fragment
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_must_lead_to_a_file_and_a_heading() {
        let page = "[a](b.md) [c](../README.md#the-start) ![d](no.png) [e](#here)\n\n## Here\n\
                    [f](b.md#gone) `[g](no.md)` [h](https://example.com)\n```sh\n[i](no.md)\n```\n";
        let tree =
            Tree::of(&[("docs/a.md", page), ("docs/b.md", ""), ("README.md", "# The `start`\n")]);
        let exists = |path: &str| tree.get(path).is_some();
        assert_eq!(
            check(&tree, &exists),
            ["docs/a.md:1: no.png leads to no file", "docs/a.md:4: b.md#gone leads to no heading"]
        );
    }
}
