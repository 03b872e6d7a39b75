//! Prints a snapshot as JSON: one object per node. The nesting is limited, because JSON parsers
//! recurse: a node below the limit becomes a child of its ancestor at the limit and says its depth.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use super::facts::facts;
use super::model::Snapshot;
use super::text::{note, uid};
use crate::hint::{Hint, Wording};
use crate::page::{Node, NodeId};
use crate::pipeline::optimize::buckets::Bucket;
use crate::pipeline::optimize::{fields, numbers as boxes};
use crate::pipeline::{Said, View};
use crate::render::items::{Item, ItemKind, Items, parents};
use crate::render::numbers::Numbers;
use crate::text::escape;

/// How deep objects are nested.
const DEEPEST: usize = 30;

/// Prints items as one object.
pub(super) fn json(
    view: &View<'_>,
    items: &Items,
    foot: &str,
    cut: Option<usize>,
    wording: Wording,
    numbers: &mut dyn Numbers,
) -> Snapshot {
    let page = view.page();
    let (width, height) = page.viewport;
    let mut out = String::with_capacity(items.iter().map(|item| item.body.len() * 2 + 40).sum());
    let _ = write!(
        out,
        r#"{{"title":{},"url":{},"viewport":[{width},{height}]"#,
        escape::text(&page.title, 300),
        escape::text(page.url(), 300)
    );
    let mut writer = Writer {
        view,
        wording,
        roles: Bucket::default(),
        types: Bucket::default(),
        out,
        shown: Vec::new(),
    };
    if view.config().enable_metadata_bucketing {
        writer.dictionary(items);
    }
    writer.out.push_str(",\"root\":");
    writer.tree(items, numbers);
    let mut notes: Vec<String> = foot.lines().map(|line| escape::text(line, 300)).collect();
    if let Some(lines) = cut {
        let note = wording.line(format!("{lines} more nodes"), Some(&Hint::NarrowSnapshot));
        notes = vec![escape::text(&note, 300)];
    }
    if !notes.is_empty() {
        let _ = write!(writer.out, ",\"notes\":[{}]", notes.join(","));
    }
    writer.out.push_str("}\n");
    Snapshot { text: writer.out, shown: writer.shown }
}

struct Writer<'v, 'p> {
    view: &'v View<'p>,
    wording: Wording,
    roles: Bucket<'p>,
    types: Bucket<'p>,
    out: String,
    shown: Vec<(NodeId, u32)>,
}

