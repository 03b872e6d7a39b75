//! Caches the last fingerprint of a tab together with its page: a page that did not change is not
//! read again.

use std::sync::Arc;

use pagesight_core::fingerprint::Fingerprint;
use pagesight_core::page::Page;
use tokio::time::Instant;

use crate::look::fingerprint::request::FingerprintRequest;

/// The last fingerprint of a tab and how it was taken.
pub(crate) struct CachedFingerprint {
    pub(crate) page: Arc<Page>,
    pub(crate) request: FingerprintRequest,
    /// The viewport was not the tab's own.
    pub(crate) resized: bool,
    /// The page was not ready.
    pub(crate) loading: bool,
    /// When the capture began. A call that came before that may share the fingerprint.
    pub(crate) begun: Instant,
    pub(crate) fingerprint: Arc<Fingerprint>,
}
