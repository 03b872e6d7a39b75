//! Compares plain texts, which only detailed fingerprints have.

use serde_json::json;

use super::change::{Change, ChangeDraft, ChangeType, Severity};
use super::comparer::{Comparable, Context, KeyOf};
use super::entry::{Entry, Located, Subject, placed_in};
use super::matching::key;
use crate::fingerprint::{EntryKind, PlainText, Structure, means_an_error, normalize};

impl Entry for PlainText {
    placed_in!("texts");

    fn subject(&self) -> Subject {
        Subject::new("text", &self.text, "")
    }

    fn label(&self) -> String {
        format!("Text '{}'", self.text)
    }

    fn called(&self) -> Option<String> {
        Some(format!("'{}'", self.text))
    }
}

impl Comparable for PlainText {
    const SORT: EntryKind = EntryKind::Text;
    const KEYS: &'static [KeyOf<PlainText>] = &[
        |side, text| Some(key(&[&normalize(&text.text), side.region(text.place)])),
        |_, text| Some(key(&[&normalize(&text.text)])),
    ];
    const NEIGHBOUR_KEY: KeyOf<PlainText> = |side, text| Some(key(&[side.region(text.place)]));

    fn entries(structure: &Structure) -> &[PlainText] {
        &structure.texts
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn counts(&self) -> bool {
        true
    }

    fn missing<'f>(old: Located<'f, PlainText>, _: &Context<'_, 'f>) -> ChangeDraft<'f> {
        Change::missing(ChangeType::ElementMissing, old)
    }

    fn changed<'f>(
        old: Located<'f, PlainText>,
        new: Located<'f, PlainText>,
        _: &Context<'_, 'f>,
    ) -> Option<ChangeDraft<'f>> {
        if normalize(&old.text) == normalize(&new.text) {
            return None;
        }
        let became_error = means_an_error(&new.text) && !means_an_error(&old.text);
        let description = format!("{} is now '{}'", old.label(), new.text);
        Some(
            Change::changed(ChangeType::ElementRenamed, old, new, description)
                .severity(if became_error { Severity::Error } else { Severity::Info })
                .values(json!({"text": old.text}), json!({"text": new.text})),
        )
    }

    fn added(new: Located<'_, PlainText>) -> Option<ChangeDraft<'_>> {
        Some(Change::added(ChangeType::ElementAdded, new))
    }
}
