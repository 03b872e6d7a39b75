//! The items of a view before they are printed: a pre-order list, one item per line. The passes
//! over it (tidy, select, fold, budget) decide for each item whether it stays. No pass recurses, so
//! that deep pages are not a problem.

use crate::page::NodeId;
use crate::page::role::Role;

/// The kind of an item, which decides whether it may be dropped or folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ItemKind {
    /// A landmark or dialog.
    Region,
    /// A list, table, row, group: holds other items and has a line.
    #[default]
    Group,
    /// A wrapper without a line that holds more than one item; only folding looks at it.
    Soft,
    Usable,
    Heading,
    /// Plain text, an image, the options of a select.
    Text,
    /// A note about what was folded or left out.
    Note,
}

/// One line before it is printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Item {
    /// The node it stands for; for a note, the node that the note is about.
    pub(crate) node: NodeId,
    /// The index past its last descendant item.
    pub(crate) end: u32,
    pub(crate) kind: ItemKind,
    pub(crate) role: Role,
    /// The name or text as the page wrote it, for comparing.
    pub(crate) name: String,
    /// The line without number and indentation: role and name, or a text.
    pub(crate) body: String,
    /// Text after the body: how much a list or table holds, the value, the states, what covers
    /// it. Never searched or cut, so that page text in the body cannot be taken for it.
    pub(crate) count: String,
    pub(crate) value: String,
    pub(crate) states: Vec<String>,
    pub(crate) cover: Option<NodeId>,
    /// Where a link leads, if the line says so.
    pub(crate) target: String,
    /// The guessed name in the body, as it is printed; empty if there is none.
    pub(crate) guess: String,
    /// The text that distinguishes it from controls of the same name, as it is printed; empty if
    /// there is none.
    pub(crate) owner: String,
    /// Elements without a line that this line stands for as well.
    pub(crate) also: Vec<NodeId>,
    /// The roles of click targets without a line that this line counts.
    pub(crate) counted: Vec<Role>,
    /// Whether the line shows a number.
    pub(crate) numbered: bool,
    /// Whether `after` with this line's number continues right after it.
    pub(crate) stop: bool,
    /// Whether it is never folded alone, because it is the only name of a usable element around it.
    pub(crate) names: bool,
    /// How many characters of its text are not in any line.
    pub(crate) beyond: usize,
    /// A note about folded items; its line is made when the numbers are known. Boxed, because few
    /// items are notes.
    pub(crate) more: Option<Box<More>>,
}

impl Item {
    /// Makes an item without content.
    pub(crate) fn blank(node: NodeId) -> Item {
        Item { node, ..Item::default() }
    }

    /// Makes a note of it, which says what was left out in its place.
    pub(crate) fn into_note(self, more: More) -> Item {
        Item {
            kind: ItemKind::Note,
            numbered: false,
            body: String::new(),
            count: String::new(),
            value: String::new(),
            states: Vec::new(),
            cover: None,
            target: String::new(),
            more: Some(Box::new(more)),
            ..self
        }
    }
}

/// A note about items that are not shown.
#[derive(Clone, Debug)]
pub(crate) struct More {
    /// The items that were left out, in words: `297 more rows`.
    pub(crate) what: String,
    /// The container that holds it, with its line in short: ` in [88] table: Orders`.
    pub(crate) inside: Option<(NodeId, String)>,
    /// How to see it.
    pub(crate) how: How,
    /// The items that were left out, by role; counted again if this note is folded in turn.
    pub(crate) tally: Tally,
}

/// How a reader can see what a note left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// By opening an element.
    Scope(NodeId),
    /// By continuing after an element, in the scope of the current view if it has one.
    After(NodeId, Option<NodeId>),
    /// By giving the same query with this element.
    SameQueryAfter(NodeId),
    /// There is no way.
    Nothing,
}

/// How many items there are of each role; texts count as [`Role::None`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally(std::collections::BTreeMap<Role, usize>);

