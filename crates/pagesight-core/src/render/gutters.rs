//! Finds the gutters of code editors and listings: line numbers and fold marks. They are not lines
//! of the outline, because they repeat with every line of code and change whenever an editor is
//! scrolled. The page script marks those of common editors; numbers beside code are found here.

use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page};
use crate::render::cells::cells;
use crate::text::escape::clean;

/// So many consecutive numbers are line numbers.
const FEWEST: usize = 3;
/// The longest line number, in digits.
const DIGITS: usize = 7;
/// The longest text of a column of numbers that is read.
const LONGEST_COLUMN: usize = 200_000;

/// The elements of a page that are gutters.
pub(super) struct Gutters(Vec<bool>);

impl Gutters {
    /// Finds the gutters of a page.
    pub(super) fn of(page: &Page) -> Gutters {
        let mut marks = Vec::new();
        let mut mark = |node: NodeId| {
            if marks.is_empty() {
                marks = vec![false; page.len()];
            }
            marks[node.index()] = true;
        };
        let mut listing_end = 0;
        for node in page.nodes().filter(|node| !node.is_text()) {
            if node.is(Flags::GUTTER) {
                mark(node.id());
            } else if node.tag() == "pre" && node.id().index() >= listing_end {
                // A listing in a listing belongs to the outer one.
                listing_end = node.end();
                numbers_in_listing(node).into_iter().for_each(&mut mark);
                before_listing(node).into_iter().for_each(&mut mark);
            } else if node.tag() == "table" {
                first_cells(node).into_iter().for_each(&mut mark);
            }
        }
        Gutters(marks)
    }

    /// Whether an element is a gutter.
    pub(super) fn has(&self, node: NodeId) -> bool {
        self.0.get(node.index()).copied().unwrap_or(false)
    }
}

/// Whether a usable element in a gutter has a name that says what it does. A line number or an
/// arrow does not.
pub(super) fn says_what_it_does(node: Node<'_>) -> bool {
    node.is(Flags::USABLE) && node.name().chars().any(char::is_alphabetic)
}

/// Returns the elements in a listing that only hold the number of the line that they begin.
fn numbers_in_listing(listing: Node<'_>) -> Vec<NodeId> {
    let mut found: Vec<(NodeId, u64)> = Vec::new();
    let (mut lines, mut at_start) = (1, true);
    let mut skip = 0;
    for node in listing.descendants() {
        if node.id().index() < skip {
            continue;
        }
        if node.is_text() {
            lines += node.name().matches('\n').count();
            at_start = node.name().ends_with('\n');
            continue;
        }
        at_start |= node.is(Flags::BLOCK) || node.tag() == "br";
        lines += usize::from(node.is(Flags::BLOCK) || node.tag() == "br");
        let mut inside = node.descendants();
        let (first, second) = (inside.next(), inside.next());
        if let (true, Some(text), None) = (at_start, first.filter(|text| text.is_text()), second)
            && let Some(number) = number(text.name())
        {
            found.push((node.id(), number));
            skip = node.end();
            at_start = false;
        }
    }
    let consecutive = found.windows(2).all(|pair| pair[1].1 == pair[0].1 + 1);
    let most = found.len() >= FEWEST && found.len() * 3 >= lines;
    if consecutive && most { found.into_iter().map(|(node, _)| node).collect() } else { Vec::new() }
}

/// Returns the element with a column of numbers before a listing: its neighbour, or that of a
/// wrapper or cell around it.
fn before_listing(listing: Node<'_>) -> Option<NodeId> {
    let around = std::iter::once(listing).chain(listing.ancestors()).take(4);
    let mut before = around.filter_map(|inner| {
        // Only the first of two neighbours: the number of children is not bounded.
        let parent = inner.parent()?;
        let mut children = parent.children().filter(|child| !child.is_text());
        let (first, second) = (children.next()?, children.next()?);
        (second.id() == inner.id()).then_some(first)
    });
    before.find(|column| is_column(*column)).map(Node::id)
}

/// Whether an element holds only consecutive numbers.
fn is_column(node: Node<'_>) -> bool {
    let mut last = None;
    let (mut count, mut length) = (0, 0);
    for text in node.descendants().filter(|inner| inner.is_text()) {
        length += text.name().len();
        for word in text.name().split_whitespace() {
            let Some(number) = number(word) else { return false };
            if last.is_some_and(|last| number != last + 1) || length > LONGEST_COLUMN {
                return false;
            }
            (last, count) = (Some(number), count + 1);
        }
    }
    count >= FEWEST
}

