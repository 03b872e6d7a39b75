//! Caches the last capture of a tab: one `Page` per frame, plus the merged page. A document that
//! the page script reports as unchanged is neither sent nor decoded again, and a page whose
//! documents are all unchanged stays the same `Arc`. Full captures are cached apart from plain
//! ones: neither can answer for the other.

use std::collections::HashMap;
use std::sync::Arc;

use pagesight_core::page::{NodeId, Page};

/// The last looks at a tab.
#[derive(Default)]
pub(crate) struct Memory {
    plain: LastCapture,
    full: LastCapture,
    observed: Option<Arc<Page>>,
    /// The page script could not use the cache for the last look and had to walk the whole page.
    pub(crate) patch_failed: bool,
}

/// The contents of a capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CaptureExtent {
    #[default]
    Plain,
    /// All attributes, hidden elements and comments, too.
    Full,
}

/// The last capture of one extent.
#[derive(Default)]
struct LastCapture {
    documents: HashMap<Option<String>, Arc<Page>>,
    whole: Option<Whole>,
}

/// Documents, and the merged page.
struct Whole {
    parts: Vec<Part>,
    page: Arc<Page>,
}

/// A document and the frame element that it belongs to.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) page: Arc<Page>,
    pub(crate) within: Option<(usize, NodeId)>,
}

impl Part {
    fn is(&self, other: &Part) -> bool {
        Arc::ptr_eq(&self.page, &other.page) && self.within == other.within
    }
}

impl Memory {
    fn last_of(&self, extent: CaptureExtent) -> &LastCapture {
        match extent {
            CaptureExtent::Plain => &self.plain,
            CaptureExtent::Full => &self.full,
        }
    }

    /// Returns the last page of a frame's document, if the page script gave it a key.
    pub(crate) fn known(&self, extent: CaptureExtent, frame: Option<&str>) -> Option<Arc<Page>> {
        // An owned key for one lookup; there is no borrowed form of Option<String>.
        let page = self.last_of(extent).documents.get(&frame.map(str::to_owned))?;
        page.key.is_some().then(|| page.clone())
    }

    /// Returns the merged page, if it was made from exactly these documents.
    pub(crate) fn whole(&self, extent: CaptureExtent, parts: &[Part]) -> Option<Arc<Page>> {
        let whole = self.last_of(extent).whole.as_ref()?;
        let same = whole.parts.len() == parts.len()
            && whole.parts.iter().zip(parts).all(|(known, part)| known.is(part));
        same.then(|| whole.page.clone())
    }

    /// Returns the merged page of the last plain look.
    pub(crate) fn last(&self) -> Option<Arc<Page>> {
        self.plain.whole.as_ref().map(|whole| whole.page.clone())
    }

    /// Caches a look instead of the one before of the same extent.
    pub(crate) fn remember(
        &mut self,
        extent: CaptureExtent,
        frames: Vec<Option<String>>,
        parts: Vec<Part>,
        page: Arc<Page>,
    ) {
        let pages = parts.iter().map(|part| part.page.clone());
        let documents = frames.into_iter().zip(pages).collect();
        let capture = LastCapture { documents, whole: Some(Whole { parts, page }) };
        match extent {
            CaptureExtent::Plain => self.plain = capture,
            CaptureExtent::Full => self.full = capture,
        }
    }

    /// Forgets the last look of one extent.
    #[cfg(test)]
    pub(crate) fn forget(&mut self, extent: CaptureExtent) {
        match extent {
            CaptureExtent::Plain => self.plain = LastCapture::default(),
            CaptureExtent::Full => self.full = LastCapture::default(),
        }
    }

    /// Whether this page differs from the page of the last call.
    pub(crate) fn is_news(&mut self, page: &Arc<Page>) -> bool {
        let news = self.observed.as_ref().is_none_or(|seen| !Arc::ptr_eq(seen, page));
        self.observed = Some(page.clone());
        news
    }
}
