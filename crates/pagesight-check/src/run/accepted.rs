//! Writes the baselines that `--update` accepts. A run only collects them, so that the changes are
//! printed before any file is written.

use std::sync::Arc;

use pagesight_core::fingerprint::Fingerprint;

use crate::baseline::PageBaselines;
use crate::plan::Plan;
use crate::result::{Outcome, Verdict};

/// A baseline that replaces an older one.
#[derive(Debug)]
pub struct AcceptedBaseline {
    /// The index of its outcome.
    pub(super) outcome: usize,
    /// The index of its job in the plan.
    pub(super) job: usize,
    pub(super) fingerprint: Arc<Fingerprint>,
    /// The picture as it is saved.
    pub(super) picture: Option<Vec<u8>>,
}

impl AcceptedBaseline {
    /// Saves it. If that fails, returns the index of the outcome, which says why then.
    pub fn save(
        self,
        baselines: &PageBaselines,
        plan: &Plan,
        outcomes: &mut [Outcome],
    ) -> Option<usize> {
        let key = plan.jobs[self.job].key();
        let saved = baselines.save(&key, &self.fingerprint, self.picture.as_deref());
        let outcome = &mut outcomes[self.outcome];
        match saved {
            Ok(note) => {
                outcome.notes.extend(note);
                None
            }
            Err(error) => {
                outcome.verdict = Verdict::Failed { error: error.to_string() };
                Some(self.outcome)
            }
        }
    }
}

/// Turns an accepted outcome back into a changed one, because the run ended early.
pub(super) fn refuse(outcome: &mut Outcome) {
    if let Verdict::Updated(comparison) = &mut outcome.verdict {
        outcome.verdict = Verdict::Compared(std::mem::take(comparison));
        outcome
            .notes
            .push("not accepted: the run ended before all changes were printed".to_owned());
    }
}
