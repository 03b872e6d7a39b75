//! Writes chosen entries as lines within a token budget: errors and failures first, then the rest
//! by time. Of the rest, the newest are kept. What is left out is counted.

use std::time::Duration;

use super::model::{CodePosition, LogId, RequestOutcome};
use super::select::{LineContent, LogLine, LogSelection, LogSince};
use crate::hint::{Hint, Wording};
use crate::text::address::parts;
use crate::text::{escape, tokens};

/// How many characters of a text are printed; tried in this order.
const TEXT_LENGTHS: [usize; 3] = [600, 240, 120];
/// The tokens that are kept for the last lines.
const CLOSING_TOKENS: usize = 60;
/// The longest name of a file.
const FILE_LENGTH: usize = 60;
const URL_LENGTH: usize = 160;

/// The lines of a log that fit into the budget.
#[derive(Debug)]
pub struct LogLayout {
    /// The indices of the printed lines in the selection, in the order they are printed.
    pub printed: Vec<usize>,
    /// The text.
    pub text: String,
}

/// Writes chosen entries. `page` is the address of the page: its own requests are printed without
/// their host.
pub fn lay_out(
    selection: &LogSelection,
    since: LogSince,
    page: &str,
    max_tokens: usize,
    wording: Wording,
) -> LogLayout {
    let all = selection.lines.len();
    let room = max_tokens.saturating_sub(CLOSING_TOKENS);
    let (mut printed, mut length) = (Vec::new(), TEXT_LENGTHS[0]);
    for tried in TEXT_LENGTHS {
        (printed, length) = (fitting(selection, page, tried, room), tried);
        if printed.len() == all {
            break;
        }
    }
    loop {
        let mut text: String =
            printed.iter().map(|at| line(&selection.lines[*at], page, length) + "\n").collect();
        text.push_str(&closing(selection, &printed, since, wording));
        // The closing line is short, and lines count the same together as alone; if not, one less.
        if tokens::count(&text) <= max_tokens || printed.is_empty() {
            return LogLayout { printed, text };
        }
        let errors = printed.iter().filter(|at| selection.lines[**at].error).count();
        // The oldest of the rest, or else the newest error.
        printed.remove(if errors < printed.len() { errors } else { errors - 1 });
    }
}

/// Returns the lines that fit: the first errors, then the newest of the rest.
fn fitting(selection: &LogSelection, page: &str, length: usize, room: usize) -> Vec<usize> {
    let errors = selection.lines.iter().take_while(|line| line.error).count();
    let (mut left, mut printed, mut rest) = (room, Vec::new(), Vec::new());
    let mut fits = |at: usize| {
        let cost = tokens::count(&line(&selection.lines[at], page, length)) + 1;
        let fits = cost <= left;
        left -= if fits { cost } else { 0 };
        fits
    };
    for at in 0..errors {
        if !fits(at) {
            return printed;
        }
        printed.push(at);
    }
    for at in (errors..selection.lines.len()).rev() {
        if !fits(at) {
            break;
        }
        rest.push(at);
    }
    printed.extend(rest.into_iter().rev());
    printed
}

/// Returns the last lines: what was left out and what is no longer kept.
fn closing(
    selection: &LogSelection,
    printed: &[usize],
    since: LogSince,
    wording: Wording,
) -> String {
    let since = match since {
        LogSince::Navigation => "since the navigation",
        LogSince::Last => "since the log was last read",
        LogSince::Start => "since the tab was opened",
    };
    let mut text = String::new();
    let unprinted = |wanted: fn(&&LogLine) -> bool| -> u64 {
        let all: u64 = selection.lines.iter().filter(wanted).map(|line| line.count).sum();
        let lines = printed.iter().map(|at| &selection.lines[*at]);
        all - lines.filter(wanted).map(|line| line.count).sum::<u64>()
    };
    let left = unprinted(|_| true);
    if left > 0 {
        let errors = unprinted(|line| line.error);
        let requests = unprinted(|line| matches!(line.id, LogId::Request(_)));
        let mut parts = Vec::new();
        if errors > 0 {
            parts.push(format!("{} with errors", grouped(errors)));
        }
        if requests > 0 && requests < left {
            parts.push(format!("{} requests", grouped(requests)));
        }
        let parts = if parts.is_empty() {
            String::new()
        } else {
            format!(", {} of them", parts.join(", "))
        };
        let parts = parts.replace(" with errors of them", " of them errors");
        let line = format!("… {} more{parts}", grouped(left));
        text.push_str(&wording.line(line, Some(&Hint::NarrowLog)));
        text.push('\n');
    }
    if selection.dropped > 0 {
        let older = grouped(selection.dropped);
        text.push_str(&format!("… {older} older are no longer kept\n"));
    }
    if selection.lines.is_empty() && selection.dropped == 0 {
        match selection.unmatched {
            0 => text.push_str(&format!("no log entries {since}\n")),
            1 => text.push_str(&format!("no log entry of this kind {since}; there is 1 other\n")),
            others => text.push_str(&format!(
                "no log entry of this kind {since}; there are {} others\n",
                grouped(others)
            )),
        }
    }
    text
}

