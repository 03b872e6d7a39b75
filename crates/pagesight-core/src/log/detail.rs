//! Writes everything about one request, or one message of the console, within a token budget.

use serde::Serialize;
use serde_json::Value;

use super::json_outline::outline;
use super::mask;
use super::model::{CodePosition, ConsoleEntry, LogEntry, LogRecord, RequestEntry};
use super::render::{bytes, file_and_line, line, short_url};
use super::select::line_of;
use crate::text::{escape, tokens};

/// The longest text of a body that is written, in characters.
const BODY_TEXT: usize = 4_000;
/// The longest value of a header that is written, in characters.
const HEADER_TEXT: usize = 200;
/// The parts of the budget that headers and bodies get, in the order they are printed.
const SHARES: [usize; 4] = [15, 25, 15, 45];

/// A body.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyContent {
    /// There is none.
    None,
    /// A text.
    Text(String),
    /// Not a text; its length in bytes, if it is known.
    Binary(Option<u64>),
    /// It cannot be had, and why.
    Unavailable(String),
}

/// One request and its bodies.
#[derive(Debug)]
pub struct RequestDetail<'l> {
    /// The entry of the log.
    pub entry: &'l LogEntry,
    /// The calls that led to it, in the original sources where there are maps.
    pub initiator: Vec<CodePosition>,
    /// The body of the request.
    pub sent: BodyContent,
    /// The body of the response.
    pub received: BodyContent,
}

impl RequestDetail<'_> {
    /// Writes it. `page` is the address of the page.
    pub fn render(&self, page: &str, max_tokens: usize) -> String {
        let LogRecord::Request(request) = &self.entry.record else { return String::new() };
        let mut head = vec![line(&line_of(self.entry), page, 600)];
        if short_url(&request.url, page) != request.url {
            head.push(format!("url: {}", escape::safe(&request.url, 300)));
        }
        for redirect in &request.redirects {
            let to = escape::safe(&short_url(&redirect.to, page), 200);
            head.push(format!("redirected: {} → {to}", redirect.status));
        }
        head.extend(timing(request));
        head.extend(stack("initiator", &self.initiator));
        let sections = [
            headers("request headers", &request.sent),
            body("request body", &self.sent, header(&request.sent, "content-type")),
            headers("response headers", &request.received),
            body("response body", &self.received, Some(request.media_type.as_str())),
        ];
        within(head, sections, max_tokens)
    }
}

/// One message of the console.
#[derive(Debug, Serialize)]
pub struct ConsoleDetail<'l> {
    /// The entry of the log.
    #[serde(skip)]
    pub entry: &'l LogEntry,
    /// The calls that led to it, in the original sources where there are maps.
    pub stack: Vec<CodePosition>,
}

impl ConsoleDetail<'_> {
    /// Writes it.
    pub fn render(&self, page: &str, max_tokens: usize) -> String {
        let mut shown = line_of(self.entry);
        (shown.position, shown.count) = (self.stack.first().cloned(), self.entry.count);
        let head = vec![line(&shown, page, 2_000)];
        let calls = match &self.entry.record {
            LogRecord::Console(ConsoleEntry { .. }) => stack("called from", &self.stack),
            LogRecord::Request(_) => None,
        };
        let lines = calls.into_iter().collect();
        within(head, [lines, Vec::new(), Vec::new(), Vec::new()], max_tokens)
    }
}

fn timing(request: &RequestEntry) -> Option<String> {
    let phase = |name: &str, time: Option<f64>| time.map(|ms| format!("{name} {} ms", ms.round()));
    let phases = [
        phase("connecting", request.timing.connect),
        phase("waiting", request.timing.wait),
        phase("receiving", request.timing.receive),
    ];
    let phases: Vec<String> = phases.into_iter().flatten().collect();
    (!phases.is_empty()).then(|| format!("timing: {}", phases.join(", ")))
}

fn stack(name: &str, calls: &[CodePosition]) -> Option<String> {
    let call = |position: &CodePosition| match position.function.is_empty() {
        true => file_and_line(position),
        false => format!("{} in {}", file_and_line(position), escape::word(&position.function, 60)),
    };
    let calls: Vec<String> = calls.iter().take(8).map(call).collect();
    (!calls.is_empty()).then(|| format!("{name}: {}", calls.join(", ")))
}

fn headers(title: &str, headers: &[(String, String)]) -> Vec<String> {
    if headers.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("{title}:")];
    for (name, value) in headers {
        let name = escape::word(name, 80);
        lines.push(format!("  {name}: {}", escape::safe(value, HEADER_TEXT)));
    }
    lines
}

fn header<'h>(headers: &'h [(String, String)], wanted: &str) -> Option<&'h str> {
    let found = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    found.map(|(_, value)| value.as_str())
}

