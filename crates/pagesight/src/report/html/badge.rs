//! What a page came to, in one word: the verdict as people filter by it. Says nothing that the
//! outcome does not.

use pagesight_core::compare::Severity;

use crate::report::result::{Outcome, Verdict};

/// One word for an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Badge {
    /// Something changed that is as bad as it may not be.
    Failed,
    /// It could not be checked.
    Broken,
    /// There is no baseline, and none may be saved here.
    NoBaseline,
    /// Something changed, nothing bad.
    Changed,
    /// What changed is the baseline now.
    Updated,
    /// It is the baseline now.
    Saved,
    /// As it was.
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
            Verdict::Failed(_) => Badge::Broken,
            Verdict::NoBaseline => Badge::NoBaseline,
            Verdict::Saved => Badge::Saved,
            Verdict::Updated(_) => Badge::Updated,
            Verdict::Compared(compared) if compared.at_least(fail_on) > 0 => Badge::Failed,
            Verdict::Compared(compared) if compared.changes.is_empty() => Badge::Unchanged,
            Verdict::Compared(_) => Badge::Changed,
        }
    }

    /// Whether the run fails because of it.
    pub(super) fn fails(self) -> bool {
        matches!(self, Badge::Failed | Badge::Broken | Badge::NoBaseline)
    }

    /// As it is shown.
    pub(super) fn word(self) -> &'static str {
        match self {
            Badge::Failed => "Failed",
            Badge::Broken => "Not checked",
            Badge::NoBaseline => "No baseline",
            Badge::Changed => "Changed",
            Badge::Updated => "Updated",
            Badge::Saved => "Saved",
            Badge::Unchanged => "Unchanged",
        }
    }

    /// As style and script know it.
    pub(super) fn key(self) -> &'static str {
        match self {
            Badge::Failed => "failed",
            Badge::Broken => "broken",
            Badge::NoBaseline => "missing",
            Badge::Changed => "changed",
            Badge::Updated => "updated",
            Badge::Saved => "saved",
            Badge::Unchanged => "unchanged",
        }
    }
}
