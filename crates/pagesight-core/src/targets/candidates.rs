//! The lines of a page that a target may mean, who can use them now, and where they are.

use std::collections::{HashMap, HashSet};

use crate::nameless::GuessedName;
use crate::page::{Flags, Node, NodeId, Page};
use crate::render::{ItemKind, Items, headline, lines, parents, role_word, texts_around};
use crate::text::escape::{clean, safe};

/// The longest text that says where an element is.
const PLACE_LIMIT: usize = 60;

/// Whether a person can use an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usability {
    /// Now.
    Now,
    /// Perhaps in a moment: it is disabled, covered, or not yet in reach.
    Later,
    /// Not while the page is as it is.
    Never,
}

/// Returns whether a person can use an element.
pub fn usability(node: Node<'_>) -> Usability {
    if node.hidden().is_some() || node.is_inert() {
        return Usability::Never;
    }
    let waits = node.is(Flags::DISABLED) || node.is(Flags::UNREACHABLE) || node.cover().is_some();
    if waits { Usability::Later } else { Usability::Now }
}

/// The lines of a page.
pub struct Candidates<'p> {
    pub(super) page: &'p Page,
    pub(super) lines: Vec<CandidateLine<'p>>,
    /// The place of each element among the lines.
    by_node: HashMap<NodeId, usize>,
    items: Items,
    parents: Vec<Option<usize>>,
    /// Whether each document may be read.
    admitted: Vec<bool>,
}

/// Whether the document of an element may be read.
fn is_admitted(page: &Page, admitted: &[bool], node: Node<'_>) -> bool {
    let own = page.documents.iter().position(|one| std::ptr::eq(one, node.document()));
    own.is_some_and(|own| admitted[own])
}

/// A line of a page.
pub(super) struct CandidateLine<'p> {
    pub(super) node: Node<'p>,
    /// Its place among the items.
    at: usize,
    /// The word that it begins with.
    pub(super) role: &'p str,
    /// Its name as one line.
    pub(super) name: String,
    /// Its guessed name as it is printed.
    pub(super) guess: String,
    /// Whether it has a number because a person can do something with it.
    pub(super) usable: bool,
    pub(super) heading: bool,
}

impl<'p> Candidates<'p> {
    /// Reads the lines of a page, as far as `admits` admits the address of their document.
    pub fn of(page: &'p Page, admits: impl Fn(&str) -> bool) -> Candidates<'p> {
        let items = lines(page);
        let admitted: Vec<bool> =
            page.documents.iter().map(|document| admits(&document.url)).collect();
        let lines = items.iter().enumerate().filter_map(|(at, item)| {
            let node = page.node(item.node);
            let printed = !matches!(item.kind, ItemKind::Note | ItemKind::Soft);
            let (name, guess) = (clean(&item.name), item.guess.clone());
            // A list item that is only text has a role, even if its line does not say so.
            let silent =
                Some(item.role.as_str()).filter(|role| !role.is_empty() && !name.is_empty());
            let role = role_word(item, node)
                .or(silent)
                .filter(|_| printed && is_admitted(page, &admitted, node))?;
            let usable = item.kind == ItemKind::Usable || item.numbered;
            let heading = item.kind == ItemKind::Heading;
            Some(CandidateLine { node, at, role, name, guess, usable, heading })
        });
        let (lines, parents): (Vec<CandidateLine<'_>>, _) = (lines.collect(), parents(&items));
        // Of several lines of one element, the first counts.
        let places = lines.iter().enumerate().rev();
        let by_node = places.map(|(at, line)| (line.node.id(), at)).collect();
        Candidates { page, lines, by_node, items, parents, admitted }
    }

    /// Returns the texts that can be seen.
    pub(super) fn texts(&self) -> impl Iterator<Item = Node<'p>> {
        let is_seen = |node: Node<'p>| {
            let mut around = node.ancestors();
            is_admitted(self.page, &self.admitted, node)
                && around.all(|above| above.hidden().is_none())
                && !node.is_inert()
        };
        self.page.nodes().filter(move |node| node.is_text() && is_seen(*node))
    }

    /// Returns the line of an element without value and states, with the place that distinguishes
    /// it from the others: `button: More (HeatPump)`.
    pub fn with_place(&self, node: NodeId, others: &[NodeId]) -> String {
        let owner = self.owner(node, others).map(|owner| GuessedName::label(&owner).printed());
        let place = owner.unwrap_or_else(|| {
            let rect = self.page.node(node).rect();
            format!("at {},{}", rect.x + rect.width / 2, rect.y + rect.height / 2)
        });
        format!("{} ({place})", self.headline(node))
    }

    /// Returns the nearest owner of an element that distinguishes it from the others.
    fn owner(&self, node: NodeId, others: &[NodeId]) -> Option<String> {
        self.distinguishing(node, others).into_iter().next()
    }

    /// Returns the owners that an element has and the others have not, the nearest first.
    pub(super) fn distinguishing(&self, node: NodeId, others: &[NodeId]) -> Vec<String> {
        let same = self.places(others);
        let mut owners = self.owners(node, &same);
        let others = others.iter().filter(|other| **other != node);
        let elsewhere: HashSet<String> = others.flat_map(|id| self.owners(*id, &same)).collect();
        owners.retain(|owner| !elsewhere.contains(owner));
        owners
    }

    /// Returns those of equal elements that belong to an owner; case is ignored.
    pub(super) fn owned(&self, equal: &[NodeId], owner: &str) -> Vec<NodeId> {
        let (same, owner) = (self.places(equal), owner.to_lowercase());
        let is_owned =
            |id: &NodeId| self.owners(*id, &same).iter().any(|own| own.to_lowercase() == owner);
        equal.iter().copied().filter(is_owned).collect()
    }

    fn line(&self, node: NodeId) -> Option<&CandidateLine<'p>> {
        self.by_node.get(&node).map(|at| &self.lines[*at])
    }

    /// Returns the line of an element without value and states.
    fn headline(&self, node: NodeId) -> String {
        match self.line(node) {
            // A row is named by its texts.
            Some(line) if !line.usable && !line.name.is_empty() => {
                format!("{}: {}", line.role, safe(&line.name, PLACE_LIMIT))
            }
            Some(line) if line.name.is_empty() && !line.guess.is_empty() => {
                format!("{} ({})", line.role, line.guess)
            }
            _ => headline(self.page.node(node)),
        }
    }

    /// Returns the texts that say where an element is, the nearest first.
    fn owners(&self, node: NodeId, same: &[usize]) -> Vec<String> {
        let Some(line) = self.line(node) else { return Vec::new() };
        texts_around(self.page, &self.items, &self.parents, same, line.at)
    }

    /// Returns the places of elements among the items, in page order.
    fn places(&self, nodes: &[NodeId]) -> Vec<usize> {
        let lines = nodes.iter().filter_map(|node| self.line(*node));
        let mut places: Vec<usize> = lines.map(|line| line.at).collect();
        places.sort_unstable();
        places
    }
}
