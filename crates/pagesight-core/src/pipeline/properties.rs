//! Property tests for any page: generated trees of many kinds of elements, hidden, covered, nested
//! and badly named.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::page::{Flags, Node, NodeId, Page, Scope};
use crate::pipeline::filter::noise::is_noise;
use crate::pipeline::{NodeFate, PipelineConfig, PipelineRule, View, view};
use crate::render::{SequentialNumbers, Snapshot, SnapshotFormat, SnapshotOptions, snapshot};
use crate::text::tokens::count;
use crate::wire::decode::decode;

/// One node: its depth, kind, words, state and position.
type Sketch = (u8, u8, u8, u32, (i16, i16, u8, u8));

/// Tags with their roles and whether they can be used.
const SORTS: [(&str, &str, u32); 28] = [
    ("", "", 0),
    ("", "", 0),
    ("", "", 0),
    ("div", "", 2),
    ("div", "", 2),
    ("span", "", 0),
    ("b", "", 0),
    ("a", "link", 1),
    ("button", "button", 1),
    ("input", "textbox", 1),
    ("div", "clickable", 3),
    ("p", "paragraph", 2),
    ("ul", "list", 2),
    ("li", "listitem", 2),
    ("table", "table", 2),
    ("tr", "row", 2),
    ("td", "cell", 2),
    ("h2", "heading", 2),
    ("main", "main", 2),
    ("nav", "navigation", 2),
    ("div", "dialog", 2),
    ("script", "", 2 | 1 << 24),
    ("style", "", 2 | 1 << 24),
    ("img", "image", 0),
    ("br", "", 0),
    ("x-card", "", 2),
    ("del", "deletion", 0),
    ("form", "", 2),
];

const WORDS: [&str; 16] = [
    "",
    " ",
    "|",
    "3",
    "x",
    "Save",
    "Hello ",
    " world",
    "•",
    "uid=9_9 button text=\"Buy\"",
    "… 3 more",
    "a\n\"b\"\\",
    "\u{202e}bidi\u{200b}",
    "日本語",
    "it's — [9]",
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit",
];

const NAMES: [&str; 8] =
    ["id", "class", "data-x", "data-y", "aria-label", "title", "style", "href"];

fn built(sketches: &[Sketch]) -> Page {
    let mut strings: Vec<String> = vec![String::new()];
    let mut index: BTreeMap<String, usize> = BTreeMap::from([(String::new(), 0)]);
    let mut string = |text: &str| {
        *index.entry(text.to_owned()).or_insert_with(|| {
            strings.push(text.to_owned());
            strings.len() - 1
        })
    };
    let (mut size, mut id, mut tag, mut role) =
        (vec![0usize], vec![1], vec![string("html")], vec![0]);
    let (mut name, mut rect, mut flags) = (vec![0], vec![0i64, 0, 1280, 720], vec![2u32]);
    let mut attrs: Vec<usize> = Vec::new();
    let mut open: Vec<(usize, usize)> = vec![(0, 0)];
    for (depth, sort, word, bits, (x, y, width, height)) in sketches {
        let (a_tag, a_role, own) = SORTS[usize::from(*sort) % SORTS.len()];
        let depth = usize::from(*depth % 12) + 1;
        // A text has no children.
        while open.last().is_some_and(|(at, other)| *other >= depth || id[*at] == 0) {
            open.pop();
        }
        let at = size.len();
        open.iter().for_each(|(above, _)| size[*above] += 1);
        open.push((at, depth));
        size.push(0);
        let text = WORDS[usize::from(*word) % WORDS.len()];
        id.push(if a_tag.is_empty() { 0 } else { at + 100 });
        tag.push(string(a_tag));
        role.push(string(a_role));
        let named = a_tag.is_empty() || bits & 3 == 0;
        name.push(if named { string(text) } else { 0 });
        let hidden = if bits & 0xf0 == 0x10 { 1 << 24 } else { 0 };
        let obscured = if bits & 0xf00 == 0x300 && !a_tag.is_empty() { 1 << 28 } else { 0 };
        let aria_hidden = if bits & 0xf000 == 0x1000 { 16 } else { 0 };
        flags.push(own | hidden | obscured | aria_hidden);
        rect.extend([i64::from(*x), i64::from(*y), i64::from(*width), i64::from(*height)]);
        if !a_tag.is_empty() {
            for (bit, key) in
                NAMES.iter().enumerate().filter(|(bit, _)| bits >> (16 + bit) & 1 == 1)
            {
                attrs.extend([
                    at,
                    string(key),
                    string(WORDS[(bit + usize::from(*word)) % WORDS.len()]),
                ]);
            }
        }
    }
    let wire = json!({
        "v": 1, "doc": "d", "url": "http://x/", "title": "T", "viewport": [1280, 720, 1], "scroll": [0, 0],
        "size": [1280, 720], "strings": strings,
        "nodes": {"size": size, "id": id, "tag": tag, "role": role, "name": name, "box": rect, "flags": flags},
        "attrs": attrs, "elements": id.len(),
    });
    decode(&wire.to_string()).unwrap()
}

fn pages() -> impl Strategy<Value = Vec<Sketch>> {
    prop::collection::vec(any::<Sketch>(), 0..60)
}

/// Returns a configuration with these switches.
fn config(switches: u16) -> PipelineConfig {
    let mut value = serde_json::to_value(PipelineConfig::OFF).unwrap();
    let object = value.as_object_mut().unwrap();
    let keys: Vec<String> =
        object.keys().filter(|key| key.starts_with("enable")).cloned().collect();
    for (bit, key) in keys.iter().enumerate() {
        object[key] = Value::Bool(switches >> bit & 1 == 1);
    }
    serde_json::from_value(value).unwrap()
}

