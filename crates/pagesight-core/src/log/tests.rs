//! Tests the log: bounds, order, folding, choice and rendering.

use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::hint::Wording;
use crate::text::tokens;

const PAGE: &str = "http://localhost:3000/orders";

fn at(url: &str, line: u32) -> Vec<CodePosition> {
    vec![CodePosition { url: url.into(), line, column: 5, function: Arc::from("") }]
}

fn console(level: LogLevel, text: &str) -> ConsoleEntry {
    ConsoleEntry { level, text: text.to_owned(), stack: at("http://localhost:3000/app.js", 31) }
}

fn request(id: &str, url: &str) -> RequestEntry {
    RequestEntry {
        engine_id: id.to_owned(),
        method: "GET".to_owned(),
        url: url.to_owned(),
        kind: "fetch",
        initiator: at("http://localhost:3000/app.js", 88),
        ..RequestEntry::default()
    }
}

fn finish(log: &mut PageLog, id: &str, status: u16) {
    log.change(id, |entry| {
        entry.status = Some(status);
        entry.outcome = RequestOutcome::Finished;
        entry.size = Some(1_234);
        entry.duration = Some(Duration::from_millis(84));
    });
}

fn printed(log: &PageLog, query: &LogQuery, max_tokens: usize) -> String {
    lay_out(&log.select(query), query.since, PAGE, max_tokens, Wording::PLAIN).text
}

fn from_start() -> LogQuery {
    LogQuery { since: LogSince::Start, ..LogQuery::default() }
}

#[test]
fn errors_come_first_and_repeats_are_folded() {
    let mut log = PageLog::default();
    let time = Duration::ZERO;
    log.console(console(LogLevel::Log, "ready"), time);
    for n in 0..40 {
        log.console(console(LogLevel::Error, "TypeError: x is undefined"), time);
        if n % 10 == 0 {
            log.console(console(LogLevel::Log, "ready"), time);
        }
    }
    log.request(request("1", "http://localhost:3000/api/orders"), time);
    finish(&mut log, "1", 500);
    log.request(request("2", "https://cdn.example/x.js"), time);
    let text = printed(&log, &from_start(), 1_000);
    assert_eq!(
        text,
        "[e2] error: TypeError: x is undefined  app.js:31 (×40)\n\
         [r1] GET /api/orders 500 1.2 kB 84 ms  fetch from app.js:88\n\
         [e1] log: ready  app.js:31 (×5)\n\
         [r2] GET https://cdn.example/x.js pending  fetch from app.js:88\n"
    );
}

#[test]
fn two_errors_among_twelve_thousand_entries_are_printed() {
    let mut log = PageLog::default();
    for n in 0..10_000u32 {
        log.console(console(LogLevel::Log, &format!("line {n} of the log")), Duration::ZERO);
        if n % 5 == 0 {
            let id = n.to_string();
            log.request(request(&id, &format!("http://localhost:3000/api/{n}")), Duration::ZERO);
            finish(&mut log, &id, if n == 500 { 503 } else { 200 });
        }
        if n == 4_000 {
            log.console(console(LogLevel::Error, "the only error"), Duration::ZERO);
        }
    }
    let text = printed(&log, &from_start(), 1_000);
    assert!(tokens::count(&text) <= 1_000, "{}", tokens::count(&text));
    assert!(text.starts_with("[r101] GET /api/500 503 "), "{text}");
    assert!(text.contains("\n[e4002] error: the only error  app.js:31\n"), "{text}");
    // Everything is counted: 12,001 events.
    let lines = text.lines().filter(|line| line.starts_with('[')).count() as u64;
    let number = |words: &str| -> u64 {
        let line = text.lines().find(|line| line.contains(words)).unwrap_or_default();
        let digits = line.trim_start_matches("… ").split(' ').next().unwrap();
        digits.replace(',', "").parse().unwrap()
    };
    assert_eq!(lines + number(" more") + number("no longer kept"), 12_001, "{text}");
    assert!(log.bytes() < 8 << 20, "{}", log.bytes());
}

#[test]
fn the_log_of_a_tab_is_bounded() {
    let mut log = PageLog::default();
    log.set_limit(200_000);
    log.request(request("old", "http://localhost:3000/old"), Duration::ZERO);
    let long = "x".repeat(1_000);
    for n in 0..2_000 {
        log.console(console(LogLevel::Error, &format!("{n} {long}")), Duration::ZERO);
        assert!(log.bytes() <= 200_000);
    }
    let selection = log.select(&from_start());
    assert_eq!(selection.dropped + selection.lines.len() as u64, 2_001);
    assert!(log.change("old", |_| {}).is_none(), "it is not kept any more");
    assert_eq!(log.select(&from_start()).lines.len(), selection.lines.len());
}

