//! Plants hostile texts in every text of captured pages, and reads everything that this crate
//! prints of them: no character that cannot be seen, no command for a CI system, no forged line.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::time::Duration;

use pagesight_core::compare::{IgnoreRules, Severity, answer as compared, compare, worded};
use pagesight_core::diff::diff;
use pagesight_core::fingerprint::{Depth, FingerprintOptions, answer, extract};
use pagesight_core::hint::Wording;
use pagesight_core::log::{
    BodyContent, CodePosition, ConsoleDetail, ConsoleEntry, LogId, LogLevel, LogQuery, LogSince,
    PageLog, RequestDetail, RequestEntry, RequestOutcome, RequestRedirect, lay_out,
};
use pagesight_core::page::{Page, Scope};
use pagesight_core::pipeline::{PipelineConfig, view};
use pagesight_core::render::{
    OutlineOptions, SequentialNumbers, SnapshotFormat, SnapshotOptions, headline, line, outline,
    snapshot,
};
use pagesight_core::rows::print::{RowsFormat, RowsOptions};
use pagesight_core::rows::query::RowsQuery;
use pagesight_core::rows::{RowsRequest, read_page_rows};
use pagesight_core::text::{escape, json};
use pagesight_core::wire::decode::decode;
use pagesight_core::wire::page_file;
use serde_json::json;

#[path = "../../../tests/hostile_texts.rs"]
mod hostile_texts;

use hostile_texts::{Dice, faults_of_json, faults_of_text, own_lines, plant, text};

const CAPTURES: [&str; 3] = ["dashboard", "forms", "shop"];
const ROUNDS: u64 = 9;

/// Returns a captured page with hostile texts in place of many of its own.
fn planted(name: &str, dice: &mut Dice, lines: &[String]) -> Page {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../tests/captures/{name}.page.json"));
    page_file::read(&plant(&std::fs::read_to_string(&file).unwrap(), dice, lines)).unwrap()
}

/// Kinds of elements that the captured pages do not have: depth, tag, role. The texts and names are
/// planted; a text has no tag.
const SKETCH: [(usize, &str, &str); 30] = [
    (1, "main", "main"),
    (2, "dl", ""),
    (3, "dt", "term"),
    (4, "", ""),
    (3, "dd", "definition"),
    (4, "", ""),
    (2, "div", ""),
    (3, "span", ""),
    (4, "", ""),
    (3, "input", "slider"),
    (2, "div", "alert"),
    (3, "", ""),
    (2, "div", "dialog"),
    (3, "h2", "heading"),
    (3, "", ""),
    (2, "div", "status"),
    (3, "", ""),
    (2, "div", "progressbar"),
    (2, "iframe", ""),
    (2, "video", ""),
    (2, "canvas", ""),
    (2, "img", "image"),
    (2, "nav", "navigation"),
    (3, "a", "link"),
    (2, "ul", "list"),
    (3, "li", "listitem"),
    (4, "", ""),
    (3, "li", "listitem"),
    (4, "button", "button"),
    (2, "", ""),
];

/// Returns a page of the sketched elements.
fn sketched(dice: &mut Dice, lines: &[String]) -> Page {
    let mut strings = vec![String::new()];
    let mut string = |text: String| {
        strings.push(text);
        strings.len() - 1
    };
    let (mut size, mut id, mut tag) = (vec![SKETCH.len()], vec![1], vec![string("html".into())]);
    let (mut role, mut name, mut flags) = (vec![0], vec![0], vec![2u32]);
    let (mut boxes, mut value) = (vec![0, 0, 1280, 720], Vec::new());
    for (at, (depth, a_tag, a_role)) in SKETCH.iter().enumerate() {
        let inside = SKETCH[at + 1..].iter().take_while(|(other, ..)| other > depth).count();
        let is_text = a_tag.is_empty();
        size.push(inside);
        id.push(if is_text { 0 } else { at + 100 });
        tag.push(string((*a_tag).to_owned()));
        role.push(string((*a_role).to_owned()));
        // A field without a name is labelled by the text beside it.
        let bare = matches!(*a_tag, "input" | "div" | "span" | "dl" | "dt" | "dd");
        name.push(if bare { 0 } else { string(text(dice, lines)) });
        if *a_tag == "input" {
            value.extend([at + 1, string(text(dice, lines))]);
        }
        let usable = matches!(*a_role, "slider" | "button" | "link");
        flags.push(u32::from(usable) | if is_text || usable { 0 } else { 2 });
        boxes.extend([10, 20 * (at + 1), 300, 18]);
    }
    let title = text(dice, lines);
    let wire = json!({
        "v": 1, "doc": "d", "url": "http://x/", "title": title, "viewport": [1280, 720, 1],
        "scroll": [0, 0], "size": [1280, 720], "strings": strings, "value": value,
        "nodes": {"size": size, "id": id, "tag": tag, "role": role, "name": name, "box": boxes,
            "flags": flags},
        "elements": id.len(), "withheld": 3,
    });
    decode(&wire.to_string()).unwrap()
}