impl Tally {
    /// Counts what the items show and what their notes left out.
    pub(crate) fn of<'a>(items: impl IntoIterator<Item = &'a Item>) -> Tally {
        let mut tally = Tally::default();
        for item in items {
            if item.more.is_none() {
                item.counted.iter().for_each(|role| tally.add_one(*role));
            }
            match (&item.more, item.kind) {
                (Some(more), _) => tally.add(&more.tally),
                (None, ItemKind::Usable) => tally.add_one(item.role),
                (None, ItemKind::Text | ItemKind::Heading) => tally.add_one(Role::None),
                (None, ItemKind::Group)
                    if item.numbered || (is_row(item.role) && !item.name.is_empty()) =>
                {
                    tally.add_one(item.role);
                }
                (None, _) if item.numbered => tally.add_one(item.role),
                _ => {}
            }
        }
        tally
    }

    fn add_one(&mut self, role: Role) {
        *self.0.entry(role).or_default() += 1;
    }

    fn add(&mut self, other: &Tally) {
        for (role, count) in &other.0 {
            *self.0.entry(*role).or_default() += count;
        }
    }

    /// Returns the counts in words, the most frequent roles by name:
    /// `45 links, 3 buttons, 2 others, 12 texts`.
    pub(crate) fn words(&self) -> String {
        let mut roles: Vec<(Role, usize)> =
            self.0.iter().map(|(role, count)| (*role, *count)).collect();
        let texts = self.0.get(&Role::None).copied().unwrap_or(0);
        roles.retain(|(role, _)| *role != Role::None);
        roles.sort_by_key(|(role, count)| (std::cmp::Reverse(*count), *role));
        let others: usize = roles.iter().skip(3).map(|(_, count)| count).sum();
        let mut parts: Vec<String> = roles
            .iter()
            .take(3)
            .map(|(role, count)| {
                format!("{count} {}", if *count == 1 { role.as_str() } else { role.plural() })
            })
            .collect();
        if others > 0 {
            parts.push(format!("{others} other{}", if others == 1 { "" } else { "s" }));
        }
        if texts > 0 {
            parts.push(format!("{texts} text{}", if texts == 1 { "" } else { "s" }));
        }
        if parts.is_empty() { "nothing usable".to_owned() } else { parts.join(", ") }
    }
}

/// Whether the text of an element with this role is part of its line.
fn is_row(role: Role) -> bool {
    matches!(role, Role::Row | Role::ListItem | Role::Term | Role::Definition)
}

/// A pre-order list of items.
pub(crate) type Items = Vec<Item>;

/// The decision of a pass about an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemFate {
    Keep,
    /// It is removed, and its children take its place.
    Unwrap,
    /// It is removed with its descendants.
    Drop,
}

/// Applies the decisions of a pass.
pub(crate) fn apply(items: Items, fates: &[ItemFate]) -> Items {
    debug_assert_eq!(items.len(), fates.len());
    let mut out: Items = Vec::with_capacity(items.len());
    // Kept items that are still open: where they stand in `out`, and where they end in `items`.
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut dropped_until = 0u32;
    for (at, item) in items.into_iter().enumerate() {
        let at32 = at as u32;
        while let Some((place, _)) = open.pop_if(|(_, end)| *end <= at32) {
            out[place].end = out.len() as u32;
        }
        if at32 < dropped_until {
            continue;
        }
        match fates[at] {
            ItemFate::Drop => dropped_until = item.end,
            ItemFate::Unwrap => {}
            ItemFate::Keep => {
                open.push((out.len(), item.end));
                out.push(item);
            }
        }
    }
    while let Some((place, _)) = open.pop() {
        out[place].end = out.len() as u32;
    }
    out
}

/// Returns the indexes of the children of `parent` (`None`: the top items).
pub(crate) fn children(items: &[Item], parent: Option<usize>) -> impl Iterator<Item = usize> {
    let (mut next, end) = match parent {
        None => (0, items.len()),
        Some(at) => (at + 1, items[at].end as usize),
    };
    std::iter::from_fn(move || {
        (next < end).then(|| {
            let at = next;
            next = items[at].end as usize;
            at
        })
    })
}

