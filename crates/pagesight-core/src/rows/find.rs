//! Finds what holds rows: tables, grids, lists, definition lists, and elements whose children are
//! alike. The largest one of the main content is the default.

use std::collections::{HashMap, HashSet};

use super::cards::{is_list, list_items};
use super::model::RowsKind;
use super::raw_rows::is_grid;
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page};
use crate::pipeline::filter::{noise::is_noise, visibility::is_seen};

/// The fewest cards that are rows.
const FEWEST_CARDS: usize = 3;
/// A larger item counts as this large, so that sections of a page are not cards.
const LARGEST_ITEM: u32 = 12;
/// A table counts as this many times as large as cards, because its structure is certain.
const TABLE_WEIGHT: u64 = 2;

/// Something that may hold rows.
#[derive(Clone)]
pub(super) struct Candidate<'p> {
    pub(super) kind: RowsKind,
    pub(super) node: Node<'p>,
    /// The items of a list or the cards.
    pub(super) items: Vec<Node<'p>>,
    /// Whether it is in the main content (0), beside it, or in a region for other things.
    tier: u8,
    size: u64,
}

impl Candidate<'_> {
    /// Returns the parents of cards that are not the children of the structure itself.
    fn shelves(&self) -> impl Iterator<Item = NodeId> {
        let parents = self.items.iter().filter_map(|item| Some(item.parent()?.id()));
        parents.filter(|parent| self.kind == RowsKind::Cards && *parent != self.node.id())
    }
}

/// Returns the candidates at and below `root`, the best first.
pub(super) fn candidates<'p>(page: &'p Page, root: NodeId) -> Vec<Candidate<'p>> {
    let content = Content::of(page);
    let has_main = page.nodes().any(|node| node.role() == Role::Main && node.hidden().is_none());
    let mut found = Vec::new();
    let mut regions: Vec<(usize, u8)> = Vec::new();
    let mut shelves: HashSet<NodeId> = HashSet::new();
    let outside = u8::from(has_main);
    let (mut at, end) = (root.index(), page.node(root).end());
    while at < end {
        let node = page.at(at);
        while regions.pop_if(|(end, _)| *end <= at).is_some() {}
        at += 1;
        if is_noise(node) {
            at = node.end();
            continue;
        }
        if node.is_text() {
            continue;
        }
        let tier = regions.last().map_or(outside, |(_, tier)| *tier);
        let tier = match node.role() {
            Role::Main | Role::Dialog | Role::AlertDialog => 0,
            Role::Navigation | Role::Banner | Role::ContentInfo | Role::Complementary => 2,
            _ => tier,
        };
        regions.push((node.end(), tier));
        let of_node = of_node(page, node, &content, tier, FEWEST_CARDS);
        shelves.extend(of_node.iter().flat_map(Candidate::shelves));
        // The cards of a shelf are a part of a larger structure.
        let is_shelf = shelves.contains(&node.id());
        found.extend(of_node.into_iter().filter(|one| !is_shelf || one.kind != RowsKind::Cards));
    }
    // A stable sort: of two equal ones the first of the page is first.
    found.sort_by_key(|found| (found.tier, std::cmp::Reverse(found.size)));
    found
}

/// Returns the nearest structure that `node` is a part of.
pub(super) fn around<'p>(page: &'p Page, node: Node<'p>) -> Option<Candidate<'p>> {
    let content = Content::of(page);
    node.ancestors().find_map(|above| {
        let found = of_node(page, above, &content, 0, 2).into_iter().find(|found| {
            found.items.is_empty() || found.items.iter().any(|item| item.contains(node.id()))
        })?;
        let around = above.parent().map(|parent| of_node(page, parent, &content, 0, 2));
        let shelved = around
            .into_iter()
            .flatten()
            .find(|around| around.shelves().any(|shelf| shelf == above.id()));
        Some(shelved.unwrap_or(found))
    })
}

