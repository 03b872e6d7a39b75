//! Why a page could not be visited.

use std::time::Duration;

use pagesight_browser::BrowserError;
use pagesight_session::{SessionError, TabError, WrittenActionError};

use crate::wording::plain;

/// Why a page could not be visited.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum VisitError {
    /// The browser ended, perhaps because of a different page.
    #[error("the browser ended")]
    BrowserEnded,
    /// The session failed.
    #[error("{}", plain(.0))]
    Session(Box<SessionError>),
    #[error("the [setup] failed: {0}")]
    Setup(String),
    /// A set-up failed in each of several tries.
    #[error("{reason} (tried {tries} times)")]
    Repeated { reason: Box<VisitError>, tries: u32 },
    #[error("no browser was started for it within {} s: {reason}", limit.as_secs())]
    NoBrowser { limit: Duration, reason: String },
    #[error("it took longer than {} s (timeout_s)", .0.as_secs())]
    TookTooLong(Duration),
    #[error("it took longer than {} s", .0.as_secs())]
    SetupTookTooLong(Duration),
    #[error("it did not load: {0}")]
    NotLoaded(String),
    #[error("it did not answer within {} s; check its server, or raise timeout_s", .0.as_secs())]
    NotAnswered(Duration),
    #[error("it answered {found}, but pages.toml expects status = {wanted}")]
    OtherStatus { found: u16, wanted: u16 },
    #[error(
        "it answered {0}, so no baseline was saved; fix the URL, or set status = {0} if that is expected"
    )]
    ErrorPage(u16),
    #[error("{address} answered {status}")]
    SetupStatus { address: String, status: u16 },
    #[error("action {place} ({kind}) failed: {reason}")]
    Action { place: usize, kind: String, reason: ActionTrouble },
    #[error("the story {0}")]
    Story(String),
    #[error("the Storybook has no such story")]
    NoStory,
    #[error("the secrets could not be removed from its fingerprint: {0}")]
    Secrets(String),
    #[error("it could not be read")]
    NotRead,
}

/// Why an action failed.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
pub enum ActionTrouble {
    /// Its element was not found; a sentence says which ones there are.
    #[error("{0}")]
    NotFound(String),
    /// It is not valid.
    #[error(transparent)]
    Written(#[from] WrittenActionError),
    /// The session failed.
    #[error("{}", plain(.0))]
    Session(Box<SessionError>),
}

impl VisitError {
    /// Reports whether trying again would not help.
    pub fn is_final(&self) -> bool {
        match self {
            VisitError::Setup(_) | VisitError::NoBrowser { .. } => true,
            VisitError::Session(error) => matches!(
                **error,
                SessionError::Browser(
                    BrowserError::NotInstalled { .. }
                        | BrowserError::NotStarted { .. }
                        | BrowserError::Unsupported { .. }
                ) | SessionError::Tab(TabError::Elsewhere { .. })
            ),
            _ => false,
        }
    }
}

impl From<SessionError> for VisitError {
    fn from(error: SessionError) -> VisitError {
        match error {
            SessionError::Browser(BrowserError::Disconnected) => VisitError::BrowserEnded,
            error => VisitError::Session(Box::new(error)),
        }
    }
}

impl From<SessionError> for ActionTrouble {
    fn from(error: SessionError) -> ActionTrouble {
        ActionTrouble::Session(Box::new(error))
    }
}
