//! Formats one page of the report as a card: its result, its changes by severity, and its pictures.

use std::time::Duration;

use maud::{Markup, html};
use pagesight_core::compare::{Change, Comparison, Severity, WordedChanges, worded};
use serde_json::Value;

use super::badge::Badge;
use super::kind::Kind;
use super::pictures;
use crate::report::words::count;
use crate::result::{Outcome, Verdict};

/// How many changes of one page are listed.
const MOST_CHANGES: usize = 500;
/// How many characters of a value are shown.
const SIDE_LIMIT: usize = 300;

/// Returns the card of an outcome; `number` is its position in the report.
pub(super) fn card(number: usize, outcome: &Outcome, badge: Badge) -> Markup {
    let compared = outcome.verdict.comparison();
    let worst = compared.and_then(Comparison::severity).map_or("", Severity::as_str);
    let viewport = format!("{}x{}", outcome.viewport.width, outcome.viewport.height);
    let open = badge != Badge::Unchanged && badge != Badge::Saved;
    html! {
        article id=(format!("p{number}")) class="card" aria-labelledby=(format!("p{number}-name"))
            data-verdict=(badge.key()) data-worst=(worst) data-browser=(outcome.browser) data-viewport=(viewport) data-emulated=(outcome.emulation) data-kinds=(Kind::all_of(outcome)) {
            details open[open] {
                summary {
                    span class=(format!("badge {}", badge.key())) { (badge.word()) }
                    h2 id=(format!("p{number}-name")) { bdi { (outcome.name) } }
                    span class="soft meta" { (where_taken(outcome)) }
                    @if let Some(compared) = compared { (counts(compared)) }
                }
                div class="inside" {
                    p class="address soft" { (address(&outcome.url)) " · " (duration(outcome.took)) @if outcome.tries > 1 { " · loaded " (outcome.tries) " times" } }
                    @if let Some(said) = said(&outcome.verdict) { p class="said" { (said) } }
                    @if !outcome.notes.is_empty() {
                        ul class="notes soft" { @for note in &outcome.notes { li { (note) } } }
                    }
                    div class="findings" {
                        @if let Some(compared) = compared.filter(|compared| !compared.changes.is_empty()) {
                            (changes(number, outcome, compared))
                        }
                        (pictures::pair(number, outcome, compared))
                    }
                }
            }
        }
    }
}

/// Returns browser, viewport, what is emulated and scope.
pub(super) fn where_taken(outcome: &Outcome) -> String {
    let (width, height) = (outcome.viewport.width, outcome.viewport.height);
    let mut out = format!("{} · {width}×{height}", outcome.browser);
    if !outcome.emulation.is_empty() {
        out.push_str(&format!(" · {}", outcome.emulation));
    }
    if !outcome.scope.is_empty() {
        out.push_str(&format!(" · {}", outcome.scope));
    }
    out
}

/// Returns a link for http and https, and text for any other URL.
fn address(url: &str) -> Markup {
    let web = url.starts_with("http://") || url.starts_with("https://");
    html! {
        @if web { a href=(url) rel="noopener noreferrer" target="_blank" { bdi { (url) } } } @else { bdi { (url) } }
    }
}

/// Returns the sentence that explains a verdict; `None` for a plain comparison.
fn said(verdict: &Verdict) -> Option<&str> {
    match verdict {
        Verdict::Failed { error: why } => Some(why),
        Verdict::NoBaseline => {
            Some("There is no baseline. Run the check on your machine and commit the files.")
        }
        Verdict::Saved => Some("There was no baseline; this page was saved as the baseline."),
        Verdict::Updated(_) => Some("The changes were accepted as the new baseline."),
        Verdict::Compared(_) => None,
    }
}

/// Returns why it failed, in one sentence.
pub(super) fn reason(outcome: &Outcome, badge: Badge) -> String {
    match (&outcome.verdict, badge) {
        (Verdict::Compared(compared), _) => {
            let sentences = worded(compared.changes.iter().enumerate());
            let first = sentences.first();
            let (first, named) =
                first.map_or(("", 0), |worded| (worded.sentence.as_str(), worded.changes.len()));
            match compared.changes.len() - named {
                0 => first.to_owned(),
                more => format!("{first} And {}.", count(more, "more change")),
            }
        }
        (verdict, badge) => said(verdict).unwrap_or(badge.word()).to_owned(),
    }
}

