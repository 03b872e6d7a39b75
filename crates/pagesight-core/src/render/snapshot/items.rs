//! `take_snapshot`: the DOM as the pipeline leaves it, one element a line: `uid=1_4 a href="/about"
//! text="Learn more"`. Makes the items that the budget engine fits, and prints them;
//! `render/json.rs` prints the same items as JSON.

use std::borrow::Cow;
use std::fmt::Write;

use crate::page::role::Role;
use crate::page::{DRAWN, Flags, Node, NodeId, Page};
use crate::pipeline::optimize::ids::own_id;
use crate::pipeline::{Fate, IdMap, Rule, Said, View};
use crate::render::budget::Manner;
use crate::render::fold::fold;
use crate::render::items::{How, Item, Items, Kind, More, parents};
use crate::render::line::{state_words, told};
use crate::render::outline::{Numbers, Placeholder, Scope, notes};
use crate::render::within::within;
use crate::render::{json, select};
use crate::text::escape;
use crate::text::tokens::estimate;

/// The smallest budget that is kept exactly; a smaller one is taken for this.
const SMALLEST_BUDGET: usize = 200;
/// The longest text, name and attribute that is printed, in characters.
pub(crate) const TEXT_LIMIT: usize = 20_000;
const NAME_LIMIT: usize = 400;
const ATTRIBUTE_LIMIT: usize = 300;
/// How much of a name that only texts say is never folded.
const NAME_KEPT: usize = 80;
/// How many attributes of one element are printed, and how many options of a select.
const MOST_ATTRIBUTES: usize = 40;
const MOST_OPTIONS: usize = 20;
/// How deep lines are indented at most.
const DEEPEST: usize = 40;

/// How a snapshot is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// One element a line.
    #[default]
    Text,
    /// One object.
    Json,
}

/// What the caller asked for.
#[derive(Clone, Copy, Debug)]
pub struct SnapshotOptions {
    /// What part of the page.
    pub scope: Scope,
    /// How it is written.
    pub format: Format,
    /// The largest answer, in o200k tokens.
    pub max_tokens: usize,
}

impl SnapshotOptions {
    /// Everything, however large.
    pub const WHOLE: SnapshotOptions =
        SnapshotOptions { scope: Scope::Full, format: Format::Text, max_tokens: usize::MAX / 8 };
}

impl Default for SnapshotOptions {
    fn default() -> Self {
        SnapshotOptions { max_tokens: 8_000, ..SnapshotOptions::WHOLE }
    }
}

/// A snapshot and the elements in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The text, or one JSON object, ending with a line break.
    pub text: String,
    /// Every element with its number, in order.
    pub shown: Vec<(NodeId, u32)>,
}

impl Snapshot {
    /// From numbers to nodes and back.
    pub fn ids(&self) -> IdMap {
        IdMap::new(&self.shown)
    }
}

/// The page as its view leaves it, within the budget.
pub fn snapshot(view: &View<'_>, options: &SnapshotOptions, numbers: &mut dyn Numbers) -> Snapshot {
    let limit = options.max_tokens.max(SMALLEST_BUDGET);
    let root = root(options.scope);
    let items = in_scope(view, options.scope);
    let foot = footer(view, root);
    let print = |items: &Items, cut: Option<usize>, numbers: &mut dyn Numbers| match options.format
    {
        Format::Text => text(items, &foot, cut, numbers),
        Format::Json => json::json(view, items, &foot, cut, numbers),
    };
    let target = limit.saturating_sub(estimate(&foot) + 4);
    let draft = |items: &Items, cut: Option<usize>| print(items, cut, &mut Placeholder).text;
    // Long runs are folded only where there is no room for them.
    let opened: &[NodeId] = if options.scope == Scope::Node(root) { &[root] } else { &[] };
    let shrink = |items: Items| fold(items, opened);
    let fitted = within(items, limit, target, Manner::Fold, shrink, draft);
    print(&fitted.items, fitted.cut, numbers)
}

/// The nodes that a snapshot without a budget consists of.
pub(crate) fn nodes(view: &View<'_>, scope: Scope) -> Vec<NodeId> {
    in_scope(view, scope).iter().map(|item| item.node).collect()
}

