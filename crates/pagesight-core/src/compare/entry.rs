//! The entries of a fingerprint that a change can be about.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::fingerprint::{EntryId, EntryKind, Sight, Structure};

/// The element that a change is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Subject {
    /// `button`, `heading`, `list`, …
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its name or text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A selector for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
}

impl Subject {
    /// Makes a subject; empty parts are left out.
    pub(super) fn new(kind: &str, text: &str, selector: &str) -> Subject {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Subject { kind: some(kind), text: some(text), selector: some(selector) }
    }
}

/// An entry of a fingerprint.
pub(super) trait Entry {
    /// Returns the part of the fingerprint that it belongs to: `headings`, `lists`, …
    fn part(&self) -> &'static str;

    /// Returns the entry as changes name it.
    fn subject(&self) -> Subject;

    /// Returns the beginning of a sentence about it: `Heading 'Team'`.
    fn label(&self) -> String;

    /// Returns what follows its word in a sentence for people: `'Team'`. None if such a sentence
    /// is the description.
    fn called(&self) -> Option<String>;

    /// Returns the region around it.
    fn place(&self) -> u32;

    /// Whether a selector rule excludes it.
    fn is_ignored(&self) -> bool;
}

/// Implements the part of [`Entry`] that is the same for all entries with a region.
macro_rules! placed_in {
    ($part:literal) => {
        placed_in!(self, $part);
    };
    ($self:ident, $part:expr) => {
        fn part(&$self) -> &'static str {
            $part
        }

        fn place(&self) -> u32 {
            self.place
        }

        fn is_ignored(&self) -> bool {
            self.ignored
        }
    };
}
pub(super) use placed_in;

/// An entry and the fingerprint that it belongs to.
pub(super) struct Located<'f, T> {
    pub(super) structure: &'f Structure,
    /// Which entry it is; none for an entry without a box on the page.
    pub(super) at: Option<EntryId>,
    pub(super) entry: &'f T,
}

impl<'f, T> Located<'f, T> {
    /// Names the entry at an index of a list.
    pub(super) fn new(
        structure: &'f Structure,
        sort: EntryKind,
        list: &'f [T],
        index: usize,
    ) -> Self {
        Located { structure, at: Some(EntryId::new(sort, index)), entry: &list[index] }
    }
}

impl<T> Clone for Located<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Located<'_, T> {}

impl<T> Deref for Located<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.entry
    }
}

/// Returns why an entry is hidden by style, if it is.
pub(super) fn hidden_by(sight: &Sight) -> Option<&str> {
    match sight {
        Sight::Hidden(why) => Some(why),
        _ => None,
    }
}
