//! What can go wrong in a session. A message is one sentence that names no tool and no command;
//! [`SessionError::hint`] says as data what can be done.

use pagesight_browser::BrowserError;
use pagesight_core::refs::RefError;
use pagesight_core::wire::decode::CaptureError;
use pagesight_core::wire::page_file::PageFileError;

use crate::act::error::ActionError;
use crate::address::AddressError;
use crate::baseline::BaselineError;
use crate::features::UnknownFeature;
use crate::hint::Hint;
use crate::look::error::LookError;
use crate::tab::error::TabError;

/// The result of anything done in a session.
pub type Result<T> = std::result::Result<T, SessionError>;

/// What can go wrong in a session.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
pub enum SessionError {
    /// The browser, a tab or the page failed.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// A reference cannot be used.
    #[error(transparent)]
    Reference(#[from] RefError),
    /// A capture could not be read.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// A page file could not be written or read.
    #[error("{0}")]
    PageFile(String),
    /// Something is wrong with the tab itself.
    #[error(transparent)]
    Tab(#[from] TabError),
    /// A page could not be looked at as asked.
    #[error(transparent)]
    Look(#[from] LookError),
    /// An action failed.
    #[error(transparent)]
    Action(#[from] ActionError),
    /// An address cannot be opened.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// There is no such feature.
    #[error(transparent)]
    Feature(#[from] UnknownFeature),
    /// A baseline could not be kept or found.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// A parameter is wrong.
    #[error("{0}")]
    Input(String),
    /// The call took too long.
    #[error("the call was ended after {seconds} s: the page does not answer")]
    TookTooLong {
        /// The limit.
        seconds: u64,
    },
}

impl SessionError {
    /// What the caller can do about it, if that depends on which tools or commands there are.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            SessionError::Tab(error) => error.hint(),
            SessionError::Look(error) => error.hint(),
            SessionError::Action(error) => error.hint(),
            SessionError::Address(error) => error.hint(),
            SessionError::Baseline(error) => error.hint(),
            SessionError::TookTooLong { .. } => Some(Hint::Reload),
            _ => None,
        }
    }
}

impl From<PageFileError> for SessionError {
    fn from(error: PageFileError) -> Self {
        SessionError::PageFile(error.to_string())
    }
}
