//! Compares lists by what they hold, never by their position among other lists.

use serde_json::json;

use super::change::{Change, ChangeDraft, ChangeType, Severity};
use super::comparer::{Comparable, Context, KeyOf};
use super::entry::{Entry, Located, Subject, hidden_by, placed_in};
use super::matching::key;
use crate::fingerprint::{EntryKind, List, Structure};

/// Whether the selector of a list is only its tag and so says nothing.
fn is_bare(list: &List) -> bool {
    list.selector == list.kind
}

impl Entry for List {
    placed_in!("lists");

    fn subject(&self) -> Subject {
        Subject::new("list", if is_bare(self) { &self.name } else { "" }, &self.selector)
    }

    fn label(&self) -> String {
        let named = is_bare(self) && !self.name.is_empty();
        format!("List '{}'", if named { &self.name } else { &self.selector })
    }

    fn called(&self) -> Option<String> {
        Some(match self.name.as_str() {
            "" if is_bare(self) => String::new(),
            "" => self.selector.clone(),
            name => format!("'{name}'"),
        })
    }
}

impl Comparable for List {
    const SORT: EntryKind = EntryKind::List;
    const KEYS: &'static [KeyOf<List>] = &[
        |side, list| {
            let (items, order) = (list.items.to_string(), list.order.to_string());
            let region = side.region(list.place);
            Some(key(&[region, &list.kind, &list.selector, &list.name, &items, &order]))
        },
        |side, list| {
            let (items, set) = (list.items.to_string(), list.set.to_string());
            (list.items > 0).then(|| key(&[side.region(list.place), &list.kind, &items, &set]))
        },
        |side, list| Some(key(&[side.region(list.place), &list.kind, &list.selector, &list.name])),
        |side, list| {
            (!is_bare(list)).then(|| key(&[side.region(list.place), &list.kind, &list.selector]))
        },
        |side, list| {
            (!list.name.is_empty()).then(|| key(&[side.region(list.place), &list.kind, &list.name]))
        },
        |_, list| {
            let (items, set) = (list.items.to_string(), list.set.to_string());
            (list.items > 0).then(|| key(&[&list.kind, &items, &set]))
        },
    ];
    const NEIGHBOUR_KEY: KeyOf<List> =
        |side, list| Some(key(&[&list.kind, side.region(list.place)]));

    fn entries(structure: &Structure) -> &[List] {
        &structure.lists
    }

    fn text(&self) -> &str {
        &self.selector
    }

    fn counts(&self) -> bool {
        self.items > 0 && self.sight.is_shown()
    }

    fn missing<'f>(old: Located<'f, List>, context: &Context<'_, 'f>) -> ChangeDraft<'f> {
        let (kind, how) = if context.became_empty(old.place) {
            (ChangeType::ListEmpty, "is now empty")
        } else {
            (ChangeType::ElementMissing, "is no longer there")
        };
        Change::missing(kind, old)
            .severity(if old.pending { Severity::Info } else { Severity::Warning })
            .values(json!({"items": old.items}), json!({"items": 0}))
            .describe(format!("{} {how} (was {} items)", old.label(), old.items))
    }

    fn changed<'f>(
        old: Located<'f, List>,
        new: Located<'f, List>,
        context: &Context<'_, 'f>,
    ) -> Option<ChangeDraft<'f>> {
        let changed =
            |kind, how: String| Change::changed(kind, old, new, format!("{} {how}", old.label()));
        let counted = |kind, how: String| {
            changed(kind, how)
                .values(json!({"items": old.items}), json!({"items": new.items}))
                .facts(|facts| facts.entries((&old.texts, old.items), (&new.texts, new.items)))
        };
        let (was, now) = (old.items, new.items);
        // A list without items has no size and so is clipped.
        if let Some(why) = hidden_by(&new.sight).filter(|why| *why != "clipped") {
            let hidden = changed(ChangeType::ElementHidden, format!("is hidden ({why})"));
            return Some(hidden.severity(Severity::Warning).facts(|facts| {
                (facts.called, facts.sight) = (old.called(), new.sight.clone());
            }));
        }
        let (change, severity) = if now == 0 {
            let how = format!("is now empty (was {was} items)");
            (counted(ChangeType::ListEmpty, how), Severity::Warning)
        } else if now != was {
            // An item that is missing together with its link or button is reported by the link or
            // button.
            let index = old.at.map_or(0, |at| at.index as u32);
            let reported = context.found.missing_from_list.get(&index).copied().unwrap_or(0);
            let lost = now + reported < was;
            let how = format!("has {now} items (was {was})");
            let severity = if lost { Severity::Warning } else { Severity::Info };
            (counted(ChangeType::ListChanged, how), severity)
        } else if new.set != old.set {
            let change = changed(ChangeType::ListChanged, "holds other items".to_owned());
            let entries = change
                .facts(|facts| facts.entries((&old.texts, old.items), (&new.texts, new.items)));
            (entries, Severity::Info)
        } else if new.order != old.order {
            let how = "has its items in a different order".to_owned();
            (changed(ChangeType::ElementMoved, how), Severity::Info)
        } else {
            return None;
        };
        // Items may have no size until their images load.
        let pending = old.pending || new.pending;
        Some(change.severity(if pending { Severity::Info } else { severity }))
    }

    fn added(new: Located<'_, List>) -> Option<ChangeDraft<'_>> {
        let description = || format!("List '{}' is new ({} items)", new.selector, new.items);
        new.counts().then(|| Change::added(ChangeType::ElementAdded, new).describe(description()))
    }
}
