//! S2.2: removes wrappers around one thing. The thing keeps its own attributes and gets the
//! wrapper's identifying attributes (`id`, `class`, `data-*`) where it has none. Wrappers with a
//! meaning of their own stay: a role, a name, a state, a list, a table, struck-out text.

use std::collections::{HashMap, HashSet};

use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId};
use crate::pipeline::rules::PipelineRule;
use crate::pipeline::view::View;

/// The shown content directly inside a node.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// How many nodes there are; adjacent texts count as one.
    count: u32,
    /// The first of them.
    first: u32,
    /// Whether the first one is a text.
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
                view.remove(node.id(), PipelineRule::Layout);
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
            // The loop runs backwards: the first node so far comes after this one.
            let joined = count == 1 && text && around.text && around.count > 0;
            around.count += count - u32::from(joined);
            (around.first, around.text) = (first, text);
        }
    }
}

/// Whether a wrapper is removed. A wrapper around one element is; a wrapper around a text only if
/// it is inline and has no identifying attribute.
fn gives_way(view: &View<'_>, node: Node<'_>, inside: Inside) -> bool {
    match inside.count {
        0 => true,
        1 if inside.text => !node.is(Flags::BLOCK) && !identifies(view, node),
        1 => true,
        _ => false,
    }
}

/// Tags without a meaning of their own.
const WRAPPERS: [&str; 18] = [
    "b", "bdi", "big", "center", "div", "em", "font", "g", "hgroup", "i", "nobr", "picture",
    "slot", "small", "span", "strong", "tt", "u",
];

/// The most attributes that a child can get from all its wrappers; a wrapper that would exceed this
/// stays.
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

/// Whether an attribute has no meaning, or one that the child can take over.
fn says_nothing(name: &str) -> bool {
    !(name == "title" || name == "href" || (name.starts_with("aria-") && name != "aria-hidden"))
}

/// Whether a child can take over an attribute from its wrapper.
fn is_hoisted(name: &str) -> bool {
    name == "id" || name == "class" || name.starts_with("data-")
}

/// Whether somebody may want to find the element by one of its attributes.
fn identifies(view: &View<'_>, node: Node<'_>) -> bool {
    view.attribute_ids(node.id()).any(|id| {
        let (name, _) = view.attribute(id);
        is_hoisted(name) && name != "class"
    })
}

/// The attributes that the remaining children have so far, so that nested wrappers cost no more
/// than what they hold.
#[derive(Default)]
struct HoistedNames {
    known: HashSet<(NodeId, u32)>,
    hoisted: HashMap<NodeId, usize>,
}

impl HoistedNames {
    /// Gives the wrapper's attributes to its child. Returns false, and gives none, if there are too
    /// many.
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