/// Returns what a node holds rows as, even if there are only a few.
pub(super) fn exactly<'p>(page: &'p Page, nodes: &[Node<'p>]) -> Vec<Candidate<'p>> {
    let content = Content::of(page);
    nodes.iter().flat_map(|node| of_node(page, *node, &content, 0, 1)).collect()
}

/// Returns what an element holds rows as.
fn of_node<'p>(
    page: &'p Page,
    node: Node<'p>,
    content: &Content,
    tier: u8,
    fewest: usize,
) -> Vec<Candidate<'p>> {
    let candidate = |kind, items, size| Candidate { kind, node, items, tier, size };
    let whole = u64::from(content.of_node(node));
    if is_grid(node.role()) {
        let kind = match node.role() {
            Role::Table => RowsKind::Table,
            Role::Grid => RowsKind::Grid,
            _ => RowsKind::TreeGrid,
        };
        return if whole > 0 {
            vec![candidate(kind, Vec::new(), whole * TABLE_WEIGHT)]
        } else {
            vec![]
        };
    }
    if node.tag() == "dl" && whole > 0 {
        return vec![candidate(RowsKind::Definitions, Vec::new(), whole)];
    }
    if is_list(node.role()) {
        let items: Vec<Node<'p>> = list_items(page, node);
        let items: Vec<Node<'p>> =
            items.into_iter().filter(|item| content.of_node(*item) > 0).collect();
        let size = items.iter().map(|item| u64::from(content.capped(*item))).sum();
        let found = (!items.is_empty()).then(|| candidate(RowsKind::List, items, size));
        return found.into_iter().collect();
    }
    let groups = groups(node, content);
    let shelved = groups.iter().find_map(|shelves| cards_of_shelves(shelves, content));
    shelved
        .map_or(groups, |items| vec![items])
        .into_iter()
        .filter(|items| items.len() >= fewest)
        .filter_map(|items| {
            let size: u64 = items.iter().map(|item| u64::from(content.capped(*item))).sum();
            // Items of one text each are prose.
            let several = fewest == 1 || size >= 2 * items.len() as u64;
            several.then(|| candidate(RowsKind::Cards, items, size))
        })
        .collect()
}

/// Returns the children that are alike by tag and role.
fn groups<'p>(parent: Node<'p>, content: &Content) -> Vec<Vec<Node<'p>>> {
    let mut groups: Vec<Vec<Node<'p>>> = Vec::new();
    let mut known: HashMap<(&str, Role), usize> = HashMap::new();
    for child in parent.children() {
        if !may_be_card(child) || content.of_node(child) == 0 {
            continue;
        }
        let at = *known.entry((child.tag(), child.role())).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(child),
            None => groups.push(vec![child]),
        }
    }
    groups
}

/// Returns the cards that stand in several rows, each of them an element of its own: the cards of
/// one stand beside each other, and all are alike. The lines of a card stand below each other.
fn cards_of_shelves<'p>(shelves: &[Node<'p>], content: &Content) -> Option<Vec<Node<'p>>> {
    let (last, full) = shelves.split_last()?;
    let kind = |card: Node<'p>| {
        let class = card.attribute("class").and_then(|list| list.split_whitespace().next());
        (card.tag(), card.role(), class)
    };
    let cards = |shelf: Node<'p>| shelf.children().filter(|card| content.of_node(*card) > 0);
    let wanted = kind(cards(*full.first()?).next()?);
    let mut found = Vec::new();
    for shelf in shelves {
        let own: Vec<Node<'p>> = cards(*shelf).collect();
        let beside = own.windows(2).all(|pair| {
            let (one, next) = (pair[0].rect(), pair[1].rect());
            one.height > 0 && one.x != next.x && (one.y - next.y).abs() < one.height / 2
        });
        let alike = own.iter().all(|card| may_be_card(*card) && kind(*card) == wanted);
        if own.len() < 2 && shelf.id() != last.id() || !beside || !alike {
            return None;
        }
        found.extend(own);
    }
    // A card has more than one text.
    let size: u64 = found.iter().map(|card| u64::from(content.of_node(*card))).sum();
    (size >= 2 * found.len() as u64).then_some(found)
}

/// Whether an element may be a card: a block that is not a part of something else.
fn may_be_card(node: Node<'_>) -> bool {
    let is_part = matches!(
        node.role(),
        Role::Row
            | Role::RowGroup
            | Role::Cell
            | Role::GridCell
            | Role::ColumnHeader
            | Role::RowHeader
            | Role::Term
            | Role::Definition
            | Role::Option
            | Role::Paragraph
            | Role::Heading
            | Role::Tab
            | Role::TabPanel
            | Role::MenuItem
            | Role::MenuItemCheckbox
            | Role::MenuItemRadio
            | Role::Image
    ) || node.role().is_landmark();
    !is_part && !node.is_text() && node.is(Flags::BLOCK) && !is_noise(node)
}

/// How much there is to read or use before each node.
struct Content(Vec<u32>);

impl Content {
    fn of(page: &Page) -> Content {
        let mut count = 0;
        let mut before = Vec::with_capacity(page.len() + 1);
        let mut noise = 0;
        for node in page.nodes() {
            before.push(count);
            if is_noise(node) {
                noise = noise.max(node.end());
            }
            let says = match node.is_text() {
                true => node.name().chars().any(|c| !c.is_whitespace()),
                // A control without a text of its own.
                false => {
                    let leaf = node.end() == node.id().index() + 1;
                    leaf && (node.is(Flags::USABLE) || node.role() == Role::Image)
                }
            };
            count += u32::from(says && node.id().index() >= noise && is_seen(node, true));
        }
        before.push(count);
        Content(before)
    }

    fn of_node(&self, node: Node<'_>) -> u32 {
        self.0[node.end()] - self.0[node.id().index()]
    }

    fn capped(&self, node: Node<'_>) -> u32 {
        self.of_node(node).min(LARGEST_ITEM)
    }
}
