//! Records the events of a tab in its log. Secrets are left out before anything is kept.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{ConsoleLevel, ConsoleMessage, RequestKind, ResponseHead, ScriptFrame};
use pagesight_core::log::{
    CodePosition, ConsoleEntry, LogId, LogLevel, PageLog, RequestEntry, RequestOutcome,
    RequestRedirect, mask,
};
use pagesight_core::text::address::{display, without_values};

/// How many addresses of scripts are remembered.
const MOST_SCRIPTS: usize = 2_000;
/// The longest address of a script that is remembered, in bytes.
const SCRIPT_URL_LENGTH: usize = 500;
/// The longest address that is kept, in characters.
const URL_LENGTH: usize = 300;
/// How many redirects of a request are kept.
const MOST_REDIRECTS: usize = 20;
/// How many requests may have headers before their start is reported.
const MOST_EARLY: usize = 100;

/// The log of a tab.
#[derive(Default)]
pub(crate) struct TabLog {
    pub(crate) entries: PageLog,
    /// Texts that many entries share.
    shared: HashSet<Arc<str>>,
    /// Scripts that the tab loaded, with the engine's id of the request.
    scripts: HashMap<String, String>,
    /// The addresses of scripts that are being loaded, by the engine's id of the request.
    loading: HashMap<String, String>,
    /// Headers of requests whose start was not reported yet: of the request, of the response.
    early: HashMap<String, EarlyHeaders>,
}

/// Headers that the browser reported before the start of their request.
#[derive(Default)]
struct EarlyHeaders {
    sent: Vec<(String, String)>,
    received: Vec<(String, String)>,
}

impl TabLog {
    /// Records a message of the console; returns its number and its text.
    pub(crate) fn console(&mut self, message: ConsoleMessage, at: Duration) -> (LogId, String) {
        let level = match message.level {
            ConsoleLevel::Debug => LogLevel::Debug,
            ConsoleLevel::Log => LogLevel::Log,
            ConsoleLevel::Info => LogLevel::Info,
            ConsoleLevel::Warning => LogLevel::Warning,
            ConsoleLevel::Error => LogLevel::Error,
        };
        let text = mask::text(&message.text);
        let stack = self.stack(message.stack);
        (self.entries.console(ConsoleEntry { level, text: text.clone(), stack }, at), text)
    }

    /// Records a request that began.
    pub(crate) fn started(
        &mut self,
        (id, kind, framed): (&str, RequestKind, bool),
        (method, url): (&str, &str),
        initiator: Vec<ScriptFrame>,
        at: Duration,
    ) {
        // An address with a secret is not fetched again for a source map.
        if kind == RequestKind::Script && url.len() <= SCRIPT_URL_LENGTH && display(url) == url {
            if self.loading.len() >= MOST_SCRIPTS {
                self.loading.clear();
            }
            self.loading.insert(id.to_owned(), url.to_owned());
        }
        let EarlyHeaders { sent, received } = self.early.remove(id).unwrap_or_default();
        let entry = RequestEntry {
            sent,
            received,
            engine_id: id.to_owned(),
            method: method.chars().take(20).collect(),
            url: shown(url),
            kind: match kind {
                RequestKind::Document if framed => "frame",
                RequestKind::Document => "document",
                RequestKind::Script => "script",
                RequestKind::Style => "style",
                RequestKind::Fetch => "fetch",
                RequestKind::Image => "image",
                RequestKind::Font => "font",
                RequestKind::Other => "",
            },
            initiator: self.stack(initiator),
            ..RequestEntry::default()
        };
        self.entries.request(entry, at);
    }

    /// Records the headers of a request.
    pub(crate) fn sent(&mut self, id: &str, headers: Vec<(String, String)>) {
        let mut headers = masked(headers);
        let known = self.entries.change(id, |entry| {
            // The browser reports them twice; one of the lists is not complete.
            if headers.len() > entry.sent.len() {
                entry.sent = std::mem::take(&mut headers);
            }
        });
        if known.is_none() {
            self.early(id).sent = headers;
        }
    }

    fn early(&mut self, id: &str) -> &mut EarlyHeaders {
        if self.early.len() >= MOST_EARLY {
            self.early.clear();
        }
        self.early.entry(id.to_owned()).or_default()
    }

    pub(crate) fn redirected(&mut self, id: &str, status: u16, url: &str) {
        self.entries.change(id, |entry| {
            entry.received = Vec::new();
            if entry.redirects.len() < MOST_REDIRECTS {
                entry.redirects.push(RequestRedirect { status, to: shown(url) });
            }
        });
    }

    /// Records the head of a response. Without a status, only its headers are known, but better.
    pub(crate) fn responded(&mut self, id: &str, head: ResponseHead) {
        if head.status == 0 {
            let mut headers = masked(head.headers);
            let known =
                self.entries.change(id, |entry| entry.received = std::mem::take(&mut headers));
            if known.is_none() {
                self.early(id).received = headers;
            }
            return;
        }
        self.entries.change(id, |entry| {
            entry.status = Some(head.status);
            entry.media_type = head.media_type;
            (entry.timing.connect, entry.timing.wait) = (head.connect, head.wait);
            if entry.received.is_empty() {
                entry.received = masked(head.headers);
            }
        });
    }

    /// Records whether the page reads the body of a response.
    pub(crate) fn body(&mut self, id: &str, read: bool) {
        self.entries.change(id, |entry| {
            entry.outcome = match read {
                true => RequestOutcome::Pending,
                false => RequestOutcome::BodyNotRead,
            };
        });
    }

