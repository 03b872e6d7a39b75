//! The keys that pages give to rows: positions and ids in attributes. A row that has a key is the
//! same row wherever it is drawn, and two rows with equal texts and different keys are two.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::page::{Node, Page};
use crate::rows::model::RowTable;

/// How far the values of an attribute identify rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyKind {
    /// The id of a record.
    Record,
    /// A position in the list. It may begin again on the next page.
    Position,
    /// It may belong to the place where a row is drawn, which a list uses again for other rows.
    Unsure,
}

/// Attributes with the keys of rows, the best ones first.
const ATTRIBUTES: [(&str, KeyKind); 16] = [
    ("data-row-key", KeyKind::Record),
    ("data-row-id", KeyKind::Record),
    ("row-id", KeyKind::Record),
    ("aria-rowindex", KeyKind::Position),
    ("aria-posinset", KeyKind::Position),
    ("data-index", KeyKind::Position),
    ("data-row-index", KeyKind::Position),
    ("data-rowindex", KeyKind::Position),
    ("data-item-index", KeyKind::Position),
    ("row-index", KeyKind::Position),
    ("data-id", KeyKind::Unsure),
    ("data-item-id", KeyKind::Unsure),
    ("data-key", KeyKind::Unsure),
    ("data-item-key", KeyKind::Unsure),
    ("data-testid", KeyKind::Unsure),
    ("id", KeyKind::Unsure),
];
/// How many elements around the content of a row may have its key.
const DEEPEST: usize = 3;

/// The keys of the rows of a page.
#[derive(Clone, Debug)]
pub(super) struct RowKeys {
    pub(super) kind: KeyKind,
    pub(super) keys: Vec<u64>,
    /// The positions of the rows, if the keys are positions and all are numbers.
    positions: Option<Vec<i64>>,
}

impl RowKeys {
    /// Returns the first and the last position.
    pub(super) fn range(&self) -> Option<(i64, i64)> {
        let positions = self.positions.as_ref()?;
        Some((*positions.iter().min()?, *positions.iter().max()?))
    }

    /// Returns the keys of the rows, if each has one and no two are equal.
    pub(super) fn of(page: &Page, table: &RowTable) -> Option<RowKeys> {
        if table.rows.is_empty() {
            return None;
        }
        ATTRIBUTES.into_iter().find_map(|(name, kind)| {
            let value = |node| value_of(page.node(node), name);
            let values: Vec<&str> =
                table.rows.iter().map(|row| value(row.node)).collect::<Option<_>>()?;
            let different: HashSet<&str> = values.iter().copied().collect();
            if different.len() < values.len() {
                return None;
            }
            let number = |value: &&str| value.parse::<i64>().ok();
            let numbers: Option<Vec<i64>> = values.iter().map(number).collect();
            let positions = numbers.filter(|_| kind == KeyKind::Position);
            let keys = values.iter().map(|value| hash(name, value)).collect();
            Some(RowKeys { kind, keys, positions })
        })
    }
}

/// Brings rows into the order in which they are seen. The elements that a virtual list uses again
/// stand in any order in the document.
pub fn sort_rows(page: &Page, table: &mut RowTable) {
    let positions = RowKeys::of(page, table).and_then(|keys| keys.positions);
    let places: Vec<i64> = match positions {
        Some(positions) => positions,
        None => {
            let boxes = || table.rows.iter().map(|row| page.node(row.node).rect());
            // Cards beside each other keep the order of the document.
            let is_one_column = boxes().all(|rect| rect.height > 0)
                && boxes().zip(boxes().skip(1)).all(|(one, next)| one.x == next.x);
            if !is_one_column {
                return;
            }
            boxes().map(|rect| i64::from(rect.y)).collect()
        }
    };
    let rows = std::mem::take(&mut table.rows);
    let mut placed: Vec<_> = places.into_iter().zip(rows).collect();
    placed.sort_by_key(|(place, _)| *place);
    table.rows = placed.into_iter().map(|(_, row)| row).collect();
}

fn hash(name: &str, value: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (name, value).hash(&mut hasher);
    hasher.finish()
}

/// Returns an attribute of a row, or of the only element in it.
fn value_of<'p>(row: Node<'p>, name: &str) -> Option<&'p str> {
    let mut at = row;
    for _ in 0..DEEPEST {
        if let Some(value) = at.attribute(name).map(str::trim).filter(|value| !value.is_empty()) {
            return Some(value);
        }
        let mut elements = at.children().filter(|child| !child.is_text());
        match (elements.next(), elements.next()) {
            (Some(only), None) => at = only,
            _ => return None,
        }
    }
    None
}
