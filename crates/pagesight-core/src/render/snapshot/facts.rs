//! Facts that a snapshot prints after the tag of an element: role, name, attributes and states.

use std::borrow::Cow;

use crate::page::role::Role;
use crate::page::{DRAWN, Flags, Node, NodeId};
use crate::pipeline::{Said, View};
use crate::render::line::{printed_flags, state_words};
use crate::text::escape;

/// The longest name and attribute that is printed, in characters.
const NAME_LIMIT: usize = 400;
const ATTRIBUTE_LIMIT: usize = 300;
/// How many attributes of one element are printed, and how many options of a select.
const MOST_ATTRIBUTES: usize = 40;
const MOST_OPTIONS: usize = 20;

/// A key and its value; a state has no value.
pub(crate) type Fact<'p> = (Cow<'p, str>, Option<String>);

/// Returns what a snapshot prints about an element after its tag, in order; values are JSON.
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
    let after_states = attributes.partition_point(|(rank, ..)| *rank <= DATA);
    let value_at = attributes.partition_point(|(rank, ..)| *rank < VALUE);
    for (at, (rank, name, value)) in attributes[..after_states].iter().enumerate() {
        if let Some(value) = node.value().filter(|_| at == value_at) {
            say("value".into(), value, ATTRIBUTE_LIMIT);
        }
        // The current value replaces the `value` attribute.
        if *rank != VALUE || node.value().is_none() {
            say(escape::word(name, 60), value, ATTRIBUTE_LIMIT);
        }
    }
    if let Some(value) = node.value().filter(|_| value_at >= after_states) {
        say("value".into(), value, ATTRIBUTE_LIMIT);
    }
    facts.extend(state_words(printed_flags(node)).map(|word| (word.into(), None)));
    facts.extend(node.hidden().map(|_| ("hidden".into(), None)));
    let mut say = |key: Cow<'p, str>, value: &str| {
        facts.push((key, Some(escape::text(value, ATTRIBUTE_LIMIT))));
    };
    for (_, name, value) in &attributes[after_states..] {
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
    // Comments have no id.
    if !view.config().enable_id_remapping && node.local() != 0 {
        facts.push(("node_id".into(), Some(node.local().to_string())));
    }
    facts
}

const VALUE: u8 = 1;
const DATA: u8 = 7;

/// Returns the position of an attribute in a line; states come after `data-*`.
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
