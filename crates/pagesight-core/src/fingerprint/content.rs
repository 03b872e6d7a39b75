//! Reads headings, lists, tables, forms, images and, for detailed fingerprints, plain texts. The
//! first pass finds them, the second pass counts what they hold (items, rows, columns).

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::locations::{EntryKind, Origins};
use super::model::{Form, Heading, Image, List, PlainText, Structure, TEXT_LIMIT, Table};
use super::normalize::normalize;
use super::regions::{FAULT, PlacedNode, RegionMap, is_form, is_list, is_table, sight};
use super::selector::{bounded, short};
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId};
use crate::text::escape::stored;

/// How many column headers are kept.
const MOST_HEADERS: usize = 50;
/// How many items of a list, or rows of a table, are kept as texts, and how much of each.
const MOST_TEXTS: usize = 50;
const ENTRY_LIMIT: usize = 60;

/// Reads everything except plain texts.
pub(super) fn read(ground: &RegionMap<'_>, structure: &mut Structure, origins: &mut Origins) {
    let mut heading = (String::new(), 0);
    for spot in &ground.spots {
        let (node, place, ignored) = (spot.node, spot.place, spot.ignored);
        let name = |limit| bounded(&stored(node.name()), limit);
        let called = || match name(TEXT_LIMIT) {
            given if !given.is_empty() => given,
            _ if heading.1 == place => heading.0.clone(),
            _ => String::new(),
        };
        if is_list(node) {
            let (selector, kind, name) = (short(node), node.tag().to_owned(), called());
            let list = List {
                selector,
                kind,
                name,
                place,
                sight: sight(node),
                ignored,
                ..List::default()
            };
            origins.note(EntryKind::List, node.id());
            structure.lists.push(list);
        } else if is_table(node.role()) {
            let (selector, name) = (short(node), called());
            let table =
                Table { selector, name, place, sight: sight(node), ignored, ..Table::default() };
            origins.note(EntryKind::Table, node.id());
            structure.tables.push(table);
        } else if is_form(node) && node.hidden().is_none() {
            origins.note(EntryKind::Form, node.id());
            structure.forms.push(Form { selector: short(node), name: name(TEXT_LIMIT), place });
        } else if node.role() == Role::Image || node.tag() == "img" {
            origins.note(EntryKind::Image, node.id());
            structure.images.push(image(spot));
        } else if node.role() == Role::Heading {
            let text = name(TEXT_LIMIT);
            if node.hidden().is_none() {
                heading = (text.clone(), place);
            }
            if !text.is_empty() {
                origins.note(EntryKind::Heading, node.id());
                structure.headings.push(Heading {
                    level: node.level(),
                    text,
                    place,
                    sight: sight(node),
                    ignored,
                });
            }
        }
    }
    fill_lists(ground, structure);
    fill_tables(ground, structure);
}

fn image(spot: &PlacedNode<'_>) -> Image {
    let node = spot.node;
    let source =
        node.attribute("src").filter(|source| !source.starts_with("data:")).unwrap_or_default();
    let path = source.split(['?', '#']).next().unwrap_or_default();
    Image {
        alt: bounded(&stored(node.name()), TEXT_LIMIT),
        file: bounded(path.rsplit('/').next().unwrap_or_default(), 80),
        broken: node.attribute(FAULT) == Some("broken"),
        pending: node.attribute(FAULT) == Some("pending"),
        place: spot.place,
        sight: sight(node),
        ignored: spot.ignored,
    }
}

/// Adds a text to a running hash. Equal words give equal hashes, however they are wrapped.
fn add(sum: u64, text: &str) -> u64 {
    text.split_whitespace().fold(sum, |sum, word| sum.rotate_left(7) ^ xxh3_64(word.as_bytes()))
}

fn fill_lists(ground: &RegionMap<'_>, structure: &mut Structure) {
    let lists = ground.spots.iter().filter(|spot| is_list(spot.node));
    let index: HashMap<NodeId, usize> =
        lists.enumerate().map(|(at, spot)| (spot.node.id(), at)).collect();
    let mut open: Vec<Option<OpenItem>> = structure.lists.iter().map(|_| None).collect();
    for spot in &ground.spots {
        let Some(at) = spot.list.and_then(|list| index.get(&list)).copied() else { continue };
        let (node, list) = (spot.node, &mut structure.lists[at]);
        list.pending |= node.attribute(FAULT) == Some("pending");
        if !node.is_text() && node.hidden().is_none() && is_item(node.role(), node.tag()) {
            close(list, open[at].replace(OpenItem::default()));
        }
        let Some(item) = &mut open[at] else { continue };
        if node.is_text() {
            item.sum = add(item.sum, &normalize(node.name()));
            begin(&mut item.text, node.name());
            item.holds_something |= !node.name().trim().is_empty();
        } else {
            // A broken image has no size in one browser and a small size in the other.
            let there = node.hidden().is_none() || node.attribute(FAULT).is_some();
            item.holds_something |= there && (node.is(Flags::USABLE) || is_drawn(node));
        }
    }
    for (list, open) in structure.lists.iter_mut().zip(open) {
        close(list, open);
    }
}

