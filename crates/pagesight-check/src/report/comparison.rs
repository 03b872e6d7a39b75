//! Formats one comparison as text.

use std::collections::BTreeMap;

use pagesight_core::compare::{Change, Comparison, Severity, Status, worded};

use super::words::{changes_counted, count};

/// How many lines of changes are printed.
const MOST_LINES: usize = 40;

/// Returns a comparison as text: a headline, and one line per sentence about changes. Changes below
/// the threshold are counted by type.
pub fn lines(compared: &Comparison, threshold: Severity) -> String {
    let mut out = headline(compared) + "\n";
    let listed = compared.changes.iter().enumerate().filter(|(_, it)| it.severity >= threshold);
    let sentences = worded(listed);
    for worded in sentences.iter().take(MOST_LINES) {
        let change = worded.first();
        out.push_str(&line(change.severity.as_str(), change, &worded.sentence));
    }
    let more: usize = sentences.iter().skip(MOST_LINES).map(|worded| worded.changes.len()).sum();
    if more > 0 {
        out.push_str(&format!("and {}\n", count(more, "more change")));
    }
    out.push_str(&below(compared, threshold));
    if compared.ignored > 0 {
        out.push_str(&format!("{} ignored by rules\n", count(compared.ignored, "change")));
    }
    out
}

/// Returns the line of a change, such as
/// `error    element_missing       Button 'Save' is missing.  (main)`.
pub fn line(word: &str, change: &Change, sentence: &str) -> String {
    let place = match change.location.as_str() {
        "" => String::new(),
        place => format!("  ({place})"),
    };
    format!("{word:<7}  {:<20}  {sentence}{place}\n", change.kind.as_str())
}

/// Returns the result in one sentence: `3 changes (1 error, 2 info).`
fn headline(compared: &Comparison) -> String {
    let counted = changes_counted(&compared.changes);
    match compared.status {
        Status::Unchanged | Status::Changed => counted,
        Status::Loading => format!("Still loading: {counted}"),
        Status::RouteChanged => format!("Different route: {counted}"),
    }
}

/// Counts the changes below a threshold by their types.
fn below(compared: &Comparison, threshold: Severity) -> String {
    let mut out = String::new();
    for severity in [Severity::Warning, Severity::Info] {
        let mut types: BTreeMap<&str, usize> = BTreeMap::new();
        let below = |change: &&Change| change.severity == severity && severity < threshold;
        for change in compared.changes.iter().filter(below) {
            *types.entry(change.kind.as_str()).or_default() += 1;
        }
        if !types.is_empty() {
            let counted: Vec<String> =
                types.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
            out.push_str(&format!(
                "{:<7}  not listed: {}\n",
                severity.as_str(),
                counted.join(", ")
            ));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::tests::{change, compared};

    #[test]
    fn the_headline_counts_and_what_is_not_listed_is_counted_by_type() {
        use Severity::{Error, Info, Warning};
        assert_eq!(lines(&compared(&[]), Warning), "No changes.\n");
        assert_eq!(lines(&compared(&[Error]), Warning).lines().next(), Some("1 change (1 error)."));
        assert_eq!(
            lines(&compared(&[Error, Info, Info]), Warning),
            "3 changes (1 error, 2 info).\n\
             error    element_missing       Button 'Save' is no longer there.  (main > form)\n\
             info     not listed: 2 element_missing\n"
        );
        let loading = Comparison { status: Status::Loading, ..compared(&[Warning]) };
        assert!(lines(&loading, Warning).starts_with("Still loading: 1 change (1 warning).\n"));
        let ignored = Comparison { ignored: 1, ..compared(&[]) };
        assert_eq!(lines(&ignored, Warning), "No changes.\n1 change ignored by rules\n");
    }

    #[test]
    fn changes_beyond_the_limit_are_counted() {
        let changes = (0..45).map(|at| change(Severity::Error, &format!("Change {at}"))).collect();
        let text = lines(&Comparison { changes, ..compared(&[]) }, Severity::Error);
        assert_eq!(text.lines().count(), 1 + MOST_LINES + 1);
        assert!(text.ends_with("and 5 more changes\n"), "{text}");
    }
}