fn root(scope: Scope) -> NodeId {
    if let Scope::Node(node) = scope { node } else { NodeId::ROOT }
}

fn in_scope(view: &View<'_>, scope: Scope) -> Items {
    let items = items(view, root(scope));
    if scope == Scope::Viewport { select::in_viewport(view.page(), items) } else { items }
}

/// What the pipeline left, one item a node; the root is always there.
fn items(view: &View<'_>, root: NodeId) -> Items {
    let page = view.page();
    let end = page.node(root).end();
    let shown = (root.index()..end).filter(|at| view.is_shown(page.at(*at).id())).count();
    let mut items: Items = Vec::with_capacity(shown + 1);
    let mut open: Vec<(usize, usize)> = Vec::new();
    // The usable elements around whose names are left to the texts in them: where each ends, and
    // how much is still to be said.
    let mut unnamed: Vec<(usize, usize)> = Vec::new();
    for at in root.index()..end {
        let node = page.at(at);
        if !view.is_shown(node.id()) && node.id() != root {
            continue;
        }
        while unnamed.pop_if(|(end, _)| *end <= at).is_some() {}
        while let Some((place, _)) = open.pop_if(|(_, end)| *end <= at) {
            items[place].end = items.len() as u32;
        }
        if node.end() > at + 1 {
            open.push((items.len(), node.end()));
        }
        let mut item =
            if node.is_text() { text_item(view, node) } else { element_item(view, node, root) };
        item.end = items.len() as u32 + 1;
        if node.is(Flags::USABLE) && view.said(node.id()).contains(Said::NAME) {
            unnamed.push((node.end(), NAME_KEPT));
        } else if node.is_text()
            && let Some((_, unsaid)) = unnamed.last_mut().filter(|(_, unsaid)| *unsaid > 0)
        {
            *unsaid = unsaid.saturating_sub(item.body.len());
            item.names = true;
            for place in open.iter().rev().map(|(place, _)| *place) {
                if items[place].names || items[place].kind == Kind::Usable {
                    break;
                }
                items[place].names = true;
            }
        }
        items.push(item);
    }
    while let Some((place, _)) = open.pop() {
        items[place].end = items.len() as u32;
    }
    items
}

fn text_item(view: &View<'_>, node: Node<'_>) -> Item {
    let text = view.text(node);
    let mut body = escape::text(text, TEXT_LIMIT);
    let beyond =
        if text.len() > TEXT_LIMIT { text.chars().count().saturating_sub(TEXT_LIMIT) } else { 0 };
    if beyond > 0 {
        let _ = write!(body, " (+{beyond} characters)");
    }
    Item { kind: Kind::Text, role: Role::None, body, beyond, stop: true, ..Item::blank(node.id()) }
}

fn element_item<'p>(view: &View<'p>, node: Node<'p>, root: NodeId) -> Item {
    let role = node.role();
    let kind = match role {
        // What everything is in is never folded: that would leave nothing.
        _ if node.id() == root || matches!(node.tag(), "html" | "body") => Kind::Usable,
        _ if node.is(Flags::USABLE) => Kind::Usable,
        Role::Heading => Kind::Heading,
        Role::Dialog | Role::AlertDialog => Kind::Region,
        _ if role.is_landmark() => Kind::Region,
        _ => Kind::Group,
    };
    let tag = escape::word(node.tag(), 60);
    let facts = facts(view, node);
    let length = |(key, value): &Fact<'_>| key.len() + value.as_ref().map_or(0, String::len) + 2;
    let mut body = String::with_capacity(tag.len() + facts.iter().map(length).sum::<usize>());
    body.push_str(&tag);
    for (key, value) in facts {
        body.push(' ');
        body.push_str(&key);
        if let Some(value) = value {
            body.push('=');
            body.push_str(&value);
        }
    }
    // What a field is called makes it another than its neighbours.
    let name = if role.is_field() { node.name().to_owned() } else { String::new() };
    let role = if role == Role::None { Role::Generic } else { role };
    let cover = node.cover().map(Node::id);
    Item {
        kind,
        role,
        name,
        body,
        cover,
        numbered: own_id(node).is_some(),
        stop: true,
        ..Item::blank(node.id())
    }
}

