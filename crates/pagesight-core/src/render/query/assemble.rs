//! Puts picked units together as lines: each below the region and the container it is in, rows with
//! the heads of their columns, long units cut.

use std::collections::BTreeMap;
use std::ops::Range;

use super::rank::{ItemMatch, Picked, Qualities, Ranking, raise};
use super::terms::Term;
use super::units::{ItemLayout, Unit, is_table};
use crate::page::role::Role;
use crate::page::{NodeId, Page};
use crate::render::gather::row_with_heads;
use crate::render::items::{How, Item, ItemKind, Items, More, Tally, apply, with_ancestors};
use crate::text::escape::safe_line;

/// How many lines of one unit are shown.
const MOST_LINES: usize = 12;
/// How many lines of a unit that is only near are shown.
const MOST_NEAR_LINES: usize = 6;
/// Which share of the best line's share of the query is much less.
const MUCH_LESS: f32 = 0.6;
/// How many lines at the beginning of a long unit are shown in any case.
const BEGINNING: usize = 3;

/// A longer text is cut to the part around the first word of the query.
const LONGEST_TEXT: usize = 240;
const BEFORE: usize = 80;
const AFTER: usize = 140;

/// Returns the lines of some of the picked units, in their order.
pub(super) fn assemble(
    page: &Page,
    items: &[Item],
    terms: &[Term],
    ranking: &Ranking,
    shown: Range<usize>,
) -> Items {
    let layout = ItemLayout::of(items);
    let most_lines = if ranking.well { MOST_LINES } else { MOST_NEAR_LINES };
    let mut out = Lines { out: Vec::new(), open: Vec::new(), hits: &ranking.hits, most_lines };
    let mut headed = None;
    for picked in &ranking.picked[shown] {
        let around = context(&layout, picked);
        let stays = out.is_open(&around);
        out.around(items, &around);
        let depth = out.open.len();
        let heading = picked.heading.filter(|heading| *heading != picked.unit.start);
        // Matches under one heading repeat it only where something else stands between them.
        if let Some(heading) = heading.filter(|heading| !(stays && headed == Some(*heading))) {
            out.leaf(items[heading].clone());
        }
        headed = heading;
        out.unit(page, &layout, terms, picked);
        debug_assert_eq!(depth, out.open.len(), "a unit closes what it opens");
    }
    out.around(items, &[]);
    out.out
}

/// Returns the part of a text around the first word of the query.
fn excerpt(text: &str, terms: &[Term]) -> String {
    let lower: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    let characters: Vec<char> = text.chars().collect();
    let position = |word: &str| {
        let word: Vec<char> = word.chars().collect();
        lower.windows(word.len().max(1)).position(|window| window == word)
    };
    // Where the lower case has a different length, the beginning is shown.
    let same = lower.len() == characters.len();
    let at = terms.iter().filter_map(|term| position(&term.word)).min().filter(|_| same);
    let start = at.unwrap_or(0).saturating_sub(BEFORE);
    let end = (at.unwrap_or(0) + AFTER).max(start + BEFORE + AFTER).min(characters.len());
    let mut part: String = characters[start..end].iter().collect();
    if start > 0 {
        part.insert(0, '…');
    }
    if end < characters.len() {
        part.push('…');
    }
    safe_line(&part, LONGEST_TEXT)
}

/// Returns the containers that are printed around a unit, the outermost first: the nearest region,
/// and the nearest named table, list or group in it.
fn context(layout: &ItemLayout<'_>, picked: &Picked) -> Vec<usize> {
    let mut around = Vec::new();
    for above in layout.ancestors(picked.unit.start) {
        let item = &layout.items[above];
        let named = item.kind == ItemKind::Group && (!item.name.is_empty() || is_table(item.role));
        if item.kind == ItemKind::Region {
            around.push(above);
            break;
        }
        if named && around.is_empty() {
            around.push(above);
        }
    }
    around.reverse();
    around
}

/// Lines in the order of printing.
struct Lines<'r> {
    out: Items,
    hits: &'r BTreeMap<usize, ItemMatch>,
    most_lines: usize,
    /// The containers that are open: the index among the items of the page, and among these.
    open: Vec<(usize, usize)>,
}

