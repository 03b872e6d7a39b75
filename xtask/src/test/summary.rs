//! The end of the output of `./test`: what was skipped, what passed only when repeated, what
//! failed, and the count.

use super::suite::SuiteResult;

/// The results so far.
#[derive(Debug, Default)]
pub struct Summary {
    /// How many tests and checks passed.
    pub passed: usize,
    /// One line per failure.
    pub failures: Vec<String>,
    skipped: Vec<String>,
    repeated: Vec<String>,
}

impl Summary {
    /// Adds the result of a suite.
    pub fn add(&mut self, name: &str, result: SuiteResult) {
        self.passed += result.passed;
        self.failures.extend(result.failures);
        self.repeated.extend(result.repeated);
        if result.omitted > 0 {
            self.skip(&format!("{} of {name}: not for this browser, or ignored", result.omitted));
        }
        println!("== {name}: {} s", result.took.as_secs());
    }

    /// Records something that did not run, and why.
    pub fn skip(&mut self, line: &str) {
        self.skipped.push(line.to_owned());
    }

    /// Records each line of a file that tests append to.
    pub fn skip_lines(&mut self, text: &str) {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        lines.dedup();
        self.skipped.extend(lines.into_iter().map(str::to_owned));
    }

    /// Prints the end of the run; false if something failed or nothing passed.
    pub fn print(&self) -> bool {
        print!("{}", self.text());
        self.failures.is_empty() && self.passed > 0
    }

    fn text(&self) -> String {
        let mut text = String::from("\n");
        for (label, lines) in [
            ("skipped", &self.skipped),
            ("passed only when repeated", &self.repeated),
            ("failed", &self.failures),
        ] {
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
        summary.add(
            "fake",
            SuiteResult {
                passed: 3,
                failures: vec!["fake: a".to_owned()],
                repeated: vec!["fake: b".to_owned()],
                omitted: 2,
                ..Default::default()
            },
        );
        summary.skip_lines("no Firefox: why\nno Firefox: why\n");
        assert_eq!(
            summary.text(),
            "\nskipped: 2 of fake: not for this browser, or ignored\nskipped: no Firefox: why\n\
             passed only when repeated: fake: b\nfailed: fake: a\n3 passed, 1 failed\n"
        );
        assert!(!summary.print());
        assert!(!Summary::default().print(), "nothing passed");
    }
}