/// A key and what it is; a state is there or not.
pub(crate) type Fact<'p> = (Cow<'p, str>, Option<String>);

/// What is said of an element behind its tag, in the order in which it is said; values are JSON.
pub(crate) fn facts<'p>(view: &View<'p>, node: Node<'p>) -> Vec<Fact<'p>> {
    let mut facts: Vec<Fact<'p>> = Vec::new();
    let mut say = |key: Cow<'p, str>, value: &str, limit: usize| {
        facts.push((key, Some(escape::text(value, limit))));
    };
    let said = view.said(node.id());
    if node.role() != Role::None && !said.contains(Said::ROLE) {
        say("role".into(), node.role().as_str(), ATTRIBUTE_LIMIT);
    }
    if !node.name().trim().is_empty() && !said.contains(Said::NAME) && !node.tag().starts_with('#')
    {
        say("name".into(), node.name(), NAME_LIMIT);
    }
    let mut attributes: Vec<(u8, &'p str, &'p str)> = view
        .attributes(node)
        .filter(|(name, _)| *name != DRAWN && *name != "role")
        .map(|(name, value)| (rank(name), name, value))
        .collect();
    attributes.sort_by_key(|(rank, name, _)| (*rank, *name));
    let left = attributes.len().saturating_sub(MOST_ATTRIBUTES);
    attributes.truncate(MOST_ATTRIBUTES);
    let behind = attributes.partition_point(|(rank, ..)| *rank <= DATA);
    let value_at = attributes.partition_point(|(rank, ..)| *rank < VALUE);
    for (at, (rank, name, value)) in attributes[..behind].iter().enumerate() {
        if let Some(value) = node.value().filter(|_| at == value_at) {
            say("value".into(), value, ATTRIBUTE_LIMIT);
        }
        // The value as it is now stands for the one that was written.
        if *rank != VALUE || node.value().is_none() {
            say(escape::word(name, 60), value, ATTRIBUTE_LIMIT);
        }
    }
    if let Some(value) = node.value().filter(|_| value_at >= behind) {
        say("value".into(), value, ATTRIBUTE_LIMIT);
    }
    facts.extend(state_words(told(node)).map(|word| (word.into(), None)));
    facts.extend(node.hidden().map(|_| ("hidden".into(), None)));
    let mut say = |key: Cow<'p, str>, value: &str| {
        facts.push((key, Some(escape::text(value, ATTRIBUTE_LIMIT))));
    };
    for (_, name, value) in &attributes[behind..] {
        say(if *name == "name" { "form_name".into() } else { escape::word(name, 60) }, value);
    }
    if node.tag().starts_with('#') {
        say("text".into(), node.name());
    }
    if node.options().len() > 0 {
        say("options".into(), &listed(node));
    }
    if let Some(room) = node.scroll_room().filter(|_| node.is(Flags::SCROLLS)) {
        let sides =
            [("up", room.up), ("down", room.down), ("left", room.left), ("right", room.right)];
        let sides: Vec<String> = sides
            .iter()
            .filter(|(_, px)| *px > 0)
            .map(|(side, px)| format!("{side} {px}"))
            .collect();
        say("scrolls".into(), &sides.join(", "));
    }
    if node.id() == NodeId::ROOT {
        say("title".into(), &view.page().title);
        say("url".into(), view.page().url());
    }
    if left > 0 {
        facts.push(("more_attributes".into(), Some(left.to_string())));
    }
    if !view.config().enable_id_remapping {
        facts.extend(own_id(node).map(|id| ("node_id".into(), Some(id.to_string()))));
    }
    facts
}

const VALUE: u8 = 1;
const DATA: u8 = 7;

/// Where an attribute stands in a line; states come behind `data-*`.
fn rank(name: &str) -> u8 {
    match name {
        "type" => 0,
        "value" => VALUE,
        "href" => 2,
        "src" => 3,
        "alt" => 4,
        "placeholder" => 5,
        _ if name.starts_with("aria-") => 6,
        _ if name.starts_with("data-") => DATA,
        "id" => 8,
        "name" => 9,
        "title" => 10,
        _ => 11,
    }
}

