//! Dragging in Firefox. A drag that the page implements with mouse events needs nothing special.
//! Firefox begins a native drag (`draggable`, `dragstart`) but then sends the page no further
//! events of it, so the page script continues it.

use std::sync::Mutex;

use serde::Deserialize;
use serde_json::{Value, json};

use super::point::{pixels, share};
use crate::api::input::{Gesture, Spot};
use crate::api::traits::CALL_LIMIT;
use crate::bidi::actions::{move_to, perform, pointer};
use crate::bidi::script::call;
use crate::bidi::state::BidiTabState;
use crate::error::{BrowserError, Result};
use crate::sync::lock;

/// The mouse of a tab.
pub(super) struct Mouse {
    /// Whether its events go through the window and reach frames of other sites; otherwise they are
    /// sent to each frame separately.
    pub(super) through_window: bool,
    /// The frame in which a drag began that left the button pressed.
    held: Mutex<Option<Option<String>>>,
}

impl Mouse {
    /// Creates a mouse with no button pressed.
    pub(super) fn new(through_window: bool) -> Mouse {
        Mouse { through_window, held: Mutex::default() }
    }
}

/// The page script's report about a native drag.
#[derive(Deserialize)]
struct NativeDrag {
    began: bool,
    #[serde(default)]
    carried: Value,
}

/// Presses, moves, and drops or releases; the button is never left down.
pub(super) async fn drag(
    state: &BidiTabState,
    mouse: &Mouse,
    from: &Spot,
    to: &Spot,
) -> Result<()> {
    let here = from.frame.as_deref();
    let (context, from_here, to_there) = receiver(state, mouse, from, to).await?;
    let _: Value = call(state, here, "armDrag", &json!([]), CALL_LIMIT).await?;
    let mut steps: Vec<Value> = from_here.via.iter().map(|(x, y)| move_to(*x, *y)).collect();
    steps.push(move_to(from_here.x, from_here.y));
    steps.push(json!({"type": "pointerDown", "button": 0}));
    steps.extend(Gesture::way(&from_here, &to_there).into_iter().map(|(x, y)| move_to(x, y)));
    let wait = Gesture::WAIT_BEFORE_DROP.as_millis() as u64;
    for _ in 0..Gesture::WAITS_BEFORE_DROP {
        let pause = json!({"type": "pause", "duration": wait});
        steps.extend([pause, move_to(to_there.x, to_there.y)]);
    }
    let dragged = match perform(state, &context, vec![pointer(&steps)]).await {
        Ok(()) => carry(state, from, to).await,
        Err(error) => Err(error),
    };
    // Whatever happened, the button is released; if a dialog is open, after it is answered.
    *lock(&mouse.held) = Some(from.frame.clone());
    let released = release(state, mouse).await;
    match dragged.and(released) {
        // The drop arrived and had this effect, which events report.
        Err(
            BrowserError::DialogOpen { .. } | BrowserError::TabClosed | BrowserError::Navigated,
        ) => Ok(()),
        done => done,
    }
}

/// Finds the frame that receives a drag, and where the drag begins and ends in it. If the mouse
/// does not go through the window, a drag stays in its frame.
async fn receiver(
    state: &BidiTabState,
    mouse: &Mouse,
    from: &Spot,
    to: &Spot,
) -> Result<(String, Spot, Spot)> {
    match &from.frame {
        Some(frame) if !mouse.through_window && to.frame == from.frame => {
            let inside = async |spot: &Spot| -> Result<Spot> {
                let (x, y) = pixels(state, Some(frame), share(state, spot).await?).await?;
                let mut via = Vec::new();
                for (x, y) in spot.via.iter().copied() {
                    let stop = Spot { x, y, frame: spot.frame.clone(), via: Vec::new() };
                    let at = share(state, &stop).await?;
                    via.push(pixels(state, Some(frame), at).await?);
                }
                Ok(Spot { x, y, frame: spot.frame.clone(), via })
            };
            Ok((frame.clone(), inside(from).await?, inside(to).await?))
        }
        _ => Ok((state.id.clone(), from.clone(), to.clone())),
    }
}

/// Releases the mouse button, if a drag left it pressed.
pub(super) async fn release(state: &BidiTabState, mouse: &Mouse) -> Result<()> {
    let held = lock(&mouse.held).clone();
    let Some(frame) = held else { return Ok(()) };
    let context = frame.as_ref().filter(|_| !mouse.through_window).unwrap_or(&state.id);
    perform(state, context, vec![pointer(&[json!({"type": "pointerUp", "button": 0})])]).await?;
    // If the drop led to a different page, there is nothing to disarm.
    let _: Result<Value> =
        call(state, frame.as_deref(), "disarmDrag", &json!([]), CALL_LIMIT).await;
    *lock(&mouse.held) = None;
    Ok(())
}

/// Continues a native drag, if Firefox began one.
async fn carry(state: &BidiTabState, from: &Spot, to: &Spot) -> Result<()> {
    let here = from.frame.as_deref();
    let dragged: NativeDrag = call(state, here, "dragState", &json!([]), CALL_LIMIT).await?;
    if !dragged.began {
        return Ok(());
    }
    let over = over(state, from, to, dragged.carried).await;
    let effect = over.as_ref().map_or(json!("none"), |over| over["effect"].clone());
    let _: Value = call(state, here, "dragEnd", &json!([effect]), CALL_LIMIT).await?;
    over.map(drop)
}

/// Drags over the elements on the way, and drops.
async fn over(state: &BidiTabState, from: &Spot, to: &Spot, carried: Value) -> Result<Value> {
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
