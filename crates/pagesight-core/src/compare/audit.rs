//! Compares the violations of accessibility rules: only new ones are changes, each of them an
//! error, because the project chose the level.

use serde_json::json;

use super::change::{Change, ChangeDraft, ChangeType, Severity};
use super::collector::Collector;
use super::comparer::{Comparable, Context, KeyOf};
use super::entry::{Entry, Located, Subject, placed_in};
use super::matching::key;
use crate::fingerprint::{EntryKind, Structure, Violation, normalize};

impl Entry for Violation {
    placed_in!("audit");

    fn subject(&self) -> Subject {
        Subject::new(&self.rule, &self.element, "")
    }

    fn label(&self) -> String {
        format!("{}: {}", self.rule, self.element)
    }

    /// The description is a sentence for people.
    fn called(&self) -> Option<String> {
        None
    }
}

impl Comparable for Violation {
    const SORT: EntryKind = EntryKind::Audit;
    const KEYS: &'static [KeyOf<Violation>] = &[
        |side, found| {
            Some(key(&[&found.rule, &normalize(&found.element), side.region(found.place)]))
        },
        |_, found| Some(key(&[&found.rule, &normalize(&found.element)])),
    ];
    // An element with a different name breaks the same rule as before.
    const NEIGHBOUR_KEY: KeyOf<Violation> =
        |side, found| Some(key(&[&found.rule, side.region(found.place)]));

    fn entries(structure: &Structure) -> &[Violation] {
        structure.audit.as_ref().map_or(&[], |audit| &audit.violations)
    }

    fn text(&self) -> &str {
        &self.element
    }

    fn counts(&self) -> bool {
        true
    }

    /// It was repaired.
    fn is_missed(&self, _: &Collector<'_>) -> bool {
        false
    }

    fn missing<'f>(old: Located<'f, Violation>, _: &Context<'_, 'f>) -> ChangeDraft<'f> {
        Change::missing(ChangeType::AuditViolation, old)
    }

    fn changed<'f>(
        _: Located<'f, Violation>,
        _: Located<'f, Violation>,
        _: &Context<'_, 'f>,
    ) -> Option<ChangeDraft<'f>> {
        None
    }

    fn added(new: Located<'_, Violation>) -> Option<ChangeDraft<'_>> {
        let fix = match new.fix.as_str() {
            "" => String::new(),
            fix => format!("; {fix}"),
        };
        let words = format!("{} ({}): {}{fix}", new.help, new.rule, new.element);
        let value = json!({"rule": new.rule, "level": new.level, "fix": new.fix});
        let draft = Change::added(ChangeType::AuditViolation, new).severity(Severity::Error);
        Some(draft.describe(words).values(json!(null), value))
    }
}
