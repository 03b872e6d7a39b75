//! Drops rows out of view that a list has not loaded: many lists load a row when it comes into
//! view, and draw a few more before that. They are read at one of the next steps.

use std::collections::HashMap;

use super::reading::content;
use crate::page::{Page, Rect};
use crate::rows::model::RowTable;

/// Rows out of view are judged if there are at most so many times as many as in view, or so many. A
/// list that draws more of them draws all rows that are loaded.
const MOST_TIMES: usize = 3;
const MOST_UNSEEN: usize = 60;

/// Drops the rows that are out of view, if half of them say nothing or the same as each other.
pub fn drop_placeholders(page: &Page, table: &mut RowTable) {
    let (top, bottom) = view_of(page, table);
    let is_seen: Vec<bool> = table
        .rows
        .iter()
        .map(|row| page.node(row.node).rect())
        .map(|Rect { y, height, .. }| height == 0 || y < bottom && y + height > top)
        .collect();
    let seen = is_seen.iter().filter(|is_seen| **is_seen).count();
    let unseen = is_seen.len() - seen;
    if seen == 0 || unseen > MOST_UNSEEN.max(MOST_TIMES * seen) {
        return;
    }
    let (mut empty, mut equal) = (0, HashMap::new());
    for (row, _) in table.rows.iter().zip(&is_seen).filter(|(_, is_seen)| !**is_seen) {
        let is_empty = (0..table.columns.len()).all(|at| table.cell(row, at).is_empty());
        empty += usize::from(is_empty);
        *equal.entry(content(table, row)).or_insert(0) += 1;
    }
    let most = equal.into_values().filter(|count| *count > 1).max().unwrap_or(0);
    if 2 * most.max(empty) >= unseen.max(1) {
        let mut is_seen = is_seen.into_iter();
        table.rows.retain(|_| is_seen.next().unwrap_or(true));
    }
}

/// Returns the top and the bottom of what people see of a list.
fn view_of(page: &Page, table: &RowTable) -> (i32, i32) {
    let (mut top, mut bottom) = (0, page.viewport.1 as i32);
    let rows = page.node(table.rows.first().map_or(table.node, |row| row.node));
    for above in rows.ancestors() {
        if above.scroll_room().is_some_and(|room| room.up + room.down > 0) {
            let rect = above.rect();
            (top, bottom) = (top.max(rect.y), bottom.min(rect.y + rect.height));
        }
    }
    (top, bottom)
}