fn counts(compared: &Comparison) -> Markup {
    html! {
        span class="tally" {
            @for (severity, word) in SEVERITIES {
                @let count = of(compared, severity).count();
                @if count > 0 {
                    span class=(severity.as_str()) { (count) " " (word) @if count != 1 && severity != Severity::Info { "s" } }
                }
            }
        }
    }
}

const SEVERITIES: [(Severity, &str); 3] =
    [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "info")];

/// Returns the changes of one severity with their indices.
fn of(compared: &Comparison, severity: Severity) -> impl Iterator<Item = (usize, &Change)> {
    compared.changes.iter().enumerate().filter(move |(_, change)| change.severity == severity)
}

fn changes(number: usize, outcome: &Outcome, compared: &Comparison) -> Markup {
    html! {
        div class="changes" {
            @for (severity, word) in [(Severity::Error, "Errors"), (Severity::Warning, "Warnings"), (Severity::Info, "Info")] {
                @if of(compared, severity).next().is_some() {
                    section class=(severity.as_str()) {
                        h3 class="minor" { (word) }
                        ol { @for worded in worded(of(compared, severity).take_while(|(at, _)| *at < MOST_CHANGES)) { (rows(number, outcome, &worded)) } }
                    }
                }
            }
            @if compared.changes.len() > MOST_CHANGES {
                p class="soft" { (compared.changes.len() - MOST_CHANGES) " more changes" }
            }
            @if compared.ignored > 0 {
                p class="soft" { (compared.ignored) " more ignored by rules" }
            }
        }
    }
}

/// Returns the row of a sentence. If it is about several changes, they can be unfolded.
fn rows(number: usize, outcome: &Outcome, worded: &WordedChanges<'_>) -> Markup {
    let row = |(at, change): &(usize, &Change)| {
        row(number, *at, change, pictures::is_marked(outcome, *at))
    };
    html! {
        @match worded.changes.as_slice() {
            [one] => (row(one)),
            several => li class="several" data-severity=(worded.first().severity.as_str()) data-kind=(Kind::of(worded.first().kind).key()) {
                details {
                    summary { bdi { (worded.sentence) } }
                    ol { @for one in several { (row(one)) } }
                }
            },
        }
    }
}

fn row(number: usize, at: usize, change: &Change, marked: bool) -> Markup {
    let (was, now) = (change.was.as_ref().map(side), change.now.as_ref().map(side));
    html! {
        li id=(format!("p{number}-c{}", at + 1)) class="change" data-change=(at + 1) data-severity=(change.severity.as_str()) data-kind=(Kind::of(change.kind).key()) tabindex="0" {
            span class=(if marked { "number" } else { "number unmarked" }) { (at + 1) }
            div {
                p class="sentence" { bdi { (change.sentence()) } }
                p class="soft place" {
                    code { (change.kind.as_str()) }
                    @if !change.location.is_empty() { " in " bdi { (change.location) } }
                }
                @if was.is_some() || now.is_some() {
                    dl {
                        @if let Some(was) = &was { div { dt { "was" } dd { bdi { (was) } } } }
                        @if let Some(now) = &now { div { dt { "now" } dd { bdi { (now) } } } }
                    }
                }
            }
        }
    }
}

/// Returns one side of a change as text: a string as it is, an object member by member.
fn side(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(side).collect::<Vec<_>>().join(", "),
        Value::Object(members) if members.len() == 1 && members.contains_key("text") => {
            members.values().map(side).collect()
        }
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| match value {
                Value::Bool(true) => key.clone(),
                Value::Bool(false) => format!("not {key}"),
                value => format!("{key} {}", side(value)),
            };
            members.iter().map(member).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    };
    match text.char_indices().nth(SIDE_LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None if text.is_empty() => "(empty)".to_owned(),
        None => text,
    }
}

/// Returns a duration as text.
pub(super) fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        short if short < 1.0 => format!("{} ms", time.as_millis()),
        short if short < 60.0 => format!("{short:.1} s"),
        _ => format!("{} min {} s", time.as_secs() / 60, time.as_secs() % 60),
    }
}
