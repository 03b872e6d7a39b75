//! Finds import cycles between files. Dependencies point one way. Cycles that must stay are listed
//! here and in ARCHITECTURE.md, with the reason.

use std::collections::{BTreeMap, BTreeSet};

/// Known cycles: their files, and why they stay.
const KNOWN: [(&[&str], &str); 0] = [];

/// Which file imports which, by path.
pub type Imports = BTreeSet<(String, String)>;

/// Finds cycles that are not on the list, and entries of the list that are no longer true.
pub fn check(imports: &Imports) -> Vec<String> {
    let circles = circles(imports);
    let known: Vec<BTreeSet<&str>> =
        KNOWN.iter().map(|(files, _)| files.iter().copied().collect()).collect();
    let mut found = Vec::new();
    for circle in &circles {
        let files: BTreeSet<&str> = circle.iter().map(String::as_str).collect();
        if !known.contains(&files) {
            found.push(format!("import circle: {}", way_round(circle, imports)));
        }
    }
    for files in &known {
        let is_there = circles
            .iter()
            .any(|circle| circle.iter().map(String::as_str).eq(files.iter().copied()));
        if !is_there {
            found.push(format!("no longer a circle; take it off the list: {files:?}"));
        }
    }
    found
}

/// Returns the groups of files that import each other, directly or through others.
fn circles(imports: &Imports) -> Vec<BTreeSet<String>> {
    let mut targets: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in imports.iter().filter(|(from, to)| from != to) {
        targets.entry(from).or_default().push(to);
        targets.entry(to).or_default();
    }
    // Kosaraju's algorithm: files in the order in which a search leaves them, then searches
    // backwards.
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for start in targets.keys().copied() {
        visit(start, &targets, &mut seen, &mut order);
    }
    let mut sources: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, all) in &targets {
        for to in all {
            sources.entry(to).or_default().push(from);
        }
    }
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for start in order.into_iter().rev() {
        let mut group = Vec::new();
        visit(start, &sources, &mut seen, &mut group);
        if group.len() > 1 {
            found.push(group.into_iter().map(str::to_owned).collect());
        }
    }
    found
}

/// Visits everything that can be reached from `start`; appends each file when it is left.
fn visit<'a>(
    start: &'a str,
    next: &BTreeMap<&'a str, Vec<&'a str>>,
    seen: &mut BTreeSet<&'a str>,
    left: &mut Vec<&'a str>,
) {
    if !seen.insert(start) {
        return;
    }
    for to in next.get(start).into_iter().flatten() {
        visit(to, next, seen, left);
    }
    left.push(start);
}

/// Returns one path through a cycle as text: `a → b → a`.
fn way_round(circle: &BTreeSet<String>, imports: &Imports) -> String {
    let Some(start) = circle.first() else { return String::new() };
    // Breadth first, so that the path is short.
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = std::collections::VecDeque::from([start.as_str()]);
    while let Some(at) = queue.pop_front() {
        for (_, to) in imports.iter().filter(|(from, to)| from == at && circle.contains(to)) {
            if to == start {
                let mut way = vec![start.as_str(), at];
                let mut back = at;
                while let Some(before) = came_from.get(back) {
                    way.push(before);
                    back = before;
                }
                way.reverse();
                let more = circle.len() + 1 - way.len().min(circle.len() + 1);
                let rest = if more > 0 { format!(" (and {more} more)") } else { String::new() };
                return format!("{}{rest}", way.join(" → "));
            }
            if to != start && !came_from.contains_key(to.as_str()) {
                came_from.insert(to, at);
                queue.push_back(to);
            }
        }
    }
    circle.iter().cloned().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(edges: &[(&str, &str)]) -> Imports {
        edges.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
    }

    #[test]
    fn a_circle_that_is_not_on_the_list_is_found() {
        let found = check(&imports(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]));
        assert_eq!(found, ["import circle: a → b → c → a"]);
    }

    #[test]
    fn imports_in_one_direction_are_fine() {
        assert!(check(&imports(&[("a", "b"), ("a", "c"), ("b", "c"), ("c", "c")])).is_empty());
    }

    #[test]
    fn two_circles_are_found_separately() {
        let found = check(&imports(&[("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "c")]));
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
