//! Reads numbers with a currency, a percentage or a unit: prices anywhere on the page, percentages
//! and units in headings and tables. Each is noted with what it belongs to, so that the price of
//! one thing is never compared with the price of another.

use std::collections::HashMap;

use super::locations::{EntryKind, Origins};
use super::model::{Structure, TEXT_LIMIT, UnitNumber};
use super::normalize::normalize;
use super::regions::{PlacedNode, RegionMap};
use super::selector::bounded;
use super::titles::title_of;
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId};
use crate::text::amounts::{AmountKinds, amounts};
use crate::text::escape::stored;

/// How many numbers of a page are read.
const MOST_AMOUNTS: usize = 5_000;
/// Among how many elements around a number its heading, cell or price is looked for.
const REACH: usize = 12;

/// Reads the numbers.
pub(super) fn read(ground: &RegionMap<'_>, structure: &mut Structure, origins: &mut Origins) {
    let mut reader = AmountReader { found: Vec::new(), heads: HashMap::new() };
    let mut line = Line::default();
    for spot in &ground.spots {
        if spot.node.is_text() {
            // The end of a block ends a line, too.
            let mut around = spot.node.ancestors().take(REACH);
            let block = around.find(|at| begins_line(*at)).map(|at| at.id());
            if block != line.block {
                reader.end(&mut line, origins);
                line.block = block;
            }
            line.add(spot);
            continue;
        }
        if begins_line(spot.node) {
            reader.end(&mut line, origins);
        }
        reader.marked_price(spot, origins);
    }
    reader.end(&mut line, origins);
    structure.numbers = Some(reader.found);
}

/// A line of text that is being read.
#[derive(Default)]
struct Line<'g, 'p> {
    text: String,
    /// Its first text.
    from: Option<&'g PlacedNode<'p>>,
    /// The element whose line it is.
    block: Option<NodeId>,
}

impl<'g, 'p> Line<'g, 'p> {
    fn add(&mut self, spot: &'g PlacedNode<'p>) {
        self.from.get_or_insert(spot);
        self.text.push_str(spot.node.name());
    }
}

struct AmountReader {
    found: Vec<UnitNumber>,
    /// The column heads of tables that were met.
    heads: HashMap<NodeId, Vec<String>>,
}

impl AmountReader {
    /// Reads the numbers of a line and begins the next one.
    fn end(&mut self, line: &mut Line<'_, '_>, origins: &mut Origins) {
        let (text, from) = (std::mem::take(&mut line.text), line.from.take());
        let may_count =
            self.found.len() < MOST_AMOUNTS && text.contains(|c: char| c.is_ascii_digit());
        let Some(from) = from.filter(|_| may_count) else { return };
        let (kinds, cell) = surroundings(from.node);
        let text = stored(&text);
        let mut label = None;
        for amount in amounts(&text, kinds) {
            let label = label.get_or_insert_with(|| self.label(&text, amount, from.node, cell));
            self.push(label.clone(), amount, from, origins);
        }
    }

    /// Reads a price that only an attribute says.
    fn marked_price(&mut self, spot: &PlacedNode<'_>, origins: &mut Origins) {
        let node = spot.node;
        let Some(price) = node.attribute("data-price").filter(|_| node.hidden().is_none()) else {
            return;
        };
        let price = stored(price);
        let is_written = node
            .descendants()
            .take(REACH)
            .any(|inner| inner.is_text() && inner.name().contains(|c: char| c.is_ascii_digit()));
        if !is_written && price.contains(|c: char| c.is_ascii_digit()) {
            self.push(title_of(node), &price, spot, origins);
        }
    }

    fn push(&mut self, label: String, amount: &str, at: &PlacedNode<'_>, origins: &mut Origins) {
        if self.found.len() < MOST_AMOUNTS {
            origins.note(EntryKind::Number, at.node.id());
            self.found.push(UnitNumber {
                label,
                text: bounded(amount, TEXT_LIMIT),
                place: at.place,
                ignored: at.ignored,
            });
        }
    }

    /// Returns what a number belongs to.
    fn label(
        &mut self,
        line: &str,
        amount: &str,
        node: Node<'_>,
        cell: Option<Node<'_>>,
    ) -> String {
        if let Some(cell) = cell {
            return self.cell_label(cell);
        }
        // A line that says more than the number says what the number is.
        let around = line.replacen(amount, "", 1);
        if around.chars().filter(|c| c.is_alphabetic()).count() >= 3 {
            let is_heading = node.ancestors().take(REACH).any(|at| at.role() == Role::Heading);
            let title = if is_heading { String::new() } else { title_of(node) };
            let said = bounded(&normalize(line), TEXT_LIMIT);
            return if title.is_empty() { said } else { format!("{title}: {said}") };
        }
        title_of(node)
    }

    /// Returns the row and the column of a cell.
    fn cell_label(&mut self, cell: Node<'_>) -> String {
        let Some(row) = cell.parent().filter(|row| row.role() == Role::Row) else {
            return title_of(cell);
        };
        let column =
            row.children().filter(|cell| is_cell(*cell)).position(|at| at.id() == cell.id());
        let table = row.ancestors().take(REACH).find(|at| super::regions::is_table(at.role()));
        let head = table.zip(column).and_then(|(table, column)| {
            self.heads.entry(table.id()).or_insert_with(|| heads(table)).get(column).cloned()
        });
        let title = title_of(cell);
        match head.filter(|head| !head.is_empty()) {
            Some(head) if title.is_empty() => head,
            Some(head) => format!("{title} · {head}"),
            None => title,
        }
    }
}

/// Returns the column heads of a table.
fn heads(table: Node<'_>) -> Vec<String> {
    let heads = table.descendants().filter(|node| node.role() == Role::ColumnHeader);
    heads.map(|head| bounded(&stored(head.name()), 60)).collect()
}

fn begins_line(node: Node<'_>) -> bool {
    node.is(Flags::BLOCK) || node.is(Flags::USABLE) || node.role() == Role::Heading || is_cell(node)
}

fn is_cell(node: Node<'_>) -> bool {
    matches!(node.role(), Role::Cell | Role::GridCell | Role::RowHeader | Role::ColumnHeader)
}

/// Returns which numbers of a text count, and the cell around it.
fn surroundings(text: Node<'_>) -> (AmountKinds, Option<Node<'_>>) {
    let mut kinds = AmountKinds::Currencies;
    for around in text.ancestors().take(REACH) {
        let is_price = around.attribute("data-price").is_some()
            || around.attribute("itemprop").is_some_and(|prop| {
                prop.split_whitespace().any(|word| word.to_lowercase().ends_with("price"))
            });
        if is_price {
            kinds = AmountKinds::All;
        }
        if around.role() == Role::Heading && kinds == AmountKinds::Currencies {
            kinds = AmountKinds::Units;
        }
        if is_cell(around) {
            let kinds = if kinds == AmountKinds::All { kinds } else { AmountKinds::Units };
            return (kinds, Some(around));
        }
    }
    (kinds, None)
}
