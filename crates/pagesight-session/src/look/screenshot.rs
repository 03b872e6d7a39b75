//! Takes screenshots. The numbers of the elements are returned, to be drawn on the image, never in
//! the page.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use pagesight_browser::{BrowserError, ImageFormat, ShotArea, ShotRequest, ShotScale, clock};
use pagesight_core::page::{Flags, Rect, Scope};
use pagesight_core::render::Numbers;

use super::Look;
use crate::error::{Result, SessionError};
use crate::look::error::LookError;
use crate::look::scope::ScopeChoice;
use crate::page_script::Extent;
use crate::session::Session;
use crate::tab::record::TabRecord;

/// How long a page may take to be drawn.
const DRAW_LIMIT: Duration = Duration::from_millis(4500);
/// How long all pieces of a page may take to be drawn.
const PIECES_LIMIT: Duration = Duration::from_secs(12);
/// How long parts are drawn that the browser skips otherwise, if the call is given up meanwhile.
const SKIPPED_LIMIT: Duration = Duration::from_secs(30);
/// The tallest and widest picture, in CSS pixels; browsers repeat or drop what lies beyond.
const LONGEST_SIDE: f64 = 16_384.0;
/// The longest side of a WebP.
const LONGEST_WEBP: f64 = 16_383.0;
/// The most pixels of an image. A larger one would need too much memory.
const MOST_PIXELS: f64 = 64_000_000.0;
/// The most rows of a piece, in pixels of the screen. Firefox cuts an image at 32,767, and its page
/// does not answer while a large image is drawn.
const PIECE_ROWS: f64 = 4_096.0;

/// The options of a screenshot.
#[derive(Clone, Debug)]
pub struct ShotOptions {
    /// Which part of the page.
    pub scope: ScopeChoice,
    /// Return the box and number of every usable element, to be drawn on the image.
    pub annotate: bool,
    /// How the image is encoded.
    pub format: ImageFormat,
    /// The quality of JPEG and WebP, from 1 to 100.
    pub quality: u8,
    /// The most pixels of the image per CSS pixel.
    pub scale: f64,
    /// The most pixels of a row of the image.
    pub max_width: Option<u32>,
}

impl Default for ShotOptions {
    /// A PNG of the viewport, one pixel per CSS pixel.
    fn default() -> Self {
        ShotOptions {
            scope: ScopeChoice::Viewport,
            annotate: false,
            format: ImageFormat::Png,
            quality: 80,
            scale: 1.0,
            max_width: None,
        }
    }
}

/// The images of a screenshot and their sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Screenshot {
    /// The encoded images, from top to bottom. There is more than one only if the browser cannot
    /// draw the whole area at once.
    pub pieces: Vec<Vec<u8>>,
    /// How they are encoded. A browser that cannot scale gives a PNG.
    pub format: ImageFormat,
    /// Their pixels per CSS pixel. More than `wanted` if the browser cannot scale.
    pub drawn: f64,
    /// The pixels per CSS pixel that the image should have.
    pub wanted: f64,
    /// Width and height of what is shown, in CSS pixels.
    pub size: (f64, f64),
    /// Width and height of the page or element, if not all of it is shown.
    pub cut_from: Option<(f64, f64)>,
    /// The numbered boxes that should be drawn on it, in CSS pixels from its corner.
    pub marks: Vec<(u32, Rect)>,
}

/// The part of the page to draw.
struct Framed {
    area: ShotArea,
    size: (f64, f64),
    cut_from: Option<(f64, f64)>,
    /// Its box in the viewport, if it is an element.
    element: Option<Rect>,
}

impl Session {
    /// Takes a screenshot of a tab. The marks are returned, not drawn; the caller draws them.
    pub async fn screenshot(
        &self,
        tab: &Arc<TabRecord>,
        options: &ShotOptions,
    ) -> Result<Screenshot> {
        let shot = self.take_screenshot(tab, options).await;
        match shot {
            Err(SessionError::Browser(BrowserError::Hangs { since })) => {
                Err(LookError::NotDrawn { since: clock(since) }.into())
            }
            shot => shot,
        }
    }

