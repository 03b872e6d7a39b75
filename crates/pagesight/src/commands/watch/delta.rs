//! Computes the difference between two comparisons of the same page, so that `watch` prints only
//! news.

use std::collections::{HashMap, HashSet};

use pagesight_core::compare::{Change, ChangeType, Severity};
use pagesight_core::fingerprint::EntryId;

use pagesight_check::report::words::severity_counts;

/// The difference between two comparisons with the same baseline.
pub(super) struct ChangeDelta<'c> {
    pub(super) came: Vec<&'c Change>,
    pub(super) went: Vec<&'c Change>,
}

impl<'c> ChangeDelta<'c> {
    /// Compares two lists of changes since the same baseline.
    pub(super) fn between(old: &'c [Change], new: &'c [Change]) -> ChangeDelta<'c> {
        type ChangeKey<'c> = (ChangeType, Severity, &'c str, &'c str);
        let key = |change: &'c Change| -> ChangeKey<'c> {
            (change.kind, change.severity, &change.location, &change.description)
        };
        let without = |all: &'c [Change], known: &'c [Change]| -> Vec<&'c Change> {
            let mut left: HashMap<ChangeKey<'c>, usize> = HashMap::new();
            for change in known {
                *left.entry(key(change)).or_default() += 1;
            }
            let mut is_new = |change: &&'c Change| match left.get_mut(&key(change)) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            };
            all.iter().filter(|change| is_new(change)).collect()
        };
        let came = without(new, old);
        let mut went = without(old, new);
        // A new change of an entry replaces the old one; it did not go away.
        let replaced: HashSet<EntryId> = came.iter().filter_map(|change| change.was_at).collect();
        went.retain(|old| old.was_at.is_none_or(|at| !replaced.contains(&at)));
        ChangeDelta { came, went }
    }

    /// Reports whether the lists are the same.
    pub(super) fn is_empty(&self) -> bool {
        self.came.is_empty() && self.went.is_empty()
    }

    /// Returns the headline; `left` is the number of changes against the baseline now.
    pub(super) fn head(&self, left: usize) -> String {
        match (self.came.len(), self.went.len(), left) {
            (_, _, 0) => "same as the baseline again".to_owned(),
            (0, went, left) => format!("{went} resolved, {left} left"),
            (came, 0, left) if came == left => severity_counts(self.came.iter().copied()),
            (_, 0, left) => {
                format!("{}; {left} in total", severity_counts(self.came.iter().copied()))
            }
            (_, went, left) => {
                format!(
                    "{}, {went} resolved; {left} in total",
                    severity_counts(self.came.iter().copied())
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pagesight_core::compare::Facts;
    use pagesight_core::fingerprint::EntryKind;

    use super::*;

    fn change(description: &str, severity: Severity, was_at: Option<usize>) -> Change {
        Change {
            kind: ChangeType::HeadingChanged,
            severity,
            element: None,
            location: String::new(),
            was: None,
            now: None,
            description: description.to_owned(),
            facts: Facts::default(),
            was_at: was_at.map(|at| EntryId::new(EntryKind::Heading, at)),
            now_at: None,
        }
    }

    fn compared(old: &[Change], new: &[Change]) -> (Vec<String>, Vec<String>, String) {
        let delta = ChangeDelta::between(old, new);
        let words =
            |changes: &[&Change]| changes.iter().map(|change| change.description.clone()).collect();
        (words(&delta.came), words(&delta.went), delta.head(new.len()))
    }

    #[test]
    fn only_differences_are_reported() {
        let a = || change("a", Severity::Error, Some(0));
        let b = || change("b", Severity::Warning, Some(1));
        let other = || change("a, otherwise", Severity::Error, Some(0));
        let none: Vec<String> = Vec::new();
        assert_eq!(
            compared(&[a()], &[a()]),
            (none.clone(), none.clone(), "0 resolved, 1 left".into())
        );
        assert_eq!(compared(&[], &[a()]), (vec!["a".into()], none.clone(), "1 error".into()));
        assert_eq!(
            compared(&[a()], &[]),
            (none.clone(), vec!["a".into()], "same as the baseline again".into())
        );
        assert_eq!(
            compared(&[a(), b()], &[b()]),
            (none.clone(), vec!["a".into()], "1 resolved, 1 left".into())
        );
        let (came, went, head) = compared(&[a(), b()], &[other(), b()]);
        assert_eq!(
            (came, went, head.as_str()),
            (vec!["a, otherwise".into()], none, "1 error; 2 in total")
        );
        // A second equal change counts as new.
        assert_eq!(compared(&[a()], &[a(), a()]).0, ["a"]);
    }
}
