//! Dragging. A drag that the page makes of mouse events is one; a drag of the system's own Firefox
//! begins (the page says what may be dragged, by `draggable` and `dragstart`) and then tells the
//! page no more of it, so the page script goes on with it.

use std::sync::PoisonError;

use serde::Deserialize;
use serde_json::{Value, json};

use super::input::{act, moved, pointer};
use super::point::{call, pixels, share};
use crate::api::input::{Gesture, Spot};
use crate::api::traits::CALL_LIMIT;
use crate::bidi::state::TabState;
use crate::error::{BrowserError, Result};

/// What the page script says of a drag.
#[derive(Deserialize)]
struct Dragged {
    began: bool,
    #[serde(default)]
    carried: Value,
}

/// Presses, moves, and drops or releases; the button is never left down.
pub(super) async fn drag(state: &TabState, from: &Spot, to: &Spot) -> Result<()> {
    let here = from.frame.as_deref();
    let (context, from_here, to_there) = felt(state, from, to).await?;
    let _: Value = call(state, here, "armDrag", &json!([]), CALL_LIMIT).await?;
    let mut steps =
        vec![moved(from_here.x, from_here.y), json!({"type": "pointerDown", "button": 0})];
    steps.extend(Gesture::way(&from_here, &to_there).into_iter().map(|(x, y)| moved(x, y)));
    let dragged = match act(state, &context, vec![pointer(&steps)]).await {
        Ok(()) => carry(state, from, to).await,
        Err(error) => Err(error),
    };
    // Whatever happened, the mouse is let go; where a dialog is open, as soon as that is answered.
    *state.held.lock().unwrap_or_else(PoisonError::into_inner) = Some(from.frame.clone());
    let released = release(state).await;
    match dragged.and(released) {
        // The drop arrived, and this is what it led to; events tell.
        Err(
            BrowserError::DialogOpen { .. } | BrowserError::TabClosed | BrowserError::Navigated,
        ) => Ok(()),
        done => done,
    }
}

/// Who is told of the mouse, and where a drag begins and ends there. Where the mouse does not go
/// through the window, a drag stays in its frame.
async fn felt(state: &TabState, from: &Spot, to: &Spot) -> Result<(String, Spot, Spot)> {
    match &from.frame {
        Some(frame) if !state.through_window && to.frame == from.frame => {
            let inside = async |spot: &Spot| -> Result<Spot> {
                let (x, y) = pixels(state, Some(frame), share(state, spot).await?).await?;
                Ok(Spot { x, y, frame: spot.frame.clone() })
            };
            Ok((frame.clone(), inside(from).await?, inside(to).await?))
        }
        _ => Ok((state.id.clone(), from.clone(), to.clone())),
    }
}

/// Lets go of the mouse, if a drag has left it pressed.
pub(super) async fn release(state: &TabState) -> Result<()> {
    let held = state.held.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(frame) = held else { return Ok(()) };
    let context = frame.as_ref().filter(|_| !state.through_window).unwrap_or(&state.id);
    act(state, context, vec![pointer(&[json!({"type": "pointerUp", "button": 0})])]).await?;
    // A page that the drop led away from has nothing to disarm.
    let _: Result<Value> =
        call(state, frame.as_deref(), "disarmDrag", &json!([]), CALL_LIMIT).await;
    *state.held.lock().unwrap_or_else(PoisonError::into_inner) = None;
    Ok(())
}

/// Goes on with what Firefox began, if it began a drag of the system's own.
async fn carry(state: &TabState, from: &Spot, to: &Spot) -> Result<()> {
    let here = from.frame.as_deref();
    let dragged: Dragged = call(state, here, "dragged", &json!([]), CALL_LIMIT).await?;
    if !dragged.began {
        return Ok(());
    }
    let over = over(state, from, to, dragged.carried).await;
    let effect = over.as_ref().map_or(json!("none"), |over| over["effect"].clone());
    let _: Value = call(state, here, "dragEnd", &json!([effect]), CALL_LIMIT).await?;
    over.map(drop)
}

/// Drags what was taken over what lies there, and drops it.
async fn over(state: &TabState, from: &Spot, to: &Spot, carried: Value) -> Result<Value> {
    let end = share(state, to).await?;
    let (points, carried) = if from.frame == to.frame {
        let start = share(state, from).await?;
        let between =
            |share: f64| (start.0 + (end.0 - start.0) * share, start.1 + (end.1 - start.1) * share);
        ([0.0, 0.3, 0.6, 0.9, 1.0, 1.0].map(between).to_vec(), Value::Null)
    } else {
        (vec![end, end], carried)
    };
    call(state, to.frame.as_deref(), "dragOver", &json!([points, carried]), CALL_LIMIT).await
}
