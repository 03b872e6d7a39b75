//! Validates the XML with xmllint against a schema: `tests/junit.xsd`, which says where its rules
//! come from.

use std::io::Write;
use std::process::{Command, Stdio};

use super::*;
use crate::result::tests::{change, checked, compared};
use pagesight_core::compare::Comparison;

/// Returns the errors that xmllint finds in a text; the inner `None` means that it is valid. The
/// outer `None` means that xmllint is not installed, which is reported to `./test`.
fn faults(xml: &str) -> Option<Option<String>> {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/junit.xsd");
    let mut command = Command::new("xmllint");
    command
        .args(["--noout", "--nonet", "--schema", schema, "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        if let Ok(file) = std::env::var("PAGESIGHT_TEST_SKIPS") {
            let mut skips =
                std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
            writeln!(skips, "JUnit against its schema: there is no xmllint; install libxml2-utils")
                .unwrap();
        }
        return None;
    };
    child.stdin.take().unwrap().write_all(xml.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    let says = String::from_utf8_lossy(&done.stderr).into_owned();
    Some((!done.status.success()).then_some(says))
}

#[test]
fn the_file_is_valid_and_counts_right() {
    let hostile = change(Severity::Error, "Button '<b>&\"]]>\u{1b}[31m\u{0}' is gone");
    let mut run = checked(
        Severity::Error,
        vec![
            Verdict::Compared(compared(&[])),
            Verdict::Compared(Comparison { changes: vec![hostile], ..compared(&[]) }),
            Verdict::Compared(compared(&[Severity::Warning])),
            Verdict::NoBaseline,
            Verdict::Failed { error: "it did not load\u{8}".to_owned() },
            Verdict::Saved,
        ],
    );
    run.outcomes[0].notes = vec!["Load 1 failed: x; loaded again.".to_owned()];
    run.outcomes[1].notes = vec!["1 console error".to_owned()];
    let text = xml(&run).unwrap();
    if let Some(Some(fault)) = faults(&text) {
        panic!("{fault}\n{text}");
    }
    let count = |start: &str| text.matches(start).count();
    assert_eq!(
        ["<testcase ", "<failure ", "<error ", "<system-out>"].map(count),
        [6, 1, 2, 3],
        "{text}"
    );
    assert!(text.contains("tests=\"6\" failures=\"1\" errors=\"2\""), "{text}");
    assert!(
        text.contains(
            "message=\"error: Button &apos;&lt;b&gt;&amp;&quot;]]&gt;[31m&apos; is gone. (main &gt; form)\""
        ),
        "{text}"
    );
    assert!(!text.contains('\u{1b}') && !text.contains('\u{0}'));
}

#[test]
fn the_schema_sees_what_is_wrong() {
    let good = xml(&checked(Severity::Error, vec![Verdict::NoBaseline])).unwrap();
    for (from, to) in [
        ("<testsuite ", "<suite "),
        (" tests=\"1\"", " tests=\"one\""),
        ("classname=", "klass="),
        (" hostname=\"localhost\"", ""),
        ("time=\"0.700\"", "time=\"-1\""),
        ("</testsuite>", "<testcase/></testsuite>"),
        ("</error>", ""),
        ("timestamp=\"2026-01-23T10:30:45\"", "timestamp=\"yesterday\""),
        ("<error ", "<system-out/><error "),
    ] {
        let bad = good.replacen(from, to, 3);
        assert_ne!(bad, good, "{from}");
        assert_ne!(faults(&bad), Some(None), "{bad}");
    }
}
