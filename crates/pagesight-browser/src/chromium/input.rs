//! Real input in Chromium: mouse and keyboard; `touch.rs` has touches. The events of a gesture are
//! sent at once and in order; the browser handles them one after the other. Only moves that a move
//! follows are waited for, because Chromium merges moves that come before the page has handled the
//! one before.

use std::time::Duration;

use serde_json::{Value, json};

use super::delivery::{arrived, fence_in, finish, handled};
use super::state::ChromiumTabState;
use super::touch;
use crate::api::input::{Gesture, KeyChord, MouseButton, Spot};
use crate::error::{BrowserError, Result};
use crate::keys::{Key, key_for};
use crate::sync::lock;
use crate::wire::connection::Pending;

const MOUSE: &str = "Input.dispatchMouseEvent";
const KEY: &str = "Input.dispatchKeyEvent";
const INSERT: &str = "Input.insertText";

/// How long a page may take to handle the moves towards an element, all but the last: one frame
/// each, 16 ms, unless the page is busy. A busy page would handle the press no sooner.
const VISIT_LIMIT: Duration = Duration::from_millis(250);

/// How long to wait between two wheel events for different boxes. For half a second, Chromium sends
/// wheel events to the element under the last one, wherever the mouse is.
const WHEEL_STAYS: Duration = Duration::from_millis(600);

const ALT: u8 = 1;
const CONTROL: u8 = 2;
const META: u8 = 4;
const SHIFT: u8 = 8;

pub(super) async fn perform(state: &ChromiumTabState, gesture: &Gesture) -> Result<()> {
    state.ready(true)?;
    state.wake();
    let has_touch = lock(&state.conditions).emulation.has_touch();
    match gesture {
        Gesture::Click { x, y, button, count, .. } if has_touch => {
            return touch::tap(state, (*x, *y), *button, *count).await;
        }
        Gesture::Drag { from, to } if has_touch => return touch::swipe(state, from, to).await,
        Gesture::Swipe { from, to } => return touch::swipe(state, from, to).await,
        _ => {}
    }
    let sent: Vec<Pending> = match gesture {
        Gesture::Move { x, y, via } => {
            visit(state, via).await?;
            vec![state.begin(MOUSE, moved(*x, *y))]
        }
        Gesture::Click { x, y, via, button, count, adds } => {
            visit(state, via).await?;
            let mut sent = vec![state.begin(MOUSE, moved(*x, *y))];
            let held = if *adds { adding(cfg!(target_os = "macos")) } else { 0 };
            for click in 1..=*count {
                for kind in ["mousePressed", "mouseReleased"] {
                    let mut event = button_event(kind, *x, *y, *button, click);
                    event["modifiers"] = json!(held);
                    sent.push(state.begin(MOUSE, event));
                }
            }
            sent
        }
        Gesture::Press { chord, .. } => {
            let events = key_events(chord, cfg!(target_os = "macos"))?;
            events.into_iter().map(|event| state.begin(KEY, event)).collect()
        }
        Gesture::Type { text, .. } => {
            typed(text)?.into_iter().map(|(kind, event)| state.begin(kind, event)).collect()
        }
        Gesture::InsertText { text, .. } => vec![state.begin(INSERT, json!({"text": text}))],
        Gesture::Scroll { x, y, dx, dy, scroller } => {
            let last = lock(&state.wheel).take();
            if let Some((last, over)) = last
                && !is_same_box(over.as_deref(), scroller.as_deref())
            {
                tokio::time::sleep_until(last + WHEEL_STAYS).await;
            }
            let wheel = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": dx, "deltaY": dy});
            vec![state.begin(MOUSE, moved(*x, *y)), state.begin(MOUSE, wheel)]
        }
        Gesture::Drag { from, to } | Gesture::Swipe { from, to } => {
            return drag(state, from, to).await;
        }
    };
    let done = finish(state, sent).await;
    if let Gesture::Scroll { scroller, .. } = gesture {
        let now = tokio::time::Instant::now();
        *lock(&state.wheel) = Some((now, scroller.clone()));
    }
    done
}

/// Whether two turns of the wheel are known to be for the same box.
fn is_same_box(last: Option<&str>, now: Option<&str>) -> bool {
    last.is_some() && last == now
}

/// Moves the mouse to the points where it stops first, and waits each time until the page has
/// handled that.
async fn visit(state: &ChromiumTabState, via: &[(f64, f64)]) -> Result<()> {
    let deadline = tokio::time::Instant::now() + VISIT_LIMIT;
    for (x, y) in via {
        let pending = state.begin(MOUSE, moved(*x, *y));
        let left = deadline.saturating_duration_since(tokio::time::Instant::now());
        match state.unless_blocked(true, pending.wait(left)).await {
            // A page that is too busy to handle it gets the next event anyway.
            Ok(_) | Err(BrowserError::TimedOut { .. }) => {}
            Err(error) => return arrived(Err(error)),
        }
    }
    Ok(())
}

/// Presses, moves and releases, each after the one before was handled: whether a move drags depends
/// on the page's reaction to the one before.
async fn drag(state: &ChromiumTabState, from: &Spot, to: &Spot) -> Result<()> {
    match drag_steps(state, from, to).await {
        Ok(()) => finish(state, Vec::new()).await,
        refused => arrived(refused),
    }
}

