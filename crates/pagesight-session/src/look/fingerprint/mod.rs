//! Takes the fingerprint of a live tab: waits until the page and its images in view are ready,
//! looks, and extracts it. There is no wait if the page has already been quiet for a while. A page
//! that did not change since the last fingerprint is not read again, and calls that wait for the
//! same turn share one capture.
//!
//! A fingerprint can come with a picture. The picture is drawn right after the look; then the page
//! is looked at again, and if something moved meanwhile, both are taken again.

pub(crate) mod request;

pub use request::FingerprintRequest;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{BrowserError, ShotArea, ShotRequest, Viewport};
use pagesight_core::fingerprint::{
    AuditFindings, AuditOptions, Boxes, ExactTarget, FAULT, Fingerprint, FingerprintOptions,
    LayoutMeasures, Size, extract, extract_with_boxes, layout_nodes,
};
use pagesight_core::page::css_query::QueryError;
use pagesight_core::page::{Flags, Node, NodeId, Page, Scope};
use pagesight_core::targets::{TargetQuery, named};
use tokio::time::Instant;

use crate::audit::{AuditRequest, audit};
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
/// How long the page may take to measure how it is drawn.
const MEASURE_LIMIT: Duration = Duration::from_secs(10);
/// How long an audited page is watched for elements that move, and how far they move at least.
const SHIFT_WATCH: Duration = Duration::from_secs(1);
const SHIFT: i32 = 8;

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
    masked: Vec<NodeId>,
}

impl NamedNodes {
    fn of(page: &Page, request: &FingerprintRequest) -> Result<NamedNodes> {
        let ignored = ignored(page, &request.ignore)?;
        let masked = matched(page, &request.mask).map_err(LookError::Mask)?;
        Ok(NamedNodes { ignored, exact: exact(page, &request.exact)?, masked })
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
            layout: None,
            audit: None,
            masked: &self.masked,
        }
    }
}

/// A fingerprint, and what it was made of.
struct TakenFingerprint {
    fingerprint: Arc<Fingerprint>,
    look: Look,
    measures: Option<LayoutMeasures>,
    audit: Option<PageAudit>,
}

/// The findings of an audit.
struct PageAudit {
    findings: AuditFindings,
    /// Elements that moved after the page was ready.
    shifted: Vec<NodeId>,
}

impl PageAudit {
    fn options<'a>(&'a self, request: &'a AuditRequest) -> AuditOptions<'a> {
        AuditOptions {
            findings: &self.findings,
            level: request.level,
            tags: &request.tags,
            ignored: &request.ignored,
            shifted: &self.shifted,
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
        Ok(taken?.fingerprint)
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
            let taken = self.take_fingerprint(tab, request, resized).await?;
            let TakenFingerprint { fingerprint, look, measures, audit } = taken;
            let extras = (measures.as_ref(), audit.as_ref());
            let boxes = self.boxes(&look, request, extras)?;
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
            let before = self.boxes(&look, request, (None, None))?;
            if again.page.size == look.page.size
                && self.boxes(&again, request, (None, None))? == before
            {
                return Ok(FingerprintWithPicture { fingerprint, boxes, png, size });
            }
        }
    }

    /// Returns the boxes of all entries on the page of a look.
    fn boxes(
        &self,
        look: &Look,
        request: &FingerprintRequest,
        (layout, audit): (Option<&LayoutMeasures>, Option<&PageAudit>),
    ) -> Result<Boxes> {
        let scope = self.scope_in(look, &request.scope)?;
        let named = NamedNodes::of(&look.page, request)?;
        let audit = audit.zip(request.audit.as_ref()).map(|(found, asked)| found.options(asked));
        let options = FingerprintOptions { layout, audit, ..named.options(request, scope, false) };
        Ok(extract_with_boxes(&look.page, &options).1)
    }

