//! Whether a list draws only the rows in view: then it keeps room for the others, above or below
//! those that are drawn.

use crate::page::role::Role;
use crate::page::{Flags, Node, Page};
use crate::pipeline::filter::visibility::is_seen;
use crate::rows::model::RowTable;

/// Room for so many rows, and for a head, is not room for rows that are not drawn.
const ROWS_OF_ROOM: i32 = 2;
/// The same in CSS pixels, at least.
const LEAST_ROOM: i32 = 60;

/// Whether there is room for rows that are not drawn, above or below those of a table, in what
/// holds them and nothing else.
pub fn is_drawn_in_part(page: &Page, table: &RowTable) -> bool {
    let drawn = || {
        let rects = table.rows.iter().map(|row| page.node(row.node).rect());
        rects.filter(|rect| rect.height > 0)
    };
    let (Some(first), Some(last)) =
        (drawn().min_by_key(|rect| rect.y), drawn().max_by_key(|rect| rect.y + rect.height))
    else {
        return false;
    };
    let Some(row) = table.rows.first() else { return false };
    let room = LEAST_ROOM.max(ROWS_OF_ROOM * last.height.min(first.height));
    let table = page.node(table.node);
    let (mut has_room, mut is_only) = (false, true);
    for above in page.node(row.node).ancestors() {
        let scrolls = above.scroll_room();
        is_only &= !above.contains(table.id()) || holds_only(page, above, table);
        if is_only {
            let rect = above.rect();
            let (up, down) = scrolls.map_or((0, 0), |room| (room.up as i32, room.down as i32));
            let (top, bottom) = (rect.y - up, rect.y + rect.height + down);
            let is_scrolled = up > 0 || page.scroll.1 > 0;
            let (before, after) = (first.y - top, bottom - last.y - last.height);
            has_room |= rect.height > 0 && (after > room || is_scrolled && before > room);
        }
        // What is around the box that scrolls is not room for rows.
        if scrolls.is_some_and(|room| room.up + room.down > 0) {
            return has_room;
        }
    }
    // A box that is higher than its rows is no room if nothing scrolls.
    has_room && page.size.1 > page.viewport.1
}

/// Whether people see nothing in an element but one other element that is in it.
fn holds_only(page: &Page, element: Node<'_>, inner: Node<'_>) -> bool {
    let before = element.id().index() + 1..inner.id().index();
    let after = inner.end()..element.end();
    let says = |at: usize| {
        let node = page.at(at);
        // An empty element may be the room itself.
        let is_part = node.is_text() || node.is(Flags::USABLE) || node.role() == Role::Image;
        is_part && !node.contains(inner.id()) && is_seen(node, true)
    };
    !before.chain(after).any(says)
}
