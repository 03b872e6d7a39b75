//! The XML is held against the rules of the schema that Jenkins and most CI systems use (`junit.xsd` of the xUnit plugin): which elements and attributes
//! there are, which are required, their types and their order.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::BytesStart;

use super::super::outcome::tests::{change, checked, compared};
use super::*;
use pagesight_core::compare::Comparison;

/// The name of an element, its attributes (`!` is required) with their types, and the elements in it in their order (`+` for text).
type Rule = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const SCHEMA: &[Rule] = &[
    (
        "testsuites",
        &[
            ("name", "text"),
            ("time", "time"),
            ("tests", "count"),
            ("failures", "count"),
            ("disabled", "count"),
            ("errors", "count"),
        ],
        &["testsuite"],
    ),
    (
        "testsuite",
        &[
            ("name!", "text"),
            ("tests!", "count"),
            ("failures", "count"),
            ("errors", "count"),
            ("time", "time"),
            ("disabled", "count"),
            ("skipped", "count"),
            ("timestamp", "date"),
            ("hostname", "text"),
            ("id", "text"),
            ("package", "text"),
        ],
        &["properties", "testcase", "system-out", "system-err"],
    ),
    (
        "testcase",
        &[
            ("name!", "text"),
            ("classname", "text"),
            ("time", "time"),
            ("assertions", "count"),
            ("status", "text"),
            ("class", "text"),
            ("file", "text"),
            ("line", "count"),
        ],
        &["skipped", "error", "failure", "system-out", "system-err"],
    ),
    ("failure", &[("type", "text"), ("message", "text")], &["+"]),
    ("error", &[("type", "text"), ("message", "text")], &["+"]),
    ("system-out", &[], &["+"]),
];

fn fits(kind: &str, value: &str) -> bool {
    match kind {
        "count" => value.parse::<u32>().is_ok(),
        "time" => value.parse::<f64>().is_ok_and(|seconds| seconds >= 0.0),
        // ISO 8601 without a zone, as the schema has it.
        "date" => value.len() == 19 && value.as_bytes()[10] == b'T' && !value.ends_with('Z'),
        _ => true,
    }
}

fn attributes(start: &BytesStart<'_>) -> BTreeMap<String, String> {
    start
        .attributes()
        .map(|attribute| {
            let attribute = attribute.unwrap();
            let value = quick_xml::escape::unescape(&attribute.value).unwrap().into_owned();
            (attribute.key.as_ref().to_owned(), value)
        })
        .collect()
}

/// Checks a document; answers with the number of each element.
fn validate(xml: &str) -> Result<BTreeMap<String, usize>, String> {
    let mut reader = Reader::from_str(xml);
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        let (start, empty) = match &event {
            Event::Start(start) => (start, false),
            Event::Empty(start) => (start, true),
            Event::End(_) => {
                open.pop();
                continue;
            }
            Event::Text(text) => {
                let inside = open.last().map_or("", |(name, _)| name.as_str());
                let texts = SCHEMA.iter().any(|(name, _, inner)| *name == inside && inner.contains(&"+"));
                let blank = text.trim().is_empty();
                if !texts && !blank {
                    return Err(format!("text in {inside}"));
                }
                continue;
            }
            Event::Eof => return Ok(counts),
            _ => continue,
        };
        let name = start.name().as_ref().to_owned();
        let (_, known, _) =
            SCHEMA.iter().find(|(known, ..)| *known == name).ok_or(format!("unknown element {name}"))?;
        match open.last_mut() {
            None if name != "testsuites" => return Err(format!("{name} is no root")),
            None => {}
            Some((around, reached)) => {
                let (.., inner) = SCHEMA.iter().find(|(known, ..)| known == around).unwrap();
                let place =
                    inner.iter().position(|inner| *inner == name).ok_or(format!("{name} in {around}"))?;
                if place < *reached {
                    return Err(format!("{name} is out of order in {around}"));
                }
                *reached = place;
            }
        }
        let given = attributes(start);
        for (attribute, value) in &given {
            let (_, kind) = known
                .iter()
                .find(|(known, _)| known.trim_end_matches('!') == attribute)
                .ok_or(format!("unknown attribute {attribute} of {name}"))?;
            if !fits(kind, value) {
                return Err(format!("{attribute}={value:?} of {name} is no {kind}"));
            }
        }
        for (required, _) in known.iter().filter(|(known, _)| known.ends_with('!')) {
            if !given.contains_key(required.trim_end_matches('!')) {
                return Err(format!("{name} has no {required}"));
            }
        }
        *counts.entry(name.clone()).or_default() += 1;
        if !empty {
            open.push((name, 0));
        }
    }
}

#[test]
fn the_file_is_valid_and_counts_right() {
    let hostile = change(Severity::Error, "Button '<b>&\"]]>\u{1b}[31m\u{0}' is gone");
    let mut run = checked(
        Severity::Error,
        vec![
            Verdict::Compared(compared(&[])),
            Verdict::Compared(Comparison { changes: vec![hostile], ..compared(&[]) }),
            Verdict::Compared(compared(&[Severity::Warning])),
            Verdict::NoBaseline,
            Verdict::Failed("it did not load\u{8}".to_owned()),
            Verdict::Saved,
        ],
    );
    run.outcomes[0].notes = vec!["try 1 failed: x; tried again".to_owned()];
    run.outcomes[1].notes = vec!["1 console error".to_owned()];
    let text = xml(&run).unwrap();
    let counts = validate(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!((counts["testcase"], counts["failure"], counts["error"], counts["system-out"]), (6, 1, 2, 3));
    assert!(text.contains("tests=\"6\" failures=\"1\" errors=\"2\""), "{text}");
    assert!(
        text.contains(
            "message=\"error: Button &apos;&lt;b&gt;&amp;&quot;]]&gt;[31m&apos; is gone (main &gt; form)\""
        ),
        "{text}"
    );
    assert!(!text.contains('\u{1b}') && !text.contains('\u{0}'));
}

#[test]
fn the_rules_see_what_is_wrong() {
    let good = xml(&checked(Severity::Error, vec![Verdict::NoBaseline])).unwrap();
    for (from, to) in [
        ("<testsuite ", "<suite "),
        (" tests=\"1\"", " tests=\"one\""),
        ("classname=", "klass="),
        ("timestamp=\"2026-01-23T10:30:45\"", "timestamp=\"yesterday\""),
        ("<error ", "<system-out/><error "),
    ] {
        let bad = good.replacen(from, to, 3);
        assert_ne!(bad, good, "{from}");
        assert!(validate(&bad).is_err(), "{bad}");
    }
}