/// Returns for each item the index of its parent.
pub(crate) fn parents(items: &[Item]) -> Vec<Option<usize>> {
    let mut out = Vec::with_capacity(items.len());
    let mut open: Vec<usize> = Vec::new();
    for at in 0..items.len() {
        while open.pop_if(|top| items[*top].end as usize <= at).is_some() {}
        out.push(open.last().copied());
        open.push(at);
    }
    out
}

/// Returns for each item its nearest ancestor with a line.
pub(crate) fn line_parents(items: &[Item]) -> Vec<Option<usize>> {
    let mut out = parents(items);
    for at in 0..out.len() {
        if let Some(parent) = out[at].filter(|parent| items[*parent].kind == ItemKind::Soft) {
            out[at] = out[parent];
        }
    }
    out
}

/// Keeps the wanted items and their ancestors.
pub(crate) fn with_ancestors(items: &[Item], wanted: &[bool]) -> Vec<ItemFate> {
    let parents = parents(items);
    let mut fates = vec![ItemFate::Unwrap; items.len()];
    for at in (0..items.len()).rev() {
        if wanted[at] || fates[at] == ItemFate::Keep {
            fates[at] = ItemFate::Keep;
            if let Some(parent) = parents[at] {
                fates[parent] = ItemFate::Keep;
            }
        }
    }
    fates
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Reads items from an indented picture: `R` region, `G` group, `U` usable, `T` text, each with
    /// a name.
    pub(crate) fn picture(text: &str) -> Items {
        let mut items: Items = Vec::new();
        let mut open: Vec<(usize, usize)> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let depth = line.len() - line.trim_start().len();
            while let Some((_, place)) = open.pop_if(|(other, _)| *other >= depth) {
                items[place].end = items.len() as u32;
            }
            let (kind, name) = line.trim().split_at(1);
            let (kind, role) = match kind {
                "R" => (ItemKind::Region, Role::Main),
                "G" => (ItemKind::Group, Role::List),
                "S" => (ItemKind::Soft, Role::None),
                "U" => (ItemKind::Usable, Role::Link),
                _ => (ItemKind::Text, Role::None),
            };
            open.push((depth, items.len()));
            items.push(Item {
                kind,
                role,
                name: name.trim().to_owned(),
                body: name.trim().to_owned(),
                stop: true,
                numbered: kind == ItemKind::Usable,
                ..Item::blank(NodeId(items.len() as u32))
            });
        }
        let end = items.len() as u32;
        for (_, place) in open {
            items[place].end = end;
        }
        items
    }

    /// Draws items as a picture: names, indented.
    pub(crate) fn drawn(items: &[Item]) -> String {
        let parents = parents(items);
        let depth = |mut at: usize| {
            let mut depth = 0;
            while let Some(parent) = parents[at] {
                (at, depth) = (parent, depth + 1);
            }
            depth
        };
        (0..items.len())
            .map(|at| format!("{}{}\n", " ".repeat(depth(at)), items[at].name))
            .collect()
    }

    #[test]
    fn applying_fates_keeps_the_tree_whole() {
        let items = picture("R a\n G b\n  U c\n  U d\n T e\nT f");
        let fates = [
            ItemFate::Keep,
            ItemFate::Unwrap,
            ItemFate::Keep,
            ItemFate::Drop,
            ItemFate::Keep,
            ItemFate::Keep,
        ];
        assert_eq!(drawn(&apply(items, &fates)), "a\n c\n e\nf\n");
        let items = picture("R a\n G b\n  U c\n T e\nT f");
        let fates =
            [ItemFate::Keep, ItemFate::Drop, ItemFate::Keep, ItemFate::Keep, ItemFate::Keep];
        assert_eq!(drawn(&apply(items, &fates)), "a\n e\nf\n");
    }

    #[test]
    fn ancestors_of_what_is_wanted_stay() {
        let items = picture("R a\n G b\n  U c\n  U d\n T e\nT f");
        let fates = with_ancestors(&items, &[false, false, false, true, false, false]);
        assert_eq!(drawn(&apply(items, &fates)), "a\n b\n  d\n");
    }
}
