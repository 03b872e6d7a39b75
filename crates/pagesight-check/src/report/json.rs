//! Formats the result of a check as JSON for programs.

use pagesight_core::compare::Severity;
use serde_json::{Value, json};

use crate::result::{CheckResult, Outcome, Verdict};

/// Returns the result of a run as JSON.
pub fn result(checked: &CheckResult, orphans: &[String]) -> Value {
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
    if !outcome.emulation.is_empty() {
        out["emulated"] = json!(outcome.emulation);
    }
    if let Some(comparison) = outcome.verdict.comparison() {
        out["status"] = json!(comparison.status);
        out["changes"] = json!(comparison.changes);
        out["ignored"] = json!(comparison.ignored);
    }
    if let Verdict::Failed { error: why } = &outcome.verdict {
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
    use crate::result::tests::{checked, compared};

    #[test]
    fn programs_read_all_of_it() {
        let run = checked(
            Severity::Error,
            vec![
                Verdict::NoBaseline,
                Verdict::Compared(compared(&[Severity::Info])),
                Verdict::Failed { error: "x".into() },
            ],
        );
        let report = result(&run, &["a.json".to_owned()]);
        assert_eq!(report["exit_code"], 2);
        assert_eq!(report["pages"][0]["result"], "no_baseline");
        assert_eq!(report["pages"][1]["changes"][0]["severity"], "info");
        assert_eq!(
            (&report["pages"][1]["fails"], &report["pages"][2]["error"]),
            (&json!(false), &json!("x"))
        );
        assert_eq!(report["counts"]["failed"], 1);
        assert_eq!(report["orphans"][0], "a.json");
    }
}
