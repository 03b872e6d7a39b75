//! Puts one change into a baseline: the entry that it is about is added, replaced or removed, and
//! the rest of the baseline stays. Works on the rows of the file, because these name regions, lists
//! and forms instead of counting them.

use pagesight_core::compare::{Change, ChangeType};
use pagesight_core::fingerprint::{EntryKind, Fingerprint};
use serde_json::{Map, Value};

use super::form::{FormError, IN, read};

/// Returns the fingerprint of a baseline with one change of a newer one; none if the change cannot
/// stand alone.
pub(crate) fn with_change(old: &str, new: &str, change: &Change) -> Option<Fingerprint> {
    let parse = |text: &str| serde_json::from_str::<Map<String, Value>>(text).ok();
    let (mut baseline, newer) = (parse(old)?, parse(new)?);
    match change.kind {
        ChangeType::RouteChanged => set(&mut baseline, &newer, "route"),
        ChangeType::TitleChanged => set(&mut baseline, &newer, "title"),
        _ => {
            let sort = change.was_at.or(change.now_at)?.sort;
            let rows_key = rows_of(sort);
            let rows = |file: &Map<String, Value>| {
                file.get(rows_key).and_then(Value::as_array).cloned().unwrap_or_default()
            };
            let (mut old_rows, new_rows) = (rows(&baseline), rows(&newer));
            let new_row = change.now_at.and_then(|at| new_rows.get(at.index));
            if change.now_at.is_some() && new_row.is_none() {
                return None;
            }
            match (change.was_at, new_row) {
                (Some(was), Some(row)) => *old_rows.get_mut(was.index)? = row.clone(),
                (Some(was), None) if was.index < old_rows.len() => drop(old_rows.remove(was.index)),
                (None, Some(row)) => {
                    let index = change.now_at.map_or(0, |at| at.index);
                    let before = new_rows[..index].iter().rev();
                    let mut after =
                        before.filter_map(|row| old_rows.iter().position(|old| old == row));
                    let place = after.next().map_or(0, |at| at + 1);
                    old_rows.insert(place, row.clone());
                }
                _ => return None,
            }
            baseline.insert(rows_key.to_owned(), Value::Array(old_rows));
            if let Some(region) = new_row.and_then(|row| row["in"].as_str()) {
                add_region(&mut baseline, &newer, region);
            }
        }
    }
    let whole = |file: &Map<String, Value>| read(&Value::Object(file.clone()).to_string());
    match whole(&baseline) {
        Ok(made) => Some(made),
        // The list or the form around a new entry may be new, too.
        Err(FormError::Damaged(_)) => {
            let sort = change.now_at?.sort;
            for row in baseline.get_mut(rows_of(sort))?.as_array_mut()? {
                let Value::Object(row) = row else { continue };
                if new_row_of(&newer, change).is_some_and(|new| new == row) {
                    row.remove("list");
                    row.remove("form");
                }
            }
            whole(&baseline).ok()
        }
        Err(FormError::Newer(_)) => None,
    }
}

fn new_row_of<'f>(
    newer: &'f Map<String, Value>,
    change: &Change,
) -> Option<&'f Map<String, Value>> {
    let at = change.now_at?;
    newer.get(rows_of(at.sort))?.as_array()?.get(at.index)?.as_object()
}

/// Takes over a value of the head.
fn set(baseline: &mut Map<String, Value>, newer: &Map<String, Value>, key: &str) {
    if let Some(value) = newer.get(key) {
        baseline.insert(key.to_owned(), value.clone());
    }
}

/// Adds a region, and those around it, unless the baseline has them.
fn add_region(baseline: &mut Map<String, Value>, newer: &Map<String, Value>, region: &str) {
    let rows = |file: &Map<String, Value>| {
        file.get("places").and_then(Value::as_array).cloned().unwrap_or_default()
    };
    let word = |row: &Value| {
        let word = row.as_str().or_else(|| row.get(0)?.as_str()).or_else(|| row["place"].as_str());
        word.map(str::to_owned).unwrap_or_default()
    };
    let mut known = rows(baseline);
    for row in rows(newer) {
        let name = word(&row);
        let is_around = name == region || region.starts_with(&format!("{name}{IN}"));
        if is_around && !known.iter().any(|known| word(known) == name) {
            known.push(row);
        }
    }
    baseline.insert("places".to_owned(), Value::Array(known));
}

/// Returns the name of the list of rows in the file.
fn rows_of(sort: EntryKind) -> &'static str {
    match sort {
        EntryKind::Landmark => "landmarks",
        EntryKind::Heading => "headings",
        EntryKind::List => "lists",
        EntryKind::Table => "tables",
        EntryKind::Form => "forms",
        EntryKind::Image => "images",
        EntryKind::Element => "interactive",
        EntryKind::Text => "texts",
        EntryKind::Number => "numbers",
        EntryKind::Exact => "exact",
        EntryKind::Audit => "violations",
        EntryKind::Layout => "boxes",
        EntryKind::Error => "error_elements",
        EntryKind::Loading => "loading_indicators",
        EntryKind::Empty => "empty_states",
        EntryKind::Modal => "modals_open",
        EntryKind::Notification => "notifications",
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use pagesight_core::compare::{IgnoreRules, compare};
    use pagesight_core::fingerprint::{FingerprintOptions, extract};
    use pagesight_core::wire::page_file;

    use super::*;
    use crate::baseline::form::write;

    fn captured() -> Fingerprint {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/captures/dashboard.page.json");
        let page = page_file::read(&std::fs::read_to_string(file).unwrap()).unwrap();
        extract(&page, &FingerprintOptions::default())
    }

    #[test]
    fn each_change_can_be_accepted_alone() {
        let old = captured();
        let mut new = old.clone();
        let structure = &mut new.structure;
        structure.headings[0].text = "Something else".to_owned();
        let gone = structure.interactive.remove(2);
        let mut more = structure.interactive[0].clone();
        (more.text, more.key, more.href) = ("Export".to_owned(), None, None);
        structure.interactive.insert(1, more);
        new.title = "A different title".to_owned();
        let text = |print: &Fingerprint| write("home", "chromium", print).unwrap();
        let (before, after) = (text(&old), text(&new));
        let rules = IgnoreRules::default();
        let all = compare(&read(&before).unwrap(), &read(&after).unwrap(), &rules);
        assert!(all.changes.len() >= 3, "{:#?}", all.changes);
        for change in &all.changes {
            let made = with_change(&before, &after, change).unwrap();
            let left = compare(&made, &read(&after).unwrap(), &rules);
            let words: Vec<&str> =
                left.changes.iter().map(|left| left.description.as_str()).collect();
            assert!(left.changes.len() < all.changes.len(), "{}: {words:?}", change.description);
            assert!(!words.contains(&change.description.as_str()), "{}", change.description);
            // The file is as the writer makes it.
            assert_eq!(text(&read(&text(&made)).unwrap()), text(&made));
        }
        assert!(!gone.kind.is_empty());
    }
}
