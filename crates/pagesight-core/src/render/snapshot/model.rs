//! The options and the result of a snapshot.

use serde::{Deserialize, Serialize};

use crate::hint::Wording;
use crate::page::{NodeId, Scope};

/// The format of a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SnapshotFormat {
    /// One element per line.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// Options of a snapshot.
#[derive(Clone, Copy, Debug)]
pub struct SnapshotOptions {
    /// Which part of the page.
    pub scope: Scope,
    /// The format.
    pub format: SnapshotFormat,
    /// The largest answer, in o200k tokens.
    pub max_tokens: usize,
    /// The words of hints.
    pub wording: Wording,
}

impl SnapshotOptions {
    /// The whole page without a budget.
    pub const WHOLE: SnapshotOptions = SnapshotOptions {
        scope: Scope::Full,
        format: SnapshotFormat::Text,
        max_tokens: usize::MAX / 8,
        wording: Wording::PLAIN,
    };
}

impl Default for SnapshotOptions {
    fn default() -> Self {
        SnapshotOptions { max_tokens: 8_000, ..SnapshotOptions::WHOLE }
    }
}

/// A snapshot, and the elements in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The text, or one JSON object, ending with a line break.
    pub text: String,
    /// The elements with their numbers, in order.
    pub shown: Vec<(NodeId, u32)>,
}
