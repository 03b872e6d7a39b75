//! Real input in Firefox: each gesture becomes one command of input actions, sent to the frame that
//! has to receive it.

use std::time::Duration;

use serde_json::{Value, json};

use super::drag::{Mouse, drag, release};
use super::point::innermost;
use crate::api::input::{Gesture, MouseButton};
use crate::api::traits::CALL_LIMIT;
use crate::bidi::state::BidiTabState;
use crate::bidi::{actions, script};
use crate::error::Result;

/// How long a frame may take to report which of its elements has the focus.
const FOCUS_LIMIT: Duration = Duration::from_millis(500);
/// How many nested frames the focus is followed into.
const DEEPEST: usize = 10;

pub(super) async fn perform(state: &BidiTabState, mouse: &Mouse, gesture: &Gesture) -> Result<()> {
    release(state, mouse).await?;
    let mut context = state.id.clone();
    let performed = match gesture {
        Gesture::Move { x, y, via } => {
            let steps = approach(state, mouse, (*x, *y), via, &mut context).await;
            vec![actions::pointer(&steps)]
        }
        Gesture::Click { x, y, via, button, count, adds } => {
            let mut steps = approach(state, mouse, (*x, *y), via, &mut context).await;
            let button = match button {
                MouseButton::Left => 0,
                MouseButton::Right => 2,
            };
            for _ in 0..*count {
                steps.push(json!({"type": "pointerDown", "button": button}));
                steps.push(json!({"type": "pointerUp", "button": button}));
            }
            match adds {
                false => vec![actions::pointer(&steps)],
                true => actions::adding_to_selection(steps)?,
            }
        }
        Gesture::Press(chord) => vec![actions::keyboard(&actions::key_steps(chord)?)],
        Gesture::Type(text) => vec![actions::keyboard(&actions::typing_steps(text)?)],
        Gesture::InsertText { text, frame } => {
            // The protocol has no command for it; the browser's own editing does what an input
            // method would.
            let arguments = json!([text]).to_string();
            script::script(state, frame.as_deref(), "insertText", &arguments, CALL_LIMIT).await?;
            return Ok(());
        }
        Gesture::Scroll { x, y, dx, dy } => {
            let (x, y) = frame_point(state, mouse, (*x, *y), &mut context).await;
            let wheel = json!({"type": "scroll", "x": x as i64, "y": y as i64, "deltaX": *dx as i64, "deltaY": *dy as i64});
            vec![json!({"type": "wheel", "id": "wheel", "actions": [wheel]})]
        }
        Gesture::Drag { from, to } => return drag(state, mouse, from, to).await,
    };
    state.ready(true)?;
    if let Gesture::Press(_) | Gesture::Type(_) = gesture {
        context = focused(state).await;
    }
    actions::perform(state, &context, performed).await
}

/// Returns the moves to a point, and sets `context` to the frame that receives the mouse.
async fn approach(
    state: &BidiTabState,
    mouse: &Mouse,
    point: (f64, f64),
    via: &[(f64, f64)],
    context: &mut String,
) -> Vec<Value> {
    let end = frame_point(state, mouse, point, context).await;
    let mut points = Vec::new();
    for stop in via {
        let mut frame = state.id.clone();
        let stop = match *context == state.id {
            true => *stop,
            false => frame_point(state, mouse, *stop, &mut frame).await,
        };
        if frame == *context {
            points.push(stop);
        }
    }
    points.push(end);
    points.into_iter().map(|(x, y)| actions::move_to(x, y)).collect()
}

/// Converts a point of the tab's viewport into a point of the frame that receives the mouse, and
/// sets `context` to that frame.
async fn frame_point(
    state: &BidiTabState,
    mouse: &Mouse,
    point: (f64, f64),
    context: &mut String,
) -> (f64, f64) {
    if mouse.through_window {
        return point;
    }
    // If the page does not answer, the top frame receives the mouse.
    let Ok((frame, point)) = innermost(state, point).await else { return point };
    if let Some(frame) = frame {
        *context = frame;
    }
    point
}

/// Finds the frame that has the focus: Firefox does not pass keys on to a cross-site frame.
async fn focused(state: &BidiTabState) -> String {
    #[derive(serde::Deserialize)]
    struct Active {
        id: u32,
        frame: bool,
    }
    let mut frame: Option<String> = None;
    for _ in 0..DEEPEST {
        let answer =
            script::script(state, frame.as_deref(), "focusedElement", "[]", FOCUS_LIMIT).await;
        let active = answer.ok().and_then(|answer| serde_json::from_str::<Active>(&answer).ok());
        let Some(Active { id, frame: true }) = active else { break };
        let inner = script::frames_of(state, frame.as_deref(), &[id], FOCUS_LIMIT).await;
        let Some(inner) = inner.ok().and_then(|frames| frames.into_iter().next().flatten()) else {
            break;
        };
        frame = Some(inner);
    }
    frame.unwrap_or_else(|| state.id.clone())
}
