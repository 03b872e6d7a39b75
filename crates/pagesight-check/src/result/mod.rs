//! The result of a check, from which every report is made. `record` is what is stored of a page,
//! `folder` the folder of a run, `merge` joins the runs of shards, and `accept` makes the pages of
//! a run the new baselines.

pub mod accept;
mod error;
pub mod folder;
pub mod merge;
pub mod record;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use pagesight_core::compare::{Change, Comparison, Severity, worded};
use pagesight_core::fingerprint::Size;
use pagesight_core::page::Rect;
use pagesight_core::text::escape::sentence;
use serde::{Deserialize, Serialize};

use crate::report::words::{count, severity_counts};
pub use error::RunError;

/// The result of a whole run.
#[derive(Debug)]
pub struct CheckResult {
    /// The subject of the check: the path of `pages.toml`, or the address of the one page.
    pub subject: String,
    /// When it began, as it is printed.
    pub began: String,
    /// How long all of it took.
    pub took: Duration,
    /// The severity at which a change fails.
    pub fail_on: Severity,
    /// One for each page, viewport, browser and scope, in the order they were written.
    pub outcomes: Vec<Outcome>,
}

/// The result of one page in one viewport of one browser.
#[derive(Debug)]
pub struct Outcome {
    /// The name of the page.
    pub name: String,
    /// Its address, as it is printed.
    pub url: String,
    /// The browser.
    pub browser: &'static str,
    /// The viewport.
    pub viewport: Size,
    /// The conditions that were emulated, in a few words; empty for none.
    pub emulation: String,
    /// The scope as it was written; empty for the whole page.
    pub scope: String,
    /// The verdict on the page.
    pub verdict: Verdict,
    /// The number of tries; earlier failures are in `notes`.
    pub tries: u32,
    /// Further sentences to print.
    pub notes: Vec<String>,
    /// How long it took, all tries.
    pub took: Duration,
    /// The picture of the baseline.
    pub before: Option<Picture>,
    /// The picture of the page now.
    pub after: Option<Picture>,
}

/// The verdict on a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum Verdict {
    /// It was compared; holds the changes of every severity, if any.
    Compared(Comparison),
    /// A first baseline was saved.
    Saved,
    /// The changes were accepted as the new baseline.
    Updated(Comparison),
    /// There is no baseline, and in CI none is saved.
    NoBaseline,
    /// It could not be checked; holds the reason as a sentence.
    Failed {
        /// The reason.
        error: String,
    },
}

/// A picture of a page with marked changes.
#[derive(Debug)]
pub struct Picture {
    /// The picture as a PNG file.
    pub png: Vec<u8>,
    /// Its size in CSS pixels.
    pub size: Size,
    /// The marked changes: the index of a change in the comparison, and its box in CSS pixels of
    /// the picture.
    pub marks: Vec<(usize, Rect)>,
}

impl Verdict {
    /// Returns one word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Compared(comparison) if comparison.changes.is_empty() => "unchanged",
            Verdict::Compared(_) => "changed",
            Verdict::Saved => "saved",
            Verdict::Updated(_) => "updated",
            Verdict::NoBaseline => "no baseline",
            Verdict::Failed { .. } => "failed",
        }
    }

    /// Returns why it could not be checked; empty if the word says everything.
    pub fn why(&self) -> &str {
        match self {
            Verdict::Failed { error: why } => why,
            _ => "",
        }
    }

    /// Returns the comparison, if there is one.
    pub fn comparison(&self) -> Option<&Comparison> {
        match self {
            Verdict::Compared(comparison) | Verdict::Updated(comparison) => Some(comparison),
            _ => None,
        }
    }
}

