//! The code that the fuzzer runs on arbitrary bytes: the decoder, and the pipeline with both
//! renderers, over pages that the decoder accepts or over a tree made from the bytes.
//! `crates/pagesight-core/tests/fuzz_corpus.rs`, which is part of `./test`, replays the corpus.

#![allow(dead_code, unreachable_pub, reason = "each user of this file uses a part of it")]

use pagesight_core::page::Page;
use pagesight_core::pipeline::{PipelineConfig, view};
use pagesight_core::render::{
    OutlineOptions, SequentialNumbers, SnapshotFormat, SnapshotOptions, outline, snapshot,
};
use pagesight_core::text::tokens::count;
use pagesight_core::wire::decode;
use serde_json::json;

/// Decodes any bytes: the result is a page or an error, never a panic.
pub fn decode(data: &[u8]) {
    if let Some(page) = std::str::from_utf8(data).ok().and_then(|text| decode::decode(text).ok()) {
        views(&page, &PipelineConfig::DEFAULT, 300);
        views(&page, &PipelineConfig::OFF, 300);
    }
}

/// Runs the pipeline on a tree. The first four bytes are switches and budget; then each node has
/// five: depth, tag, words, flags, attribute.
pub fn pipeline(data: &[u8]) {
    let Some((head, rest)) = data.split_first_chunk::<4>() else { return };
    let mut config = serde_json::to_value(PipelineConfig::OFF).unwrap_or_default();
    let switches = u16::from_le_bytes([head[0], head[1]]);
    if let Some(object) = config.as_object_mut() {
        let keys: Vec<String> =
            object.keys().filter(|key| key.starts_with("enable")).cloned().collect();
        for (bit, key) in keys.into_iter().enumerate() {
            object.insert(key, (switches >> bit & 1 == 1).into());
        }
    }
    let Ok(config) = serde_json::from_value(config) else { return };
    if let Some(page) = tree(rest) {
        views(&page, &config, 200 + usize::from(u16::from_le_bytes([head[2], head[3]])) % 800);
    }
}

const TAGS: [&str; 16] = [
    "", "", "div", "span", "a", "button", "p", "ul", "li", "td", "script", "br", "img", "x-y",
    "h1", "#comment",
];
const ROLES: [&str; 16] = [
    "",
    "",
    "",
    "",
    "link",
    "button",
    "paragraph",
    "list",
    "listitem",
    "cell",
    "",
    "",
    "image",
    "",
    "heading",
    "",
];
const WORDS: [&str; 8] =
    ["", " ", "x", "|", "Save", "uid=1_1 a", "… \u{202e}\"\\\n", "Lorem ipsum dolor sit amet"];
const KEYS: [&str; 8] =
    ["id", "class", "data-x", "aria-label", "title", "href", "type", "a b=\"c\""];

fn tree(data: &[u8]) -> Option<Page> {
    let strings: Vec<&str> =
        [""].into_iter().chain(TAGS).chain(ROLES).chain(WORDS).chain(KEYS).collect();
    let place = |text: &str| strings.iter().position(|known| *known == text).unwrap_or(0);
    let (mut size, mut id, mut tag, mut role) =
        (vec![0usize], vec![1usize], vec![place("div")], vec![0usize]);
    let (mut name, mut flags, mut attrs) = (vec![0usize], vec![2u32], Vec::new());
    let mut open: Vec<(usize, u8)> = vec![(0, 0)];
    let (nodes, _) = data.as_chunks::<5>();
    for [depth, sort, word, bits, key] in nodes.iter().take(2_000) {
        let depth = depth % 40 + 1;
        while open.last().is_some_and(|(at, other)| *other >= depth || id[*at] == 0) {
            open.pop();
        }
        let at = size.len();
        open.iter().for_each(|(above, _)| size[*above] += 1);
        open.push((at, depth));
        let sort = usize::from(*sort % 16);
        size.push(0);
        id.push(if TAGS[sort].is_empty() { 0 } else { at + 1 });
        tag.push(place(TAGS[sort]));
        role.push(place(ROLES[sort]));
        name.push(place(WORDS[usize::from(*word % 8)]));
        let bits = u32::from(*bits);
        flags.push(
            bits & 3
                | (bits >> 2 & 1) << 4
                | (bits >> 3 & 1) << 24
                | (bits >> 4 & 1) << 28
                | (bits >> 5 & 1) << 23,
        );
        if !TAGS[sort].is_empty() && key & 8 == 8 {
            attrs.extend([
                at,
                place(KEYS[usize::from(*key % 8)]),
                place(WORDS[usize::from(*key >> 4) % 8]),
            ]);
        }
    }
    let boxes: Vec<i32> = (0..size.len() * 4).map(|at| (at % 977) as i32 - 99).collect();
    let count = size.len();
    let wire = json!({
        "v": 1, "doc": "d", "url": "", "title": "", "viewport": [1280, 720, 1], "scroll": [0, 0], "size": [1, 1], "strings": strings,
        "nodes": {"size": size, "id": id, "tag": tag, "role": role, "name": name, "box": boxes, "flags": flags},
        "attrs": attrs, "elements": count,
    });
    decode::decode(&wire.to_string()).ok()
}

/// Checks that every view keeps its budget and its format.
fn views(page: &Page, config: &PipelineConfig, max_tokens: usize) {
    let view = view(page, config);
    for format in [SnapshotFormat::Text, SnapshotFormat::Json] {
        let options = SnapshotOptions { format, max_tokens, ..SnapshotOptions::WHOLE };
        let printed = snapshot(&view, &options, &mut SequentialNumbers::default());
        assert!(
            count(&printed.text) <= max_tokens,
            "{} tokens of {max_tokens}",
            count(&printed.text)
        );
        let readable = format == SnapshotFormat::Text
            || serde_json::from_str::<serde_json::Value>(&printed.text).is_ok();
        assert!(readable, "no JSON: {}", printed.text);
    }
    let options = OutlineOptions { max_tokens, ..OutlineOptions::default() };
    let printed = outline(page, &options, &mut SequentialNumbers::default()).text;
    assert!(count(&printed) <= max_tokens, "{} tokens of {max_tokens}", count(&printed));
}