async fn drag_steps(state: &ChromiumTabState, from: &Spot, to: &Spot) -> Result<()> {
    let source = session_of(state, from);
    let across = source != session_of(state, to);
    let (start, end) = ((from.x, from.y), (to.x, to.y));
    for (x, y) in from.via.iter().copied().chain([start]) {
        handled(state, MOUSE, moved(x, y)).await?;
    }
    let button = MouseButton::Left;
    handled(state, MOUSE, button_event("mousePressed", start.0, start.1, button, 1)).await?;
    for (n, (x, y)) in Gesture::way(from, to).into_iter().enumerate() {
        // A busy browser learns that a move began to drag only after it has acknowledged the move,
        // and a drop target that it did not announce to its page by then takes no drop. An answer
        // of the source comes after that news.
        if n >= Gesture::STEPS_OF_WAY {
            fence_in(state, &source).await;
        }
        let event = json!({"type": "mouseMoved", "x": x, "y": y, "button": "left", "buttons": 1});
        handled(state, MOUSE, event).await?;
    }
    // A list that moves its items slowly makes room only when they rest, as for a hand that waits.
    for _ in 0..Gesture::WAITS_BEFORE_DROP {
        tokio::time::sleep(Gesture::WAIT_BEFORE_DROP).await;
        let event =
            json!({"type": "mouseMoved", "x": end.0, "y": end.1, "button": "left", "buttons": 1});
        handled(state, MOUSE, event).await?;
    }
    handled(state, MOUSE, button_event("mouseReleased", end.0, end.1, button, 1)).await?;
    if across {
        // Chromium does not notify a page that its dragged element was dropped in a different
        // process, and the page would take no more input.
        let data = json!({"items": [], "dragOperationsMask": 1});
        let ended = json!({"type": "dragCancel", "x": start.0, "y": start.1, "data": data});
        handled(state, "Input.dispatchDragEvent", ended).await?;
    }
    Ok(())
}

/// Returns the session of the process that shows this place.
fn session_of(state: &ChromiumTabState, spot: &Spot) -> String {
    let status = state.status.borrow();
    let mut worlds = status.frames.worlds.iter().rev();
    let remote = worlds.find(|world| Some(&world.frame) == spot.frame.as_ref());
    remote.map_or_else(|| state.session().to_owned(), |world| world.session.clone())
}

/// Returns the modifier that adds to a selection.
fn adding(mac: bool) -> u8 {
    if mac { META } else { CONTROL }
}

/// Returns the events that type a text key by key. Characters without a key on the layout are
/// inserted as an input method does.
fn typed(text: &str) -> Result<Vec<(&'static str, Value)>> {
    let mut events = Vec::new();
    let mut odd = String::new();
    let put_in = |odd: &mut String, events: &mut Vec<(&'static str, Value)>| {
        if !odd.is_empty() {
            events.push((INSERT, json!({"text": std::mem::take(odd)})));
        }
    };
    for character in text.replace("\r\n", "\n").chars() {
        let Some(name) = key_for(character) else {
            // Characters that belong together (an emoji and its colour, a letter and its accent)
            // are inserted together.
            odd.push(character);
            continue;
        };
        put_in(&mut odd, &mut events);
        let chord = KeyChord { key: name, control: false, shift: false, alt: false, meta: false };
        events.extend(key_events(&chord, false)?.into_iter().map(|event| (KEY, event)));
    }
    put_in(&mut odd, &mut events);
    Ok(events)
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

/// Returns the events of a chord: modifiers down, the key down and up, modifiers up.
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

/// Returns the editing command of a shortcut on macOS. There the system turns shortcuts into
/// commands, and our input does not pass through the system.
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

    #[test]
    fn turns_of_the_wheel_for_the_same_box_need_no_pause() {
        assert!(is_same_box(Some("doc 7"), Some("doc 7")));
        for (last, now) in [("doc 7", Some("doc 8")), ("doc 7", None)] {
            assert!(!is_same_box(Some(last), now), "{last} {now:?}");
        }
        assert!(!is_same_box(None, None), "the box is not known");
    }

    fn written(chord: &str, mac: bool) -> String {
        let events = key_events(&chord.parse().unwrap(), mac).unwrap();
        let line = |event: &Value| {
            let text = event.get("text").map(|text| format!(" {text}")).unwrap_or_default();
            let commands =
                event.get("commands").map(|commands| format!(" {commands}")).unwrap_or_default();
            let words =
                ["type", "key"].map(|name| event[name].as_str().unwrap_or_default().to_owned());
            format!("{} {} {}{text}{commands}", words[0], words[1], event["modifiers"])
        };
        events.iter().map(line).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn chords() {
        assert_eq!(written("a", false), r#"keyDown a 0 "a"; keyUp a 0"#);
        assert_eq!(written("A", false), r#"keyDown A 8 "A"; keyUp A 8"#);
        assert_eq!(written("Enter", false), r#"keyDown Enter 0 "\r"; keyUp Enter 0"#);
        assert_eq!(
            written("Control+A", false),
            "rawKeyDown Control 2; rawKeyDown a 2; keyUp a 2; keyUp Control 0"
        );
        let shifted = r#"rawKeyDown Shift 8; keyDown ! 8 "!"; keyUp ! 8; keyUp Shift 0"#;
        assert_eq!(written("Shift+1", false), shifted);
        assert_eq!(
            written("Meta+a", true),
            r#"rawKeyDown Meta 4; rawKeyDown a 4 ["selectAll"]; keyUp a 4; keyUp Meta 0"#
        );
    }
}