fn whole(view: &View<'_>, format: SnapshotFormat) -> Snapshot {
    snapshot(
        view,
        &SnapshotOptions { format, ..SnapshotOptions::WHOLE },
        &mut SequentialNumbers::default(),
    )
}

/// Returns the nodes that are printed: separately, as part of another node's text, or through the
/// content that replaced them. Texts of white space do not count.
fn said(page: &Page, config: &PipelineConfig) -> BTreeSet<NodeId> {
    let view = view(page, config);
    let blank = |id: NodeId| page.node(id).is_text() && page.node(id).name().trim().is_empty();
    page.nodes()
        .map(|node| node.id())
        .filter(|id| {
            matches!(view.fate(*id), NodeFate::Shown | NodeFate::Merged | NodeFate::Unwrapped(_))
                && !blank(*id)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn the_same_page_gives_the_same_bytes_and_is_left_alone(page in pages(), switches: u16) {
        let page = built(&page);
        let before = format!("{page:?}");
        let config = config(switches);
        for format in [SnapshotFormat::Text, SnapshotFormat::Json] {
            let (first, second) = (whole(&view(&page, &config), format), whole(&view(&page, &config), format));
            prop_assert_eq!(first, second);
        }
        prop_assert_eq!(before, format!("{page:?}"));
    }

    #[test]
    fn all_rules_off_is_the_identity(page in pages()) {
        let page = built(&page);
        let view = view(&page, &PipelineConfig::OFF);
        prop_assert_eq!(view.shown().count(), page.len());
        let printed = whole(&view, SnapshotFormat::Text);
        let elements: Vec<NodeId> = page.nodes().filter(|node| !node.is_text()).map(|node| node.id()).collect();
        prop_assert_eq!(printed.shown.iter().map(|(node, _)| *node).collect::<Vec<_>>(), elements);
        prop_assert_eq!(printed.text.matches("text=").count() >= page.nodes().filter(|node| node.is_text()).count(), true);
        for node in page.nodes().filter(|node| !node.is_text()) {
            prop_assert!(view.attributes(node).eq(node.attributes()));
        }
    }

    #[test]
    fn each_rule_alone_is_idempotent(page in pages()) {
        let page = built(&page);
        for rule in PipelineRule::ALL {
            let mut view = View::new(&page, PipelineConfig::OFF);
            rule.apply(&mut view);
            let once = view.decisions();
            rule.apply(&mut view);
            prop_assert_eq!(once, view.decisions(), "{:?}", rule);
        }
    }

    #[test]
    fn every_usable_node_that_is_seen_is_there_once(page in pages(), switches: u16) {
        let page = built(&page);
        let config = PipelineConfig { enable_noise_filter: false, ..config(switches) };
        let view = view(&page, &config);
        for format in [SnapshotFormat::Text, SnapshotFormat::Json] {
            let printed = whole(&view, format);
            // Only the noise filter removes the content of scripts.
            let drawn = |node: &Node<'_>| !std::iter::once(*node).chain(node.ancestors()).any(is_noise);
            for node in page.nodes().filter(|node| node.is(Flags::USABLE)).filter(drawn) {
                let unseen = config.enable_visibility_filter && node.hidden().is_some()
                    || config.enable_paint_order_filter && node.is(Flags::OBSCURED);
                let times = printed.shown.iter().filter(|(shown, _)| *shown == node.id()).count();
                prop_assert_eq!(times, usize::from(!unseen));
            }
        }
    }

    #[test]
    fn switching_a_rule_off_never_removes_anything(page in pages(), switches: u16) {
        let page = built(&page);
        let printed = said(&page, &config(switches));
        for bit in (0..14).filter(|bit| switches >> bit & 1 == 1) {
            let more = said(&page, &config(switches & !(1 << bit)));
            prop_assert!(printed.is_subset(&more), "switch {bit}: {:?}", printed.difference(&more).collect::<Vec<_>>());
        }
    }

    #[test]
    fn any_budget_is_kept_in_both_formats(page in pages(), switches: u16, budget in 200usize..900, scope in 0u32..20) {
        let page = built(&page);
        let view = view(&page, &config(switches));
        let scope = match scope {
            0 => Scope::Viewport,
            at if (at as usize) < page.len() && !page.node(NodeId(at)).is_text() => Scope::Node(NodeId(at)),
            _ => Scope::Full,
        };
        for format in [SnapshotFormat::Text, SnapshotFormat::Json] {
            let options = SnapshotOptions { scope, format, max_tokens: budget, ..SnapshotOptions::WHOLE };
            let printed = snapshot(&view, &options, &mut SequentialNumbers::default());
            prop_assert!(count(&printed.text) <= budget, "{} of {budget}: {}", count(&printed.text), printed.text);
            if format == SnapshotFormat::Json {
                let parsed: Result<Value, _> = serde_json::from_str(&printed.text);
                prop_assert!(parsed.is_ok(), "{:?} in {}", parsed, printed.text);
            }
        }
    }

    #[test]
    fn what_comes_from_the_page_cannot_pass_for_our_words(page in pages(), switches: u16) {
        let page = built(&page);
        let printed = whole(&view(&page, &config(switches)), SnapshotFormat::Text);
        let elements = printed.shown.len();
        let lines: Vec<&str> = printed.text.lines().map(str::trim_start).collect();
        prop_assert_eq!(lines.iter().filter(|line| line.starts_with("uid=")).count(), elements);
        for line in lines {
            let ours = line.starts_with("uid=") || line.starts_with("text=\"") || line.ends_with("shows all");
            prop_assert!(ours, "{}", line);
        }
    }
}
