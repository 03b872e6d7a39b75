//! Checks that relative links of Markdown pages lead to a file and, with a fragment, to a heading.

use super::tree::Tree;

/// Returns the links that lead nowhere. `exists` says whether there is a file or folder.
pub fn check(tree: &Tree, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.files().filter(|(path, _)| path.ends_with(".md")) {
        for (line, target) in targets(text) {
            let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
            let leads_to = if file.is_empty() { path.to_owned() } else { joined(path, file) };
            let has_heading = |text: &str| headings(text).any(|heading| heading == fragment);
            if !exists(&leads_to) {
                found.push(format!("{path}:{line}: {target} leads to no file"));
            } else if !fragment.is_empty() && !tree.get(&leads_to).is_none_or(has_heading) {
                found.push(format!("{path}:{line}: {target} leads to no heading"));
            }
        }
    }
    found
}

/// Returns the targets of links and images outside of code blocks, each with its line.
fn targets(text: &str) -> Vec<(usize, &str)> {
    let mut targets = Vec::new();
    let mut in_code = false;
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        // Code spans are every second part.
        for part in line.split('`').step_by(2).filter(|_| !in_code) {
            let links = part.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            let targets_here = links.map(|(target, _)| target);
            targets.extend(
                targets_here
                    .filter(|target| !target.contains("://") && !target.contains(' '))
                    .map(|target| (at + 1, target)),
            );
        }
    }
    targets
}

/// Returns the path of a link in a page, from the root.
fn joined(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the fragments that GitHub makes of headings.
fn headings(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter(|line| line.starts_with('#')).map(|line| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
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
            Tree::of(&[("docs/a.md", page), ("docs/b.md", ""), ("README.md", "# The start\n")]);
        let exists = |path: &str| tree.get(path).is_some();
        assert_eq!(
            check(&tree, &exists),
            ["docs/a.md:1: no.png leads to no file", "docs/a.md:4: b.md#gone leads to no heading"]
        );
    }
}
