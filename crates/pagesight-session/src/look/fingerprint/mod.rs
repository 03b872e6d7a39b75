//! Takes the fingerprint of a live tab: waits until the page and its images in view are ready,
//! looks, and extracts it. There is no wait if the page has already been quiet for a while. A page
//! that did not change since the last fingerprint is not read again, and calls that wait for the
//! same turn share one capture.
//!
//! A portrait adds a picture. The picture is drawn right after the look; then the page is looked at
//! again, and if something moved meanwhile, both are taken again.

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{ShotArea, ShotRequest, Viewport};
use pagesight_core::fingerprint::{
    Boxes, Depth, FAULT, Fingerprint, FingerprintOptions, Size, take, take_with_boxes,
};
use pagesight_core::page::{NodeId, Page, Scope};
use tokio::time::Instant;

use crate::error::Result;
use crate::features::Feature;
use crate::look::Look;
use crate::look::error::LookError;
use crate::look::scope::ScopeChoice;
use crate::session::Session;
use crate::tab::fingerprint_cache::Print;
use crate::tab::record::TabRecord;
use crate::wait::settle::{Mark, Stopped, calm};

/// How long a page may take to adapt to a different viewport.
const RESIZE_LIMIT: Duration = Duration::from_secs(3);
/// How long to wait for images in view when everything else is quiet, and how long the page may
/// take to answer.
const PICTURES: Duration = Duration::from_secs(1);
const PICTURES_LIMIT: Duration = Duration::from_secs(3);

/// The largest size of a portrait, in CSS pixels.
const MOST_WIDE: u32 = 4_000;
const MOST_HIGH: u32 = 4_000;
/// How often a portrait is tried if the page moves while it is drawn.
const PORTRAIT_TRIES: u32 = 3;

/// How a fingerprint is taken.
#[derive(Clone, Debug, Default)]
pub struct Taking {
    /// The scope as it was written; empty for the whole page.
    pub scope: String,
    /// How much of it.
    pub depth: Depth,
    /// The viewport to use; afterwards the tab gets its own back.
    pub viewport: Option<Size>,
    /// Selectors of elements that comparisons ignore.
    pub ignore: Vec<String>,
    /// The time to store with the fingerprint.
    pub captured_at: String,
}