fn listed(node: Node<'_>) -> String {
    let labels: Vec<&str> = node.options().take(MOST_OPTIONS).collect();
    let more = node.options().len().saturating_sub(MOST_OPTIONS);
    let tail = if more > 0 { format!(", … {more} more") } else { String::new() };
    format!("{}{tail}", labels.join(", "))
}

/// What was not seen or left out, one line each.
fn footer(view: &View<'_>, root: NodeId) -> String {
    let page: &Page = view.page();
    let root = page.node(root);
    let (mut hidden, mut covered) = (0, 0);
    // A full capture has the texts that are withheld, each in its place; else only their number is
    // known.
    let apart = |node: &Node<'_>| node.is(Flags::WITHHELD);
    let gone =
        root.descendants().filter(apart).filter(|node| !view.is_shown(node.id())).count() as u32;
    let withheld = if page.nodes().any(|node| apart(&node)) { gone } else { page.withheld };
    for node in root.descendants().filter(|node| node.is(Flags::USABLE)) {
        match view.fate(node.id()) {
            Fate::Gone(Rule::Visibility) => hidden += 1,
            Fate::Gone(Rule::PaintOrder) => covered += 1,
            _ => {}
        }
    }
    let mut out = String::new();
    let mut left_out = |count: usize, what: &str, key: &str| {
        if count > 0 {
            let things = if count == 1 { "element" } else { "elements" };
            let _ = writeln!(
                out,
                "{count} {what} usable {things} left out — pipeline {{\"{key}\":false}} shows all"
            );
        }
    };
    left_out(hidden, "hidden", "enable_visibility_filter");
    left_out(covered, "covered", "enable_paint_order_filter");
    out + &notes(page, withheld)
}

/// The words of a note about what was folded.
pub(crate) fn note(more: &More, numbers: &mut dyn Numbers) -> String {
    let mut out = more.what.clone();
    match more.how {
        How::Scope(node) => {
            let _ = write!(out, " — take_snapshot scope={}", uid(numbers, node));
        }
        How::After(..) | How::Nothing => out.push_str(" — give a scope or more max_tokens"),
    }
    out
}

/// `1_12`.
pub(crate) fn uid(numbers: &mut dyn Numbers, node: NodeId) -> String {
    let (snapshot, number) = numbers.uid(node);
    format!("{snapshot}_{number}")
}

fn text(items: &Items, foot: &str, cut: Option<usize>, numbers: &mut dyn Numbers) -> Snapshot {
    let mut text = String::with_capacity(items.iter().map(|item| item.body.len() + 24).sum());
    let mut shown = Vec::new();
    let parents = parents(items);
    let mut depths: Vec<usize> = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let depth = parents[at].map_or(0, |above| depths[above] + 1);
        depths.push(depth);
        // The text that an element begins with stands in its line.
        let beside = at > 0
            && parents[at] == Some(at - 1)
            && item.kind == Kind::Text
            && items[at - 1].more.is_none();
        if beside {
            text.pop();
            text.push(' ');
        } else {
            (0..depth.min(DEEPEST)).for_each(|_| text.push_str("  "));
        }
        if item.numbered {
            let (snapshot, number) = numbers.uid(item.node);
            shown.push((item.node, number));
            let _ = write!(text, "uid={snapshot}_{number} ");
        }
        if item.kind == Kind::Text {
            text.push_str("text=");
        }
        text.push_str(&item.body);
        if let Some(cover) = item.cover {
            let _ = write!(text, " covered_by={}", uid(numbers, cover));
        }
        if let Some(more) = &item.more {
            let gap = if item.body.is_empty() { "… " } else { " … " };
            let _ = write!(text, "{gap}{}", note(more, numbers));
        }
        text.push('\n');
    }
    if let Some(lines) = cut {
        let _ = writeln!(text, "… {lines} more lines — give a scope or more max_tokens");
    } else {
        text.push_str(foot);
    }
    Snapshot { text, shown }
}
