//! S2.2: wrappers around one thing give way to it. The thing keeps its own attributes and gets
//! those of the wrapper's that identify (`id`, `class`, `data-*`) where it has none; wrappers that
//! mean something by themselves (a role, a name, a state, a list, a table, struck-out text) stay.

use std::collections::{HashMap, HashSet};

use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId};
use crate::pipeline::rules::PipelineRule;
use crate::pipeline::view::View;

/// What is right inside a node, as far as it is shown.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// How many things; texts side by side are one.
    count: u32,
    /// The first of them.
    first: u32,
    /// Whether that is a text.
    text: bool,
}

/// Unwraps from the innermost outwards, in one pass.
pub(crate) fn apply(view: &mut View<'_>) {
    let page = view.page();
    let mut inside: Vec<Inside> = vec![Inside::default(); page.len()];
    let mut names = HoistedNames::default();
    for at in (0..page.len()).rev() {
        let node = page.at(at);
        let own = inside[at];
        if view.is_shown(node.id()) && is_wrapper(node) && gives_way(view, node, own) {
            if own.count == 0 {
                view.take(node.id(), PipelineRule::Layout);
            } else if own.text || names.hoist(view, node, NodeId(own.first)) {
                view.unwrap(node.id(), PipelineRule::Layout);
            }
        }
        let Some(parent) = node.parent() else { continue };
        let around = &mut inside[parent.id().index()];
        let (count, first, text) = if view.is_shown(node.id()) {
            (1, at as u32, node.is_text())
        } else {
            (own.count, own.first, own.text)
        };
        if count > 0 {
            // Seen from behind: what was the first so far now follows.
            let joined = count == 1 && text && around.text && around.count > 0;
            around.count += count - u32::from(joined);
            (around.first, around.text) = (first, text);
        }
    }
}

/// A wrapper around one element gives way; one around a text only if it is part of a line and
/// nothing about it is lost.
fn gives_way(view: &View<'_>, node: Node<'_>, inside: Inside) -> bool {
    match inside.count {
        0 => true,
        1 if inside.text => !node.is(Flags::BLOCK) && !identifies(view, node),
        1 => true,
        _ => false,
    }
}

/// Tags that mean nothing by themselves.
const WRAPPERS: [&str; 18] = [
    "b", "bdi", "big", "center", "div", "em", "font", "g", "hgroup", "i", "nobr", "picture",
    "slot", "small", "span", "strong", "tt", "u",
];

/// What a child can have from all its wrappers together; a wrapper that has more to give stays.
const MOST_HOISTED: usize = 16;

fn is_wrapper(node: Node<'_>) -> bool {
    let states = Flags::USABLE
        | Flags::SCROLLS
        | Flags::LIVE
        | Flags::FOCUSED
        | Flags::CHECKED
        | Flags::MIXED
        | Flags::EXPANDED
        | Flags::COLLAPSED
        | Flags::SELECTED
        | Flags::PRESSED
        | Flags::REQUIRED
        | Flags::INVALID
        | Flags::READONLY
        | Flags::MODAL
        | Flags::BUSY;
    let tag = node.tag();
    (WRAPPERS.contains(&tag) || tag.contains('-'))
        && matches!(node.role(), Role::None | Role::Generic | Role::Strong | Role::Emphasis)
        && !node.flags().intersects(states)
        && node.name().trim().is_empty()
        && node.value().is_none()
        && node.labelled().is_none()
        && node.shown_document().is_none()
        && node.attributes().all(|(name, _)| says_nothing(name))
}

/// Attributes without a meaning, or with one that the child can have.
fn says_nothing(name: &str) -> bool {
    !(name == "title" || name == "href" || (name.starts_with("aria-") && name != "aria-hidden"))
}

/// Attributes that a child can have from its wrapper.
fn is_hoisted(name: &str) -> bool {
    name == "id" || name == "class" || name.starts_with("data-")
}

/// Whether somebody could want to find it by an attribute.
fn identifies(view: &View<'_>, node: Node<'_>) -> bool {
    view.attribute_ids(node.id()).any(|id| {
        let (name, _) = view.attribute(id);
        is_hoisted(name) && name != "class"
    })
}

/// Which attributes the children that stay have by now, so that wrappers around wrappers cost no
/// more than they hold.
#[derive(Default)]
struct HoistedNames {
    known: HashSet<(NodeId, u32)>,
    hoisted: HashMap<NodeId, usize>,
}

impl HoistedNames {
    /// Leaves the wrapper's attributes to its child; false if they are too many, and then none.
    fn hoist(&mut self, view: &mut View<'_>, wrapper: Node<'_>, child: NodeId) -> bool {
        let page = view.page();
        let name = |id: u32| page.attributes[id as usize].0.0;
        let wanted = |id: &u32| is_hoisted(view.attribute(*id).0);
        let given: Vec<u32> = view.attribute_ids(wrapper.id()).filter(wanted).collect();
        if given.is_empty() {
            return true;
        }
        if !self.hoisted.contains_key(&child) {
            self.known.extend(view.attribute_ids(child).map(|id| (child, name(id))));
        }
        let hoisted = self.hoisted.entry(child).or_default();
        let new: Vec<u32> =
            given.into_iter().filter(|id| !self.known.contains(&(child, name(*id)))).collect();
        if *hoisted + new.len() > MOST_HOISTED {
            return false;
        }
        *hoisted += new.len();
        for id in new {
            if self.known.insert((child, name(id))) {
                view.hoist(child, id);
            }
        }
        true
    }
}