/// A fingerprint with a picture of the same moment.
#[derive(Clone, Debug)]
pub struct Portrait {
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
        taking: &Taking,
    ) -> Result<Arc<Fingerprint>> {
        let arrived = Instant::now();
        let _turn = tab.turn().await?;
        self.check_tab(tab)?;
        let fits = |print: &Print| match taking.viewport {
            Some(size) => print.fingerprint.viewport == size,
            None => !print.fitted,
        };
        if let Some(shared) = self.known(tab, taking, |print| print.begun >= arrived && fits(print))
        {
            return Ok(shared);
        }
        let before = self.fit(tab, taking.viewport).await?;
        let taken = self.take(tab, taking, before.is_some()).await;
        self.unfit(tab, before).await?;
        Ok(taken?.0)
    }

    /// Takes the fingerprint of a tab with a picture, and the boxes of the entries on it.
    pub async fn portrait(&self, tab: &Arc<TabRecord>, taking: &Taking) -> Result<Portrait> {
        let _turn = tab.turn().await?;
        self.check_tab(tab)?;
        let before = self.fit(tab, taking.viewport).await?;
        let drawn = self.draw(tab, taking, before.is_some()).await;
        self.unfit(tab, before).await?;
        drawn
    }

    /// Takes fingerprint and picture. Drawing a whole page may itself load late content, so the
    /// page is looked at again afterwards.
    async fn draw(&self, tab: &Arc<TabRecord>, taking: &Taking, fitted: bool) -> Result<Portrait> {
        let mut tries = 0;
        loop {
            let (fingerprint, look) = self.take(tab, taking, fitted).await?;
            let boxes = self.boxes(&look, taking)?;
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
            if png.is_none() || tries >= PORTRAIT_TRIES {
                return Ok(Portrait { fingerprint, boxes, png, size });
            }
            let scope = ScopeChoice::parse(Some(&taking.scope))?;
            let again = self.look_in_turn(tab, scope.selector(), !taking.ignore.is_empty()).await?;
            if again.page.size == look.page.size && self.boxes(&again, taking)? == boxes {
                return Ok(Portrait { fingerprint, boxes, png, size });
            }
        }
    }

    /// Returns the boxes of all entries on the page of a look.
    fn boxes(&self, look: &Look, taking: &Taking) -> Result<Boxes> {
        let part = self.part(&ScopeChoice::parse(Some(&taking.scope))?, look)?;
        let wish = FingerprintOptions {
            scope: part,
            scope_text: &taking.scope,
            depth: taking.depth,
            ..FingerprintOptions::default()
        };
        Ok(take_with_boxes(&look.page, &wish).1)
    }

    /// Returns the part of a page that a scope selects.
    fn part(&self, scope: &ScopeChoice, look: &Look) -> Result<Scope> {
        Ok(match scope {
            ScopeChoice::Full => Scope::Full,
            ScopeChoice::Viewport => Scope::Viewport,
            ScopeChoice::Reference(given) => Scope::Node(self.find(look, given)?),
            ScopeChoice::Selector(_) => look.page.scope.map_or(Scope::Full, Scope::Node),
        })
    }

    /// Gives a tab a different viewport. Returns the viewport it had, if it changed.
    async fn fit(&self, tab: &Arc<TabRecord>, size: Option<Size>) -> Result<Option<Viewport>> {
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
        // The page learns of it with the next frame; the answer to this call comes after that.
        let _ = tab.script(None, RESIZE_LIMIT).quiet(100, 1000).await;
        Ok(Some(Viewport { width, height }))
    }

    /// Restores the viewport of a tab.
    async fn unfit(&self, tab: &TabRecord, before: Option<Viewport>) -> Result<()> {
        match before {
            Some(before) => Ok(tab.tab.resize(before).await?),
            None => Ok(()),
        }
    }

    /// Takes the fingerprint. `fitted`: the viewport is not the tab's own.
    async fn take(
        &self,
        tab: &Arc<TabRecord>,
        taking: &Taking,
        fitted: bool,
    ) -> Result<(Arc<Fingerprint>, Look)> {
        let stopped = calm(tab, &Mark::now(tab, &self.shared)).await?;
        self.check_tab(tab)?;
        let loading = !matches!(stopped, Stopped::Loaded) && !stopped.is_ready();
        let scope = ScopeChoice::parse(Some(&taking.scope))?;
        let full = !taking.ignore.is_empty();
        let mut begun = Instant::now();
        let mut look = self.look_in_turn(tab, scope.selector(), full).await?;
        if self.shared.has(Feature::SmartWaiting) && awaits_pictures(&look.page) {
            // If the page does not answer, its current state is used.
            let _ = tab.script(None, PICTURES_LIMIT).pictures(PICTURES.as_millis() as u64).await;
            self.check_tab(tab)?;
            begun = Instant::now();
            look = self.look_in_turn(tab, scope.selector(), full).await?;
        }
        let kept = |fingerprint: Fingerprint| Print {
            page: look.page.clone(),
            scope: taking.scope.clone(),
            depth: taking.depth,
            ignore: taking.ignore.clone(),
            fitted,
            loading,
            begun,
            fingerprint: Arc::new(fingerprint),
        };
        let same = |print: &Print| Arc::ptr_eq(&print.page, &look.page) && print.loading == loading;
        if let Some(known) = self.known(tab, taking, same) {
            let again = Fingerprint { captured_at: taking.captured_at.clone(), ..(*known).clone() };
            return Ok((self.keep(tab, kept(again)), look));
        }
        let part = self.part(&scope, &look)?;
        let ignored = ignored(&look.page, &taking.ignore)?;
        let wish = FingerprintOptions {
            scope: part,
            scope_text: &taking.scope,
            depth: taking.depth,
            ignored: &ignored,
            captured_at: &taking.captured_at,
            loading,
        };
        let made = kept(take(&look.page, &wish));
        Ok((self.keep(tab, made), look))
    }

    /// Returns the last fingerprint of a tab, if it was taken with the same options and `good`
    /// accepts it.
    fn known(
        &self,
        tab: &TabRecord,
        taking: &Taking,
        good: impl Fn(&Print) -> bool,
    ) -> Option<Arc<Fingerprint>> {
        let print = tab.print();
        let print = print.as_ref()?;
        let alike = (&print.scope, print.depth, &print.ignore)
            == (&taking.scope, taking.depth, &taking.ignore);
        (alike && good(print)).then(|| print.fingerprint.clone())
    }

    fn keep(&self, tab: &TabRecord, print: Print) -> Arc<Fingerprint> {
        let fingerprint = print.fingerprint.clone();
        *tab.print() = Some(print);
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
        found.extend(matched.map_err(|error| LookError::IgnoreRule { reason: error.to_string() })?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Takes the fingerprint of a captured page, for page files.
pub fn of_page(page: &Page, part: Scope, taking: &Taking) -> Result<Fingerprint> {
    let ignored = ignored(page, &taking.ignore)?;
    let wish = FingerprintOptions {
        scope: part,
        scope_text: &taking.scope,
        depth: taking.depth,
        ignored: &ignored,
        captured_at: &taking.captured_at,
        loading: false,
    };
    Ok(take(page, &wish))
}

#[cfg(test)]
mod in_browser;
