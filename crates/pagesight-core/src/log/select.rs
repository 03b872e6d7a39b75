//! Chooses entries of a log and folds repeats: what is printed is decided here, how is not.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::model::{
    CodePosition, LogEntry, LogId, LogLevel, LogRecord, RequestEntry, RequestOutcome,
    RequestRedirect,
};
use super::store::PageLog;

/// Which entries are wanted, by what they are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogKind {
    /// All.
    #[default]
    All,
    /// Messages of the console.
    Console,
    /// Requests.
    Network,
}

/// Which entries are wanted, by when they came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogSince {
    /// Since the last navigation.
    #[default]
    Navigation,
    /// Since the log was last read.
    Last,
    /// Since the tab was opened or chosen.
    Start,
}

/// The entries that are wanted.
#[derive(Clone, Debug, Default)]
pub struct LogQuery {
    /// By what they are about.
    pub kind: LogKind,
    /// At least this level. A failed request is an error, another request is for information.
    pub level: Option<LogLevel>,
    /// A text that they contain, in upper or lower case.
    pub matching: Option<String>,
    /// By when they came.
    pub since: LogSince,
}

/// Entries that are printed as one line.
#[derive(Clone, Debug, Serialize)]
pub struct LogLine {
    /// The number of the first.
    pub id: LogId,
    /// Milliseconds from the start of the caller's clock to the first.
    pub at_ms: u64,
    /// How many there are.
    pub count: u64,
    /// Whether it is an error or a failed request.
    pub error: bool,
    /// The message or the request; its fields are members of the line in JSON.
    #[serde(flatten)]
    pub what: LineContent,
    /// The place in a script that it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<CodePosition>,
}

/// The content of a line: a message or a request.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LineContent {
    /// A message of the console.
    Console {
        /// Its level.
        level: LogLevel,
        /// Its text.
        text: String,
    },
    /// A request.
    Request {
        /// HTTP method.
        method: String,
        /// The address.
        url: String,
        /// The type of the resource.
        kind: &'static str,
        /// The HTTP status.
        status: Option<u16>,
        /// How it ended.
        outcome: RequestOutcome,
        /// The length of the response in bytes.
        size: Option<u64>,
        /// Milliseconds from its start to its end.
        duration_ms: Option<u64>,
        /// The redirects that it followed.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        redirects: Vec<RequestRedirect>,
    },
}

/// The chosen entries: errors and failures first, then by time.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LogSelection {
    /// One for each line.
    pub lines: Vec<LogLine>,
    /// How many entries of this time are no longer kept; the level and text of those are not known.
    pub dropped: u64,
    /// How many entries of this time were not wanted.
    pub unmatched: u64,
}

impl PageLog {
    /// Chooses entries and folds repeats.
    pub fn select(&self, query: &LogQuery) -> LogSelection {
        let mark = match query.since {
            LogSince::Navigation => self.navigated,
            LogSince::Last => self.answered,
            LogSince::Start => 0,
        };
        let wanted_text = query.matching.as_deref().map(str::to_lowercase);
        let mut selection = LogSelection::default();
        let mut known: HashMap<FoldKey<'_>, usize> = HashMap::new();
        let mut kept = 0;
        for entry in self.entries() {
            if entry.first > mark {
                kept += entry.count;
            } else if query.since != LogSince::Last || entry.changed <= self.answered_revision {
                // A request of the document before, also if it ended after the navigation.
                continue;
            }
            let of_kind = match (query.kind, &entry.record) {
                (LogKind::All, _) => true,
                (LogKind::Console, record) => matches!(record, LogRecord::Console(_)),
                (LogKind::Network, record) => matches!(record, LogRecord::Request(_)),
            };
            let fits = of_kind
                && query.level.is_none_or(|level| level_of(entry).rank() >= level.rank())
                && wanted_text.as_deref().is_none_or(|text| contains(entry, text));
            if !fits {
                selection.unmatched += entry.count;
                continue;
            }
            let at = *known.entry(FoldKey::of(entry)).or_insert_with(|| {
                selection.lines.push(line(entry));
                selection.lines.len() - 1
            });
            if selection.lines[at].id != entry.id {
                selection.lines[at].count += entry.count;
            }
        }
        selection.dropped = (self.events() - mark).saturating_sub(kept);
        selection.lines.sort_by_key(|line| !line.error);
        selection
    }
}

fn level_of(entry: &LogEntry) -> LogLevel {
    match &entry.record {
        LogRecord::Console(console) => console.level,
        LogRecord::Request(request) if request.failed() => LogLevel::Error,
        LogRecord::Request(_) => LogLevel::Info,
    }
}

/// Whether an entry contains a text, given in lower case.
fn contains(entry: &LogEntry, text: &str) -> bool {
    let has = |part: &str| part.to_lowercase().contains(text);
    let placed = |stack: &[CodePosition]| stack.first().is_some_and(|place| has(&place.url));
    match &entry.record {
        LogRecord::Console(console) => {
            has(&console.text) || has(console.level.as_str()) || placed(&console.stack)
        }
        LogRecord::Request(request) => {
            let status = request.status.map(|status| status.to_string()).unwrap_or_default();
            let reason = match &request.outcome {
                RequestOutcome::Failed(reason) => reason.as_str(),
                _ => "",
            };
            has(&format!("{} {} {status} {reason}", request.method, request.url))
                || has(request.kind)
                || request.redirects.iter().any(|redirect| has(&redirect.to))
                || placed(&request.initiator)
        }
    }
}

/// Entries with equal keys are printed as one line.
#[derive(PartialEq, Eq, Hash)]
enum FoldKey<'l> {
    Console(u8, &'l str, Option<&'l CodePosition>),
    Request(&'l str, &'l str, Option<u16>, &'l str, Option<&'l CodePosition>),
}

impl FoldKey<'_> {
    fn of(entry: &LogEntry) -> FoldKey<'_> {
        match &entry.record {
            LogRecord::Console(console) => {
                FoldKey::Console(console.level as u8, &console.text, console.stack.first())
            }
            LogRecord::Request(request) => {
                let outcome = match &request.outcome {
                    RequestOutcome::Pending => "pending",
                    RequestOutcome::BodyNotRead => "body not read",
                    RequestOutcome::Cancelled => "cancelled",
                    RequestOutcome::Finished => "",
                    RequestOutcome::Failed(reason) => reason,
                };
                let place = request.initiator.first();
                FoldKey::Request(&request.method, &request.url, request.status, outcome, place)
            }
        }
    }
}

/// Returns the line of one entry.
fn line(entry: &LogEntry) -> LogLine {
    let (what, position) = match &entry.record {
        LogRecord::Console(console) => (
            LineContent::Console { level: console.level, text: console.text.clone() },
            console.stack.first().cloned(),
        ),
        LogRecord::Request(request) => (content(request), request.initiator.first().cloned()),
    };
    LogLine {
        id: entry.id,
        at_ms: milliseconds(entry.at),
        count: entry.count,
        error: entry.is_error(),
        what,
        position,
    }
}

/// Returns the line of one entry alone.
pub(super) fn line_of(entry: &LogEntry) -> LogLine {
    LogLine { count: 1, ..line(entry) }
}

fn content(request: &RequestEntry) -> LineContent {
    LineContent::Request {
        method: request.method.clone(),
        url: request.url.clone(),
        kind: request.kind,
        status: request.status,
        outcome: request.outcome.clone(),
        size: request.size,
        duration_ms: request.duration.map(milliseconds),
        redirects: request.redirects.clone(),
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
