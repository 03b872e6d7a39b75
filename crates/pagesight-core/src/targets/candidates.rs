//! The lines of a page that a target may mean, who can use them now, and where they are.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page};
use crate::render::{Item, ItemKind, Items, headline, lines, parents, role_word};
use crate::text::escape::{clean, safe};

/// The longest text that says where an element is.
const PLACE_LIMIT: usize = 60;
/// How many ancestors of a line are read, and how many lines of each.
const DEEPEST: usize = 64;
const READ: usize = 100;

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
        let place = self.owner(node, others).unwrap_or_else(|| {
            let rect = self.page.node(node).rect();
            format!("at {},{}", rect.x + rect.width / 2, rect.y + rect.height / 2)
        });
        format!("{} ({place})", self.headline(node))
    }

    /// Returns the nearest owner of an element that distinguishes it from the others.
    pub(super) fn owner(&self, node: NodeId, others: &[NodeId]) -> Option<String> {
        let others = others.iter().filter(|other| **other != node);
        let elsewhere: HashSet<String> = others.flat_map(|id| self.owners(*id)).collect();
        self.owners(node).into_iter().find(|owner| !elsewhere.contains(owner))
    }

    pub(super) fn has_owner(&self, node: NodeId, owner: &str) -> bool {
        self.owners(node).iter().any(|own| own == owner)
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

    /// Returns the headings, texts and containers that say where an element is, the nearest first.
    fn owners(&self, node: NodeId) -> Vec<String> {
        let Some(line) = self.line(node) else { return Vec::new() };
        let mut out = Vec::new();
        let above = std::iter::successors(Some(line.at), |at| self.parents[*at]);
        for above in above.skip(1).take(DEEPEST) {
            let inside = above + 1..self.items[above].end as usize;
            out.extend(self.title(inside, line.at));
            out.extend(own_line(&self.items[above]));
        }
        out.extend(self.title(0..self.items.len(), line.at));
        out
    }

    /// Returns the last heading before an item in a container, or else the first text there.
    fn title(&self, inside: Range<usize>, at: usize) -> Option<String> {
        let named = |item: &&Item| !clean(&item.name).is_empty();
        let mut before = self.items[inside.start..at].iter().rev().take(READ).filter(named);
        let heading = before.find(|item| item.kind == ItemKind::Heading);
        let own = at..self.items[at].end as usize;
        let mut beside = inside.take(READ).filter(|other| !own.contains(other));
        let title = heading.or_else(|| {
            let text = beside.find(|other| {
                let item = &self.items[*other];
                item.kind == ItemKind::Text && item.role == Role::None && named(&item)
            });
            text.map(|text| &self.items[text])
        });
        title.map(|item| safe(&item.name, PLACE_LIMIT))
    }
}

/// Returns the line of an item that may contain others.
fn own_line(item: &Item) -> Option<String> {
    let (name, role) = (safe(&item.name, PLACE_LIMIT), item.role.as_str());
    match (item.kind, name.is_empty(), role.is_empty()) {
        (ItemKind::Region | ItemKind::Group, false, true) => Some(name),
        (ItemKind::Region | ItemKind::Group, false, false) => Some(format!("{role}: {name}")),
        (ItemKind::Region, true, false) => Some(role.to_owned()),
        _ => None,
    }
}
