//! The clipboard of a session that shares its browser. A browser has one clipboard, so what one
//! session copies by key would be pasted in another one. Such a session keeps the text that it
//! copied, and its paste keys insert that text without the browser's clipboard. A session with a
//! browser of its own uses the browser's clipboard.

use std::sync::{Arc, Mutex};

use pagesight_browser::{KeyChord, lock};
use tokio::sync::{Mutex as AsyncMutex, MutexGuard as AsyncMutexGuard};

/// The effect of a key chord on the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClipboardKey {
    /// It copies or cuts.
    Copy,
    /// It pastes.
    Paste,
}

impl ClipboardKey {
    /// Returns what a key chord does with the clipboard, on any system; none if nothing.
    pub(super) fn of(key: &KeyChord) -> Option<ClipboardKey> {
        let is = |name: &str| key.key.eq_ignore_ascii_case(name);
        let command = key.control || key.meta;
        // With Shift, the text is pasted without its format. On macOS that takes Alt, too.
        let pastes = (command && (!key.alt || key.meta) && is("v"))
            || (key.shift && !command && is("Insert"));
        let copies = !key.alt
            && ((command && !key.shift && (is("c") || is("x")))
                || (command && is("Insert"))
                || (key.shift && !command && is("Delete")));
        match (copies, pastes) {
            (true, _) => Some(ClipboardKey::Copy),
            (_, true) => Some(ClipboardKey::Paste),
            _ => None,
        }
    }
}

/// The clipboard of one session of several.
pub(crate) struct OwnClipboard {
    /// Held while a session of the browser copies or pastes.
    turn: Arc<AsyncMutex<()>>,
    text: Mutex<String>,
}

impl OwnClipboard {
    /// Creates an empty clipboard. `turn` is the one of the browser.
    pub(crate) fn new(turn: Arc<AsyncMutex<()>>) -> OwnClipboard {
        OwnClipboard { turn, text: Mutex::default() }
    }

    pub(super) async fn turn(&self) -> AsyncMutexGuard<'_, ()> {
        self.turn.lock().await
    }

    pub(super) fn text(&self) -> String {
        lock(&self.text).clone()
    }

    /// Keeps what was copied. A copy key without a selection changes nothing.
    pub(super) fn keep(&self, text: String) {
        if !text.is_empty() {
            *lock(&self.text) = text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_that_copies_or_pastes_is_known() {
        let of = |text: &str| ClipboardKey::of(&text.parse::<KeyChord>().unwrap());
        for key in ["Control+C", "Meta+c", "Control+x", "Control+Insert", "Shift+Delete"] {
            assert_eq!(of(key), Some(ClipboardKey::Copy), "{key}");
        }
        for key in ["Control+V", "Meta+v", "Control+Shift+V", "Meta+Alt+Shift+v", "Shift+Insert"] {
            assert_eq!(of(key), Some(ClipboardKey::Paste), "{key}");
        }
        for key in ["v", "Shift+C", "Delete", "Insert", "Control+A", "Control+Delete", "Alt+v"] {
            assert_eq!(of(key), None, "{key}");
        }
    }
}
