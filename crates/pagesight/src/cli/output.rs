//! The format of a result.

use clap::ValueEnum;

/// The format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// Text
    Text,
    /// JSON
    Json,
}
