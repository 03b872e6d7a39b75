//! Formats the result of a check as text for people.

use std::collections::HashMap;

use pagesight_core::compare::Severity;
use pagesight_core::text::escape::sentence;

use super::comparison;
use super::words::{count, first};
use crate::result::{CheckResult, Outcome, Verdict};

/// How many pages with the same reason are named.
const MOST_NAMED: usize = 5;

/// Returns the text of the wanted pages: the worst first, one block per page.
pub fn pages(checked: &CheckResult, wanted: impl Fn(&Outcome) -> bool) -> String {
    let threshold = checked.fail_on.min(Severity::Warning);
    let mut out = String::new();
    let mut alike: HashMap<&str, Vec<&Outcome>> = HashMap::new();
    for outcome in checked.outcomes.iter().filter(|outcome| outcome.is_undone()) {
        alike.entry(outcome.verdict.why()).or_default().push(outcome);
    }
    for outcome in checked.worst_first().into_iter().filter(|outcome| wanted(outcome)) {
        let word = word(outcome, checked.fail_on);
        let head = format!("{word:<9}  {}  {}\n", outcome.title(), sentence(&outcome.url));
        match &outcome.verdict {
            Verdict::Failed { .. } | Verdict::NoBaseline => {
                // A reason that many pages share is printed once.
                let why = outcome.verdict.why();
                let Some(all) = alike.remove(why) else { continue };
                match all.as_slice() {
                    [_] => out.push_str(&head),
                    all => out.push_str(&format!(
                        "{word:<9}  {}: {}\n",
                        count(all.len(), "page"),
                        names(all)
                    )),
                }
                if !why.is_empty() {
                    out.push_str(&format!("  {}\n", sentence(why)));
                }
                if all.len() > 1 {
                    let tries = all.iter().map(|outcome| outcome.tries).max().unwrap_or_default();
                    if tries > 1 {
                        out.push_str(&format!("  loaded {tries} times\n"));
                    }
                    continue;
                }
            }
            Verdict::Compared(comparison) if !comparison.changes.is_empty() => {
                out.push_str(&head);
                // A listed page always shows a reason.
                let quiet = comparison.at_least(threshold) == 0;
                let threshold = if quiet { Severity::Info } else { threshold };
                out.push_str(&indented(&comparison::lines(comparison, threshold)));
            }
            Verdict::Updated(comparison) => {
                out.push_str(&head);
                out.push_str(&indented(&comparison::lines(comparison, Severity::Info)));
            }
            Verdict::Compared(_) | Verdict::Saved if outcome.notes.is_empty() => continue,
            Verdict::Compared(_) | Verdict::Saved => out.push_str(&head),
        }
        for note in &outcome.notes {
            out.push_str(&format!("  {}\n", sentence(note)));
        }
    }
    out
}

/// Returns the text of a page that could not be checked.
pub fn undone(outcome: &Outcome) -> String {
    format!(
        "{:<9}  {}\n  {}",
        outcome.verdict.word(),
        outcome.title(),
        sentence(outcome.verdict.why())
    )
}

/// Returns the total of the run in one or two lines. `accept` is the command that accepts the
/// changes.
pub fn total(checked: &CheckResult, accept: &str) -> String {
    let seconds = checked.took.as_secs_f64();
    let mut out = format!("{} in {seconds:.1} s\n", checked.summary());
    if checked.count("no baseline") > 0 {
        out.push_str(
            "Pages without a baseline fail in CI; run pagesight check on your machine and commit the files.\n",
        );
    }
    if let Some(line) = uncompared(checked) {
        out.push_str(&line);
    }
    if checked.count("no baseline") == 0 && checked.may_be_accepted() {
        out.push_str(&format!("If these changes are intended, accept them: {accept}\n"));
    }
    out
}

/// Returns what older baselines do not have, if some do not.
fn uncompared(checked: &CheckResult) -> Option<String> {
    let older = checked.outcomes.iter().filter_map(|outcome| match &outcome.verdict {
        Verdict::Compared(comparison) => Some(&comparison.uncompared),
        _ => None,
    });
    let older: Vec<&Vec<String>> = older.filter(|parts| !parts.is_empty()).collect();
    let mut parts: Vec<&String> = older.iter().flat_map(|parts| parts.iter()).collect();
    parts.sort();
    parts.dedup();
    let all = first(parts.iter().map(|part| sentence(part)), MOST_NAMED).join(", ");
    let pages = count(older.len(), "baseline");
    (!parts.is_empty())
        .then(|| format!("Compared after the next accept ({pages} without it): {all}\n"))
}

/// Names the first pages, and counts the rest.
fn names(all: &[&Outcome]) -> String {
    first(all.iter().map(|outcome| outcome.title()), MOST_NAMED).join(", ")
}

/// Indents the lines of changes, without the line of the verdict.
fn indented(lines: &str) -> String {
    lines.lines().skip(1).map(|line| format!("  {line}\n")).collect()
}

fn word(outcome: &Outcome, fail_on: Severity) -> &'static str {
    match outcome.is_unsteady(fail_on) {
        true => "unsteady",
        false => outcome.verdict.word(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::tests::{checked, compared};

    fn text(run: &CheckResult) -> String {
        pages(run, |_| true) + &total(run, "pagesight check accept")
    }

    #[test]
    fn people_read_what_is_wrong_first_and_what_is_well_not_at_all() {
        let unreachable = || Verdict::Failed { error: "the server is away".to_owned() };
        let mut run = checked(
            Severity::Error,
            vec![
                Verdict::Compared(compared(&[])),
                Verdict::Compared(compared(&[Severity::Error, Severity::Info])),
                unreachable(),
                unreachable(),
                Verdict::Saved,
            ],
        );
        let report = text(&run);
        assert!(report.starts_with("failed     2 pages: p2 (chromium 1280x720), p3 (chromium 1280x720)\n  the server is away\nchanged    p1"), "{report}");
        assert!(
            report.contains(
                "  error    element_missing       Button 'Save' is no longer there.  (main > form)\n"
            ),
            "{report}"
        );
        assert!(report.contains("  info     not listed: 1 element_missing\n"), "{report}");
        assert!(!report.contains("p0") && !report.contains("p4"), "{report}");
        assert!(report.contains("check accept"), "{report}");
        let quiet = checked(Severity::Error, vec![Verdict::Compared(compared(&[Severity::Info]))]);
        assert!(
            text(&quiet).contains("  info     element_missing"),
            "a listed page shows a reason"
        );
        assert!(!text(&quiet).contains("check accept"), "information needs no answer");
        let warned =
            checked(Severity::Error, vec![Verdict::Compared(compared(&[Severity::Warning]))]);
        assert!(
            text(&warned).contains("accept them: pagesight check accept"),
            "a run with warnings passes, but says how to accept"
        );
        run.outcomes[0].tries = 2;
        run.outcomes[0].notes = vec!["look 1 differed".to_owned()];
        assert!(text(&run).contains("unsteady   p0"), "an unsteady page is listed");
    }
}
