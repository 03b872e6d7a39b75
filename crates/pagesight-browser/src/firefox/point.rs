//! Converts points of the tab's viewport into points of the frames under them. A point of a frame
//! is given as a share of the frame's viewport, because a frame may be drawn at a different scale.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use crate::api::input::Spot;
use crate::bidi::script::{call, frames_of};
use crate::bidi::state::BidiTabState;
use crate::error::{BrowserError, Result};

/// How deep frames are followed.
const DEEPEST: usize = 10;
/// How long a frame may take to hit-test a point.
const LIMIT: Duration = Duration::from_secs(2);

/// A point of a frame, as shares of the frame's width and height.
pub(super) type ViewportShare = (f64, f64);

/// Finds the innermost frame at a point of the tab's viewport (`None`: the top one), and the point
/// in that frame's pixels.
pub(super) async fn innermost(
    state: &BidiTabState,
    point: (f64, f64),
) -> Result<(Option<String>, (f64, f64))> {
    let mut at = shared(state, point).await?;
    let mut frame: Option<String> = None;
    for _ in 0..DEEPEST {
        let Some((inner, share)) = within(state, frame.as_deref(), at).await? else { break };
        (frame, at) = (Some(inner), share);
    }
    match frame {
        None => Ok((None, point)),
        Some(frame) => {
            let point = pixels(state, Some(&frame), at).await?;
            Ok((Some(frame), point))
        }
    }
}

/// Converts a spot into a share of its frame.
pub(super) async fn share(state: &BidiTabState, spot: &Spot) -> Result<ViewportShare> {
    let mut at = shared(state, (spot.x, spot.y)).await?;
    let mut frame: Option<String> = None;
    for _ in 0..DEEPEST {
        if frame == spot.frame {
            return Ok(at);
        }
        let Some((inner, share)) = within(state, frame.as_deref(), at).await? else { break };
        (frame, at) = (Some(inner), share);
    }
    Err(BrowserError::Script("the frame to drag to has moved".to_owned()))
}

/// Converts a share of a frame into its pixels.
pub(super) async fn pixels(
    state: &BidiTabState,
    frame: Option<&str>,
    at: ViewportShare,
) -> Result<(f64, f64)> {
    let (wide, high) = size(state, frame).await?;
    Ok((at.0 * wide, at.1 * high))
}

/// Converts a point of the tab's viewport into a share of it.
async fn shared(state: &BidiTabState, point: (f64, f64)) -> Result<ViewportShare> {
    let (wide, high) = size(state, None).await?;
    Ok((point.0 / wide.max(1.0), point.1 / high.max(1.0)))
}

/// The size of a frame's viewport.
async fn size(state: &BidiTabState, frame: Option<&str>) -> Result<(f64, f64)> {
    #[derive(Deserialize)]
    struct View {
        viewport: (f64, f64, f64),
    }
    let View { viewport: (wide, high, _) } =
        call(state, frame, "pageInfo", &json!([]), LIMIT).await?;
    Ok((wide, high))
}

/// Finds the frame that is hit at a point of its parent frame, and the point in it.
async fn within(
    state: &BidiTabState,
    frame: Option<&str>,
    at: ViewportShare,
) -> Result<Option<(String, ViewportShare)>> {
    #[derive(Deserialize)]
    struct Hit {
        id: u32,
        fx: Option<f64>,
        fy: Option<f64>,
    }
    let hit: Hit = call(state, frame, "at", &json!([at.0, at.1, true]), LIMIT).await?;
    let (Some(fx), Some(fy)) = (hit.fx, hit.fy) else { return Ok(None) };
    let inner = frames_of(state, frame, &[hit.id], LIMIT).await?.into_iter().next().flatten();
    Ok(inner.map(|inner| (inner, (fx, fy))))
}
