//! Accepting what changed (`--update`): a run only takes note of it, so that it can be shown before
//! any file is touched. Writes through `files`.

use std::sync::Arc;

use pagesight_core::fingerprint::Fingerprint;

use super::files::BaselineFiles;
use super::plan::Plan;
use crate::report::result::{Outcome, Verdict};

/// A baseline that is to take the place of another.
pub(crate) struct AcceptedBaseline {
    /// Whose: the place in the list of outcomes.
    pub(crate) outcome: usize,
    /// The place of its job in the plan.
    pub(crate) job: usize,
    /// What the page is made of now.
    pub(crate) fingerprint: Arc<Fingerprint>,
    /// The picture, as it is kept.
    pub(crate) picture: Option<Vec<u8>>,
}

/// Writes what was shown; answers with the places of outcomes that have failed by that.
pub(crate) fn write(
    accepted: Vec<AcceptedBaseline>,
    files: &BaselineFiles,
    plan: &Plan,
    outcomes: &mut [Outcome],
) -> Vec<usize> {
    let mut failed = Vec::new();
    for AcceptedBaseline { outcome, job, fingerprint, picture } in accepted {
        if let Err(why) = files.write(&plan.jobs[job], &fingerprint, picture.as_deref()) {
            outcomes[outcome].verdict = Verdict::Failed(why);
            failed.push(outcome);
        }
    }
    failed
}

/// What a run that was ended before it was done accepts: nothing. What changed stays told as
/// changed.
pub(crate) fn refuse(outcome: &mut Outcome) {
    if let Verdict::Updated(comparison) = &mut outcome.verdict {
        outcome.verdict = Verdict::Compared(std::mem::take(comparison));
        outcome.notes.push("not accepted: the run was ended before all was shown".to_owned());
    }
}
