//! The options and the result of a snapshot.

use crate::page::NodeId;
use crate::page::Scope;
use crate::pipeline::IdMap;

/// How a snapshot is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnapshotFormat {
    /// One element a line.
    #[default]
    Text,
    /// One object.
    Json,
}

/// What the caller asked for.
#[derive(Clone, Copy, Debug)]
pub struct SnapshotOptions {
    /// What part of the page.
    pub scope: Scope,
    /// How it is written.
    pub format: SnapshotFormat,
    /// The largest answer, in o200k tokens.
    pub max_tokens: usize,
}

impl SnapshotOptions {
    /// Everything, however large.
    pub const WHOLE: SnapshotOptions = SnapshotOptions {
        scope: Scope::Full,
        format: SnapshotFormat::Text,
        max_tokens: usize::MAX / 8,
    };
}

impl Default for SnapshotOptions {
    fn default() -> Self {
        SnapshotOptions { max_tokens: 8_000, ..SnapshotOptions::WHOLE }
    }
}

/// A snapshot and the elements in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The text, or one JSON object, ending with a line break.
    pub text: String,
    /// Every element with its number, in order.
    pub shown: Vec<(NodeId, u32)>,
}

impl Snapshot {
    /// From numbers to nodes and back.
    pub fn ids(&self) -> IdMap {
        IdMap::new(&self.shown)
    }
}