pub(super) fn line(line: &LogLine, page: &str, length: usize) -> String {
    let mut out = format!("[{}] ", line.id);
    let place = line.position.as_ref().map(file_and_line);
    match &line.what {
        LineContent::Console { level, text } => {
            out.push_str(level.as_str());
            out.push_str(": ");
            out.push_str(&escape::safe(text, length));
            if let Some(place) = place {
                out.push_str(&format!("  {place}"));
            }
        }
        LineContent::Request {
            method,
            url,
            kind,
            status,
            outcome,
            size,
            duration_ms,
            redirects,
        } => {
            out.push_str(&escape::word(method, 20));
            out.push(' ');
            out.push_str(&escape::safe(&short_url(url, page), URL_LENGTH.min(length)));
            if let Some(first) = redirects.first() {
                out.push_str(&format!(" {}", first.status));
            }
            if let Some(last) = redirects.last() {
                let to = escape::safe(&short_url(&last.to, page), URL_LENGTH.min(length));
                out.push_str(&format!(" → {to}"));
            }
            let code = status.map(|status| format!(" {status}")).unwrap_or_default();
            out.push_str(&match outcome {
                RequestOutcome::Failed(reason) => format!(" {}", escape::safe(reason, 80)),
                RequestOutcome::Cancelled => code + " cancelled",
                RequestOutcome::Pending => code + " pending",
                RequestOutcome::BodyNotRead => code + " body not read",
                RequestOutcome::Finished if code.is_empty() => " done".to_owned(),
                RequestOutcome::Finished => code,
            });
            if let Some(size) = size {
                out.push_str(&format!(" {}", bytes(*size)));
            }
            if let Some(duration) = duration_ms {
                out.push_str(&format!(" {}", time(Duration::from_millis(*duration))));
            }
            let from = place.map(|place| format!("from {place}"));
            let origin: Vec<&str> = [*kind, from.as_deref().unwrap_or_default()]
                .into_iter()
                .filter(|s| !s.is_empty())
                .collect();
            if !origin.is_empty() {
                out.push_str(&format!("  {}", origin.join(" ")));
            }
        }
    }
    if line.count > 1 {
        out.push_str(&format!(" (×{})", line.count));
    }
    out
}

/// Returns a place as `app.js:31`.
pub(super) fn file_and_line(position: &CodePosition) -> String {
    let path = position.url.split(['?', '#']).next().unwrap_or_default();
    let is_original = !path.contains("://");
    let name = match is_original {
        // The original source of a mapped position has its folders.
        true => path,
        false => match path.trim_end_matches('/').rsplit_once('/') {
            Some((before, name)) if !before.ends_with('/') => name,
            _ => "/",
        },
    };
    // The end of a long name says more than its start.
    let name = escape::clean(name);
    let name = match name.char_indices().rev().nth(FILE_LENGTH - 1) {
        Some((at, c)) if at > 0 => format!("…{}", &name[at + c.len_utf8()..]),
        _ => name,
    };
    let name = escape::safe(&name, FILE_LENGTH);
    format!("{name}:{}", position.line)
}

/// Returns an address without the origin of the page.
pub(super) fn short_url(url: &str, page: &str) -> String {
    let own = parts(page).and_then(|(_, _, rest)| page.strip_suffix(rest));
    let path = own.and_then(|own| url.strip_prefix(own)).filter(|path| path.starts_with('/'));
    path.unwrap_or(url).to_owned()
}

/// Returns a number of bytes as `1.2 kB`.
pub(super) fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{} kB", short(count as f64 / 1e3)),
        _ => format!("{} MB", short(count as f64 / 1e6)),
    }
}

/// Returns a time as `84 ms` or `3.2 s`.
pub(super) fn time(time: Duration) -> String {
    match time.as_millis() {
        ms @ 0..10_000 => format!("{ms} ms"),
        _ => format!("{} s", short(time.as_secs_f64())),
    }
}

fn short(number: f64) -> String {
    if number < 10.0 { format!("{number:.1}") } else { format!("{number:.0}") }
}

/// Returns a number with commas between its thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
