//! Real input: the mouse and the keyboard. All events of a gesture are sent at once, in order; the browser takes
//! them one after the other.

use std::time::Duration;

use serde_json::{Value, json};

use super::state::TabState;
use super::world::is_lost;
use crate::CALL_LIMIT;
use crate::backend::{Gesture, KeyChord, MouseButton};
use crate::error::{BrowserError, Result};
use crate::keys::Key;
use crate::wire::connection::Pending;

const MOUSE: &str = "Input.dispatchMouseEvent";
const KEY: &str = "Input.dispatchKeyEvent";

/// How long a page may take to say that it saw the input, beyond the input itself.
const FENCE_LIMIT: Duration = Duration::from_millis(250);

const ALT: u8 = 1;
const CONTROL: u8 = 2;
const META: u8 = 4;
const SHIFT: u8 = 8;

/// Performs one gesture.
pub(super) async fn perform(state: &TabState, gesture: &Gesture) -> Result<()> {
    state.ready(true)?;
    state.wake();
    let sent: Vec<Pending> = match gesture {
        Gesture::Move { x, y } => vec![state.begin(MOUSE, moved(*x, *y))],
        Gesture::Click { x, y, button, count } => {
            let mut sent = vec![state.begin(MOUSE, moved(*x, *y))];
            for click in 1..=*count {
                sent.push(state.begin(MOUSE, button_event("mousePressed", *x, *y, *button, click)));
                sent.push(state.begin(MOUSE, button_event("mouseReleased", *x, *y, *button, click)));
            }
            sent
        }
        Gesture::Press(chord) => {
            let events = key_events(chord, cfg!(target_os = "macos"))?;
            events.into_iter().map(|event| state.begin(KEY, event)).collect()
        }
        Gesture::InsertText(text) => vec![state.begin("Input.insertText", json!({"text": text}))],
    };
    let answered = state.unless_stopped(true, async {
        for pending in sent {
            pending.wait(CALL_LIMIT).await?;
        }
        Ok(())
    });
    let answered = answered.await;
    if answered.is_ok() {
        fence(state).await;
    }
    match answered {
        // The input arrived, and this is what it led to; events tell.
        Err(BrowserError::DialogOpen { .. } | BrowserError::TabClosed) => Ok(()),
        Err(BrowserError::Refused { message, .. }) if is_lost(&message) => Ok(()),
        Err(BrowserError::TimedOut { limit, .. }) => {
            Err(BrowserError::TimedOut { what: "input".to_owned(), limit })
        }
        other => other,
    }
}

/// The browser acknowledges input on another way than the page's events come. An answer of the page comes on the same
/// way as they do: behind it, what the input led to at once (a navigation asked for, a dialog) is known.
async fn fence(state: &TabState) {
    let pending = state.begin("Runtime.evaluate", json!({"expression": "0"}));
    // A page that went away or is busy says nothing; then there is nothing to wait for.
    let _ = state.unless_stopped(true, pending.wait(FENCE_LIMIT)).await;
}

fn moved(x: f64, y: f64) -> Value {
    json!({"type": "mouseMoved", "x": x, "y": y, "button": "none", "buttons": 0})
}

fn button_event(kind: &str, x: f64, y: f64, button: MouseButton, count: u8) -> Value {
    let (name, bit) = match button {
        MouseButton::Left => ("left", 1),
        MouseButton::Right => ("right", 2),
    };
    let held = if kind == "mousePressed" { bit } else { 0 };
    json!({"type": kind, "x": x, "y": y, "button": name, "buttons": held, "clickCount": count})
}

