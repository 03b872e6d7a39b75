//! Tests the pipeline with extreme pages: too deep, too wide, too long, empty, or made of frames or
//! control characters only.

use serde_json::{Value, json};

use crate::page::{NodeId, Page, Scope};
use crate::pipeline::{PipelineConfig, view};
use crate::render::{
    OutlineOptions, SequentialNumbers, SnapshotFormat, SnapshotOptions, outline, snapshot,
};
use crate::text::tokens::count;
use crate::wire::decode::decode;

/// Makes a page from sizes, tags and texts; a node without a tag is a text.
fn page(size: Vec<usize>, tag: Vec<usize>, name: Vec<usize>, strings: Vec<String>) -> Page {
    let count = size.len();
    let id: Vec<usize> =
        tag.iter().enumerate().map(|(at, tag)| if *tag == 0 { 0 } else { at + 1 }).collect();
    let (zeros, boxes) = (vec![0; count], vec![0; count * 4]);
    let wire = json!({
        "v": 1, "doc": "d", "url": "http://x/", "title": "T", "viewport": [1280, 720, 1], "scroll": [0, 0], "size": [1280, 720],
        "strings": strings,
        "nodes": {"size": size, "id": id, "tag": tag, "role": zeros, "name": name, "box": boxes, "flags": zeros},
        "elements": count,
    });
    decode(&wire.to_string()).unwrap()
}

/// Prints every view of a page within a budget, and returns the text snapshot of the whole page.
fn tried(page: &Page) -> String {
    let mut last = String::new();
    let large = page.len() > 50_000
        || page.node(NodeId::ROOT).descendants().any(|node| node.name().len() > 1 << 20);
    for config in [PipelineConfig::DEFAULT, PipelineConfig::OFF] {
        let view = view(page, &config);
        for format in [SnapshotFormat::Text, SnapshotFormat::Json] {
            for scope in [Scope::Full, Scope::Viewport, Scope::Node(NodeId::ROOT)] {
                // Large pages are tried once in each format.
                if large && (scope != Scope::Full || config == PipelineConfig::OFF) {
                    continue;
                }
                let options =
                    SnapshotOptions { scope, format, max_tokens: 400, ..SnapshotOptions::WHOLE };
                let printed = snapshot(&view, &options, &mut SequentialNumbers::default()).text;
                assert!(count(&printed) <= 400, "{} tokens", count(&printed));
                if format == SnapshotFormat::Json {
                    serde_json::from_str::<Value>(&printed)
                        .unwrap_or_else(|error| panic!("{error}: {printed}"));
                } else if config == PipelineConfig::DEFAULT && scope == Scope::Full {
                    last = printed;
                }
            }
        }
    }
    if large {
        return last;
    }
    let options = OutlineOptions { max_tokens: 400, ..OutlineOptions::default() };
    assert!(count(&outline(page, &options, &mut SequentialNumbers::default()).text) <= 400);
    last
}

