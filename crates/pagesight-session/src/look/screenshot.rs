//! Takes screenshots. The numbers of the elements are drawn on the image, never in the page.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use pagesight_browser::{BrowserError, ImageFormat, ShotArea, clock};
use pagesight_core::page::{Flags, NodeId, Rect};
use pagesight_core::render::Numbers;

use crate::error::{Result, SessionError};
use crate::look::error::LookError;
use crate::look::scope::ScopeChoice;
use crate::session::Session;
use crate::tab::record::TabRecord;

/// How long a page may take to be drawn.
const DRAW_LIMIT: Duration = Duration::from_millis(4500);

/// What a screenshot shows.
#[derive(Clone, Debug)]
pub struct ShotOptions {
    /// Which part of the page.
    pub scope: ScopeChoice,
    /// Return the box and number of every usable element, to be drawn on the image.
    pub annotate: bool,
    /// How the image is encoded.
    pub format: ImageFormat,
}

/// A screenshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screenshot {
    /// The encoded image.
    pub image: Vec<u8>,
    /// Its media type.
    pub media_type: &'static str,
    /// The numbered boxes that should be drawn on it, in pixels of the image.
    pub marks: Vec<(u32, Rect)>,
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
        let part = matches!(options.scope, ScopeChoice::Reference(_) | ScopeChoice::Selector(_));
        let look = match options.annotate || part {
            true => Some(self.look_in_turn(tab, options.scope.selector(), false).await?),
            false => None,
        };
        let element: Option<NodeId> = match (&options.scope, &look) {
            (ScopeChoice::Reference(given), Some(look)) => Some(self.find(look, given)?),
            (ScopeChoice::Selector(_), Some(look)) => look.page.scope,
            _ => None,
        };
        let full_page = options.scope == ScopeChoice::Full;
        let frame = match (element, &look) {
            (Some(id), Some(look)) => Some(look.page.node(id).rect()),
            _ => None,
        };
        if let Some(frame) = frame.filter(|frame| frame.width < 1 || frame.height < 1) {
            return Err(LookError::NoArea { width: frame.width, height: frame.height }.into());
        }
        let area = match frame {
            Some(frame) => ShotArea::Box {
                x: frame.x.into(),
                y: frame.y.into(),
                width: frame.width.into(),
                height: frame.height.into(),
            },
            None if full_page => ShotArea::FullPage,
            None => ShotArea::Viewport,
        };
        let begun = SystemTime::now();
        let drawn = tab.main_thread.attend(tab.tab.screenshot(area, options.format));
        let late = |_| LookError::NotDrawn { since: clock(begun) };
        let image = tokio::time::timeout(DRAW_LIMIT, drawn).await.map_err(late)??;
        let mut marks = Vec::new();
        if let (true, Some(look)) = (options.annotate, &look) {
            let origin = match area {
                ShotArea::Box { .. } => frame.map_or((0, 0), |frame| (frame.x, frame.y)),
                ShotArea::FullPage => (-look.page.scroll.0, -look.page.scroll.1),
                ShotArea::Viewport => (0, 0),
            };
            let mut references = self.shared.references();
            let mut numbers = references.numbering(&look.page);
            for node in
                look.page.nodes().filter(|node| node.is(Flags::USABLE) && node.hidden().is_none())
            {
                let rect = node.rect();
                let shown = match frame {
                    Some(frame) => rect.intersects(&frame),
                    None => full_page || node.is(Flags::IN_VIEWPORT),
                };
                if shown && rect.width > 0 && rect.height > 0 {
                    let rect = Rect {
                        x: rect.x.saturating_sub(origin.0),
                        y: rect.y.saturating_sub(origin.1),
                        ..rect
                    };
                    marks.push((numbers.number(node.id()), rect));
                }
            }
        }
        let media_type = match options.format {
            ImageFormat::Png => "image/png",
            ImageFormat::Jpeg => "image/jpeg",
            ImageFormat::Webp => "image/webp",
        };
        Ok(Screenshot { image, media_type, marks })
    }
}
