//! One change between two fingerprints, and the builder that makes it. A new type of change is one
//! row of the table below and one builder call in a comparer.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::entry::{Entry, Located, Subject};
use super::facts::Facts;
use crate::fingerprint::{EntryId, Structure};

/// How severe a change is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    #[default]
    Info,
    /// Worth a look.
    Warning,
    /// Something that worked before does not work any more.
    Error,
}

impl Severity {
    /// Returns the word that callers use.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

macro_rules! change_types {
    ($($variant:ident $text:literal $removes:literal,)*) => {
        /// The type of a change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum ChangeType {
            $(#[doc = concat!("`", $text, "`")] #[serde(rename = $text)] $variant,)*
        }

        impl ChangeType {
            /// All types.
            pub const ALL: &'static [ChangeType] = &[$(ChangeType::$variant),*];

            /// Returns the word that callers use.
            pub fn as_str(self) -> &'static str {
                match self { $(ChangeType::$variant => $text,)* }
            }

            /// Whether this type means that something is no longer there.
            pub(super) fn removes(self) -> bool {
                match self { $(ChangeType::$variant => $removes,)* }
            }
        }
    };
}

// The name, the word that callers use, and whether the type means that something is no longer
// there.
change_types! {
    LandmarkMissing "landmark_missing" true,
    LandmarkAdded "landmark_added" false,
    ElementMissing "element_missing" true,
    ElementAdded "element_added" false,
    ElementRenamed "element_renamed" false,
    ElementDisabled "element_disabled" false,
    ElementEnabled "element_enabled" false,
    ElementHidden "element_hidden" false,
    ElementCovered "element_covered" false,
    ElementMoved "element_moved" false,
    LinkChanged "link_changed" false,
    FieldMissing "field_missing" true,
    FieldAdded "field_added" false,
    HeadingMissing "heading_missing" true,
    HeadingChanged "heading_changed" false,
    ListEmpty "list_empty" true,
    ListChanged "list_changed" true,
    TableEmpty "table_empty" true,
    TableChanged "table_changed" true,
    ImageBroken "image_broken" false,
    ErrorAppeared "error_appeared" false,
    ErrorResolved "error_resolved" false,
    LoadingStuck "loading_stuck" false,
    ModalOpened "modal_opened" false,
    ModalClosed "modal_closed" false,
    NotificationAppeared "notification_appeared" false,
    EmptyStateAppeared "empty_state_appeared" false,
    RouteChanged "route_changed" false,
    TitleChanged "title_changed" false,
    TextChanged "text_changed" false,
    NumberChanged "number_changed" false,
    FieldChanged "field_changed" false,
    LayoutChanged "layout_changed" false,
    StyleChanged "style_changed" false,
    PictureChanged "picture_changed" false,
    AuditViolation "audit_violation" false,
    ConsoleError "console_error" false,
    RequestFailed "request_failed" false,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ChangeType,
    /// The severity.
    pub severity: Severity,
    /// The element that it is about; none for a change of the whole page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<Subject>,
    /// The regions around the element: `main > section:Projects`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub location: String,
    /// The value before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Value>,
    /// The value now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Value>,
    /// The change as a sentence for programs. People read [`Change::sentence`].
    pub description: String,
    /// Facts for the sentences that people read.
    #[serde(default, skip_serializing_if = "Facts::is_empty")]
    pub facts: Facts,
    /// The entry of the old fingerprint that it is about, if there is one.
    #[serde(skip)]
    pub was_at: Option<EntryId>,
    /// The entry of the new fingerprint that it is about, if there is one.
    #[serde(skip)]
    pub now_at: Option<EntryId>,
}

