//! Compares headings.

use serde_json::json;

use super::change::{Change, ChangeDraft, ChangeType, Severity};
use super::comparer::{Comparable, Context, KeyOf};
use super::entry::{Entry, Located, Subject, hidden_by, placed_in};
use super::matching::key;
use crate::fingerprint::{EntryKind, Heading, Structure, normalize};

impl Entry for Heading {
    placed_in!("headings");

    fn subject(&self) -> Subject {
        Subject::new("heading", &self.text, "")
    }

    fn label(&self) -> String {
        format!("Heading '{}'", self.text)
    }

    fn called(&self) -> Option<String> {
        Some(format!("'{}'", self.text))
    }
}

impl Comparable for Heading {
    const SORT: EntryKind = EntryKind::Heading;
    const KEYS: &'static [KeyOf<Heading>] = &[
        |side, heading| {
            let hidden = if heading.sight.is_hidden() { "hidden" } else { "" };
            let level = heading.level.to_string();
            Some(key(&[&heading.text, &level, side.region(heading.place), hidden]))
        },
        |side, heading| Some(key(&[&heading.text, side.region(heading.place)])),
        |_, heading| Some(key(&[&normalize(&heading.text), &heading.level.to_string()])),
    ];
    const NEIGHBOUR_KEY: KeyOf<Heading> = |side, heading| {
        (!heading.sight.is_hidden())
            .then(|| key(&[&heading.level.to_string(), side.region(heading.place)]))
    };

    fn entries(structure: &Structure) -> &[Heading] {
        &structure.headings
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn counts(&self) -> bool {
        !self.sight.is_hidden()
    }

    fn missing<'f>(old: Located<'f, Heading>, _: &Context<'_, 'f>) -> ChangeDraft<'f> {
        let severity = if old.level == 1 { Severity::Error } else { Severity::Warning };
        Change::missing(ChangeType::HeadingMissing, old).severity(severity)
    }

    fn changed<'f>(
        old: Located<'f, Heading>,
        new: Located<'f, Heading>,
        _: &Context<'_, 'f>,
    ) -> Option<ChangeDraft<'f>> {
        if let Some(why) = hidden_by(&new.sight) {
            let description = format!("{} is hidden ({why})", old.label());
            let change = Change::changed(ChangeType::ElementHidden, old, new, description);
            return Some(change.severity(Severity::Warning).subject(old.subject()).facts(
                |facts| {
                    (facts.called, facts.sight) = (old.called(), new.sight.clone());
                },
            ));
        }
        if (&old.text, old.level) == (&new.text, new.level) {
            return None;
        }
        let description = if old.text == new.text {
            format!("{} is of level {} now (was {})", new.label(), new.level, old.level)
        } else {
            format!("{} is now '{}'", old.label(), new.text)
        };
        let same = normalize(&old.text) == normalize(&new.text);
        let side = |heading: &Heading| json!({"level": heading.level, "text": heading.text});
        Some(
            Change::changed(ChangeType::HeadingChanged, old, new, description)
                .severity(if same { Severity::Info } else { Severity::Warning })
                .values(side(&old), side(&new)),
        )
    }

    fn added(new: Located<'_, Heading>) -> Option<ChangeDraft<'_>> {
        (!new.sight.is_hidden()).then(|| Change::added(ChangeType::ElementAdded, new))
    }
}
