//! The keyboard: single keys, text key by key, and the answer to a JavaScript dialog.

use std::time::Duration;

use pagesight_browser::{Gesture, KeyChord, KeyTarget};
use tokio::time::Instant;

use super::actor::{Actor, Found, PREPARE_LIMIT, refuse};
use super::clipboard::{ClipboardKey, OwnClipboard};
use super::error::ActionError;
use super::fill::shown;
use crate::error::Result;
use crate::page_script::Handling;
use crate::wait::settle::Checkpoint;

/// The longest text that `type` takes, in characters; each is one key press.
const LONGEST_TYPED: usize = 10_000;
/// How many characters are typed between two checks that the page can still take them.
const CHUNK: usize = 200;

impl Actor<'_> {
    /// Presses a key that copies or pastes, in the frame that has the focus.
    pub(super) async fn press_own_clipboard(
        &mut self,
        clipboard: &OwnClipboard,
        key: &KeyChord,
        does: ClipboardKey,
        frame: Option<&str>,
        done: &str,
    ) -> Result<String> {
        let _turn = clipboard.turn().await;
        let effect = match does {
            ClipboardKey::Copy => {
                self.script(frame).watch_copy().await?;
                let copy = Gesture::press_in(frame, key.clone());
                let effect = self.carry_out(&copy, None).await?;
                // A page that went away meanwhile has copied nothing that is known.
                clipboard.keep(self.script(frame).copied_text().await.unwrap_or_default());
                effect
            }
            ClipboardKey::Paste => {
                let text = clipboard.text();
                if text.is_empty() {
                    return Err(ActionError::NothingCopied.into());
                }
                let tab = self.tab;
                let script = tab.script(frame, PREPARE_LIMIT);
                self.observe(async { script.paste_text(&text).await.map(drop) }, true, None).await?
            }
        };
        self.report(done, &effect).await
    }

    pub(super) async fn press(&mut self, key: &KeyChord, element: Option<&str>) -> Result<String> {
        // Only where several sessions share a clipboard.
        let session = self.session;
        let own = session.clipboard.as_ref().zip(ClipboardKey::of(key));
        let mut frame_of_focus = None;
        let mut target = KeyTarget::Focused;
        let words = match element {
            None => {
                self.look = Some(self.session.look_in_turn(self.tab, None, false).await?);
                if own.is_some() || !session.options.origins.is_empty() {
                    (frame_of_focus, ..) = self.focus_of().await?;
                    let frame = frame_of_focus.as_deref();
                    self.admit_document(frame, "the focused element").await?;
                }
                String::new()
            }
            Some(element) => {
                let found = self.find(element).await?;
                frame_of_focus = found.path.frame.clone();
                let frame = found.path.frame.as_deref();
                let focused = self.script(frame).focus_only(found.local).await?;
                // The page may move the focus, and a key must not go to a different element.
                let still = self.script(frame).still_focused(found.local).await?;
                if focused.reason == "inert" {
                    let (words, document) = (&found.words, &found.reference.document);
                    return Err(self.inert(words, document, found.local).await.into());
                }
                if !focused.ok || !still {
                    return Err(ActionError::NoFocusForKey { target: found.words }.into());
                }
                // A frame passes the focus on to what is inside of it.
                if !self.holds_document(&found) {
                    target = KeyTarget::Frame(found.path.frame.clone());
                }
                format!(" in {}", found.words)
            }
        };
        let done = format!("pressed {}{words}{}", key_words(key), self.often);
        match own {
            Some((clipboard, does)) => {
                let frame = frame_of_focus.as_deref();
                self.press_own_clipboard(clipboard, key, does, frame, &done).await
            }
            None => self.perform(&done, Gesture::Press { chord: key.clone(), target }).await,
        }
    }

    pub(super) async fn dialog(&mut self, accept: bool, text: Option<&str>) -> Result<String> {
        let Some((kind, message)) = self.tab.state.now().dialog.clone() else {
            return Err(ActionError::NoDialog.into());
        };
        if text.is_some() {
            refuse(self.session.foreign_by_dialog(self.tab).flatten(), "the dialog")?;
        }
        self.look = None;
        let checkpoint = Checkpoint::now(self.tab, &self.session.shared);
        self.tab.tab.answer_dialog(accept, text).await?;
        let limit = Instant::now() + Duration::from_secs(2);
        self.tab.state.wait(limit, |state| state.dialog.is_none().then_some(())).await;
        let outcome = self.settle(&checkpoint).await?;
        let verb = if accept { "accepted" } else { "dismissed" };
        let done = format!(
            "{verb} dialog ({kind}): {}",
            pagesight_core::text::escape::value(&message, 200)
        );
        self.report_outcome(&done, &outcome, &checkpoint, None, false).await
    }

    /// Types text key by key, into an element or into the focused element.
    pub(super) async fn type_text(&mut self, element: Option<&str>, text: &str) -> Result<String> {
        let length = text.chars().count();
        let (frame, local, words) = match element {
            Some(element) => {
                let found = self.find(element).await?;
                self.prepare(&found, Handling::Fill).await?;
                let frame = found.path.frame.clone();
                let focused = self.script(frame.as_deref()).place_caret(found.local).await?;
                let still = self.script(frame.as_deref()).still_focused(found.local).await?;
                match (focused.ok && still, focused.reason.as_str()) {
                    (true, _) => {}
                    (false, "readonly") => {
                        return Err(ActionError::ReadOnly { target: found.words }.into());
                    }
                    _ => return Err(ActionError::NoFocusForText { target: found.words }.into()),
                }
                (frame, found.local, format!(" in {}", found.words))
            }
            None => {
                let focused = self.focus_of().await?;
                self.admit_document(focused.0.as_deref(), "the focused element").await?;
                focused
            }
        };
        if let Some(secret) = self.session.options.secrets.expand(text) {
            return self.type_secret(frame.as_deref(), local, &words, text, &secret).await;
        }
        self.expect_suggestions(frame.as_deref()).await?;
        let characters: Vec<char> = text.chars().collect();
        let last = (length - 1) / CHUNK * CHUNK;
        let keys = |characters: &[char]| {
            let target = KeyTarget::Frame(frame.clone());
            Gesture::Type { text: characters.iter().collect(), target }
        };
        for at in (0..last).step_by(CHUNK) {
            self.tab.tab.gesture(&keys(&characters[at..at + CHUNK])).await?;
            self.session.check_tab(self.tab)?;
        }
        let effect = self.carry_out(&keys(&characters[last..]), None).await?;
        let plural = if length == 1 { "" } else { "s" };
        let mut done = format!("typed {length} character{plural}{words}");
        if effect.outcome.stayed() && local != 0 {
            let now = self.script(frame.as_deref()).field_value(local).await;
            done.push_str(&now.ok().and_then(|now| shown(&now)).unwrap_or_default());
        }
        self.report(&done, &effect).await
    }

    /// Whether an element is a frame that the last look entered.
    fn holds_document(&self, found: &Found) -> bool {
        self.look.as_ref().is_some_and(|look| {
            let id = look.page.find(&found.reference.document, found.local);
            id.is_some() && look.page.documents.iter().any(|document| document.owner == id)
        })
    }

    /// Returns the focused element: its frame, its local id, and its words.
    async fn focus_of(&mut self) -> Result<(Option<String>, u32, String)> {
        self.see().await?;
        let mut frame: Option<String> = None;
        loop {
            let active = self.script(frame.as_deref()).focused_element().await?;
            if active.frame {
                if let Some(inner) = self.frame_in(frame.as_deref(), active.id).await? {
                    frame = Some(inner);
                    continue;
                }
                refuse(self.session.unknown_document(), "the focused element")?;
            }
            let token = self.look.as_ref().and_then(|look| {
                let document = look.page.documents.iter().find(|document| document.frame == frame);
                document.map(|document| document.token.clone())
            });
            let words = token.and_then(|token| self.words_of(&token, active.id));
            let words = match (words, active.id) {
                (Some(words), _) => format!(" in {words}"),
                (None, 0) => " with nothing in focus".to_owned(),
                (None, _) => String::new(),
            };
            return Ok((frame, active.id, words));
        }
    }
}

/// Checks the length of a text to be typed.
pub(super) fn check_typed(text: &str) -> Result<()> {
    let (length, limit) = (text.chars().count(), LONGEST_TYPED);
    match length {
        1..=LONGEST_TYPED => Ok(()),
        _ => Err(ActionError::CannotType { length, limit }.into()),
    }
}

/// Returns a key chord in words: `Control+A`.
fn key_words(chord: &KeyChord) -> String {
    let held = [
        (chord.control, "Control"),
        (chord.alt, "Alt"),
        (chord.shift, "Shift"),
        (chord.meta, "Meta"),
    ];
    let mut words: Vec<&str> =
        held.iter().filter(|(held, _)| *held).map(|(_, word)| *word).collect();
    words.push(&chord.key);
    words.join("+")
}