impl Change {
    /// Makes a change for an entry of the old page without a counterpart: a warning, unless the
    /// caller says otherwise.
    pub(super) fn missing<T: Entry>(kind: ChangeType, old: Located<'_, T>) -> ChangeDraft<'_> {
        let description = format!("{} is no longer there", old.label());
        let mut draft = ChangeDraft::about(kind, Severity::Warning, old, description);
        draft.change.was_at = old.at;
        draft
    }

    /// Makes a change for an entry of the new page without a counterpart: for information, unless
    /// the caller says otherwise.
    pub(super) fn added<T: Entry>(kind: ChangeType, new: Located<'_, T>) -> ChangeDraft<'_> {
        let description = format!("{} is new", new.label());
        let mut draft = ChangeDraft::about(kind, Severity::Info, new, description);
        draft.change.now_at = new.at;
        draft
    }

    /// Makes a change for an entry that differs from its counterpart: for information, unless the
    /// caller says otherwise. The change is about the new entry, and is ignored if either of them
    /// is.
    pub(super) fn changed<'f, T: Entry>(
        kind: ChangeType,
        old: Located<'f, T>,
        new: Located<'f, T>,
        description: String,
    ) -> ChangeDraft<'f> {
        let mut draft = ChangeDraft::about(kind, Severity::Info, new, description);
        draft.ignored |= old.is_ignored();
        (draft.change.was_at, draft.change.now_at) = (old.at, new.at);
        draft
    }

    /// Returns the change as JSON without the facts for sentences.
    pub fn for_programs(&self) -> Value {
        json!(Change { facts: Facts::default(), ..self.clone() })
    }

    /// Makes a change of the page as a whole without values.
    pub(super) fn of_page(kind: ChangeType, description: String) -> ChangeDraft<'static> {
        ChangeDraft::new(kind, Severity::Info, description)
    }

    /// Makes a change of the page as a whole.
    pub(super) fn page(
        kind: ChangeType,
        was: &str,
        now: &str,
        description: String,
    ) -> ChangeDraft<'static> {
        ChangeDraft::new(kind, Severity::Info, description).values(was.into(), now.into())
    }
}

/// A change that is not reported yet.
pub(super) struct ChangeDraft<'f> {
    pub(super) change: Change,
    /// Where it is: a place of the new page, or of the old page for something missing.
    pub(super) place: Option<(&'f Structure, u32)>,
    /// The part of the fingerprint that it touches.
    pub(super) part: Option<&'static str>,
    /// A selector rule excludes it.
    pub(super) ignored: bool,
}

impl<'f> ChangeDraft<'f> {
    fn about<T: Entry>(
        kind: ChangeType,
        severity: Severity,
        entry: Located<'f, T>,
        description: String,
    ) -> ChangeDraft<'f> {
        let draft = ChangeDraft {
            place: Some((entry.structure, entry.place())),
            part: Some(entry.part()),
            ignored: entry.is_ignored(),
            ..ChangeDraft::new(kind, severity, description).subject(entry.subject())
        };
        draft.facts(|facts| facts.called = entry.called())
    }

    fn new(kind: ChangeType, severity: Severity, description: String) -> ChangeDraft<'f> {
        let change = Change {
            kind,
            severity,
            element: None,
            location: String::new(),
            was: None,
            now: None,
            description,
            facts: Facts::default(),
            was_at: None,
            now_at: None,
        };
        ChangeDraft { change, place: None, part: None, ignored: false }
    }

    pub(super) fn severity(mut self, severity: Severity) -> Self {
        self.change.severity = severity;
        self
    }

    pub(super) fn describe(mut self, description: String) -> Self {
        self.change.description = description;
        self
    }

    /// Sets facts for the sentences that people read.
    pub(super) fn facts(mut self, set: impl FnOnce(&mut Facts)) -> Self {
        set(&mut self.change.facts);
        self
    }

    /// Sets the values before and now.
    pub(super) fn values(mut self, was: Value, now: Value) -> Self {
        (self.change.was, self.change.now) = (Some(was), Some(now));
        self
    }

    /// Sets a different subject.
    pub(super) fn subject(mut self, subject: Subject) -> Self {
        self.change.element = Some(subject);
        self
    }

    /// Sets whether a selector rule excludes it.
    pub(super) fn ignored(mut self, ignored: bool) -> Self {
        self.ignored = ignored;
        self
    }
}
