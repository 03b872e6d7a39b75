//! Words what changed in a list or a table: how many items or rows it has, and which.

use serde_json::Value;

use super::super::change::{Change, ChangeType};
use super::noun::{counted, named};

/// How many items or rows are named.
const MOST_NAMED: usize = 3;

const ITEM: (&str, &str) = ("item", "items");
const ROW: (&str, &str) = ("row", "rows");
const COLUMN: (&str, &str) = ("column", "columns");

/// Returns how many entries a list or a table has: `6 items`.
pub(super) fn size(value: Option<&Value>) -> Option<String> {
    let of = |member: &str| value?.get(member)?.as_u64();
    let items = of("items").map(|count| (count, ITEM));
    let (count, words) = items.or_else(|| of("rows").map(|count| (count, ROW)))?;
    (count > 0).then(|| counted(count as usize, words))
}

/// Returns the sentence about a list or a table that changed.
pub(super) fn changed(change: &Change, label: &str) -> Option<String> {
    let is_list = matches!(change.kind, ChangeType::ListEmpty | ChangeType::ListChanged);
    let (words, member) = if is_list { (ITEM, "items") } else { (ROW, "rows") };
    if matches!(change.kind, ChangeType::ListEmpty | ChangeType::TableEmpty) {
        return Some(format!("{label} is empty now{}", change.size_before()));
    }
    if let Some(columns) = columns(change) {
        return Some(format!("{label}: {columns}"));
    }
    let count = |value: &Option<Value>| value.as_ref()?.get(member)?.as_u64();
    let (was, now) = match (count(&change.was), count(&change.now)) {
        (Some(was), Some(now)) => (was as usize, now as usize),
        _ => (0, 0),
    };
    let (gone, came) = (&change.facts.gone, &change.facts.came);
    let holder = holder(label);
    Some(match (was.cmp(&now), gone.as_slice(), came.as_slice()) {
        (std::cmp::Ordering::Greater, gone, []) => {
            let are = if was - now == 1 { "is" } else { "are" };
            let lost = counted(was - now, words);
            format!("{lost} {are} missing from {holder}{}", few(gone, was - now))
        }
        (std::cmp::Ordering::Less, [], came) => {
            let words = (format!("new {}", words.0), format!("new {}", words.1));
            let new = counted(now - was, (&words.0, &words.1));
            format!("{new} in {holder}{}", few(came, now - was))
        }
        (std::cmp::Ordering::Equal, [], _) | (std::cmp::Ordering::Equal, _, []) => {
            format!("{label} has other {}", words.1)
        }
        (std::cmp::Ordering::Equal, gone, came) => {
            format!("{label}: {}", replaced(gone, came, words))
        }
        _ => {
            let missing = (!gone.is_empty()).then(|| format!("; missing: {}", list(gone)));
            let new = (!came.is_empty()).then(|| format!("; new: {}", list(came)));
            let size = counted(now, words);
            let (missing, new) = (missing.unwrap_or_default(), new.unwrap_or_default());
            format!("{label} has {size} now, not {was}{missing}{new}")
        }
    })
}

/// Returns which columns are missing or new, if the headers changed.
fn columns(change: &Change) -> Option<String> {
    let headers = |value: &Option<Value>| -> Option<Vec<String>> {
        let headers = value.as_ref()?.get("headers")?.as_array()?;
        Some(headers.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    };
    let (was, now) = (headers(&change.was)?, headers(&change.now)?);
    let without = |all: &[String], others: &[String]| -> Vec<String> {
        all.iter().filter(|header| !others.contains(header)).cloned().collect()
    };
    let (gone, came) = (without(&was, &now), without(&now, &was));
    let word = |all: &[String]| if all.len() == 1 { COLUMN.0 } else { COLUMN.1 };
    Some(match (gone.as_slice(), came.as_slice()) {
        ([], []) => "its columns changed".to_owned(),
        ([gone], [came]) => format!("column '{gone}' is now '{came}'"),
        (gone, []) => format!("missing {}: {}", word(gone), list(gone)),
        ([], came) => format!("new {}: {}", word(came), list(came)),
        (gone, came) => {
            format!("missing {}: {}; new: {}", word(gone), list(gone), list(came))
        }
    })
}

/// Returns which entries took the places of others.
fn replaced(gone: &[String], came: &[String], words: (&str, &str)) -> String {
    let pairs = gone.iter().zip(came).map(|(was, now)| format!("'{was}' is now '{now}'"));
    let shown: Vec<String> = pairs.take(MOST_NAMED).collect();
    let shown = shown.join(", ");
    match gone.len().saturating_sub(MOST_NAMED) {
        0 => shown,
        1 => format!("{shown}; 1 more {} changed", words.0),
        more => format!("{shown}; {more} more {} changed", words.1),
    }
}

/// Returns the names of a few entries; nothing if they are many or not all of them are known.
fn few(entries: &[String], all: usize) -> String {
    match entries.len() == all && all <= MOST_NAMED {
        true => format!(": {}", list(entries)),
        false => String::new(),
    }
}

fn list(entries: &[String]) -> String {
    let quoted: Vec<String> = entries.iter().map(|entry| format!("'{entry}'")).collect();
    named(quoted.iter().map(String::as_str), MOST_NAMED)
}

/// Returns `list 'Team'` of `List 'Team'`.
fn holder(label: &str) -> String {
    let mut letters = label.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
