//! The errors of a session. A message is one sentence that names no tool and no command;
//! [`SessionError::hint`] says as data what can be done.

use pagesight_browser::BrowserError;
use pagesight_core::hint::Hint;
use pagesight_core::refs::RefError;
use pagesight_core::wire::decode::CaptureError;
use pagesight_core::wire::page_file::PageFileError;

use crate::act::error::ActionError;
use crate::log::error::LogError;
use crate::look::error::LookError;
use crate::navigate::address::AddressError;
use crate::session::features::UnknownFeature;
use crate::state::error::StateError;
use crate::tab::error::TabError;

/// The result of an operation of a session.
pub type Result<T> = std::result::Result<T, SessionError>;

/// An error of a session.
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
    #[error(transparent)]
    PageFile(#[from] PageFileError),
    /// Something is wrong with the tab itself.
    #[error(transparent)]
    Tab(#[from] TabError),
    /// The page could not be looked at.
    #[error(transparent)]
    Look(#[from] LookError),
    /// An action failed.
    #[error(transparent)]
    Action(#[from] ActionError),
    /// A URL cannot be opened.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// There is no such feature.
    #[error(transparent)]
    Feature(#[from] UnknownFeature),
    /// A saved state could not be loaded.
    #[error(transparent)]
    State(#[from] StateError),
    /// An entry of the log cannot be described.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The session was closed.
    #[error("the session was closed")]
    Closed,
    /// Nobody waits for the answer.
    #[error("the call was cancelled")]
    Cancelled,
    /// An action that was to run several times failed after some.
    #[error("done {done} of {times} times, then it stopped: {error}")]
    StoppedEarly {
        /// How often it ran.
        done: u32,
        /// How often it was to run.
        times: u32,
        /// Why it failed.
        error: Box<SessionError>,
    },
    /// The call took too long.
    #[error("the call was ended after {seconds} s: the page does not answer")]
    TookTooLong {
        /// The limit.
        seconds: u64,
    },
}

impl SessionError {
    /// Returns what to do next, unless the message says it.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            SessionError::Browser(error) => browser_hint(error),
            SessionError::Reference(error) => error.hint(),
            SessionError::Capture(error) => error.hint(),
            SessionError::PageFile(error) => error.hint(),
            SessionError::Tab(error) => error.hint(),
            SessionError::Look(error) => error.hint(),
            SessionError::Action(error) => error.hint(),
            SessionError::Address(error) => error.hint(),
            SessionError::StoppedEarly { error, .. } => error.hint(),
            SessionError::TookTooLong { .. } => Some(Hint::RetryOrReload),
            _ => None,
        }
    }
}

/// Returns what to do next after an error of the browser, unless the message says it.
fn browser_hint(error: &BrowserError) -> Option<Hint> {
    match error {
        BrowserError::NotStarted { .. } => Some(Hint::CheckSetup),
        BrowserError::TabClosed => Some(Hint::OpenTab),
        BrowserError::TabCrashed => Some(Hint::Reload),
        BrowserError::TimedOut { .. } => Some(Hint::RetryOrReload),
        BrowserError::Hangs { .. } => Some(Hint::LeaveOrClose),
        BrowserError::Navigated => Some(Hint::LookAgain),
        BrowserError::DialogOpen { .. } => Some(Hint::AnswerDialog),
        BrowserError::Unsupported { .. } => Some(Hint::UseChromium),
        _ => None,
    }
}
