//! Cuts a list item or a card into pieces: a heading, a link, a button, a field, a picture, or a
//! line of text. Pieces of different items that have the same key belong to one column.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::cell::{Moment, is_control, moment_of, name_or_hint, own_text, target_of};
use super::model::CELL_LIMIT;
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page};
use crate::pipeline::filter::{noise::is_noise, visibility::is_seen};
use crate::text::escape::{bounded, clean};

/// More pieces of one item than this are left out.
const MOST_PIECES: usize = 256;

/// A part of an item.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Its path in the item, by tags and classes.
    pub(super) key: u64,
    /// Its kind, as a column is named: `heading`, `link`, `text`.
    pub(super) kind: &'static str,
    /// The name of a field.
    pub(super) label: String,
    pub(super) text: String,
    pub(super) target: String,
    /// The moment that the text means, if the page says it.
    pub(super) moment: String,
}

/// The pieces of one item.
#[derive(Clone, Debug, Default)]
pub(super) struct ItemPieces {
    pub(super) pieces: Vec<Piece>,
    pub(super) controls: Vec<NodeId>,
    pub(super) left: usize,
}

/// For each node, how many nodes before it begin a line of their own.
pub(super) struct LineBreaks(Vec<u32>);

impl LineBreaks {
    pub(super) fn of(page: &Page) -> LineBreaks {
        let mut count = 0;
        let mut before = Vec::with_capacity(page.len() + 1);
        for node in page.nodes() {
            before.push(count);
            let breaks = node.is(Flags::BLOCK)
                || matches!(node.role(), Role::Heading | Role::Image)
                || node.is(Flags::USABLE);
            count += u32::from(breaks && node.hidden().is_none());
        }
        before.push(count);
        LineBreaks(before)
    }

    /// Whether an element holds several lines or elements.
    fn inside(&self, node: Node<'_>) -> bool {
        self.0[node.end()] > self.0[node.id().index() + 1]
    }
}

/// An element whose content is being read.
struct OpenPath {
    end: usize,
    key: u64,
    block: bool,
}

/// A control or a heading that is one piece.
struct OpenPiece<'p> {
    node: Node<'p>,
    key: u64,
    kind: &'static str,
}

struct Cutter<'p, 'b> {
    page: &'p Page,
    breaks: &'b LineBreaks,
    out: ItemPieces,
    open: Vec<OpenPath>,
    whole: Option<OpenPiece<'p>>,
    run: String,
    run_key: u64,
    /// Where a link around several pieces leads, until the first of them is there.
    target: String,
    moment: Option<Moment<'p>>,
}

/// Cuts an item into pieces.
pub(super) fn cut(page: &Page, breaks: &LineBreaks, item: Node<'_>) -> ItemPieces {
    let (out, target) = (ItemPieces::default(), target_of(page, item));
    let (open, whole, run) = (Vec::new(), None, String::new());
    let moment = None;
    let mut cutter = Cutter { page, breaks, out, open, whole, run, run_key: 0, target, moment };
    if is_control(item) {
        cutter.out.controls.push(item.id());
    }
    let mut at = item.id().index() + 1;
    while at < item.end() {
        cutter.close(at);
        at = cutter.node(page.at(at));
    }
    cutter.close(usize::MAX);
    cutter.flush();
    cutter.out
}

impl<'p> Cutter<'p, '_> {
    fn key(&self) -> u64 {
        self.open.last().map_or(0, |open| open.key)
    }

    /// Reads a node, and returns the index of the next one to read.
    fn node(&mut self, node: Node<'p>) -> usize {
        let next = node.id().index() + 1;
        if is_noise(node) {
            return node.end();
        }
        if !is_seen(node, true) {
            return next;
        }
        if node.is_text() {
            if self.run.trim().is_empty() {
                // The line belongs to the block around it.
                self.run_key = self.open.iter().rev().find(|o| o.block).map_or(0, |o| o.key);
            }
            if self.run.len() < CELL_LIMIT * 4 {
                self.run.push_str(node.name());
            }
            return next;
        }
        let key = step(self.key(), node);
        self.moment = moment_of(node).or(self.moment.take());
        if is_control(node) {
            self.out.controls.push(node.id());
        }
        if let Some(text) = own_text(node) {
            if self.whole.is_none() {
                self.flush();
            }
            let kind = kind_of(node.role());
            let label = if node.role() == Role::Image { "" } else { node.name() };
            if self.whole.is_some() {
                self.run.push_str(&format!(" {text} "));
            } else {
                self.push(key, kind, clean(label), text, String::new());
            }
            return node.end();
        }
        if self.whole.is_some() {
            let target = target_of(self.page, node);
            if self.target.is_empty() {
                self.target = target;
            }
            if node.is(Flags::BLOCK) && !self.run.ends_with(' ') {
                self.run.push(' ');
            }
            return next;
        }
        let is_heading = matches!(node.role(), Role::Heading | Role::Term);
        let is_control = node.is(Flags::USABLE) && node.role() != Role::None;
        let block = node.is(Flags::BLOCK);
        if block || is_heading || is_control || node.tag() == "br" {
            self.flush();
        }
        self.open.push(OpenPath { end: node.end(), key, block });
        if is_heading || is_control && !self.breaks.inside(node) {
            self.target = target_of(self.page, node);
            self.whole = Some(OpenPiece { node, key, kind: kind_of(node.role()) });
        } else if is_control {
            let target = target_of(self.page, node);
            if !target.is_empty() {
                self.target = target;
            }
        }
        next
    }

    /// Closes elements that end before `at`.
    fn close(&mut self, at: usize) {
        while let Some(open) = self.open.pop_if(|open| open.end <= at) {
            if let Some(whole) = self.whole.take_if(|whole| whole.node.end() <= at) {
                let said = clean(&std::mem::take(&mut self.run));
                let text = if said.is_empty() { name_or_hint(whole.node) } else { said };
                let target = std::mem::take(&mut self.target);
                self.push(whole.key, whole.kind, String::new(), text, target);
            }
            if open.block && self.whole.is_none() {
                self.flush();
            }
        }
    }

    /// Ends the line of text that is being collected.
    fn flush(&mut self) {
        let text = clean(&std::mem::take(&mut self.run));
        if !text.is_empty() {
            let target = std::mem::take(&mut self.target);
            self.push(self.run_key, "text", String::new(), text, target);
        }
    }

    fn push(&mut self, key: u64, kind: &'static str, label: String, text: String, target: String) {
        if text.is_empty() && target.is_empty() {
            return;
        }
        if self.out.pieces.len() >= MOST_PIECES {
            self.out.left += 1;
            return;
        }
        let mut hasher = DefaultHasher::new();
        (key, kind).hash(&mut hasher);
        let text = bounded(&text, CELL_LIMIT);
        let moment = self.moment.take().and_then(|moment| moment.of(&text)).unwrap_or_default();
        self.out.pieces.push(Piece { key: hasher.finish(), kind, label, text, target, moment });
    }
}

/// Returns the key of an element below one with the key `above`. Of its classes only the first one
/// counts: the others often say the state.
fn step(above: u64, node: Node<'_>) -> u64 {
    let class = node.attribute("class").and_then(|list| list.split_whitespace().next());
    let mut hasher = DefaultHasher::new();
    (above, node.tag(), class).hash(&mut hasher);
    hasher.finish()
}

fn kind_of(role: Role) -> &'static str {
    match role {
        Role::None | Role::Clickable | Role::Generic => "text",
        role => role.as_str(),
    }
}
