//! Real input in Firefox: each gesture becomes one command of input actions, sent to the frame that
//! has to receive it.

use serde_json::{Value, json};

use super::drag::{Mouse, drag, release};
use super::focus::receiver;
use super::point::innermost;
use crate::api::input::{Gesture, KeyTarget, MouseButton};
use crate::api::traits::CALL_LIMIT;
use crate::bidi::actions::TypedRun;
use crate::bidi::state::BidiTabState;
use crate::bidi::{actions, script};
use crate::error::Result;
use crate::options::Engine;

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
        Gesture::Press { chord, target } => {
            let keys = TypedRun::Keys(actions::key_steps(chord)?);
            return send_keys(state, target, vec![keys]).await;
        }
        Gesture::Type { text, target } => {
            return send_keys(state, target, actions::typing_runs(text)?).await;
        }
        Gesture::InsertText { text, frame } => return insert(state, frame.as_deref(), text).await,
        Gesture::Scroll { x, y, dx, dy, .. } => {
            let (x, y) = frame_point(state, mouse, (*x, *y), &mut context).await;
            let wheel = json!({"type": "scroll", "x": x as i64, "y": y as i64, "deltaX": *dx as i64, "deltaY": *dy as i64});
            vec![json!({"type": "wheel", "id": "wheel", "actions": [wheel]})]
        }
        Gesture::Drag { from, to } => return drag(state, mouse, from, to).await,
        Gesture::Swipe { .. } => return Err(Engine::Firefox.lacks("a swipe")),
    };
    actions::perform(state, &context, performed).await
}

/// Sends keys and text to the frame that has the focus, if it is the one they are meant for.
/// Firefox does not pass keys on to a cross-site frame.
async fn send_keys(state: &BidiTabState, target: &KeyTarget, runs: Vec<TypedRun>) -> Result<()> {
    for run in runs {
        state.ready(true)?;
        let frame = receiver(state, target).await?;
        match run {
            TypedRun::Keys(steps) => {
                let context = frame.as_deref().unwrap_or(&state.id);
                actions::perform(state, context, vec![actions::keyboard(&steps)]).await?;
            }
            TypedRun::Text(text) => insert(state, frame.as_deref(), &text).await?,
        }
    }
    Ok(())
}

/// Inserts text in a frame. The protocol has no command for it; the browser's own editing does what
/// an input method would.
async fn insert(state: &BidiTabState, frame: Option<&str>, text: &str) -> Result<()> {
    let arguments = json!([text]).to_string();
    script::script(state, frame, "insertText", &arguments, CALL_LIMIT).await.map(drop)
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
