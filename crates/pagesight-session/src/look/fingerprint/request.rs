//! How a fingerprint is taken.

use pagesight_core::fingerprint::{Depth, Size};

use crate::look::scope::ScopeChoice;

/// How a fingerprint is taken.
#[derive(Clone, Debug, Default)]
pub struct FingerprintRequest {
    /// The part of the page.
    pub scope: ScopeChoice,
    /// How much of it.
    pub depth: Depth,
    /// The viewport to use; afterwards the tab gets its own back.
    pub viewport: Option<Size>,
    /// Selectors of elements that comparisons ignore.
    pub ignore: Vec<String>,
    /// Whether prices and other numbers with a unit are read.
    pub numbers: bool,
    /// Targets whose texts must stay equal.
    pub exact: Vec<String>,
    /// The time to store with the fingerprint.
    pub captured_at: String,
}

impl FingerprintRequest {
    /// Whether it needs attributes that only a full capture has.
    pub(super) fn needs_all_attributes(&self) -> bool {
        !self.ignore.is_empty() || self.exact.iter().any(|target| target.starts_with("css="))
    }

    /// Reports whether a fingerprint that was taken for this request serves for the other, too.
    pub(crate) fn is_same(&self, other: &FingerprintRequest) -> bool {
        self.scope.as_str() == other.scope.as_str()
            && (self.depth, self.numbers) == (other.depth, other.numbers)
            && (&self.ignore, &self.exact) == (&other.ignore, &other.exact)
    }
}
