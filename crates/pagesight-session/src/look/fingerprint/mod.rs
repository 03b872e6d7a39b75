//! Takes the fingerprint of a live tab: waits until the page and its images in view are ready,
//! looks, and extracts it. There is no wait if the page has already been quiet for a while. A page
//! that did not change since the last fingerprint is not read again, and calls that wait for the
//! same turn share one capture.
//!
//! A fingerprint can come with a picture. The picture is drawn right after the look; then the page
//! is looked at again, and if something moved meanwhile, both are taken again.

pub(crate) mod request;

pub use request::FingerprintRequest;

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{ShotArea, ShotRequest, Viewport};
use pagesight_core::fingerprint::{
    Boxes, ExactTarget, FAULT, Fingerprint, FingerprintOptions, Size, extract, extract_with_boxes,
};
use pagesight_core::page::{NodeId, Page, Scope};
use pagesight_core::targets::{TargetQuery, named};
use tokio::time::Instant;

use crate::error::Result;
use crate::look::Look;
use crate::look::error::LookError;
use crate::session::Session;
use crate::session::features::Feature;
use crate::tab::fingerprint_cache::CachedFingerprint;
use crate::tab::record::TabRecord;
use crate::wait::settle::{Checkpoint, WaitOutcome, wait_until_quiet};

/// How long a page may take to adapt to a different viewport.
const RESIZE_LIMIT: Duration = Duration::from_secs(3);
/// How long to wait for images in view when everything else is quiet, and how long the page may
/// take to answer.
const PICTURES: Duration = Duration::from_secs(1);
const PICTURES_LIMIT: Duration = Duration::from_secs(3);

/// The largest size of a picture, in CSS pixels.
const MOST_WIDE: u32 = 4_000;
const MOST_HIGH: u32 = 4_000;
/// How often a picture is tried if the page moves while it is drawn.
const PICTURE_TRIES: u32 = 3;

/// The elements of a page that a request names.
#[derive(Default)]
struct NamedNodes {
    ignored: Vec<NodeId>,
    exact: Vec<ExactTarget>,
}

impl NamedNodes {
    fn of(page: &Page, request: &FingerprintRequest) -> Result<NamedNodes> {
        let ignored = ignored(page, &request.ignore)?;
        Ok(NamedNodes { ignored, exact: exact(page, &request.exact)? })
    }

    fn options<'a>(
        &'a self,
        request: &'a FingerprintRequest,
        scope: Scope,
        loading: bool,
    ) -> FingerprintOptions<'a> {
        FingerprintOptions {
            scope,
            scope_text: request.scope.as_str(),
            depth: request.depth,
            ignored: &self.ignored,
            captured_at: &request.captured_at,
            loading,
            numbers: request.numbers,
            exact: &self.exact,
        }
    }
}

/// A fingerprint with a picture of the same moment.
#[derive(Clone, Debug)]
pub struct FingerprintWithPicture {
    /// The fingerprint.
    pub fingerprint: Arc<Fingerprint>,
    /// The boxes of its entries on the picture.
    pub boxes: Boxes,
    /// The whole page from its top left corner as PNG, cut at 4,000 pixels each way; none if the
    /// browser could not draw it.
    pub png: Option<Vec<u8>>,
    /// The size of the picture in CSS pixels.
    pub size: Size,
}

impl Session {
    /// Takes the fingerprint of a tab.
    pub async fn fingerprint(
        &self,
        tab: &Arc<TabRecord>,
        request: &FingerprintRequest,
    ) -> Result<Arc<Fingerprint>> {
        let arrived = Instant::now();
        let _turn = tab.turn().await?;
        self.check_tab(tab)?;
        let same_viewport = |cached: &CachedFingerprint| match request.viewport {
            Some(size) => cached.fingerprint.viewport == size,
            None => !cached.resized,
        };
        if let Some(shared) =
            self.cached(tab, request, |cached| cached.begun >= arrived && same_viewport(cached))
        {
            return Ok(shared);
        }
        let before = self.set_viewport(tab, request.viewport).await?;
        let taken = self.take_fingerprint(tab, request, before.is_some()).await;
        self.restore_viewport(tab, before).await?;
        Ok(taken?.0)
    }

