//! Tests `./test` itself with fake test programs: shell scripts that print what a test program
//! would.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::*;
use crate::test::report::read_libtest;

const OK: &str = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";

/// Makes a suite whose program is this shell script. The arguments of a repeat are `--exact NAME…`.
fn suite(folder: &Path, script: &str) -> Suite {
    let program: PathBuf = folder.join("program");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut all = Command::new(&program);
    all.current_dir(folder);
    let folder = folder.to_owned();
    Suite {
        name: "fake".to_owned(),
        all,
        only: Box::new(move |names| {
            let mut command = Command::new(&program);
            command.current_dir(&folder).arg("--exact").args(names);
            command
        }),
        read: read_libtest,
        limit: Duration::from_secs(60),
    }
}

fn result_of(script: &str, unsteady: &str) -> SuiteResult {
    let folder = tempfile::tempdir().unwrap();
    suite(folder.path(), script).run(&Unsteady::parse(unsteady).unwrap(), false)
}

/// Fails at the first run and passes when repeated.
const FLAKY: &str = r#"
if [ "$1" = --exact ]; then
    echo "test flaky ... ok"
    echo "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out"
else
    echo "test steady ... ok"
    echo "test flaky ... FAILED"
    echo "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"
    exit 101
fi"#;
const LISTED: &str = "fake | flaky | It waits for a clock that the machine stops.";

#[test]
fn a_listed_test_may_pass_when_repeated_and_is_named() {
    let result = result_of(FLAKY, LISTED);
    assert_eq!((result.passed, result.failures.len()), (2, 0), "{result:?}");
    assert_eq!(result.repeated, ["fake: flaky"]);
}

#[test]
fn a_test_that_is_not_listed_fails_although_its_repeat_passes() {
    let result = result_of(FLAKY, "");
    assert_eq!(result.passed, 1, "{result:?}");
    assert_eq!(result.failures.len(), 1);
    assert!(result.failures[0].starts_with("fake: flaky (passed when repeated"), "{result:?}");
}

#[test]
fn a_program_that_dies_fails_the_run_although_a_repeat_passes() {
    // The flaky test passes when it is repeated, but the program crashed before its other tests
    // ran.
    let script = FLAKY.replace(
        "    echo \"test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\"",
        "    kill -KILL $$",
    );
    let result = result_of(&script, LISTED);
    assert_eq!(result.failures.len(), 1, "{result:?}");
    assert!(result.failures[0].contains("ended without a result"), "{result:?}");
}

#[test]
fn a_repeat_that_runs_no_test_is_not_a_pass() {
    let script = r#"
if [ "$1" = --exact ]; then
    echo "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out"
else
    echo "test flaky ... FAILED"
    echo "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"
    exit 101
fi"#;
    let result = result_of(script, LISTED);
    assert_eq!((result.passed, result.failures.as_slice()), (0, &["fake: flaky".to_owned()][..]));
}

#[test]
fn a_repeat_that_reports_a_different_test_is_not_a_pass() {
    let script = FLAKY.replace("test flaky ... ok", "test flaky_too ... ok");
    let result = result_of(&script, LISTED);
    assert_eq!((result.passed, result.failures.as_slice()), (1, &["fake: flaky".to_owned()][..]));
}

#[test]
fn many_failures_are_not_repeated() {
    let names: Vec<String> = (0..9).map(|at| format!("echo 'test t{at} ... FAILED'")).collect();
    let script = format!(
        "[ \"$1\" = --exact ] && touch repeated\n{}\necho 'test result: FAILED. 0 passed; 9 failed; 0 ignored;'\nexit 101",
        names.join("\n")
    );
    let folder = tempfile::tempdir().unwrap();
    let result = suite(folder.path(), &script).run(&Unsteady::default(), false);
    assert_eq!(result.failures.len(), 9);
    assert!(!folder.path().join("repeated").exists());
}

#[test]
fn a_failing_exit_code_without_a_failed_test_fails_the_run() {
    let result = result_of(&format!("echo 'test a ... ok'; echo '{OK}'; exit 1"), "");
    assert_eq!(result.failures.len(), 1, "{result:?}");
    assert!(result.failures[0].contains("failed without a failed test"), "{result:?}");
}

#[test]
fn a_run_without_a_fault_passes() {
    let result = result_of(&format!("echo 'test a ... ok'; echo '{OK}'"), "");
    assert_eq!((result.passed, result.failures.len()), (1, 0), "{result:?}");
}
