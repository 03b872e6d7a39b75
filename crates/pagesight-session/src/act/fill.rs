//! Fills a field: focuses it, checks that it keeps the focus, replaces its value, and reports the
//! value that it has then. A slider is set to one step beside the value, and a real arrow key
//! completes it. Dates, times and colours have no such last step; they are set as a script would
//! set them.

use pagesight_browser::{Gesture, KeyChord};
use pagesight_core::text::decimal::same_number;
use pagesight_core::text::escape;

use super::actor::{Actor, Found};
use super::error::ActionError;
use crate::error::Result;
use crate::page_script::{FieldKind, FieldValue, Handling};
use crate::secrets::SecretText;
use crate::wait::settle::{Checkpoint, SettleOutcome};

/// The longest text that `fill` takes, in characters.
const LONGEST_TEXT: usize = 1_000_000;

/// Appended to the line of a field that has a different value than the given one.
const NOT_GIVEN: &str = " — not what was given";

/// Returns ` = "value"`; none for an element without a value.
pub(super) fn shown(field: &FieldValue) -> Option<String> {
    match field.length {
        Some(0) => Some(" = \"\"".to_owned()),
        Some(_) => Some(" = \"•••\"".to_owned()),
        None => field.value.as_ref().map(|value| format!(" = {}", escape::value(value, 200))),
    }
}

/// A text that was typed, as it may be shown.
struct TypedText {
    shown: String,
    /// Its length in characters and in UTF-16 units, which fields count.
    length: usize,
    units: usize,
    /// It contains a secret, so its length is not reported.
    secret: bool,
}

impl Actor<'_> {
    pub(super) async fn fill(&mut self, element: &str, text: &str) -> Result<String> {
        let found = self.find(element).await?;
        let frame = found.path.frame.as_deref();
        let secret = self.session.options.secrets.expand(text);
        if let Some(secret) = &secret {
            self.admit(frame, &found.words, secret).await?;
        }
        self.prepare(&found, Handling::Fill).await?;
        self.look = None;
        let checkpoint = Checkpoint::now(self.tab, &self.session.shared);
        let focused = self.script(frame).focus(found.local).await?;
        if !focused.ok {
            let target = found.words;
            return Err(match focused.reason.as_str() {
                "readonly" => ActionError::ReadOnly { target },
                "disabled" => ActionError::Disabled { target },
                "gone" => ActionError::Gone { target },
                "focus moved" => ActionError::FocusMoved { target },
                "takes arrow keys" => ActionError::TakesArrowKeys { target },
                _ => ActionError::NotAField { target },
            }
            .into());
        }
        if let Some(secret) = &secret {
            self.fill_secret(&found, focused.kind, secret).await?;
        } else if focused.kind == FieldKind::Direct {
            let beside = self.script(frame).set_beside(found.local, text).await?;
            // If the focus is elsewhere, the key must not go there; the value is set below.
            let still = self.script(frame).still_focused(found.local).await?;
            if beside.ok && still {
                self.tab.gesture(&Gesture::press_in(frame, plain(&beside.key))).await?;
            }
            if !self.script(frame).set_value(found.local, text).await? {
                let (target, value) = (found.words, short(&self.shown_text(text)));
                return Err(ActionError::ValueRefused { target, value }.into());
            }
        } else {
            let lost = || Err(ActionError::FocusLost { target: found.words.clone() }.into());
            // The page may move the focus at any time, and text must not go to a different element.
            if !self.script(frame).begin_typing(found.local).await? {
                return lost();
            }
            self.expect_suggestions(frame).await?;
            if matches!(focused.kind, FieldKind::Editor | FieldKind::Editable) {
                self.tab.gesture(&Gesture::press_in(frame, KeyChord::select_all())).await?;
            }
            self.type_over(frame, text).await?;
            // If the page navigated or opened a dialog, it cannot answer; the outcome reports that.
            if self.script(frame).end_typing().await.is_ok_and(|landed| !landed) {
                return lost();
            }
        }
        let mut outcome = self.settle_field(&checkpoint, frame).await?;
        let typed = self.typed_text(text, secret.as_ref());
        let lines = text.contains('\n') && secret.is_none();
        if focused.kind == FieldKind::Editor && lines && outcome.stayed() {
            let now = self.script(frame).field_value(found.local).await?;
            if value_report(&found, &typed, &now).is_ok_and(|report| report.ends_with(NOT_GIVEN)) {
                // The editor indents typed text, but takes pasted text as it is.
                self.tab.gesture(&Gesture::press_in(frame, KeyChord::select_all())).await?;
                self.script(frame).paste(found.local, text).await?;
                outcome = self.settle(&checkpoint).await?;
            }
        }
        let mut done = format!("filled {}", found.words);
        // The field still exists if only the URL changed.
        let there = matches!(outcome, SettleOutcome::Stayed(_) | SettleOutcome::Navigated(_))
            && self.tab.state.now().committed == checkpoint.committed;
        if there {
            let now = self.script(frame).field_value(found.local).await?;
            done.push_str(&value_report(&found, &typed, &now)?);
        }
        // That the page shows the value is expected, so nothing is compared.
        self.report_outcome(&done, &outcome, &checkpoint, None, false).await
    }

    /// Returns a given text without values that must not leave.
    fn shown_text(&self, text: &str) -> String {
        self.session.hidden_values().hide(text.to_owned())
    }

    fn typed_text(&self, given: &str, secret: Option<&SecretText>) -> TypedText {
        let text = secret.map_or(given, |secret| &secret.text);
        TypedText {
            shown: self.shown_text(text),
            length: text.chars().count(),
            units: text.encode_utf16().count(),
            secret: secret.is_some(),
        }
    }

    /// Types over the selection.
    async fn type_over(&self, frame: Option<&str>, text: &str) -> Result<()> {
        let gesture = match text {
            "" => Gesture::press_in(frame, plain("Delete")),
            text => Gesture::InsertText { text: text.to_owned(), frame: frame.map(str::to_owned) },
        };
        Ok(self.tab.gesture(&gesture).await?)
    }
}

