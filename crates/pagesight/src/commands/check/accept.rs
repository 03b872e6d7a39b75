//! Writes the baselines that `--update` accepts. A run only collects them, so that the changes are
//! printed before any file is written.

use std::sync::Arc;

use pagesight_core::fingerprint::Fingerprint;

use super::files::BaselineFiles;
use super::plan::Plan;
use crate::report::result::{Outcome, Verdict};

/// A baseline that replaces an older one.
pub(crate) struct AcceptedBaseline {
    /// The index of its outcome.
    pub(crate) outcome: usize,
    /// The index of its job in the plan.
    pub(crate) job: usize,
    pub(crate) fingerprint: Arc<Fingerprint>,
    /// The picture as it is saved.
    pub(crate) picture: Option<Vec<u8>>,
}

/// Writes the accepted baselines and returns the indices of the outcomes that failed.
pub(crate) fn write(
    accepted: Vec<AcceptedBaseline>,
    files: &BaselineFiles,
    plan: &Plan,
    outcomes: &mut [Outcome],
) -> Vec<usize> {
    let mut failed = Vec::new();
    for AcceptedBaseline { outcome, job, fingerprint, picture } in accepted {
        if let Err(why) = files.write(&plan.jobs[job], &fingerprint, picture.as_deref()) {
            outcomes[outcome].verdict = Verdict::Failed { error: why };
            failed.push(outcome);
        }
    }
    failed
}

/// Turns an accepted outcome back into a changed one, because the run ended early.
pub(crate) fn refuse(outcome: &mut Outcome) {
    if let Verdict::Updated(comparison) = &mut outcome.verdict {
        outcome.verdict = Verdict::Compared(std::mem::take(comparison));
        outcome
            .notes
            .push("not accepted: the run ended before all changes were printed".to_owned());
    }
}
