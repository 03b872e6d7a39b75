//! Why an entry of a log cannot be described.

use pagesight_core::log::LogId;

/// Why an entry of a log cannot be described.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum LogError {
    #[error("{given:?} is not an entry of the log; give a number that it printed, such as r7")]
    NotANumber { given: String },
    #[error("there is no entry [{id}] in the log of this tab; give a number that it printed")]
    Unknown { id: LogId },
    #[error("the entry [{id}] is no longer kept: newer ones took its place; repeat what caused it")]
    Dropped { id: LogId },
}
