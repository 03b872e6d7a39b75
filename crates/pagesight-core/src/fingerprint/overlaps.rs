//! Finds elements that overlap although neither is inside the other. Not quadratic: boxes are
//! compared only with those that begin before they end, and the comparisons are bounded.

use super::layout_form::{LayoutBox, Overlap};
use crate::page::{NodeId, Page, Rect};

/// The smallest width and height of an overlap, in pixels.
const LEAST: i32 = 3;
/// The smallest share of an overlap that is noted, in hundredths of the smaller element.
const LEAST_SHARE: i64 = 3;
/// How many overlaps of one element are noted.
const MOST_NOTED: usize = 5;
/// How many pairs of a page are compared.
const MOST_PAIRS: usize = 400_000;

/// Notes the overlaps. `inks`: for each box its node, and where its text is drawn.
pub(super) fn find(page: &Page, boxes: &mut [LayoutBox], inks: &[(NodeId, Rect)]) {
    let mut order: Vec<usize> = (0..boxes.len())
        .filter(|at| {
            let drawn = &boxes[*at];
            !drawn.region && !drawn.fixed && !drawn.moving && inks[*at].1.height > 0
        })
        .collect();
    order.sort_by_key(|at| inks[*at].1.y);
    let mut open: Vec<usize> = Vec::new();
    let mut pairs = 0;
    for at in order {
        let (node, rect) = inks[at];
        open.retain(|other| bottom(inks[*other].1) > rect.y + LEAST);
        for other in &open {
            pairs += 1;
            if pairs > MOST_PAIRS {
                return;
            }
            let (other_node, other_rect) = inks[*other];
            let Some(share) = share(rect, other_rect) else { continue };
            if page.node(node).contains(other_node) || page.node(other_node).contains(node) {
                continue;
            }
            // The later element names the earlier one.
            let (later, earlier) = (at.max(*other), at.min(*other));
            let with = format!("{} '{}'", boxes[earlier].kind, boxes[earlier].name);
            let noted = &mut boxes[later].overlaps;
            if noted.len() < MOST_NOTED {
                noted.push(Overlap { with, share });
            }
        }
        open.push(at);
    }
    for drawn in boxes {
        drawn.overlaps.sort_by(|one, other| one.with.cmp(&other.with));
    }
}

fn bottom(rect: Rect) -> i32 {
    rect.y.saturating_add(rect.height)
}

/// Returns how much of the smaller box is overlapped, in hundredths.
fn share(one: Rect, other: Rect) -> Option<u32> {
    let right = |rect: Rect| rect.x.saturating_add(rect.width);
    let width = right(one).min(right(other)).saturating_sub(one.x.max(other.x));
    let height = bottom(one).min(bottom(other)).saturating_sub(one.y.max(other.y));
    if width < LEAST || height < LEAST {
        return None;
    }
    let area = |rect: Rect| i64::from(rect.width) * i64::from(rect.height);
    let smaller = area(one).min(area(other)).max(1);
    let share = i64::from(width) * i64::from(height) * 100 / smaller;
    (share >= LEAST_SHARE).then_some(share as u32)
}
