//! Real input: the mouse and single keys, as actions of the browser's own. All events of a gesture
//! are one command.

use std::time::Duration;

use serde_json::{Value, json};

use super::drag::{drag, release};
use super::point::innermost;
use crate::api::input::{Gesture, KeyChord, MouseButton};
use crate::api::traits::CALL_LIMIT;
use crate::bidi::script;
use crate::bidi::state::{TabState, gone};
use crate::error::{BrowserError, Result};
use crate::keys::Key;
use crate::options::Engine;

/// How long a frame may take to say what in it has the focus, and how deep that is followed.
const FOCUS_LIMIT: Duration = Duration::from_millis(500);
const DEEPEST: usize = 10;

/// Performs one gesture.
pub(super) async fn perform(state: &TabState, gesture: &Gesture) -> Result<()> {
    release(state).await?;
    let mut context = state.id.clone();
    let actions = match gesture {
        Gesture::Move { x, y } => {
            let (x, y) = reached(state, (*x, *y), &mut context).await;
            vec![pointer(&[moved(x, y)])]
        }
        Gesture::Click { x, y, button, count, adds } => {
            let (x, y) = reached(state, (*x, *y), &mut context).await;
            let button = match button {
                MouseButton::Left => 0,
                MouseButton::Right => 2,
            };
            let mut steps = vec![moved(x, y)];
            for _ in 0..*count {
                steps.push(json!({"type": "pointerDown", "button": button}));
                steps.push(json!({"type": "pointerUp", "button": button}));
            }
            match adds {
                false => vec![pointer(&steps)],
                true => held(
                    &code_point(if cfg!(target_os = "macos") { "Meta" } else { "Control" })?,
                    steps,
                ),
            }
        }
        Gesture::Press(chord) => {
            vec![json!({"type": "key", "id": "keys", "actions": key_steps(chord)?})]
        }
        Gesture::Type(text) => vec![json!({"type": "key", "id": "keys", "actions": typed(text)?})],
        Gesture::InsertText { text, frame } => {
            // The protocol has no command for it; the browser's own editing does what an input
            // method would.
            let arguments = json!([text]).to_string();
            script::script(state, frame.as_deref(), "insert", &arguments, CALL_LIMIT).await?;
            return Ok(());
        }
        Gesture::Scroll { x, y, dx, dy } => {
            let (x, y) = reached(state, (*x, *y), &mut context).await;
            let wheel = json!({"type": "scroll", "x": x as i64, "y": y as i64, "deltaX": *dx as i64, "deltaY": *dy as i64});
            vec![json!({"type": "wheel", "id": "wheel", "actions": [wheel]})]
        }
        Gesture::Drag { from, to } => return drag(state, from, to).await,
    };
    state.ready(true)?;
    if let Gesture::Press(_) | Gesture::Type(_) = gesture {
        context = focused(state).await;
    }
    act(state, &context, actions).await
}

/// Lets the browser do these things.
pub(super) async fn act(state: &TabState, context: &str, actions: Vec<Value>) -> Result<()> {
    state.ready(true)?;
    let pending =
        state.begin("input.performActions", json!({"context": context, "actions": actions}));
    match state.unless_stopped(true, pending.wait(CALL_LIMIT)).await.map_err(gone) {
        Ok(_) => Ok(()),
        // The input arrived, and this is what it led to; events tell.
        Err(
            BrowserError::DialogOpen { .. } | BrowserError::TabClosed | BrowserError::Navigated,
        ) => Ok(()),
        Err(BrowserError::TimedOut { limit, .. }) => {
            Err(BrowserError::TimedOut { what: "input".to_owned(), limit })
        }
        Err(error) => Err(error),
    }
}

/// Where a point of the tab's viewport is in the frame that is to be told of the mouse, and which
/// that is.
async fn reached(state: &TabState, point: (f64, f64), context: &mut String) -> (f64, f64) {
    if state.through_window {
        return point;
    }
    // A page that does not answer gets the mouse as a whole.
    let Ok((frame, point)) = innermost(state, point).await else { return point };
    if let Some(frame) = frame {
        *context = frame;
    }
    point
}

