//! Compares tables by what they hold, never by their position among other tables.

use serde_json::json;

use super::change::{Change, ChangeDraft, ChangeType, Severity};
use super::comparer::{Comparable, Context, KeyOf};
use super::entry::{Entry, Located, Subject, hidden_by, placed_in};
use super::facts::Facts;
use super::matching::key;
use crate::fingerprint::{EntryKind, Structure, Table, normalize};

impl Entry for Table {
    placed_in!("tables");

    fn subject(&self) -> Subject {
        Subject::new("table", &self.name, &self.selector)
    }

    fn label(&self) -> String {
        format!("Table '{}'", if self.name.is_empty() { &self.selector } else { &self.name })
    }

    fn called(&self) -> Option<String> {
        Some(match (self.name.as_str(), self.selector.as_str()) {
            ("", "table") => String::new(),
            ("", selector) => selector.to_owned(),
            (name, _) => format!("'{name}'"),
        })
    }
}

impl Comparable for Table {
    const SORT: EntryKind = EntryKind::Table;
    const KEYS: &'static [KeyOf<Table>] = &[
        |side, table| {
            let (headers, set) = (table.headers.join("\t"), table.set.to_string());
            Some(key(&[side.region(table.place), &table.selector, &table.name, &headers, &set]))
        },
        |side, table| {
            Some(key(&[side.region(table.place), &table.name, &table.headers.join("\t")]))
        },
        |side, table| {
            (table.selector != "table").then(|| key(&[side.region(table.place), &table.selector]))
        },
        |side, table| {
            (!table.name.is_empty()).then(|| key(&[side.region(table.place), &table.name]))
        },
        |_, table| (!table.headers.is_empty()).then(|| key(&[&table.headers.join("\t")])),
    ];
    const NEIGHBOUR_KEY: KeyOf<Table> = |side, table| Some(key(&[side.region(table.place)]));

    fn entries(structure: &Structure) -> &[Table] {
        &structure.tables
    }

    fn text(&self) -> &str {
        &self.selector
    }

    fn counts(&self) -> bool {
        self.sight.is_shown()
    }

    fn missing<'f>(old: Located<'f, Table>, context: &Context<'_, 'f>) -> ChangeDraft<'f> {
        let (kind, how) = if context.became_empty(old.place) {
            (ChangeType::TableEmpty, "is now empty")
        } else {
            (ChangeType::ElementMissing, "is no longer there")
        };
        Change::missing(kind, old)
            .values(json!({"rows": old.rows, "columns": old.columns}), json!({"rows": 0}))
            .describe(format!("{} {how} (was {} rows)", old.label(), old.rows))
    }

    fn changed<'f>(
        old: Located<'f, Table>,
        new: Located<'f, Table>,
        _: &Context<'_, 'f>,
    ) -> Option<ChangeDraft<'f>> {
        let changed =
            |kind, how: String| Change::changed(kind, old, new, format!("{} {how}", old.label()));
        let size = |table: &Table| json!({"rows": table.rows, "columns": table.columns});
        let columns = |table: &Table| json!({"columns": table.columns, "headers": table.headers});
        let (was, now) = (old.rows, new.rows);
        // A table without rows may have no size and so is clipped.
        if let Some(why) = hidden_by(&new.sight).filter(|why| *why != "clipped") {
            let hidden = changed(ChangeType::ElementHidden, format!("is hidden ({why})"));
            return Some(hidden.severity(Severity::Warning).facts(|facts| {
                (facts.called, facts.sight) = (old.called(), new.sight.clone());
            }));
        }
        let entries =
            |facts: &mut Facts| facts.entries((&old.texts, old.rows), (&new.texts, new.rows));
        Some(if now == 0 && was > 0 {
            changed(ChangeType::TableEmpty, format!("is now empty (was {was} rows)"))
                .severity(Severity::Warning)
                .values(size(&old), size(&new))
        } else if headers(&old) != headers(&new) || old.columns != new.columns {
            changed(ChangeType::TableChanged, "has other columns".to_owned())
                .severity(Severity::Warning)
                .values(columns(&old), columns(&new))
        } else if now != was {
            changed(ChangeType::TableChanged, format!("has {now} rows (was {was})"))
                .severity(if now < was { Severity::Warning } else { Severity::Info })
                .values(size(&old), size(&new))
                .facts(entries)
        } else if new.set != old.set {
            changed(ChangeType::TableChanged, "holds other rows".to_owned()).facts(entries)
        } else {
            return None;
        })
    }

    fn added(new: Located<'_, Table>) -> Option<ChangeDraft<'_>> {
        let description = || format!("Table '{}' is new ({} rows)", new.selector, new.rows);
        new.counts().then(|| Change::added(ChangeType::ElementAdded, new).describe(description()))
    }
}

/// Returns the column headers without their volatile parts.
fn headers(table: &Table) -> Vec<String> {
    table.headers.iter().map(|header| normalize(header).into_owned()).collect()
}