#[test]
fn a_request_that_fails_late_is_kept() {
    let mut log = PageLog::default();
    log.request(request("slow", "http://localhost:3000/slow"), Duration::ZERO);
    for n in 0..6_000 {
        log.console(console(LogLevel::Log, &n.to_string()), Duration::ZERO);
    }
    let id = log.change("slow", |entry| {
        entry.outcome = RequestOutcome::Failed("net::ERR_TIMED_OUT".to_owned());
    });
    assert_eq!(id, Some(LogId::Request(1)));
    let text = printed(&log, &from_start(), 300);
    assert!(text.starts_with("[r1] GET /slow net::ERR_TIMED_OUT  fetch from "), "{text}");
}

#[test]
fn entries_are_chosen_by_time_kind_level_and_text() {
    let mut log = PageLog::default();
    let ids = |log: &PageLog, query: &LogQuery| -> Vec<String> {
        log.select(query).lines.iter().map(|line| line.id.to_string()).collect()
    };
    log.console(console(LogLevel::Warning, "Old"), Duration::ZERO);
    log.leaves();
    log.request(request("doc", PAGE), Duration::ZERO);
    log.arrives();
    log.console(console(LogLevel::Debug, "details"), Duration::ZERO);
    log.console(console(LogLevel::Info, "Loaded"), Duration::ZERO);
    assert_eq!(ids(&log, &LogQuery::default()), ["r1", "e2", "e3"]);
    assert_eq!(ids(&log, &from_start()), ["e1", "r1", "e2", "e3"]);
    let kind = |kind| LogQuery { kind, ..from_start() };
    assert_eq!(ids(&log, &kind(LogKind::Network)), ["r1"]);
    assert_eq!(ids(&log, &kind(LogKind::Console)), ["e1", "e2", "e3"]);
    let level = |level| LogQuery { level: Some(level), ..from_start() };
    assert_eq!(ids(&log, &level(LogLevel::Info)), ["e1", "r1", "e3"]);
    assert_eq!(ids(&log, &level(LogLevel::Warning)), ["e1"]);
    let matching = |text: &str| LogQuery { matching: Some(text.to_owned()), ..from_start() };
    assert_eq!(ids(&log, &matching("LOADED")), ["e3"]);
    assert_eq!(ids(&log, &matching("get http")), ["r1"]);
    // Since it was last read: new entries, and requests that ended since then.
    log.read();
    let last = LogQuery { since: LogSince::Last, ..LogQuery::default() };
    assert!(ids(&log, &last).is_empty());
    assert_eq!(printed(&log, &last, 200), "no log entries since the log was last read\n");
    log.console(console(LogLevel::Info, "Loaded"), Duration::ZERO);
    finish(&mut log, "doc", 200);
    assert_eq!(ids(&log, &last), ["r1", "e4"]);
    // Nothing else comes, but a request ends.
    log.request(request("late", "http://localhost:3000/late"), Duration::ZERO);
    log.read();
    assert!(ids(&log, &last).is_empty());
    finish(&mut log, "late", 503);
    assert_eq!(ids(&log, &last), ["r2"]);
    log.read();
    assert!(ids(&log, &last).is_empty());
    let text = printed(&log, &matching("nothing"), 200);
    assert_eq!(text, "no log entry of this kind since the tab was opened; there are 6 others\n");
}

#[test]
fn a_navigation_starts_a_new_list() {
    let mut log = PageLog::default();
    let ids = |log: &PageLog| -> Vec<String> {
        log.select(&LogQuery::default()).lines.iter().map(|line| line.id.to_string()).collect()
    };
    log.request(request("old", "http://localhost:3000/poll"), Duration::ZERO);
    log.console(console(LogLevel::Log, "ready"), Duration::ZERO);
    log.leaves();
    log.request(request("doc", PAGE), Duration::ZERO);
    log.arrives();
    log.change("old", |entry| entry.outcome = RequestOutcome::Cancelled);
    finish(&mut log, "doc", 200);
    assert_eq!(ids(&log), ["r2"]);
    // The same message directly after the start of a navigation is a new entry.
    log.console(console(LogLevel::Log, "left"), Duration::ZERO);
    log.leaves();
    log.console(console(LogLevel::Log, "left"), Duration::ZERO);
    log.arrives();
    assert_eq!(ids(&log), ["e3"]);
}