    async fn take_screenshot(
        &self,
        tab: &Arc<TabRecord>,
        options: &ShotOptions,
    ) -> Result<Screenshot> {
        let _turn = tab.turn().await?;
        self.check_tab(tab)?;
        // Only what is near the viewport is drawn without help.
        let beyond = options.scope != ScopeChoice::Viewport;
        let script = tab.script(None, DRAW_LIMIT);
        if !beyond || !script.show_skipped(SKIPPED_LIMIT).await? {
            return self.shoot(tab, options).await;
        }
        let shot = self.shoot(tab, options).await;
        // If the page cannot answer now, they are skipped again after the limit.
        drop(script.hide_skipped().await);
        shot
    }

    /// Takes a screenshot of the page as it is drawn now.
    async fn shoot(&self, tab: &Arc<TabRecord>, options: &ShotOptions) -> Result<Screenshot> {
        let look = match options.annotate || options.scope.is_element() {
            true => {
                let selector = options.scope.selector();
                let look = self.look_in_turn(tab, selector, false).await?;
                let reference = options.scope.reference();
                Some(self.look_again_for(look, selector, false, reference.as_slice()).await?)
            }
            false => None,
        };
        let extent: Extent = tab.script(None, DRAW_LIMIT).page_extent().await?;
        let framed = self.frame_shot(options, look.as_ref(), &extent)?;
        let (width, height) = framed.size;
        let wanted = scale_for(options, width, height);
        let ratio = extent.viewport.2;
        let scales = tab.tab.scales_screenshots();
        let scale = ShotScale { wanted, ratio, viewport: (extent.viewport.0, extent.viewport.1) };
        let request = ShotRequest {
            area: framed.area,
            // Only a PNG can be scaled afterwards.
            format: if scales || wanted == ratio { options.format } else { ImageFormat::Png },
            quality: options.quality,
            scale: scales.then_some(scale),
        };
        let (pieces, rows) = match scales {
            true => (vec![draw(tab, &request).await?], height),
            false => draw_pieces(tab, request, &framed, ratio).await?,
        };
        let marks = match (options.annotate, &look) {
            (true, Some(look)) => self.marks(look, &framed),
            _ => Vec::new(),
        };
        Ok(Screenshot {
            format: if pieces.len() > 1 { ImageFormat::Png } else { request.format },
            pieces,
            drawn: if scales { wanted } else { ratio },
            wanted,
            size: (width, rows),
            cut_from: if rows < height { Some((width, height)) } else { framed.cut_from },
            marks,
        })
    }

    /// Decides which part of the page is drawn.
    fn frame_shot(
        &self,
        options: &ShotOptions,
        look: Option<&Look>,
        extent: &Extent,
    ) -> Result<Framed> {
        let element = match look {
            Some(look) => match self.scope_in(look, &options.scope)? {
                Scope::Node(id) => {
                    Some(within_document(look.page.node(id).rect(), look.page.scroll, extent))
                }
                Scope::Full | Scope::Viewport => None,
            },
            None => None,
        };
        if let Some(rect) = element.filter(|rect| rect.width < 1 || rect.height < 1) {
            return Err(LookError::NoArea { width: rect.width, height: rect.height }.into());
        }
        let whole = match element {
            Some(rect) => (rect.width.into(), rect.height.into()),
            None if options.scope == ScopeChoice::Full => extent.size,
            None => (extent.viewport.0, extent.viewport.1),
        };
        let longest = match options.format {
            ImageFormat::Webp => LONGEST_WEBP,
            ImageFormat::Png | ImageFormat::Jpeg => LONGEST_SIDE,
        };
        let size = (whole.0.clamp(1.0, longest), whole.1.clamp(1.0, longest));
        let (width, height) = size;
        let area = match element {
            Some(Rect { x, y, .. }) => ShotArea::Box { x: x.into(), y: y.into(), width, height },
            None if options.scope == ScopeChoice::Full => {
                ShotArea::Document { x: 0.0, y: 0.0, width, height }
            }
            None => ShotArea::Viewport,
        };
        let is_cut = whole.0 > longest || whole.1 > longest;
        Ok(Framed { area, size, cut_from: is_cut.then_some(whole), element })
    }