/// Collects the faults of printed texts.
struct Inspector<'l> {
    lines: &'l [String],
    faults: Vec<String>,
    printed: usize,
}

impl Inspector<'_> {
    fn text(&mut self, printer: &str, output: &str) {
        self.found(printer, output, faults_of_text(output, self.lines));
    }

    fn json(&mut self, printer: &str, output: &str) {
        self.found(printer, output, faults_of_json(output));
    }

    fn found(&mut self, printer: &str, output: &str, faults: Vec<String>) {
        self.printed += usize::from(output.contains("77777"));
        self.faults.extend(faults.into_iter().map(|fault| format!("{printer}: {fault}")));
    }
}

/// Prints a page in every form.
fn print_page(page: &Page, query: &str, seen: &mut Inspector<'_>) {
    let numbers = SequentialNumbers::default;
    for max_tokens in [300, 20_000] {
        let plain = OutlineOptions { max_tokens, links: true, ..OutlineOptions::default() };
        let unfolded = OutlineOptions { fold: false, ..plain.clone() };
        let asked = OutlineOptions { query: Some(query.to_owned()), ..plain.clone() };
        for (name, options) in [("outline", plain), ("unfolded", unfolded), ("query", asked)] {
            seen.text(name, &outline(page, &options, &mut numbers()).text);
        }
        for config in [PipelineConfig::DEFAULT, PipelineConfig::OFF] {
            let view = view(page, &config);
            for format in [SnapshotFormat::Text, SnapshotFormat::Json] {
                let options = SnapshotOptions { max_tokens, format, ..SnapshotOptions::default() };
                let taken = snapshot(&view, &options, &mut numbers()).text;
                match format {
                    SnapshotFormat::Text => seen.text("snapshot", &taken),
                    SnapshotFormat::Json => seen.json("JSON snapshot", &taken),
                }
            }
        }
    }
    for format in [RowsFormat::Text, RowsFormat::Csv, RowsFormat::Markdown, RowsFormat::Json] {
        let options = RowsOptions { format, ..RowsOptions::default() };
        let request = RowsRequest { query: &RowsQuery::default(), options, to_file: false };
        let Ok(read) = read_page_rows(page, Scope::Full, request, &mut numbers()) else { continue };
        match format {
            RowsFormat::Json => seen.json("JSON of rows", &read.text),
            _ => seen.text("rows", &read.text),
        }
    }
    for node in page.nodes().filter(|node| !node.is_text()) {
        seen.text("line", &format!("[1] {}", line(node)));
        seen.text("headline", &format!("[1] {}", headline(node)));
        let described = json!({
            "name": node.name(), "value": node.value(), "tag": node.tag(),
            "attributes": node.attributes().collect::<std::collections::BTreeMap<_, _>>(),
        });
        seen.json("element", &json::to_text(&described));
    }
}

/// Prints the differences between two pages in every form.
fn print_changes(before: &Page, after: &Page, seen: &mut Inspector<'_>) {
    let numbers = SequentialNumbers::default;
    let changes = diff(before, after);
    for max_tokens in [300, 20_000] {
        let text = changes.render(max_tokens, Wording::PLAIN, &mut numbers(), &|_| None);
        seen.text("diff", &text);
    }
    for line in changes.lines(&mut numbers(), &|_| None) {
        seen.text("line of a diff", &line);
    }
    if let Some(summary) = changes.summary(80, &mut numbers(), &|_| None) {
        seen.text("late changes", &format!("since the last answer: {summary}"));
    }
    let depth = Depth::Detailed;
    let options = FingerprintOptions { depth, ..FingerprintOptions::default() };
    let [was, now] = [before, after].map(|page| extract(page, &options));
    let comparison = compare(&was, &now, &IgnoreRules::default());
    for change in &comparison.changes {
        seen.text("description", &format!("error  {}  {}", change.description, change.location));
    }
    for worded in worded(comparison.changes.iter().enumerate()) {
        seen.text("sentence", &format!("error  {}", worded.sentence));
    }
    let reported = compared(&comparison, Severity::Info);
    seen.json("comparison", &json::to_text(&reported));
    seen.json("fingerprint", &json::to_text(&answer(&now, &[("comparison", reported)])));
}