/// The frame that has the focus: keys do not find their way into one of another site by themselves.
async fn focused(state: &TabState) -> String {
    #[derive(serde::Deserialize)]
    struct Active {
        id: u32,
        frame: bool,
    }
    let mut frame: Option<String> = None;
    for _ in 0..DEEPEST {
        let answer = script::script(state, frame.as_deref(), "active", "[]", FOCUS_LIMIT).await;
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

/// The steps of a mouse while a key is held: sources run side by side, a step of each at a time.
fn held(key: &str, steps: Vec<Value>) -> Vec<Value> {
    let pause = json!({"type": "pause"});
    let mut keys = vec![json!({"type": "keyDown", "value": key})];
    keys.extend(steps.iter().map(|_| pause.clone()));
    keys.push(json!({"type": "keyUp", "value": key}));
    let mut mouse = vec![pause.clone()];
    mouse.extend(steps);
    mouse.push(pause);
    vec![json!({"type": "key", "id": "keys", "actions": keys}), pointer(&mouse)]
}

/// Text key by key; Firefox has a key for whatever character.
fn typed(text: &str) -> Result<Vec<Value>> {
    let mut steps = Vec::new();
    for character in text.replace("\r\n", "\n").chars() {
        let value = match character {
            '\n' | '\r' => code_point("Enter")?,
            '\t' => code_point("Tab")?,
            other => other.to_string(),
        };
        steps.push(json!({"type": "keyDown", "value": value}));
        steps.push(json!({"type": "keyUp", "value": value}));
    }
    Ok(steps)
}

pub(super) fn pointer(steps: &[Value]) -> Value {
    json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps})
}

pub(super) fn moved(x: f64, y: f64) -> Value {
    json!({"type": "pointerMove", "x": x, "y": y})
}

/// The events of a chord: modifiers down, the key down and up, modifiers up.
fn key_steps(chord: &KeyChord) -> Result<Vec<Value>> {
    let mut key = Key::of(&chord.key)?;
    if chord.shift {
        key = key.with_shift();
    }
    let modifiers = [
        (chord.control, "Control"),
        (chord.shift, "Shift"),
        (chord.alt, "Alt"),
        (chord.meta, "Meta"),
    ];
    let mut names: Vec<String> = Vec::new();
    for (held, name) in modifiers {
        if held {
            names.push(code_point(name)?);
        }
    }
    names.push(match key.key.chars().count() {
        1 => key.key.clone(),
        _ => code_point(&key.key)?,
    });
    let down = names.iter().map(|name| json!({"type": "keyDown", "value": name}));
    let up = names.iter().rev().map(|name| json!({"type": "keyUp", "value": name}));
    Ok(down.chain(up).collect())
}

/// WebDriver's character for a key that types none.
fn code_point(key: &str) -> Result<String> {
    const KEYS: [(&str, char); 30] = [
        ("Backspace", '\u{e003}'),
        ("Tab", '\u{e004}'),
        ("Enter", '\u{e007}'),
        ("Shift", '\u{e008}'),
        ("Control", '\u{e009}'),
        ("Alt", '\u{e00a}'),
        ("Escape", '\u{e00c}'),
        ("PageUp", '\u{e00e}'),
        ("PageDown", '\u{e00f}'),
        ("End", '\u{e010}'),
        ("Home", '\u{e011}'),
        ("ArrowLeft", '\u{e012}'),
        ("ArrowUp", '\u{e013}'),
        ("ArrowRight", '\u{e014}'),
        ("ArrowDown", '\u{e015}'),
        ("Insert", '\u{e016}'),
        ("Delete", '\u{e017}'),
        ("F1", '\u{e031}'),
        ("F2", '\u{e032}'),
        ("F3", '\u{e033}'),
        ("F4", '\u{e034}'),
        ("F5", '\u{e035}'),
        ("F6", '\u{e036}'),
        ("F7", '\u{e037}'),
        ("F8", '\u{e038}'),
        ("F9", '\u{e039}'),
        ("F10", '\u{e03a}'),
        ("F11", '\u{e03b}'),
        ("F12", '\u{e03c}'),
        ("Meta", '\u{e03d}'),
    ];
    match KEYS.iter().find(|(name, _)| *name == key) {
        Some((_, character)) => Ok(character.to_string()),
        None => Err(Engine::Firefox.lacks("this key")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(chord: &str) -> String {
        let steps = key_steps(&chord.parse().unwrap()).unwrap();
        let line = |step: &Value| {
            let name = step["value"].as_str().unwrap().escape_unicode().to_string();
            format!("{} {name}", step["type"].as_str().unwrap())
        };
        steps.iter().map(line).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn chords() {
        assert_eq!(told("a"), r"keyDown \u{61}; keyUp \u{61}");
        assert_eq!(told("Enter"), r"keyDown \u{e007}; keyUp \u{e007}");
        let control = r"keyDown \u{e009}; keyDown \u{61}; keyUp \u{61}; keyUp \u{e009}";
        assert_eq!(told("Control+A"), control);
        let odd = key_steps(&"ContextMenu".parse().unwrap()).unwrap_err().to_string();
        assert_eq!(odd, "this key is not supported in Firefox yet; use --browser chromium");
    }
}
