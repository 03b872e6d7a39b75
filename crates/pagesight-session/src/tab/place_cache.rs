//! Remembers where positions of scripts are in the original sources, so that a source map is read
//! once per document.

use std::collections::HashMap;

use pagesight_core::log::CodePosition;

/// How many positions are remembered.
const MOST: usize = 2_000;

/// The places that were found in one document.
#[derive(Default)]
pub(crate) struct PlaceCache {
    document: u64,
    known: HashMap<CodePosition, CodePosition>,
}

impl PlaceCache {
    /// Returns the place of a position, if it is known.
    pub(crate) fn get(&self, document: u64, position: &CodePosition) -> Option<CodePosition> {
        self.known.get(position).filter(|_| self.document == document).cloned()
    }

    /// Remembers the place of a position.
    pub(crate) fn add(&mut self, document: u64, position: CodePosition, place: CodePosition) {
        if self.document != document || self.known.len() >= MOST {
            self.known.clear();
        }
        self.document = document;
        self.known.insert(position, place);
    }
}
