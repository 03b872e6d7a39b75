//! The state that tools work on.

use std::sync::Arc;

use pagesight_session::{OutputRoot, Session, SessionError, TabRecord};

use super::answer::Answer;
use super::evaluate_permission::EvaluatePermission;
use crate::hints;
use crate::project::store::ProjectStore;

/// The session, the project's store, and the permissions that the user gave.
pub(crate) struct Workspace {
    /// The browser with its tabs and references.
    pub(crate) session: Session,
    /// The expressions that `browser_evaluate` takes.
    pub(crate) evaluate: EvaluatePermission,
    /// Where answers may be written to files, if the user allows it.
    pub(crate) output_root: Option<OutputRoot>,
    pub(crate) store: Arc<ProjectStore>,
}

impl Workspace {
    /// Creates a workspace without fingerprints. Baselines are opened when they are needed.
    pub(crate) fn new(session: Session, evaluate: EvaluatePermission) -> Workspace {
        Workspace { session, evaluate, output_root: None, store: Arc::default() }
    }

    /// Creates a workspace with a store of baselines.
    pub(crate) fn with_store(session: Session, store: Arc<ProjectStore>) -> Workspace {
        Workspace { store, ..Workspace::new(session, EvaluatePermission::Off) }
    }

    /// Returns an error as one sentence for the reader of the tools.
    pub(crate) fn sentence(&self, error: &SessionError) -> String {
        hints::sentence(self.session.wording(), error)
    }

    /// Completes an answer about a tab: it begins with what changed after the last answer, and the
    /// next one reports what changes after it.
    pub(crate) fn about(&self, tab: &TabRecord, answer: Answer) -> Answer {
        let answer = match self.session.take_late_changes(tab) {
            Some(line) => answer.with_late_changes(&line),
            None => answer,
        };
        self.session.note_answer(tab);
        answer
    }

    /// Returns the tab that a call names, or the active one.
    pub(crate) async fn tab(&self, tab: &Option<String>) -> Result<Arc<TabRecord>, SessionError> {
        self.session.tab(tab.as_deref()).await
    }
}