/// An item of a list that is being read.
#[derive(Default)]
struct OpenItem {
    sum: u64,
    text: String,
    holds_something: bool,
}

/// Adds an item to its list. An empty item does not count, because whether it takes up space
/// depends on the browser.
fn close(list: &mut List, item: Option<OpenItem>) {
    if let Some(OpenItem { sum, text, holds_something: true }) = item {
        keep(&mut list.texts, &text);
        list.order = list.order.rotate_left(3) ^ sum as u32;
        list.set = list.set.wrapping_add(sum as u32);
        list.items += 1;
    }
}

/// Adds a text to the beginning of an entry.
fn begin(entry: &mut String, text: &str) {
    if entry.len() <= ENTRY_LIMIT {
        entry.push_str(text);
        entry.push(' ');
    }
}

/// Keeps the text of an entry, if there is room.
fn keep(texts: &mut Vec<String>, text: &str) {
    if texts.len() < MOST_TEXTS {
        texts.push(bounded(&stored(text), ENTRY_LIMIT));
    }
}

/// Whether an element without words still shows something.
fn is_drawn(node: Node<'_>) -> bool {
    node.role() == Role::Image
        || matches!(node.tag(), "img" | "svg" | "canvas" | "video" | "iframe" | "object" | "hr")
        || !node.name().trim().is_empty()
}

fn is_item(role: Role, tag: &str) -> bool {
    matches!(role, Role::ListItem | Role::Article) || tag == "dt"
}

/// A table that is being read.
struct OpenTable {
    end: usize,
    table: usize,
    cells: u32,
    headers: u32,
    sum: u64,
    text: String,
    in_row: bool,
}

fn fill_tables(ground: &RegionMap<'_>, structure: &mut Structure) {
    let mut open: Vec<OpenTable> = Vec::new();
    let mut next = 0;
    for spot in &ground.spots {
        let node = spot.node;
        while let Some(mut done) = open.pop_if(|open| open.end <= node.id().index()) {
            close_row(&mut done, structure);
        }
        if is_table(node.role()) {
            let table = next;
            next += 1;
            open.push(OpenTable {
                end: node.end(),
                table,
                cells: 0,
                headers: 0,
                sum: 0,
                text: String::new(),
                in_row: false,
            });
            continue;
        }
        let Some(inner) = open.last_mut() else { continue };
        if node.is_text() {
            inner.sum = add(inner.sum, &normalize(node.name()));
            begin(&mut inner.text, node.name());
        } else if node.hidden().is_none() {
            match node.role() {
                Role::Row => {
                    close_row(inner, structure);
                    inner.in_row = true;
                }
                Role::ColumnHeader => {
                    (inner.cells, inner.headers) = (inner.cells + 1, inner.headers + 1);
                    let headers = &mut structure.tables[inner.table].headers;
                    if headers.len() < MOST_HEADERS {
                        headers.push(bounded(&stored(node.name()), 60));
                    }
                }
                Role::Cell | Role::GridCell | Role::RowHeader => inner.cells += 1,
                _ => {}
            }
        }
    }
    for done in &mut open {
        close_row(done, structure);
    }
}

fn close_row(open: &mut OpenTable, structure: &mut Structure) {
    let table = &mut structure.tables[open.table];
    table.columns = table.columns.max(open.cells);
    if open.in_row && !(open.cells > 0 && open.cells == open.headers) {
        table.rows += 1;
        keep(&mut table.texts, &open.text);
        table.set = table.set.wrapping_add(open.sum as u32);
    }
    (open.cells, open.headers, open.sum, open.in_row) = (0, 0, 0, false);
    open.text.clear();
}

/// Reads the lines of plain text that are neither a heading nor inside a usable element.
pub(super) fn texts(ground: &RegionMap<'_>, structure: &mut Structure, origins: &mut Origins) {
    let (mut line, mut place, mut ignored, mut skip) = (String::new(), 0, false, 0);
    let mut from = NodeId::ROOT;
    let mut end = |line: &mut String, place: u32, ignored: bool, from: NodeId| {
        let text = bounded(&stored(line), TEXT_LIMIT);
        line.clear();
        if text.chars().any(char::is_alphanumeric) {
            origins.note(EntryKind::Text, from);
            structure.texts.push(PlainText { text, place, ignored });
        }
    };
    for spot in &ground.spots {
        let node = spot.node;
        if node.id().index() < skip {
            continue;
        }
        if node.is_text() {
            if line.is_empty() {
                from = node.id();
            }
            line.push_str(node.name());
            (place, ignored) = (spot.place, spot.ignored);
            continue;
        }
        let said =
            node.is(Flags::USABLE) || node.role() == Role::Heading || node.hidden().is_some();
        if said || node.is(Flags::BLOCK) {
            end(&mut line, place, ignored, from);
        }
        if said {
            skip = node.end();
        }
    }
    end(&mut line, place, ignored, from);
}
