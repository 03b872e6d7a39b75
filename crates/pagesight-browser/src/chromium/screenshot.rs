//! Takes screenshots. Chromium draws them at any scale, but its clip is in pixels that the zoom of
//! the user's browser does not change, while everything else here is in CSS pixels.

use serde_json::{Value, json};

use super::protocol::{LayoutMetrics, VisualViewport};
use super::state::ChromiumTabState;
use crate::api::traits::{CALL_LIMIT, ImageFormat, ShotArea, ShotRequest, ShotScale};
use crate::engine::image_size::image_size;
use crate::engine::tab::TALLEST_SCREENSHOT;
use crate::error::Result;

/// By how many pixels an image may be smaller or larger than expected: sizes are rounded.
const ROUNDING: f64 = 2.0;

/// A part of the document in CSS pixels.
#[derive(Clone, Copy)]
struct Part {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    /// Whether it extends beyond the viewport.
    beyond: bool,
}

pub(super) async fn take(state: &ChromiumTabState, shot: &ShotRequest) -> Result<Vec<u8>> {
    state.ready(true)?;
    state.wake();
    if !state.host.theirs {
        // A tab in the background is drawn late. The user's view is not changed for that.
        state.command("Page.bringToFront", json!({})).await?;
    }
    let mut params = match shot.format {
        ImageFormat::Png => json!({"format": "png"}),
        ImageFormat::Jpeg => json!({"format": "jpeg", "quality": shot.quality}),
        ImageFormat::Webp => json!({"format": "webp", "quality": shot.quality}),
    };
    // The view is drawn as it is if it has the right size; that disturbs the page least.
    let as_it_is = shot.scale.is_none_or(|scale| scale.wanted == 1.0 && scale.ratio == 1.0);
    if shot.area == ShotArea::Viewport && as_it_is {
        return state.take_screenshot("Page.captureScreenshot", params).await;
    }
    let metrics: LayoutMetrics = state.call("Page.getLayoutMetrics", json!({}), CALL_LIMIT).await?;
    let part = part(shot, &metrics.css_visual_viewport);
    let scale = shot.scale.map_or(1.0, |scale| scale.wanted / scale.ratio);
    params["clip"] = clip(part, scale, 1.0);
    params["captureBeyondViewport"] = json!(part.beyond);
    let image = state.take_screenshot("Page.captureScreenshot", params.clone()).await?;
    let zoom = shot.scale.and_then(|scale| zoom(part, scale, image_size(&image)?));
    let Some(zoom) = zoom else { return Ok(image) };
    // The pixels of the clip are smaller or larger than CSS pixels.
    params["clip"] = clip(part, scale, zoom);
    state.take_screenshot("Page.captureScreenshot", params).await
}

/// Returns the zoom of the browser that explains why an image does not have the expected size;
/// `None` if it has.
fn zoom(part: Part, scale: ShotScale, (width, _): (u32, u32)) -> Option<f64> {
    let expected = part.width * scale.wanted;
    let zoom = expected / f64::from(width.max(1));
    let fits = (expected - f64::from(width)).abs() <= ROUNDING;
    (!fits && (0.2..=6.0).contains(&zoom)).then_some(zoom)
}

fn part(shot: &ShotRequest, view: &VisualViewport) -> Part {
    let (x, y, width, height) = match shot.area {
        ShotArea::Document { x, y, width, height } => (x, y, width, height),
        ShotArea::Box { x, y, width, height } => (x + view.page_x, y + view.page_y, width, height),
        ShotArea::Viewport => {
            let size = shot.scale.map_or((view.client_width, view.client_height), |s| s.viewport);
            (view.page_x, view.page_y, size.0, size.1)
        }
    };
    let inside = x >= view.page_x
        && y >= view.page_y
        && x + width <= view.page_x + view.client_width
        && y + height <= view.page_y + view.client_height;
    let beyond = shot.area != ShotArea::Viewport && !inside;
    let height = height.clamp(1.0, TALLEST_SCREENSHOT);
    Part { x, y, width: width.max(1.0), height, beyond }
}

/// Returns a part of the document in the form of the protocol.
fn clip(part: Part, scale: f64, zoom: f64) -> Value {
    let Part { x, y, width, height, .. } = part;
    json!({"x": x * zoom, "y": y * zoom, "width": width * zoom, "height": height * zoom, "scale": scale})
}