    /// Records the end of a request; returns its number.
    pub(crate) fn finished(
        &mut self,
        id: &str,
        status: Option<u16>,
        size: Option<u64>,
        duration: Option<Duration>,
    ) -> Option<LogId> {
        let mut loaded = None;
        let known = self.entries.change(id, |entry| {
            entry.status = status.or(entry.status);
            loaded = entry.status;
            entry.outcome = RequestOutcome::Finished;
            (entry.size, entry.duration) = (size, duration);
            let before =
                entry.timing.connect.unwrap_or_default() + entry.timing.wait.unwrap_or_default();
            let rest = duration.map(|time| time.as_secs_f64() * 1e3 - before);
            entry.timing.receive = rest.filter(|rest| entry.timing.wait.is_some() && *rest >= 0.0);
        });
        // A script that the browser blocked, or the server refused, is not read for a source map
        // either.
        if let (Some(url), Some(200..=299 | 304)) = (self.loading.remove(id), loaded) {
            if self.scripts.len() >= MOST_SCRIPTS {
                self.scripts.clear();
            }
            self.scripts.insert(url, id.to_owned());
        }
        known
    }

    /// Records a request that failed or was cancelled; returns its number.
    pub(crate) fn failed(&mut self, id: &str, reason: &str, cancelled: bool) -> Option<LogId> {
        self.loading.remove(id);
        self.entries.change(id, |entry| {
            entry.outcome = match cancelled {
                true => RequestOutcome::Cancelled,
                false => RequestOutcome::Failed(reason.chars().take(200).collect()),
            };
        })
    }

    /// Returns the engine's id of the request for a script, if the tab loaded it from there.
    pub(crate) fn script(&self, url: &str) -> Option<&str> {
        self.scripts.get(url).map(String::as_str)
    }

    fn stack(&mut self, frames: Vec<ScriptFrame>) -> Vec<CodePosition> {
        let place = |frame: ScriptFrame| CodePosition {
            url: self.share(&display(&frame.url)),
            line: frame.line,
            column: frame.column,
            function: self.share(&frame.function),
        };
        frames.into_iter().map(place).collect()
    }

    fn share(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.shared.get(text) {
            return known.clone();
        }
        if self.shared.len() >= MOST_SCRIPTS {
            self.shared.clear();
        }
        let text: Arc<str> = text.into();
        self.shared.insert(text.clone());
        text
    }
}

fn shown(url: &str) -> String {
    let end = url.char_indices().nth(URL_LENGTH * 8).map_or(url.len(), |(at, _)| at);
    without_values(&url[..end]).chars().take(URL_LENGTH).collect()
}

fn masked(headers: Vec<(String, String)>) -> Vec<(String, String)> {
    let hide = |(name, value): (String, String)| {
        let value = mask::header(&name, &value);
        (name, value)
    };
    headers.into_iter().map(hide).collect()
}

#[cfg(test)]
mod tests {
    use pagesight_core::log::LogRecord;

    use super::*;

    fn header(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn headers_may_come_before_their_request() {
        let mut log = TabLog::default();
        let all = vec![header("cookie", "sid=abc"), header("accept", "*/*")];
        log.sent("1", all);
        let headers = vec![header("set-cookie", "sid=abc; Path=/")];
        log.responded("1", ResponseHead { headers, ..ResponseHead::default() });
        let (request, address) =
            (("1", RequestKind::Fetch, false), ("GET", "http://a/x?token=abc"));
        log.started(request, address, Vec::new(), Duration::ZERO);
        log.sent("1", vec![header("accept", "*/*")]);
        let headers = vec![header("date", "today")];
        log.responded("1", ResponseHead { status: 200, headers, ..ResponseHead::default() });
        let entry = log.entries.find(LogId::Request(1)).unwrap();
        let LogRecord::Request(request) = &entry.record else { panic!("it is a request") };
        assert_eq!(request.sent, [header("cookie", "sid=•••"), header("accept", "*/*")]);
        assert_eq!(request.received, [header("set-cookie", "sid=•••; Path=/")]);
        assert_eq!((request.url.as_str(), request.status), ("http://a/x?token=…", Some(200)));
        assert!(log.early.is_empty());
        (0..1_000).for_each(|n| log.sent(&n.to_string(), Vec::new()));
        assert!(log.early.len() <= MOST_EARLY);
    }

    #[test]
    fn only_scripts_that_were_loaded_may_have_maps() {
        let mut log = TabLog::default();
        let start = |log: &mut TabLog, id: &str, url: &str| {
            log.started((id, RequestKind::Script, false), ("GET", url), Vec::new(), Duration::ZERO);
        };
        start(&mut log, "1", "http://a/blocked.js");
        log.failed("1", "blocked", false);
        start(&mut log, "2", "http://a/missing.js");
        log.finished("2", Some(404), None, None);
        start(&mut log, "3", "http://a/app.js");
        log.finished("3", Some(200), None, None);
        start(&mut log, "4", "http://a/cached.js");
        log.finished("4", Some(304), None, None);
        let long = format!("http://a/{}.js", "x".repeat(500));
        start(&mut log, "5", &long);
        log.finished("5", Some(200), None, None);
        for (url, request) in [
            ("http://a/blocked.js", None),
            ("http://a/missing.js", None),
            ("http://a/app.js", Some("3")),
            ("http://a/cached.js", Some("4")),
            (&long, None),
        ] {
            assert_eq!(log.script(url), request, "{url}");
        }
        assert!(log.loading.is_empty());
    }
}
