//! What a check came to: the one structure that every report is made from. Holds results only; how
//! they come about is in `run`, how they are shown in `report`, `junit` and `github`.

use std::time::Duration;

use pagesight_core::compare::{Comparison, Severity};
use pagesight_core::fingerprint::Size;
use pagesight_core::page::Rect;

use crate::report::words::count;

/// A whole run.
#[derive(Debug)]
pub(crate) struct CheckResult {
    /// What was checked: the path of `pages.toml`, or the address of the one page.
    pub(crate) subject: String,
    /// When it began, as it is to be shown.
    pub(crate) began: String,
    /// How long all of it took.
    pub(crate) took: Duration,
    /// How bad a change has to be to count as a failure.
    pub(crate) fail_on: Severity,
    /// One for each page, viewport, browser and scope, in the order they were written.
    pub(crate) outcomes: Vec<Outcome>,
}

/// What came of one page in one viewport of one browser.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The page's name.
    pub(crate) name: String,
    /// Its address.
    pub(crate) url: String,
    /// `chromium` or `firefox`.
    pub(crate) browser: &'static str,
    /// The viewport.
    pub(crate) viewport: Size,
    /// Which part, as it was written; empty for all of it.
    pub(crate) scope: String,
    /// What it came to.
    pub(crate) verdict: Verdict,
    /// How often it was tried; what went wrong before is in `notes`.
    pub(crate) tries: u32,
    /// What else is to be told, a sentence each.
    pub(crate) notes: Vec<String>,
    /// How long it took, all tries.
    pub(crate) took: Duration,
    /// The picture of the baseline.
    pub(crate) before: Option<Picture>,
    /// The picture of now.
    pub(crate) after: Option<Picture>,
}

/// What a page came to.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Compared; holds what changed, of any severity, which may be nothing.
    Compared(Comparison),
    /// There was no baseline; now there is.
    Saved,
    /// What changed was accepted as the new baseline.
    Updated(Comparison),
    /// There is no baseline, and none may be saved here.
    NoBaseline,
    /// It could not be done; why, as a sentence.
    Failed(String),
}

/// A picture of a page, with what changed on it.
#[derive(Debug)]
pub(crate) struct Picture {
    /// The PNG file.
    pub(crate) png: Vec<u8>,
    /// Its size in CSS pixels.
    pub(crate) size: Size,
    /// Where the changes are: the place of the change in the comparison's list, and its box in CSS
    /// pixels of the picture.
    pub(crate) marks: Vec<(usize, Rect)>,
}

impl Verdict {
    /// One word for it.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Verdict::Compared(comparison) if comparison.changes.is_empty() => "unchanged",
            Verdict::Compared(_) => "changed",
            Verdict::Saved => "saved",
            Verdict::Updated(_) => "updated",
            Verdict::NoBaseline => "no baseline",
            Verdict::Failed(_) => "failed",
        }
    }

    /// Why it could not be done; empty if it could, or if there is nothing to say beyond the word.
    pub(crate) fn why(&self) -> &str {
        match self {
            Verdict::Failed(why) => why,
            _ => "",
        }
    }

    /// What changed, if it was compared.
    pub(crate) fn comparison(&self) -> Option<&Comparison> {
        match self {
            Verdict::Compared(comparison) | Verdict::Updated(comparison) => Some(comparison),
            _ => None,
        }
    }
}

impl Outcome {
    /// Whether it fails the check.
    pub(crate) fn is_bad(&self, fail_on: Severity) -> bool {
        self.is_undone() || self.has_changed(fail_on)
    }

    /// Whether something changed that is as bad as it may not be, and was not accepted.
    pub(crate) fn has_changed(&self, fail_on: Severity) -> bool {
        matches!(&self.verdict, Verdict::Compared(comparison) if comparison.at_least(fail_on) > 0)
    }

    /// Whether it could not be done at all.
    pub(crate) fn is_undone(&self) -> bool {
        matches!(self.verdict, Verdict::NoBaseline | Verdict::Failed(_))
    }

    /// It was tried more than once and came out well: something is not steady.
    pub(crate) fn is_unsteady(&self, fail_on: Severity) -> bool {
        let accepted = matches!(self.verdict, Verdict::Updated(_));
        self.tries > 1 && !accepted && !self.is_bad(fail_on)
    }

