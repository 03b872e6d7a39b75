//! Puts picked units together as lines: each below the region and the container it is in, rows with
//! the heads of their columns, long units cut.

use super::rank::{Picked, Ranking};
use super::terms::Term;
use super::units::{Layout, is_table};
use crate::page::role::Role;
use crate::page::{NodeId, Page};
use crate::render::gather::row_with_heads;
use crate::render::items::{How, Item, ItemKind, Items, More, Tally};
use crate::text::escape::safe_line;

/// How many lines of one unit are shown.
const MOST_LINES: usize = 12;

/// A longer text is cut to the part around the first word of the query.
const LONGEST_TEXT: usize = 240;
const BEFORE: usize = 80;
const AFTER: usize = 140;

/// Returns the lines of the picked units, in their order.
pub(super) fn assemble(page: &Page, items: &[Item], terms: &[Term], ranking: &Ranking) -> Items {
    let layout = Layout::of(items);
    let mut out = Lines { out: Vec::new(), open: Vec::new() };
    for picked in &ranking.picked {
        out.around(items, &context(&layout, picked));
        let depth = out.open.len();
        if let Some(heading) = picked.heading.filter(|heading| *heading != picked.unit.start) {
            out.leaf(items[heading].clone());
        }
        out.unit(page, &layout, terms, picked);
        debug_assert_eq!(depth, out.open.len(), "a unit closes what it opens");
    }
    out.around(items, &[]);
    if ranking.more > 0 {
        let plural = if ranking.more == 1 { "match" } else { "matches" };
        let what = format!("{} more {plural}", ranking.more);
        out.note(NodeId::ROOT, what, How::Nothing, Tally::default());
    }
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
fn context(layout: &Layout<'_>, picked: &Picked) -> Vec<usize> {
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
struct Lines {
    out: Items,
    /// The containers that are open: the index among the items of the page, and among these.
    open: Vec<(usize, usize)>,
}

impl Lines {
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

    fn leaf(&mut self, mut item: Item) {
        item.end = self.out.len() as u32 + 1;
        self.out.push(item);
    }

    fn note(&mut self, node: NodeId, what: String, how: How, tally: Tally) {
        let more = Some(Box::new(More { what, inside: None, how, tally }));
        self.leaf(Item { kind: ItemKind::Note, more, ..Item::blank(node) });
    }

    fn unit(&mut self, page: &Page, layout: &Layout<'_>, terms: &[Term], picked: &Picked) {
        let unit = picked.unit;
        let items = &layout.items[unit.start..unit.end];
        let base = self.out.len();
        let mut lines = 0;
        let mut cut = items.len();
        for (at, item) in items.iter().enumerate() {
            lines += usize::from(item.kind != ItemKind::Soft);
            if lines > MOST_LINES {
                cut = at;
                break;
            }
            let end = base as u32 + (item.end - unit.start as u32).min(items.len() as u32);
            let mut copy = Item { end, ..item.clone() };
            if item.kind == ItemKind::Text && item.name.chars().count() > LONGEST_TEXT {
                copy.body = excerpt(&item.name, terms);
            }
            if item.role == Role::Row && item.kind == ItemKind::Group {
                let table = layout
                    .ancestors(unit.start + at)
                    .find(|above| is_table(layout.items[*above].role));
                let table = table.map(|table| layout.items[table].node);
                if let Some(body) = table.and_then(|table| row_with_heads(page, table, item.node)) {
                    copy.body = body;
                }
            }
            self.out.push(copy);
        }
        if cut < items.len() {
            let now = self.out.len() as u32;
            for item in &mut self.out[base..] {
                item.end = item.end.min(now);
            }
            let tally = Tally::of(&items[cut..]);
            let what = format!("more: {}", tally.words());
            let first = &mut self.out[base];
            first.numbered = true;
            let node = first.node;
            let how = if items[0].kind == ItemKind::Heading {
                How::After(self.out[now as usize - 1].node, None)
            } else {
                How::Scope(node)
            };
            if let How::After(..) = how
                && let Some(last) = self.out.last_mut()
            {
                last.numbered = true;
            }
            self.note(node, what, how, tally);
        }
    }
}