/// Returns what the log prints of planted texts: its list, and each entry alone.
fn log_texts(dice: &mut Dice, lines: &[String]) -> Vec<String> {
    let mut plant = || text(dice, lines);
    let mut log = PageLog::default();
    let place = |url: String, function: String| CodePosition {
        url: url.into(),
        line: 3,
        column: 1,
        function: function.into(),
    };
    for level in [LogLevel::Error, LogLevel::Log] {
        let stack = vec![place(plant(), plant()), place(format!("http://x/{}", plant()), plant())];
        let entry = ConsoleEntry { level, text: plant(), stack };
        log.console(entry, Duration::ZERO);
    }
    let request = RequestEntry {
        engine_id: "1".to_owned(),
        method: plant(),
        url: plant(),
        outcome: RequestOutcome::Failed(plant()),
        initiator: vec![place(plant(), plant())],
        redirects: vec![RequestRedirect { status: 302, to: plant() }],
        sent: vec![(plant(), plant())],
        received: vec![(plant(), plant())],
        media_type: plant(),
        ..RequestEntry::default()
    };
    log.request(request, Duration::ZERO);
    let selection = log.select(&LogQuery::default());
    let list = lay_out(&selection, LogSince::Start, "http://x/", 5_000, Wording::PLAIN).text;
    let entry = log.find(LogId::Request(1)).unwrap();
    let bodies = [
        plant(),
        json!({ plant(): plant(), plant(): [{ plant(): plant() }, plant()] }).to_string(),
        json!([plant()]).to_string(),
    ];
    let details = bodies.map(|body| {
        let initiator = vec![place(plant(), plant())];
        let sent = BodyContent::Unavailable(plant());
        let received = BodyContent::Text(body);
        RequestDetail { entry, initiator, sent, received }.render("http://x/", 5_000)
    });
    let console = log.find(LogId::Console(1)).unwrap();
    let stack = vec![place(plant(), plant())];
    let console = ConsoleDetail { entry: console, stack }.render("http://x/", 5_000);
    let mut all = vec![list, console];
    all.extend(details);
    all.into_iter().map(|text| escape::lines(&text).into_owned()).collect()
}

#[test]
fn the_log_of_a_page_cannot_forge_lines() {
    let own = own_lines();
    let mut inspector = Inspector { lines: &own, faults: Vec::new(), printed: 0 };
    for seed in 0..300 {
        let mut dice = Dice(seed);
        for printed in log_texts(&mut dice, &own) {
            inspector.text("log", &printed);
        }
    }
    assert!(inspector.printed > 100, "planted texts were printed");
    assert!(
        inspector.faults.is_empty(),
        "{:#?}",
        &inspector.faults[..inspector.faults.len().min(5)]
    );
}

#[test]
fn no_printer_lets_a_page_act_or_speak_for_pagesight() {
    let lines = own_lines();
    let mut seen = Inspector { lines: &lines, faults: Vec::new(), printed: 0 };
    for round in 0..ROUNDS {
        let dice = &mut Dice(round);
        let name = CAPTURES[round as usize % CAPTURES.len()];
        let [before, after] = [planted(name, dice, &lines), planted(name, dice, &lines)];
        print_page(&after, &text(dice, &lines), &mut seen);
        print_changes(&before, &after, &mut seen);
        for _ in 0..10 {
            let [before, after] = [sketched(dice, &lines), sketched(dice, &lines)];
            print_page(&after, &text(dice, &lines), &mut seen);
            print_changes(&before, &after, &mut seen);
        }
    }
    seen.faults.sort();
    seen.faults.dedup_by_key(|fault| fault.chars().take(60).collect::<String>());
    assert!(seen.faults.is_empty(), "{}\n", seen.faults.join("\n"));
    assert!(seen.printed > 1_000, "planted texts are printed: {}", seen.printed);
}

#[test]
fn every_own_line_is_quoted_as_a_title_and_as_a_text() {
    for line in own_lines() {
        let printed = escape::safe_line(&line, 200);
        assert!(printed.starts_with('"') || !printed.starts_with(&line), "{printed}");
    }
}