/// Checks the length of a text for a field.
pub(super) fn check_filled(text: &str) -> Result<()> {
    let (length, limit) = (text.chars().count(), LONGEST_TEXT);
    if length > limit { Err(ActionError::TextTooLong { length, limit }.into()) } else { Ok(()) }
}

/// Returns a key without modifiers.
pub(super) fn plain(key: &str) -> KeyChord {
    KeyChord { key: key.to_owned(), control: false, shift: false, alt: false, meta: false }
}

/// Returns ` = "value"` as the field has it now, or an error if no text arrived.
fn value_report(found: &Found, typed: &TypedText, now: &FieldValue) -> Result<String> {
    let wanted = typed.shown.as_str();
    let shown = |text: &str| escape::value(text, 200);
    let empty = |value: &str| {
        let (target, value) = (found.words.clone(), value.to_owned());
        ActionError::StayedEmpty { target, value }.into()
    };
    if let Some(length) = now.length {
        return match (length, typed.length) {
            (0, 1..) => Err(empty("this text")),
            (arrived, given) if arrived == given || arrived == typed.units => {
                Ok(" = \"•••\"".to_owned())
            }
            _ if typed.secret => Ok(format!(" = \"•••\"{NOT_GIVEN}")),
            (arrived, given) => Ok(format!(" = \"•••\" — {arrived} characters arrived of {given}")),
        };
    }
    let Some(value) = &now.value else { return Ok(String::new()) };
    let flat = |text: &str| text.replace("\r\n", "\n").trim_end_matches('\n').to_lowercase();
    // A long value is cut before it gets here, so only its beginning and its length are compared.
    let whole = now.chars.is_none_or(|chars| chars == value.chars().count());
    if now.loose {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (shown_words, wanted_words) = (words(value.trim_end_matches('…')), words(wanted));
        return match (
            wanted_words.contains(&shown_words),
            shown_words.is_empty(),
            wanted_words.is_empty(),
        ) {
            (_, true, false) => Err(empty(&shown(wanted))),
            (true, ..) => Ok(format!(" = {}", shown(value.trim_end()))),
            (false, ..) => Ok(format!(" = {}{NOT_GIVEN}", shown(value.trim_end()))),
        };
    }
    let same = if whole {
        flat(value) == flat(wanted) || same_number(value, wanted)
    } else {
        now.chars == Some(typed.length)
    };
    match (same, value.is_empty()) {
        (true, _) => Ok(format!(" = {}", shown(value))),
        (false, true) => Err(empty(&shown(wanted))),
        (false, false) => Ok(format!(" = {}{NOT_GIVEN}", shown(value))),
    }
}

fn short(text: &str) -> String {
    text.chars().take(60).collect()
}
