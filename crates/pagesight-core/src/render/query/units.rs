//! The units of a page: what belongs together for a reader. A unit is a run of items with a common
//! subject: a table row, a list item, a field, a card, or a section under a heading.

use crate::page::role::Role;
use crate::render::items::{Item, ItemKind, parents};

/// A record with more lines than this is not one unit.
const LARGEST_RECORD: usize = 40;
/// A card with more lines than this is not one unit.
const LARGEST_CARD: usize = 12;
/// Among how many ancestors the unit of an item is looked for.
const REACH: usize = 12;
/// How many ancestors of an item are looked at: the cost of a deep page must not grow faster than
/// the page.
const DEEPEST: usize = 64;

/// A run of items, from `start` to before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Unit {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The items of a page with what is needed to find units in them.
pub(super) struct ItemLayout<'i> {
    pub(super) items: &'i [Item],
    pub(super) parents: Vec<Option<usize>>,
    /// For each item, how many lines come before it, and how many of them can be used.
    lines_before: Vec<usize>,
    usable_before: Vec<usize>,
    /// For each item, the last heading before it.
    headings: Vec<Option<usize>>,
    /// For each item, the line of column heads directly below it.
    pub(super) columns: Vec<Option<usize>>,
}

impl<'i> ItemLayout<'i> {
    pub(super) fn of(items: &'i [Item]) -> ItemLayout<'i> {
        let parents = parents(items);
        let mut lines_before = Vec::with_capacity(items.len() + 1);
        let mut headings = Vec::with_capacity(items.len());
        let mut columns = vec![None; items.len()];
        let mut usable_before = Vec::with_capacity(items.len() + 1);
        let (mut lines, mut usable, mut heading) = (0, 0, None);
        for (at, item) in items.iter().enumerate() {
            lines_before.push(lines);
            usable_before.push(usable);
            usable += usize::from(item.kind == ItemKind::Usable);
            headings.push(heading);
            lines += usize::from(item.kind != ItemKind::Soft);
            if item.kind == ItemKind::Heading {
                heading = Some(at);
            }
            if item.role == Role::ColumnHeader {
                let table = ancestors(&parents, at).find(|above| is_table(items[*above].role));
                if let Some(table) = table {
                    columns[table].get_or_insert(at);
                }
            }
        }
        lines_before.push(lines);
        usable_before.push(usable);
        ItemLayout { items, parents, lines_before, usable_before, headings, columns }
    }

    /// Returns how many lines a unit has.
    pub(super) fn lines(&self, unit: Unit) -> usize {
        self.lines_before[unit.end] - self.lines_before[unit.start]
    }

    /// Returns the heading that a unit is under. A card with a heading of its own is not under that
    /// of the card before it.
    pub(super) fn heading_of(&self, unit: Unit) -> Option<usize> {
        let before = self.headings[unit.start]?;
        let level = heading_level(&self.items[before]);
        let own = self.items[unit.start..unit.end]
            .iter()
            .any(|item| item.kind == ItemKind::Heading && heading_level(item) <= level);
        (!own).then_some(before)
    }

    fn has_controls(&self, unit: Unit) -> bool {
        self.usable_before[unit.end] > self.usable_before[unit.start]
    }

    pub(super) fn ancestors(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        ancestors(&self.parents, at)
    }

    /// Calls `f` with each unit that an item may belong to, the smallest first.
    pub(super) fn units_around(&self, at: usize, mut f: impl FnMut(Unit)) {
        let item = &self.items[at];
        let own = self.whole(at);
        if let Some(record) = self.record(at) {
            return f(record);
        }
        // A heading that is a link has one line more, but it is the same heading.
        if let Some(above) = self.parents[at]
            && self.items[above].kind == ItemKind::Heading
        {
            return f(self.section(above));
        }
        let leaf = match item.kind {
            _ if matches!(item.role, Role::Term | Role::Definition) => self.definition(at),
            ItemKind::Heading => self.section(at),
            ItemKind::Region | ItemKind::Group => own,
            _ if self.lines(own) <= LARGEST_CARD => own,
            _ => Unit { start: at, end: at + 1 },
        };
        // A text alone is a unit only if no control belongs to it.
        let mut alone = item.kind == ItemKind::Text && !self.has_controls(leaf);
        if !alone {
            f(leaf);
        }
        let mut cards = 0;
        for above in self.ancestors(at).take(REACH) {
            let unit = self.whole(above);
            let lines = self.lines(unit);
            let (kind, role) = (self.items[above].kind, self.items[above].role);
            if is_record(role) && lines <= LARGEST_RECORD {
                return f(unit);
            }
            if lines > LARGEST_RECORD || kind == ItemKind::Region || is_table(role) {
                break;
            }
            if lines <= LARGEST_CARD && unit != leaf && cards < 3 {
                if alone && !self.has_controls(unit) {
                    continue;
                }
                alone = false;
                f(unit);
                cards += 1;
            }
        }
        if alone {
            f(leaf);
        }
    }

    /// Returns the row or the small list item that an item is in. Nothing in it is a unit alone.
    fn record(&self, at: usize) -> Option<Unit> {
        let around = std::iter::once(at).chain(self.ancestors(at).take(REACH));
        for above in around {
            let (unit, role) = (self.whole(above), self.items[above].role);
            let most = if role == Role::Row { LARGEST_RECORD } else { LARGEST_CARD };
            if is_record(role) && self.items[above].kind == ItemKind::Group {
                return (self.lines(unit) <= most).then_some(unit);
            }
            if is_table(role) {
                break;
            }
        }
        None
    }

    /// Returns a term with its definitions.
    fn definition(&self, at: usize) -> Unit {
        let role = |at: usize| self.items[at].role;
        let start = (at.saturating_sub(LARGEST_RECORD)..=at)
            .rev()
            .filter(|other| self.parents[*other] == self.parents[at])
            .take_while(|other| *other == at || role(at) == Role::Definition)
            .find(|other| role(*other) == Role::Term)
            .unwrap_or(at);
        let mut end = self.items[start].end as usize;
        while end < self.items.len()
            && role(end) == Role::Definition
            && self.parents[end] == self.parents[start]
        {
            end = self.items[end].end as usize;
        }
        Unit { start, end }
    }

    fn whole(&self, at: usize) -> Unit {
        Unit { start: at, end: self.items[at].end as usize }
    }

    /// Returns a heading with everything up to the next heading of the same level or a higher one,
    /// below the same container.
    fn section(&self, heading: usize) -> Unit {
        let level = |at: usize| heading_level(&self.items[at]);
        // A heading is often the last thing in a wrapper, with its section after the wrapper.
        let mut last = heading;
        while let Some(above) = self.parents[last]
            && self.items[above].kind == ItemKind::Soft
            && self.items[above].end == self.items[heading].end
        {
            last = above;
        }
        let limit = self.parents[last].map_or(self.items.len(), |at| self.items[at].end as usize);
        let mut end = self.items[last].end as usize;
        let ends =
            |at: &usize| self.items[*at].kind == ItemKind::Heading && level(*at) <= level(heading);
        while end < limit {
            let next = self.items[end].end as usize;
            let Some(stop) = (end..next).find(ends) else {
                end = next;
                continue;
            };
            // The next heading may be inside a container whose beginning still belongs here.
            end = stop;
            while end > heading + 1 && self.items[end - 1].end as usize > end {
                end -= 1;
            }
            break;
        }
        Unit { start: heading, end }
    }
}

fn ancestors(parents: &[Option<usize>], at: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(parents[at], |above| parents[*above]).take(DEEPEST)
}

fn heading_level(item: &Item) -> u32 {
    let digits: String = item.body.chars().filter(char::is_ascii_digit).take(1).collect();
    if item.body.starts_with("heading ") { digits.parse().unwrap_or(2) } else { 2 }
}

/// Whether an element with this role is one record among others.
pub(super) fn is_record(role: Role) -> bool {
    matches!(
        role,
        Role::Row
            | Role::ListItem
            | Role::Article
            | Role::TreeItem
            | Role::Definition
            | Role::Figure
    )
}

pub(super) fn is_table(role: Role) -> bool {
    matches!(role, Role::Table | Role::Grid | Role::TreeGrid)
}