fn body(title: &str, content: &BodyContent, media_type: Option<&str>) -> Vec<String> {
    let media_type = media_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    let kind = match media_type.is_empty() {
        true => String::new(),
        false => format!(" of {}", escape::safe(media_type, 60)),
    };
    let text = match content {
        BodyContent::None => return Vec::new(),
        BodyContent::Unavailable(why) => {
            return vec![format!("{title}: {}", escape::sentence(why))];
        }
        BodyContent::Binary(Some(size)) => {
            return vec![format!("{title}: {}{kind}, not a text", bytes(*size))];
        }
        BodyContent::Binary(None) => return vec![format!("{title}: not a text{kind}")],
        BodyContent::Text(text) => text,
    };
    if text.is_empty() {
        return vec![format!("{title}: empty")];
    }
    let size = bytes(text.len() as u64);
    let mut lines = vec![format!("{title}: {size}{kind}")];
    match serde_json::from_str::<Value>(text) {
        Ok(mut value) if value.is_object() || value.is_array() => {
            mask::json(&mut value);
            lines.extend(outline(&value).into_iter().map(|line| format!("  {line}")));
        }
        _ if media_type.ends_with("x-www-form-urlencoded") => {
            lines.extend(fields(mask::form(text)));
        }
        _ if media_type.eq_ignore_ascii_case("multipart/form-data") => {
            // Without its parts nothing says which of it is secret.
            lines.extend(mask::multipart(text).into_iter().flat_map(fields));
        }
        _ => {
            // Masked before it is cut, so that a cut secret is masked, too.
            let start: String = text.chars().take(BODY_TEXT * 2).collect();
            lines.push(format!("  {}", escape::text(&mask::text(&start), BODY_TEXT)));
        }
    }
    lines
}

fn fields(pairs: Vec<String>) -> impl Iterator<Item = String> {
    pairs.into_iter().map(|pair| format!("  {}", escape::text(&pair, HEADER_TEXT)))
}

/// Cuts sections to the budget. What a section does not need is left to the others.
fn within(head: Vec<String>, sections: [Vec<String>; 4], max_tokens: usize) -> String {
    let cost = |line: &String| tokens::count(line) + 1;
    let mut text = String::new();
    let mut left = max_tokens;
    for line in head {
        let line = match cost(&line) <= left {
            true => line,
            false => shortened(&line, left),
        };
        if !line.is_empty() {
            left = left.saturating_sub(cost(&line));
            text.push_str(&line);
            text.push('\n');
        }
    }
    let sizes = sections.each_ref().map(|lines| lines.iter().map(cost).sum::<usize>());
    let mut rooms = [0; 4];
    let (mut room, mut open) = (left, [true; 4]);
    // Each round gives at least one section all that it needs, or ends.
    for _ in 0..4 {
        let weights: usize = (0..4).filter(|at| open[*at]).map(|at| SHARES[at]).sum();
        let share = |at: usize| room * SHARES[at] / weights.max(1);
        let small: Vec<usize> = (0..4).filter(|at| open[*at] && sizes[*at] <= share(*at)).collect();
        if small.is_empty() {
            (0..4).filter(|at| open[*at]).for_each(|at| rooms[at] = share(at));
            break;
        }
        for at in small {
            (rooms[at], open[at]) = (sizes[at], false);
            room -= sizes[at];
        }
    }
    for (lines, room) in sections.into_iter().zip(rooms) {
        text.push_str(&cut(lines, room));
    }
    text
}

/// Returns the start of a line that does not fit; empty if there is no room for any of it.
fn shortened(line: &str, room: usize) -> String {
    const LEAST: usize = 8;
    let mut length = line.chars().count();
    let mut needed = tokens::count(line) + 1;
    while room >= LEAST && length > 0 {
        // One less in any case, so that it ends.
        length = (length * (room - 2) / needed).min(length - 1);
        let start = line.chars().take(length).collect::<String>() + "…";
        needed = tokens::count(&start) + 1;
        if needed <= room {
            return start;
        }
    }
    String::new()
}

/// Returns the lines that fit; counts the others.
fn cut(lines: Vec<String>, room: usize) -> String {
    const COUNT: usize = 10;
    let all: usize = lines.iter().map(|line| tokens::count(line) + 1).sum();
    let mut left = if all <= room { room } else { room.saturating_sub(COUNT) };
    let (mut text, mut rest) = (String::new(), 0);
    for line in lines {
        let needed = tokens::count(&line) + 1;
        if rest == 0 && needed <= left {
            left -= needed;
            text.push_str(&format!("{line}\n"));
        } else if rest == 0 && left > 30 {
            // One long line, such as a body: its start fits.
            let length = line.chars().count() * (left - 5) / needed;
            let start: String = line.chars().take(length).collect();
            left = 0;
            rest += 1;
            text.push_str(&format!("{start}…\n"));
        } else {
            rest += 1;
        }
    }
    match rest {
        0 => text,
        _ if room < COUNT => text,
        1 => text + "  … 1 more line\n",
        rest => text + &format!("  … {rest} more lines\n"),
    }
}