#[test]
fn one_request_is_described_within_its_budget() {
    let mut log = PageLog::default();
    log.request(request("1", "http://localhost:3000/api/orders?page=…"), Duration::ZERO);
    finish(&mut log, "1", 200);
    log.change("1", |entry| {
        entry
            .redirects
            .push(RequestRedirect { status: 302, to: "http://localhost:3000/v2".into() });
        entry.sent = vec![("accept".into(), "*/*".into()), ("authorization".into(), "•••".into())];
        entry.media_type = "application/json".to_owned();
        entry.timing = RequestTiming { wait: Some(70.4), ..RequestTiming::default() };
    });
    let items: Vec<_> = (0..300)
        .map(|n| serde_json::json!({"id": n, "name": "Apollo", "token": "s3cret", "tags": [1, 2]}))
        .collect();
    let body = serde_json::json!({"total": 300, "items": items}).to_string();
    let entry = log.find(LogId::Request(1)).unwrap();
    let initiator = match &entry.record {
        LogRecord::Request(request) => request.initiator.clone(),
        LogRecord::Console(_) => Vec::new(),
    };
    let detail = RequestDetail {
        entry,
        initiator,
        sent: BodyContent::None,
        received: BodyContent::Text(body),
    };
    let text = detail.render(PAGE, 1_000);
    assert_eq!(
        text,
        "[r1] GET /api/orders?page=… 302 → /v2 200 1.2 kB 84 ms  fetch from app.js:88\n\
         url: http://localhost:3000/api/orders?page=…\n\
         redirected: 302 → /v2\n\
         timing: waiting 70 ms\n\
         initiator: app.js:88\n\
         request headers:\n  accept: */*\n  authorization: •••\n\
         response body: 17 kB of application/json\n  \
           object of 2 members\n    total: 300\n    items: list of 300 items\n      \
           first: object of 4 members\n        id: 0\n        name: \"Apollo\"\n        \
           token: \"•••\"\n        tags: list of 2 items\n          1, 2\n"
    );
    let long = RequestDetail {
        received: BodyContent::Text(format!("<p>{}</p>", "word ".repeat(9_000))),
        sent: BodyContent::Unavailable("it is not available".to_owned()),
        ..detail
    };
    let text = long.render(PAGE, 300);
    assert!(tokens::count(&text) <= 300, "{}", tokens::count(&text));
    assert!(
        text.contains("\nresponse body: 45 kB of application/json\n  \"<p>word word"),
        "{text}"
    );
}

#[test]
fn a_long_message_is_shortened_and_not_left_out() {
    let mut log = PageLog::default();
    log.console(console(LogLevel::Error, &"Ünexpected wörds ".repeat(200)), Duration::ZERO);
    let entry = log.find(LogId::Console(1)).unwrap();
    for room in [20, 50, 200] {
        let text = ConsoleDetail { entry, stack: Vec::new() }.render(PAGE, room);
        assert!(text.starts_with("[e1] error: Ünexpected wörds"), "{text}");
        assert!(tokens::count(&text) <= room, "{}", tokens::count(&text));
        assert!(tokens::count(&text) >= room / 2, "{}", tokens::count(&text));
    }
}

#[test]
fn long_names_of_files_are_escaped() {
    let name = format!("http://a/{}\u{202e}\n[r1] GET /x\u{200b}.js", "x".repeat(80));
    let entry = ConsoleEntry { stack: at(&name, 3), ..console(LogLevel::Log, "a") };
    let mut log = PageLog::default();
    log.console(entry, Duration::ZERO);
    let text = printed(&log, &from_start(), 500);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(!text.contains(['\u{202e}', '\u{200b}']), "{text}");
    let name = format!("src/[r1] button: {}.ts", "y".repeat(50));
    let long = format!("src/{}{name}", "x".repeat(60));
    for name in [name, long] {
        let mut log = PageLog::default();
        let entry = ConsoleEntry { stack: at(&name, 3), ..console(LogLevel::Log, "a") };
        log.console(entry, Duration::ZERO);
        let text = printed(&log, &from_start(), 500);
        assert!(!text.contains("  src/[r1]") && text.contains(":3\n"), "{text}");
    }
}

#[test]
fn numbers_are_read() {
    assert_eq!(LogId::parse("r7"), Some(LogId::Request(7)));
    assert_eq!(LogId::parse(" [e12] "), Some(LogId::Console(12)));
    for wrong in ["", "7", "r", "x7", "r-1", "[r7", "r7]x", "e+1", "r99999999999999999999"] {
        assert_eq!(LogId::parse(wrong), None, "{wrong}");
    }
}
