//! Dragging. A drag that the page makes of mouse events is one; a drag of the system's own Firefox begins (the page says what
//! may be dragged, by `draggable` and `dragstart`) and then tells the page no more of it, so the page script goes on with it.

use std::sync::PoisonError;

use serde::Deserialize;
use serde_json::{Value, json};

use super::input::{act, moved, pointer};
use super::script::{frames_of, script};
use super::state::TabState;
use crate::CALL_LIMIT;
use crate::backend::{Gesture, Spot};
use crate::error::{BrowserError, Result};

/// How many frames are within each other at most.
const DEEPEST: usize = 10;

/// What the page script says of a drag.
#[derive(Deserialize)]
struct Dragged {
    began: bool,
    #[serde(default)]
    carried: Value,
}

/// A point as shares of the viewport of the frame that it is in.
type Share = (f64, f64);

/// Presses, moves, and drops or releases; the button is never left down.
pub(super) async fn drag(state: &TabState, from: &Spot, to: &Spot) -> Result<()> {
    let here = from.frame.as_deref();
    let _: Value = call(state, here, "armDrag", &json!([])).await?;
    let mut steps = vec![moved(from.x, from.y), json!({"type": "pointerDown", "button": 0})];
    steps.extend(Gesture::way(from, to).into_iter().map(|(x, y)| moved(x, y)));
    let dragged = match act(state, &state.id, vec![pointer(&steps)]).await {
        Ok(()) => carry(state, from, to).await,
        Err(error) => Err(error),
    };
    // Whatever happened, the mouse is let go; where a dialog is open, as soon as that is answered.
    *state.held.lock().unwrap_or_else(PoisonError::into_inner) = Some(from.frame.clone());
    let released = release(state).await;
    match dragged.and(released) {
        // The drop arrived, and this is what it led to; events tell.
        Err(BrowserError::DialogOpen { .. } | BrowserError::TabClosed | BrowserError::Navigated) => Ok(()),
        done => done,
    }
}

/// Lets go of the mouse, if a drag has left it pressed.
pub(super) async fn release(state: &TabState) -> Result<()> {
    let held = state.held.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(frame) = held else { return Ok(()) };
    act(state, &state.id, vec![pointer(&[json!({"type": "pointerUp", "button": 0})])]).await?;
    // A page that the drop led away from has nothing to disarm.
    let _: Result<Value> = call(state, frame.as_deref(), "disarmDrag", &json!([])).await;
    *state.held.lock().unwrap_or_else(PoisonError::into_inner) = None;
    Ok(())
}

/// Goes on with what Firefox began, if it began a drag of the system's own.
async fn carry(state: &TabState, from: &Spot, to: &Spot) -> Result<()> {
    let here = from.frame.as_deref();
    let dragged: Dragged = call(state, here, "dragged", &json!([])).await?;
    if !dragged.began {
        return Ok(());
    }
    let over = over(state, from, to, dragged.carried).await;
    let effect = over.as_ref().map_or(json!("none"), |over| over["effect"].clone());
    let _: Value = call(state, here, "dragEnd", &json!([effect])).await?;
    over.map(drop)
}

/// Drags what was taken over what lies there, and drops it.
async fn over(state: &TabState, from: &Spot, to: &Spot, carried: Value) -> Result<Value> {
    let end = share(state, to).await?;
    let (points, carried) = if from.frame == to.frame {
        let start = share(state, from).await?;
        let between = |share: f64| (start.0 + (end.0 - start.0) * share, start.1 + (end.1 - start.1) * share);
        ([0.0, 0.3, 0.6, 0.9, 1.0, 1.0].map(between).to_vec(), Value::Null)
    } else {
        (vec![end, end], carried)
    };
    call(state, to.frame.as_deref(), "dragOver", &json!([points, carried])).await
}

/// Where a point of the tab's viewport is in the frame that it hits.
async fn share(state: &TabState, spot: &Spot) -> Result<Share> {
    #[derive(Deserialize)]
    struct Hit {
        id: u32,
        fx: Option<f64>,
        fy: Option<f64>,
    }
    #[derive(Deserialize)]
    struct View {
        viewport: (f64, f64, f64),
    }
    let View { viewport: (wide, high, _) } = call(state, None, "info", &json!([])).await?;
    let mut at = (spot.x / wide.max(1.0), spot.y / high.max(1.0));
    let mut frame: Option<String> = None;
    for _ in 0..DEEPEST {
        if frame == spot.frame {
            return Ok(at);
        }
        let hit: Hit = call(state, frame.as_deref(), "at", &json!([at.0, at.1, true])).await?;
        let (Some(fx), Some(fy)) = (hit.fx, hit.fy) else { break };
        at = (fx, fy);
        frame = frames_of(state, frame.as_deref(), &[hit.id], CALL_LIMIT).await?.into_iter().next().flatten();
    }
    Err(BrowserError::Script("the frame to drag to is not where it was".to_owned()))
}

async fn call<T: serde::de::DeserializeOwned>(
    state: &TabState,
    frame: Option<&str>,
    function: &str,
    arguments: &Value,
) -> Result<T> {
    let text = script(state, frame, function, &arguments.to_string(), CALL_LIMIT).await?;
    let answer: Value =
        serde_json::from_str(&text).map_err(|error| BrowserError::Script(error.to_string()))?;
    if let Some(error) = answer["error"].as_str() {
        let message = answer["message"].as_str().unwrap_or(error);
        return Err(BrowserError::Script(message.lines().next().unwrap_or_default().to_owned()));
    }
    serde_json::from_value(answer).map_err(|error| BrowserError::Script(error.to_string()))
}
