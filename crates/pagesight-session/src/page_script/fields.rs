//! Functions of the page script that fill fields: focus, value, caret.

use pagesight_browser::Result;
use serde::Deserialize;
use serde_json::json;

use super::call::{Function, PageScript};

/// The kind of field that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FieldKind {
    Text,
    /// A field whose value is set directly, such as a date.
    Direct,
    Editor,
    /// An element that can be edited.
    Editable,
    #[default]
    #[serde(other)]
    Other,
}

/// Whether an element took the focus.
#[derive(Deserialize)]
pub(crate) struct Focus {
    pub(crate) ok: bool,
    #[serde(default)]
    pub(crate) kind: FieldKind,
    #[serde(default)]
    pub(crate) reason: String,
}

/// A key that remains to be pressed.
#[derive(Deserialize)]
pub(crate) struct LeftKey {
    pub(crate) ok: bool,
    #[serde(default)]
    pub(crate) key: String,
}

/// The value of a field.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct FieldValue {
    pub(crate) value: Option<String>,
    /// The length of a secret.
    pub(crate) length: Option<usize>,
    /// The length of the whole value; the value itself may be cut.
    pub(crate) chars: Option<usize>,
    /// The value is what an editor shows: white space may differ, and parts that are scrolled away
    /// are missing.
    pub(crate) loose: bool,
}

/// The element that has the focus.
#[derive(Deserialize)]
pub(crate) struct ActiveElement {
    /// The element; 0 for none.
    pub(crate) id: u32,
    /// It is a frame element.
    pub(crate) frame: bool,
}

/// Whether a document takes a secret.
#[derive(Deserialize)]
pub(crate) struct Entered {
    pub(crate) ok: bool,
    /// `origin`, `gone`, `focus` or `refused`.
    #[serde(default)]
    pub(crate) reason: String,
    /// The origin of the document.
    #[serde(default)]
    pub(crate) origin: String,
}

impl PageScript<'_> {
    /// Whether the document has one of these origins.
    pub(crate) async fn admits_secret(&self, origins: &[String]) -> Result<Entered> {
        self.ask(Function::AdmitsSecret, json!([origins])).await
    }

    /// Inserts a secret into a focused field, if the document has one of these origins. Without a
    /// text it only checks both. The field counts as secret from then on.
    pub(crate) async fn enter_secret(
        &self,
        local: u32,
        origins: &[String],
        text: &str,
    ) -> Result<Entered> {
        self.ask(Function::EnterSecret, json!([local, origins, text])).await
    }

    /// Focuses a field and selects its content.
    pub(crate) async fn focus(&self, local: u32) -> Result<Focus> {
        self.ask(Function::Focus, json!([local])).await
    }

    /// Focuses an element, and selects nothing.
    pub(crate) async fn focus_only(&self, local: u32) -> Result<Focus> {
        self.ask(Function::Focus, json!([local, false])).await
    }

    /// Focuses a field, with the caret at its end.
    pub(crate) async fn place_caret(&self, local: u32) -> Result<Focus> {
        self.ask(Function::PlaceCaret, json!([local])).await
    }

    /// Whether an element has the focus.
    pub(crate) async fn still_focused(&self, local: u32) -> Result<bool> {
        self.is_done(Function::StillFocused, json!([local])).await
    }

    /// Whether a field has the focus. From now on the page script observes whether text goes
    /// elsewhere.
    pub(crate) async fn begin_typing(&self, local: u32) -> Result<bool> {
        self.is_done(Function::BeginTyping, json!([local])).await
    }

    /// Whether the text since `begin_typing` went into the field.
    pub(crate) async fn end_typing(&self) -> Result<bool> {
        self.is_done(Function::EndTyping, json!([])).await
    }

    /// Returns the value of a field.
    pub(crate) async fn field_value(&self, local: u32) -> Result<FieldValue> {
        self.ask(Function::FieldValue, json!([local])).await
    }

    /// Sets the value of a field, and returns whether the field accepts it.
    pub(crate) async fn set_value(&self, local: u32, text: &str) -> Result<bool> {
        self.is_done(Function::SetValue, json!([local, text])).await
    }

    /// Sets a slider to one step beside a value, so that a real key press completes it.
    pub(crate) async fn set_beside(&self, local: u32, text: &str) -> Result<LeftKey> {
        self.ask(Function::SetBeside, json!([local, text])).await
    }

    /// Pastes text into an editor.
    pub(crate) async fn paste(&self, local: u32, text: &str) -> Result<bool> {
        self.is_done(Function::Paste, json!([local, text])).await
    }

    /// Returns the element that has the focus.
    pub(crate) async fn focused_element(&self) -> Result<ActiveElement> {
        self.ask(Function::FocusedElement, json!([])).await
    }
}