impl<'p> Writer<'_, 'p> {
    /// Prints roles and types that occur often.
    fn dictionary(&mut self, items: &Items) {
        let view = self.view;
        let nodes =
            || items.iter().filter(|item| item.numbered).map(|item| view.page().node(item.node));
        let printed = |node: &Node<'p>| !view.said(node.id()).contains(Said::ROLE);
        self.roles = Bucket::of(nodes().filter(printed).map(|node| node.role().as_str()));
        self.types = Bucket::of(nodes().filter_map(|node| node.attribute("type")));
        let list = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| escape::text(word, 60)).collect();
            words.join(",")
        };
        let _ = write!(
            self.out,
            r#","dictionary":{{"roles":[{}],"types":[{}]}}"#,
            list(self.roles.words()),
            list(self.types.words())
        );
    }

    /// Prints the items as nested objects, without recursion.
    fn tree(&mut self, items: &Items, numbers: &mut dyn Numbers) {
        let parents = parents(items);
        let mut depths: Vec<usize> = Vec::with_capacity(items.len());
        // How many objects are open; each but the innermost has a list of children. If the budget
        // left no common root, one is added.
        let mut open = usize::from(parents.iter().filter(|parent| parent.is_none()).count() > 1);
        let start = open;
        if open > 0 {
            self.out.push_str("{\"tag\":\"#fragment\"");
        }
        for (at, item) in items.iter().enumerate() {
            let depth = parents[at].map_or(start, |above| depths[above] + 1);
            depths.push(depth);
            // The first text of an element is a member of its object.
            if at > 0
                && parents[at] == Some(at - 1)
                && item.kind == ItemKind::Text
                && items[at - 1].more.is_none()
            {
                self.text(item);
                continue;
            }
            let level = depth.min(DEEPEST);
            if level < open {
                self.out.push('}');
                for _ in level + 1..open {
                    self.out.push_str("]}");
                }
                self.out.push(',');
            } else if open > 0 {
                self.out.push_str(",\"children\":[");
            }
            open = level + 1;
            self.out.push('{');
            self.node(item, depth, numbers);
        }
        if items.is_empty() {
            self.out.push_str("{}");
        } else {
            self.out.push('}');
            for _ in 1..open {
                self.out.push_str("]}");
            }
        }
    }

    /// Writes a member of an object, with a leading comma.
    fn member(&mut self, key: &str, value: impl Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, ",\"{key}\":{value}");
    }

    fn text(&mut self, item: &Item) {
        // A shortened text ends with a note, after the string, on how much is missing.
        let (string, suffix) = item.body.split_at(item.body.rfind('"').map_or(0, |at| at + 1));
        let string = if string.is_empty() { "\"\"" } else { string };
        let _ = write!(self.out, ",\"text\":{string}");
        if !suffix.is_empty() {
            let _ = write!(self.out, ",\"cut\":{}", escape::text(suffix.trim(), 60));
        }
    }

    fn node(&mut self, item: &Item, depth: usize, numbers: &mut dyn Numbers) {
        let start = self.out.len();
        let config = *self.view.config();
        if item.numbered {
            let (snapshot, number) = numbers.uid(item.node);
            self.shown.push((item.node, number));
            let _ = write!(self.out, ",\"uid\":\"{snapshot}_{number}\"");
        }
        if item.kind == ItemKind::Text {
            self.text(item);
        } else if !item.body.is_empty() {
            self.element(self.view.page().node(item.node));
        }
        if let Some(cover) = item.cover {
            let cover = format!("\"{}\"", uid(numbers, cover));
            self.member(fields::key(&config, "covered_by"), cover);
        }
        if depth > DEEPEST {
            let _ = write!(self.out, ",\"depth\":{depth}");
        }
        if let Some(more) = &item.more {
            self.member("note", escape::text(&note(more, self.wording, numbers), 300));
        }
        // Each member was written with a leading comma.
        if self.out.len() > start {
            self.out.remove(start);
        }
    }

    fn element(&mut self, node: Node<'p>) {
        let config = *self.view.config();
        let _ = write!(self.out, ",\"tag\":{}", escape::text(node.tag(), 60));
        let (mut states, mut others): (Vec<String>, Vec<(Cow<'p, str>, String)>) =
            Default::default();
        for (key, value) in facts(self.view, node) {
            let Some(value) = value else {
                states.push(format!("\"{key}\""));
                continue;
            };
            match key.as_ref() {
                // Both are at the top already.
                "title" | "url" if node.id() == NodeId::ROOT => {}
                "role" => {
                    let index = self.roles.index(node.role().as_str());
                    self.member("role", index.map_or(value, |index| index.to_string()));
                }
                "type" => {
                    let index = node.attribute("type").and_then(|kind| self.types.index(kind));
                    self.member("type", index.map_or(value, |index| index.to_string()));
                }
                "form_name" => self.member(fields::key(&config, "form_name"), value),
                "node_id" => self.member(fields::key(&config, "node_id"), value),
                "name" | "value" | "href" | "src" | "alt" | "placeholder" | "id" | "title"
                | "url" | "text" | "options" | "scrolls" | "more_attributes" => {
                    self.member(&key, value);
                }
                _ => others.push((key, value)),
            }
        }
        if !states.is_empty() {
            let _ = write!(self.out, ",\"states\":[{}]", states.join(","));
        }
        if !others.is_empty() {
            let pairs: Vec<String> = others
                .iter()
                .map(|(key, value)| match key.starts_with('"') {
                    true => format!("{key}:{value}"),
                    false => format!("\"{key}\":{value}"),
                })
                .collect();
            let _ = write!(self.out, ",\"attributes\":{{{}}}", pairs.join(","));
        }
        if node.rect() != Default::default() {
            let _ = write!(self.out, ",\"{}\":", fields::key(&config, "box"));
            boxes::push_box(&mut self.out, &config, node.rect());
        }
    }
}
