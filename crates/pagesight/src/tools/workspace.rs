//! The state that tools work on.

use std::sync::Arc;

use pagesight_session::{Session, SessionError, TabRecord};

use crate::hints;
use crate::project::store::ProjectStore;

/// The session, the project's store, and the permissions that the user gave.
pub(crate) struct Workspace {
    /// The browser with its tabs and references.
    pub(crate) session: Session,
    /// Whether `browser_evaluate` is offered.
    pub(crate) allow_evaluate: bool,
    /// Fingerprints and baselines.
    pub(crate) store: Arc<ProjectStore>,
}

impl Workspace {
    /// Creates a workspace without fingerprints. Baselines are opened when they are needed.
    pub(crate) fn new(session: Session, allow_evaluate: bool) -> Workspace {
        Workspace { session, allow_evaluate, store: Arc::default() }
    }

    /// Returns an error as one sentence for the reader of the tools.
    pub(crate) fn sentence(&self, error: &SessionError) -> String {
        hints::sentence(self.session.wording(), error)
    }

    /// Returns the tab that a call names, or the active one.
    pub(crate) async fn tab(&self, tab: &Option<String>) -> Result<Arc<TabRecord>, SessionError> {
        self.session.tab(tab.as_deref()).await
    }
}
