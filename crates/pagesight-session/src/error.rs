//! What can go wrong in a session, each as one sentence that says what to do next.

use pagesight_browser::BrowserError;
use pagesight_core::refs::RefError;
use pagesight_core::wire::decode::CaptureError;
use pagesight_core::wire::page_file::PageFileError;

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
    /// No such tab.
    #[error("unknown tab {given:?}: the open tabs are {open}; open one with browser_tabs")]
    UnknownTab {
        /// What was given.
        given: String,
        /// The open ones.
        open: String,
    },
    /// A baseline could not be kept or found.
    #[error(transparent)]
    Baseline(#[from] crate::baseline::BaselineError),
    /// A parameter is wrong.
    #[error("{0}")]
    Input(String),
    /// The call took too long.
    #[error(
        "the call was ended after {seconds} s: the page does not answer; try again, or reload it with browser_navigate"
    )]
    TookTooLong {
        /// The limit.
        seconds: u64,
    },
}

impl From<PageFileError> for SessionError {
    fn from(error: PageFileError) -> Self {
        SessionError::PageFile(error.to_string())
    }
}
