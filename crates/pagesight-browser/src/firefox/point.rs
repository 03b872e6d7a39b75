//! Where a point of the tab's viewport is in the frames that lie there: a share of a frame's
//! viewport, because frames may be drawn larger or smaller than they are.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::input::Spot;
use crate::bidi::script::{frames_of, script};
use crate::bidi::state::TabState;
use crate::error::{BrowserError, Result};

/// How many frames are within each other at most.
const DEEPEST: usize = 10;
/// How long a frame may take to say what lies at a point.
const LIMIT: Duration = Duration::from_secs(2);

/// A point as shares of the viewport of the frame that it is in.
pub(super) type Share = (f64, f64);

/// The innermost frame at a point of the tab's viewport, none for the top one, and the point in its
/// own pixels.
pub(super) async fn innermost(
    state: &TabState,
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

/// Where a spot is in its frame.
pub(super) async fn share(state: &TabState, spot: &Spot) -> Result<Share> {
    let mut at = shared(state, (spot.x, spot.y)).await?;
    let mut frame: Option<String> = None;
    for _ in 0..DEEPEST {
        if frame == spot.frame {
            return Ok(at);
        }
        let Some((inner, share)) = within(state, frame.as_deref(), at).await? else { break };
        (frame, at) = (Some(inner), share);
    }
    Err(BrowserError::Script("the frame to drag to is not where it was".to_owned()))
}

/// A share in pixels of the frame.
pub(super) async fn pixels(state: &TabState, frame: Option<&str>, at: Share) -> Result<(f64, f64)> {
    let (wide, high) = size(state, frame).await?;
    Ok((at.0 * wide, at.1 * high))
}

async fn shared(state: &TabState, point: (f64, f64)) -> Result<Share> {
    let (wide, high) = size(state, None).await?;
    Ok((point.0 / wide.max(1.0), point.1 / high.max(1.0)))
}

async fn size(state: &TabState, frame: Option<&str>) -> Result<(f64, f64)> {
    #[derive(Deserialize)]
    struct View {
        viewport: (f64, f64, f64),
    }
    let View { viewport: (wide, high, _) } = call(state, frame, "info", &json!([]), LIMIT).await?;
    Ok((wide, high))
}

/// The frame that is hit at a point of another, and where in it.
async fn within(
    state: &TabState,
    frame: Option<&str>,
    at: Share,
) -> Result<Option<(String, Share)>> {
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

/// Asks the page script of a frame.
pub(super) async fn call<T: serde::de::DeserializeOwned>(
    state: &TabState,
    frame: Option<&str>,
    function: &str,
    arguments: &Value,
    limit: Duration,
) -> Result<T> {
    let text = script(state, frame, function, &arguments.to_string(), limit).await?;
    let answer: Value =
        serde_json::from_str(&text).map_err(|error| BrowserError::Script(error.to_string()))?;
    if let Some(error) = answer["error"].as_str() {
        let message = answer["message"].as_str().unwrap_or(error);
        return Err(BrowserError::Script(message.lines().next().unwrap_or_default().to_owned()));
    }
    serde_json::from_value(answer).map_err(|error| BrowserError::Script(error.to_string()))
}