impl Outcome {
    /// Creates the outcome of a page without an address that was not tried yet.
    pub fn new(
        name: &str,
        browser: &'static str,
        viewport: Size,
        scope: &str,
        verdict: Verdict,
    ) -> Outcome {
        Outcome {
            name: name.to_owned(),
            url: String::new(),
            browser,
            viewport,
            emulation: String::new(),
            scope: scope.to_owned(),
            verdict,
            tries: 0,
            notes: Vec::new(),
            took: Duration::ZERO,
            before: None,
            after: None,
        }
    }

    /// Reports whether it fails the check.
    pub fn is_bad(&self, fail_on: Severity) -> bool {
        self.is_undone() || self.has_changed(fail_on)
    }

    /// Reports whether a change reaches the `fail_on` severity and was not accepted.
    pub fn has_changed(&self, fail_on: Severity) -> bool {
        matches!(&self.verdict, Verdict::Compared(comparison) if comparison.at_least(fail_on) > 0)
    }

    /// Reports whether it could not be checked.
    pub fn is_undone(&self) -> bool {
        matches!(self.verdict, Verdict::NoBaseline | Verdict::Failed { .. })
    }

    /// Reports whether it passed only after more than one try.
    pub fn is_unsteady(&self, fail_on: Severity) -> bool {
        let accepted = matches!(self.verdict, Verdict::Updated(_));
        self.tries > 1 && !accepted && !self.is_bad(fail_on)
    }

    /// Returns `home (chromium 1280x720)`, with what is emulated and the scope.
    pub fn title(&self) -> String {
        title(&self.name, self.browser, self.viewport, &self.emulation, &self.scope)
    }

    /// Returns the reasons at or above a severity, one sentence each.
    pub fn reasons(&self, threshold: Severity) -> Vec<String> {
        match &self.verdict {
            Verdict::Failed { error: why } => vec![sentence(why)],
            Verdict::NoBaseline => {
                vec![
                    "it has no baseline; run pagesight check on your machine and commit the files"
                        .to_owned(),
                ]
            }
            verdict => verdict.comparison().map_or_else(Vec::new, |comparison| {
                let changes = comparison.changes.iter().enumerate();
                let shown = worded(changes.filter(|(_, change)| change.severity >= threshold));
                shown
                    .iter()
                    .map(|worded| {
                        let change = worded.first();
                        let place = if change.location.is_empty() {
                            String::new()
                        } else {
                            format!(" ({})", change.location)
                        };
                        let severity = change.severity.as_str();
                        sentence(&format!("{severity}: {}{place}", worded.sentence))
                    })
                    .collect()
            }),
        }
    }
}

/// Returns `home (chromium 1280x720)`, with what is emulated and the scope.
pub fn title(name: &str, browser: &str, viewport: Size, emulation: &str, scope: &str) -> String {
    let Size { width, height } = viewport;
    let more = |text: &str| if text.is_empty() { String::new() } else { format!(", {text}") };
    format!("{name} ({browser} {width}x{height}{}{})", more(emulation), more(scope))
}

/// The exit code of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// Nothing at or above the `fail_on` severity.
    Good = 0,
    /// A change at or above the `fail_on` severity.
    Changed = 1,
    /// A page could not be checked, or has no baseline.
    Undone = 2,
}

impl CheckResult {
    /// Returns the exit code. A page that could not be checked weighs more than a change.
    pub fn ending(&self) -> ExitStatus {
        if self.outcomes.iter().any(Outcome::is_undone) {
            ExitStatus::Undone
        } else if self.outcomes.iter().any(|outcome| outcome.is_bad(self.fail_on)) {
            ExitStatus::Changed
        } else {
            ExitStatus::Good
        }
    }

