//! Compares prices and other numbers with a unit: by what they belong to.

use serde_json::json;

use super::change::{Change, ChangeDraft, ChangeType, Severity};
use super::collector::Collector;
use super::comparer::{Comparable, Context, KeyOf};
use super::entry::{Entry, Located, Subject, placed_in};
use super::matching::key;
use crate::fingerprint::{EntryKind, Structure, UnitNumber};

impl Entry for UnitNumber {
    placed_in!("numbers");

    fn subject(&self) -> Subject {
        Subject::new("number", &self.label, "")
    }

    fn label(&self) -> String {
        match self.label.as_str() {
            "" => format!("Number '{}'", self.text),
            label => format!("Number '{}' of '{label}'", self.text),
        }
    }

    /// The description is a sentence for people.
    fn called(&self) -> Option<String> {
        None
    }
}

impl Comparable for UnitNumber {
    const SORT: EntryKind = EntryKind::Number;
    const KEYS: &'static [KeyOf<UnitNumber>] = &[
        |side, number| Some(key(&[side.region(number.place), &number.label, &number.text])),
        |side, number| Some(key(&[side.region(number.place), &number.label])),
        |_, number| (!number.label.is_empty()).then(|| key(&[&number.label])),
    ];
    const NEIGHBOUR_KEY: KeyOf<UnitNumber> =
        |side, number| number.label.is_empty().then(|| key(&[side.region(number.place)]));

    fn entries(structure: &Structure) -> &[UnitNumber] {
        structure.numbers.as_deref().unwrap_or_default()
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn counts(&self) -> bool {
        true
    }

    /// Without a label, nothing says what is missing.
    fn is_missed(&self, _: &Collector<'_>) -> bool {
        !self.label.is_empty()
    }

    fn missing<'f>(old: Located<'f, UnitNumber>, _: &Context<'_, 'f>) -> ChangeDraft<'f> {
        Change::missing(ChangeType::NumberChanged, old)
            .severity(Severity::Info)
            .values(json!({"text": old.text}), json!({"text": null}))
    }

    fn changed<'f>(
        old: Located<'f, UnitNumber>,
        new: Located<'f, UnitNumber>,
        _: &Context<'_, 'f>,
    ) -> Option<ChangeDraft<'f>> {
        if old.text == new.text {
            return None;
        }
        let description = match new.label.as_str() {
            "" => format!("'{}' is now '{}'", old.text, new.text),
            label => format!("'{label}': '{}' is now '{}'", old.text, new.text),
        };
        let draft = Change::changed(ChangeType::NumberChanged, old, new, description);
        Some(draft.values(json!({"text": old.text}), json!({"text": new.text})))
    }

    fn added(_: Located<'_, UnitNumber>) -> Option<ChangeDraft<'_>> {
        None
    }
}
