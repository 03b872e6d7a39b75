//! The output of `./test`: a line per suite, the output of what failed, and at the end what was
//! skipped, the slowest tests and the count.

use std::time::Duration;

use super::suite::SuiteResult;

/// How many of the slowest tests are printed.
const SLOWEST: usize = 10;

/// The results so far.
#[derive(Debug, Default)]
pub struct Summary {
    passed: usize,
    failures: Vec<String>,
    skipped: Vec<String>,
    unsteady: Vec<String>,
    times: Vec<(String, f64)>,
}

impl Summary {
    /// Adds the result of a suite, and prints it.
    pub fn add(&mut self, name: &str, result: SuiteResult) {
        let (passed, failed) = (result.passed, result.failures.len());
        println!("== {name}: {passed} passed, {failed} failed, {} s", result.took.as_secs());
        for (what, output) in result.failures {
            println!("-- {name}: {what}\n{}", output.trim_end());
            self.failures.push(format!("{name}: {what}"));
        }
        for (what, output) in result.unsteady {
            println!("-- {name}: {what} (passed when it ran alone)\n{}", output.trim_end());
            self.unsteady.push(format!("{name}: {what}: failed beside others, passed alone"));
        }
        self.passed += passed;
        if result.omitted > 0 {
            self.skip(&format!("{} of {name}: ignored on this system", result.omitted));
        }
        let named = |(test, time)| (format!("{name}: {test}"), time);
        self.times.extend(result.times.into_iter().map(named));
    }

    /// Adds a check that is not a command.
    pub fn add_check(&mut self, name: &str, result: Result<(), String>, took: Duration) {
        let mut suite = SuiteResult { took, ..Default::default() };
        match result {
            Ok(()) => suite.passed = 1,
            Err(output) => suite.failures.push(("failed".to_owned(), output)),
        }
        self.add(name, suite);
    }

    /// Records something that did not run, and why.
    pub fn skip(&mut self, line: &str) {
        self.skipped.push(line.to_owned());
    }

    /// Records each line of a file that tests append to.
    pub fn skip_lines(&mut self, text: &str) {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines.dedup();
        self.skipped.append(&mut lines);
    }

    /// Prints the end of the run; false if something failed or nothing passed.
    pub fn print(&mut self) -> bool {
        print!("{}", self.text());
        self.failures.is_empty() && self.passed > 0
    }

    fn text(&mut self) -> String {
        let mut text = String::from("\n");
        self.times.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (test, time) in self.times.iter().take(SLOWEST) {
            text.push_str(&format!("slow: {time:.1} s {test}\n"));
        }
        let labels =
            [("skipped", &self.skipped), ("unsteady", &self.unsteady), ("failed", &self.failures)];
        for (label, lines) in labels {
            for line in lines {
                text.push_str(&format!("{label}: {line}\n"));
            }
        }
        text.push_str(&format!("{} passed, {} failed\n", self.passed, self.failures.len()));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_count() {
        let mut summary = Summary::default();
        let failures = vec![("a".to_owned(), "why".to_owned())];
        let times = vec![("b".to_owned(), 0.2), ("a".to_owned(), 1.26)];
        let unsteady = vec![("c".to_owned(), "why".to_owned())];
        let result =
            SuiteResult { passed: 3, omitted: 2, failures, unsteady, times, ..Default::default() };
        summary.add("fake", result);
        summary.add_check("rules", Ok(()), Duration::ZERO);
        summary.skip_lines("no Firefox: why\nno Firefox: why\n");
        assert_eq!(
            summary.text(),
            "\nslow: 1.3 s fake: a\nslow: 0.2 s fake: b\nskipped: 2 of fake: ignored on this \
             system\nskipped: no Firefox: why\nunsteady: fake: c: failed beside others, passed alone\nfailed: \
             fake: a\n4 passed, 1 failed\n"
        );
        assert!(!summary.print());
        assert!(!Summary::default().print(), "nothing passed");
    }
}