    /// Takes the fingerprint of a tab with a picture, and the boxes of the entries on it.
    pub async fn fingerprint_with_picture(
        &self,
        tab: &Arc<TabRecord>,
        request: &FingerprintRequest,
    ) -> Result<FingerprintWithPicture> {
        let _turn = tab.turn().await?;
        self.check_tab(tab)?;
        let before = self.set_viewport(tab, request.viewport).await?;
        let drawn = self.take_with_picture(tab, request, before.is_some()).await;
        self.restore_viewport(tab, before).await?;
        drawn
    }

    /// Takes fingerprint and picture. Drawing a whole page may itself load late content, so the
    /// page is looked at again afterwards.
    async fn take_with_picture(
        &self,
        tab: &Arc<TabRecord>,
        request: &FingerprintRequest,
        resized: bool,
    ) -> Result<FingerprintWithPicture> {
        let mut tries = 0;
        loop {
            let (fingerprint, look) = self.take_fingerprint(tab, request, resized).await?;
            let boxes = self.boxes(&look, request)?;
            let ((left, top), (width, height)) = (look.page.scroll, look.page.size);
            let size =
                Size { width: width.clamp(1, MOST_WIDE), height: height.clamp(1, MOST_HIGH) };
            let (x, y) = (f64::from(-left), f64::from(-top));
            let area = ShotArea::Box { x, y, width: size.width.into(), height: size.height.into() };
            let drawn = tab.tab.screenshot(&ShotRequest::png(area)).await;
            self.check_tab(tab)?;
            let png = drawn
                .inspect_err(|error| tracing::warn!("no picture could be taken: {error}"))
                .ok();
            tries += 1;
            if png.is_none() || tries >= PICTURE_TRIES {
                return Ok(FingerprintWithPicture { fingerprint, boxes, png, size });
            }
            let full = request.needs_all_attributes();
            let again = self.look_in_turn(tab, request.scope.selector(), full).await?;
            if again.page.size == look.page.size && self.boxes(&again, request)? == boxes {
                return Ok(FingerprintWithPicture { fingerprint, boxes, png, size });
            }
        }
    }

    /// Returns the boxes of all entries on the page of a look.
    fn boxes(&self, look: &Look, request: &FingerprintRequest) -> Result<Boxes> {
        let scope = self.scope_in(look, &request.scope)?;
        let named = NamedNodes::of(&look.page, request)?;
        Ok(extract_with_boxes(&look.page, &named.options(request, scope, false)).1)
    }

    /// Gives a tab a different viewport. Returns the viewport it had, if it changed.
    async fn set_viewport(
        &self,
        tab: &Arc<TabRecord>,
        size: Option<Size>,
    ) -> Result<Option<Viewport>> {
        let Some(size) = size else { return Ok(None) };
        let look = self.look_in_turn(tab, None, false).await?;
        let (width, height) = look.page.viewport;
        if (width, height) == (size.width, size.height) {
            return Ok(None);
        }
        let wanted = Viewport { width: size.width, height: size.height };
        if !wanted.is_sensible() {
            let Size { width, height } = size;
            return Err(LookError::BaselineViewport { width, height }.into());
        }
        tab.tab.resize(wanted).await?;
        // The page learns of it with the next repaint; the answer to this call comes after that.
        let _ = tab.script(None, RESIZE_LIMIT).wait_for_quiet(100, 1000).await;
        Ok(Some(Viewport { width, height }))
    }

    /// Restores the viewport of a tab.
    async fn restore_viewport(&self, tab: &TabRecord, before: Option<Viewport>) -> Result<()> {
        match before {
            Some(before) => Ok(tab.tab.resize(before).await?),
            None => Ok(()),
        }
    }

