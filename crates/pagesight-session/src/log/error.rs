//! Why an entry of a log cannot be described.

use pagesight_core::log::LogId;

/// Why an entry of a log cannot be described.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogError {
    /// It is not written like a number of an entry.
    #[error("{given:?} is not an entry of the log; give a number that it printed, such as r7")]
    NotANumber {
        /// The number as it was given.
        given: String,
    },
    /// There is no such entry.
    #[error("there is no entry [{id}] in the log of this tab; give a number that it printed")]
    Unknown {
        /// The number.
        id: LogId,
    },
    /// It is not kept any more.
    #[error("the entry [{id}] is no longer kept: newer ones took its place; repeat what caused it")]
    Dropped {
        /// The number.
        id: LogId,
    },
}
