//! Formats one comparison as text.

use pagesight_core::compare::{Comparison, Severity, Status, answer};

/// Returns a comparison as text, one line per change.
pub fn lines(compared: &Comparison, threshold: Severity) -> String {
    let summary = answer(compared, threshold);
    let mut out = format!(
        "{}: {}\n",
        match compared.status {
            Status::Unchanged => "unchanged",
            Status::Changed => "changed",
            Status::Loading => "still loading",
            Status::RouteChanged => "different route",
        },
        summary["summary"].as_str().unwrap_or_default()
    );
    for change in summary["changes"].as_array().into_iter().flatten() {
        let text = |key: &str| change[key].as_str().unwrap_or_default();
        let place = match text("location") {
            "" => String::new(),
            place => format!("  ({place})"),
        };
        out.push_str(&format!(
            "{:<7}  {:<20}  {}{place}\n",
            text("severity"),
            text("type"),
            text("description")
        ));
    }
    for (key, words) in [
        ("changes_left_out", "more changes of the same types"),
        ("ignored", "changes ignored by rules"),
    ] {
        if let Some(count) = summary[key].as_u64() {
            out.push_str(&format!("{count} {words}\n"));
        }
    }
    out
}
