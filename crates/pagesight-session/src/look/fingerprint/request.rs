//! How a fingerprint is taken.

use pagesight_core::fingerprint::{Depth, Size};

use crate::audit::AuditRequest;
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
    /// Whether boxes and styles are read.
    pub layout: bool,
    /// Selectors of elements whose pictures are not compared.
    pub mask: Vec<String>,
    /// The accessibility rules that are tested, if any are.
    pub audit: Option<AuditRequest>,
    /// The time to store with the fingerprint.
    pub captured_at: String,
}

impl FingerprintRequest {
    /// Whether it needs attributes that only a full capture has.
    pub(super) fn needs_all_attributes(&self) -> bool {
        !self.ignore.is_empty()
            || !self.mask.is_empty()
            || self.exact.iter().any(|target| target.starts_with("css="))
    }

    /// Reports whether a fingerprint that was taken for this request serves for the other, too.
    pub(crate) fn is_same(&self, other: &FingerprintRequest) -> bool {
        self.scope.as_str() == other.scope.as_str()
            && (self.depth, self.numbers, self.layout) == (other.depth, other.numbers, other.layout)
            && self.audit == other.audit
            && (&self.ignore, &self.exact, &self.mask) == (&other.ignore, &other.exact, &other.mask)
    }
}
