//! Why a source does not list its pages.

use pagesight_session::SessionError;

use crate::wording::plain;

/// Why a source does not list its pages.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum SourceError {
    #[error("ended by a signal; nothing was checked")]
    Interrupted,
    #[error("{path}:{line}: {reason}")]
    At { path: String, line: usize, reason: Box<SourceError> },
    #[error("the sitemap {address} cannot be used: {reason}")]
    Sitemap { address: String, reason: Box<SourceError> },
    #[error("{address} cannot be used: {reason}")]
    Storybook { address: String, reason: Box<SourceError> },
    #[error("the command {line:?} of a source {reason}")]
    Command { line: String, reason: Box<SourceError> },
    #[error("it lists {found} pages, more than max = {most}")]
    TooMany { found: usize, most: usize },
    #[error("it lists no pages; check its address, include and exclude")]
    Empty,
    #[error(
        "it lists no pages of this site; {left_out} of other hosts were left out, such as {first}; if they are this site, give their origin"
    )]
    OtherHosts { left_out: usize, first: String },
    #[error(
        "two pages are named {name:?}: {one} and {other}; exclude one of them, or write it as a [[page]] with a name of its own"
    )]
    SameName { name: String, one: String, other: String },
    #[error("{0} is not on a web site; give an http or https URL")]
    NotAWebSite(String),
    /// The list of a source cannot be used; holds a sentence or its end.
    #[error("{0}")]
    Unusable(String),
}

impl SourceError {
    /// Replaces values that must not be printed in all its texts.
    pub(super) fn hidden(self, hide: &dyn Fn(String) -> String) -> SourceError {
        match self {
            SourceError::At { path, line, reason } => {
                SourceError::At { path, line, reason: Box::new(reason.hidden(hide)) }
            }
            SourceError::Interrupted | SourceError::Empty => self,
            error => SourceError::Unusable(hide(error.to_string())),
        }
    }
}

impl From<String> for SourceError {
    fn from(sentence: String) -> SourceError {
        SourceError::Unusable(sentence)
    }
}

impl From<&str> for SourceError {
    fn from(sentence: &str) -> SourceError {
        SourceError::Unusable(sentence.to_owned())
    }
}

impl From<SessionError> for SourceError {
    fn from(error: SessionError) -> SourceError {
        SourceError::Unusable(plain(&error))
    }
}
