//! Why a saved state cannot be used.

/// Why a state cannot be used. No message contains a value.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum StateError {
    /// It is not a storage state.
    #[error("it is not a storage state file (line {line}, column {column})")]
    NotAState {
        /// Where.
        line: usize,
        /// Where in the line.
        column: usize,
    },
    /// A cookie is wrong.
    #[error("its cookie {name:?} of {domain:?} is not valid: {what}")]
    Cookie {
        /// The name.
        name: String,
        /// The domain.
        domain: String,
        /// What is wrong.
        what: &'static str,
    },
    /// An origin is wrong.
    #[error("{origin:?} in it is not an origin")]
    Origin {
        /// The given text, cut.
        origin: String,
    },
    /// The browser refused a cookie.
    #[error("the browser does not take the cookie {name:?} of {domain:?}")]
    Refused {
        /// The name.
        name: String,
        /// The domain.
        domain: String,
    },
    /// localStorage could not be used.
    #[error("the localStorage of {origin} could not be used")]
    Storage {
        /// The origin.
        origin: String,
    },
}
