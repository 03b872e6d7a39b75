//! Finds import cycles between files: dependencies point one way.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Which file imports which, by path.
pub type Imports = BTreeSet<(String, String)>;

/// Returns the cycles, each as a path that is as short as possible: `a → b → a`.
pub fn check(imports: &Imports) -> Vec<String> {
    let mut targets: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in imports.iter().filter(|(from, to)| from != to) {
        targets.entry(from).or_default().push(to);
    }
    let mut known: Vec<BTreeSet<&str>> = Vec::new();
    let mut found = Vec::new();
    for start in targets.keys().copied() {
        let Some(path) = path_back(start, &targets) else { continue };
        let files: BTreeSet<&str> = path.iter().copied().collect();
        if !known.iter().any(|known| known.is_subset(&files)) {
            found.push(format!("import circle: {} → {start}", path.join(" → ")));
            known.push(files);
        }
    }
    found
}

/// Returns the shortest path from a file to an import of that same file.
fn path_back<'a>(
    start: &'a str,
    targets: &BTreeMap<&'a str, Vec<&'a str>>,
) -> Option<Vec<&'a str>> {
    let mut seen = BTreeSet::new();
    let mut paths = VecDeque::from([vec![start]]);
    while let Some(path) = paths.pop_front() {
        for to in targets.get(path.last()?).into_iter().flatten() {
            if *to == start {
                return Some(path);
            }
            if seen.insert(*to) {
                paths.push_back([path.as_slice(), &[*to]].concat());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(edges: &[(&str, &str)]) -> Vec<String> {
        check(&edges.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect())
    }

    #[test]
    fn every_circle_is_found_once() {
        assert_eq!(
            found(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d")]),
            ["import circle: a → b → c → a", "import circle: d → e → d"]
        );
        assert!(found(&[("a", "b"), ("a", "c"), ("b", "c"), ("c", "c")]).is_empty());
    }
}