    /// Returns the numbers and boxes of the usable elements in the picture.
    fn marks(&self, look: &Look, framed: &Framed) -> Vec<(u32, Rect)> {
        let origin = match framed.area {
            ShotArea::Box { .. } => framed.element.map_or((0, 0), |rect| (rect.x, rect.y)),
            ShotArea::Document { .. } => (-look.page.scroll.0, -look.page.scroll.1),
            ShotArea::Viewport => (0, 0),
        };
        let full_page = matches!(framed.area, ShotArea::Document { .. });
        let mut references = self.shared.references();
        let mut numbers = references.numbering(&look.page);
        let mut marks = Vec::new();
        for node in
            look.page.nodes().filter(|node| node.is(Flags::USABLE) && node.hidden().is_none())
        {
            let rect = node.rect();
            let shown = match framed.element {
                Some(frame) => rect.intersects(&frame),
                None => full_page || node.is(Flags::IN_VIEWPORT),
            };
            let (x, y) = (rect.x.saturating_sub(origin.0), rect.y.saturating_sub(origin.1));
            let below = f64::from(x) >= framed.size.0 || f64::from(y) >= framed.size.1;
            if shown && !below && rect.width > 0 && rect.height > 0 {
                marks.push((numbers.number(node.id()), Rect { x, y, ..rect }));
            }
        }
        marks
    }
}

/// Returns the pixels of the image per CSS pixel.
fn scale_for(options: &ShotOptions, width: f64, height: f64) -> f64 {
    let by_width = options.max_width.map_or(1.0, |most| f64::from(most) / width);
    let by_memory = (MOST_PIXELS / (width * height)).sqrt();
    options.scale.min(by_width).min(by_memory).max(1.0 / width.max(height))
}

/// Returns the part of a box that is in the document; an engine draws nothing else.
fn within_document(rect: Rect, scroll: (i32, i32), extent: &Extent) -> Rect {
    let cut = |at: i32, length: i32, scrolled: i32, first: f64, size: f64| {
        let first = first as i32 - scrolled;
        let from = at.max(first);
        (from, at.saturating_add(length).min(first.saturating_add(size.ceil() as i32)) - from)
    };
    let (x, width) = cut(rect.x, rect.width, scroll.0, extent.left, extent.size.0);
    let (y, height) = cut(rect.y, rect.height, scroll.1, 0.0, extent.size.1);
    Rect { x, y, width: width.max(0), height: height.max(0) }
}

/// Draws one image, within the time limit.
async fn draw(tab: &Arc<TabRecord>, request: &ShotRequest) -> Result<Vec<u8>> {
    let begun = SystemTime::now();
    let drawn = tab.main_thread.attend(tab.tab.screenshot(request));
    let late = |_| LookError::NotDrawn { since: clock(begun) };
    Ok(tokio::time::timeout(DRAW_LIMIT, drawn).await.map_err(late)??)
}

/// Draws an area in pieces that the browser can draw. Returns them, and how many CSS pixels they
/// are high in total: fewer than the area if drawing takes too long.
async fn draw_pieces(
    tab: &Arc<TabRecord>,
    request: ShotRequest,
    framed: &Framed,
    ratio: f64,
) -> Result<(Vec<Vec<u8>>, f64)> {
    let (width, height) = framed.size;
    let most = (PIECE_ROWS / ratio).floor().max(1.0);
    let ShotArea::Document { x, y, .. } = framed.area else {
        return Ok((vec![draw(tab, &request).await?], height));
    };
    if height * ratio <= PIECE_ROWS {
        return Ok((vec![draw(tab, &request).await?], height));
    }
    let begun = tokio::time::Instant::now();
    let (mut pieces, mut top) = (Vec::new(), 0.0);
    while top < height && begun.elapsed() < PIECES_LIMIT {
        let rows = most.min(height - top);
        let area = ShotArea::Document { x, y: y + top, width, height: rows };
        let piece = ShotRequest { area, format: ImageFormat::Png, ..request };
        pieces.push(draw(tab, &piece).await?);
        top += rows;
    }
    Ok((pieces, top))
}
