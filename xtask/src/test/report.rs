//! Parses the output of one run of a test program into results by test name. Reads the output of
//! Rust's test harness and of node's TAP reporter.

use std::collections::BTreeSet;

/// The results of one run of a test program, by test name.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub passed: BTreeSet<String>,
    pub failed: BTreeSet<String>,
    /// Tests that did not run: ignored, skipped or marked as todo.
    pub omitted: BTreeSet<String>,
    /// The results that the program itself counted at its end: passed, failed and omitted. None if
    /// it never got there, because it was killed or it crashed.
    pub counted: Option<[usize; 3]>,
}

impl Report {
    /// Whether the program ran to its end and its own counts equal the results that were read.
    pub fn is_complete(&self) -> bool {
        self.counted == Some([self.passed.len(), self.failed.len(), self.omitted.len()])
    }

    fn add_count(&mut self, count: [usize; 3]) {
        let sum = self.counted.get_or_insert([0; 3]);
        for (sum, more) in sum.iter_mut().zip(count) {
            *sum += more;
        }
    }

    /// Adds one result. A test that was reported before gets a different name, so that two tests
    /// with the same name do not count as one.
    fn add(&mut self, name: &str, result: Outcome) {
        let mut unique = name.to_owned();
        let mut number = 2;
        while self.has(&unique) {
            unique = format!("{name} (#{number})");
            number += 1;
        }
        match result {
            Outcome::Passed => self.passed.insert(unique),
            Outcome::Failed => self.failed.insert(unique),
            Outcome::Omitted => self.omitted.insert(unique),
        };
    }

    fn has(&self, name: &str) -> bool {
        [&self.passed, &self.failed, &self.omitted].iter().any(|names| names.contains(name))
    }
}

#[derive(Clone, Copy)]
enum Outcome {
    Passed,
    Failed,
    Omitted,
}

/// Parses the output of Rust's test harness; the results of several programs in a row are added.
pub fn read_libtest(output: &str) -> Report {
    let mut report = Report::default();
    // With one thread, the name is printed when the test begins. Output of the test itself may then
    // stand between the name and the result.
    let mut begun: Option<&str> = None;
    for line in output.lines() {
        if let Some(rest) = line.strip_prefix("test result: ") {
            if let Some(count) = libtest_count(rest) {
                report.add_count(count);
            }
            begun = None;
        } else if let Some((name, result)) =
            line.strip_prefix("test ").and_then(|rest| rest.rsplit_once(" ... "))
        {
            let name = name.trim_end_matches(" - should panic");
            match libtest_outcome(result) {
                Some(outcome) => report.add(name, outcome),
                None => begun = Some(name),
            }
        } else if let Some(name) = begun {
            let result = ["ok", "FAILED"].into_iter().find(|end| line.ends_with(end));
            if let Some(outcome) = result.and_then(libtest_outcome) {
                report.add(name, outcome);
                begun = None;
            }
        }
    }
    report
}

fn libtest_outcome(result: &str) -> Option<Outcome> {
    match result {
        "ok" => Some(Outcome::Passed),
        "FAILED" => Some(Outcome::Failed),
        _ if result.starts_with("ignored") => Some(Outcome::Omitted),
        // Doctests that only have to compile, or must not.
        _ if result.ends_with(" ok") => Some(Outcome::Passed),
        _ => None,
    }
}

/// Parses `ok. 3 passed; 1 failed; 0 ignored; …`.
fn libtest_count(text: &str) -> Option<[usize; 3]> {
    let number = |word: &str| {
        let (before, _) = text.split_once(word)?;
        before.rsplit([' ', ';', '.']).find(|part| !part.is_empty())?.parse().ok()
    };
    Some([number(" passed")?, number(" failed")?, number(" ignored")?])
}

/// Parses node's TAP output; only top-level tests count, as in the summary at its end.
pub fn read_tap(output: &str) -> Report {
    let mut report = Report::default();
    let mut counts = [None; 6];
    for line in output.lines() {
        let (line, failed) = match line.strip_prefix("not ") {
            Some(rest) => (rest, true),
            None => (line, false),
        };
        if let Some((_, name)) = line.strip_prefix("ok ").and_then(|rest| rest.split_once(" - ")) {
            let (name, directive) = name.rsplit_once(" # ").unwrap_or((name, ""));
            let omitted = ["SKIP", "TODO"].iter().any(|word| directive.starts_with(word));
            // A name may itself contain the mark of a directive.
            let name = if omitted || directive.is_empty() {
                name.to_owned()
            } else {
                format!("{name} # {directive}")
            };
            let outcome = match (omitted, failed) {
                (true, _) => Outcome::Omitted,
                (false, true) => Outcome::Failed,
                (false, false) => Outcome::Passed,
            };
            report.add(&name, outcome);
        } else if let Some(rest) = line.strip_prefix("# ") {
            let words = ["pass ", "fail ", "cancelled ", "skipped ", "todo ", "suites "];
            for (count, word) in counts.iter_mut().zip(words) {
                if let Some(number) = rest.strip_prefix(word).and_then(|rest| rest.parse().ok()) {
                    *count = Some(number);
                }
            }
        }
    }
    if let [Some(pass), Some(fail), Some(cancelled), Some(skipped), Some(todo), _] = counts {
        report.counted = Some([pass, fail + cancelled, skipped + todo]);
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
        names.map(str::to_owned).into()
    }

    #[test]
    fn libtest_results_are_read_by_name() {
        let report = read_libtest(
            "running 4 tests\ntest a::b ... ok\ntest a::c ... FAILED\n\
             test a::d - should panic ... ok\ntest e ... ignored, slow\n\n\
             test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out\n",
        );
        assert_eq!(report.passed, names(["a::b", "a::d"]));
        assert_eq!(report.failed, names(["a::c"]));
        assert_eq!(report.omitted, names(["e"]));
        assert!(report.is_complete());
    }

    #[test]
    fn output_between_a_name_and_its_result_is_skipped() {
        let report = read_libtest(
            "test one ... a child wrote this\nand this\nok\ntest two ... FAILED\n\
             test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
        );
        assert_eq!((report.passed, report.failed), (names(["one"]), names(["two"])));
        assert_eq!(report.counted, Some([1, 1, 0]));
    }

    #[test]
    fn a_run_without_a_result_line_is_not_complete() {
        assert!(!read_libtest("test a ... ok\n").is_complete());
        assert!(!read_tap("TAP version 13\nok 1 - a\n").is_complete());
        assert!(!read_libtest("").is_complete());
    }

    #[test]
    fn a_count_that_differs_from_the_names_is_not_complete() {
        let report = read_libtest("test a ... ok\ntest result: ok. 2 passed; 0 failed; 0 ignored");
        assert!(!report.is_complete());
    }

    #[test]
    fn tap_results_are_read_by_name() {
        let report = read_tap(
            "TAP version 13\n# Subtest: a\nok 1 - a\n    ok 1 - nested\n\
             not ok 2 - b # with a mark\nok 3 - c # SKIP not here\nok 4 - c\n1..4\n\
             # tests 4\n# suites 0\n# pass 2\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 0\n",
        );
        assert_eq!(report.passed, names(["a", "c (#2)"]));
        assert_eq!(report.failed, names(["b # with a mark"]));
        assert_eq!(report.omitted, names(["c"]));
        assert!(report.is_complete());
    }
}
