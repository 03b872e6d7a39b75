//! The last state of an element that the caller saw, and whether the element still sits in the same
//! row.

use crate::page::Node;
use crate::page::role::Role;
use crate::refs::row::Rows;

/// The most texts of a row that are recorded.
const MOST_TEXTS: usize = 24;
/// The most rows beside a row that are read.
const MOST_ROWS_BESIDE: usize = 500;

/// The last state of an element that the caller saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its role.
    pub role: Role,
    /// Its name.
    pub name: String,
    /// The row around it.
    row: Option<SeenRow>,
}

/// The row around an element, as the caller last saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SeenRow {
    local: u32,
    /// A hash of its words.
    words: u64,
    /// Hashes of each of its texts; none if there are more than `MOST_TEXTS`.
    texts: Option<Box<[u32]>>,
}

impl Seen {
    /// Stands for details that were dropped.
    pub(super) fn nothing() -> Seen {
        Seen { role: Role::None, name: String::new(), row: None }
    }

    /// Returns the element in a few words: `button: Save`.
    pub fn words(&self) -> String {
        crate::render::head(self.role, 0, &self.name)
    }
}

/// Returns what the caller sees of an element now.
pub(super) fn seen<'p>(node: Node<'p>, rows: &Rows<'p>) -> Seen {
    let row = rows.row(node).map(|row| {
        let texts = rows.texts(row);
        let texts = (texts.len() <= MOST_TEXTS).then(|| Box::from(texts));
        SeenRow { local: row.local(), words: rows.words(row), texts }
    });
    Seen { role: node.role(), name: node.name().to_owned(), row }
}

/// Whether the row around an element has different words than when the element was last seen. A
/// card counts as a row only because of the equal cards beside it. If those are gone, the same
/// container must have the same words.
pub(super) fn in_another_row<'p>(node: Node<'p>, was: &Seen, rows: &Rows<'p>) -> bool {
    let Some(was) = &was.row else { return false };
    let same =
        std::iter::once(node).chain(node.ancestors()).find(|above| above.local() == was.local);
    match same {
        Some(row) => rows.words(row) != was.words && !is_same_row(row, was, rows),
        None => rows.row(node).is_none_or(|row| rows.words(row) != was.words),
    }
}

/// Whether a row only gained or only lost texts, such as a help text or a message, and has a text
/// still that no row beside it has. A node that is reused for a different row does not keep that
/// text.
fn is_same_row<'p>(row: Node<'p>, was: &SeenRow, rows: &Rows<'p>) -> bool {
    let Some(was) = &was.texts else { return false };
    let now = rows.texts(row);
    let (fewer, more) = if now.len() < was.len() { (now, &**was) } else { (&**was, now) };
    let mut more = more.iter();
    if fewer.is_empty() || !fewer.iter().all(|text| more.any(|other| other == text)) {
        return false;
    }
    let Some(parent) = row.parent() else { return false };
    let beside: Vec<Node<'p>> = parent
        .children()
        .filter(|other| other.id() != row.id() && !other.is_text() && other.tag() == row.tag())
        .take(MOST_ROWS_BESIDE)
        .collect();
    let mut others: Vec<u32> = Vec::new();
    beside.iter().for_each(|other| others.extend(rows.texts(*other)));
    others.sort_unstable();
    (1..MOST_ROWS_BESIDE).contains(&beside.len())
        && fewer.iter().any(|text| others.binary_search(text).is_err())
}
