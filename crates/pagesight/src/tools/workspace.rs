//! The state that tools work on.

use std::sync::Arc;

use pagesight_session::{Session, SessionError, TabRecord};

use crate::project::store::ProjectStore;

/// The session, and what the user allowed.
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

    /// Returns the tab that a call names, or the active one.
    pub(crate) async fn tab(&self, tab: &Option<String>) -> Result<Arc<TabRecord>, SessionError> {
        self.session.tab(tab.as_deref()).await
    }
}
