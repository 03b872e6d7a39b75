//! Input actions of BiDi: the mouse and the keyboard as lists of steps, and the command that
//! performs them.

use serde_json::{Value, json};

use super::state::{BidiTabState, explain_refusal};
use crate::api::input::KeyChord;
use crate::api::traits::CALL_LIMIT;
use crate::error::{BrowserError, Result};
use crate::keys::Key;
use crate::options::Engine;

/// WebDriver's code points for keys that do not type a character.
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

/// Performs actions in a frame, and returns when the browser has dispatched them.
pub(crate) async fn perform(
    state: &BidiTabState,
    context: &str,
    actions: Vec<Value>,
) -> Result<()> {
    state.ready(true)?;
    let pending =
        state.begin("input.performActions", json!({"context": context, "actions": actions}));
    match state.unless_blocked(true, pending.wait(CALL_LIMIT)).await.map_err(explain_refusal) {
        Ok(_) => Ok(()),
        // The input arrived and had this effect, which events report.
        Err(
            BrowserError::DialogOpen { .. } | BrowserError::TabClosed | BrowserError::Navigated,
        ) => Ok(()),
        Err(BrowserError::TimedOut { limit, .. }) => {
            Err(BrowserError::TimedOut { what: "input".to_owned(), limit })
        }
        Err(error) => Err(error),
    }
}

/// Returns the actions that perform mouse steps while the key that adds to a selection is held.
/// Keyboard and mouse run in parallel, one step of each at a time, so pauses keep them aligned.
pub(crate) fn adding_to_selection(steps: Vec<Value>) -> Result<Vec<Value>> {
    let key = code_point(if cfg!(target_os = "macos") { "Meta" } else { "Control" })?;
    let pause = json!({"type": "pause"});
    let mut keys = vec![json!({"type": "keyDown", "value": key})];
    keys.extend(steps.iter().map(|_| pause.clone()));
    keys.push(json!({"type": "keyUp", "value": key}));
    let mut mouse = vec![pause.clone()];
    mouse.extend(steps);
    mouse.push(pause);
    Ok(vec![keyboard(&keys), pointer(&mouse)])
}

/// A part of a text that is typed.
#[derive(Debug, PartialEq)]
pub(crate) enum TypedRun {
    /// Steps of keys.
    Keys(Vec<Value>),
    /// Text that is inserted, because its characters stand for keys in WebDriver.
    Text(String),
}

/// Whether WebDriver takes a character for a key, such as Enter. Pages use them as icons.
fn stands_for_key(character: char) -> bool {
    ('\u{e000}'..='\u{e05d}').contains(&character)
}

/// Returns the parts that type a text key by key. Firefox accepts every other character as a key.
pub(crate) fn typing_runs(text: &str) -> Result<Vec<TypedRun>> {
    let mut runs = Vec::new();
    for character in text.replace("\r\n", "\n").chars() {
        let value = match character {
            '\n' | '\r' => code_point("Enter")?,
            '\t' => code_point("Tab")?,
            icon if stands_for_key(icon) => {
                match runs.last_mut() {
                    Some(TypedRun::Text(text)) => text.push(icon),
                    _ => runs.push(TypedRun::Text(icon.to_string())),
                }
                continue;
            }
            other => other.to_string(),
        };
        let steps =
            ["keyDown", "keyUp"].map(|direction| json!({"type": direction, "value": value}));
        match runs.last_mut() {
            Some(TypedRun::Keys(keys)) => keys.extend(steps),
            _ => runs.push(TypedRun::Keys(steps.to_vec())),
        }
    }
    Ok(runs)
}

/// Returns the action of a mouse with these steps.
pub(crate) fn pointer(steps: &[Value]) -> Value {
    json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps})
}

/// Returns the action of a keyboard with these steps.
pub(crate) fn keyboard(steps: &[Value]) -> Value {
    json!({"type": "key", "id": "keys", "actions": steps})
}

/// Returns the step that moves the mouse to a point.
pub(crate) fn move_to(x: f64, y: f64) -> Value {
    json!({"type": "pointerMove", "x": x, "y": y})
}

/// Returns the steps of a chord: modifiers down, the key down and up, modifiers up.
pub(crate) fn key_steps(chord: &KeyChord) -> Result<Vec<Value>> {
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
    let mut characters = key.key.chars();
    names.push(match (characters.next(), characters.next()) {
        (Some(one), None) if !stands_for_key(one) => one.to_string(),
        _ => code_point(&key.key)?,
    });
    let down = names.iter().map(|name| json!({"type": "keyDown", "value": name}));
    let up = names.iter().rev().map(|name| json!({"type": "keyUp", "value": name}));
    Ok(down.chain(up).collect())
}

/// Returns WebDriver's code point for a key that does not type a character.
fn code_point(key: &str) -> Result<String> {
    match KEYS.iter().find(|(name, _)| *name == key) {
        Some((_, character)) => Ok(character.to_string()),
        None => Err(Engine::Firefox.lacks("this key")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(chord: &str) -> String {
        let steps = key_steps(&chord.parse().unwrap()).unwrap();
        let line = |step: &Value| {
            let name = step["value"].as_str().unwrap().escape_unicode().to_string();
            format!("{} {name}", step["type"].as_str().unwrap())
        };
        steps.iter().map(line).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn chords() {
        assert_eq!(written("a"), r"keyDown \u{61}; keyUp \u{61}");
        assert_eq!(written("Enter"), r"keyDown \u{e007}; keyUp \u{e007}");
        let control = r"keyDown \u{e009}; keyDown \u{61}; keyUp \u{61}; keyUp \u{e009}";
        assert_eq!(written("Control+A"), control);
        let odd = key_steps(&"ContextMenu".parse().unwrap()).unwrap_err().to_string();
        assert_eq!(odd, "this key is not supported in Firefox yet");
        assert!(key_steps(&"\u{e007}".parse().unwrap()).is_err(), "it would press Enter");
    }

    #[test]
    fn icons_press_no_keys() {
        let steps = |keys: &[&str]| {
            let both = |key: &&str| {
                ["keyDown", "keyUp"].map(|direction| json!({"type": direction, "value": key}))
            };
            TypedRun::Keys(keys.iter().flat_map(both).collect())
        };
        let text = |text: &str| TypedRun::Text(text.to_owned());
        let runs = |text: &str| typing_runs(text).unwrap();
        assert_eq!(runs("aé\r\n"), [steps(&["a", "é", "\u{e007}"])]);
        let mixed = [steps(&["a"]), text("\u{e006}\u{e007}"), steps(&["b"])];
        assert_eq!(runs("a\u{e006}\u{e007}b"), mixed);
        for edge in ['\u{e000}', '\u{e05d}'] {
            assert_eq!(runs(&edge.to_string()), [text(&edge.to_string())]);
        }
        assert_eq!(runs("\u{e05e}"), [steps(&["\u{e05e}"])]);
        assert!(runs("").is_empty());
    }
}
