//! Compares texts that a project wants to stay equal.

use serde_json::json;

use super::change::{Change, ChangeDraft, ChangeType, Severity};
use super::collector::Collector;
use super::comparer::{Comparable, Context, KeyOf};
use super::entry::{Entry, Located, Subject, placed_in};
use super::matching::key;
use crate::fingerprint::{EntryKind, ExactText, Structure};

impl Entry for ExactText {
    placed_in!("exact");

    fn subject(&self) -> Subject {
        let selector = self.target.strip_prefix("css=").unwrap_or_default();
        Subject::new("text", self.text.as_deref().unwrap_or_default(), selector)
    }

    fn label(&self) -> String {
        match self.label.as_str() {
            "" => self.target.clone(),
            label => format!("{} of '{label}'", self.target),
        }
    }

    /// The description is a sentence for people.
    fn called(&self) -> Option<String> {
        None
    }
}

impl Comparable for ExactText {
    const SORT: EntryKind = EntryKind::Exact;
    const KEYS: &'static [KeyOf<ExactText>] = &[
        |side, exact| {
            let (region, text) = (side.region(exact.place), exact.text.as_deref());
            Some(key(&[&exact.target, region, &exact.label, text?]))
        },
        |side, exact| Some(key(&[&exact.target, side.region(exact.place), &exact.label])),
        |_, exact| Some(key(&[&exact.target, &exact.label])),
        |_, exact| Some(key(&[&exact.target, "", exact.text.as_deref()?])),
        |_, exact| Some(key(&[&exact.target])),
    ];
    const NEIGHBOUR_KEY: KeyOf<ExactText> = |_, exact| Some(key(&[&exact.target]));

    fn entries(structure: &Structure) -> &[ExactText] {
        &structure.exact
    }

    fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    fn counts(&self) -> bool {
        self.text.is_some()
    }

    /// A target that the new page was not asked for is not compared.
    fn is_missed(&self, found: &Collector<'_>) -> bool {
        found.exact_targets.contains(self.target.as_str())
    }

    fn missing<'f>(old: Located<'f, ExactText>, _: &Context<'_, 'f>) -> ChangeDraft<'f> {
        Change::missing(ChangeType::TextChanged, old)
            .severity(Severity::Error)
            .values(json!({"text": old.text}), json!({"text": null}))
            .describe(format!("{}: '{}' is missing", old.label(), old.text()))
    }

    fn changed<'f>(
        old: Located<'f, ExactText>,
        new: Located<'f, ExactText>,
        context: &Context<'_, 'f>,
    ) -> Option<ChangeDraft<'f>> {
        let Some(text) = &new.text else { return Some(ExactText::missing(old, context)) };
        if old.text() == text {
            return None;
        }
        let description = format!("{}: '{}' is now '{text}'", old.label(), old.text());
        let draft = Change::changed(ChangeType::TextChanged, old, new, description);
        Some(
            draft
                .severity(Severity::Error)
                .values(json!({"text": old.text}), json!({"text": new.text})),
        )
    }

    fn added(_: Located<'_, ExactText>) -> Option<ChangeDraft<'_>> {
        None
    }
}
