//! The errors of the user's project: its baselines and its settings.

use pagesight_check::baseline::BaselineError;
use pagesight_check::settings::SettingsError;
use pagesight_session::Hint;

/// Why the baselines or the settings of a project cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProjectError {
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The thread that used the store panicked.
    #[error("the baseline store could not be used: {0}")]
    Thread(tokio::task::JoinError),
}

impl ProjectError {
    /// Returns what to do next, unless the message says it.
    pub(crate) fn hint(&self) -> Option<Hint> {
        match self {
            ProjectError::Baseline(error) => error.hint(),
            ProjectError::Settings(_) | ProjectError::Thread(_) => None,
        }
    }
}