    /// `home (chromium 1280x720)`, with the scope where there is one.
    pub(crate) fn title(&self) -> String {
        let Size { width, height } = self.viewport;
        let scope = if self.scope.is_empty() { String::new() } else { format!(", {}", self.scope) };
        format!("{} ({} {width}x{height}{scope})", self.name, self.browser)
    }

    /// Why it is not as it should be, one sentence a line; empty if nothing is to be told.
    pub(crate) fn reasons(&self, threshold: Severity) -> Vec<String> {
        match &self.verdict {
            Verdict::Failed(why) => vec![why.clone()],
            Verdict::NoBaseline => {
                vec![
                    "it has no baseline; run pagesight check on your machine and commit the files"
                        .to_owned(),
                ]
            }
            verdict => verdict.comparison().map_or_else(Vec::new, |comparison| {
                let told = comparison.changes.iter().filter(|change| change.severity >= threshold);
                told.map(|change| {
                    let place = if change.location.is_empty() {
                        String::new()
                    } else {
                        format!(" ({})", change.location)
                    };
                    format!("{}: {}{place}", change.severity.as_str(), change.description)
                })
                .collect()
            }),
        }
    }
}

/// What a run comes to as an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// Done, and nothing at or above the threshold.
    Good = 0,
    /// Something changed that is.
    Changed = 1,
    /// Something could not be done, or has no baseline.
    Undone = 2,
}

impl CheckResult {
    /// How it ends: what could not be done weighs more than what changed.
    pub(crate) fn ending(&self) -> ExitStatus {
        if self.outcomes.iter().any(Outcome::is_undone) {
            ExitStatus::Undone
        } else if self.outcomes.iter().any(|outcome| outcome.is_bad(self.fail_on)) {
            ExitStatus::Changed
        } else {
            ExitStatus::Good
        }
    }

    /// How many outcomes have this word.
    pub(crate) fn count(&self, word: &str) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.verdict.word() == word).count()
    }

    /// How many changes of this severity there are in all.
    pub(crate) fn changes(&self, severity: Severity) -> usize {
        let all = self.outcomes.iter().filter_map(|outcome| match &outcome.verdict {
            Verdict::Compared(comparison) => Some(comparison),
            _ => None,
        });
        all.flat_map(|comparison| &comparison.changes)
            .filter(|change| change.severity == severity)
            .count()
    }

    /// The outcomes that are worth a word, the worst first.
    pub(crate) fn worst_first(&self) -> Vec<&Outcome> {
        let rank = |outcome: &Outcome| match &outcome.verdict {
            Verdict::Failed(_) => 0,
            Verdict::NoBaseline => 1,
            Verdict::Compared(comparison) => match comparison.severity() {
                Some(Severity::Error) => 2,
                Some(Severity::Warning) => 3,
                Some(Severity::Info) => 4,
                None => 6,
            },
            Verdict::Updated(_) => 5,
            Verdict::Saved => 7,
        };
        let mut all: Vec<&Outcome> = self.outcomes.iter().collect();
        all.sort_by_key(|outcome| rank(outcome));
        all
    }

    /// `12 pages: 9 unchanged, 2 changed (1 error, 3 warnings), 1 failed`.
    pub(crate) fn summary(&self) -> String {
        let mut parts = Vec::new();
        for word in ["unchanged", "changed", "saved", "updated", "no baseline", "failed"] {
            let number = self.count(word);
            if number == 0 {
                continue;
            }
            let mut part = format!("{number} {word}");
            if word == "changed" {
                let told = [Severity::Error, Severity::Warning, Severity::Info]
                    .map(|severity| (self.changes(severity), severity));
                let told = told.iter().filter(|(count, _)| *count > 0).map(|(count, severity)| {
                    let plural = if *count == 1 || *severity == Severity::Info { "" } else { "s" };
                    format!("{count} {}{plural}", severity.as_str())
                });
                part.push_str(&format!(" ({})", told.collect::<Vec<_>>().join(", ")));
            }
            parts.push(part);
        }
        let unsteady =
            self.outcomes.iter().filter(|outcome| outcome.is_unsteady(self.fail_on)).count();
        if unsteady > 0 {
            parts.push(format!("{unsteady} of them unsteady"));
        }
        format!("{}: {}", count(self.outcomes.len(), "page"), parts.join(", "))
    }
}

#[cfg(test)]
pub(crate) mod tests;
