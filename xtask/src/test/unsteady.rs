//! The list of tests that are known to be unsteady: `tests/unsteady.txt`. Only a test on this list
//! may pass when it is repeated.

use anyhow::{Context, ensure};

/// The tests that may be repeated, with the reason for each.
#[derive(Clone, Debug, Default)]
pub struct Unsteady(Vec<Entry>);

#[derive(Clone, Debug)]
struct Entry {
    suite: String,
    test: String,
}

impl Unsteady {
    /// Parses the list: one `suite | test | reason` per line; blank lines and `#` lines are
    /// skipped.
    pub fn parse(text: &str) -> anyhow::Result<Unsteady> {
        let mut entries = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let at = || format!("tests/unsteady.txt, line {}", number + 1);
            let mut fields = line.splitn(3, " | ").map(str::trim);
            let (suite, test, reason) = (fields.next(), fields.next(), fields.next());
            let suite = suite.with_context(at)?.to_owned();
            let test = test.with_context(|| format!("{}: no test is named", at()))?.to_owned();
            let reason = reason.unwrap_or_default();
            ensure!(reason.len() >= 20, "{}: {test} has no reason", at());
            entries.push(Entry { suite, test });
        }
        Ok(Unsteady(entries))
    }

    /// Whether this test of this suite may be repeated.
    pub fn has(&self, suite: &str, test: &str) -> bool {
        self.0.iter().any(|entry| entry.suite == suite && entry.test == test)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_a_reason() {
        let list = Unsteady::parse(
            "# why\n\nwhole path in Firefox | wait::redirects | Firefox lets the page win.\n",
        )
        .unwrap();
        assert!(list.has("whole path in Firefox", "wait::redirects"));
        assert!(!list.has("whole path", "wait::redirects"));
        for bad in ["suite", "suite | test", "suite | test |", "suite | test | slow"] {
            let error = Unsteady::parse(bad).unwrap_err().to_string();
            assert!(error.contains("line 1"), "{bad}: {error}");
        }
    }

    #[test]
    fn the_list_of_the_project_can_be_read() {
        let path = crate::project::root().join("tests/unsteady.txt");
        Unsteady::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
    }
}