/// Returns the first cells of a table of code, if they number its rows.
fn first_cells(table: Node<'_>) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut last = None;
    for row in table.descendants().filter(|node| node.tag() == "tr") {
        let cells = row_cells(row);
        let [first, code] = cells[..] else { return Vec::new() };
        let next = number(&text_of(first)).filter(|now| last.is_none_or(|last| *now == last + 1));
        if next.is_none() || !is_code(code) {
            return Vec::new();
        }
        last = next;
        found.push(first.id());
    }
    if found.len() >= FEWEST { found } else { Vec::new() }
}

/// Returns the cells of a row. In a table without a role, they are only known by their tags.
fn row_cells<'p>(row: Node<'p>) -> Vec<Node<'p>> {
    if row.role() == Role::Row {
        return cells(row);
    }
    row.children().filter(|cell| matches!(cell.tag(), "td" | "th")).collect()
}

/// Whether a cell is code: all that it holds is in one `code` or `pre`, or it is inside of one.
fn is_code(cell: Node<'_>) -> bool {
    let says = |tag: &str| matches!(tag, "code" | "pre");
    cell.children().find(|child| !child.is_text()).is_some_and(|child| says(child.tag()))
        || cell.ancestors().take(8).any(|above| says(above.tag()))
}

/// Returns the text of a cell that may be a number; empty if it is longer.
fn text_of(cell: Node<'_>) -> String {
    let texts: Vec<&str> = cell
        .descendants()
        .take(4)
        .filter(|inner| inner.is_text())
        .map(|inner| inner.name())
        .collect();
    if cell.descendants().len() > 4 { String::new() } else { clean(&texts.concat()) }
}

/// Reads a line number.
fn number(text: &str) -> Option<u64> {
    let digits = text.trim();
    let plain = digits.len() <= DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use crate::render::tests::check;

    #[test]
    fn marked_gutters_are_not_lines_and_keep_what_says_what_it_does() {
        check(
            "div block\n  div gutter block\n    div block\n      '1'\n      span clickable \"▾\" usable by-content\n        '▾'\n    div clickable \"2\" usable by-content block\n      '2'\n    span button \"Fold line 2\" usable\n  div block\n    'let a = 1'",
            "[1] button: Fold line 2\nlet a = 1",
        );
        check(
            "table table block\n  tr row block\n    td cell \"1\" block usable gutter\n      '1'\n    td cell block\n      'import os'\n  tr row block\n    td cell \"2\" block usable gutter\n      '2'\n    td cell block\n      'import re'",
            "table (2 rows)\n  row: import os\n  row: import re",
        );
    }

    #[test]
    fn consecutive_numbers_beside_code_are_a_gutter() {
        let column = "table table block\n  tr row block\n    td cell block\n      pre block\n        '1\t2\t3'\n    td cell block\n      div block\n        pre block\n          'a b c'";
        check(&column.replace('\t', "   "), "table (1 row)\n  row: a b c");
        let rows: String = (9..12)
            .map(|n| format!("  tr row block\n    td cell block\n      '{n}'\n    td cell block\n      code\n        'x{n}'\n"))
            .collect();
        check(
            &format!("table table block\n{rows}"),
            "table (3 rows)\n  row: x9\n  row: x10\n  row: x11",
        );
        let lines: String = (1..4)
            .map(|n| format!("  div block\n    span\n      ' {n} '\n    span\n      'go '\n    b\n      '{n}'\n"))
            .collect();
        check(&format!("pre block\n{lines}"), "go 1\ngo 2\ngo 3");
    }

    #[test]
    fn other_numbers_stay() {
        let rows = |names: &str, numbers: [u32; 3]| -> String {
            let row = |n| {
                format!(
                    "  tr row block\n    td cell block\n      '{n}'\n    td cell block\n      {names}\n        'x'\n"
                )
            };
            format!("table table block\n{}", numbers.map(row).concat())
        };
        // No code; not consecutive; numbers in the middle of a line; too few.
        check(&rows("b", [1, 2, 3]), "table (3 rows)\n  row: 1 x\n  row: 2 x\n  row: 3 x");
        check(&rows("code", [1, 3, 4]), "table (3 rows)\n  row: 1 x\n  row: 3 x\n  row: 4 x");
        check(
            "pre block\n  'f('\n  b\n    '1'\n  ', '\n  b\n    '2'\n  ', '\n  b\n    '3'",
            "f(1, 2, 3",
        );
        check("pre block\n  b\n    '1'\n  ' a'\n  br\n  b\n    '2'\n  ' b'", "1 a 2 b");
    }
}
