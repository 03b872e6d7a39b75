//! Checks the exit codes and the summary of a run.

use pagesight_core::compare::{ChangeType, Status};

use super::*;

/// A change of this severity.
pub(crate) fn change(severity: Severity, description: &str) -> Change {
    let text = serde_json::json!({
        "type": ChangeType::ElementMissing,
        "severity": severity,
        "location": "main > form",
        "description": description,
    });
    serde_json::from_value(text).unwrap()
}

/// An outcome with this verdict.
pub(crate) fn outcome(name: &str, verdict: Verdict) -> Outcome {
    let viewport = Size { width: 1280, height: 720 };
    Outcome {
        url: format!("http://localhost/{name}"),
        tries: 1,
        took: Duration::from_millis(700),
        ..Outcome::new(name, "chromium", viewport, "", verdict)
    }
}

/// A comparison with a change of each of these severities.
pub(crate) fn compared(severities: &[Severity]) -> Comparison {
    let changes = severities
        .iter()
        .map(|severity| change(*severity, "Button 'Save' is no longer there"))
        .collect();
    let status = if severities.is_empty() { Status::Unchanged } else { Status::Changed };
    Comparison { status, changes, ..Comparison::default() }
}

/// A run with these verdicts.
pub(crate) fn checked(fail_on: Severity, verdicts: Vec<Verdict>) -> CheckResult {
    let named = |(at, verdict)| outcome(&format!("p{at}"), verdict);
    CheckResult { fail_on, ..run_of(verdicts.into_iter().enumerate().map(named).collect()) }
}

/// A run with these outcomes.
pub(crate) fn run_of(outcomes: Vec<Outcome>) -> CheckResult {
    CheckResult {
        subject: "pages.toml".to_owned(),
        began: "2026-01-23T10:30:45Z".to_owned(),
        took: Duration::from_millis(1_500),
        fail_on: Severity::Error,
        outcomes,
    }
}

#[test]
fn exit_codes_are_as_promised() {
    use Severity::{Error, Info, Warning};
    let failed = || Verdict::Failed { error: "it did not load".to_owned() };
    let table: Vec<(Severity, Vec<Verdict>, ExitStatus)> = vec![
        (Error, vec![], ExitStatus::Good),
        (Error, vec![Verdict::Compared(compared(&[]))], ExitStatus::Good),
        (Error, vec![Verdict::Compared(compared(&[Info, Warning]))], ExitStatus::Good),
        (Error, vec![Verdict::Compared(compared(&[Error]))], ExitStatus::Changed),
        (Warning, vec![Verdict::Compared(compared(&[Info]))], ExitStatus::Good),
        (Warning, vec![Verdict::Compared(compared(&[Warning]))], ExitStatus::Changed),
        (Info, vec![Verdict::Compared(compared(&[Info]))], ExitStatus::Changed),
        (Error, vec![Verdict::Saved, Verdict::Updated(compared(&[Error]))], ExitStatus::Good),
        (Error, vec![Verdict::NoBaseline], ExitStatus::Undone),
        (Error, vec![failed()], ExitStatus::Undone),
        (Error, vec![Verdict::Compared(compared(&[Error])), failed()], ExitStatus::Undone),
        (Error, vec![Verdict::Saved, Verdict::Compared(compared(&[Error]))], ExitStatus::Changed),
    ];
    for (fail_on, verdicts, ending) in table {
        let checked = checked(fail_on, verdicts);
        assert_eq!(checked.ending(), ending, "{checked:?}");
    }
    assert_eq!(
        (ExitStatus::Good as u8, ExitStatus::Changed as u8, ExitStatus::Undone as u8),
        (0, 1, 2)
    );
}

#[test]
fn the_summary_counts_all_and_the_worst_come_first() {
    use Severity::{Error, Info, Warning};
    let mut checked = checked(
        Error,
        vec![
            Verdict::Compared(compared(&[])),
            Verdict::Compared(compared(&[Warning, Info, Info])),
            Verdict::Compared(compared(&[Error, Warning])),
            Verdict::Saved,
            Verdict::Failed { error: "it did not load".to_owned() },
            Verdict::NoBaseline,
        ],
    );
    checked.outcomes[0].tries = 2;
    assert_eq!(
        checked.summary(),
        "6 pages: 1 unchanged, 2 changed (1 error, 2 warnings, 2 info), 1 saved, 1 no baseline, 1 failed, 1 of them unsteady"
    );
    let mut updated = outcome("p", Verdict::Updated(compared(&[Error])));
    updated.tries = 2;
    assert!(!updated.is_unsteady(Error), "it was looked at twice, and accepted");
    let order: Vec<&str> =
        checked.worst_first().iter().map(|outcome| outcome.verdict.word()).collect();
    assert_eq!(order, ["failed", "no baseline", "changed", "changed", "unchanged", "saved"]);
    assert_eq!(checked.worst_first()[2].name, "p2");
}

#[test]
fn pages_are_counted_apart_from_their_variants() {
    let small = Size { width: 390, height: 844 };
    let page = |name: &str| outcome(name, Verdict::Compared(compared(&[])));
    let in_small = |name: &str| Outcome { viewport: small, ..page(name) };
    let two = run_of(vec![page("a"), in_small("a"), page("b"), in_small("b")]);
    assert_eq!(two.summary(), "2 pages in 2 sizes: 4 unchanged");
    let firefox = |outcome: Outcome| Outcome { browser: "firefox", ..outcome };
    let mut run = run_of(vec![page("a"), in_small("a"), firefox(in_small("a"))]);
    assert_eq!(run.pages_counted(), "1 page in 3 variants");
    run.outcomes.push(firefox(page("a")));
    assert_eq!(run.pages_counted(), "1 page in 2 sizes and 2 browsers");
    assert_eq!(run_of(vec![page("a")]).pages_counted(), "1 page");
}
