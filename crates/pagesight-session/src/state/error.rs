//! Why a saved state cannot be used.

/// Why a state cannot be used. No message contains a value.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum StateError {
    #[error("it is not a storage state file (line {line}, column {column})")]
    NotAState { line: usize, column: usize },
    #[error("its cookie {name:?} of {domain:?} is not valid: {what}")]
    Cookie { name: String, domain: String, what: &'static str },
    #[error("{origin:?} in it is not an origin")]
    Origin { origin: String },
    #[error("the browser does not take the cookie {name:?} of {domain:?}")]
    Refused { name: String, domain: String },
    #[error("the localStorage of {origin} could not be used")]
    Storage { origin: String },
}