impl Lines<'_> {
    /// Closes and opens containers so that exactly these are open.
    fn around(&mut self, items: &[Item], wanted: &[usize]) {
        let same = self.open.iter().zip(wanted).take_while(|((at, _), want)| at == *want).count();
        while self.open.len() > same {
            if let Some((_, place)) = self.open.pop() {
                self.out[place].end = self.out.len() as u32;
            }
        }
        for at in &wanted[same..] {
            self.open.push((*at, self.out.len()));
            self.out.push(items[*at].clone());
        }
    }

    /// Whether exactly these containers are open.
    fn is_open(&self, wanted: &[usize]) -> bool {
        self.open.iter().map(|(at, _)| at).eq(wanted)
    }

    fn leaf(&mut self, mut item: Item) {
        item.end = self.out.len() as u32 + 1;
        self.out.push(item);
    }

    fn note(&mut self, node: NodeId, what: String, how: How, tally: Tally) {
        let more = Some(Box::new(More { what, inside: None, how, tally }));
        self.leaf(Item { kind: ItemKind::Note, more, ..Item::blank(node) });
    }

    fn unit(&mut self, page: &Page, layout: &ItemLayout<'_>, terms: &[Term], picked: &Picked) {
        let unit = picked.unit;
        let items = &layout.items[unit.start..unit.end];
        let base = self.out.len();
        let shown = shown(layout, unit, self.hits, self.most_lines);
        let mut copies: Items = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let end = (item.end - unit.start as u32).min(items.len() as u32);
            let mut copy = Item { end, ..item.clone() };
            if item.kind == ItemKind::Text && item.name.chars().count() > LONGEST_TEXT {
                copy.body = excerpt(&item.name, terms);
            }
            if shown[at] && item.role == Role::Row && item.kind == ItemKind::Group {
                let table = layout
                    .ancestors(unit.start + at)
                    .find(|above| is_table(layout.items[*above].role));
                let table = table.map(|table| layout.items[table].node);
                if let Some(body) = table.and_then(|table| row_with_heads(page, table, item.node)) {
                    copy.body = body;
                }
            }
            copies.push(copy);
        }
        let left: Vec<Item> = items
            .iter()
            .zip(&shown)
            .filter(|(_, shown)| !**shown)
            .map(|(item, _)| item.clone())
            .collect();
        let fates = with_ancestors(&copies, &shown);
        let first_gap = shown.iter().position(|shown| !shown).unwrap_or(items.len());
        for mut item in apply(copies, &fates) {
            item.end += base as u32;
            self.out.push(item);
        }
        let tally = Tally::of(&left);
        if left.iter().all(|item| item.kind == ItemKind::Soft) {
            return;
        }
        let what = format!("more: {}", tally.words());
        let how = match items[0].kind {
            ItemKind::Heading => How::After(items[first_gap.max(1) - 1].node, None),
            _ => How::Scope(items[0].node),
        };
        // The note refers to a line by its number.
        let (How::After(node, _) | How::Scope(node)) = how else { return };
        for item in &mut self.out[base..] {
            item.numbered |= item.node == node && item.kind != ItemKind::Soft;
        }
        self.note(items[0].node, what, how, tally);
    }
}

/// Chooses the lines of a unit that are shown: all if there are few, else its beginning and the
/// lines with words of the query.
fn shown(
    layout: &ItemLayout<'_>,
    unit: Unit,
    hits: &BTreeMap<usize, ItemMatch>,
    most_lines: usize,
) -> Vec<bool> {
    let count = unit.end - unit.start;
    if layout.lines(unit) <= most_lines {
        return vec![true; count];
    }
    let is_line = |at: &usize| layout.items[*at].kind != ItemKind::Soft;
    let mut best: Vec<(usize, &ItemMatch)> =
        hits.range(unit.start..unit.end).map(|(at, hit)| (*at, hit)).collect();
    best.sort_by(|a, b| b.1.share.total_cmp(&a.1.share).then(a.0.cmp(&b.0)));
    // First the lines that are needed so that each word of the query is shown once.
    let mut covered: Qualities = vec![0.0; best.first().map_or(0, |(_, hit)| hit.qualities.len())];
    let mut needed = Vec::new();
    for (at, hit) in &best {
        if hit.qualities.iter().zip(&covered).any(|(new, old)| *new > old + 0.2) {
            raise(&mut covered, &hit.qualities, 1.0);
            // A label is beside its control.
            needed.extend([*at, *at + 1, at.saturating_sub(1)]);
        }
    }
    // Lines that say much less of the query than the best one do not displace the beginning.
    let least = best.first().map_or(0.0, |(_, hit)| hit.share * MUCH_LESS);
    let others = best.iter().take_while(|(_, hit)| hit.share >= least).map(|(at, _)| *at);
    let lines = || (unit.start..unit.end).filter(is_line);
    let wanted = lines().take(BEGINNING).chain(needed).chain(others).chain(lines());
    let mut shown = vec![false; count];
    let mut left = most_lines;
    for at in wanted.filter(|at| (unit.start..unit.end).contains(at)).filter(is_line) {
        if left == 0 {
            break;
        }
        let place = &mut shown[at - unit.start];
        left -= usize::from(!*place);
        *place = true;
    }
    shown
}
