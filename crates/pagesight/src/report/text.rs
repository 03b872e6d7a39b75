//! A run as text for people and as JSON for programs.

use pagesight_core::compare::Severity;
use serde_json::{Value, json};

use crate::report::result::{Checked, Outcome, Verdict};
use crate::report::words::{count, first};
use crate::tools::compare;

/// How many pages with the same reason are named.
const MOST_NAMED: usize = 5;

/// The pages that are wanted as text: what is wrong, the worst first, a page a block.
pub(crate) fn pages(checked: &Checked, wanted: impl Fn(&Outcome) -> bool) -> String {
    let threshold = checked.fail_on.min(Severity::Warning);
    let mut out = String::new();
    let mut told: Vec<&str> = Vec::new();
    for outcome in checked.worst_first().into_iter().filter(|outcome| wanted(outcome)) {
        let word = word(outcome, checked.fail_on);
        let head = format!("{word:<9}  {}  {}\n", outcome.title(), outcome.url);
        match &outcome.verdict {
            Verdict::Failed(_) | Verdict::NoBaseline => {
                // What stopped many pages is said once.
                let why = outcome.verdict.why();
                if told.contains(&why) {
                    continue;
                }
                told.push(why);
                let alike = |other: &&Outcome| other.is_undone() && other.verdict.why() == why;
                let all: Vec<&Outcome> = checked.outcomes.iter().filter(alike).collect();
                match all.as_slice() {
                    [_] => out.push_str(&head),
                    all => out.push_str(&format!(
                        "{word:<9}  {}: {}\n",
                        count(all.len(), "page"),
                        names(all)
                    )),
                }
                if !why.is_empty() {
                    out.push_str(&format!("  {why}\n"));
                }
                if all.len() > 1 {
                    let tries = all.iter().map(|outcome| outcome.tries).max().unwrap_or_default();
                    if tries > 1 {
                        out.push_str(&format!("  tried {tries} times\n"));
                    }
                    continue;
                }
            }
            Verdict::Compared(comparison) if !comparison.changes.is_empty() => {
                out.push_str(&head);
                // A page that stands here says why.
                let quiet = comparison.at_least(threshold) == 0;
                let threshold = if quiet { Severity::Info } else { threshold };
                out.push_str(&indented(&compare::lines(comparison, threshold)));
            }
            Verdict::Updated(comparison) => {
                out.push_str(&head);
                out.push_str(&indented(&compare::lines(comparison, Severity::Info)));
            }
            Verdict::Compared(_) | Verdict::Saved if outcome.notes.is_empty() => continue,
            Verdict::Compared(_) | Verdict::Saved => out.push_str(&head),
        }
        for note in &outcome.notes {
            out.push_str(&format!("  {note}\n"));
        }
    }
    out
}

/// A page that could not be done, as a block.
pub(crate) fn undone(outcome: &Outcome) -> String {
    format!("{:<9}  {}\n  {}", outcome.verdict.word(), outcome.title(), outcome.verdict.why())
}

/// The run in a line or two, as they stand below the pages.
pub(crate) fn total(checked: &Checked, update: bool) -> String {
    let seconds = checked.took.as_secs_f64();
    let mut out = format!("{} in {seconds:.1} s\n", checked.summary());
    if checked.count("no baseline") > 0 {
        out.push_str(
            "Pages without a baseline fail here; run pagesight check on your machine and commit the files.\n",
        );
    } else if !update && checked.outcomes.iter().any(|outcome| outcome.has_changed(checked.fail_on))
    {
        out.push_str("If that is how it should be, accept it: pagesight check --update\n");
    }
    out
}

/// The first of them, and how many more.
fn names(all: &[&Outcome]) -> String {
    first(all.iter().map(|outcome| outcome.title()), MOST_NAMED).join(", ")
}

/// Only the lines of changes; the line above them says the rest.
fn indented(lines: &str) -> String {
    lines.lines().skip(1).map(|line| format!("  {line}\n")).collect()
}

