//! Builds the line of an action from what was observed after it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use pagesight_core::page::{DRAWN, Flags, Page};
use pagesight_core::settle::{Overdue, Reason};
use pagesight_core::text::escape::{safe, sentence, value};

use crate::session::shared::Shared;
use crate::tab::record::TabRecord;
use crate::tab::state::short_url;
use crate::wait::settle::{Checkpoint, SettleOutcome, WaitOutcome};

/// The visible state of a page, for detecting changes.
#[derive(Clone, Copy)]
pub(crate) struct Visible {
    state: u64,
    /// The field that has the focus.
    field: Option<u32>,
}

impl Visible {
    pub(crate) fn of(page: &Page, with_focus: bool) -> Visible {
        let field = page.nodes().find(|node| node.is(Flags::FOCUSED) && node.role().is_field());
        Visible { state: visible_state(page, with_focus), field: field.map(|node| node.local()) }
    }

    /// Whether nothing changed. Leaving a field does not count as a change, entering one does.
    pub(crate) fn is_still(&self, now: &Visible) -> bool {
        self.state == now.state && (now.field.is_none() || now.field == self.field)
    }
}

/// Hashes everything that a person can see or a program can read of the page, except boxes. The
/// focus and the scroll position count only `with_focus`: any click changes both, but a key press
/// may be meant to change them.
fn visible_state(page: &Page, with_focus: bool) -> u64 {
    let unremarkable =
        if with_focus { Flags::IN_VIEWPORT } else { Flags::IN_VIEWPORT.union(Flags::FOCUSED) };
    let mut hasher = DefaultHasher::new();
    page.title.hash(&mut hasher);
    if with_focus {
        // A key may scroll. Before a click, pagesight scrolls the page.
        page.scroll.hash(&mut hasher);
    }
    for node in page.nodes() {
        let flags = node.flags().difference(unremarkable);
        (node.tag(), node.role(), node.name(), node.value(), flags, node.hidden(), node.end())
            .hash(&mut hasher);
        if node.tag() == "canvas" {
            node.attribute(DRAWN).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Returns the end of the line: what the action led to. Empty if the page only changed.
/// `unchanged` is how long the page was watched without a visible change.
pub(crate) fn consequence(
    outcome: &SettleOutcome,
    checkpoint: &Checkpoint,
    record: &TabRecord,
    shared: &Shared,
    title: &str,
    unchanged: Option<Duration>,
    downloads: Vec<String>,
) -> String {
    let mut parts = Vec::new();
    match outcome {
        SettleOutcome::Dialog => {
            if let Some((kind, message)) = record.state.now().dialog.clone() {
                parts.push(dialog(&kind, &message));
            }
        }
        SettleOutcome::Closed => parts.push("the tab closed itself".to_owned()),
        // The navigation ended in a download instead of a page.
        SettleOutcome::Navigated(WaitOutcome::NoDocument(_)) if !downloads.is_empty() => {}
        SettleOutcome::Navigated(outcome) => {
            parts.push(navigated(outcome, record, checkpoint, title))
        }
        SettleOutcome::Stayed(_) => {}
    }
    let opened: Vec<String> = shared
        .tabs()
        .opened_by(record, checkpoint.newest_tab)
        .iter()
        .map(|tab| opened(&tab.id, &tab.state.now().url))
        .collect();
    parts.extend(downloads);
    if let Some(watched) = unchanged.filter(|_| parts.is_empty() && opened.is_empty()) {
        parts.push(format!("no visible change within {} ms", watched.as_millis()));
    }
    parts.extend(opened);
    match shared.tabs().pop_ups.refused(record.tab.id()) {
        0 => {}
        1 => parts.push("1 more tab was not taken, there are too many".to_owned()),
        refused => parts.push(format!("{refused} more tabs were not taken, there are too many")),
    }
    let mut busy = None;
    match outcome {
        SettleOutcome::Stayed(Reason::TimedOut(overdue)) => {
            busy = Some(was_late(overdue, checkpoint.elapsed()));
        }
        SettleOutcome::Stayed(reason) if *reason != Reason::Ready => {
            parts.push(WaitOutcome::Settled(reason.clone()).to_string());
        }
        _ => {}
    }
    let line: String = parts.iter().map(|part| format!(" — {part}")).collect();
    line + &busy.unwrap_or_default()
}

/// Returns what kept the page from getting quiet after an action that happened, as the end of its
/// line.
fn was_late(overdue: &Overdue, waited: Duration) -> String {
    let doing = match overdue {
        Overdue::Requests(_, names) => return format!(", still pending: {}", sentence(names)),
        Overdue::Loading => "was loading",
        Overdue::Timers | Overdue::Busy => "was busy",
    };
    format!("; the page {doing} for {:.1} s", waited.as_secs_f64())
}

fn navigated(
    outcome: &WaitOutcome,
    record: &TabRecord,
    checkpoint: &Checkpoint,
    title: &str,
) -> String {
    let state = record.state.now();
    match outcome {
        WaitOutcome::NoDocument(reason) => {
            return format!("a navigation ended without a page ({})", sentence(reason));
        }
        WaitOutcome::Failed(reason) => {
            return format!("the navigation failed ({})", sentence(reason));
        }
        _ => {}
    }
    if state.committed == checkpoint.committed && state.same_document == checkpoint.same_document {
        return match outcome {
            WaitOutcome::Settled(Reason::TimedOut(overdue)) => {
                let late = was_late(overdue, checkpoint.elapsed());
                format!("a navigation began but did not arrive{late}")
            }
            outcome => format!("a navigation began but did not arrive ({outcome})"),
        };
    }
    let status = state.status.filter(|_| state.committed > checkpoint.committed);
    arrival(&state.url, title, status, outcome, checkpoint.elapsed())
}

/// Returns that a dialog opened.
pub(crate) fn dialog(kind: &str, message: &str) -> String {
    format!("opened dialog ({kind}): {}", value(message, 200))
}

/// Returns that a tab opened.
pub(crate) fn opened(id: &str, url: &str) -> String {
    format!("opened tab {id} {}", safe(url, 100))
}

/// Returns where a navigation arrived.
pub(crate) fn arrival(
    url: &str,
    title: &str,
    status: Option<u16>,
    outcome: &WaitOutcome,
    waited: Duration,
) -> String {
    let mut text = format!("navigated to {}", safe(&short_url(url), 120));
    if !title.is_empty() {
        text.push(' ');
        text.push_str(&value(title, 80));
    }
    if let Some(status) = status {
        text.push_str(&format!(" ({status})"));
    }
    match outcome {
        WaitOutcome::Settled(Reason::TimedOut(overdue)) => {
            text.push_str(&was_late(overdue, waited));
        }
        outcome if !outcome.is_ready() => text.push_str(&format!(", {outcome}")),
        _ => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_that_happened_did_not_time_out() {
        let waited = Duration::from_millis(3_140);
        assert_eq!(was_late(&Overdue::Busy, waited), "; the page was busy for 3.1 s");
        let request = Overdue::Requests(1, "GET /api".to_owned());
        let late = WaitOutcome::Settled(Reason::TimedOut(request));
        let text = arrival("http://localhost/a", "", Some(200), &late, waited);
        assert_eq!(text, "navigated to /a (200), still pending: GET /api");
        let busy = WaitOutcome::Settled(Reason::TimedOut(Overdue::Busy));
        let text = arrival("http://localhost/a", "", None, &busy, waited);
        assert_eq!(text, "navigated to /a; the page was busy for 3.1 s");
    }
}
