//! Remembers where positions of scripts are in the original sources, so that a source map is read
//! once per document.

use std::collections::HashMap;

use pagesight_core::log::CodePosition;

/// How many positions are remembered.
const MOST: usize = 2_000;

/// The original positions that were found in one document.
#[derive(Default)]
pub(crate) struct PositionCache {
    document: u64,
    known: HashMap<CodePosition, CodePosition>,
}

impl PositionCache {
    /// Returns the original position, if it is known.
    pub(crate) fn get(&self, document: u64, position: &CodePosition) -> Option<CodePosition> {
        self.known.get(position).filter(|_| self.document == document).cloned()
    }

    /// Remembers an original position.
    pub(crate) fn add(&mut self, document: u64, position: CodePosition, original: CodePosition) {
        if self.document != document || self.known.len() >= MOST {
            self.known.clear();
        }
        self.document = document;
        self.known.insert(position, original);
    }
}