fn word(outcome: &Outcome, fail_on: Severity) -> &'static str {
    match outcome.is_unsteady(fail_on) {
        true => "unsteady",
        false => outcome.verdict.word(),
    }
}

/// The run as JSON.
pub(crate) fn json(checked: &Checked, orphans: &[String]) -> Value {
    let count = |word: &str| checked.count(word);
    json!({
        "subject": checked.subject,
        "began": checked.began,
        "took_ms": checked.took.as_millis() as u64,
        "fail_on": checked.fail_on,
        "exit_code": checked.ending() as u8,
        "summary": checked.summary(),
        "counts": {
            "pages": checked.outcomes.len(),
            "unchanged": count("unchanged"),
            "changed": count("changed"),
            "saved": count("saved"),
            "updated": count("updated"),
            "no_baseline": count("no baseline"),
            "failed": count("failed"),
        },
        "pages": checked.outcomes.iter().map(|outcome| page(outcome, checked.fail_on)).collect::<Vec<_>>(),
        "orphans": orphans,
    })
}

fn page(outcome: &Outcome, fail_on: Severity) -> Value {
    let mut out = json!({
        "name": outcome.name,
        "url": outcome.url,
        "browser": outcome.browser,
        "viewport": outcome.viewport,
        "scope": if outcome.scope.is_empty() { "full" } else { &outcome.scope },
        "result": outcome.verdict.word().replace(' ', "_"),
        "fails": outcome.is_bad(fail_on),
        "tries": outcome.tries,
        "took_ms": outcome.took.as_millis() as u64,
    });
    if let Some(comparison) = outcome.verdict.comparison() {
        out["status"] = json!(comparison.status);
        out["changes"] = json!(comparison.changes);
        out["ignored"] = json!(comparison.ignored);
    }
    if let Verdict::Failed(why) = &outcome.verdict {
        out["error"] = json!(why);
    }
    if !outcome.notes.is_empty() {
        out["notes"] = json!(outcome.notes);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::result::tests::{checked, compared};

    fn text(run: &Checked) -> String {
        pages(run, |_| true) + &total(run, false)
    }

    #[test]
    fn people_read_what_is_wrong_first_and_what_is_well_not_at_all() {
        let unreachable = || Verdict::Failed("the server is away".to_owned());
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
        let told = text(&run);
        assert!(told.starts_with("failed     2 pages: p2 (chromium 1280x720), p3 (chromium 1280x720)\n  the server is away\nchanged    p1"), "{told}");
        assert!(
            told.contains(
                "  error    element_missing       Button 'Save' is no longer there  (main > form)\n"
            ),
            "{told}"
        );
        assert!(!told.contains("p0") && !told.contains("p4") && !told.contains("info  "), "{told}");
        assert!(told.contains("--update"), "{told}");
        let quiet = checked(Severity::Error, vec![Verdict::Compared(compared(&[Severity::Info]))]);
        assert!(
            text(&quiet).contains("  info     element_missing"),
            "a page that is listed says why"
        );
        run.outcomes[0].tries = 2;
        run.outcomes[0].notes = vec!["look 1 differed".to_owned()];
        assert!(text(&run).contains("unsteady   p0"), "what was not steady is told");
    }

    #[test]
    fn programs_read_all_of_it() {
        let run = checked(
            Severity::Error,
            vec![
                Verdict::NoBaseline,
                Verdict::Compared(compared(&[Severity::Info])),
                Verdict::Failed("x".into()),
            ],
        );
        let told = json(&run, &["a.json".to_owned()]);
        assert_eq!(told["exit_code"], 2);
        assert_eq!(told["pages"][0]["result"], "no_baseline");
        assert_eq!(told["pages"][1]["changes"][0]["severity"], "info");
        assert_eq!(
            (&told["pages"][1]["fails"], &told["pages"][2]["error"]),
            (&json!(false), &json!("x"))
        );
        assert_eq!(told["counts"]["failed"], 1);
        assert_eq!(told["orphans"][0], "a.json");
    }
}