/// The events of a chord: modifiers down, the key down and up, modifiers up.
fn key_events(chord: &KeyChord, mac: bool) -> Result<Vec<Value>> {
    let mut key = Key::of(&chord.key)?;
    if chord.shift {
        key = key.with_shift();
    }
    let modifiers = [
        ("Control", CONTROL, chord.control),
        ("Shift", SHIFT, chord.shift),
        ("Alt", ALT, chord.alt),
        ("Meta", META, chord.meta),
    ];
    let held: Vec<(&str, u8)> =
        modifiers.iter().filter(|(.., on)| *on).map(|(name, bit, _)| (*name, *bit)).collect();
    let mut events = Vec::new();
    let mut bits = 0;
    for (name, bit) in &held {
        bits |= bit;
        events.push(key_event("rawKeyDown", &Key::of(name)?, bits));
    }
    let all = if key.shifted { bits | SHIFT } else { bits };
    let types = key.text.clone().filter(|_| bits & (CONTROL | ALT | META) == 0);
    let mut down = key_event(if types.is_some() { "keyDown" } else { "rawKeyDown" }, &key, all);
    if let Some(text) = types {
        down["text"] = json!(text);
        down["unmodifiedText"] = json!(text);
    }
    if let Some(command) = editing_command(&key.key, bits).filter(|_| mac) {
        down["commands"] = json!([command]);
    }
    events.push(down);
    events.push(key_event("keyUp", &key, all));
    for (name, bit) in held.iter().rev() {
        bits &= !bit;
        events.push(key_event("keyUp", &Key::of(name)?, bits));
    }
    Ok(events)
}

fn key_event(kind: &str, key: &Key, modifiers: u8) -> Value {
    json!({
        "type": kind,
        "key": key.key,
        "code": key.code,
        "windowsVirtualKeyCode": key.virtual_key,
        "modifiers": modifiers,
        "location": u8::from(key.code.ends_with("Left") && key.key != "ArrowLeft"),
    })
}

/// On macOS the system, not the page, turns shortcuts into editing; input of ours does not pass through the system.
fn editing_command(key: &str, modifiers: u8) -> Option<&'static str> {
    Some(match (key, modifiers) {
        // People and agents write Control where they mean Command.
        ("a", META | CONTROL) => "selectAll",
        ("c", META | CONTROL) => "copy",
        ("x", META | CONTROL) => "cut",
        ("v", META | CONTROL) => "paste",
        ("z", META | CONTROL) => "undo",
        ("Z", bits) if bits == META | SHIFT => "redo",
        ("ArrowLeft", META) => "moveToLeftEndOfLine",
        ("ArrowRight", META) => "moveToRightEndOfLine",
        ("ArrowUp", META) => "moveToBeginningOfDocument",
        ("ArrowDown", META) => "moveToEndOfDocument",
        ("ArrowLeft", ALT) => "moveWordLeft",
        ("ArrowRight", ALT) => "moveWordRight",
        ("Backspace", ALT) => "deleteWordBackward",
        ("Backspace", META) => "deleteToBeginningOfLine",
        ("Delete", ALT) => "deleteWordForward",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(chord: &str, mac: bool) -> String {
        let events = key_events(&chord.parse().unwrap(), mac).unwrap();
        let line = |event: &Value| {
            let text = event.get("text").map(|text| format!(" {text}")).unwrap_or_default();
            let commands = event.get("commands").map(|commands| format!(" {commands}")).unwrap_or_default();
            let words = ["type", "key"].map(|name| event[name].as_str().unwrap_or_default().to_owned());
            format!("{} {} {}{text}{commands}", words[0], words[1], event["modifiers"])
        };
        events.iter().map(line).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn chords() {
        assert_eq!(told("a", false), r#"keyDown a 0 "a"; keyUp a 0"#);
        assert_eq!(told("A", false), r#"keyDown A 8 "A"; keyUp A 8"#);
        assert_eq!(told("Enter", false), r#"keyDown Enter 0 "\r"; keyUp Enter 0"#);
        assert_eq!(
            told("Control+A", false),
            "rawKeyDown Control 2; rawKeyDown a 2; keyUp a 2; keyUp Control 0"
        );
        let shifted = r#"rawKeyDown Shift 8; keyDown ! 8 "!"; keyUp ! 8; keyUp Shift 0"#;
        assert_eq!(told("Shift+1", false), shifted);
        assert_eq!(
            told("Meta+a", true),
            r#"rawKeyDown Meta 4; rawKeyDown a 4 ["selectAll"]; keyUp a 4; keyUp Meta 0"#
        );
    }
}
