//! Caches the last capture of a tab: one `Page` per frame, plus the merged page. A document that
//! the page script reports as unchanged is neither sent nor decoded again, and a page whose
//! documents are all unchanged stays the same `Arc`.

use std::collections::HashMap;
use std::sync::Arc;

use pagesight_core::page::{NodeId, Page};

/// The last look at a tab.
#[derive(Default)]
pub(crate) struct Memory {
    documents: HashMap<Option<String>, Arc<Page>>,
    whole: Option<Whole>,
    observed: Option<Arc<Page>>,
    /// The last look at a page that was known already had to be a look at everything.
    pub(crate) in_vain: bool,
}

/// Documents, and the page they make.
struct Whole {
    parts: Vec<Part>,
    page: Arc<Page>,
}

/// A document and where it was put.
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
    /// The last page of a frame's document, if its script gave its state a name.
    pub(crate) fn known(&self, frame: Option<&str>) -> Option<Arc<Page>> {
        // An owned key for one lookup; there is no borrowed form of Option<String>.
        let page = self.documents.get(&frame.map(str::to_owned))?;
        page.key.is_some().then(|| page.clone())
    }

    /// The page that these very documents made the last time.
    pub(crate) fn whole(&self, parts: &[Part]) -> Option<Arc<Page>> {
        let whole = self.whole.as_ref()?;
        let same = whole.parts.len() == parts.len()
            && whole.parts.iter().zip(parts).all(|(known, part)| known.is(part));
        same.then(|| whole.page.clone())
    }

    /// The page that was last seen, whole.
    pub(crate) fn last(&self) -> Option<Arc<Page>> {
        self.whole.as_ref().map(|whole| whole.page.clone())
    }

    /// Remembers a look, and forgets the one before.
    pub(crate) fn remember(
        &mut self,
        frames: Vec<Option<String>>,
        parts: Vec<Part>,
        page: Arc<Page>,
    ) {
        let pages = parts.iter().map(|part| part.page.clone());
        self.documents = frames.into_iter().zip(pages).collect();
        self.whole = Some(Whole { parts, page });
    }

    /// Whether this page differs from the last that was asked about.
    pub(crate) fn is_news(&mut self, page: &Arc<Page>) -> bool {
        let news = self.observed.as_ref().is_none_or(|seen| !Arc::ptr_eq(seen, page));
        self.observed = Some(page.clone());
        news
    }
}