    /// Has the page script measure how the elements of a look are drawn.
    async fn measure(
        &self,
        tab: &Arc<TabRecord>,
        look: &Look,
        options: &FingerprintOptions<'_>,
    ) -> Result<LayoutMeasures> {
        let page = &look.page;
        let nodes = layout_nodes(page, options);
        let Some(first) = nodes.first() else { return Ok(LayoutMeasures::default()) };
        // Frames are not entered, so all of them are in one document.
        let document = page.node(*first).document();
        let locals: Vec<u32> = nodes.iter().map(|id| page.node(*id).local()).collect();
        let script = tab.script(document.frame.as_deref(), MEASURE_LIMIT);
        let measured = script.measure_layout(&locals).await?;
        if measured.doc != document.token {
            return Err(BrowserError::Navigated.into());
        }
        Ok(measured.of(&nodes))
    }

    /// Audits the page of a look, and finds what moves although the page is ready.
    async fn audit(
        &self,
        tab: &Arc<TabRecord>,
        look: &Look,
        request: &FingerprintRequest,
    ) -> Result<Option<PageAudit>> {
        let Some(asked) = &request.audit else { return Ok(None) };
        let begun = Instant::now();
        let findings = audit(&tab.tab, &look.page, asked).await?;
        // What comes late comes soon after the page seemed ready.
        tokio::time::sleep_until(begun + SHIFT_WATCH).await;
        let selector = request.scope.selector();
        let again = self.look_in_turn(tab, selector, request.needs_all_attributes()).await?;
        Ok(Some(PageAudit { findings, shifted: shifted(&look.page, &again.page) }))
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
    ) -> Result<TakenFingerprint> {
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
        // The same page may be drawn differently: a style sheet may have been loaded since.
        if let Some(known) =
            self.cached(tab, request, same).filter(|_| !request.layout && request.audit.is_none())
        {
            let again =
                Fingerprint { captured_at: request.captured_at.clone(), ..(*known).clone() };
            let fingerprint = self.cache(tab, kept(again));
            return Ok(TakenFingerprint { fingerprint, look, measures: None, audit: None });
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
        let options = named.options(request, scope, loading);
        let measures = match request.layout {
            true => Some(self.measure(tab, &look, &options).await?),
            false => None,
        };
        let audit = self.audit(tab, &look, request).await?;
        let audited = audit.as_ref().zip(request.audit.as_ref());
        let options = FingerprintOptions {
            layout: measures.as_ref(),
            audit: audited.map(|(found, asked)| found.options(asked)),
            ..options
        };
        let fingerprint = self.cache(tab, kept(extract(&look.page, &options)));
        Ok(TakenFingerprint { fingerprint, look, measures, audit })
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

/// Returns the usable elements that are at a different place of the page later.
fn shifted(before: &Page, after: &Page) -> Vec<NodeId> {
    let place = |page: &Page, node: Node<'_>| {
        let rect = node.rect();
        (rect.x + page.scroll.0, rect.y + page.scroll.1)
    };
    let usable = |node: &Node<'_>| node.is(Flags::USABLE) && node.hidden().is_none();
    let later: HashMap<(&str, u32), (i32, i32)> = after
        .nodes()
        .filter(usable)
        .map(|node| ((node.document().token.as_str(), node.local()), place(after, node)))
        .collect();
    let moved = |node: &Node<'_>| {
        let now = later.get(&(node.document().token.as_str(), node.local()));
        now.is_some_and(|now| {
            let was = place(before, *node);
            (was.0 - now.0).abs() > SHIFT || (was.1 - now.1).abs() > SHIFT
        })
    };
    before.nodes().filter(usable).filter(moved).map(|node| node.id()).collect()
}

/// Whether an image of the page is still loading.
fn awaits_pictures(page: &Page) -> bool {
    page.nodes().any(|node| node.tag() == "img" && node.attribute(FAULT) == Some("pending"))
}

/// Returns the nodes that the selectors of ignore rules match, in document order.
pub(crate) fn ignored(page: &Page, selectors: &[String]) -> Result<Vec<NodeId>> {
    Ok(matched(page, selectors).map_err(LookError::IgnoreRule)?)
}

/// Returns the nodes that selectors match, in document order.
fn matched(page: &Page, selectors: &[String]) -> std::result::Result<Vec<NodeId>, QueryError> {
    let mut found = Vec::new();
    for selector in selectors {
        found.extend(pagesight_core::page::css_query::all(page, selector)?);
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
