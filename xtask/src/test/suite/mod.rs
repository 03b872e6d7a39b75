//! A suite: one test program, run once. Failures are repeated if the list of unsteady tests allows
//! it. A program that crashes fails the run, whatever its tests reported before.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};

use super::process::{Finished, run};
use super::report::Report;
use super::unsteady::Unsteady;

/// If there are more failures than this, none is repeated: the cause is not chance.
const MOST_REPEATED: usize = 8;
/// How often a failed test is repeated at most.
const REPEATS: usize = 2;

/// Makes the command that runs only the named tests.
type OnlyCommand = Box<dyn Fn(&[String]) -> Command + Send>;

/// A test program and how to run and read it.
pub struct Suite {
    /// The name that is printed and that `tests/unsteady.txt` uses.
    pub name: String,
    /// Runs every test of the suite.
    pub all: Command,
    /// Runs only the named tests, one at a time.
    pub only: OnlyCommand,
    pub read: fn(&str) -> Report,
    /// How long a run may take.
    pub limit: Duration,
}

/// The result of a suite.
#[derive(Debug, Default)]
pub struct SuiteResult {
    /// How many tests passed, at the first try or, for an unsteady test, when repeated.
    pub passed: usize,
    /// One line per failure.
    pub failures: Vec<String>,
    /// Tests on the list that passed only when repeated.
    pub repeated: Vec<String>,
    /// How many tests were omitted.
    pub omitted: usize,
    /// How long it took.
    pub took: Duration,
    /// The output, for a suite that ran in the background.
    pub output: String,
}

impl Suite {
    /// Runs the suite; `echo` prints the output while it comes.
    pub fn run(mut self, unsteady: &Unsteady, echo: bool) -> SuiteResult {
        let begun = Instant::now();
        let first = run(&mut self.all, self.limit, echo);
        let report = (self.read)(&first.output);
        let mut result = SuiteResult { passed: report.passed.len(), ..Default::default() };
        result.omitted = report.omitted.len();
        result.output = first.output.clone();
        if let Some(fault) = fault(&report, &first) {
            result.failures.push(format!("{}: {fault}", self.name));
        }
        let mut open = report.failed.clone();
        if open.len() <= MOST_REPEATED {
            self.repeat(&mut open, &mut result, unsteady, echo);
        }
        result.failures.extend(open.iter().map(|test| format!("{}: {test}", self.name)));
        result.took = begun.elapsed();
        result
    }

    /// Repeats the tests in `open`. A test counts as passed only if a repeat reported it as passed
    /// and it is on the list. A test that is not on the list stays failed, with a remark.
    fn repeat(
        &self,
        open: &mut BTreeSet<String>,
        result: &mut SuiteResult,
        unsteady: &Unsteady,
        echo: bool,
    ) {
        let mut remarked = BTreeSet::new();
        for _ in 0..REPEATS {
            let names: Vec<String> = open.iter().cloned().collect();
            if names.is_empty() {
                break;
            }
            let again = run(&mut (self.only)(&names), self.limit, echo);
            let report = (self.read)(&again.output);
            result.output.push_str(&again.output);
            for name in names.into_iter().filter(|name| report.passed.contains(name)) {
                open.remove(&name);
                if unsteady.has(&self.name, &name) {
                    result.passed += 1;
                    result.repeated.push(format!("{}: {name}", self.name));
                } else {
                    remarked.insert(format!(
                        "{name} (passed when repeated; fix it, or list it in tests/unsteady.txt \
                         with a reason)"
                    ));
                }
            }
        }
        open.extend(remarked);
    }
}

/// Returns what is wrong with a run apart from its failed tests.
fn fault(report: &Report, run: &Finished) -> Option<String> {
    if let Some(error) = &run.error {
        return Some(error.clone());
    }
    if report.counted.is_none() {
        return Some(format!("ended without a result ({})", run.status_words()));
    }
    if !report.is_complete() {
        return Some(format!(
            "counted {:?} results, but {} passed, {} failed and {} omitted tests were named",
            report.counted.unwrap_or_default(),
            report.passed.len(),
            report.failed.len(),
            report.omitted.len()
        ));
    }
    if !run.success() && report.failed.is_empty() {
        return Some(format!("failed without a failed test ({})", run.status_words()));
    }
    None
}

#[cfg(test)]
mod tests;
