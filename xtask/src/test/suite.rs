//! A suite: one command that checks something. Its output goes to a file. If it reports tests as
//! Rust's test harness does in its JSON format, each of them counts; otherwise its exit status
//! counts as one check.

use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value;

/// How often a running suite is asked whether it has ended.
const POLL: Duration = Duration::from_millis(50);

/// A command that checks something.
pub struct Suite {
    pub name: String,
    pub command: Command,
}

/// The result of a suite.
#[derive(Debug, Default)]
pub struct SuiteResult {
    pub passed: usize,
    pub omitted: usize,
    /// Each failed test with its output; the suite itself if it ended too early.
    pub failures: Vec<(String, String)>,
    /// Each test with its seconds.
    pub times: Vec<(String, f64)>,
    /// Each test that failed beside others and passed alone, with its first output.
    pub unsteady: Vec<(String, String)>,
    pub took: Duration,
}

/// So many failed tests of a suite are run again. If more fail, it is not the machine.
const FEW: usize = 3;

impl Suite {
    /// A shell command whose exit status counts.
    pub fn shell(name: &str, script: &str) -> Suite {
        let mut command = crate::project::command("sh");
        command.args(["-c", script]);
        Suite { name: name.to_owned(), command }
    }

    /// Runs the suite to its end, or until `limit` is over.
    pub fn run(&mut self, root: &Path, logs: &Path, limit: Duration) -> SuiteResult {
        let begun = Instant::now();
        let log = logs.join(format!("{}.log", self.name.replace([' ', ':'], "-")));
        if self.command.get_current_dir().is_none() {
            self.command.current_dir(root);
        }
        let ended = run_into(&mut self.command, &log, limit);
        let output = std::fs::read(&log).unwrap_or_default();
        let output = String::from_utf8_lossy(&output).into_owned();
        let mut result = SuiteResult::read(ended, &output);
        result.took = begun.elapsed();
        result
    }

    /// Runs few failed tests of a result once more, each alone with `suite_of` its name.
    pub fn again(result: &mut SuiteResult, mut suite_of: impl FnMut(&str) -> SuiteResult) {
        if result.failures.len() > FEW {
            return;
        }
        for (name, output) in std::mem::take(&mut result.failures) {
            let alone = suite_of(&name);
            result.took += alone.took;
            match alone.failures.is_empty() && alone.passed == 1 {
                true => result.unsteady.push((name, output)),
                false => result.failures.push((name, output)),
            }
        }
        result.passed += result.unsteady.len();
    }
}

/// Makes Rust's test harness print JSON with times. It offers that to nightly compilers only,
/// unless this variable is set. Build scripts of dependencies watch the variable, so a command that
/// compiles must not have it: cargo would compile everything again, now and at the next build.
pub fn report_as_json(command: &mut Command) {
    command.env("RUSTC_BOOTSTRAP", "1");
    command.args(["-Zunstable-options", "--report-time", "--format=json"]);
}

impl SuiteResult {
    fn read(ended: anyhow::Result<ExitStatus>, output: &str) -> SuiteResult {
        let mut result = SuiteResult::default();
        let (mut begun, mut complete) = (0, 0);
        let mut rest = Vec::new();
        for line in output.lines() {
            let Some(event) = event(line) else {
                rest.push(line);
                continue;
            };
            match (event["type"].as_str(), event["event"].as_str()) {
                (Some("suite"), Some("started")) => begun += 1,
                (Some("suite"), Some(_)) => complete += 1,
                (Some("test"), Some(event_name)) => result.add(event_name, &event),
                _ => {}
            }
        }
        let success = ended.as_ref().is_ok_and(ExitStatus::success);
        if begun != complete || success != result.failures.is_empty() {
            let how = ended.map_or_else(|error| format!("{error:#}"), |status| status.to_string());
            result.failures.push((format!("ended with {how}"), rest.join("\n")));
        } else if begun == 0 {
            result.passed = 1;
        }
        result
    }