    /// Takes the fingerprint. `resized`: the viewport is not the tab's own.
    async fn take_fingerprint(
        &self,
        tab: &Arc<TabRecord>,
        request: &FingerprintRequest,
        resized: bool,
    ) -> Result<(Arc<Fingerprint>, Look)> {
        let outcome = wait_until_quiet(tab, &Checkpoint::now(tab, &self.shared)).await?;
        self.check_tab(tab)?;
        let loading = !matches!(outcome, WaitOutcome::Loaded) && !outcome.is_ready();
        let (selector, full) = (request.scope.selector(), request.needs_all_attributes());
        let mut begun = Instant::now();
        let mut look = self.look_in_turn(tab, selector, full).await?;
        if self.shared.has(Feature::SmartWaiting) && awaits_pictures(&look.page) {
            // If the page does not answer, its current state is used.
            let _ =
                tab.script(None, PICTURES_LIMIT).wait_for_images(PICTURES.as_millis() as u64).await;
            self.check_tab(tab)?;
            begun = Instant::now();
            look = self.look_in_turn(tab, selector, full).await?;
        }
        let kept = |fingerprint: Fingerprint| CachedFingerprint {
            page: look.page.clone(),
            request: request.clone(),
            resized,
            loading,
            begun,
            fingerprint: Arc::new(fingerprint),
        };
        let same = |cached: &CachedFingerprint| {
            Arc::ptr_eq(&cached.page, &look.page) && cached.loading == loading
        };
        if let Some(known) = self.cached(tab, request, same) {
            let again =
                Fingerprint { captured_at: request.captured_at.clone(), ..(*known).clone() };
            return Ok((self.cache(tab, kept(again)), look));
        }
        let scope = self.scope_in(&look, &request.scope)?;
        if let Scope::Node(node) = scope {
            // A scope that names a frame enters it.
            let node = look.page.node(node);
            let document = node.shown_document().unwrap_or(node.document());
            let frame = document.frame.as_deref();
            self.foreign(tab.script(frame, PICTURES_LIMIT)).await?.map_or(Ok(()), Err)?;
        }
        let named = NamedNodes::of(&look.page, request)?;
        let made = kept(extract(&look.page, &named.options(request, scope, loading)));
        Ok((self.cache(tab, made), look))
    }

    /// Returns the last fingerprint of a tab, if it was taken with the same options and `good`
    /// accepts it.
    fn cached(
        &self,
        tab: &TabRecord,
        request: &FingerprintRequest,
        good: impl Fn(&CachedFingerprint) -> bool,
    ) -> Option<Arc<Fingerprint>> {
        let cached = tab.cached_fingerprint();
        let cached = cached.as_ref()?;
        (cached.request.is_same(request) && good(cached)).then(|| cached.fingerprint.clone())
    }

    fn cache(&self, tab: &TabRecord, cached: CachedFingerprint) -> Arc<Fingerprint> {
        let fingerprint = cached.fingerprint.clone();
        *tab.cached_fingerprint() = Some(cached);
        fingerprint
    }
}

/// Whether an image of the page is still loading.
fn awaits_pictures(page: &Page) -> bool {
    page.nodes().any(|node| node.tag() == "img" && node.attribute(FAULT) == Some("pending"))
}

/// Returns the nodes that the selectors of ignore rules match, in document order.
pub(crate) fn ignored(page: &Page, selectors: &[String]) -> Result<Vec<NodeId>> {
    let mut found = Vec::new();
    for selector in selectors {
        let matched = pagesight_core::page::css_query::all(page, selector);
        found.extend(matched.map_err(LookError::IgnoreRule)?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Returns the elements that targets name whose texts must stay equal.
fn exact(page: &Page, targets: &[String]) -> Result<Vec<ExactTarget>> {
    let mut found = Vec::new();
    for target in targets {
        let mut nodes = match TargetQuery::parse(target).map_err(LookError::ExactTarget)? {
            TargetQuery::Css(selector) => pagesight_core::page::css_query::all(page, &selector)
                .map_err(LookError::ExactSelector)?,
            TargetQuery::Line(query) => named(page, &query),
            TargetQuery::Reference(_) => return Err(LookError::ExactReference.into()),
        };
        nodes.sort_unstable();
        nodes.dedup();
        found.push(ExactTarget { target: target.clone(), nodes });
    }
    Ok(found)
}

/// Takes the fingerprint of a captured page, for page files.
pub fn of_page(page: &Page, part: Scope, request: &FingerprintRequest) -> Result<Fingerprint> {
    let named = NamedNodes::of(page, request)?;
    Ok(extract(page, &named.options(request, part, false)))
}

#[cfg(test)]
mod in_browser;
