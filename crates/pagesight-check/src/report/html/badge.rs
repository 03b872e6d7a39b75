//! The result of a page as a badge. Readers of a report filter pages by badge.

use pagesight_core::compare::Severity;

use crate::result::{Outcome, Verdict};

/// The result of a page in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Badge {
    /// A change reaches the severity that fails.
    Failed,
    /// It could not be checked.
    Broken,
    /// There is no baseline, and in CI none is saved.
    NoBaseline,
    /// Changes below the severity that fails.
    Changed,
    /// The changes were accepted.
    Updated,
    /// A first baseline was saved.
    Saved,
    Unchanged,
}

impl Badge {
    /// All of them, the worst first.
    pub(super) const ALL: [Badge; 7] = [
        Badge::Failed,
        Badge::Broken,
        Badge::NoBaseline,
        Badge::Changed,
        Badge::Updated,
        Badge::Saved,
        Badge::Unchanged,
    ];

    pub(super) fn of(outcome: &Outcome, fail_on: Severity) -> Badge {
        match &outcome.verdict {
            Verdict::Failed { .. } => Badge::Broken,
            Verdict::NoBaseline => Badge::NoBaseline,
            Verdict::Saved => Badge::Saved,
            Verdict::Updated(_) => Badge::Updated,
            Verdict::Compared(compared) if compared.at_least(fail_on) > 0 => Badge::Failed,
            Verdict::Compared(compared) if compared.changes.is_empty() => Badge::Unchanged,
            Verdict::Compared(_) => Badge::Changed,
        }
    }

    /// Reports whether it fails the run.
    pub(super) fn fails(self) -> bool {
        matches!(self, Badge::Failed | Badge::Broken | Badge::NoBaseline)
    }

    /// Returns the word that is shown, and the name in the style sheet and the script.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Badge::Failed => ("Failed", "failed"),
            Badge::Broken => ("Not checked", "broken"),
            Badge::NoBaseline => ("No baseline", "missing"),
            Badge::Changed => ("Changed", "changed"),
            Badge::Updated => ("Updated", "updated"),
            Badge::Saved => ("Saved", "saved"),
            Badge::Unchanged => ("Unchanged", "unchanged"),
        }
    }

    pub(super) fn word(self) -> &'static str {
        self.words().0
    }

    /// Returns the name in the style sheet and the script.
    pub(super) fn key(self) -> &'static str {
        self.words().1
    }
}
