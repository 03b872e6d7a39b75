//! Makes the items of a snapshot from a view: one item per element and per text.

use std::fmt::Write;

use super::facts::{Fact, facts};
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId};
use crate::pipeline::{Said, View};
use crate::render::items::{Item, ItemKind, Items};
use crate::text::escape;

/// The longest text that is printed, in characters.
const TEXT_LIMIT: usize = 20_000;
/// How many characters of a name are never folded, if only the texts inside the element show the
/// name.
const NAME_KEPT: usize = 80;

/// Makes one item per shown node; the root is always there.
pub(super) fn items(view: &View<'_>, root: NodeId) -> Items {
    let page = view.page();
    let end = page.node(root).end();
    let shown = (root.index()..end).filter(|at| view.is_shown(page.at(*at).id())).count();
    let mut items: Items = Vec::with_capacity(shown + 1);
    let mut open: Vec<(usize, usize)> = Vec::new();
    // The usable elements around this node whose names are shown only by their texts: where each
    // ends, and how much of the name is still to come.
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
                if items[place].names || items[place].kind == ItemKind::Usable {
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
    Item {
        kind: ItemKind::Text,
        role: Role::None,
        body,
        beyond,
        stop: true,
        ..Item::blank(node.id())
    }
}

fn element_item<'p>(view: &View<'p>, node: Node<'p>, root: NodeId) -> Item {
    let role = node.role();
    let kind = match role {
        // The outermost elements are never folded: that would leave nothing.
        _ if node.id() == root || matches!(node.tag(), "html" | "body") => ItemKind::Usable,
        _ if node.is(Flags::USABLE) => ItemKind::Usable,
        Role::Heading => ItemKind::Heading,
        Role::Dialog | Role::AlertDialog => ItemKind::Region,
        _ if role.is_landmark() => ItemKind::Region,
        _ => ItemKind::Group,
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
    // A field differs from its neighbours by its name.
    let name = if role.is_field() { node.name().to_owned() } else { String::new() };
    let role = if role == Role::None { Role::Generic } else { role };
    let cover = node.cover().map(Node::id);
    Item {
        kind,
        role,
        name,
        body,
        cover,
        numbered: node.local() != 0,
        stop: true,
        ..Item::blank(node.id())
    }
}