    /// Counts the outcomes with this word.
    pub fn count(&self, word: &str) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.verdict.word() == word).count()
    }

    /// Returns the changes that were not accepted.
    fn changes(&self) -> impl Iterator<Item = &Change> + Clone {
        let compared = self.outcomes.iter().filter_map(|outcome| match &outcome.verdict {
            Verdict::Compared(comparison) => Some(comparison),
            _ => None,
        });
        compared.flat_map(|comparison| &comparison.changes)
    }

    /// Returns the outcomes, the worst first.
    pub fn worst_first(&self) -> Vec<&Outcome> {
        let rank = |outcome: &Outcome| match &outcome.verdict {
            Verdict::Failed { .. } => 0,
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

    /// Reports whether there is something that its author may want to accept: a change that is more
    /// than information, or fails.
    pub fn may_be_accepted(&self) -> bool {
        let threshold = self.fail_on.min(Severity::Warning);
        self.outcomes.iter().any(|outcome| outcome.has_changed(threshold))
    }

    /// Returns `12 pages: 9 unchanged, 2 changed (1 error, 3 warnings), 1 failed`.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        for word in ["unchanged", "changed", "saved", "updated", "no baseline", "failed"] {
            let number = self.count(word);
            if number == 0 {
                continue;
            }
            let mut part = format!("{number} {word}");
            if word == "changed" {
                part.push_str(&format!(" ({})", severity_counts(self.changes())));
            }
            parts.push(part);
        }
        let unsteady =
            self.outcomes.iter().filter(|outcome| outcome.is_unsteady(self.fail_on)).count();
        if unsteady > 0 {
            parts.push(format!("{unsteady} of them unsteady"));
        }
        let pages = self.pages_counted();
        if parts.is_empty() { pages } else { format!("{pages}: {}", parts.join(", ")) }
    }

    /// Returns `2 pages`, or `2 pages in 2 sizes and 2 browsers`: pages are counted apart from
    /// their variants.
    pub fn pages_counted(&self) -> String {
        let (pages, all) = (self.pages(), self.outcomes.len());
        let out = count(pages, "page");
        if pages == all {
            return out;
        }
        let sizes: BTreeSet<(u32, u32)> =
            self.outcomes.iter().map(|it| (it.viewport.width, it.viewport.height)).collect();
        let browsers: BTreeSet<&str> = self.outcomes.iter().map(|it| it.browser).collect();
        let scopes: BTreeSet<&str> = self.outcomes.iter().map(|it| it.scope.as_str()).collect();
        let emulated: BTreeSet<&str> =
            self.outcomes.iter().map(|it| it.emulation.as_str()).collect();
        let variants = [
            (sizes.len(), "size"),
            (browsers.len(), "browser"),
            (emulated.len(), "condition"),
            (scopes.len(), "scope"),
        ];
        // Each page may have variants of its own.
        if variants.iter().map(|(number, _)| number).product::<usize>() * pages != all {
            return format!("{out} in {}", count(all, "variant"));
        }
        let several = variants.into_iter().filter(|(number, _)| *number > 1);
        let several: Vec<String> = several.map(|(number, word)| count(number, word)).collect();
        format!("{out} in {}", several.join(" and "))
    }

    /// Returns how many pages were checked, each in one or more variants.
    pub fn pages(&self) -> usize {
        self.pages_with(|_| true)
    }

    /// Returns how many pages fail in at least one variant.
    pub fn bad_pages(&self) -> usize {
        self.pages_with(|outcome| outcome.is_bad(self.fail_on))
    }

    /// Counts the pages with a variant that is wanted.
    pub fn pages_with(&self, wanted: impl Fn(&Outcome) -> bool) -> usize {
        let mut variants: BTreeMap<_, usize> = BTreeMap::new();
        let mut pages = BTreeSet::new();
        for outcome in &self.outcomes {
            // Two equal variants cannot be of the same page.
            let Outcome { name, browser, viewport, emulation, scope, .. } = outcome;
            let size = (viewport.width, viewport.height);
            let equal = variants.entry((name, browser, size, emulation, scope));
            let equal = equal.or_default();
            *equal += 1;
            if wanted(outcome) {
                pages.insert((name, *equal));
            }
        }
        pages.len()
    }
}

#[cfg(test)]
pub(crate) mod tests;
