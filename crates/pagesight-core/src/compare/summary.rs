//! A comparison as JSON: changes below the threshold are counted, and long runs of the same change
//! are cut.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::change::{Change, Severity};
use super::comparison::Comparison;

/// How many changes of one type in one location are listed.
const MOST_ALIKE: usize = 6;
/// How many changes are listed in all.
const MOST_CHANGES: usize = 40;

/// Returns the comparison as JSON, with the changes of at least this severity.
pub fn answer(comparison: &Comparison, threshold: Severity) -> Value {
    let mut alike: HashMap<(&str, &str), usize> = HashMap::new();
    let mut listed: Vec<&Change> = Vec::new();
    let mut left_out = 0;
    for change in comparison.changes.iter().filter(|change| change.severity >= threshold) {
        let count = alike.entry((change.kind.as_str(), change.location.as_str())).or_default();
        *count += 1;
        if *count > MOST_ALIKE || listed.len() >= MOST_CHANGES {
            left_out += 1;
        } else {
            listed.push(change);
        }
    }
    let mut out = json!({ "status": comparison.status });
    if let Some(severity) = comparison.severity() {
        out["severity"] = json!(severity);
    }
    out["changes"] = listed.into_iter().map(Change::for_programs).collect();
    if left_out > 0 {
        out["changes_left_out"] = json!(left_out);
    }
    if comparison.ignored > 0 {
        out["ignored"] = json!(comparison.ignored);
    }
    out["unchanged"] = json!(comparison.unchanged);
    out["summary"] = json!(summary(comparison, threshold));
    out
}

/// `2 errors, 1 warning, 1 info change detected`.
pub(super) fn summary(comparison: &Comparison, threshold: Severity) -> String {
    let count = |severity: Severity| {
        comparison.changes.iter().filter(|change| change.severity == severity).count()
    };
    let (errors, warnings, infos) =
        (count(Severity::Error), count(Severity::Warning), count(Severity::Info));
    let mut parts = Vec::new();
    for (count, word) in [(errors, "error"), (warnings, "warning")] {
        if count > 0 {
            parts.push(format!("{count} {word}{}", if count == 1 { "" } else { "s" }));
        }
    }
    if infos > 0 {
        parts.push(format!("{infos} info"));
    }
    if parts.is_empty() {
        return "no change detected".to_owned();
    }
    let all = errors + warnings + infos;
    let below = all - comparison.at_least(threshold);
    let plural = if all == 1 { "" } else { "s" };
    let below = if below > 0 { format!(" ({below} below the threshold)") } else { String::new() };
    format!("{} change{plural} detected{below}", parts.join(", "))
}
