//! What a page came to, in one word: the verdict as people filter by it. Says nothing that the
//! outcome does not.

use pagesight_core::compare::Severity;

use crate::report::result::{Outcome, Verdict};

/// One word for an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
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

impl Standing {
    /// All of them, the worst first.
    pub(super) const ALL: [Standing; 7] = [
        Standing::Failed,
        Standing::Broken,
        Standing::NoBaseline,
        Standing::Changed,
        Standing::Updated,
        Standing::Saved,
        Standing::Unchanged,
    ];

    pub(super) fn of(outcome: &Outcome, fail_on: Severity) -> Standing {
        match &outcome.verdict {
            Verdict::Failed(_) => Standing::Broken,
            Verdict::NoBaseline => Standing::NoBaseline,
            Verdict::Saved => Standing::Saved,
            Verdict::Updated(_) => Standing::Updated,
            Verdict::Compared(compared) if compared.at_least(fail_on) > 0 => Standing::Failed,
            Verdict::Compared(compared) if compared.changes.is_empty() => Standing::Unchanged,
            Verdict::Compared(_) => Standing::Changed,
        }
    }

    /// Whether the run fails because of it.
    pub(super) fn fails(self) -> bool {
        matches!(self, Standing::Failed | Standing::Broken | Standing::NoBaseline)
    }

    /// As it is shown.
    pub(super) fn word(self) -> &'static str {
        match self {
            Standing::Failed => "Failed",
            Standing::Broken => "Not checked",
            Standing::NoBaseline => "No baseline",
            Standing::Changed => "Changed",
            Standing::Updated => "Updated",
            Standing::Saved => "Saved",
            Standing::Unchanged => "Unchanged",
        }
    }

    /// As style and script know it.
    pub(super) fn key(self) -> &'static str {
        match self {
            Standing::Failed => "failed",
            Standing::Broken => "broken",
            Standing::NoBaseline => "missing",
            Standing::Changed => "changed",
            Standing::Updated => "updated",
            Standing::Saved => "saved",
            Standing::Unchanged => "unchanged",
        }
    }
}