fn strings(all: &[&str]) -> Vec<String> {
    all.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_hundred_thousand_levels() {
    const DEEP: usize = 100_000;
    for tag in ["div", "section"] {
        let size = (0..=DEEP).rev().collect();
        let mut tags = vec![1; DEEP];
        tags.push(0);
        let mut names = vec![0; DEEP];
        names.push(2);
        let printed = tried(&page(size, tags, names, strings(&["", tag, "At the bottom"])));
        assert!(printed.starts_with("uid=1_1 "), "{printed}");
    }
}

#[test]
fn fifty_megabytes_of_text() {
    let text = "word ".repeat(10 << 20);
    let printed = tried(&page(
        vec![2, 1, 0],
        vec![1, 2, 0],
        vec![0, 0, 3],
        strings(&["", "html", "p", &text]),
    ));
    assert!(printed.contains("word"), "{printed}");
}

#[test]
fn half_a_million_siblings() {
    const WIDE: usize = 500_000;
    let mut size = vec![WIDE * 2];
    size.extend([1, 0].repeat(WIDE));
    let mut tag = vec![1];
    tag.extend([2, 0].repeat(WIDE));
    let mut name = vec![0];
    name.extend([0, 3].repeat(WIDE));
    let printed = tried(&page(size, tag, name, strings(&["", "html", "li", "Item"])));
    assert!(printed.contains("more"), "what was left out is counted: {printed}");
}

#[test]
fn nothing_or_only_frames() {
    let printed = tried(&page(vec![1, 0], vec![1, 2], vec![0, 0], strings(&["", "html", "body"])));
    assert_eq!(printed, "uid=1_1 html title=\"T\" url=\"http://x/\"\n  uid=1_2 body\n");
    assert!(
        tried(&page(vec![0], vec![1], vec![0], strings(&["", "html"]))).starts_with("uid=1_1 html")
    );
    let printed = tried(&page(
        vec![2, 0, 0],
        vec![1, 2, 2],
        vec![0, 0, 0],
        strings(&["", "frameset", "frame"]),
    ));
    assert_eq!(printed.matches(" frame").count(), 3, "{printed}");
}

#[test]
fn control_characters_and_halves_of_characters() {
    let odd = "\u{0}\u{1b}[31mred\u{7f}\u{85}\u{2028}\u{202e}x\u{feff}\u{fffd}\u{e000}\r\n\t\"\\";
    let printed =
        tried(&page(vec![2, 1, 0], vec![1, 2, 0], vec![0, 0, 3], strings(&["", "html", "p", odd])));
    assert!(!printed.contains(['\u{0}', '\u{1b}', '\u{202e}', '\u{feff}']), "{printed:?}");
    assert_eq!(printed.lines().count(), 2, "{printed}");
    // Half of a surrogate pair is not valid in JSON, but a page may have one.
    let half = r#"{"v":1,"doc":"d","url":"","title":"\ud83d","viewport":[1,1,1],"scroll":[0,0],"size":[1,1],"strings":["","html","\udc00"],
        "nodes":{"size":[0],"id":[1],"tag":[1],"role":[0],"name":[2],"box":[0,0,0,0],"flags":[0]},"elements":1}"#;
    let half = decode(half).unwrap();
    assert_eq!((half.title.as_str(), half.node(NodeId::ROOT).name()), ("\u{fffd}", "\u{fffd}"));
}

#[test]
fn a_tag_or_an_attribute_that_looks_like_ours_is_quoted() {
    let printed =
        tried(&page(vec![1, 0], vec![1, 2], vec![0, 3], strings(&["", "html", "uid=9_9 b", "x"])));
    assert!(printed.contains("\"uid=9_9 b\" name=\"x\""), "{printed}");
}

#[test]
fn ten_thousand_attributes_and_wrappers_that_all_have_some() {
    const MANY: usize = 10_000;
    let deep = 2_000;
    let mut all: Vec<String> = strings(&["", "div", "text"]);
    let mut attrs = Vec::new();
    for at in 0..deep {
        attrs.extend([at, all.len(), 2]);
        all.push(format!("data-a{at}"));
    }
    for _ in 0..MANY {
        attrs.extend([deep - 1, all.len(), 2]);
        all.push(format!("data-b{}", all.len()));
    }
    let size: Vec<usize> = (0..deep).rev().collect();
    let ids: Vec<usize> = (1..=deep).collect();
    let (zeros, ones, boxes) = (vec![0; deep], vec![1; deep], vec![0; deep * 4]);
    let wire = json!({
        "v": 1, "doc": "d", "url": "", "title": "", "viewport": [1, 1, 1], "scroll": [0, 0], "size": [1, 1], "strings": all,
        "nodes": {"size": size, "id": ids, "tag": ones, "role": zeros, "name": zeros, "box": boxes, "flags": vec![1; deep]},
        "attrs": attrs, "elements": deep,
    });
    tried(&decode(&wire.to_string()).unwrap());
}