    fn add(&mut self, event_name: &str, event: &Value) {
        let name = event["name"].as_str().unwrap_or_default().to_owned();
        match event_name {
            "ok" => self.passed += 1,
            "ignored" => self.omitted += 1,
            "failed" => {
                let output = event["stdout"].as_str().unwrap_or_default().to_owned();
                self.failures.push((name.clone(), output));
            }
            _ => return,
        }
        self.times.push((name, event["exec_time"].as_f64().unwrap_or_default()));
    }
}

/// Reads the event in a line. A child of a test may have written to the same line before it.
fn event(line: &str) -> Option<Value> {
    let start = line.find(r#"{ "type": ""#)?;
    serde_json::from_str(&line[start..]).ok()
}

fn run_into(command: &mut Command, log: &Path, limit: Duration) -> anyhow::Result<ExitStatus> {
    let program = command.get_program().to_string_lossy().into_owned();
    let file = File::create(log).with_context(|| log.display().to_string())?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .spawn()
        .with_context(|| format!("{program} could not be started"))?;
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            anyhow::bail!("stopped after {} s", limit.as_secs());
        }
        std::thread::sleep(POLL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a shell script that prints what a test program would.
    fn result_of(script: &str) -> SuiteResult {
        let folder = tempfile::tempdir().unwrap();
        let limit = Duration::from_secs(if script.contains("sleep") { 1 } else { 600 });
        Suite::shell("a: fake", script).run(folder.path(), folder.path(), limit)
    }

    const STARTED: &str = r#"echo '{ "type": "suite", "event": "started", "test_count": 3 }';"#;
    const ENDED: &str = r#"echo '{ "type": "suite", "event": "failed", "passed": 1 }';"#;
    const TESTS: &str = r#"
        echo '{ "type": "test", "name": "a", "event": "started" }'
        printf 'a child wrote this{ "type": "test", "name": "a", "event": "ok", "exec_time": 1.5 }\n'
        echo '{ "type": "test", "name": "b", "event": "failed", "exec_time": 2, "stdout": "why" }'
        echo '{ "type": "test", "name": "c", "event": "timeout" }'
        echo '{ "type": "test", "name": "c", "event": "ignored" }'
    "#;

    #[test]
    fn each_test_counts_with_its_time_and_output() {
        let result = result_of(&format!("{STARTED}{TESTS}{ENDED} exit 101"));
        assert_eq!((result.passed, result.omitted), (1, 1), "{result:?}");
        assert_eq!(result.failures, [("b".to_owned(), "why".to_owned())]);
        assert_eq!(result.times[0], ("a".to_owned(), 1.5));
    }

    #[test]
    fn a_test_that_passes_alone_is_unsteady() {
        let alone = |name: &str| match name {
            "b" => result_of(&format!("{STARTED}{TESTS}{ENDED} exit 101")),
            _ => result_of("exit 0"),
        };
        let mut result = SuiteResult { passed: 1, ..Default::default() };
        result.failures = ["a", "b"].map(|name| (name.to_owned(), "why".to_owned())).to_vec();
        Suite::again(&mut result, alone);
        assert_eq!((result.passed, result.failures.len()), (2, 1), "{result:?}");
        assert_eq!(result.unsteady, [("a".to_owned(), "why".to_owned())]);
        result.failures = vec![("a".to_owned(), String::new()); FEW + 1];
        Suite::again(&mut result, |_| unreachable!("too many failed"));
        assert_eq!(result.failures.len(), FEW + 1);
    }

    #[test]
    fn a_suite_that_ends_too_early_or_against_its_results_fails() {
        for script in [
            &format!("{STARTED} echo 'segmentation fault'"),
            &format!("{STARTED}{ENDED} exit 3"),
            "echo no; exit 1",
            "exec sleep 60",
        ] {
            let result = result_of(script);
            assert_eq!((result.passed, result.failures.len()), (0, 1), "{script}: {result:?}");
        }
        assert_eq!(result_of("exit 0").passed, 1);
    }
}
