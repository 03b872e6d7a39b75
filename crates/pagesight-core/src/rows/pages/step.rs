//! How far a list is scrolled to show its next rows, so that none is passed over.

use crate::page::{NodeId, Page};
use crate::rows::model::RowTable;

/// The share of the view by which a list is scrolled if its rows do not say more.
const SHARE: f64 = 0.8;
/// A shorter way, in CSS pixels, is not worth a step.
const SHORTEST: f64 = 24.0;

/// Returns how far to scroll down, in CSS pixels: until the last row that is drawn is the first one
/// in view. So that row is read on both pages, and a list whose rows are all there is scrolled to
/// its end. `scroller`: the box that scrolls; none is the page.
pub fn step_down(page: &Page, table: &RowTable, scroller: Option<NodeId>) -> f64 {
    let height = page.viewport.1 as i32;
    let view = match scroller {
        Some(scroller) => page.node(scroller).rect(),
        None => crate::page::Rect { y: 0, height, ..Default::default() },
    };
    let (top, bottom) = (view.y.max(0), (view.y + view.height).min(height));
    let least = f64::from((bottom - top).max(0)).max(SHORTEST) * SHARE;
    let drawn = table.rows.iter().map(|row| page.node(row.node).rect());
    let last = drawn.filter(|rect| rect.height > 0).map(|rect| rect.y).max();
    match last {
        Some(last) if f64::from(last - top) > SHORTEST => f64::from(last - top),
        _ => least,
    }
}
