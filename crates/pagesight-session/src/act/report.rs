//! Builds the line of an action from what was observed after it.

use std::hash::{DefaultHasher, Hash, Hasher};

use pagesight_core::page::{DRAWN, Flags, Page};
use pagesight_core::settle::Reason;
use pagesight_core::text::escape::{safe, value};

use crate::shared::Shared;
use crate::tab::record::TabRecord;
use crate::tab::state::short_url;
use crate::wait::settle::{Mark, Outcome, Stopped};

/// What is to be seen of a page, for telling whether it changed.
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

    /// Nothing changed; that a field was left for something else does not count, that one was
    /// entered does.
    pub(crate) fn is_still(&self, now: &Visible) -> bool {
        self.state == now.state && (now.field.is_none() || now.field == self.field)
    }
}

/// Everything a person could see or a program could read of the page, boxes aside. Where the focus
/// is, and how far the page is scrolled, counts only `with_focus`: any click changes both,
/// a key press may be meant to.
fn visible_state(page: &Page, with_focus: bool) -> u64 {
    let unremarkable =
        if with_focus { Flags::IN_VIEWPORT } else { Flags::IN_VIEWPORT.union(Flags::FOCUSED) };
    let mut hasher = DefaultHasher::new();
    page.title.hash(&mut hasher);
    if with_focus {
        // A key may scroll; before a click the page is scrolled by us.
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

/// The end of the line: what the action led to. Empty if the page only changed.
pub(crate) fn consequence(
    outcome: &Outcome,
    mark: &Mark,
    record: &TabRecord,
    shared: &Shared,
    title: &str,
    unchanged: bool,
    downloads: Vec<String>,
) -> String {
    let mut parts = Vec::new();
    match outcome {
        Outcome::Dialog => {
            if let Some((kind, message)) = record.facts.now().dialog.clone() {
                parts.push(format!("opened dialog ({kind}): {}", value(&message, 200)));
            }
        }
        Outcome::Closed => parts.push("the tab closed itself".to_owned()),
        // What came of it was no page but a file.
        Outcome::Navigated(Stopped::NoDocument(_)) if !downloads.is_empty() => {}
        Outcome::Navigated(stopped) => parts.push(navigated(stopped, record, mark, title)),
        Outcome::Stayed(_) => {}
    }
    let opened: Vec<String> = shared
        .tabs()
        .opened_by(record, mark.newest_tab)
        .iter()
        .map(|tab| format!("opened tab {} {}", tab.id, safe(&tab.facts.now().url, 100)))
        .collect();
    parts.extend(downloads);
    if unchanged && parts.is_empty() && opened.is_empty() {
        parts.push("no visible change".to_owned());
    }
    parts.extend(opened);
    if let Outcome::Stayed(reason) = outcome
        && *reason != Reason::Ready
    {
        parts.push(Stopped::Settled(reason.clone()).to_string());
    }
    parts.iter().map(|part| format!(" — {part}")).collect()
}

fn navigated(stopped: &Stopped, record: &TabRecord, mark: &Mark, title: &str) -> String {
    let facts = record.facts.now();
    match stopped {
        Stopped::NoDocument(reason) => {
            return format!("a navigation ended without a page ({reason})");
        }
        Stopped::Failed(reason) => return format!("the navigation failed ({reason})"),
        _ => {}
    }
    if facts.committed == mark.committed && facts.same_document == mark.same_document {
        return format!("a navigation began but did not arrive ({stopped})");
    }
    let mut text = format!("navigated to {}", safe(&short_url(&facts.url), 120));
    if !title.is_empty() {
        text.push(' ');
        text.push_str(&value(title, 80));
    }
    if let Some(status) = facts.status.filter(|_| facts.committed > mark.committed) {
        text.push_str(&format!(" ({status})"));
    }
    if !stopped.is_ready() {
        text.push_str(&format!(", {stopped}"));
    }
    text
}
