//! Phrases that reports share: counts and shortened lists.

use pagesight_core::compare::{Change, Severity};

/// Returns `1 page`, `2 pages`.
pub fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// Returns `1 error, 2 warnings, 3 info`.
pub fn severity_counts<'c>(changes: impl Iterator<Item = &'c Change> + Clone) -> String {
    let counted = |severity: Severity| {
        let number = changes.clone().filter(|change| change.severity == severity).count();
        let words = match severity {
            Severity::Info => format!("{number} info"),
            severity => count(number, severity.as_str()),
        };
        (number > 0).then_some(words)
    };
    let all = [Severity::Error, Severity::Warning, Severity::Info];
    all.into_iter().filter_map(counted).collect::<Vec<_>>().join(", ")
}

/// Returns `No changes.` or `3 changes (1 error, 2 info).`
pub fn changes_counted(changes: &[Change]) -> String {
    match changes.len() {
        0 => "No changes.".to_owned(),
        all => format!("{} ({}).", count(all, "change"), severity_counts(changes.iter())),
    }
}

/// Returns the first items of a list, and the number of the others.
pub fn first(all: impl IntoIterator<Item = String>, most: usize) -> Vec<String> {
    let mut all: Vec<String> = all.into_iter().collect();
    let more = all.len().saturating_sub(most);
    all.truncate(most);
    if more > 0 {
        all.push(format!("and {more} more"));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted() {
        let all = || ["a", "b", "c"].map(str::to_owned);
        assert_eq!(first(all(), 3), ["a", "b", "c"]);
        assert_eq!(first(all(), 2), ["a", "b", "and 1 more"]);
        assert_eq!((count(1, "page"), count(0, "page")), ("1 page".into(), "0 pages".into()));
    }
}
