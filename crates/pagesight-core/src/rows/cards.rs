//! Reads lists, definition lists and repeated cards: the pieces of their items, in columns.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::builder::RowsBuilder;
use super::cell::read_cell;
use super::model::{MOST_COLUMNS, Row};
use super::pieces::{ItemPieces, LineBreaks, Piece, cut};
use crate::page::role::Role;
use crate::page::{Node, Page};
use crate::pipeline::filter::noise::is_noise;
use crate::text::escape::clean;

/// The longest label of a text, in characters.
const LABEL_LIMIT: usize = 40;

/// Facts about items besides their rows.
#[derive(Debug, Default)]
pub(super) struct CardsExtent {
    pub(super) columns_left: usize,
}

/// A column of items that is being collected.
struct CardColumn {
    kind: &'static str,
    /// The name that its label or its field gives it; none if items differ.
    label: Option<String>,
}

/// Reads items. Their pieces make the columns.
pub(super) fn read_items(page: &Page, items: &[Node<'_>]) -> (RowsBuilder, CardsExtent) {
    let breaks = LineBreaks::of(page);
    let mut builder = RowsBuilder::new();
    let mut extent = CardsExtent::default();
    let mut order = ColumnOrder::default();
    let mut columns: Vec<CardColumn> = Vec::new();
    let mut read: Vec<(Node<'_>, ItemPieces, Vec<usize>)> = Vec::new();
    for item in items {
        let mut cut = cut(page, &breaks, *item);
        cut.pieces = labelled(without_labels(cut.pieces));
        if cut.pieces.is_empty() {
            continue;
        }
        let mut seen: HashMap<u64, u32> = HashMap::new();
        let mut before = None;
        let mut places = Vec::with_capacity(cut.pieces.len());
        for piece in &cut.pieces {
            let nth = seen.entry(piece.key).and_modify(|nth| *nth += 1).or_insert(0);
            let Some(column) = order.column((piece.key, *nth), before) else {
                extent.columns_left += 1;
                places.push(usize::MAX);
                continue;
            };
            before = Some(column);
            places.push(column);
            if column == columns.len() {
                let label = (!piece.label.is_empty()).then(|| piece.label.clone());
                columns.push(CardColumn { kind: piece.kind, label });
            } else if columns[column].label.as_ref() != Some(&piece.label) {
                columns[column].label = None;
            }
        }
        read.push((*item, cut, places));
    }
    let mut position = vec![0; columns.len()];
    for (at, column) in order.order.iter().enumerate() {
        position[*column] = at;
    }
    let mut kept = vec![0; columns.len()];
    for (column, at) in position.iter().enumerate() {
        kept[*at] = column;
    }
    let prefixes = common_prefixes(&read, columns.len());
    for (item, cut, places) in read {
        let mut row = Row { node: item.id(), controls: cut.controls, cells: Vec::new() };
        row.cells.resize(columns.len(), 0);
        for (piece, column) in cut.pieces.into_iter().zip(places) {
            if column == usize::MAX {
                continue;
            }
            let mut text = piece.text;
            if let Some(prefix) = &prefixes[column]
                && columns[column].label.is_none()
            {
                text = text[prefix.len() + 1..].trim_start().to_owned();
            }
            let text = builder.text(text, piece.target);
            builder.moment(text, piece.moment);
            row.cells[position[column]] = text;
        }
        builder.rows.push(row);
    }
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let name = |column: &usize| {
        let CardColumn { kind, label } = &columns[*column];
        if let Some(label) = label.clone().or_else(|| prefixes[*column].clone()) {
            return label;
        }
        let number = numbers.entry(kind).or_default();
        *number += 1;
        if *number == 1 { (*kind).to_owned() } else { format!("{kind} {number}") }
    };
    builder.columns = kept.iter().map(name).collect();
    builder.keys = kept.iter().map(|column| order.keys[*column]).collect();
    (builder, extent)
}

/// Leaves out texts that only say the name of the field beside them.
fn without_labels(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let says = |text: &Piece, field: Option<&Piece>| {
        let bare = |text: &str| clean(text.trim_end_matches([':', '：', '*'])).to_lowercase();
        text.kind == "text"
            && field.is_some_and(|field| {
                !field.label.is_empty() && bare(&field.label) == bare(&text.text)
            })
    };
    let is_label: Vec<bool> = (0..pieces.len())
        .map(|at| {
            let before = at.checked_sub(1).and_then(|at| pieces.get(at));
            says(&pieces[at], before) || says(&pieces[at], pieces.get(at + 1))
        })
        .collect();
    let mut at = is_label.into_iter();
    pieces.retain(|_| !at.next().unwrap_or_default());
    pieces
}

/// Gives a piece the label before it: a term, or a text that ends with a colon.
fn labelled(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut label: Option<Piece> = None;
    for mut piece in pieces {
        let text = piece.text.trim_end();
        let is_label = (piece.kind == "term"
            || piece.kind == "text" && text.ends_with([':', '：']))
            && text.chars().count() <= LABEL_LIMIT
            && text.chars().any(char::is_alphabetic);
        if is_label {
            out.extend(label.replace(piece));
            continue;
        }
        if let Some(label) = label.take() {
            piece.label = clean(label.text.trim_end_matches([':', '：']));
            // A label says which column it is, wherever it stands.
            piece.key = key_of_label(&piece.label);
        }
        out.push(piece);
    }
    out.extend(label);
    out
}

fn key_of_label(label: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    ("label", label.to_lowercase()).hash(&mut hasher);
    hasher.finish()
}

/// Returns for each column the label that all its texts begin with: `Price` of `Price: 12`.
fn common_prefixes(
    read: &[(Node<'_>, ItemPieces, Vec<usize>)],
    columns: usize,
) -> Vec<Option<String>> {
    /// The label of a column: not known yet, a text, or that there is none.
    #[derive(Clone, PartialEq)]
    enum Known {
        Nothing,
        Label(String, usize),
        None,
    }
    let mut known = vec![Known::Nothing; columns];
    for (_, cut, places) in read {
        for (piece, column) in cut.pieces.iter().zip(places) {
            let Some(known) = known.get_mut(*column) else { continue };
            let label = piece.text.split_once(':').map(|(label, rest)| (label, rest.trim()));
            let label = label.filter(|(label, rest)| {
                let words = label.chars().any(char::is_alphabetic);
                words && label.chars().count() <= LABEL_LIMIT && !rest.is_empty()
            });
            *known = match (std::mem::replace(known, Known::None), label) {
                (Known::Nothing, Some((label, rest))) if !rest.starts_with("//") => {
                    Known::Label(label.to_owned(), 1)
                }
                (Known::Label(same, count), Some((label, _))) if same == label => {
                    Known::Label(same, count + 1)
                }
                _ => Known::None,
            };
        }
    }
    let label = |known| match known {
        Known::Label(label, count) if count > 1 => Some(label),
        _ => None,
    };
    known.into_iter().map(label).collect()
}

/// The columns by their keys, and the order that the items give them.
#[derive(Default)]
struct ColumnOrder {
    columns: HashMap<(u64, u32), usize>,
    order: Vec<usize>,
    /// The keys of the columns.
    keys: Vec<u64>,
}

impl ColumnOrder {
    /// Returns the column of a key. A new one stands after the column `before`. `None`: there are
    /// too many.
    fn column(&mut self, key: (u64, u32), before: Option<usize>) -> Option<usize> {
        if let Some(column) = self.columns.get(&key) {
            return Some(*column);
        }
        let column = self.columns.len();
        if column >= MOST_COLUMNS {
            return None;
        }
        self.columns.insert(key, column);
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        self.keys.push(hasher.finish());
        let after = before.and_then(|before| self.order.iter().position(|at| *at == before));
        self.order.insert(after.map_or(0, |at| at + 1), column);
        Some(column)
    }
}

/// Reads a definition list: one row per term.
pub(super) fn read_definitions(page: &Page, list: Node<'_>) -> RowsBuilder {
    let mut builder = RowsBuilder::new();
    builder.columns = vec!["term".to_owned(), "definition".to_owned()];
    // The rows of terms whose definitions may still come.
    let mut first = 0;
    let mut defined = true;
    let mut said: (String, String) = Default::default();
    let mut controls = Vec::new();
    let finish = |builder: &mut RowsBuilder,
                  first: usize,
                  said: &mut (String, String),
                  controls: &mut Vec<_>| {
        let (text, target) = std::mem::take(said);
        let text = builder.text(text, target);
        let controls = std::mem::take(controls);
        for row in &mut builder.rows[first..] {
            row.cells.push(text);
            row.controls.extend(&controls);
        }
    };
    for part in
        parts(page, list, |node| matches!(node.tag(), "dt" | "dd"), |node| node.tag() == "dl")
    {
        let cell = read_cell(page, part);
        if part.tag() == "dt" {
            if defined {
                finish(&mut builder, first, &mut said, &mut controls);
                (first, defined) = (builder.rows.len(), false);
            }
            let mut row = Row { node: part.id(), ..Row::default() };
            let text = builder.cell(cell, &mut row.controls);
            row.cells.push(text);
            builder.rows.push(row);
        } else {
            defined = true;
            if !said.0.is_empty() && !cell.text.is_empty() {
                said.0.push_str("; ");
            }
            said.0.push_str(&cell.text);
            super::cell::push_target(&mut said.1, &cell.target);
            controls.extend(cell.controls);
        }
    }
    finish(&mut builder, first, &mut said, &mut controls);
    builder
}

/// Returns the items of a list, without those of lists inside of it.
pub(super) fn list_items<'p>(page: &'p Page, list: Node<'p>) -> Vec<Node<'p>> {
    parts(
        page,
        list,
        |node| matches!(node.role(), Role::ListItem | Role::Article),
        |node| is_list(node.role()),
    )
}

/// Whether an element with this role holds items.
pub(super) fn is_list(role: Role) -> bool {
    matches!(role, Role::List | Role::Directory | Role::Feed)
}

/// Returns the visible parts of an element, and neither those in a part nor those in `other` ones.
fn parts<'p>(
    page: &'p Page,
    whole: Node<'p>,
    is_part: impl Fn(Node<'p>) -> bool,
    other: impl Fn(Node<'p>) -> bool,
) -> Vec<Node<'p>> {
    let mut found = Vec::new();
    let mut at = whole.id().index() + 1;
    while at < whole.end() {
        let node = page.at(at);
        at += 1;
        if is_part(node) {
            if node.hidden().is_none() {
                found.push(node);
            }
            at = node.end();
        } else if other(node) || is_noise(node) {
            at = node.end();
        }
    }
    found
}
